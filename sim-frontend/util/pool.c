/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/util/pool.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define THREADS_MAX 256

/* Interval between calls of stop(), ns. */
#define LOOK_EVERY 100000000

struct state {
	const struct lxfw_pool *pool;
	pthread_mutex_t lock;
	pthread_cond_t finished;
	/* The following members are protected by `lock`. */
	size_t next;
	size_t *over;		/* completed tasks in order of completion */
	size_t over_count;
	int working;		/* number of threads still running */
	bool stopped;
	bool broken_off;	/* a task was interrupted */
	size_t failed;		/* first failed task of the list; count: none */
	int failed_errno;
	struct lxfw_error error;
};

int lxfw_pool_threads(void)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	return online < 1 ? 1 : online > THREADS_MAX ? THREADS_MAX : (int)online;
}

/* Keeps the failure that is first in the list, so that the message does not depend on
   timing. */
static void note_failure(struct state *state, size_t task, int number,
			 const struct lxfw_error *error)
{
	if (task >= state->failed)
		return;
	state->failed = task;
	state->failed_errno = number;
	state->error = *error;
}

static void *work(void *argument)
{
	struct state *state = argument;
	const struct lxfw_pool *pool = state->pool;

	pthread_mutex_lock(&state->lock);
	/* Tasks before the failed one are still executed: one of them may fail as well
	   and be the first of the list. */
	while (!state->stopped && state->next < pool->count &&
	       state->next < state->failed) {
		size_t task = state->next++;
		struct lxfw_error error;
		int failed, number;

		pthread_mutex_unlock(&state->lock);
		failed = pool->work(pool->context, task, &error);
		number = errno;
		pthread_mutex_lock(&state->lock);
		if (failed && number == ECANCELED)
			state->stopped = state->broken_off = true;
		else if (failed)
			note_failure(state, task, number, &error);
		else
			state->over[state->over_count++] = task;
		pthread_cond_signal(&state->finished);
	}
	state->working--;
	pthread_cond_signal(&state->finished);
	pthread_mutex_unlock(&state->lock);
	return NULL;
}

/* Signals are delivered to the calling thread only, which may remove files. */
static int create_thread(pthread_t *thread, struct state *state)
{
	sigset_t all, before;
	int failed;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	failed = pthread_create(thread, NULL, work, state);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return failed;
}

/* Waits until a task completes, for at most LOOK_EVERY. */
static void wait_a_little(struct state *state)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += LOOK_EVERY;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	pthread_cond_timedwait(&state->finished, &state->lock, &until);
}

/* Reports completed tasks. Called with the lock held; releases it during each call of
   over(). */
static void tell(struct state *state, size_t *told)
{
	const struct lxfw_pool *pool = state->pool;

	while (*told < state->over_count) {
		size_t task = state->over[(*told)++];

		pthread_mutex_unlock(&state->lock);
		if (pool->over)
			pool->over(pool->context, task);
		pthread_mutex_lock(&state->lock);
	}
}

static void wait_for_all(struct state *state)
{
	const struct lxfw_pool *pool = state->pool;
	size_t told = 0;

	pthread_mutex_lock(&state->lock);
	while (state->working > 0) {
		tell(state, &told);
		if (pool->stop && pool->stop(pool->context))
			state->stopped = true;
		if (state->working > 0 && told == state->over_count)
			wait_a_little(state);
	}
	tell(state, &told);
	pthread_mutex_unlock(&state->lock);
}

/* Executes all tasks on the calling thread, if no thread could be created. */
static void work_alone(struct state *state)
{
	const struct lxfw_pool *pool = state->pool;

	for (size_t task = 0; task < pool->count; task++) {
		struct lxfw_error error;

		state->stopped = pool->stop && pool->stop(pool->context);
		if (state->stopped)
			break;
		state->next = task + 1;
		if (pool->work(pool->context, task, &error)) {
			state->broken_off = errno == ECANCELED;
			if (!state->broken_off)
				note_failure(state, task, errno, &error);
			break;
		}
		if (pool->over)
			pool->over(pool->context, task);
	}
}

static void begin_and_wait(struct state *state)
{
	int threads = state->pool->threads, created = 0;
	pthread_t ids[THREADS_MAX];

	if (threads > THREADS_MAX)
		threads = THREADS_MAX;
	if ((size_t)threads > state->pool->count)
		threads = (int)state->pool->count;
	state->working = threads;
	while (created < threads && create_thread(&ids[created], state) == 0)
		created++;
	pthread_mutex_lock(&state->lock);
	state->working -= threads - created;
	pthread_mutex_unlock(&state->lock);
	if (created > 0)
		wait_for_all(state);
	else
		work_alone(state);
	for (int i = 0; i < created; i++)
		pthread_join(ids[i], NULL);
}

int lxfw_pool_carry_out(const struct lxfw_pool *pool, struct lxfw_error *error)
{
	struct state state = {
		.pool = pool, .failed = pool->count,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.finished = PTHREAD_COND_INITIALIZER,
	};

	/* Short tasks may all be over before the first look of the calling thread. */
	if (pool->count > 0 && pool->stop && pool->stop(pool->context))
		return 1;
	state.over = malloc((pool->count + 1) * sizeof(*state.over));
	if (!state.over) {
		if (error)
			lxfw_error_set(error, "out of memory");
		errno = ENOMEM;
		return -1;
	}
	begin_and_wait(&state);
	free(state.over);
	pthread_mutex_destroy(&state.lock);
	pthread_cond_destroy(&state.finished);
	if (state.failed < pool->count) {
		if (error)
			*error = state.error;
		errno = state.failed_errno;
		return -1;
	}
	return state.broken_off || (state.stopped && state.next < pool->count);
}
