/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Preemption by Slurm (PreemptType): which pending jobs may preempt running jobs.
 *
 * The library decides without it. A job that it cannot start, but that may preempt
 * others, is offered to Slurm's own node selection (preemptor.h), which chooses and
 * preempts them.
 */
#ifndef LXFW_BRIDGE_PREEMPT_H
#define LXFW_BRIDGE_PREEMPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/slurm/compat/compat.h"

struct lxfw_bridge;

/* The pending jobs of a partition and QOS. */
struct lxfw_preempt_kind {
	const void *part, *qos;
	uint32_t priority;	/* the largest that was tested */
	int tests;		/* number of priorities that were tested */
	uint32_t candidates;	/* number of jobs that may be preempted at that
				   priority */
	int32_t depth;		/* lxfw_compat_qos_depth() */
};

/* A job that Slurm must not preempt, and its start time. */
struct lxfw_spared_job {
	job_record_t *job;
	time_t start;
};

#define LXFW_PREEMPT_REFUSED 16

struct lxfw_preemption {
	bool enabled, by_qos;
	bool gang_said;		/* a message has been logged */
	bool fresh;		/* there are more candidates than at the last look */
	uint32_t candidates, before;	/* sum over all kinds; at the last look */
	struct lxfw_preempt_kind *kind;
	size_t count, size;
	uint64_t refused[LXFW_PREEMPT_REFUSED];	/* the library's ids of jobs that were
						   refused in this round of offers */
	int refused_count;
	struct lxfw_spared_job *spared;
	size_t spared_count, spared_size;
};

/* Begins a look: nothing is known of running jobs. */
void lxfw_preempt_look(struct lxfw_bridge *bridge);
/* Ends a look. */
void lxfw_preempt_looked(struct lxfw_bridge *bridge);

/* Returns true if the pending job may preempt running jobs from its present partition
   and QOS. Schedules a pass for the end of their PreemptExemptTime. */
bool lxfw_may_preempt(struct lxfw_bridge *bridge, job_record_t *job);

/* Returns by how many steps the pending job comes after all others because the QOS of
   others may preempt it: lxfw_compat_qos_depth(), or 0. */
int32_t lxfw_preempt_depth(const struct lxfw_bridge *bridge, const job_record_t *job);

/* Returns true if the job was suspended by Slurm's gang scheduler. It keeps its cores:
   only jobs of a higher partition are started on them. */
bool lxfw_is_gang_suspended(const job_record_t *job);

/*
 * lxfw_spare_suspended() prevents the preemption of jobs that are suspended for a
 * quantum and that have a grace time: they would neither receive the warning nor use the
 * time. lxfw_spare_no_more() reverses it. Both must be called without releasing the
 * locks in between.
 */
void lxfw_spare_suspended(struct lxfw_bridge *bridge);
void lxfw_spare_no_more(struct lxfw_bridge *bridge);

void lxfw_preempt_clear(struct lxfw_preemption *preemption);

#endif
