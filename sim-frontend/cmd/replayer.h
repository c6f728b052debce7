/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Repeats the decisions of a journal: passes its events to a scheduler and lets it decide
 * where the recorded one did. After a decision that differs, the model is changed to its
 * state after the recorded decision.
 */
#ifndef LXFW_CMD_REPLAYER_H
#define LXFW_CMD_REPLAYER_H

#include "common/sched.h"
#include "sim-frontend/cmd/replay_jobs.h"
#include "sim-frontend/script/script.h"
#include "sim-frontend/trace/extra_names.h"
#include "sim-frontend/trace/job_names.h"
#include "sim-frontend/trace/kept_jobs.h"
#include "sim-frontend/trace/pool_names.h"

/* The actions of a recorded decision, copied from their records. */
struct lxfw_recorded_decision {
	struct lxfw_action *actions;
	struct lxfw_share *shares;
	size_t count, size;
	size_t share_count, shares_size;
	int64_t now;
};

struct lxfw_replayer;

/* Functions of the user; each may be NULL. Those that return a number return 0, or -1 with
   errno ENOMEM. */
struct lxfw_replayer_hooks {
	void *context;
	/* A segment begins: no job is known. */
	int (*segment)(void *context);
	/* Before an event is applied. */
	int (*event)(void *context, struct lxfw_replayer *replay,
		     const struct lxfw_event *event);
	/* Before the scheduler repeats replay->recorded. */
	int (*decision)(void *context, struct lxfw_replayer *replay);
	/* OURS differs from replay->recorded in action AT; -1: in the time of the next
	   decision, which was WAKE. */
	void (*differs)(void *context, struct lxfw_replayer *replay,
			const struct lxfw_decision *ours, int at, int64_t wake);
};

/* Set `hooks`, `script` and `until`, and the rest to 0; release with lxfw_replayer_clear(). */
struct lxfw_replayer {
	const struct lxfw_replayer_hooks *hooks;
	const struct lxfw_script *script;	/* may be NULL */
	int64_t until;		/* records after this time are ignored; LXFW_NEVER: none */
	bool over;		/* such a record was met */
	struct lxfw_sched *sched;
	int64_t wake;		/* time of the next decision by the last recorded one; 0:
				   there were events since */
	struct lxfw_recorded_decision recorded;
	struct lxfw_replay_jobs jobs;	/* as recorded */
	struct lxfw_job_names names;
	struct lxfw_pool_names pools;
	struct lxfw_extra_names extras;
	struct lxfw_kept_jobs kept;	/* jobs that the scheduler does not have */
	int format;			/* of the present segment */
	const char *path;		/* of the present file */
	struct lxfw_error refused;	/* why the policy is not available */
	size_t segments, events, not_taken;
	size_t decisions, agreeing, actions;
};

/* Replays the journal at PATH. The scheduler keeps its state after the last record.
   Returns 0, or -1 with ERROR set. */
int lxfw_replayer_file(struct lxfw_replayer *replay, const char *path,
		       struct lxfw_error *error);

/* After the files: brings the scheduler to the time until which records count, if later ones
   follow, so that nothing happened in between. NOW is the time of the last record that
   counts. Returns the time of the state. */
int64_t lxfw_replayer_settle(struct lxfw_replayer *replay, int64_t now);

/* Replays one record, of a journal that is still written. Records come in their order, and
   the first one begins a segment. Returns 0, or -1 with errno, and replay->refused if the
   policy is not available. */
int lxfw_replayer_take(struct lxfw_replayer *replay, const struct lxfw_record *record);

/* Prints why lxfw_replayer_file() failed. Returns LXFW_EXIT_BAD. */
int lxfw_replayer_bad(const struct lxfw_replayer *replay, const struct lxfw_error *error);

/* Prints a note if another scheduler starts the jobs (lxfw_shadow=on). */
void lxfw_replayer_note_trial(const struct lxfw_replayer *replay);
/* In shadow mode each start is refused. Lets the jobs that the scheduler would have started wait
   again as the others do, for what follows the journal. Returns 0, or -1 when memory runs out. */
int lxfw_replayer_end_trial(struct lxfw_replayer *replay);
/* Returns a copy of the scheduler of a trial in which they wait, or NULL. */
struct lxfw_sched *lxfw_replayer_after_trial(const struct lxfw_sched *sched);

void lxfw_replayer_clear(struct lxfw_replayer *replay);

#endif
