/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/outlook.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/books/books.h"
#include "common/books/overrun.h"
#include "common/copy.h"
#include "common/model/event.h"
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
};

static int apply(struct lxfw_outlook *outlook, struct lxfw_event *event)
{
	event->time = outlook->time;
	return lxfw_sched_apply(outlook->sched, event, NULL);
}

struct lxfw_outlook *lxfw_outlook_begin(const struct lxfw_sched *sched)
{
	struct lxfw_outlook *outlook = calloc(1, sizeof(*outlook));

	if (!outlook) {
		errno = ENOMEM;
		return NULL;
	}
	outlook->time = sched->now;
	outlook->sched = lxfw_sched_copy(sched);
	if (!outlook->sched) {
		lxfw_outlook_end(outlook);
		errno = ENOMEM;
		return NULL;
	}
	return outlook;
}

int lxfw_outlook_limit(struct lxfw_outlook *outlook, int32_t most)
{
	struct lxfw_params params = outlook->sched->params;
	struct lxfw_event event = { .type = LXFW_EVENT_PARAMS, .params = &params };

	if (params.reservations <= most)
		return 0;
	params.reservations = most;
	return apply(outlook, &event);
}

void lxfw_outlook_end(struct lxfw_outlook *outlook)
{
	int saved = errno;

	if (!outlook)
		return;
	lxfw_sched_destroy(outlook->sched);
	free(outlook->shares);
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
