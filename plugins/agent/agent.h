/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The agent: it keeps the library's books of a workload manager's hosts and jobs, and
 * has its decisions carried out. A workload manager is what wlm.h says.
 *
 *   setup.h     its beginning and end, its parameters
 *   loop.h      the thread, when to make a pass
 *   pass.h      a pass: look, decide, act
 *   act.c       starts and reservations; quanta*.c what interrupts jobs
 *   refuse.h    answers of the workload manager, told to the library
 *   mirror.h    what was told last; differences become events
 *
 * Only the thread that owns the agent uses it.
 */
#ifndef LXFW_AGENT_AGENT_H
#define LXFW_AGENT_AGENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/sched.h"
#include "plugins/agent/clock.h"
#include "plugins/agent/events.h"
#include "plugins/agent/journal_file.h"
#include "plugins/agent/quanta_file.h"
#include "plugins/agent/table.h"
#include "plugins/agent/wlm.h"

struct lxfw_known_host {
	char *name;
	struct lxfw_resources total;
	bool up;
	bool told;
};

struct lxfw_known_hosts {
	struct lxfw_known_host *host;
	int32_t count;
	uint32_t changes;	/* grows with every host event */
};

/* Parts of hosts not to be used, as the library was told. */
struct lxfw_known_block {
	uint64_t id;
	int64_t start, end;
	uint32_t hash;		/* of its shares */
	uint32_t seen;
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

struct lxfw_agent_counts {
	uint64_t passes, rebuilds, starts, refusals, offers;
	uint64_t longest_lock_us, lock_us, decide_us;
};

struct lxfw_agent {
	const struct lxfw_wlm *wlm;
	void *context;		/* of wlm's functions */
	bool (*stopping)(void *);	/* the pass is to end; NULL: never. Its argument
				   is `loop` */
	void *loop;
	uint64_t budget_us;	/* time under locks at a stretch; 0: all it takes */
	struct lxfw_sched *sched;
	struct lxfw_params params;
	struct lxfw_event_queue events;
	struct lxfw_known_hosts hosts;
	struct lxfw_job_table jobs;
	struct lxfw_known_block *blocks;
	size_t block_count, block_size;
	struct lxfw_quanta_books quanta;
	struct lxfw_journal_file journal;
	struct lxfw_decision decision;
	size_t next_action;	/* of the decision, to be acted on */
	uint32_t decisions;	/* so far */
	int64_t clock;		/* of the last event or decision */
	uint32_t seen_changes;	/* of hosts */
	bool new_chances;	/* for jobs that were refused */
	bool new_room, had_room;	/* a job has ended: since the last look,
					   before it */
	uint32_t forgiven;	/* jobs tried again for that reason */
	int64_t wake;
	int64_t look_again;	/* whatever has changed or not */
	uint32_t pass;
	bool new_params;	/* to be told */
	bool rebuild;		/* make the books anew */
	bool refused_now;	/* since the last decision */
	bool *disturbed;	/* hosts of which a start got more than decided,
				   since then */
	size_t disturbed_size;
	bool stale;		/* look again soon */
	bool library_failed;	/* said so already */
	int64_t rejected;	/* when the books were made anew because an event was
				   rejected that is no job's */
	bool usable;		/* what was read makes sense */
	uint64_t locked_at;
	struct lxfw_pass_counts counts;
	struct lxfw_agent_counts total;
};

/* The present second; agent->clock lags behind during a look or an action, and never
   runs backwards. */
int64_t lxfw_agent_now(const struct lxfw_agent *agent);
void lxfw_agent_tick(struct lxfw_agent *agent);

/* Make a pass at second AT at the latest. */
void lxfw_agent_look_again(struct lxfw_agent *agent, int64_t at);

/* The path of file NAME in the workload manager's folder, to be freed; NULL if there is
   none now, or memory runs out. Without locks. */
char *lxfw_agent_file(const struct lxfw_agent *agent, const char *name);

void lxfw_agent_lock(struct lxfw_agent *agent);
/* Returns for how long, in microseconds. */
uint64_t lxfw_agent_unlock(struct lxfw_agent *agent);

#endif
