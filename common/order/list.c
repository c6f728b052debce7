/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of waiting jobs, for orders that are computed for all jobs together. */
#include "common/order/list.h"

#include <stdlib.h>

#include "common/books/books.h"
#include "common/books/queue.h"
#include "common/util/grow.h"

int64_t lxfw_list_work(int32_t procs, int64_t estimate)
{
	return procs > 0 && estimate > INT64_MAX / procs ? INT64_MAX :
							   procs * estimate;
}

int32_t lxfw_list_bin(int64_t value, int64_t base)
{
	int32_t bin = 0;

	for (; base < value; bin++)
		base = base > INT64_MAX / 2 ? INT64_MAX : 2 * base;
	return bin;
}

static int compare(const void *one, const void *other)
{
	const struct lxfw_listed *a = one, *b = other;

	if (a->bin != b->bin)
		return a->bin < b->bin ? -1 : 1;
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	if (a->since != b->since)
		return a->since < b->since ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

void lxfw_list_sort(struct lxfw_listed *jobs, size_t count)
{
	qsort(jobs, count, sizeof(*jobs), compare);
}

/* --- the jobs ----------------------------------------------------------------- */

/* A refused job waits too. Of a group, the first job stands for all of them in its class;
   a refused one waits for the others. */
static bool is_listed(const struct lxfw_job *job)
{
	return job->state == LXFW_JOB_WAITING ||
	       (job->state == LXFW_JOB_REFUSED && job->group < 0);
}

static struct lxfw_listed listed_of(const struct lxfw_sched *sched, int32_t index)
{
	const struct lxfw_job *job = &sched->jobs[index];
	struct lxfw_listed listed = {
		.job = index,
		.since = lxfw_job_since(job),
		.id = lxfw_id_key(job->request.id),
	};

	if (job->state == LXFW_JOB_WAITING) {
		const struct lxfw_head *head =
			lxfw_head_of(sched, &sched->classes[job->class]);

		listed.procs = head->procs;
		listed.estimate = head->estimate;
	} else {
		listed.procs = lxfw_request_sum(&job->request).procs;
		listed.estimate = lxfw_request_least(&job->request);
	}
	return listed;
}

/* Returns the number of jobs in sched->list, or -1 with errno ENOMEM. */
static int32_t collect(struct lxfw_sched *sched)
{
	int32_t count = 0;

	if (LXFW_GROW(sched->list, sched->list_size, sched->waiting + 1))
		return -1;
	for (size_t i = 0; i < sched->jobs_used; i++) {
		if (is_listed(&sched->jobs[i]))
			sched->list[count++] = listed_of(sched, (int32_t)i);
	}
	return count;
}

static int64_t machine(const struct lxfw_profile *profile)
{
	int64_t procs = 0;

	for (int32_t i = 0; i < profile->host_count; i++) {
		if (profile->hosts[i].up)
			procs += profile->hosts[i].total.procs;
	}
	return procs;
}

/* Places have changed. */
static void count_listed(struct lxfw_sched *sched)
{
	sched->listed = sched->unlisted = 0;
	for (size_t i = 0; i < sched->jobs_used; i++) {
		if (sched->jobs[i].state != LXFW_JOB_WAITING)
			continue;
		sched->listed += sched->jobs[i].place > 0;
		sched->unlisted += sched->jobs[i].place == 0;
	}
	lxfw_queue_disorder(sched);
}

/* --- the list ----------------------------------------------------------------- */

static bool is_due(const struct lxfw_sched *sched)
{
	if (sched->list_stale)
		return true;
	if (!sched->policy->order.list)
		return false;
	return sched->params.list_update == LXFW_LIST_UPDATE_SUBMISSION ?
		       sched->unlisted > 0 :
		       3 * sched->unlisted > sched->listed + sched->unlisted;
}

int lxfw_list_update(struct lxfw_sched *sched)
{
	const struct lxfw_order *order = &sched->policy->order;
	bool had_places = sched->listed > 0;
	int32_t count = 0;

	if (!is_due(sched))
		return 0;
	if (order->list) {
		count = collect(sched);
		if (count < 0 ||
		    order->list(sched->list, (size_t)count, machine(&sched->profile),
				sched->params.job_weight) < 0)
			return -1;
	}
	for (size_t i = 0; i < sched->jobs_used; i++)
		sched->jobs[i].place = 0;
	for (int32_t i = 0; i < count; i++)
		sched->jobs[sched->list[i].job].place = count - i;
	if (had_places || count > 0)
		count_listed(sched);
	sched->list_stale = false;
	return 0;
}

void lxfw_list_copy(struct lxfw_sched *to, const struct lxfw_sched *from)
{
	if (!from->policy->order.list)
		return;
	for (size_t i = 0; i < from->jobs_used; i++) {
		const struct lxfw_job *job = &from->jobs[i];
		int32_t copy = job->place == 0 ? -1 :
			       lxfw_id_map_get(&to->job_by_id, job->request.id);

		if (copy >= 0)
			to->jobs[copy].place = job->place;
	}
	to->list_stale = from->list_stale;
	count_listed(to);
}
