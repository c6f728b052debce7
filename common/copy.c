/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/copy.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/books/block.h"
#include "common/books/books.h"
#include "common/model/event.h"
#include "common/order/list.h"
#include "common/util/grow.h"

struct copier {
	struct lxfw_sched *sched;	/* the copy */
	int64_t time;			/* of all events */
	struct lxfw_share *shares;	/* scratch */
	size_t shares_size;
	int32_t *hosts;
	size_t hosts_size;
};

static int apply(struct copier *to, struct lxfw_event *event)
{
	event->time = to->time;
	return lxfw_sched_apply(to->sched, event, NULL);
}

static int copy_hosts(struct copier *to, const struct lxfw_sched *from)
{
	for (int32_t i = 0; i < from->profile.host_count; i++) {
		const struct lxfw_host *host = &from->profile.hosts[i];
		struct lxfw_event event = {
			.type = LXFW_EVENT_HOST,
			.host.index = i,
			.host.up = host->up,
			.host.total = host->total,
			.host.weight = from->weights.of[i],
			.host.boot = from->weights.boot[i],
			.host.gpus = from->gpus,
			.host.sockets = host->sockets,
		};

		if (apply(to, &event) < 0)
			return -1;
	}
	return 0;
}

static int copy_host_set(struct copier *to, const struct lxfw_host_set *set,
			 int32_t id)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST_SET, .host_set.id = id };
	int32_t count = 0;

	if (LXFW_GROW(to->hosts, to->hosts_size, (size_t)set->count + 1))
		return -1;
	for (size_t host = 0; host < 64 * set->words; host++) {
		if (set->members[host / 64] >> (host % 64) & 1)
			to->hosts[count++] = (int32_t)host;
	}
	event.host_set.count = count;
	event.host_set.hosts = to->hosts;
	return apply(to, &event);
}

static int copy_block(struct copier *to, const struct lxfw_block *block)
{
	struct lxfw_event event = {
		.type = LXFW_EVENT_BLOCK,
		.block.id = block->id,
		.block.start = block->start,
		.block.end = block->end,
		.block.count = block->count,
		.block.shares = block->shares,
	};

	return apply(to, &event);
}

static int copy_submission(struct copier *to, const struct lxfw_job *job)
{
	struct lxfw_request request = job->request;
	struct lxfw_event submit = {
		.type = LXFW_EVENT_JOB_SUBMIT, .request = &request,
	};
	struct lxfw_event priority = {
		.type = LXFW_EVENT_JOB_PRIORITY,
		.priority.id = request.id,
		.priority.priority = job->priority,
		.priority.delay = job->delay,
	};

	request.no_quantum = true;
	if (apply(to, &submit) < 0)
		return -1;
	return job->priority || job->delay ? apply(to, &priority) : 0;
}

static int by_host(const void *one, const void *other)
{
	const struct lxfw_share *a = one, *b = other;

	return (a->host > b->host) - (a->host < b->host);
}

static int copy_run(struct copier *to, const struct lxfw_sched *from,
		    const struct lxfw_job *job)
{
	int32_t count = lxfw_profile_shares(&from->profile, job->claim, NULL);
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_RUN,
		.run.id = job->request.id,
		.run.expected_end = job->expected_end,
		.run.count = count,
	};

	if (LXFW_GROW(to->shares, to->shares_size, (size_t)count + 1))
		return -1;
	(void)lxfw_profile_shares(&from->profile, job->claim, to->shares);
	qsort(to->shares, (size_t)count, sizeof(*to->shares), by_host);
	event.run.shares = to->shares;
	/* An adaptive job is known by its request. */
	if (job->request.min_procs > 0 && copy_submission(to, job) < 0)
		return -1;
	return apply(to, &event);
}

/* Jobs of a class are entered in the order in which they wait, which is fast. */
static int by_submission(const void *one, const void *other)
{
	const struct lxfw_job *a = *(const struct lxfw_job *const *)one;
	const struct lxfw_job *b = *(const struct lxfw_job *const *)other;
	int64_t since = lxfw_job_since(a), other_since = lxfw_job_since(b);
	uint64_t key = lxfw_id_key(a->request.id), other_key = lxfw_id_key(b->request.id);

	if (since != other_since)
		return since < other_since ? -1 : 1;
	return (key > other_key) - (key < other_key);
}

static int copy_waiting(struct copier *to, const struct lxfw_job **waiting, size_t count)
{
	qsort(waiting, count, sizeof(*waiting), by_submission);
	for (size_t i = 0; i < count; i++) {
		if (copy_submission(to, waiting[i]) < 0)
			return -1;
	}
	return 0;
}

static int copy_jobs(struct copier *to, const struct lxfw_sched *from)
{
	const struct lxfw_job **waiting = malloc((from->waiting + 1) * sizeof(*waiting));
	size_t count = 0;
	int rc = waiting ? 0 : -1;

	for (size_t i = 0; i < from->jobs_used && rc == 0; i++) {
		const struct lxfw_job *job = &from->jobs[i];

		if (job->state == LXFW_JOB_RUNNING)
			rc = copy_run(to, from, job);
		else if (job->state != LXFW_JOB_FREE)
			waiting[count++] = job;
	}
	if (rc == 0)
		rc = copy_waiting(to, waiting, count);
	free(waiting);
	return rc;
}

static int copy_all(struct copier *to, const struct lxfw_sched *from)
{
	if (copy_hosts(to, from) < 0)
		return -1;
	for (size_t i = 0; i < from->host_set_count; i++) {
		if (copy_host_set(to, &from->host_sets[i], (int32_t)i) < 0)
			return -1;
	}
	if (from->job_classes) {
		struct lxfw_event event = {
			.type = LXFW_EVENT_JOB_CLASSES, .job_classes = from->job_classes,
		};

		if (apply(to, &event) < 0)
			return -1;
	}
	for (size_t i = 0; i < from->block_count; i++) {
		if (copy_block(to, &from->blocks[i]) < 0)
			return -1;
	}
	if (copy_jobs(to, from) < 0)
		return -1;
	lxfw_list_copy(to->sched, from);
	return 0;
}

struct lxfw_sched *lxfw_sched_copy(const struct lxfw_sched *sched)
{
	struct lxfw_params params = sched->params;
	struct copier to = { .time = sched->now };
	int rc = -1;

	params.quantum = 0;
	params.interval = 0;
	to.sched = lxfw_sched_create(&params);
	if (to.sched) {
		/* The events describe a valid state, so that only memory can be missing. */
		rc = copy_all(&to, sched);
	}
	free(to.shares);
	free(to.hosts);
	if (rc == 0)
		return to.sched;
	lxfw_sched_destroy(to.sched);
	errno = ENOMEM;
	return NULL;
}
