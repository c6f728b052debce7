/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/left.h"

#include <stdlib.h>
#include <string.h>

#include "plugins/slurm/bridge/act.h"
#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/compat/compat.h"

struct lxfw_left_job *lxfw_left_find(const struct lxfw_bridge *bridge,
				     uint32_t job_id)
{
	int32_t index = lxfw_id_map_get(&bridge->left.by_id, job_id);

	return index < 0 ? NULL : &bridge->left.job[index];
}

/* Entered if it is new; NULL when memory runs out. */
static struct lxfw_left_job *enter(struct lxfw_bridge *bridge, uint32_t job_id)
{
	struct lxfw_left_jobs *left = &bridge->left;
	struct lxfw_left_job *job = lxfw_left_find(bridge, job_id);

	if (job)
		return job;
	if (left->count == left->size) {
		size_t size = left->size ? 2 * left->size : 64;
		void *more = realloc(left->job, size * sizeof(*left->job));

		if (!more)
			return NULL;
		left->job = more;
		left->size = size;
	}
	if (lxfw_id_map_add(&left->by_id, job_id, (int32_t)left->count) < 0)
		return NULL;
	job = &left->job[left->count++];
	memset(job, 0, sizeof(*job));
	job->job_id = job_id;
	return job;
}

/* Whether WHY has not been logged of the job before. */
static bool is_news(struct lxfw_left_job *left, enum lxfw_left_why why)
{
	uint8_t bit = (uint8_t)(1 << why);
	bool news = !(left->said & bit);

	left->said |= bit;
	return news;
}

bool lxfw_left_is_news(struct lxfw_bridge *bridge, uint32_t job_id,
		       enum lxfw_left_why why)
{
	struct lxfw_left_job *left = enter(bridge, job_id);

	if (!left)
		return false;
	left->seen = bridge->pass;
	return is_news(left, why);
}

static void say(struct lxfw_left_job *left, const struct lxfw_known_job *known,
		const char *text)
{
	static const char *const reasons[] = {
		[LXFW_LEFT_NO_PLACE] = "it fits at no time on the nodes as they are",
		[LXFW_LEFT_REFUSED] = "Slurm refused it where it was to start",
		[LXFW_LEFT_INVALID] = "its request cannot be represented",
	};

	if (!is_news(left, left->why))
		return;
	info("sched/lxfw: JobId=%u of user %u is left to Slurm's own node selection: %s%s%s",
	     known->record, known->user, reasons[left->why], text ? ": " : "",
	     text ? text : "");
}

static struct lxfw_request without_id(const struct lxfw_request *request)
{
	struct lxfw_request same = *request;

	same.id = 0;
	same.submit = 0;
	same.no_quantum = false;
	return same;
}

void lxfw_left_add(struct lxfw_bridge *bridge, struct lxfw_known_job *known,
		   enum lxfw_left_why why, const char *text)
{
	struct lxfw_left_job *left = enter(bridge, known->record);

	if (!left) {
		bridge->events.failed = true;
		return;
	}
	/* Of an array the first task speaks for all. */
	if (left->why != why || left->seen != bridge->pass) {
		left->why = (uint8_t)why;
		left->seen = bridge->pass;
		left->request = without_id(&known->request);
		say(left, known, text);
		for (int i = 0; i < known->request.host_set_count; i++)
			lxfw_leave_over(bridge, known->record,
					&known->alternative[i], false);
	}
	lxfw_forget_job(bridge, known);
}

bool lxfw_left_still(struct lxfw_bridge *bridge, uint32_t job_id,
		     const struct lxfw_request *request)
{
	struct lxfw_left_job *left = lxfw_left_find(bridge, job_id);
	struct lxfw_request asked = without_id(request);

	if (!left)
		return false;
	left->seen = bridge->pass;
	if (left->why == LXFW_LEFT_NOT)
		return false;
	/* One that Slurm refuses keeps the hold that it has for that. */
	if (memcmp(&left->request, &asked, sizeof(asked)) == 0 &&
	    (!bridge->new_chances || left->why == LXFW_LEFT_INVALID ||
	     (left->why == LXFW_LEFT_REFUSED &&
	      bridge->hold.job_id == job_id)))
		return true;
	left->why = LXFW_LEFT_NOT;
	return false;
}

void lxfw_left_judge(struct lxfw_bridge *bridge)
{
	/* Nodes that have just reported are up in a moment. */
	if (!lxfw_hosts_have_settled(&bridge->hosts))
		return;
	for (size_t i = 0; i < bridge->jobs.count; i++) {
		struct lxfw_known_job *known = bridge->jobs.jobs[i];

		if (known->state == LXFW_KNOWN_WAITING && !known->requeued &&
		    lxfw_sched_can_start(bridge->sched, known->id) == 0)
			lxfw_left_add(bridge, known, LXFW_LEFT_NO_PLACE, NULL);
	}
}

void lxfw_left_sweep(struct lxfw_bridge *bridge)
{
	struct lxfw_left_jobs *left = &bridge->left;

	for (size_t i = 0; i < left->count;) {
		struct lxfw_left_job *job = &left->job[i];
		const job_record_t *record = find_job_record(job->job_id);

		/* One that is held for a while is the same job afterwards. */
		if (job->seen == bridge->pass ||
		    (record && IS_JOB_PENDING(record))) {
			i++;
			continue;
		}
		lxfw_id_map_remove(&left->by_id, job->job_id);
		*job = left->job[--left->count];
		if (i == left->count)
			continue;
		/* There is room: its own entry was there. */
		lxfw_id_map_remove(&left->by_id, job->job_id);
		(void)lxfw_id_map_add(&left->by_id, job->job_id, (int32_t)i);
	}
}

void lxfw_left_clear(struct lxfw_left_jobs *left)
{
	free(left->job);
	lxfw_id_map_clear(&left->by_id);
	memset(left, 0, sizeof(*left));
}
