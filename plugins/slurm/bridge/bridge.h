/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm below the seam of plugins/agent/wlm.h: its records are shown to the agent, what
 * was decided is done by the controller's own functions.
 */
#ifndef LXFW_BRIDGE_BRIDGE_H
#define LXFW_BRIDGE_BRIDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/agent/agent.h"
#include "plugins/slurm/bridge/adaptive.h"
#include "plugins/slurm/bridge/held.h"
#include "plugins/slurm/bridge/hosts.h"
#include "plugins/slurm/bridge/left.h"
#include "plugins/slurm/bridge/sets.h"
#include "plugins/slurm/bridge/shares_taken.h"

/* One of the partitions of a job. */
struct lxfw_alternative {
	const char *part;	/* as lxfw_sets_part() gave it */
	uint32_t priority, qos, tier;
};

/* Who gets no quantum, as the site wants it. */
struct lxfw_unserved {
	char *partitions, *qos;	/* names with colons between, or NULL */
	int64_t most_procs;	/* jobs of more than that; 0: no limit */
};

/* A job that the library does not schedule, for lxfw_slurm_offer(). */
struct lxfw_leftover {
	uint32_t job_id;
	struct lxfw_alternative where;
	bool passing;		/* the library's, refused where it wanted it */
	const char *reservation;	/* a magnetic one, or one of several named, as
				   lxfw_sets_part() gave it; or NULL */
};

/* What has been seen of the controller's tables: times of their last changes. */
struct lxfw_seen {
	time_t job, node, part, resv;
	time_t when;		/* they were looked at */
};

struct lxfw_bridge {
	struct lxfw_agent agent;
	struct lxfw_seen seen;
	struct lxfw_hosts hosts;
	struct lxfw_host_sets sets;
	struct lxfw_leftover *leftovers;
	size_t leftover_count, leftover_size, next_leftover;
	struct lxfw_known_job **reserved;	/* those with reservations, when offers
					   began */
	size_t reserved_count, reserved_size;
	struct lxfw_holds holds;
	struct lxfw_left_jobs left;
	struct lxfw_unserved unserved;
	struct lxfw_adaptive_rules adaptive;
	job_record_t *shield;		/* cores.c */
	size_t shield_count;
	struct lxfw_share *shares;	/* scratch */
	size_t shares_size;
	struct lxfw_job_table offers;	/* of leftovers: their refusals */
	uint32_t offer_round;		/* ends when each leftover has had a look */
	uint64_t offers_from_us;	/* counts.act_us before the offers */
	bool looked;			/* at all jobs, for the next one */
	bool recovered;			/* jobs waited when the controller started */
	int64_t seen_update, seen_config;
	struct lxfw_tenants tenants;	/* as long as locks are held */
	uint32_t *resized;		/* of each host: agent.decisions, if this one
					   changed its shares */
	size_t resized_size;
	bool checked_job;
};

extern const struct lxfw_wlm lxfw_slurm;

/* The agent logs as the plugin does from now on. */
void lxfw_bridge_use_log(void);

/* BRIDGE is zeroed. */
void lxfw_bridge_init(struct lxfw_bridge *bridge,
		      const struct lxfw_params *params);
/* bridge->agent.total stays. */
void lxfw_bridge_destroy(struct lxfw_bridge *bridge);

/* Take the keys of TEXT, which is good, that say who may be adaptive. False as
   below. */
bool lxfw_bridge_set_adaptive(struct lxfw_bridge *bridge, const char *text);

/* Take the keys of TEXT, which is good, that say who gets no quantum. False if
   memory runs out: nothing has changed then. */
bool lxfw_bridge_set_unserved(struct lxfw_bridge *bridge, const char *text);

#endif
