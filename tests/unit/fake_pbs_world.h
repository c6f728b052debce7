/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of the simulated server, for fake_pbs.c. */
#ifndef LXFW_TESTS_FAKE_PBS_WORLD_H
#define LXFW_TESTS_FAKE_PBS_WORLD_H

#include "tests/unit/fake_pbs.h"

#include <stddef.h>

/* What jobs use of each vnode. */
struct fake_usage {
	struct fake_use used[FAKE_VNODES];
	int users[FAKE_VNODES], owners[FAKE_VNODES];
};

/* Record the first violated invariant. */
void fake_pbs_wrong(const char *what, const char *job);
void fake_pbs_job_wrong(const struct fake_pbs_job *job, const char *what);
void fake_pbs_add_use(struct fake_use *sum, const struct fake_use *amount);
void fake_pbs_add(struct fake_usage *usage, const struct fake_pbs_job *job);
/* Reads job->vnodes, an exec_vnode. */
void fake_pbs_read_vnodes(struct fake_pbs_job *job);
void fake_pbs_die(void);
/* Returns true once in ONE_IN times, unless fake_pbs.quiet. */
bool fake_pbs_trouble(int one_in);
/* Returns true if a request fails because the server is dead, or the connection is of one that has
   died since. */
bool fake_pbs_dead(void);
/* Returns true if the server has carried out a request and dies before it answers. */
bool fake_pbs_dies_after(void);
/* Returns CODE, the error of a request that is refused. */
int fake_pbs_refuse(int code);
/* Carries out the starts that wait for it. */
void fake_pbs_start_late(void);
/* The connection is lost, before the starts that wait are carried out or after it. */
void fake_pbs_cut(bool carried_out);
/* Sets the mtime of jobs that have changed. Called before time advances. */
void fake_pbs_save(void);
/* The processors that the job requests. */
int fake_pbs_ncpus(const struct fake_pbs_job *job);
void fake_pbs_name(const struct fake_pbs_job *job, char *name, size_t size);
struct fake_pbs_job *fake_pbs_find(const char *id);
void fake_pbs_run(struct fake_pbs_job *job, const char *vnodes);
int fake_pbs_suspend(struct fake_pbs_job *job);
int fake_pbs_resume(struct fake_pbs_job *job);
void fake_pbs_requeue(struct fake_pbs_job *job);


/* fake_pbs_times.c */
extern const char *const fake_pbs_queues[];
/* Chooses times, and writes the files. */
void fake_pbs_begin_times(void);
/* Writes files without any times, and moves jobs out of their queues. */
void fake_pbs_end_times(void);
/* The job, which starts now, may run now. */
void fake_pbs_check_times(const struct fake_pbs_job *job);
/* No other job runs in dedicated time. */
void fake_pbs_check_dedicated(void);
/* Returns true if a time interval and the dedicated time overlap, and the former is not within
   the latter. */
bool fake_pbs_meets_dedicated(int64_t start, int64_t end);

/* fake_pbs_resv.c */
/* Requests a reservation if the one before is over. */
void fake_pbs_reserve(void);
/* Its owner alters the times. */
void fake_pbs_alter(int64_t start, int64_t end);
/* Ends occurrences, and finds vnodes that are down. */
void fake_pbs_advance_resv(void);
/* The job, which starts now, leaves the vnodes of the reservation free. */
void fake_pbs_check_resv(const struct fake_pbs_job *job);
/* Returns 0, or an error. */
int fake_pbs_confirm(const char *id, const char *location, unsigned long start, bool success);

#endif
