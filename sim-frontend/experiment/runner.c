/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/experiment/runner.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "sim-frontend/experiment/observer.h"
#include "sim-frontend/util/text.h"

#define THREADS_MAX 256

struct pool {
	struct lxfw_run *runs;
	size_t count;
	pthread_mutex_t lock;
	pthread_cond_t finished;
	/* under the lock */
	size_t next;
	size_t jobs_done;
	int working;		/* threads that have not ended */
	size_t failed;		/* the first run that failed; count = none */
	int failed_errno;
	struct lxfw_error error;
};

static double clock_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int lxfw_runs_threads(void)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	return online < 1 ? 1 : online > THREADS_MAX ? THREADS_MAX : (int)online;
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
	if (run->options.params.policy == LXFW_POLICY_EQSPATIAL)
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

/* The first of the list, not the first in time: the message is the same
   whichever thread was faster. */
static void note_failure(struct pool *pool, size_t index, int number,
			 const struct lxfw_error *error)
{
	if (index >= pool->failed)
		return;
	pool->failed = index;
	pool->failed_errno = number;
	pool->error = *error;
}

static void *work(void *argument)
{
	struct pool *pool = argument;

	pthread_mutex_lock(&pool->lock);
	/* Runs before the one that failed are still made: one of them may be
	   the first that does. */
	while (pool->next < pool->count && pool->next < pool->failed) {
		size_t index = pool->next++;
		struct lxfw_error error;
		int failed, number;

		pthread_mutex_unlock(&pool->lock);
		failed = carry_out(&pool->runs[index], &error);
		number = errno;
		pthread_mutex_lock(&pool->lock);
		if (failed)
			note_failure(pool, index, number, &error);
		pool->jobs_done += pool->runs[index].trace->count;
		pthread_cond_signal(&pool->finished);
	}
	pool->working--;
	pthread_cond_signal(&pool->finished);
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

/* Signals are for the calling thread, which may be about to remove files. */
static int create_thread(pthread_t *thread, struct pool *pool)
{
	sigset_t all, before;
	int failed;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	failed = pthread_create(thread, NULL, work, pool);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return failed;
}

static size_t count_jobs(const struct lxfw_run *runs, size_t count)
{
	size_t jobs = 0;

	for (size_t i = 0; i < count; i++)
		jobs += runs[i].trace->count;
	return jobs;
}

static void wait_for_all(struct pool *pool,
			 void (*progress)(size_t done, size_t all))
{
	size_t all = count_jobs(pool->runs, pool->count);

	pthread_mutex_lock(&pool->lock);
	while (pool->working > 0) {
		size_t done = pool->jobs_done;

		if (progress) {
			pthread_mutex_unlock(&pool->lock);
			progress(done, all);
			pthread_mutex_lock(&pool->lock);
		}
		if (pool->working > 0 && pool->jobs_done == done)
			pthread_cond_wait(&pool->finished, &pool->lock);
	}
	pthread_mutex_unlock(&pool->lock);
}

int lxfw_runs_carry_out(struct lxfw_run *runs, size_t count, int threads,
			void (*progress)(size_t done, size_t all),
			struct lxfw_error *error)
{
	struct pool pool = {
		.runs = runs, .count = count, .failed = count,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.finished = PTHREAD_COND_INITIALIZER,
	};
	pthread_t ids[THREADS_MAX];
	int created = 0;

	if (threads > THREADS_MAX)
		threads = THREADS_MAX;
	if ((size_t)threads > count)
		threads = (int)count;
	pool.working = threads;
	while (created < threads && create_thread(&ids[created], &pool) == 0)
		created++;
	pthread_mutex_lock(&pool.lock);
	pool.working -= threads - created;
	pthread_mutex_unlock(&pool.lock);
	if (created > 0) {
		wait_for_all(&pool, progress);
	} else if (count > 0) {
		pool.working = 1;
		work(&pool);
	}
	for (int i = 0; i < created; i++)
		pthread_join(ids[i], NULL);
	pthread_mutex_destroy(&pool.lock);
	pthread_cond_destroy(&pool.finished);
	if (pool.failed == count)
		return 0;
	if (error)
		*error = pool.error;
	errno = pool.failed_errno;
	return -1;
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
