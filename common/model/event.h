/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of the workload manager or the simulator. The scheduler's state changes by
 * events and by its own decisions only.
 *
 * Pointers in an event belong to the caller and are read during the call only.
 */
#ifndef LXFW_MODEL_EVENT_H
#define LXFW_MODEL_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/job_classes.h"
#include "common/model/reason.h"
#include "common/model/request.h"
#include "common/model/resources.h"
#include "common/model/time.h"
#include "common/params/params.h"

#define LXFW_BLOCK_PASSING_MAX 15

#define LXFW_SUSPENSIONS_UNKNOWN INT32_MAX

enum lxfw_event_type {
	/*
	 * Host `host.index` exists with these totals, and is up or down. A known host is
	 * changed. Indices of new hosts are consecutive: 0, 1, 2 ...
	 */
	LXFW_EVENT_HOST = 1,
	/* Host set `host_set.id` (0, 1, 2 ...) has these members, which must exist. A
	   known set is replaced. */
	LXFW_EVENT_HOST_SET,
	/* A job is submitted and may be scheduled. */
	LXFW_EVENT_JOB_SUBMIT,
	/* The request of a waiting job changes to this one (same id). A refused job is
	   tried again at once. Of a running job that was submitted only the tier changes,
	   by which jobs are preempted. */
	LXFW_EVENT_JOB_CHANGE,
	/*
	 * The job runs with these shares and is expected to end at `expected_end`.
	 * Confirms or corrects a start that the scheduler decided (not needed if the
	 * start went as decided), or reports a start by others, a resize, or a suspension
	 * (shares without processors). The job may be unknown.
	 */
	LXFW_EVENT_JOB_RUN,
	/* The job ended, was cancelled, or is no longer to be scheduled. */
	LXFW_EVENT_JOB_END,
	/* A start that the scheduler just decided was refused. The job waits again; until
	   `refused.until` it is neither started nor given a reservation. */
	LXFW_EVENT_JOB_REFUSED,
	/* Shares of hosts that must not be used from `block.start` to `block.end`
	   (maintenance, advance reservations). A known block is replaced; a block without
	   shares is removed. Ids up to LXFW_BLOCK_PASSING_MAX are for temporary states
	   that depend on which jobs ran, such as hosts that are being cleaned up; under
	   other decisions these blocks would differ. */
	LXFW_EVENT_BLOCK,
	/* The parameters change. */
	LXFW_EVENT_PARAMS,
	/* The job classes change, for the policy that needs them. Their hosts must exist.
	   Without this event every job is in one class without limits. */
	LXFW_EVENT_JOB_CLASSES,
	/* The workload manager's own priority of a waiting or running job changes.
	   Priority and delay are 0 before the first such event. */
	LXFW_EVENT_JOB_PRIORITY,
	/*
	 * For the readers of a journal; the scheduler ignores it, and need not know the job.
	 * The job waits, but is not scheduled here: it is not eligible, or the workload
	 * manager is left to start it, for this reason. The statement holds until the next one
	 * about the job, until it is submitted, or until it runs. With LXFW_REASON_NONE it is
	 * kept no more: unless it was submitted or runs, it has left the queue. The id of an
	 * array, without a task, stands for those of its tasks that were not submitted.
	 */
	LXFW_EVENT_JOB_ASIDE,
	/* For the readers of a journal; the scheduler ignores it. The name of an extra. */
	LXFW_EVENT_EXTRA,
};

/* The last type, for tables and loops. */
#define LXFW_EVENT_LAST LXFW_EVENT_EXTRA

/* Bounds of the priority and of the delay of LXFW_EVENT_JOB_PRIORITY, in both directions.
   A priority within them is exact as a double. */
#define LXFW_PRIORITY_MAX (INT64_C(1) << 52)
#define LXFW_DELAY_MAX (INT64_C(1) << 32)

/* Bound of the boot time of a host: 45 days. */
#define LXFW_BOOT_MAX (INT64_C(1) << 22)

/* Bound of the weight of a host, both signs. */
#define LXFW_HOST_WEIGHT_MAX (INT64_C(1) << 52)

/* The past of a running job, for a scheduler that learns of the job only now, for example
   after the adapter was restarted. {0}: the past is unknown, and the job counts as
   started now. */
struct lxfw_run_past {
	int64_t since;		/* time since which it has run without interruption, not
				   0; a time in the future counts as now */
	int64_t ran;		/* run time before that, seconds, 0 or more */
	int64_t submit;		/* submit time */
	int64_t suspensions;	/* number of suspensions for quanta of other jobs in this
				   run, at most LXFW_SUSPENSIONS_UNKNOWN, which exceeds
				   every limit */
	int64_t suspended;	/* time suspended in all, seconds, 0 or more */
};

struct lxfw_event {
	enum lxfw_event_type type;
	int64_t time;		/* seconds; not before the time of an earlier event */
	union {
		struct {
			int32_t index;
			bool up;
			struct lxfw_resources total;
			const char *name;	/* for the readers of a journal */
			int64_t weight;	/* hosts of a lower weight are used
					   first; 0 is the default */
			int64_t boot;	/* seconds from the start of a job until
					   it runs there; 0: the host is up. At
					   most LXFW_BOOT_MAX */
			uint8_t gpus;	/* mask of the extras that are GPUs, for
					   placement; those of all events of hosts
					   count */
			uint32_t sockets;	/* its GPUs by socket (sockets.h); 0:
						   they are on one, or it is unknown */
		} host;
		struct {
			int32_t id;
			int32_t count;
			const int32_t *hosts;	/* ascending */
		} host_set;
		const struct lxfw_request *request;	/* SUBMIT, CHANGE */
		struct {
			uint64_t id;
			int64_t expected_end;	/* LXFW_NEVER: unknown */
			int32_t count;
			const struct lxfw_share *shares; /* ascending by host */
			struct lxfw_run_past past;	/* used if the job is unknown, if
							   it waits and has `min_procs`
							   or the policy queues suspended
							   jobs, or if it was resumed later
							   than the scheduler recorded;
							   suspensions are used if they
							   are more than recorded */
		} run;
		struct {
			uint64_t id;
		} end;
		struct {
			uint64_t id;
			int64_t until;
			enum lxfw_reason reason;	/* for the readers of a journal:
							   LXFW_REASON_NONE or one of
							   LXFW_REASONS_REFUSED */
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
			int64_t priority;	/* a larger one comes first; used by
						   policies whose order has `site` */
			int64_t delay;	/* seconds; every order treats the job as if it
					   had been submitted this much later */
		} priority;
		struct {
			uint64_t id;
			enum lxfw_reason reason;	/* LXFW_REASON_NONE, or one of
							   LXFW_REASONS_INELIGIBLE or
							   LXFW_REASONS_LEFT */
			enum lxfw_limited limited;	/* by a limit; else 0 */
			int64_t submit;	/* time of its submission; 0: unknown. Not
					   negative, at most LXFW_TIME_MAX */
			int64_t until;	/* the time at which the reason ends, as far as it
					   is known; 0: unknown. The same range */
		} aside;
		struct {
			int32_t index;	/* less than LXFW_EXTRAS_MAX */
			const char *name;	/* "gpu:a100", as the workload manager calls
						   it; at most 255 bytes are recorded */
		} extra;
	};
};

/* The job that the event concerns, or 0. */
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
	case LXFW_EVENT_JOB_ASIDE:
		return event->aside.id;
	default:
		return 0;
	}
}

/* Whether the event is only for the readers of a journal. */
static inline bool lxfw_event_is_note(const struct lxfw_event *event)
{
	return event->type == LXFW_EVENT_JOB_ASIDE || event->type == LXFW_EVENT_EXTRA;
}

#endif
