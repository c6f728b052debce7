/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adaptive jobs (EQspatial): jobs whose number of processors may change while they run.
 * A user requests this with the option --adaptive[=MIN] of the SPANK plugin lxfw, or
 * with --comment=lxfw:adaptive[=MIN] if that plugin is not installed. The site
 * determines where the request is honoured. All other jobs are rigid.
 *
 * Under a policy with moldable jobs, these are the moldable ones: the number of processors
 * is chosen when they start, and then kept.
 */
#ifndef LXFW_BRIDGE_ADAPTIVE_H
#define LXFW_BRIDGE_ADAPTIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/model/request.h"
#include "plugins/slurm/compat/compat.h"

struct lxfw_bridge;

/* The site's settings for adaptive jobs. */
struct lxfw_adaptive_rules {
	char *partitions, *qos;	/* names separated by colons; NULL: all */
	int64_t max_stretch;	/* limit of the run time as a multiple of the time
				   limit */
	bool refuse_multi_node;
};

/* lxfw_adaptive_rules_read() sets RULES from the keys of TEXT, which must be valid; it
   returns false if memory runs out. lxfw_adaptive_rules_clear() frees RULES. */
bool lxfw_adaptive_rules_read(struct lxfw_adaptive_rules *rules,
			      const char *text);
void lxfw_adaptive_rules_clear(struct lxfw_adaptive_rules *rules);

/* Returns true if both are equal. */
bool lxfw_adaptive_rules_same(const struct lxfw_adaptive_rules *one,
			      const struct lxfw_adaptive_rules *other);

/* Returns true if the policy distinguishes adaptive or moldable jobs from rigid ones. */
bool lxfw_adaptive_counts(const struct lxfw_bridge *bridge);

/*
 * Returns the minimum of processors that the user specifies for an adaptive job, 1 or
 * more. Returns 0 for a rigid job: one whose user does not request an adaptive job, or
 * where the site does not permit it.
 */
int32_t lxfw_adaptive_min_procs(const struct lxfw_bridge *bridge,
			    const job_record_t *job);

/*
 * Returns the reason why the share of a job cannot change although its user requests
 * that, or NULL. The job's partition must be set. NODE is one of the nodes on which it
 * may run.
 */
const char *lxfw_adaptive_why_not(const job_record_t *job,
				  const node_record_t *node);

/* Returns true if the job's request requires several nodes. PROCS_PER_HOST is the
   largest number of processors of its nodes. */
bool lxfw_adaptive_is_wide(const job_record_t *job, int64_t procs_per_host);

/* Records in the job's SystemComment that it is rigid although its user requests an
   adaptive job. */
void lxfw_adaptive_say(job_record_t *job, const char *why);

/* Holds a job of several nodes if the site refuses such adaptive jobs. Returns true if
   the job was held. */
bool lxfw_adaptive_refuse(const struct lxfw_bridge *bridge, job_record_t *job);

#endif
