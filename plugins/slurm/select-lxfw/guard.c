/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/select-lxfw/layer.h"

#include <string.h>

#include "plugins/slurm/bridge/overlap.h"
#include "plugins/slurm/bridge/shape.h"

#define REMEMBERED 64

/* The most recent refusals: the job and the holder of its processors. Repeated attempts
   are logged once. */
static struct {
	uint32_t job_id, holder_id;
} refused[REMEMBERED];
static unsigned int next_refused;

bool lxfw_guard_has_its_own(const job_record_t *job)
{
	return job->details && job->part_ptr && !lxfw_shares_processors(job);
}

static void log_once(const job_record_t *job, const job_record_t *holder)
{
	for (int i = 0; i < REMEMBERED; i++) {
		if (refused[i].job_id == job->job_id &&
		    refused[i].holder_id == holder->job_id)
			return;
	}
	refused[next_refused].job_id = job->job_id;
	refused[next_refused].holder_id = holder->job_id;
	next_refused = (next_refused + 1) % REMEMBERED;
	info(LXFW_SELECT_TYPE ": JobId=%u is not resumed: JobId=%u on %s uses "
			      "its processors",
	     job->job_id, holder->job_id,
	     holder->nodes ? holder->nodes : "its nodes");
}

bool lxfw_guard_refuses(const job_record_t *job)
{
	const job_record_t *holder;

	if (!lxfw_guard_has_its_own(job))
		return false;
	holder = lxfw_cores_taken(job);
	if (!holder)
		return false;
	log_once(job, holder);
	return true;
}

void lxfw_guard_forget(const job_record_t *job)
{
	for (int i = 0; i < REMEMBERED; i++) {
		if (refused[i].job_id == job->job_id)
			refused[i].job_id = refused[i].holder_id = 0;
	}
}
