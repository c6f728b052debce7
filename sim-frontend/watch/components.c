/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Heterogeneous jobs: their components start together. */
#include <stdlib.h>

#include "sim-frontend/watch/world.h"

static int by_component(const void *one, const void *other)
{
	const struct lxfw_watch_job *a = *(struct lxfw_watch_job *const *)one;
	const struct lxfw_watch_job *b = *(struct lxfw_watch_job *const *)other;

	if (a->is.het != b->is.het)
		return a->is.het < b->is.het ? -1 : 1;
	return (a->is.record > b->is.record) - (a->is.record < b->is.record);
}

static bool share_a_pool(const struct lxfw_request *one, const struct lxfw_request *other)
{
	for (int i = 0; i < one->pool_count; i++) {
		for (int k = 0; k < other->pool_count; k++) {
			if (one->pools[i].pool == other->pools[k].pool)
				return true;
		}
	}
	return false;
}

/* Sets the requests. Returns 1; 0: the model cannot represent one of them, or all together; -1: memory
   ran out. */
static int request_all(struct lxfw_watch *watch, struct lxfw_watch_job *const *jobs, int32_t count)
{
	for (int32_t i = 0; i < count; i++) {
		struct lxfw_watch_job *job = jobs[i];

		/* The hosts of an advance reservation are not those of the model. */
		if (*job->is.reservation)
			return 0;
		job->is.reason = LXFW_REASON_NONE;
		if (lxfw_watch_request(watch, job))
			return -1;
		if (job->is.reason != LXFW_REASON_NONE || !job->requested)
			return 0;
		job->request.group = job->is.het;
		job->request.group_count = count;
		for (int32_t k = 0; k < i; k++) {
			if (share_a_pool(&job->request, &jobs[k]->request))
				return 0;
		}
	}
	return 1;
}

/* Those that are eligible wait for the others, or are left to Slurm. */
static void leave_all(struct lxfw_watch_job *const *jobs, int32_t count, enum lxfw_reason reason)
{
	for (int32_t i = 0; i < count; i++) {
		enum lxfw_reason own = jobs[i]->is.reason;

		jobs[i]->requested = false;
		if (lxfw_reason_part((int)own) != LXFW_REASONS_INELIGIBLE)
			jobs[i]->is.reason = reason;
	}
}

/* The components of one job, of which all have to wait. */
static int take_group(struct lxfw_watch *watch, struct lxfw_watch_job *const *jobs, int32_t count)
{
	bool together = count >= 2 && count <= LXFW_GROUP_MAX;
	int taken;

	for (int32_t i = 0; i < count; i++) {
		if (lxfw_reason_part((int)jobs[i]->is.reason) == LXFW_REASONS_INELIGIBLE) {
			leave_all(jobs, count, LXFW_REASON_TOGETHER);
			return 0;
		}
		together &= jobs[i]->is.state == LXFW_WATCHED_WAITING &&
			    jobs[i]->is.reason == LXFW_REASON_LEFT_GROUP;
	}
	if (!together)
		return 0;
	taken = request_all(watch, jobs, count);
	if (taken == 0)
		leave_all(jobs, count, LXFW_REASON_LEFT_GROUP);
	return taken < 0 ? -1 : 0;
}

int lxfw_watch_request_components(struct lxfw_watch *watch)
{
	struct lxfw_watch_job **jobs = calloc(watch->count + 1, sizeof(*jobs));
	size_t all = 0;
	int failed = 0;

	if (!jobs)
		return -1;
	for (size_t i = 0; i < watch->count; i++) {
		if (watch->jobs[i].is.het > 0)
			jobs[all++] = &watch->jobs[i];
	}
	qsort(jobs, all, sizeof(*jobs), by_component);
	for (size_t i = 0, next; i < all && !failed; i = next) {
		for (next = i + 1; next < all && jobs[next]->is.het == jobs[i]->is.het; next++)
			;
		failed = take_group(watch, jobs + i, next - i > LXFW_GROUP_MAX ? LXFW_GROUP_MAX + 1 :
				    (int32_t)(next - i));
	}
	free(jobs);
	return failed;
}
