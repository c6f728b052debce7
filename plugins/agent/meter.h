/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metrics of the agent since it was created, in a file in the text format of OpenMetrics.
 * sched_lxfw(8), METRICS, lists them. No metric contains the name of a user or a job.
 */
#ifndef LXFW_AGENT_METER_H
#define LXFW_AGENT_METER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/model/action.h"
#include "plugins/agent/wlm.h"

struct lxfw_agent;
struct lxfw_known_job;

/* How a job came to start. */
enum lxfw_start_label {
	LXFW_START_AT_ONCE,	/* in the first decision after its submission */
	LXFW_START_UNRESERVED,	/* after a wait, without a reservation: in its turn or by
				   backfill */
	LXFW_START_RESERVED,	/* its reservation began, or it started earlier */
	LXFW_START_QUANTUM,	/* for a quantum of immediate service */
	LXFW_START_LABELS,
};

/* Why a pass ended. */
enum lxfw_pass_end {
	LXFW_PASS_COMPLETE,
	LXFW_PASS_REBUILD,	/* the model must be rebuilt */
	LXFW_PASS_UNREADABLE,	/* hosts or jobs could not be read */
	LXFW_PASS_ROUNDS,	/* too many decisions with refusals */
	LXFW_PASS_STOPPED,
	LXFW_PASS_ENDS,
};

/* Why the workload manager schedules by itself. */
enum lxfw_let_go_reason {
	LXFW_LET_GO_STALLED,
	LXFW_LET_GO_ENDED,
	LXFW_LET_GO_REASONS,
};

/* Buckets of the errors of forecasts; the last one has no upper bound. */
#define LXFW_METER_BUCKETS 6

struct lxfw_meter {
	char *path;		/* of the file; NULL: none is written */
	int64_t due;		/* time of the next write */
	bool behind;		/* a pass was counted that the file does not contain */
	bool complained;	/* a write failed, and this has been logged */
	uint64_t passes[LXFW_PASS_ENDS];
	enum lxfw_pass_end last_end;
	uint64_t look_us, decide_us, act_us, cpu_us;	/* of all passes */
	uint64_t events;
	uint64_t starts[LXFW_START_LABELS];
	uint64_t answers[LXFW_ANSWERS];	/* to requests for a start */
	uint64_t kept, late;	/* jobs with a reservation that started by its time, or
				   later */
	uint64_t postponed;	/* reservations that moved to a later time */
	uint64_t suspensions, resumptions, requeues;
	uint64_t lost;		/* processors x seconds from start to requeue */
	uint64_t errors[LXFW_METER_BUCKETS];	/* of forecasts, not cumulative */
	uint64_t error_sum;	/* seconds */
};

/* Sets the path to the first LENGTH bytes of PATH; NULL: no file is written. */
void lxfw_meter_set(struct lxfw_meter *meter, const char *path, int length);
void lxfw_meter_clear(struct lxfw_meter *meter);

/* Count the answer to a request for a start, before the job's entry is changed; a
   reservation before it is entered; and the requeue of a job. */
void lxfw_meter_answer(struct lxfw_agent *agent, struct lxfw_known_job *known,
		       const struct lxfw_action *action, enum lxfw_answer answer);
/* Sets the numbers of starts, with what is counted at a start, to those of BEFORE: a group
   was not started after all. Call before the file is written, so that none decreases. */
void lxfw_meter_take_back(struct lxfw_meter *meter, const struct lxfw_meter *before);
void lxfw_meter_reserve(struct lxfw_agent *agent, struct lxfw_known_job *known,
			int64_t start);
void lxfw_meter_requeue(struct lxfw_agent *agent, const struct lxfw_known_job *known);

/* Notes the start that is expected for a waiting job. The first one counts. */
void lxfw_meter_expect(struct lxfw_known_job *known, int64_t start);

/* Counts a pass and writes the file, if it is due. Call without locks. */
void lxfw_meter_pass(struct lxfw_agent *agent, enum lxfw_pass_end end);

/* Writes the file between two passes at NOW, if the last ones are not in it and it is due. Call
   without locks. */
void lxfw_meter_between(struct lxfw_agent *agent, int64_t now);

/* Sets the gauge lxfw_let_go in the metrics that were written last, if it is not set; the
   agent is not accessible. Does nothing if no file is written. Call without locks. */
void lxfw_meter_let_go(struct lxfw_meter *meter, enum lxfw_let_go_reason reason);

#endif
