/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All futures of a moment. */
#include <errno.h>

#include "common/books/books.h"
#include "common/explain.h"
#include "common/params/policy.h"
#include "common/snapshot.h"
#include "common/util/id_map.h"
#include "sim-frontend/predict/ages.h"
#include "sim-frontend/predict/future_state.h"
#include "sim-frontend/util/pool.h"

struct all {
	const struct lxfw_futures *futures;
	struct lxfw_future_origin origin;
	struct lxfw_id_map watched;
	int64_t *starts;
};

static int run_one(void *context, size_t number, struct lxfw_error *error)
{
	const struct all *all = context;
	struct lxfw_future future = {
		.of = all->futures, .origin = &all->origin, .number = number,
		.starts = all->starts + number, .watched = &all->watched,
		.candidate = all->futures->candidate,
	};
	int result;

	lxfw_error_set(error, "out of memory");
	result = all->futures->probe_count > 0 ? lxfw_future_run_probes(&future, error) :
						 lxfw_future_run(&future, error);
	if (result == 0)
		lxfw_error_set(error, "");
	lxfw_future_end(&future);
	return result;
}

/* A snapshot has all that decides, a copy has no reservations and no passes in intervals. Some
   policies have a state that only a copy has. */
static int find_origin(const struct lxfw_futures *futures, struct lxfw_future_origin *origin)
{
	struct lxfw_sched *sched, *fewer;

	if (futures->make || futures->sched->job_classes ||
	    lxfw_params_interrupt(lxfw_sched_params(futures->sched)) ||
	    lxfw_policy_has(lxfw_sched_params(futures->sched)->policy, LXFW_TRAIT_SCRIPT))
		return 0;
	if (lxfw_array_rest_find(&origin->rest, futures->sched, futures->array_tasks))
		return -1;
	fewer = origin->rest.count > 0 ? lxfw_array_rest_leave(&origin->rest, futures->sched) : NULL;
	if (origin->rest.count > 0 && !fewer)
		return -1;
	if (lxfw_snapshot_take(&origin->state, fewer ? fewer : futures->sched)) {
		lxfw_sched_destroy(fewer);
		return -1;
	}
	lxfw_sched_destroy(fewer);
	sched = lxfw_snapshot_restore(&origin->state, NULL, NULL);
	if (!sched && errno == ENOMEM)
		return -1;
	origin->known = sched != NULL;
	if (!sched)
		lxfw_array_rest_clear(&origin->rest);
	lxfw_sched_destroy(sched);
	return 0;
}

int lxfw_futures_run(const struct lxfw_futures *futures, int64_t *starts,
		     struct lxfw_error *error)
{
	struct all all = { .futures = futures, .starts = starts };
	const struct lxfw_pool pool = {
		.context = &all, .count = (size_t)futures->count,
		.threads = futures->threads, .work = run_one,
	};
	int result = find_origin(futures, &all.origin);

	all.origin.fork = lxfw_future_fork_at(futures, &all.origin);
	all.origin.shape = futures->make || lxfw_experience_of_all(futures->known->experience) ? 1 :
			   lxfw_ages_shape(futures->sched, futures->now);
	for (size_t i = 0; i < futures->watched_count * (size_t)futures->count; i++)
		starts[i] = LXFW_NEVER;
	for (size_t i = 0; i < futures->watched_count && result == 0; i++)
		result = lxfw_id_map_add(&all.watched, futures->watched[i], (int32_t)i);
	if (result)
		lxfw_error_set(error, "out of memory");
	for (int i = 0; i < futures->count && futures->threads == 1 && result == 0; i++)
		result = run_one(&all, (size_t)i, error);
	if (result == 0 && futures->threads > 1)
		result = lxfw_pool_carry_out(&pool, error);
	lxfw_id_map_clear(&all.watched);
	lxfw_snapshot_clear(&all.origin.state);
	lxfw_array_rest_clear(&all.origin.rest);
	return result;
}
