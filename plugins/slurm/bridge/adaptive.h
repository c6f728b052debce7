/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which jobs let the number of their processors change while they run (EQspatial).
 * A user says so with the option --adaptive[=MIN] of the SPANK plugin lxfw, or with
 * --comment=lxfw:adaptive[=MIN] where that is not installed; the site says where
 * that counts. All other jobs are rigid.
 */
#ifndef LXFW_BRIDGE_ADAPTIVE_H
#define LXFW_BRIDGE_ADAPTIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/model/request.h"
#include "plugins/slurm/compat/compat.h"

struct lxfw_bridge;

/* What the site says about adaptive jobs. */
struct lxfw_adaptive_rules {
	char *partitions, *qos;	/* names with colons between, or NULL: all */
	int64_t max_stretch;	/* of time limits */
	bool refuse_multi_node;
};

/* Take the keys of TEXT, which is good; false if memory runs out. And free what was
   taken. */
bool lxfw_adaptive_rules_read(struct lxfw_adaptive_rules *rules,
			      const char *text);
void lxfw_adaptive_rules_clear(struct lxfw_adaptive_rules *rules);

/* Whether they say the same. */
bool lxfw_adaptive_rules_same(const struct lxfw_adaptive_rules *one,
			      const struct lxfw_adaptive_rules *other);

/*
 * The fewest processors that the job can do with, 1 or more, as its user says; 0 if
 * it is rigid: its user does not say so, or the site does not want it.
 */
int32_t lxfw_adaptive_least(const struct lxfw_bridge *bridge,
			    const job_record_t *job);

/*
 * Why the shares of a job whose user wants it adaptive cannot change, or NULL. The
 * job's partition is set; NODE is one on which it may run.
 */
const char *lxfw_adaptive_why_not(const job_record_t *job,
				  const node_record_t *node);

/* Several nodes, by what the job asks for; PROCS_PER_HOST is the most that one of
   its nodes has. */
bool lxfw_adaptive_is_wide(const job_record_t *job, int64_t procs_per_host);

/* Say in the job's record that it is rigid although its user wants it otherwise. */
void lxfw_adaptive_say(job_record_t *job, const char *why);

/* Hold a job of several nodes, if the site refuses such. True if it did. */
bool lxfw_adaptive_refuse(const struct lxfw_bridge *bridge, job_record_t *job);

#endif
