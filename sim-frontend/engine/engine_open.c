/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Begins and ends of engines. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/explain.h"
#include "common/params/policy.h"
#include "sim-frontend/engine/engine_state.h"

bool lxfw_engine_counts_priority(const struct lxfw_params *params)
{
	return lxfw_params_read_priority(params);
}

struct lxfw_engine *lxfw_engine_open(const struct lxfw_world *world,
				     const struct lxfw_params *params,
				     enum lxfw_pass pass,
				     struct lxfw_journal_writer *journal,
				     struct lxfw_error *error)
{
	struct lxfw_engine *engine = calloc(1, sizeof(*engine));

	if (!engine) {
		lxfw_error_set(error, "out of memory");
		return NULL;
	}
	*engine = (struct lxfw_engine) {
		.world = world, .params = *params, .pass = pass,
		.journal = journal, .now = INT64_MIN, .wake = LXFW_NEVER,
		.interrupts = world->may_interrupt ||
			      lxfw_params_interrupt(params) ||
			      lxfw_policy_has(params->policy, LXFW_TRAIT_MOLDABLE),
		.progress.speedup = world->speedup,
		.progress.grows = lxfw_policy_has(params->policy, LXFW_TRAIT_MOLDABLE),
		.priorities = lxfw_engine_counts_priority(params) ?
			      world->priorities : NULL,
		.only_later = !world->may_interrupt &&
			      !lxfw_params_has(params,
					       LXFW_TRAIT_INTERRUPTS) &&
			      lxfw_params_interrupt(params),
		.sched = lxfw_sched_create(params),
	};
	if (!engine->sched) {
		lxfw_error_set(error, errno == EINVAL ?
			       "the policy is from a file that was not given, "
			       "expected --policy-file of 'lxfw simulate' or "
			       "'lxfw replay'" : "out of memory");
		goto failed;
	}
	if (world->other)
		engine->other = world->other(world->context);
	if (lxfw_submissions_begin(&engine->coming, world)) {
		lxfw_error_set(error, "out of memory");
		goto failed;
	}
	return engine;
failed:
	lxfw_engine_close(engine);
	return NULL;
}

struct lxfw_engine *lxfw_engine_resume(const struct lxfw_world *world,
				       const struct lxfw_run_moment *moment,
				       struct lxfw_sched *sched, void *model,
				       struct lxfw_error *error)
{
	struct lxfw_engine *engine = calloc(1, sizeof(*engine));

	if (!engine) {
		lxfw_sched_destroy(sched);
		if (model)
			world->priorities->close(model);
		lxfw_error_set(error, "out of memory");
		errno = ENOMEM;
		return NULL;
	}
	*engine = (struct lxfw_engine) {
		.world = world, .params = *lxfw_sched_params(sched), .sched = sched,
		.pass = LXFW_PASS_TIMESTAMP, .begun = true, .patient = true,
		.now = moment->now,
		.wake = moment->wake > moment->now ? moment->wake : moment->now,
		.priorities = model ? world->priorities : NULL, .model = model,
	};
	if (lxfw_submissions_begin(&engine->coming, world) == 0)
		return engine;
	lxfw_error_set(error, "out of memory");
	lxfw_engine_close(engine);
	return NULL;
}

/* Copies the ends and submissions. Returns 0, or -1 with errno ENOMEM. */
static int copy_coming(struct lxfw_engine *to, const struct lxfw_engine *from)
{
	const struct lxfw_submissions *coming = &from->coming;

	for (size_t i = coming->first; i < coming->count; i++) {
		if (lxfw_submissions_add(&to->coming, &coming->items[i].request,
					 coming->items[i].time))
			return -1;
	}
	to->ends.heap = malloc((from->ends.count + 1) * sizeof(*to->ends.heap));
	if (!to->ends.heap)
		return -1;
	to->ends.count = from->ends.count;
	to->ends.size = from->ends.count + 1;
	to->ends.added = from->ends.added;
	if (from->ends.count > 0)
		memcpy(to->ends.heap, from->ends.heap,
		       from->ends.count * sizeof(*to->ends.heap));
	return 0;
}

struct lxfw_engine *lxfw_engine_fork(const struct lxfw_engine *engine,
				     const struct lxfw_world *world, struct lxfw_sched *sched,
				     struct lxfw_error *error)
{
	const struct lxfw_run_moment moment = { .now = engine->now, .wake = engine->wake };
	struct lxfw_engine *fork = lxfw_engine_resume(world, &moment, sched, NULL, error);

	if (!fork || copy_coming(fork, engine) == 0)
		return fork;
	lxfw_error_set(error, "out of memory");
	lxfw_engine_close(fork);
	errno = ENOMEM;
	return NULL;
}

void lxfw_engine_close(struct lxfw_engine *engine)
{
	int saved = errno;

	if (!engine)
		return;
	if (engine->sched)
		lxfw_sched_destroy(engine->sched);
	lxfw_progress_clear(&engine->progress);
	lxfw_submissions_clear(&engine->coming);
	if (engine->model)
		engine->priorities->close(engine->model);
	free(engine->requeued);
	free(engine->ends.heap);
	free(engine);
	errno = saved;
}
