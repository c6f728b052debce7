/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What account.c, which keeps account of job classes, pass.c and classes.c share. */
#ifndef LXFW_POLICY_CLASSES_PRIVATE_H
#define LXFW_POLICY_CLASSES_PRIVATE_H

#include "common/books/books.h"
#include "common/books/observer.h"
#include "common/model/job_classes.h"

#define LISTS_MAX (LXFW_TIME_CLASSES_MAX * LXFW_SIZE_CLASSES_MAX)

struct host_state {
	int32_t running[LXFW_SIZE_CLASSES_MAX];	/* jobs of each size class */
	int32_t ended;		/* jobs that did since the last pass */
	int32_t reserved;	/* job that the host is kept for, or -1; good
				   during a pass */
};

struct lxfw_job_classes_state {
	const struct lxfw_job_classes *classes;	/* of the books; where none were
						   given, one of everything */
	bool in_force;		/* is the policy */
	bool stale;		/* what follows is to be counted anew */
	struct host_state *hosts;
	size_t hosts_size;
	int32_t running[LXFW_TIME_CLASSES_MAX];	/* jobs, on all hosts */
	int32_t reserved[LXFW_TIME_CLASSES_MAX];	/* reservations; good
							   during a pass */
	int32_t lists[LISTS_MAX];	/* of each job class, classes of equal
					   requests in no particular order */
};

extern const char lxfw_classes_name[];

/* NULL before the policy was in force. */
static inline struct lxfw_job_classes_state *
classes_of(const struct lxfw_sched *sched)
{
	return lxfw_observer_state(sched, lxfw_classes_name);
}

/* NULL where no job runs. */
static inline const struct lxfw_host_rules *
rules_of(const struct lxfw_sched *sched, int32_t host)
{
	return sched->job_classes ?
		       lxfw_job_classes_rules(sched->job_classes, host) :
		       classes_of(sched)->classes->rules;
}

/* The policy's pass. 0, or -1 with errno ENOMEM. */
int lxfw_classes_pass(struct lxfw_sched *sched);

/* The policy is in force from now on, or another is: see struct lxfw_policy_type. */
int lxfw_classes_begin(struct lxfw_sched *sched);
void lxfw_classes_end(struct lxfw_sched *sched);

/* Make what the pass needs, and count anew what may be counted wrong. 0, or -1 with
   errno ENOMEM. */
int lxfw_classes_count(struct lxfw_sched *sched);

#endif
