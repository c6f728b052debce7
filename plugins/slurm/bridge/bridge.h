/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Between Slurm's records and the library's books.
 *
 * A pass, as the plugin's thread makes it:
 *
 *   lxfw_bridge_prepare()	no locks	journal file in order?
 *   lxfw_bridge_sync()		locks		differences become events
 *   repeat
 *     lxfw_bridge_decide()	no locks	events in, actions out
 *     lxfw_bridge_act()	locks		as much as the budget allows
 *     lxfw_bridge_save()	no locks	what has become of quanta
 *   while something was refused
 *   lxfw_bridge_offer()	locks		what the model does not know
 *   lxfw_bridge_finish()	no locks	the last events, journal
 *
 * "Locks" are those of lxfw_bridge_lock(). Only the thread that owns the bridge
 * calls these functions.
 */
#ifndef LXFW_BRIDGE_BRIDGE_H
#define LXFW_BRIDGE_BRIDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/sched.h"
#include "plugins/agent/clock.h"
#include "plugins/slurm/bridge/adaptive.h"
#include "plugins/agent/events.h"
#include "plugins/slurm/bridge/hold.h"
#include "plugins/slurm/bridge/hosts.h"
#include "plugins/agent/journal_file.h"
#include "plugins/slurm/bridge/left.h"
#include "plugins/agent/quanta_file.h"
#include "plugins/slurm/bridge/sets.h"
#include "plugins/slurm/bridge/shares_taken.h"
#include "plugins/agent/table.h"

/* What is reserved in Slurm, told to the library as blocks. */
struct lxfw_known_block {
	uint64_t id;
	int64_t start, end;
	uint32_t hash;		/* of its shares */
	uint32_t seen;
};

/* Who gets no quantum, as the site wants it. */
struct lxfw_unserved {
	char *partitions, *qos;	/* names with colons between, or NULL */
	int64_t most_procs;	/* jobs of more than that; 0: no limit */
};

/* A job that the library does not schedule, for lxfw_bridge_offer(). */
struct lxfw_leftover {
	uint32_t job_id;
	struct lxfw_alternative where;
	bool passing;		/* the library's, refused where it wanted it */
	const char *reservation;	/* a magnetic one, or one of several named, as
				   lxfw_sets_part() gave it; or NULL */
};

struct lxfw_pass_counts {
	uint32_t jobs;		/* the library schedules */
	uint32_t leftovers;	/* it does not */
	uint32_t events, started, refused, deferred, reserved, offered;
	uint32_t resized;
	uint32_t rounds;
	uint64_t sync_us, act_us, decide_us;
	uint64_t cpu_us;	/* processor time of all of it */
};

struct lxfw_bridge_counts {
	uint64_t passes, rebuilds, starts, refusals, offers;
	uint64_t longest_lock_us, lock_us, decide_us;
};

struct lxfw_bridge {
	struct lxfw_sched *sched;
	struct lxfw_params params;
	struct lxfw_event_queue events;
	struct lxfw_hosts hosts;
	struct lxfw_host_sets sets;
	struct lxfw_job_table jobs;
	struct lxfw_known_block *blocks;
	size_t block_count, block_size;
	struct lxfw_leftover *leftovers;
	size_t leftover_count, leftover_size, next_leftover;
	struct lxfw_known_job **reserved;	/* those with reservations, when offers
					   began */
	size_t reserved_count, reserved_size;
	struct lxfw_holds holds;
	struct lxfw_left_jobs left;
	struct lxfw_quanta_books quanta;
	struct lxfw_unserved unserved;
	struct lxfw_adaptive_rules adaptive;
	job_record_t *shield;		/* cores.c */
	size_t shield_count;
	struct lxfw_share *shares;	/* scratch */
	size_t shares_size;
	struct lxfw_journal_file journal;
	struct lxfw_decision decision;
	size_t next_action;		/* of the decision, to be acted on */
	struct lxfw_job_table offers;	/* of leftovers: their refusals */
	uint32_t offer_round;		/* ends when each leftover has had a look */
	uint64_t offers_from_us;	/* counts.act_us before the offers */
	int64_t clock;			/* of the last event or decision */
	bool recovered;			/* jobs waited when the controller started */
	uint32_t seen_changes;		/* of hosts */
	int64_t seen_update, seen_config;
	bool new_chances;		/* for jobs that Slurm refused */
	bool new_room, had_room;	/* a job has ended: since the last sync,
					   before it */
	uint32_t forgiven;		/* jobs tried again for that reason */
	int64_t wake;
	int64_t next_begin;		/* --begin of a job, at the earliest */
	uint32_t pass;
	bool new_params;		/* to be told */
	bool rebuild;			/* make the books anew */
	bool refused_now;		/* since the last decision */
	bool *disturbed;		/* hosts of which Slurm gave more than
					   decided, since then */
	struct lxfw_tenants tenants;	/* in lxfw_bridge_act() */
	bool *resized;			/* hosts whose shares were changed by
					   this decision */
	size_t disturbed_size;		/* of both */
	bool stale;			/* sync again soon */
	bool library_failed;		/* said so already */
	int64_t rejected;		/* when the books were made anew because an
					   event was rejected that is no job's */
	bool usable;			/* what was read makes sense */
	bool checked_job;
	struct lxfw_pass_counts counts;
	struct lxfw_bridge_counts total;
};

/* Take and drop lxfw_compat_locks. */
void lxfw_bridge_lock(void);
void lxfw_bridge_unlock(void);

/* BRIDGE is zeroed. */
void lxfw_bridge_init(struct lxfw_bridge *bridge,
		      const struct lxfw_params *params);
/* bridge->total stays. */
void lxfw_bridge_destroy(struct lxfw_bridge *bridge);

void lxfw_bridge_set_params(struct lxfw_bridge *bridge,
			    const struct lxfw_params *params);

/* Take the keys of TEXT, which is good, that say who may be adaptive. False as
   below. */
bool lxfw_bridge_set_adaptive(struct lxfw_bridge *bridge, const char *text);

/* Take the keys of TEXT, which is good, that say who gets no quantum. False if
   memory runs out: nothing has changed then. */
bool lxfw_bridge_set_unserved(struct lxfw_bridge *bridge, const char *text);

void lxfw_bridge_prepare(struct lxfw_bridge *bridge);

/* False if what was read makes no sense or memory ran out: end the pass. */
bool lxfw_bridge_sync(struct lxfw_bridge *bridge);

/* True if there is something to act on. */
bool lxfw_bridge_decide(struct lxfw_bridge *bridge);

/* Act until DEADLINE_US of the monotonic clock; true if all is done. */
bool lxfw_bridge_act(struct lxfw_bridge *bridge, uint64_t deadline_us);
bool lxfw_bridge_offer(struct lxfw_bridge *bridge, uint64_t deadline_us);

/* All that is going to be done of the decision is done. */
void lxfw_bridge_save(struct lxfw_bridge *bridge);

void lxfw_bridge_finish(struct lxfw_bridge *bridge);

#endif
