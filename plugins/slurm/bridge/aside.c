/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/aside.h"

#include <string.h>

#include "plugins/agent/aside.h"
#include "plugins/slurm/bridge/known.h"
#include "plugins/slurm/bridge/limit.h"
#include "plugins/slurm/bridge/tasks.h"

/* --- Slurm's reasons --------------------------------------------------------------- */

/* Its priority is 0. */
static enum lxfw_reason why_held(const job_record_t *job)
{
	switch (job->state_reason) {
	case WAIT_HELD_USER:
		return LXFW_REASON_HELD_BY_USER;
	case FAIL_BAD_CONSTRAINTS:
		return LXFW_REASON_HELD_NO_HOSTS;
	case WAIT_MAX_REQUEUE:
	case FAIL_LAUNCH:
		return LXFW_REASON_HELD_FAILED;
	default:
		return LXFW_REASON_HELD;
	}
}

/* Those that name no limit. LXFW_REASON_NONE: others. */
static enum lxfw_reason why_not(const job_record_t *job)
{
	switch (job->state_reason) {
	case WAIT_DEPENDENCY:
		return LXFW_REASON_DEPENDENCY;
	case WAIT_DEP_INVALID:
		return LXFW_REASON_DEPENDENCY_NEVER;
	case WAIT_TIME:
		return LXFW_REASON_BEGIN_TIME;
	case WAIT_LICENSES:
		return LXFW_REASON_LICENSES;
	case WAIT_ARRAY_TASK_LIMIT:
		return LXFW_REASON_LIMIT_TASKS;
	case WAIT_PART_DOWN:
	case WAIT_PART_INACTIVE:
		return LXFW_REASON_QUEUE_STOPPED;
	case WAIT_PART_NODE_LIMIT:
	case WAIT_PART_TIME_LIMIT:
	case WAIT_PART_CONFIG:
		return LXFW_REASON_LIMIT_QUEUE;
	case WAIT_BURST_BUFFER_RESOURCE:
	case WAIT_BURST_BUFFER_STAGING:
		return LXFW_REASON_BUFFER;
	case WAIT_CLEANING:
		return LXFW_REASON_CLEANING;
	case WAIT_ACCOUNT:
	case WAIT_QOS:
	case WAIT_ACCOUNT_POLICY:
	case FAIL_ACCOUNT:
	case FAIL_QOS:
		return LXFW_REASON_ACCOUNT;
	case WAIT_QOS_THRES:
		return LXFW_REASON_PRIORITY;
	case WAIT_FED_JOB_LOCK:
		return LXFW_REASON_ELSEWHERE;
	case FAIL_DEADLINE:
		return LXFW_REASON_DEADLINE;
	default:
		return LXFW_REASON_NONE;
	}
}

static bool begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

/* Slurm has more than a hundred reasons for limits. Their names have the same parts:
   "QOSGrpCpuLimit", "AssocMaxJobsLimit", "MaxMemoryPerAccount". */
static enum lxfw_reason limit_of(const char *name)
{
	if (begins(name, "QOS") || begins(name, "Max"))
		return LXFW_REASON_LIMIT_QOS;
	if (begins(name, "Assoc"))
		return LXFW_REASON_LIMIT_ACCOUNT;
	/* Of newer releases: "ReservationDeleted". */
	return begins(name, "Reserv") ? LXFW_REASON_RESERVATION : LXFW_REASON_NONE;
}

static enum lxfw_limited limited_by(const char *name)
{
	static const struct {
		const char *part;
		enum lxfw_limited limited;
	} parts[] = {
		{ "Minutes", LXFW_LIMITED_TIME }, { "Wall", LXFW_LIMITED_TIME },
		{ "Time", LXFW_LIMITED_TIME }, { "Cpu", LXFW_LIMITED_PROCS },
		{ "Mem", LXFW_LIMITED_MEMORY }, { "Gres", LXFW_LIMITED_GPUS },
		{ "License", LXFW_LIMITED_LICENSES }, { "BB", LXFW_LIMITED_OTHER },
		{ "Billing", LXFW_LIMITED_OTHER }, { "Energy", LXFW_LIMITED_OTHER },
		{ "Unknown", LXFW_LIMITED_OTHER }, { "Resource", LXFW_LIMITED_OTHER },
		{ "Node", LXFW_LIMITED_HOSTS }, { "Job", LXFW_LIMITED_JOBS },
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (xstrcasestr(name, parts[i].part))
			return parts[i].limited;
	}
	return LXFW_LIMITED_UNKNOWN;
}

/* The job is not in the library although Slurm states no reason. */
static enum lxfw_reason why_unstated(struct lxfw_bridge *bridge, const job_record_t *job)
{
	if (job->het_job_id)
		return LXFW_REASON_TOGETHER;
	if (lxfw_limit_latest_start(job) < bridge->agent.clock)
		return LXFW_REASON_DEADLINE;
	if (job->part_ptr && !(job->part_ptr->state_up & PARTITION_SCHED))
		return LXFW_REASON_QUEUE_STOPPED;
	return job->state_reason == WAIT_NO_REASON || job->state_reason == WAIT_PRIORITY ||
	       job->state_reason == WAIT_RESOURCES ? LXFW_REASON_LATER : LXFW_REASON_OTHER;
}

/* --- the report -------------------------------------------------------------------- */

/* The beginning of the reservation that the job requests, if it is in the future. */
static int64_t reservation_begin(const struct lxfw_bridge *bridge, const job_record_t *job)
{
	return job->resv_ptr && job->resv_ptr->start_time > bridge->agent.clock ?
	       job->resv_ptr->start_time : 0;
}

static void find_reason(struct lxfw_bridge *bridge, const job_record_t *job,
			struct lxfw_aside *aside)
{
	const char *name;

	aside->reason = job->priority == 0 ? why_held(job) : why_not(job);
	if (aside->reason == LXFW_REASON_BEGIN_TIME)
		aside->until = job->details->begin_time;
	if (aside->reason == LXFW_REASON_NONE && job->state_reason == WAIT_RESERVATION)
		aside->reason = LXFW_REASON_RESERVATION;
	if (aside->reason == LXFW_REASON_NONE) {
		name = lxfw_compat_reason_name(job->state_reason);
		aside->reason = limit_of(name);
		if (aside->reason == LXFW_REASON_LIMIT_QOS ||
		    aside->reason == LXFW_REASON_LIMIT_ACCOUNT)
			aside->limited = limited_by(name);
	}
	if (aside->reason == LXFW_REASON_RESERVATION)
		aside->until = reservation_begin(bridge, job);
	if (aside->reason == LXFW_REASON_NONE)
		aside->reason = why_unstated(bridge, job);
}

/* The library has the tasks of an array, not the array itself. */
static uint64_t id_of(const job_record_t *job)
{
	return lxfw_is_array(job) ? job->array_job_id : lxfw_record_id(job);
}

void lxfw_aside_tell(struct lxfw_bridge *bridge, struct lxfw_watched *entry,
		     const job_record_t *job)
{
	struct lxfw_aside aside = {
		.id = id_of(job), .reason = (enum lxfw_reason)entry->left,
		.submit = job->details->submit_time,
	};

	if (entry->aside && entry->aside != aside.id)
		lxfw_mirror_released(&bridge->agent, entry->aside);
	if (entry->reported) {
		lxfw_mirror_released(&bridge->agent, aside.id);
		entry->aside = 0;
		return;
	}
	if (aside.reason == LXFW_REASON_NONE)
		find_reason(bridge, job, &aside);
	lxfw_mirror_aside(&bridge->agent, &aside);
	entry->aside = aside.id;
}

void lxfw_aside_over(struct lxfw_bridge *bridge, const struct lxfw_watched *entry)
{
	/* It may have been put aside after it was read. */
	lxfw_mirror_released(&bridge->agent, entry->id ? entry->id : entry->job_id);
	if (entry->aside)
		lxfw_mirror_released(&bridge->agent, entry->aside);
}

enum lxfw_reason lxfw_aside_left(enum lxfw_left_why why)
{
	static const enum lxfw_reason reasons[] = {
		[LXFW_LEFT_NOT] = LXFW_REASON_LEFT,
		[LXFW_LEFT_NO_PLACE] = LXFW_REASON_LEFT_NO_PLACE,
		[LXFW_LEFT_REFUSED] = LXFW_REASON_LEFT_REFUSED,
		[LXFW_LEFT_INVALID] = LXFW_REASON_LEFT_REQUEST,
		[LXFW_LEFT_PREEMPTS] = LXFW_REASON_LEFT_PREEMPTS,
	};

	return reasons[why];
}
