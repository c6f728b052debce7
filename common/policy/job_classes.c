/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Job classes with limits and priorities per host, as NCSA-LSF* (Chiang and
   Vernon 2001, section 2.1). */
#include "common/policy/books.h"

#include <errno.h>
#include <stdlib.h>

struct lxfw_job_classes_state {
	struct lxfw_job_classes *classes;	/* as told */
};

int lxfw_job_classes_set(struct lxfw_sched *sched,
			 const struct lxfw_job_classes *classes)
{
	struct lxfw_job_classes_state *state = sched->job_classes;
	struct lxfw_job_classes *copy = lxfw_job_classes_copy(classes);

	if (!copy)
		return -1;
	if (!state) {
		state = sched->job_classes = calloc(1, sizeof(*state));
		if (!state) {
			free(copy);
			errno = ENOMEM;
			return -1;
		}
	}
	free(state->classes);
	state->classes = copy;
	return 0;
}

int lxfw_job_classes_pass(struct lxfw_sched *sched)
{
	return lxfw_pass(sched);
}

void lxfw_job_classes_left(struct lxfw_sched *sched, int32_t job)
{
	(void)sched;
	(void)job;
}

int64_t lxfw_job_classes_wake(const struct lxfw_sched *sched)
{
	(void)sched;
	return LXFW_NEVER;
}

void lxfw_job_classes_clear(struct lxfw_sched *sched)
{
	if (!sched->job_classes)
		return;
	free(sched->job_classes->classes);
	free(sched->job_classes);
	sched->job_classes = NULL;
}
