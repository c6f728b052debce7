/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm as a workload manager of plugins/agent/wlm.h. Slurm's records are reported to
 * the agent, and decisions are carried out by functions of slurmctld.
 */
#ifndef LXFW_BRIDGE_BRIDGE_H
#define LXFW_BRIDGE_BRIDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/agent/agent.h"
#include "plugins/slurm/bridge/adaptive.h"
#include "plugins/slurm/bridge/changes.h"
#include "plugins/slurm/bridge/depth.h"
#include "plugins/slurm/bridge/features.h"
#include "plugins/slurm/bridge/held.h"
#include "plugins/slurm/bridge/hosts.h"
#include "plugins/slurm/bridge/left.h"
#include "plugins/slurm/bridge/licenses.h"
#include "plugins/slurm/bridge/places.h"
#include "plugins/slurm/bridge/preempt.h"
#include "plugins/slurm/bridge/rank.h"
#include "plugins/slurm/bridge/reserved.h"
#include "plugins/slurm/bridge/sets.h"
#include "plugins/slurm/bridge/shares_taken.h"
#include "plugins/slurm/bridge/tasks.h"
#include "plugins/slurm/bridge/watch.h"

/* The site's limits on which jobs may have a quantum. */
struct lxfw_unserved {
	char *partitions, *qos;	/* names separated by colons, or NULL */
	int64_t most_procs;	/* largest number of processors; 0: no limit */
};

/* A job that the library does not schedule, for lxfw_slurm_offer(). */
struct lxfw_leftover {
	uint32_t job_id;
	uint64_t id;		/* the library's, if both `passing` and `preempts` */
	struct lxfw_alternative where;
	bool passing;		/* scheduled by the library, but Slurm refused the
				   selected nodes, or it may preempt others, or this is a
				   partition of a lower tier */
	bool preempts;		/* it may preempt running jobs (preemptor.h) */
	const char *reservation;	/* name of a magnetic reservation, or of one
					   of several requested ones, from
					   lxfw_sets_part(); or NULL */
};

/* Nodes that jobs need which are tried in magnetic reservations before the library knows them. */
struct lxfw_attracted {
	uint32_t pass;
	uint32_t nodes;
};

struct lxfw_bridge {
	struct lxfw_agent agent;
	struct lxfw_attracted attracted;	/* in the last pass that had any */
	struct lxfw_seen seen;
	struct lxfw_features features;	/* at the last look */
	struct lxfw_watch watch;
	struct lxfw_hosts hosts;
	struct lxfw_licenses licenses;
	struct lxfw_host_sets sets;
	struct lxfw_tasks_room tasks;
	uint32_t queue_length;	/* number of queue records in the last look: one for each
				   partition of a job */
	struct lxfw_leftover *leftovers;
	size_t leftover_count, leftover_size, next_leftover;
	struct lxfw_component *components;	/* during a look */
	size_t component_count, component_size;
	struct lxfw_known_job **reserved;	/* jobs with a reservation when the
						   offers began */
	size_t reserved_count, reserved_size;
	struct lxfw_holds holds;
	struct lxfw_left_jobs left;
	struct lxfw_reserved_cost reserved_cost;
	struct lxfw_preemption preemption;
	struct lxfw_computed computed;	/* as far as the looks have found out */
	bool user_top;		/* SchedulerParameters=enable_user_top */
	struct lxfw_unserved unserved;
	struct lxfw_depth depth;
	struct lxfw_adaptive_rules adaptive;
	job_record_t *shield;		/* records made by lxfw_shield_up() */
	size_t shield_count;
	struct lxfw_share *shares;	/* scratch */
	size_t shares_size;
	struct lxfw_job_table offers;	/* of leftovers: their refusals */
	uint32_t offer_round;		/* number of the round of offers; a round
					   ends when each leftover has been
					   considered */
	uint64_t offers_from_us;	/* counts.act_us before the offers of this
					   pass */
	bool looked;			/* `recovered` has been determined */
	bool recovered;			/* jobs were pending when the controller
					   started */
	int64_t seen_update, seen_config;
	struct lxfw_tenants tenants;	/* valid while the locks are held */
	uint32_t *resized;		/* by host: number of the decision that last
					   changed its shares */
	size_t resized_size;
	bool checked_job;
};

extern const struct lxfw_wlm lxfw_slurm;

/* Directs the agent's log to Slurm's log. */
void lxfw_bridge_use_log(void);

/* Initializes BRIDGE, which must be zeroed. */
void lxfw_bridge_init(struct lxfw_bridge *bridge,
		      const struct lxfw_params *params);
/* Frees the bridge's resources. bridge->agent.total is preserved. */
void lxfw_bridge_destroy(struct lxfw_bridge *bridge);

/* Sets the rules for adaptive jobs from the keys of TEXT, which must be valid. Returns
   false if memory runs out; nothing is changed then. */
bool lxfw_bridge_set_adaptive(struct lxfw_bridge *bridge, const char *text);

/* Sets the limits on quanta from the keys of TEXT, which must be valid. Returns false
   if memory runs out; nothing is changed then. */
bool lxfw_bridge_set_unserved(struct lxfw_bridge *bridge, const char *text);

#endif
