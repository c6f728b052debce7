/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/free_nodes.h"

#include "plugins/slurm/bridge/held.h"
#include "plugins/slurm/bridge/hosts.h"
#include "plugins/slurm/bridge/known.h"
#include "plugins/slurm/bridge/request.h"

bitstr_t *lxfw_free_nodes(const struct lxfw_bridge *bridge,
			  const job_record_t *job,
			  struct lxfw_known_job *const *reserved, size_t count)
{
	bitstr_t *nodes = bit_alloc(node_record_count);
	int64_t seconds = lxfw_request_estimate(job);
	uint32_t id = job->het_job_id ? job->het_job_id : job->job_id;

	for (int32_t host = 0; host < bridge->hosts.count; host++) {
		if (lxfw_hosts_has_settled(bridge, host))
			bit_set(nodes, host);
	}
	lxfw_holds_spare(bridge, id, bridge->agent.clock, seconds, nodes);
	for (size_t i = 0; i < count; i++) {
		const struct lxfw_known_job *known = reserved[i];

		if (!known->reserved_start || known->record == job->job_id ||
		    known->reserved_start >= bridge->agent.clock + seconds)
			continue;
		lxfw_clear_reserved(known, nodes);
	}
	return nodes;
}

bitstr_t *lxfw_free_of_reservations(const struct lxfw_bridge *bridge,
				    const job_record_t *job)
{
	return lxfw_free_nodes(bridge, job, bridge->reserved,
			       bridge->reserved_count);
}

void lxfw_add_free_nodes(const struct lxfw_bridge *bridge,
			 const job_record_t *job, bitstr_t *nodes)
{
	bitstr_t *more = lxfw_free_nodes(bridge, job, bridge->agent.jobs.jobs,
					 bridge->agent.jobs.count);

	bit_or(nodes, more);
	FREE_NULL_BITMAP(more);
}
