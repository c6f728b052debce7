/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/offer_components.h"

#include <stdlib.h>

#include "plugins/slurm/bridge/components.h"
#include "plugins/slurm/bridge/eligible.h"
#include "plugins/slurm/bridge/free_nodes.h"
#include "plugins/slurm/bridge/hold.h"
#include "plugins/slurm/bridge/known.h"
#include "plugins/slurm/bridge/left.h"
#include "plugins/slurm/bridge/leftover.h"
#include "plugins/slurm/bridge/preemptor.h"
#include "plugins/slurm/bridge/reason.h"
#include "plugins/slurm/bridge/start.h"

/* Limit of the time under the locks in which nodes are sought for all components of a
   heterogeneous job that preempts others. */
#define PREEMPT_US 500000

static const struct lxfw_leftover *find_leftover(const struct lxfw_bridge *bridge,
						 uint32_t job_id)
{
	for (size_t i = 0; i < bridge->leftover_count; i++) {
		if (bridge->leftovers[i].job_id == job_id)
			return &bridge->leftovers[i];
	}
	return NULL;
}

static bool component_eligible(const struct lxfw_bridge *bridge,
			       job_record_t *job)
{
	const struct lxfw_leftover *leftover =
		find_leftover(bridge, job->job_id);

	return leftover && lxfw_still_eligible(job, &leftover->where);
}

/* How nodes are selected for the components of a heterogeneous job. */
struct het_plan {
	bool ranked;	/* some component may preempt others: the job delays no job that
			   precedes it, otherwise no job that has a reservation */
	bool preempts;	/* nodes count that become free when running jobs are preempted */
	bitstr_t **nodes;	/* of each component */
	int count;
};

/* Returns nodes for one component, none of them in USED, or NULL. */
static bitstr_t *plan_component(const struct lxfw_bridge *bridge,
				job_record_t *job, const bitstr_t *used,
				const struct het_plan *plan)
{
	bitstr_t *nodes = plan->ranked ? lxfw_preemptor_nodes(bridge, job) :
					 lxfw_free_of_reservations(bridge, job);

	bit_and(nodes, job->part_ptr->node_bitmap);
	bit_and(nodes, avail_node_bitmap);
	bit_and_not(nodes, (bitstr_t *)used);
	bit_and_not(nodes, cg_node_bitmap);
	if (job->details->exc_node_bitmap)
		bit_and_not(nodes, job->details->exc_node_bitmap);
	if (job_req_node_filter(job, nodes, true) == SLURM_SUCCESS &&
	    (plan->preempts ? lxfw_compat_would_preempt(job, nodes) :
			      lxfw_compat_would_start(job, nodes, true) != 0))
		return nodes;
	FREE_NULL_BITMAP(nodes);
	return NULL;
}

static void clear_plan(struct het_plan *plan)
{
	for (int i = 0; i < plan->count; i++)
		FREE_NULL_BITMAP(plan->nodes[i]);
}

/* Selects nodes for each component. Returns false if there are too few or a limit does not
   permit all components. */
static bool make_plan(struct lxfw_bridge *bridge, job_record_t *leader,
		      struct het_plan *plan)
{
	lxfw_slurm_iterator each = list_iterator_create(leader->het_job_list);
	bitstr_t *used = bit_alloc(node_record_count);
	uint64_t until = plan->preempts ? lxfw_now_us() + PREEMPT_US : UINT64_MAX;
	bool possible = true;
	job_record_t *job;
	int i = 0;

	clear_plan(plan);
	while (possible && (job = list_next(each)) != NULL) {
		possible = job->magic == JOB_MAGIC &&
			   component_eligible(bridge, job) && lxfw_now_us() < until;
		if (possible)
			plan->nodes[i] = plan_component(bridge, job, used, plan);
		possible = plan->nodes[i];
		if (possible)
			bit_or(used, plan->nodes[i++]);
	}
	list_iterator_destroy(each);
	FREE_NULL_BITMAP(used);
	return possible && lxfw_components_permitted(bridge, leader);
}

/* Tries to start JOB. Returns false if it fails. */
static bool start_component(struct lxfw_bridge *bridge, job_record_t *job,
			    const bitstr_t *nodes)
{
	int error_code = lxfw_start_job(bridge, job, nodes, 0, NULL);

	if (error_code != SLURM_SUCCESS)
		debug("sched/lxfw: component JobId=%u refused: %s", job->job_id,
		      slurm_strerror(error_code));
	return error_code == SLURM_SUCCESS;
}

/* Reports the components to the library if all were STARTED. Otherwise takes back those
   that were. */
static void end_start(struct lxfw_bridge *bridge, job_record_t *leader, bool started)
{
	lxfw_slurm_iterator each = list_iterator_create(leader->het_job_list);
	job_record_t *job;

	while ((job = list_next(each)) != NULL) {
		if (started)
			lxfw_known_started(bridge, job);
		else
			lxfw_compat_take_back(job);
	}
	list_iterator_destroy(each);
}

static bool start_components(struct lxfw_bridge *bridge, job_record_t *leader,
			     const struct het_plan *plan)
{
	lxfw_slurm_iterator each = list_iterator_create(leader->het_job_list);
	bool started = true;
	job_record_t *job;

	for (int i = 0; started && (job = list_next(each)) != NULL; i++)
		started = start_component(bridge, job, plan->nodes[i]);
	list_iterator_destroy(each);
	end_start(bridge, leader, started);
	return started;
}

/* Returns true if the component has to preempt others to start on NODES. */
static bool must_preempt(job_record_t *job, const bitstr_t *nodes)
{
	bitstr_t *some = bit_copy((bitstr_t *)nodes);
	bool free = lxfw_compat_would_start(job, some, true) != 0;

	FREE_NULL_BITMAP(some);
	return !free;
}

/*
 * Preempts running jobs for the components that do not fit on their nodes now. No other
 * component is started before these have ended. Slurm's gang scheduler suspends jobs at once: then
 * all components start. Returns true in this case.
 */
static bool preempt_for_components(struct lxfw_bridge *bridge, job_record_t *leader,
				   const struct het_plan *plan)
{
	lxfw_slurm_iterator each = list_iterator_create(leader->het_job_list);
	bool started = true;
	job_record_t *job;
	int i = 0;

	while ((job = list_next(each)) != NULL) {
		if (must_preempt(job, plan->nodes[i]))
			started &= start_component(bridge, job, plan->nodes[i]);
		i++;
	}
	list_iterator_reset(each);
	for (i = 0; started && (job = list_next(each)) != NULL; i++)
		started = !IS_JOB_PENDING(job) ||
			  start_component(bridge, job, plan->nodes[i]);
	list_iterator_destroy(each);
	end_start(bridge, leader, started);
	return started;
}

/* Returns true if a component may preempt running jobs. */
static bool preempts(const struct lxfw_bridge *bridge, const job_record_t *leader)
{
	lxfw_slurm_iterator each;
	const job_record_t *job;
	bool any = false;

	if (!lxfw_preemptors_possible(bridge))
		return false;
	each = list_iterator_create(leader->het_job_list);
	while (!any && (job = list_next(each)) != NULL) {
		const struct lxfw_leftover *leftover =
			find_leftover(bridge, job->job_id);

		any = leftover && leftover->where.preempts;
	}
	list_iterator_destroy(each);
	return any;
}

/* Returns true if jobs were preempted for a component a short time ago. */
static bool is_preempting(const job_record_t *leader)
{
	lxfw_slurm_iterator each = list_iterator_create(leader->het_job_list);
	const job_record_t *job;
	bool any = false;

	while (!any && (job = list_next(each)) != NULL)
		any = job->magic == JOB_MAGIC && job->details &&
		      lxfw_compat_is_preempting(job);
	list_iterator_destroy(each);
	return any;
}

bool lxfw_offer_components(struct lxfw_bridge *bridge, job_record_t *leader, bool passing)
{
	struct het_plan plan = { 0 };
	bool started = false;

	if (!leader->het_job_list)
		return false;
	plan.count = list_count(leader->het_job_list);
	plan.ranked = preempts(bridge, leader);
	if (passing && !plan.ranked)
		return false;
	plan.nodes = calloc((size_t)plan.count + 1, sizeof(bitstr_t *));
	if (!plan.nodes)
		return false;
	if (!passing && make_plan(bridge, leader, &plan))
		started = start_components(bridge, leader, &plan);
	plan.preempts = true;
	if (!started && plan.ranked && !is_preempting(leader) &&
	    bridge->holds.count < LXFW_HOLDS_SIZE &&
	    make_plan(bridge, leader, &plan))
		started = preempt_for_components(bridge, leader, &plan);
	clear_plan(&plan);
	free(plan.nodes);
	return started;
}

void lxfw_components_wait(struct lxfw_bridge *bridge, const job_record_t *leader)
{
	lxfw_slurm_iterator each;
	job_record_t *job;

	if (!leader->het_job_list)
		return;
	each = list_iterator_create(leader->het_job_list);
	while ((job = list_next(each)) != NULL) {
		if (job->magic == JOB_MAGIC && IS_JOB_PENDING(job))
			lxfw_say_no_room(job);
	}
	list_iterator_destroy(each);
	lxfw_left_say(bridge, leader);
}
