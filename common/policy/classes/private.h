/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of the policy, shared by its files. */
#ifndef LXFW_POLICY_CLASSES_PRIVATE_H
#define LXFW_POLICY_CLASSES_PRIVATE_H

#include "common/books/books.h"
#include "common/books/observer.h"
#include "common/model/job_classes.h"

#define LISTS_MAX (LXFW_TIME_CLASSES_MAX * LXFW_SIZE_CLASSES_MAX)

struct host_state {
	int32_t running[LXFW_SIZE_CLASSES_MAX];	/* jobs of each size class */
	int32_t ended;		/* jobs that ended since the last pass */
	int32_t reserved;	/* job for which the host is reserved, or -1; valid during
				   a pass */
};

struct lxfw_job_classes_state {
	const struct lxfw_job_classes *classes;	/* those of the scheduler, or a single
						   class if none were given */
	bool in_force;		/* whether the policy is in force */
	bool stale;		/* the following fields are to be counted again */
	struct host_state *hosts;
	size_t hosts_size;
	int32_t running[LXFW_TIME_CLASSES_MAX];	/* running jobs on all hosts */
	int32_t reserved[LXFW_TIME_CLASSES_MAX];	/* reservations; valid during a
							   pass */
	int32_t lists[LISTS_MAX];	/* for each job class, its classes of equal
					   requests in no particular order */
};

extern const char lxfw_classes_name[];

/* The state, or NULL if the policy has never been in force. */
static inline struct lxfw_job_classes_state *
classes_of(const struct lxfw_sched *sched)
{
	return lxfw_observer_state(sched, lxfw_classes_name);
}

/* The rules of a host, or NULL if no job runs there. */
static inline const struct lxfw_host_rules *
rules_of(const struct lxfw_sched *sched, int32_t host)
{
	return sched->job_classes ?
		       lxfw_job_classes_rules(sched->job_classes, host) :
		       classes_of(sched)->classes->rules;
}

/* Run a pass of the policy. Returns 0, or -1 with errno ENOMEM. */
int lxfw_classes_pass(struct lxfw_sched *sched);

/* The policy takes effect, or another one does; see struct lxfw_policy_type. */
int lxfw_classes_begin(struct lxfw_sched *sched);
void lxfw_classes_end(struct lxfw_sched *sched);

/* Prepare the counts for a pass, and rebuild them if they may be wrong. Returns 0, or -1
   with errno ENOMEM. */
int lxfw_classes_count(struct lxfw_sched *sched);

#endif
