/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/experiment/runner.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "common/params/policy.h"
#include "sim-frontend/experiment/observer.h"
#include "sim-frontend/util/pool.h"
#include "sim-frontend/util/text.h"

static double clock_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int take_results(struct lxfw_run *run, const struct lxfw_simulation *sim,
			struct lxfw_observer *observer)
{
	size_t count = run->trace->count;

	run->waits = malloc((count + 1) * sizeof(*run->waits));
	if (!run->waits || observer->failed) {
		errno = ENOMEM;
		return -1;
	}
	run->preemptions = run->requeues = 0;
	for (size_t i = 0; i < count; i++) {
		const struct lxfw_trace_job *job = &run->trace->jobs[i];

		run->waits[i] = sim->ends[i] - job->submit -
				lxfw_simulation_run_time(&run->options, job);
		run->preemptions += lxfw_simulation_preemptions(sim, i);
		run->requeues += lxfw_simulation_requeues(sim, i);
	}
	if (run->until > run->from)
		run->held = lxfw_observer_held(observer, run->cluster,
					       sim->starts, sim->ends, run->from,
					       run->until);
	run->events = sim->result.events;
	run->at_once = observer->at_once;
	observer->at_once = NULL;
	return 0;
}

static int carry_out(struct lxfw_run *run, struct lxfw_error *error)
{
	struct lxfw_observer observer;
	struct lxfw_simulation sim = {
		.trace = run->trace, .cluster = run->cluster,
		.classes = run->classes, .options = &run->options,
		.observe = lxfw_observer_see,
		.observer = &observer,
	};
	double begun = clock_seconds();
	int failed, saved;

	lxfw_error_set(error, "out of memory");
	failed = lxfw_observer_begin(&observer, run->trace, run->cluster);
	if (lxfw_policy_has(run->options.params.policy, LXFW_TRAIT_ADAPTIVE))
		observer.grace = run->options.params.eq_min_interval;
	failed = failed || lxfw_simulation_run(&sim, NULL, error);
	if (!failed) {
		lxfw_error_set(error, "out of memory");
		failed = take_results(run, &sim, &observer);
	}
	saved = errno;
	if (failed) {
		struct lxfw_error reason = *error;

		lxfw_error_format(error, "%s: %s", run->label, reason.text);
	}
	lxfw_observer_end(&observer);
	lxfw_simulation_clear(&sim);
	run->seconds = clock_seconds() - begun;
	errno = saved;
	return failed;
}

struct batch {
	struct lxfw_run *runs;
	size_t jobs_done, jobs;
	void (*progress)(size_t done, size_t all);
};

static int run_one(void *context, size_t index, struct lxfw_error *error)
{
	struct batch *batch = context;

	return carry_out(&batch->runs[index], error);
}

static void run_over(void *context, size_t index)
{
	struct batch *batch = context;

	batch->jobs_done += batch->runs[index].trace->count;
	if (batch->progress)
		batch->progress(batch->jobs_done, batch->jobs);
}

int lxfw_runs_carry_out(struct lxfw_run *runs, size_t count, int threads,
			void (*progress)(size_t done, size_t all),
			struct lxfw_error *error)
{
	struct batch batch = { .runs = runs, .progress = progress };
	const struct lxfw_pool pool = {
		.context = &batch, .count = count, .threads = threads,
		.work = run_one, .over = run_over,
	};

	for (size_t i = 0; i < count; i++)
		batch.jobs += runs[i].trace->count;
	return lxfw_pool_carry_out(&pool, error) < 0 ? -1 : 0;
}

void lxfw_runs_clear(struct lxfw_run *runs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(runs[i].waits);
		free(runs[i].at_once);
		runs[i].waits = NULL;
		runs[i].at_once = NULL;
	}
}
