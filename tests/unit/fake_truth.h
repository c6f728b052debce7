/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internal interface of the files of fake_wlm.h: random numbers, and the true state of
 * jobs and nodes. */
#ifndef LXFW_TESTS_FAKE_TRUTH_H
#define LXFW_TESTS_FAKE_TRUTH_H

#include "tests/unit/fake_wlm.h"

#define FAKE_PROCS 8		/* processors of a host */
#define FAKE_MEMORY 1000

/* Record the error WHAT. The first error is kept. */
void fake_wrong(struct fake *fake, const char *what, uint64_t job);

/* Return a random number from 0 to N - 1. */
uint32_t fake_roll(struct fake *fake, uint32_t n);
/* Return true once in N times if errors are enabled. */
bool fake_trouble(struct fake *fake, uint32_t n);

/* Return NULL if there is none. */
struct fake_job *fake_job_of(struct fake *fake, uint32_t record);

/* Must be called when the job's record has changed. */
void fake_change(struct fake *fake, struct fake_job *job);
void fake_set_phase(struct fake *fake, struct fake_job *job,
		    enum lxfw_phase phase);

bool fake_holds_memory(const struct fake_record *record);
/* True if the shares of JOB fit with the other jobs, on hosts that are up. */
bool fake_fits(const struct fake *fake, const struct fake_job *job);
bool fake_is_on(const struct fake_job *job, int32_t host);

/* Sort the shares by host, as the agent expects them. */
void fake_sort_shares(struct fake_job *job);

/* The job is pending again, and the work of its run is lost. */
void fake_wait_again(struct fake *fake, struct fake_job *job);

/* Send a suspension (STOP) or a resumption to the job's nodes. */
void fake_send(struct fake *fake, struct fake_job *job, bool stop);

void fake_save_record(struct fake_job *job);
void fake_pass_second(struct fake *fake);

extern const struct lxfw_wlm fake_operations;

#endif
