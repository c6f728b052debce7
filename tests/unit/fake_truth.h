/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of fake_wlm.h share: chance, and what is true of jobs and nodes. */
#ifndef LXFW_TESTS_FAKE_TRUTH_H
#define LXFW_TESTS_FAKE_TRUTH_H

#include "tests/unit/fake_wlm.h"

#define FAKE_PROCS 8		/* of a host */
#define FAKE_MEMORY 1000

/* WHAT must never be; the first one is kept. */
void fake_wrong(struct fake *fake, const char *what, uint64_t job);

/* 0 to N - 1. */
uint32_t fake_roll(struct fake *fake, uint32_t n);
/* Trouble, once in N times. */
bool fake_trouble(struct fake *fake, uint32_t n);

/* NULL if there is none. */
struct fake_job *fake_job_of(struct fake *fake, uint32_t record);

/* The job's record has changed. */
void fake_change(struct fake *fake, struct fake_job *job);
void fake_set_phase(struct fake *fake, struct fake_job *job,
		    enum lxfw_phase phase);

bool fake_holds_memory(const struct fake_record *record);
/* Do the shares of JOB fit beside the others, on hosts that are up? */
bool fake_fits(const struct fake *fake, const struct fake_job *job);
bool fake_is_on(const struct fake_job *job, int32_t host);

/* Its run is over, and its work lost. */
void fake_wait_again(struct fake *fake, struct fake_job *job);

/* To its nodes. */
void fake_send(struct fake *fake, struct fake_job *job, bool stop);

void fake_save_record(struct fake_job *job);
void fake_pass_second(struct fake *fake);

extern const struct lxfw_wlm fake_operations;

#endif
