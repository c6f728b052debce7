/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a job started when it did, or why it waits: what is known of one job from a journal,
 * and its text. `lxfw why` collects the facts.
 */
#ifndef LXFW_REPORT_WHY_H
#define LXFW_REPORT_WHY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/explain.h"
#include "common/model/request.h"
#include "sim-frontend/predict/skipped.h"
#include "sim-frontend/predict/usable.h"
#include "sim-frontend/trace/extra_names.h"
#include "sim-frontend/trace/job_names.h"
#include "sim-frontend/trace/pool_names.h"
#include "sim-frontend/util/format.h"

enum lxfw_why_kind {
	LXFW_WHY_SUBMITTED,
	LXFW_WHY_CHANGED,
	LXFW_WHY_RESERVED,	/* `second`: the start of its reservation */
	LXFW_WHY_UNRESERVED,
	LXFW_WHY_REFUSED,	/* `second`: not tried again before */
	LXFW_WHY_STARTED,	/* `label`; `second`: end of a quantum, or LXFW_NEVER */
	LXFW_WHY_SUSPENDED,	/* `other`: the job that started in its place, or 0 */
	LXFW_WHY_RESUMED,
	LXFW_WHY_REQUEUED,
	LXFW_WHY_RESIZED,	/* `count`: its processors */
	LXFW_WHY_ENDED,
	LXFW_WHY_KEPT,		/* not eligible, or left to the workload manager: `reason`,
				   `limited`; `second`: until then, or LXFW_NEVER */
	LXFW_WHY_ELIGIBLE,	/* the scheduler got it after that */
	LXFW_WHY_WITHDRAWN,	/* it was to start, and left the scheduler at once; of
				   journals that do not state why */
	LXFW_WHY_KINDS,
};

/* How a start came about. */
enum lxfw_why_label {
	LXFW_WHY_AT_ONCE,	/* in the first decision after its submission */
	LXFW_WHY_IN_ORDER,	/* no job of higher priority was left waiting */
	LXFW_WHY_RESERVATION,	/* it had a reservation */
	LXFW_WHY_BACKFILLED,	/* `count`: jobs of higher priority were left waiting */
	LXFW_WHY_SERVED,	/* for a quantum of immediate service */
	LXFW_WHY_BY_HAND,	/* the scheduler did not decide it */
	LXFW_WHY_LEFT_START,	/* the workload manager, which was left to start it */
	LXFW_WHY_LABELS,
};

struct lxfw_why_entry {
	enum lxfw_why_kind kind;
	enum lxfw_why_label label;
	int64_t time, second;
	uint64_t other;
	int64_t count;
	enum lxfw_reason reason;	/* KEPT, REFUSED: LXFW_REASON_NONE: not recorded */
	enum lxfw_limited limited;
};

/* For how long a reason kept the job. */
struct lxfw_why_kept {
	enum lxfw_reason reason;
	enum lxfw_limited limited;
	int64_t seconds;
};

/* A job of lower priority that started while the job waited. */
struct lxfw_why_passer {
	uint64_t job;
	int64_t time;
	int64_t end;		/* its expected end then, or LXFW_NEVER */
	int64_t reserved;	/* start of the reservation of the job then, or
				   LXFW_NEVER */
};

/* A running job on hosts of the reservation, or with a part of its pools. */
struct lxfw_why_blocker {
	uint64_t job;
	int32_t procs;		/* on these hosts */
	int pool;		/* of the request; -1: none */
	int32_t amount;		/* of that pool */
	int64_t end;		/* expected */
	bool limitless;		/* it has no time limit: when it ends is not known */
};

/* Another request, and when the job would start with it. */
struct lxfw_why_change {
	const char *what;	/* "half of the processors" */
	int64_t start;		/* LXFW_NEVER: at no time */
};

#define LXFW_WHY_PASSERS 8	/* the last ones are kept */
#define LXFW_WHY_AHEAD 5
#define LXFW_WHY_BLOCKERS 8
#define LXFW_WHY_CHANGES 3
#define LXFW_WHY_KEPT_REASONS 8	/* further ones are not added up */

enum lxfw_why_state {
	LXFW_WHY_UNKNOWN,	/* before its first record */
	LXFW_WHY_WAITING,
	LXFW_WHY_RUNNING,
	LXFW_WHY_IS_SUSPENDED,
	LXFW_WHY_GONE,
	LXFW_WHY_NOT_ELIGIBLE,
	LXFW_WHY_LEFT,		/* the workload manager is left to start it */
};

/* {0} but for `names` is empty; release with lxfw_why_clear(). */
struct lxfw_why {
	uint64_t job;		/* 0: not found */
	const struct lxfw_job_names *names;
	const struct lxfw_pool_names *pools;
	const struct lxfw_extra_names *extras;	/* may be NULL */
	bool dates;		/* local dates instead of seconds */
	bool nameless;		/* without the numbers of other jobs */
	bool watched;		/* another scheduler plans, and its plan is modelled */
	bool hidden;		/* the jobs of others are not known */
	const char *said;	/* why the job waits, as Slurm says it; NULL: not known */
	int64_t planned;	/* its start, as Slurm plans it; 0 or -1: not known */
	char passed_over[LXFW_SKIPPED_TEXT];	/* that Slurm passes it over, and why; "": it does not */
	int64_t victims;	/* running jobs of lower tiers on hosts that it may use, which Slurm may
				   preempt for it; -1: it may preempt some that are not known */
	bool has_request;	/* false: the job was first seen running */
	struct lxfw_request request;	/* the last one */
	int64_t pool_used[LXFW_POOLS_MAX];	/* of its pools, at `now`; if it waits */
	struct lxfw_why_entry *entries;
	size_t count, size;
	enum lxfw_why_state state;	/* at `now` */
	int64_t submit;		/* of a job that was kept: its submission; 0: unknown */
	struct lxfw_why_entry reason;	/* NOT_ELIGIBLE, LEFT: the entry of LXFW_WHY_KEPT */
	struct lxfw_why_kept kept[LXFW_WHY_KEPT_REASONS];	/* reasons that have ended,
								   and the present one */
	int kept_count;
	bool of_array;		/* the statement is of all tasks of its array that have no
				   records of their own */
	bool returned;		/* it left the scheduler without a start, or was kept, and
				   came back */
	bool unstated;		/* the journal has no reasons of jobs that are kept */
	int64_t now;		/* the last record, or the requested time */

	size_t passed;		/* number of all passers */
	struct lxfw_why_passer passers[LXFW_WHY_PASSERS];	/* number I is at
								   I modulo this */
	/* Interruptions. */
	int64_t suspensions, suspended;	/* number, seconds */
	int64_t requeues, lost;	/* number; seconds of run time that were repeated */

	/* Set if the job waits at `now`. */
	const char *policy;
	bool weighted;		/* the priority has the terms of table 3 */
	int32_t ahead, waiting;	/* jobs before it; jobs in the queue; ahead is -1 if it is
				   not in the queue */
	int64_t procs_ahead;	/* that the jobs before it request, in all */
	struct lxfw_queued own;
	struct lxfw_queued before[LXFW_WHY_AHEAD];	/* the first ones */
	bool possible;
	char obstacle[LXFW_USABLE_TEXT];	/* otherwise: hosts that are not up, or "" */
	int64_t refused_until;	/* LXFW_NEVER: it was not refused */
	enum lxfw_reason refusal;	/* why, or LXFW_REASON_NONE */
	size_t blocker_count;	/* may exceed the array */
	struct lxfw_why_blocker blockers[LXFW_WHY_BLOCKERS];	/* by end */
	int64_t last_end;	/* of all of them */
	size_t limitless;	/* of them, those without a time limit: no start is expected then */
	int64_t limitless_end;	/* by which Slurm plans with the first of these */
	bool after_hidden;	/* its reservation begins when use ends that is not shown: at an unknown
				   time, and no start is expected */
	bool after_block;	/* its reservation begins when an advance reservation or
				   maintenance ends */
	bool repeats;		/* it is longer than the time between two occurrences of an advance
				   reservation that repeats, on all hosts that it could have */
	int64_t expected;	/* start if all jobs run to their limits and none is
				   submitted; LXFW_NEVER: none was found */
	int64_t boot;		/* the part of the time until then in which its hosts boot, at the
				   longest; 0: they are up */
	struct lxfw_why_change changes[LXFW_WHY_CHANGES];
	int change_count;
};

/* Appends an entry. Returns 0, or -1 with errno ENOMEM. */
int lxfw_why_add(struct lxfw_why *why, const struct lxfw_why_entry *entry);

void lxfw_why_clear(struct lxfw_why *why);

/* Returns pool INDEX of the request, or NULL if it is not known. */
static inline const struct lxfw_pool_name *lxfw_why_pool(const struct lxfw_why *why, int index)
{
	return why->pools ? lxfw_pool_names_find(why->pools, why->request.pools[index].pool) :
			    NULL;
}

/* Names in JSON: "reserved", "at_once". */
const char *lxfw_why_kind_name(enum lxfw_why_kind kind);
const char *lxfw_why_label_name(enum lxfw_why_label label);

/* Prints in three sentences why the job waits: what is before it, what it waits for, and what would
   start it sooner (why_summary.c). */
void lxfw_why_summary(const struct lxfw_why *why, FILE *out);

/* Prints the facts as text (why_text.c). The caller checks OUT for write errors. */
void lxfw_why_text(const struct lxfw_why *why, FILE *out);

/* Prints the facts as JSON or CSV (why_json.c). Returns 0, or -1 with errno ENOMEM. The
   caller checks OUT for write errors. */
int lxfw_why_json(const struct lxfw_why *why, enum lxfw_format format, FILE *out);

#endif
