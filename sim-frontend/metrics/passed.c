/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/metrics/passed.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#define NONE SIZE_MAX

/* Number of jobs compared with each start, in order of submission. Held jobs are among
   the first ones. The limit avoids quadratic cost in queues of hundreds of thousands
   of jobs. */
#define LOOK_MOST 4096

/* The jobs of each queue that have not started yet, in order of submission, as lists
   through `next` and `previous`. The heads of the lists follow the jobs. */
struct work {
	const struct lxfw_stay *stays;
	size_t count;
	const struct lxfw_stay **order;	/* by queue and submission; later by the time
					   at which they leave the queue */
	size_t *next, *previous;
	size_t *head;		/* index: queue + 1 */
	struct lxfw_passed *passed;
};

static int64_t gone(const struct lxfw_stay *stay)
{
	return stay->start == LXFW_STAY_NEVER ? stay->end : stay->start;
}

static int by_submit(const void *left, const void *right)
{
	const struct lxfw_stay *a = *(const struct lxfw_stay *const *)left;
	const struct lxfw_stay *b = *(const struct lxfw_stay *const *)right;

	if (a->submit != b->submit)
		return a->submit < b->submit ? -1 : 1;
	return (a > b) - (a < b);
}

static int by_gone(const void *left, const void *right)
{
	const struct lxfw_stay *a = *(const struct lxfw_stay *const *)left;
	const struct lxfw_stay *b = *(const struct lxfw_stay *const *)right;

	if (gone(a) != gone(b))
		return gone(a) < gone(b) ? -1 : 1;
	return (a > b) - (a < b);
}

static void remove_job(struct work *work, size_t job)
{
	size_t next = work->next[job], previous = work->previous[job];

	if (next != NONE)
		work->previous[next] = previous;
	if (previous != NONE)
		work->next[previous] = next;
	else
		work->head[work->stays[job].queue + 1] = next;
}

static bool amounts_fit(const struct lxfw_request *a, const struct lxfw_request *b)
{
	return lxfw_resources_fit(&a->unit, &b->unit) &&
	       lxfw_resources_fit(&a->per_host, &b->per_host);
}

/* Whether a job with request A can use all hosts on which one with request B runs. */
static bool asks_no_more(const struct lxfw_request *a, const struct lxfw_request *b)
{
	bool no_more = a->shape == b->shape && a->count <= b->count && amounts_fit(a, b) &&
		       a->exclusive <= b->exclusive && a->min_hosts <= b->min_hosts &&
		       (a->max_hosts == 0 || a->max_hosts == b->max_hosts) &&
		       a->pool_count <= b->pool_count && a->more_sets == b->more_sets &&
		       (a->host_set_count == 0 || a->host_set_count == b->host_set_count);

	for (int i = 0; no_more && i < a->host_set_count; i++)
		no_more = a->host_sets[i] == b->host_sets[i];
	for (int i = 0; no_more && i < a->pool_count; i++)
		no_more = a->pools[i].pool == b->pools[i].pool &&
			  a->pools[i].amount <= b->pools[i].amount;
	return no_more;
}

/* The job has started: marks earlier jobs that still wait and request no more. */
static void pass(struct work *work, const struct lxfw_stay *starter)
{
	size_t at = work->head[starter->queue + 1];

	for (int looked = 0; at != NONE && looked < LOOK_MOST;
	     at = work->next[at], looked++) {
		const struct lxfw_stay *stay = &work->stays[at];
		struct lxfw_passed *passed = &work->passed[at];

		if (stay->submit >= starter->submit)
			break;
		if (stay->procs > starter->procs ||
		    stay->limit > starter->limit ||
		    stay->memory_mb > starter->memory_mb)
			continue;
		if (stay->request && starter->request &&
		    !asks_no_more(stay->request, starter->request))
			continue;
		if (passed->first == LXFW_STAY_NEVER)
			passed->first = starter->start;
		passed->last = starter->start;
	}
}

static void link_jobs(struct work *work, size_t queues, size_t *tail)
{
	for (size_t i = 0; i < queues; i++)
		work->head[i] = tail[i] = NONE;
	qsort(work->order, work->count, sizeof(*work->order), by_submit);
	for (size_t i = 0; i < work->count; i++) {
		size_t job = (size_t)(work->order[i] - work->stays);
		size_t queue = (size_t)(work->order[i]->queue + 1);

		work->next[job] = NONE;
		work->previous[job] = tail[queue];
		if (tail[queue] == NONE)
			work->head[queue] = job;
		else
			work->next[tail[queue]] = job;
		tail[queue] = job;
		work->passed[job] = (struct lxfw_passed) {
			LXFW_STAY_NEVER, LXFW_STAY_NEVER };
	}
}

static void sweep(struct work *work)
{
	qsort(work->order, work->count, sizeof(*work->order), by_gone);
	for (size_t i = 0, next; i < work->count; i = next) {
		int64_t now = gone(work->order[i]);

		/* jobs that start at the same time do not pass each other */
		for (next = i; next < work->count &&
			       gone(work->order[next]) == now; next++)
			remove_job(work, (size_t)(work->order[next] -
						  work->stays));
		for (size_t k = i; k < next; k++) {
			if (work->order[k]->start != LXFW_STAY_NEVER)
				pass(work, work->order[k]);
		}
	}
}

int lxfw_passed_find(const struct lxfw_stay *stays, size_t count,
		     struct lxfw_passed *passed)
{
	struct work work = { .stays = stays, .count = count, .passed = passed };
	size_t queues = 1, *tail;
	bool complete;

	for (size_t i = 0; i < count; i++) {
		if ((size_t)(stays[i].queue + 2) > queues)
			queues = (size_t)(stays[i].queue + 2);
	}
	work.order = malloc((count + 1) * sizeof(*work.order));
	work.next = malloc((count + 1) * sizeof(*work.next));
	work.previous = malloc((count + 1) * sizeof(*work.previous));
	work.head = malloc(queues * sizeof(*work.head));
	tail = malloc(queues * sizeof(*tail));
	complete = work.order && work.next && work.previous && work.head && tail;
	if (complete) {
		for (size_t i = 0; i < count; i++)
			work.order[i] = &stays[i];
		link_jobs(&work, queues, tail);
		sweep(&work);
	}
	free(work.order);
	free(work.next);
	free(work.previous);
	free(work.head);
	free(tail);
	if (!complete)
		errno = ENOMEM;
	return complete ? 0 : -1;
}
