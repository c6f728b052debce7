/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports why jobs wait without the library, for the journal. */
#include <string.h>

#include "plugins/agent/aside.h"
#include "plugins/pbs/wlm.h"

void lxfw_pbs_aside(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
		    enum lxfw_reason reason, enum lxfw_limited limited, int64_t until)
{
	const struct lxfw_aside aside = {
		.id = lxfw_pbs_id(job->number, job->task), .reason = reason,
		.limited = limited, .until = until,
		.submit = job->queued ? job->queued : job->eligible,
	};

	if (aside.id)
		lxfw_mirror_aside(&pbs->agent, &aside);
}

enum lxfw_limited lxfw_pbs_limited_by(const struct lxfw_pbs_limit *limit)
{
	static const struct {
		const char *resource;
		enum lxfw_limited limited;
	} known[] = {
		{ "ncpus", LXFW_LIMITED_PROCS }, { "mem", LXFW_LIMITED_MEMORY },
		{ "ngpus", LXFW_LIMITED_GPUS }, { "nodect", LXFW_LIMITED_HOSTS },
		{ "walltime", LXFW_LIMITED_TIME }, { "cput", LXFW_LIMITED_TIME },
	};

	if (!limit->resource)
		return LXFW_LIMITED_JOBS;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (strcmp(limit->resource, known[i].resource) == 0)
			return known[i].limited;
	}
	return LXFW_LIMITED_OTHER;
}

/* The server holds a job with dependencies for the system until they are met. */
static enum lxfw_reason why_held(const struct lxfw_pbs_job *job)
{
	if (job->holds && strchr(job->holds, 'u'))
		return LXFW_REASON_HELD_BY_USER;
	if (job->depends && job->holds && strchr(job->holds, 's'))
		return LXFW_REASON_DEPENDENCY;
	return LXFW_REASON_HELD;
}

void lxfw_pbs_tell_aside(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job)
{
	const struct lxfw_pbs_queue *queue = lxfw_pbs_site_find_queue(&pbs->site, job->queue);

	if (job->state == 'H')
		lxfw_pbs_aside(pbs, job, why_held(job), 0, 0);
	else if (job->state == 'W')
		lxfw_pbs_aside(pbs, job, LXFW_REASON_BEGIN_TIME, 0, job->begin);
	else if (job->state != 'Q' || job->array)
		return;
	else if (lxfw_pbs_site_find_resv_of(&pbs->site, job->queue))
		lxfw_pbs_aside(pbs, job, LXFW_REASON_LEFT_RESERVATION, 0, 0);
	else if (!queue || !queue->execution)
		lxfw_pbs_aside(pbs, job, LXFW_REASON_QUEUE_STOPPED, 0, 0);
}
