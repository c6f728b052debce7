/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What classes.c, which keeps account of job classes, and pass.c share. */
#ifndef LXFW_POLICY_CLASSES_PRIVATE_H
#define LXFW_POLICY_CLASSES_PRIVATE_H

#include "common/books/books.h"
#include "common/model/job_classes.h"

#define LISTS_MAX (LXFW_TIME_CLASSES_MAX * LXFW_SIZE_CLASSES_MAX)

struct host_state {
	int32_t running[LXFW_SIZE_CLASSES_MAX];	/* jobs of each size class */
	int32_t ended;		/* jobs that did since the last pass */
	int32_t reserved;	/* job that the host is kept for, or -1; good
				   during a pass */
};

struct lxfw_job_classes_state {
	struct lxfw_job_classes *classes;
	bool told;		/* else one class of everything, on every host */
	bool stale;		/* what follows is to be counted anew */
	struct host_state *hosts;
	size_t hosts_size;
	int32_t running[LXFW_TIME_CLASSES_MAX];	/* jobs, on all hosts */
	int32_t reserved[LXFW_TIME_CLASSES_MAX];	/* reservations; good
							   during a pass */
	int32_t lists[LISTS_MAX];	/* of each job class, classes of equal
					   requests in no particular order */
};

/* NULL where no job runs. */
static inline const struct lxfw_host_rules *
rules_of(const struct lxfw_sched *sched, int32_t host)
{
	const struct lxfw_job_classes_state *state = sched->job_classes;

	return state->told ? lxfw_job_classes_rules(state->classes, host) :
			     state->classes->rules;
}

/* The policy's pass. 0, or -1 with errno ENOMEM. */
int lxfw_classes_pass(struct lxfw_sched *sched);

/* Make what the pass needs, and count anew what may be counted wrong. 0, or -1 with
   errno ENOMEM. */
int lxfw_classes_count(struct lxfw_sched *sched);

#endif
