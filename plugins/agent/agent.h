/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The agent keeps the library's model of a workload manager's hosts and jobs up to date
 * and carries out the library's decisions. The workload manager is accessed through the
 * functions of wlm.h.
 *
 *   setup.h     initialization, parameters
 *   loop.h      the thread; decides when to make a pass
 *   pass.h      a pass: look, decide, act
 *   act.c       starts and reservations; quanta*.c suspensions, resumptions, requeues
 *   estimate.h  expected starts of all pending jobs
 *   meter.h     metrics in a file
 *   shadow.h    decisions that are only recorded
 *   refuse.h    reports refusals of the workload manager to the library
 *   aside.h     jobs that wait without the library, and why
 *   mirror.h    state that was last reported; differences become events
 *
 * Only the thread that owns an agent may use it.
 */
#ifndef LXFW_AGENT_AGENT_H
#define LXFW_AGENT_AGENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/sched.h"
#include "plugins/agent/aside.h"
#include "plugins/agent/clock.h"
#include "plugins/agent/estimate.h"
#include "plugins/agent/events.h"
#include "plugins/agent/journal_file.h"
#include "plugins/agent/meter.h"
#include "plugins/agent/quanta_file.h"
#include "plugins/agent/reach.h"
#include "plugins/agent/table.h"
#include "plugins/agent/wlm.h"

struct lxfw_known_host {
	char *name;
	struct lxfw_resources total;
	uint32_t sockets;	/* its GPUs by socket (common/model/sockets.h) */
	int64_t weight;
	int64_t boot;		/* seconds from the start of a job until it runs */
	bool up;
	bool told;
};

struct lxfw_known_hosts {
	struct lxfw_known_host *host;
	int32_t count;
	uint8_t gpus;		/* mask of the extras that are GPUs; the adapter sets it */
	char *extras[LXFW_EXTRAS_MAX];	/* names of the extras that were reported, or
					   NULL */
	uint32_t changes;	/* number of host events */
	uint32_t resized;	/* number of those that changed a host's resources */
	uint32_t socket_changes;	/* number of those that changed its GPUs by socket */
};

/* A block as it was last reported to the library. */
struct lxfw_known_block {
	uint64_t id;
	int64_t start, end;
	uint32_t hash;		/* of its shares, lxfw_shares_hash() */
	uint32_t seen;
};

struct lxfw_pass_counts {
	uint32_t jobs;		/* scheduled by the library */
	uint32_t leftovers;	/* not scheduled by the library */
	uint32_t events, started, refused, deferred, reserved, offered;
	uint32_t resized;
	uint32_t rounds;
	uint32_t looks;
	uint64_t sync_us, act_us, decide_us;
	uint64_t longest_us;	/* under locks at a stretch */
	uint64_t locked_cpu_us;	/* processor time under locks */
	uint64_t start_us;	/* in the workload manager's functions that start jobs */
	uint64_t cpu_us;	/* processor time of the pass */
};

struct lxfw_agent_counts {
	uint64_t passes, rebuilds, starts, refusals, offers;
	uint64_t longest_lock_us, lock_us, decide_us;
};

struct lxfw_agent {
	const struct lxfw_wlm *wlm;	/* `real` or `shadow` */
	const struct lxfw_wlm *real;
	struct lxfw_wlm shadow;		/* see shadow.h */
	void *context;		/* argument of wlm's functions */
	bool (*stopping)(void *);	/* whether the pass must end; called with
					   `loop`. NULL: never */
	bool (*abandoned)(void *);	/* whether another one may write the agent's
					   files now, which it must not; called with
					   `loop`. NULL: never */
	void (*step)(void *, const char *);	/* called with `loop` and the name of
					   the step without locks that begins, a
					   constant; with NULL before the locks are
					   requested, and lxfw_step_locked after
					   that. NULL: not called */
	void *loop;
	uint64_t budget_us;	/* longest time under locks at a stretch; 0: no limit */
	struct lxfw_sched *sched;
	struct lxfw_params params;	/* as the library has them: `reservations` as of
					   `reach` */
	struct lxfw_reach reach;
	struct lxfw_event_queue events;
	struct lxfw_known_hosts hosts;
	struct lxfw_job_table jobs;
	struct lxfw_asides asides;
	struct lxfw_known_block *blocks;
	size_t block_count, block_size;
	size_t next_block;	/* place of the block that is probably reported next */
	struct lxfw_quanta_books quanta;
	struct lxfw_estimates estimates;
	struct lxfw_journal_file journal;
	struct lxfw_meter meter;
	struct lxfw_decision decision;
	size_t next_action;	/* index of the next action of the decision */
	uint32_t decisions;	/* number of decisions made */
	uint64_t changes;	/* number of events applied and of actions decided */
	int64_t clock;		/* time of the last event or decision */
	uint32_t seen_changes;	/* hosts.changes at the last look */
	bool new_chances;	/* refused jobs may be retried: resources changed */
	bool new_room, had_room;	/* the end of a job was detected, or that hosts
					   can be used again after one: since the last
					   look began, by the look before */
	uint32_t forgiven;	/* refused jobs retried in this pass */
	int64_t wake;
	int64_t look_again;	/* time of the next look even if nothing has changed */
	uint32_t pass;
	uint32_t slice;		/* number of looks of this pass before this one */
	bool unfinished;	/* set by look_at_jobs(): the pass needs another look
				   before it may decide */
	bool new_params;	/* the library does not have the parameters yet */
	bool rebuild;		/* rebuild the model */
	bool refused_now;	/* a start was refused or deferred since the last
				   decision */
	bool *disturbed;	/* by host: more of it is in use than the last
				   decision assumed */
	size_t disturbed_size;
	bool stale;		/* make a pass soon */
	bool library_failed;	/* and the error has been logged */
	int64_t rejected;	/* time of the last rebuild due to a rejected event
				   that concerns no job */
	bool usable;		/* the workload manager's data is consistent */
	uint64_t locked_at, locked_cpu_at;
	struct lxfw_pass_counts counts;
	struct lxfw_agent_counts total;
};

/* The present time in seconds. agent->clock is updated only between steps of a pass and
   never decreases. */
int64_t lxfw_agent_now(const struct lxfw_agent *agent);
/* Sets agent->clock to the present time unless that would decrease it. */
void lxfw_agent_tick(struct lxfw_agent *agent);

/* Whether the workload manager schedules, and decisions are only recorded. */
bool lxfw_agent_shadows(const struct lxfw_agent *agent);

/* Schedules a pass no later than second AT. */
void lxfw_agent_look_again(struct lxfw_agent *agent, int64_t at);

/* Returns the path of file NAME in the workload manager's folder; the caller frees it.
   Returns NULL if the folder is unknown or memory runs out. Call without locks. */
char *lxfw_agent_file(const struct lxfw_agent *agent, const char *name);

/* Takes the locks of the workload manager. */
void lxfw_agent_lock(struct lxfw_agent *agent);
/* Returns how long the locks were held, in microseconds. */
uint64_t lxfw_agent_unlock(struct lxfw_agent *agent);
/* Saves the workload manager's records of jobs, if it can. Without locks, for which it may
   wait. */
void lxfw_agent_save(const struct lxfw_agent *agent);

/* The step between lxfw_agent_lock() and lxfw_agent_unlock(). */
extern const char lxfw_step_locked[];
/* Tells the loop that a step without locks begins. NAME is a constant, "deciding". */
void lxfw_agent_step(const struct lxfw_agent *agent, const char *name);
/* True if the files of the agent must not be written any more, because the workload
   manager schedules by itself, or another process does. */
bool lxfw_agent_abandoned(const struct lxfw_agent *agent);

#endif
