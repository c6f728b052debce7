/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/held.h"

#include <errno.h>
#include <stdlib.h>

#include "common/books/books.h"
#include "common/copy.h"
#include "common/model/time.h"
#include "common/place/place.h"
#include "common/util/grow.h"

/* In the place of the jobs that are held, others start in the model that may be planned for later,
   too. After this many decisions the rest does start. */
#define DECISIONS 8

/* The id of a block. */
#define BLOCK UINT64_MAX

static int by_id(const void *one, const void *other)
{
	const struct lxfw_held_job *a = one, *b = other;

	return (a->id > b->id) - (a->id < b->id);
}

void lxfw_held_clear(struct lxfw_held *held)
{
	free(held->jobs);
	*held = (struct lxfw_held) { 0 };
}

int64_t lxfw_held_until(const struct lxfw_held *held, uint64_t job)
{
	const struct lxfw_held_job key = { .id = job }, *found = NULL;

	if (held->count > 0)
		found = bsearch(&key, held->jobs, held->count, sizeof(*held->jobs), by_id);
	return found ? found->planned : 0;
}

/* Takes the starts of a decision that are planned for later back. Returns their number, or -1 with errno
   ENOMEM. */
static int take_back(struct lxfw_held *held, struct lxfw_sched *sched,
		     const struct lxfw_decision *decision, int64_t now, int64_t slack,
		     int64_t (*planned)(void *context, uint64_t job), void *context)
{
	size_t before = held->count;

	for (size_t i = 0; i < decision->count; i++) {
		const struct lxfw_action *action = &decision->actions[i];
		int64_t time = action->type == LXFW_ACTION_START ?
			       planned(context, action->job) : 0;

		if (time <= now + slack)
			continue;
		if (LXFW_GROW(held->jobs, held->size, held->count + 1))
			return -1;
		held->jobs[held->count++] = (struct lxfw_held_job) { action->job, time };
	}
	for (size_t i = before; i < held->count; i++) {
		const struct lxfw_event event = {
			.type = LXFW_EVENT_JOB_REFUSED, .time = now,
			.refused = { .id = held->jobs[i].id, .until = LXFW_TIME_MAX },
		};

		if (lxfw_sched_apply(sched, &event, NULL) && errno == ENOMEM)
			return -1;
	}
	return (int)(held->count - before);
}

int lxfw_held_find(struct lxfw_held *held, const struct lxfw_sched *sched, int64_t now,
		   int64_t slack, int64_t (*planned)(void *context, uint64_t job),
		   void *context)
{
	struct lxfw_sched *copy = lxfw_sched_copy(sched);
	int result = copy ? 1 : -1;

	for (int i = 0; i < DECISIONS && result > 0; i++) {
		struct lxfw_decision decision;

		result = lxfw_sched_decide(copy, now, &decision);
		if (result == 0)
			result = take_back(held, copy, &decision, now, slack, planned, context);
	}
	lxfw_sched_destroy(copy);
	if (held->count > 1)
		qsort(held->jobs, held->count, sizeof(*held->jobs), by_id);
	return result < 0 ? -1 : 0;
}

bool lxfw_held_by(const struct lxfw_sched *sched, const struct lxfw_request *request,
		  int32_t claim)
{
	const struct lxfw_release *nodes = sched->profile.releases.nodes;

	for (int32_t i = claim; i >= 0; i = nodes[i].next) {
		if (nodes[i].host < 0 || nodes[i].amount.procs <= 0)
			continue;
		if (request->host_set_count == 0)
			return true;
		for (int32_t k = 0; k < lxfw_request_alternatives(request); k++) {
			if (lxfw_host_allowed(sched, request, k, nodes[i].host))
				return true;
		}
	}
	return false;
}

/* Notes the hosts of the reservations of a decision that begin before UNTIL, of jobs that a job of TIER
   does not precede. */
static void note_hosts(const struct lxfw_sched *sched, const struct lxfw_decision *decision,
		       int64_t until, int32_t tier, struct lxfw_share *needed)
{
	for (size_t i = 0; i < decision->count; i++) {
		const struct lxfw_action *action = &decision->actions[i];
		int32_t job = lxfw_id_map_get(&sched->job_by_id, action->job);

		if (action->type != LXFW_ACTION_RESERVE || action->start >= until || job < 0 ||
		    sched->jobs[job].request.tier < tier)
			continue;
		for (int32_t k = 0; k < action->count; k++) {
			int32_t host = action->shares[k].host;

			needed[host] = (struct lxfw_share) {
				.host = host, .amount = sched->profile.hosts[host].total,
			};
		}
	}
}

/* Keeps all jobs off the hosts from the time of SCHED on until UNTIL. Returns 0, or -1 with errno. */
static int shut(struct lxfw_sched *sched, struct lxfw_share *needed, int64_t until)
{
	int32_t count = 0;

	for (int32_t i = 0; i < sched->profile.host_count; i++) {
		if (needed[i].amount.procs > 0)
			needed[count++] = needed[i];
	}
	return lxfw_sched_apply(sched, &(struct lxfw_event) {
		.type = LXFW_EVENT_BLOCK, .time = sched->now,
		.block = { BLOCK, sched->now, until, count, needed },
	}, NULL);
}

int lxfw_held_request(const struct lxfw_sched *sched, int64_t now,
		      const struct lxfw_request *request)
{
	int64_t until = lxfw_time_add(now, request->estimate);
	struct lxfw_sched *copy = lxfw_sched_copy(sched);
	struct lxfw_share *needed = copy ? calloc((size_t)copy->profile.host_count + 1,
						  sizeof(*needed)) : NULL;
	struct lxfw_decision decision;
	const struct lxfw_share *shares;
	int32_t found = -1, apart = 0;

	errno = ENOMEM;
	if (needed && lxfw_sched_decide(copy, now, &decision) == 0) {
		note_hosts(copy, &decision, until, request->tier, needed);
		found = lxfw_sched_place(copy, request, &shares);
	}
	if (found > 0) {
		errno = ENOMEM;
		apart = shut(copy, needed, until) ? -1 : lxfw_sched_place(copy, request, &shares);
	}
	free(needed);
	lxfw_sched_destroy(copy);
	if (found < 0 || apart < 0)
		return errno == ENOMEM ? -1 : 0;
	return found > 0 && apart == 0;
}
