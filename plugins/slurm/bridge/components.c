/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/components.h"

#include <stdlib.h>
#include <time.h>

#include "common/util/grow.h"
#include "plugins/slurm/bridge/leftover.h"
#include "plugins/slurm/bridge/permit.h"
#include "plugins/slurm/bridge/reason.h"

struct pending {
	int32_t count;
	uint32_t first;		/* the least job id of these; 0: none */
	bool all;		/* no component runs or has ended */
};

/* Counts the pending components of the heterogeneous job of JOB; none are known if its
   leader is gone. */
static struct pending count_pending(const job_record_t *job)
{
	const job_record_t *leader = find_job_record(job->het_job_id), *one;
	struct pending pending = { .all = true };
	lxfw_slurm_iterator each;

	if (!leader || !leader->het_job_list)
		return pending;
	each = list_iterator_create(leader->het_job_list);
	while ((one = list_next(each)) != NULL) {
		if (one->magic != JOB_MAGIC || !IS_JOB_PENDING(one)) {
			pending.all = false;
			continue;
		}
		pending.count++;
		if (!pending.first || one->job_id < pending.first)
			pending.first = one->job_id;
	}
	list_iterator_destroy(each);
	return pending;
}

/* The rest of a job that runs in part is another group, or a job without one: the
   library knows the components that run by the group of the whole job. */
void lxfw_component_group(const job_record_t *job, struct lxfw_request *request)
{
	struct pending pending = count_pending(job);

	request->no_quantum = true;
	request->group = request->group_count = 0;
	request->min_estimate = 0;
	if (pending.count < 2)
		return;
	request->group = job->het_job_id;
	if (!pending.all)
		request->group |= (uint64_t)pending.first << 32;
	request->group_count = pending.count;
}

bool lxfw_components_permitted(struct lxfw_bridge *bridge, const job_record_t *job)
{
	struct pending pending = count_pending(job);
	const job_record_t *leader = find_job_record(job->het_job_id);
	lxfw_slurm_iterator each;
	job_record_t **jobs, *one;
	size_t count = 0;
	bool permitted;

	if (pending.count < 2 || pending.first != job->job_id)
		return true;
	jobs = calloc((size_t)pending.count, sizeof(*jobs));
	if (!jobs)
		return false;
	each = list_iterator_create(leader->het_job_list);
	while ((one = list_next(each)) != NULL) {
		if (one->magic == JOB_MAGIC && IS_JOB_PENDING(one))
			jobs[count++] = one;
	}
	list_iterator_destroy(each);
	permitted = lxfw_permitted_together(bridge, jobs, count);
	free(jobs);
	return permitted;
}

void lxfw_component_add(struct lxfw_bridge *bridge,
			const struct lxfw_component *component)
{
	struct lxfw_component *added;

	if (LXFW_GROW(bridge->components, bridge->component_size,
		      bridge->component_count + 1)) {
		bridge->agent.events.failed = true;
		return;
	}
	added = &bridge->components[bridge->component_count++];
	*added = *component;
	added->places = (struct lxfw_places){ 0 };
	if (!lxfw_places_copy(&added->places, &component->places))
		bridge->agent.events.failed = true;
}

static bool missed_deadline(const job_record_t *job)
{
	return job->magic == JOB_MAGIC &&
	       (job->job_state & JOB_STATE_BASE) == JOB_DEADLINE;
}

/* If a component has missed its deadline, the others can never start with it. They would
   be pending forever, and Slurm cancels no single component, so they miss it, too.
   Returns true in this case. */
static bool give_up(const job_record_t *leader)
{
	lxfw_slurm_iterator each;
	job_record_t *job;
	bool missed = false;

	if (!leader || !leader->het_job_list)
		return false;
	each = list_iterator_create(leader->het_job_list);
	while (!missed && (job = list_next(each)) != NULL)
		missed = missed_deadline(job);
	list_iterator_reset(each);
	while (missed && (job = list_next(each)) != NULL) {
		if (job->magic != JOB_MAGIC || !IS_JOB_PENDING(job))
			continue;
		job->deadline = time(NULL);
		(void)lxfw_compat_deadline_ok(job);
	}
	list_iterator_destroy(each);
	return missed;
}

static int by_job(const void *one, const void *other)
{
	const struct lxfw_component *a = one, *b = other;

	if (a->job->het_job_id != b->job->het_job_id)
		return a->job->het_job_id < b->job->het_job_id ? -1 : 1;
	return (a->job->job_id > b->job->job_id) -
	       (a->job->job_id < b->job->job_id);
}

static void pass_to_slurm(struct lxfw_bridge *bridge,
			  const struct lxfw_component *component)
{
	for (int32_t i = 0; i < component->places.count; i++)
		(void)lxfw_leave_over(bridge, component->job->job_id,
				      lxfw_place(&component->places, i), false,
				      LXFW_REASON_LEFT_GROUP);
}

/* All components wait for one of them. */
static void say_waiting(const struct lxfw_component *components, size_t count)
{
	for (size_t i = 0; i < count; i++)
		lxfw_say_no_room(components[i].job);
}

void lxfw_components_settle(struct lxfw_bridge *bridge,
			    void (*report)(struct lxfw_bridge *bridge,
					   struct lxfw_component *component))
{
	struct lxfw_component *all = bridge->components;
	size_t count = bridge->component_count, end;
	bool shadows = lxfw_agent_shadows(&bridge->agent);

	if (count == 0)
		return;
	qsort(all, count, sizeof(*all), by_job);
	for (size_t i = 0; i < count; i = end) {
		const job_record_t *job = all[i].job;
		const job_record_t *leader = find_job_record(job->het_job_id);
		bool known = true;

		for (end = i; end < count &&
			      all[end].job->het_job_id == job->het_job_id; end++)
			known = known && all[end].known;
		if (!shadows && give_up(leader))
			continue;
		if (end - i != (size_t)count_pending(job).count ||
		    !lxfw_components_permitted(bridge, job)) {
			if (!shadows)
				say_waiting(&all[i], end - i);
			continue;
		}
		for (size_t at = i; at < end; at++) {
			if (known)
				report(bridge, &all[at]);
			else if (all[at].known)
				pass_to_slurm(bridge, &all[at]);
		}
	}
	for (size_t i = 0; i < count; i++)
		lxfw_places_clear(&all[i].places);
	bridge->component_count = 0;
}
