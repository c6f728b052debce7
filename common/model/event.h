/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What happens in the adapter's world. Events are the only way by which the
 * scheduler's books change, apart from its own decisions.
 *
 * Pointers inside an event are the caller's and only read during the call.
 */
#ifndef LXFW_MODEL_EVENT_H
#define LXFW_MODEL_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/job_classes.h"
#include "common/model/request.h"
#include "common/model/resources.h"
#include "common/model/time.h"
#include "common/params/params.h"

#define LXFW_BLOCK_PASSING_MAX 15

#define LXFW_SUSPENSIONS_UNKNOWN INT32_MAX

enum lxfw_event_type {
	/*
	 * Host `host.index` exists with these totals, and is up or not. A
	 * known host changes. New indices must follow each other: 0, 1, 2 ...
	 */
	LXFW_EVENT_HOST = 1,
	/* Host set `host_set.id` (0, 1, 2 ...) consists of these hosts. A known
	   set is replaced. Members must exist. */
	LXFW_EVENT_HOST_SET,
	/* A job may be scheduled from now on. */
	LXFW_EVENT_JOB_SUBMIT,
	/* A waiting job's request is now this one (same id). A job that was refused
	   is tried again at once. */
	LXFW_EVENT_JOB_CHANGE,
	/*
	 * The job runs with these shares and is expected to end then. Confirms
	 * or corrects a start the scheduler decided (not needed where the start
	 * went as decided), tells of one it did not decide, of a resize, or of
	 * a suspension (shares without processors). The job need not be known.
	 */
	LXFW_EVENT_JOB_RUN,
	/* The job has left: ended, cancelled, or no longer to be scheduled. */
	LXFW_EVENT_JOB_END,
	/* A start just decided did not happen; the job waits as before, but is
	   passed over, without a reservation, before `refused.until`. */
	LXFW_EVENT_JOB_REFUSED,
	/* Parts of hosts that are not to be used from `block.start` until
	   `block.end` (maintenance, advance reservations). A known one is
	   replaced; one without shares is lifted. Ids up to
	   LXFW_BLOCK_PASSING_MAX are for passing states that follow from which
	   jobs ran (hosts being cleaned up): with other starts they would be
	   others. */
	LXFW_EVENT_BLOCK,
	/* Other parameters from now on. */
	LXFW_EVENT_PARAMS,
	/* The job classes of the policy that needs them from now on, with hosts that
	   exist. Without any every job is of one class, which has no limits. */
	LXFW_EVENT_JOB_CLASSES,
	/* The workload manager's own priority of a job that waits or runs, from now
	   on; both fields are 0 before the first such event. */
	LXFW_EVENT_JOB_PRIORITY,
};

/* The last one, for tables and loops. */
#define LXFW_EVENT_LAST LXFW_EVENT_JOB_PRIORITY

/* Bounds of the priority and of the delay of LXFW_EVENT_JOB_PRIORITY, both signs. A
   priority is exact as a double. */
#define LXFW_PRIORITY_MAX (INT64_C(1) << 52)
#define LXFW_DELAY_MAX (INT64_C(1) << 32)

/* What is known of a running job's past where the books hear of it only now: the
   adapter was started anew. {0}: nothing is known, it begins now. */
struct lxfw_run_past {
	int64_t since;		/* it runs without interruption since then, not 0;
				   a time to come counts as now */
	int64_t ran;		/* seconds before that, in all; 0 or more */
	int64_t submit;		/* when it was submitted */
	int64_t suspensions;	/* how often it was suspended for others, in this
				   run; LXFW_SUSPENSIONS_UNKNOWN at most, which is
				   beyond any bound */
	int64_t suspended;	/* seconds that it was suspended, in all; 0 or more */
};

struct lxfw_event {
	enum lxfw_event_type type;
	int64_t time;		/* second; never before an earlier event's */
	union {
		struct {
			int32_t index;
			bool up;
			struct lxfw_resources total;
			const char *name;	/* for readers of a journal */
		} host;
		struct {
			int32_t id;
			int32_t count;
			const int32_t *hosts;	/* ascending */
		} host_set;
		const struct lxfw_request *request;	/* SUBMIT, CHANGE */
		struct {
			uint64_t id;
			int64_t expected_end;	/* or LXFW_NEVER */
			int32_t count;
			const struct lxfw_share *shares; /* ascending by host */
			struct lxfw_run_past past;	/* taken only if the
							   job is unknown, if it
							   waits and says what
							   is the `least`, or if
							   it went on later than
							   the books have it;
							   suspensions where
							   they are more than
							   the books have */
		} run;
		struct {
			uint64_t id;
		} end;
		struct {
			uint64_t id;
			int64_t until;
		} refused;
		struct {
			uint64_t id;
			int64_t start, end;
			int32_t count;
			const struct lxfw_share *shares;
		} block;
		const struct lxfw_params *params;
		const struct lxfw_job_classes *job_classes;
		struct {
			uint64_t id;
			int64_t priority;	/* larger comes first. Counts under
						   policies whose order has `site` */
			int64_t delay;	/* seconds: every order takes the job as if it
					   had been submitted so much later */
		} priority;
	};
};

/* The job that the event is about, or 0. */
static inline uint64_t lxfw_event_job(const struct lxfw_event *event)
{
	switch (event->type) {
	case LXFW_EVENT_JOB_SUBMIT:
	case LXFW_EVENT_JOB_CHANGE:
		return event->request->id;
	case LXFW_EVENT_JOB_RUN:
		return event->run.id;
	case LXFW_EVENT_JOB_END:
		return event->end.id;
	case LXFW_EVENT_JOB_REFUSED:
		return event->refused.id;
	case LXFW_EVENT_JOB_PRIORITY:
		return event->priority.id;
	default:
		return 0;
	}
}

#endif
