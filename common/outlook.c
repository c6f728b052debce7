/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/outlook.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/books/block.h"
#include "common/books/books.h"
#include "common/books/overrun.h"
#include "common/model/event.h"
#include "common/order/list.h"
#include "common/util/grow.h"

/* Number of consecutive decisions without a start and without the end of a job after
   which nothing is expected to start any more. Such decisions are made at the boundaries
   of blocks. */
#define IDLE_MAX 10000

struct lxfw_outlook {
	struct lxfw_sched *sched;	/* the copy */
	int64_t time;		/* of the next decision; LXFW_NEVER: there is none */
	bool begun;		/* the first decision has been made */
	int idle;		/* number of decisions, see IDLE_MAX */
	struct lxfw_share *shares;	/* scratch */
	size_t shares_size;
	int32_t *hosts;
	size_t hosts_size;
};

/* --- the copy --------------------------------------------------------------- */

static int apply(struct lxfw_outlook *outlook, struct lxfw_event *event)
{
	event->time = outlook->time;
	return lxfw_sched_apply(outlook->sched, event, NULL);
}

static int copy_hosts(struct lxfw_outlook *outlook, const struct lxfw_sched *from)
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
		};

		if (apply(outlook, &event) < 0)
			return -1;
	}
	return 0;
}

static int copy_host_set(struct lxfw_outlook *outlook, const struct lxfw_host_set *set,
			 int32_t id)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST_SET, .host_set.id = id };
	int32_t count = 0;

	if (LXFW_GROW(outlook->hosts, outlook->hosts_size, (size_t)set->count + 1))
		return -1;
	for (size_t host = 0; host < 64 * set->words; host++) {
		if (set->members[host / 64] >> (host % 64) & 1)
			outlook->hosts[count++] = (int32_t)host;
	}
	event.host_set.count = count;
	event.host_set.hosts = outlook->hosts;
	return apply(outlook, &event);
}

static int copy_block(struct lxfw_outlook *outlook, const struct lxfw_block *block)
{
	struct lxfw_event event = {
		.type = LXFW_EVENT_BLOCK,
		.block.id = block->id,
		.block.start = block->start,
		.block.end = block->end,
		.block.count = block->count,
		.block.shares = block->shares,
	};

	return apply(outlook, &event);
}

static int copy_submission(struct lxfw_outlook *outlook, const struct lxfw_job *job)
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
	if (apply(outlook, &submit) < 0)
		return -1;
	return job->priority || job->delay ? apply(outlook, &priority) : 0;
}

static int by_host(const void *one, const void *other)
{
	const struct lxfw_share *a = one, *b = other;

	return (a->host > b->host) - (a->host < b->host);
}

static int copy_run(struct lxfw_outlook *outlook, const struct lxfw_sched *from,
		    const struct lxfw_job *job)
{
	int32_t count = lxfw_profile_shares(&from->profile, job->claim, NULL);
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_RUN,
		.run.id = job->request.id,
		.run.expected_end = job->expected_end,
		.run.count = count,
	};

	if (LXFW_GROW(outlook->shares, outlook->shares_size, (size_t)count + 1))
		return -1;
	(void)lxfw_profile_shares(&from->profile, job->claim, outlook->shares);
	qsort(outlook->shares, (size_t)count, sizeof(*outlook->shares), by_host);
	event.run.shares = outlook->shares;
	/* An adaptive job is known by its request. */
	if (job->request.min_procs > 0 && copy_submission(outlook, job) < 0)
		return -1;
	return apply(outlook, &event);
}

static int copy_jobs(struct lxfw_outlook *outlook, const struct lxfw_sched *from)
{
	for (size_t i = 0; i < from->jobs_used; i++) {
		const struct lxfw_job *job = &from->jobs[i];
		int rc = 0;

		if (job->state == LXFW_JOB_RUNNING)
			rc = copy_run(outlook, from, job);
		else if (job->state != LXFW_JOB_FREE)
			rc = copy_submission(outlook, job);
		if (rc < 0)
			return -1;
	}
	return 0;
}

static int copy(struct lxfw_outlook *outlook, const struct lxfw_sched *from)
{
	if (copy_hosts(outlook, from) < 0)
		return -1;
	for (size_t i = 0; i < from->host_set_count; i++) {
		if (copy_host_set(outlook, &from->host_sets[i], (int32_t)i) < 0)
			return -1;
	}
	if (from->job_classes) {
		struct lxfw_event event = {
			.type = LXFW_EVENT_JOB_CLASSES, .job_classes = from->job_classes,
		};

		if (apply(outlook, &event) < 0)
			return -1;
	}
	for (size_t i = 0; i < from->block_count; i++) {
		if (copy_block(outlook, &from->blocks[i]) < 0)
			return -1;
	}
	if (copy_jobs(outlook, from) < 0)
		return -1;
	lxfw_list_copy(outlook->sched, from);
	return 0;
}

struct lxfw_outlook *lxfw_outlook_begin(const struct lxfw_sched *sched)
{
	struct lxfw_outlook *outlook = calloc(1, sizeof(*outlook));
	struct lxfw_params params = sched->params;

	if (!outlook) {
		errno = ENOMEM;
		return NULL;
	}
	params.quantum = 0;
	params.interval = 0;
	outlook->time = sched->now;
	outlook->sched = lxfw_sched_create(&params);
	if (outlook->sched)
		lxfw_sched_set_placement(outlook->sched, sched->placement);
	/* The events describe a valid state, so that only memory can be missing. */
	if (!outlook->sched || copy(outlook, sched) < 0) {
		lxfw_outlook_end(outlook);
		errno = ENOMEM;
		return NULL;
	}
	return outlook;
}

void lxfw_outlook_end(struct lxfw_outlook *outlook)
{
	int saved = errno;

	if (!outlook)
		return;
	lxfw_sched_destroy(outlook->sched);
	free(outlook->shares);
	free(outlook->hosts);
	free(outlook);
	errno = saved;
}

/* --- virtual time ----------------------------------------------------------- */

static int64_t first_end(struct lxfw_sched *sched)
{
	int32_t job = lxfw_expiry_first(sched);

	return job < 0 ? LXFW_NEVER : sched->jobs[job].expected_end;
}

/* The hosts on which the job has run are awake. */
static int wake_hosts(struct lxfw_outlook *outlook, const struct lxfw_job *job)
{
	struct lxfw_sched *sched = outlook->sched;
	int32_t count = lxfw_profile_shares(&sched->profile, job->claim, NULL);

	if (LXFW_GROW(outlook->shares, outlook->shares_size, (size_t)count + 1))
		return -1;
	(void)lxfw_profile_shares(&sched->profile, job->claim, outlook->shares);
	for (int32_t i = 0; i < count; i++) {
		int32_t index = outlook->shares[i].host;
		const struct lxfw_host *host = &sched->profile.hosts[index];
		struct lxfw_event event = {
			.type = LXFW_EVENT_HOST,
			.host.index = index,
			.host.up = host->up,
			.host.total = host->total,
			.host.weight = sched->weights.of[index],
		};

		if (sched->weights.boot[index] > 0 && apply(outlook, &event) < 0)
			return -1;
	}
	return 0;
}

/* End the jobs that are expected to end by now. */
static int end_jobs(struct lxfw_outlook *outlook)
{
	struct lxfw_sched *sched = outlook->sched;

	while (first_end(sched) <= outlook->time) {
		const struct lxfw_job *job = &sched->jobs[lxfw_expiry_first(sched)];
		struct lxfw_event event = {
			.type = LXFW_EVENT_JOB_END, .end.id = job->request.id,
		};

		if ((sched->weights.most_boot > 0 && wake_hosts(outlook, job) < 0) ||
		    apply(outlook, &event) < 0)
			return -1;
		outlook->idle = 0;
	}
	return 0;
}

static void count_idle(struct lxfw_outlook *outlook,
		       const struct lxfw_decision *decision)
{
	outlook->idle++;
	for (size_t i = 0; i < decision->count; i++) {
		if (decision->actions[i].type == LXFW_ACTION_START)
			outlook->idle = 0;
	}
}

/* Set the time of the next decision: the next end of a job, or what was requested. */
static void advance(struct lxfw_outlook *outlook, int64_t wake)
{
	int64_t next = first_end(outlook->sched);

	if (wake < next)
		next = wake;
	if (next <= outlook->time)
		next = outlook->time + 1;
	outlook->time = outlook->idle < IDLE_MAX && next <= LXFW_TIME_MAX ?
			next : LXFW_NEVER;
}

int lxfw_outlook_next(struct lxfw_outlook *outlook, int64_t *time,
		      struct lxfw_decision *decision)
{
	struct lxfw_sched *sched = outlook->sched;

	if (outlook->time == LXFW_NEVER || sched->waiting == 0)
		return 0;
	/* Before the first decision, no job has ended that the scheduler knows to run. */
	if ((outlook->begun && end_jobs(outlook) < 0) ||
	    lxfw_sched_decide(sched, outlook->time, decision) < 0)
		return -1;
	outlook->begun = true;
	*time = outlook->time;
	count_idle(outlook, decision);
	advance(outlook, decision->wake);
	return 1;
}

int64_t lxfw_outlook_boot(const struct lxfw_outlook *outlook, int32_t host)
{
	return outlook->sched->weights.boot[host];
}
