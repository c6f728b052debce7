/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/array_rest.h"

#include <errno.h>
#include <stdlib.h>

#include "common/books/books.h"
#include "common/copy.h"
#include "common/util/grow.h"

void lxfw_array_rest_clear(struct lxfw_array_rest *rest)
{
	free(rest->requests);
	free(rest->parts);
	lxfw_id_map_clear(&rest->by_array);
	*rest = (struct lxfw_array_rest) { 0 };
}

/* Whether it is a task that waits. A place that is free has the request of a job that has left. */
static bool is_task(const struct lxfw_job *job)
{
	return job->state != LXFW_JOB_FREE && job->state != LXFW_JOB_RUNNING &&
	       job->request.id > UINT32_MAX &&
	       job->request.estimate > 0 && job->request.group == 0;
}

/* In the order of arrays, and of the tasks of each. */
static int by_array(const void *one, const void *other)
{
	const struct lxfw_request *a = one, *b = other;
	uint64_t left = lxfw_id_key(a->id), right = lxfw_id_key(b->id);

	return (left > right) - (left < right);
}

/* Collects all tasks that wait. */
static int collect(struct lxfw_array_rest *rest, const struct lxfw_sched *sched)
{
	rest->requests = calloc(sched->jobs_used + 1, sizeof(*rest->requests));
	if (!rest->requests)
		return -1;
	for (size_t i = 0; i < sched->jobs_used; i++) {
		if (is_task(&sched->jobs[i]))
			rest->requests[rest->count++] = sched->jobs[i].request;
	}
	qsort(rest->requests, rest->count, sizeof(*rest->requests), by_array);
	return 0;
}

/* How many of the jobs that request this can run at once for the sake of their pools, above all the
   limit of an array, which is MOST at most: those behind them are not considered before one ends. */
static size_t at_once(const struct lxfw_sched *sched, const struct lxfw_request *request, size_t most)
{
	for (int i = 0; i < request->pool_count; i++) {
		const struct lxfw_pool_need *need = &request->pools[i];
		int32_t all = need->pool < sched->profile.host_count ?
			      sched->profile.hosts[need->pool].total.extras[0] : 0;

		if ((size_t)(all / need->amount) < most)
			most = (size_t)(all / need->amount);
	}
	return most > 0 ? most : 1;
}

static int add_part(struct lxfw_array_rest *rest, uint32_t array, size_t first, size_t end)
{
	if (LXFW_GROW(rest->parts, rest->parts_size, rest->part_count + 1) ||
	    lxfw_id_map_add(&rest->by_array, array, (int32_t)rest->part_count))
		return -1;
	rest->parts[rest->part_count++] = (struct lxfw_array_part) { first, end };
	return 0;
}

int lxfw_array_rest_find(struct lxfw_array_rest *rest, const struct lxfw_sched *sched, int most)
{
	size_t kept = 0, end;
	int failed = most > 0 ? collect(rest, sched) : 0;

	for (size_t begin = 0; begin < rest->count && !failed; begin = end) {
		uint32_t array = (uint32_t)rest->requests[begin].id;
		size_t first = kept;
		size_t few = at_once(sched, &rest->requests[begin], (size_t)most);

		for (end = begin; end < rest->count &&
		     (uint32_t)rest->requests[end].id == array; end++) {
			if (end - begin >= few)
				rest->requests[kept++] = rest->requests[end];
		}
		if (kept > first && array > 0)
			failed = add_part(rest, array, first, kept);
	}
	rest->count = kept;
	return failed;
}

struct lxfw_sched *lxfw_array_rest_leave(const struct lxfw_array_rest *rest,
					 const struct lxfw_sched *sched)
{
	struct lxfw_sched *copy = lxfw_sched_copy(sched);
	int failed = copy ? 0 : -1;

	for (size_t i = 0; i < rest->count && !failed; i++)
		failed = lxfw_sched_apply(copy, &(struct lxfw_event) {
			.type = LXFW_EVENT_JOB_END, .time = copy->now,
			.end.id = rest->requests[i].id,
		}, NULL);
	if (!failed)
		return copy;
	lxfw_sched_destroy(copy);
	errno = ENOMEM;
	return NULL;
}

int32_t lxfw_array_rest_part(const struct lxfw_array_rest *rest, uint64_t job)
{
	return job > UINT32_MAX && (uint32_t)job > 0 && rest->count > 0 ?
	       lxfw_id_map_get(&rest->by_array, (uint32_t)job) : -1;
}
