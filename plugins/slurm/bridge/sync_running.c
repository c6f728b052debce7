/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/sync_running.h"

#include "common/params/policy.h"
#include "plugins/agent/mirror.h"
#include "plugins/agent/quanta.h"
#include "plugins/slurm/bridge/known.h"
#include "plugins/slurm/bridge/request.h"
#include "plugins/slurm/bridge/shares.h"

/* Seconds after which the request of a running job that the model could not represent is
   read again. */
#define UNKNOWN_SECONDS 300

/* Reports the request of a running job, so that the library may preempt it. Jobs that the
   library would not schedule are not preempted. */
static void tell_preemptable(struct lxfw_bridge *bridge,
			     struct lxfw_known_job *known, job_record_t *job)
{
	struct lxfw_request request = { 0 };
	int32_t set;

	if (!job->het_job_id && !lxfw_request_unknown(bridge, job) &&
	    lxfw_request_add(bridge, job, &request, &set) > 0 && set >= 0) {
		request.host_sets[0] = set;
		request.submit = lxfw_request_submit(job);
		request.no_quantum = true;
		request.min_estimate = 0;
		lxfw_mirror_request(&bridge->agent, known, &request);
		return;
	}
	known->bare_until = bridge->agent.clock + UNKNOWN_SECONDS;
}

/* Reports the request of a running job that the library needs and does not have: of any
   job that it may preempt, and of an adaptive job, whose share can change. */
static void tell_request(struct lxfw_bridge *bridge,
			 struct lxfw_known_job *known, job_record_t *job)
{
	struct lxfw_request request;
	int32_t host = -1;

	if ((IS_JOB_RUNNING(job) || lxfw_quanta_hold(&bridge->agent, job->job_id)) &&
	    lxfw_mirror_lacks_request(&bridge->agent, known)) {
		tell_preemptable(bridge, known, job);
		return;
	}
	if (known->state != LXFW_KNOWN_NOT)
		return;
	if (job->job_resrcs && job->job_resrcs->node_bitmap)
		host = bit_ffs(job->job_resrcs->node_bitmap);
	if (!lxfw_policy_has(bridge->agent.params.policy, LXFW_TRAIT_ADAPTIVE) ||
	    host < 0 || !lxfw_request_running(bridge, job, host, &request))
		return;
	lxfw_mirror_request(&bridge->agent, known, &request);
}

/* Handles a job that was suspended at the last look: its cores may be allocated to
   other jobs as well. Returns false if that must be repeated. */
static bool mend_cores(struct lxfw_bridge *bridge, const job_record_t *job)
{
	int32_t last = -1;
	bool done = true;

	if (job->node_bitmap)
		last = bit_fls(job->node_bitmap);
	for (int32_t i = 0; i <= last; i++) {
		if (bit_test(job->node_bitmap, i))
			done &= lxfw_shares_mend(bridge, i);
	}
	return done;
}

void lxfw_sync_running(struct lxfw_bridge *bridge, job_record_t *job)
{
	struct lxfw_known_job *known =
		lxfw_mirror_running(&bridge->agent, lxfw_record_id(job),
				    job->job_id);
	bool mended = true;

	if (!known)
		return;
	if (job->priority)
		known->running_priority = job->priority;
	/* The library has the job's state: it decided the suspension. */
	if (known->state == LXFW_KNOWN_RUNNING && IS_JOB_SUSPENDED(job) &&
	    lxfw_quanta_hold(&bridge->agent, job->job_id))
		return;
	tell_request(bridge, known, job);
	if (lxfw_own_of(known)->run.state == JOB_SUSPENDED &&
	    IS_JOB_RUNNING(job) &&
	    lxfw_policy_has(bridge->agent.params.policy, LXFW_TRAIT_ADAPTIVE))
		mended = mend_cores(bridge, job);
	lxfw_known_run(bridge, known, job);
	if (!mended)
		lxfw_own_of(known)->run.state = JOB_SUSPENDED;
}
