/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/known.h"

#include <string.h>

#include "plugins/agent/mirror.h"
#include "plugins/slurm/bridge/alloc.h"
#include "plugins/slurm/bridge/request.h"

void lxfw_own_clear(void *own)
{
	lxfw_places_clear(&((struct lxfw_own *)own)->places);
}

static void mark_run(const struct lxfw_bridge *bridge, const job_record_t *job, int64_t end,
		     struct lxfw_run_mark *mark)
{
	memset(mark, 0, sizeof(*mark));
	mark->socket_changes = bridge->agent.hosts.socket_changes;
	mark->resources = job->job_resrcs;
	mark->start = job->start_time;
	mark->end = end;
	mark->suspended = job->suspend_time;
	mark->resized = job->resize_time;
	mark->state = job->job_state & JOB_STATE_BASE;
	mark->cpus = job->total_cpus;
	mark->nodes = job->node_cnt;
	mark->licenses = lxfw_licenses_mark(job);
}

/* Earlier runs of a requeued job are ignored. */
static struct lxfw_run_past past_of(const job_record_t *job)
{
	struct lxfw_run_past past = { 0 };

	if (IS_JOB_SUSPENDED(job) && job->start_time > 0) {
		past.ran = job->pre_sus_time > 0 ? job->pre_sus_time : 0;
		past.submit = lxfw_request_submit(job);
	}
	if (!IS_JOB_RUNNING(job) || job->start_time <= 0)
		return past;
	past.suspended = job->tot_sus_time > 0 ? job->tot_sus_time : 0;
	past.since = job->start_time;
	/* suspend_time is the time of its last suspension or resumption. */
	if (job->suspend_time > job->start_time) {
		past.since = job->suspend_time;
		past.ran = job->pre_sus_time;
	}
	past.submit = lxfw_request_submit(job);
	return past;
}

bool lxfw_known_read(struct lxfw_bridge *bridge, const job_record_t *record,
		     struct lxfw_run *run)
{
	*run = (struct lxfw_run){
		.id = lxfw_record_id(record),
		.record = record->job_id,
		.end = lxfw_shares_end(bridge, record),
		.count = lxfw_shares_of_job(bridge, record),
		.past = past_of(record),
	};
	run->shares = bridge->shares;
	return run->count >= 0;
}

void lxfw_clear_reserved(const struct lxfw_known_job *known, bitstr_t *nodes)
{
	for (int32_t i = 0; i < known->reserved_count; i++) {
		if (lxfw_is_node(known->reserved_hosts[i]))
			bit_clear(nodes, known->reserved_hosts[i]);
	}
}

const char *lxfw_known_estimated_nodes(struct lxfw_known_job *known)
{
	bitstr_t *nodes;
	char *names;

	if (known->estimated_nodes || !known->estimated_hosts)
		return known->estimated_nodes;
	nodes = bit_alloc(node_record_count);
	for (int32_t i = 0; i < known->estimated_count; i++) {
		if (known->estimated_hosts[i] < node_record_count)
			bit_set(nodes, known->estimated_hosts[i]);
	}
	names = bitmap2node_name(nodes);
	known->estimated_nodes = names ? strdup(names) : NULL;
	xfree(names);
	FREE_NULL_BITMAP(nodes);
	return known->estimated_nodes;
}

void lxfw_known_run(struct lxfw_bridge *bridge, struct lxfw_known_job *known,
		    const job_record_t *job)
{
	struct lxfw_own *own = lxfw_own_of(known);
	struct lxfw_run_mark mark;
	struct lxfw_run run;

	mark_run(bridge, job, lxfw_shares_end(bridge, job), &mark);
	if (known->unread)
		memset(&own->run, 0, sizeof(own->run));
	if (known->state == LXFW_KNOWN_RUNNING &&
	    memcmp(&mark, &own->run, sizeof(mark)) == 0)
		return;
	if (!lxfw_known_read(bridge, job, &run))
		return;
	/* The end of a job without a time limit does not change on resumption. */
	run.went_on = IS_JOB_RUNNING(job) &&
		      mark.suspended != own->run.suspended;
	own->run = mark;
	known->unread = false;
	lxfw_mirror_run(&bridge->agent, known, &run);
}

void lxfw_known_started(struct lxfw_bridge *bridge, const job_record_t *job)
{
	struct lxfw_known_job *known;

	bridge->agent.counts.offered++;
	bridge->agent.total.offers++;
	if (!IS_JOB_RUNNING(job))
		return;
	known = lxfw_mirror_running(&bridge->agent, lxfw_record_id(job),
				    job->job_id);
	if (known)
		lxfw_known_run(bridge, known, job);
}
