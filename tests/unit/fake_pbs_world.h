/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of the simulated server, for fake_pbs.c. */
#ifndef LXFW_TESTS_FAKE_PBS_WORLD_H
#define LXFW_TESTS_FAKE_PBS_WORLD_H

#include "tests/unit/fake_pbs.h"

#include <stddef.h>

/* Records the first violated invariant. */
void fake_pbs_wrong(const char *what, const char *job);
void fake_pbs_die(void);
/* The processors that the job requests. */
int fake_pbs_ncpus(const struct fake_pbs_job *job);
void fake_pbs_name(const struct fake_pbs_job *job, char *name, size_t size);
struct fake_pbs_job *fake_pbs_find(const char *id);
void fake_pbs_run(struct fake_pbs_job *job, const char *vnodes);
int fake_pbs_suspend(struct fake_pbs_job *job);
int fake_pbs_resume(struct fake_pbs_job *job);
void fake_pbs_requeue(struct fake_pbs_job *job);

#endif
