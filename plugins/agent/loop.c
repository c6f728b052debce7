/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include "plugins/agent/loop.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "plugins/agent/log.h"
#include "plugins/agent/pass.h"

#define POLL_MS 250
#define WORK_POLL_MS 50		/* while expected starts are computed */
#define IDLE_SECONDS 30		/* longest time between passes */
#define LOCK_BUDGET_US 60000
#define PAUSE_SHARE 10		/* pause after a pass, in times of its locks */
#define PAUSE_MIN_MS 20
#define PAUSE_MAX_MS 1250

#define STOP_SECONDS 3		/* time to wait for the thread's end */
#define LAST_LOOK_MS 1500	/* of that, time for a last look */
#define WATCH_MS 1000		/* interval between two looks of the watch */

/*
 * A thread and the signals it receives. A thread that does not stop in time, because a
 * decision takes long, is detached. The last user frees this structure.
 */
struct loop {
	pthread_mutex_t mutex;
	pthread_cond_t wake;
	bool stop, reconfigure, woken;
	struct timespec look_until;	/* valid if `stop`: no look may begin later */
	bool ended;		/* the thread will not access this any more */
	bool left;		/* the thread is detached */
	bool opened;		/* an agent was created, by this thread or one before */
	bool let_go;		/* `stop` was set by the watch, see loop.h */
	bool quit;		/* the watch must end */
	const char *step;	/* at which the thread works; NULL: it waits, for the
				   workload manager's locks for instance */
	uint32_t steps;		/* number of steps begun or ended */
	pthread_t thread, watch;
	bool started, watched;	/* `thread`, `watch` must be joined */
	bool watch_over;	/* the watch will not access this any more */
	bool watch_left;	/* the watch is detached */
	int users;		/* lxfw_loop_stop() and detached threads */
	pthread_cond_t tick;	/* wakes the watch */
	/* Only the watch accesses these. */
	uint32_t seen_steps;	/* `steps` when it last looked */
	unsigned int stalled_ms;	/* how long it has seen the same step */
	struct lxfw_let_go state;	/* of the last pass; protected by the mutex */
	const struct lxfw_service *service;
	struct lxfw_agent_counts total;	/* set when the thread has ended */
};

static pthread_mutex_t current_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct loop *current;

static struct timespec time_from_now(unsigned int ms)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += ms / 1000;
	until.tv_nsec += (long)(ms % 1000) * 1000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	return until;
}

/* Waits until MS milliseconds have passed or the configuration has been read. Returns
   true if the thread must stop. */
static bool rest(struct loop *loop, unsigned int ms)
{
	struct timespec until = time_from_now(ms);
	bool stop;

	pthread_mutex_lock(&loop->mutex);
	while (!loop->stop && !loop->reconfigure &&
	       pthread_cond_timedwait(&loop->wake, &loop->mutex, &until) == 0)
		;
	stop = loop->stop;
	pthread_mutex_unlock(&loop->mutex);
	return stop;
}

static bool stopping(void *argument)
{
	struct loop *loop = argument;
	bool stop;

	pthread_mutex_lock(&loop->mutex);
	stop = loop->stop;
	pthread_mutex_unlock(&loop->mutex);
	return stop;
}

static bool is_past(const struct timespec *until)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec > until->tv_sec ||
	       (now.tv_sec == until->tv_sec && now.tv_nsec >= until->tv_nsec);
}

/* Whether there is no time left for the last look. */
static bool no_time_left(void *argument)
{
	struct loop *loop = argument;
	bool over;

	pthread_mutex_lock(&loop->mutex);
	over = loop->left || loop->let_go ||
	       (loop->stop && is_past(&loop->look_until));
	pthread_mutex_unlock(&loop->mutex);
	return over;
}

/* Records the step at which the thread works, which must not take long; NULL: it waits. */
static void set_step(void *argument, const char *step)
{
	struct loop *loop = argument;

	pthread_mutex_lock(&loop->mutex);
	loop->step = step;
	loop->steps++;
	pthread_mutex_unlock(&loop->mutex);
}

/* The workload manager schedules by itself, or has stopped the plugin: another process may
   be in control. */
static bool abandoned(void *argument)
{
	struct loop *loop = argument;
	bool is;

	pthread_mutex_lock(&loop->mutex);
	is = loop->let_go || loop->left;
	pthread_mutex_unlock(&loop->mutex);
	return is;
}

static bool take_reconfigure(struct loop *loop)
{
	bool asked;

	pthread_mutex_lock(&loop->mutex);
	asked = loop->reconfigure;
	loop->reconfigure = false;
	pthread_mutex_unlock(&loop->mutex);
	return asked;
}

static void tell_totals(const struct lxfw_service *service,
			const struct lxfw_agent_counts *total)
{
	if (total->passes == 0)
		return;
	lxfw_log_verbose("%"PRIu64" passes, %"PRIu64" jobs started, %"PRIu64" refusals, %"PRIu64" jobs left to %s started, books made %"PRIu64" times; locks held %.1f s in all, %.1f ms at most; deciding took %.1f s",
			 total->passes, total->starts, total->refusals,
			 total->offers, service->name, total->rebuilds,
			 (double)total->lock_us / 1e6,
			 (double)total->longest_lock_us / 1e3,
			 (double)total->decide_us / 1e6);
}

/* --- the thread -------------------------------------------------------------------- */

/* Returns the pause after a pass. A pass that ended early is not repeated soon. */
static unsigned int pause_ms(const struct lxfw_agent *agent, bool complete)
{
	uint64_t held_us = agent->counts.sync_us + agent->counts.act_us;
	uint64_t ms = PAUSE_SHARE * held_us / 1000;

	if (!complete && ms < POLL_MS)
		return POLL_MS;
	if (ms < PAUSE_MIN_MS)
		return PAUSE_MIN_MS;
	return ms > PAUSE_MAX_MS ? PAUSE_MAX_MS : (unsigned int)ms;
}

static bool is_stirred(const struct lxfw_agent *agent)
{
	return agent->wlm->stirred && agent->wlm->stirred(agent->context);
}

static bool is_due(const struct lxfw_agent *agent, int64_t last, int64_t now)
{
	return !agent->wlm->changed || agent->wlm->changed(agent->context) ||
	       is_stirred(agent) || now >= agent->wake ||
	       now - last >= IDLE_SECONDS || now < last || agent->stale ||
	       agent->rebuild;
}

/* Waits until the thread is woken, at UNTIL at the latest. Returns false if the thread
   was woken by lxfw_loop_wake() only. */
static bool await_wake(struct loop *loop, const struct timespec *until)
{
	bool over = false;

	pthread_mutex_lock(&loop->mutex);
	while (!loop->stop && !loop->reconfigure && !loop->woken && !over)
		over = pthread_cond_timedwait(&loop->wake, &loop->mutex, until);
	over |= loop->stop || loop->reconfigure;
	loop->woken = false;
	pthread_mutex_unlock(&loop->mutex);
	return over;
}

/* Waits for a change that a pass must handle at once, but not longer than POLL_MS.
   Returns true if the thread must stop. */
static bool await_change(struct loop *loop, const struct lxfw_agent *agent)
{
	struct timespec until = time_from_now(lxfw_estimates_in_progress(agent) ?
					      WORK_POLL_MS : POLL_MS);

	while (!is_stirred(agent) && !await_wake(loop, &until))
		;
	return stopping(loop);
}

static void work_on_estimates(struct loop *loop, struct lxfw_agent *agent)
{
	set_step(loop, "computing expected starts");
	lxfw_estimates_work(agent);
	set_step(loop, NULL);
}

static bool make_pass(struct loop *loop, struct lxfw_agent *agent)
{
	bool usable;

	set_step(loop, "preparing a pass");
	usable = lxfw_agent_pass(agent);
	pthread_mutex_lock(&loop->mutex);
	lxfw_let_go_note(&loop->state, agent);
	pthread_mutex_unlock(&loop->mutex);
	if (usable)
		work_on_estimates(loop, agent);
	set_step(loop, NULL);
	return usable;
}

static void make_passes(struct loop *loop, struct lxfw_agent *agent)
{
	int64_t last = 0;

	while (!await_change(loop, agent)) {
		int64_t now = lxfw_agent_now(agent);
		uint64_t passes = agent->total.passes;

		if (take_reconfigure(loop)) {
			tell_totals(loop->service, &agent->total);
			loop->service->reconfigure(agent);
			set_step(loop, NULL);
			last = 0;
		}
		if (!loop->service->may_run()) {
			if (rest(loop, POLL_MS))
				break;
			continue;
		}
		if (!is_due(agent, last, now)) {
			lxfw_meter_between(agent, now);
			work_on_estimates(loop, agent);
			continue;
		}
		last = now;
		if (!make_pass(loop, agent))
			break;
		if (rest(loop, pause_ms(agent, agent->total.passes > passes)))
			break;
	}
}

static void work(struct loop *loop)
{
	struct lxfw_agent *agent = loop->service->open(stopping, loop);

	if (!agent)
		return;
	pthread_mutex_lock(&loop->mutex);
	loop->opened = true;
	pthread_mutex_unlock(&loop->mutex);
	agent->stopping = stopping;
	agent->step = set_step;
	agent->abandoned = abandoned;
	agent->loop = loop;
	agent->budget_us = LOCK_BUDGET_US;
	make_passes(loop, agent);
	agent->stopping = no_time_left;
	if (loop->service->may_look && loop->service->may_look() && !no_time_left(loop))
		lxfw_agent_last_look(agent);
	set_step(loop, NULL);
	loop->total = agent->total;
	loop->service->close(agent);
}

static void free_loop(struct loop *loop)
{
	pthread_cond_destroy(&loop->tick);
	pthread_cond_destroy(&loop->wake);
	pthread_mutex_destroy(&loop->mutex);
	free(loop);
}

/* A user has finished. Call with the mutex, which is released. */
static void leave(struct loop *loop)
{
	bool last = --loop->users == 0;

	pthread_mutex_unlock(&loop->mutex);
	if (last)
		free_loop(loop);
}

static void *loop_main(void *argument)
{
	struct loop *loop = argument;
	bool stop = false;

	(void)prctl(PR_SET_NAME, "lxfw", NULL, NULL, NULL);
	/* The workload manager may not be ready yet. */
	while (!stop && !loop->service->may_run()) {
		(void)take_reconfigure(loop);
		stop = rest(loop, POLL_MS);
	}
	if (!stop)
		work(loop);
	pthread_mutex_lock(&loop->mutex);
	loop->ended = true;
	pthread_cond_broadcast(&loop->wake);
	if (loop->left)
		leave(loop);
	else
		pthread_mutex_unlock(&loop->mutex);
	return NULL;
}

/* Prevents the plugin's code from being unmapped when the plugin is unloaded. */
static void stay_in_memory(void)
{
	Dl_info info;

	if (dladdr(&current, &info) && info.dli_fname)
		(void)dlopen(info.dli_fname, RTLD_NOW | RTLD_NODELETE);
}

/* --- the watch --------------------------------------------------------------------- */

/*
 * Called once in WATCH_MS. The time of a stall is that in which the watch itself has run: a
 * process that was stopped, or a machine that was suspended, has not stalled. Call with
 * the mutex.
 */
static void measure_stall(struct loop *loop)
{
	if (loop->step && loop->steps == loop->seen_steps)
		loop->stalled_ms += WATCH_MS;
	else
		loop->stalled_ms = 0;
	loop->seen_steps = loop->steps;
}

/* Returns true, with the reason in loop->state, if the workload manager must schedule by
   itself. Call with the mutex. */
static bool must_let_go(struct loop *loop)
{
	unsigned int limit = loop->service->stall_seconds();

	if (loop->stop || !loop->opened || limit == 0 ||
	    (!loop->ended && (loop->stalled_ms / 1000 < limit ||
			      loop->step == lxfw_step_locked)))
		return false;
	loop->state.reason = loop->ended ? LXFW_LET_GO_ENDED : LXFW_LET_GO_STALLED;
	loop->state.seconds = loop->stalled_ms / 1000;
	loop->state.step = loop->step;
	return true;
}

/* Logs a stall under locks, once. The workload manager could not schedule meanwhile. Call with
   the mutex, which is released meanwhile. */
static void tell_of_locks(struct loop *loop)
{
	unsigned int seconds = loop->stalled_ms / 1000;

	if (loop->step != lxfw_step_locked || seconds == 0 ||
	    seconds != loop->service->stall_seconds())
		return;
	pthread_mutex_unlock(&loop->mutex);
	lxfw_log_error("the scheduler's thread has held the locks of %s for %u s: no request is answered meanwhile",
		       loop->service->name, seconds);
	pthread_mutex_lock(&loop->mutex);
}

/* Lets go if necessary. Once `stop` is set, the thread carries out nothing any more: it does
   not hold the locks, and tests `stop` whenever it has taken them. Call with the mutex,
   which is released meanwhile. */
static void check_thread(struct loop *loop)
{
	struct lxfw_let_go state;

	if (!must_let_go(loop))
		return;
	loop->stop = true;
	loop->let_go = true;
	loop->reconfigure = false;
	state = loop->state;
	pthread_cond_broadcast(&loop->wake);
	pthread_mutex_unlock(&loop->mutex);
	lxfw_log_error("%s: %s schedules by itself until it is reconfigured",
		       lxfw_let_go_why(&state), loop->service->name);
	loop->service->fall_back(LXFW_FALL_BACK_BEGIN, &state);
	pthread_mutex_lock(&loop->mutex);
}

/* Starts the thread again. Call with the mutex, which is released meanwhile. */
static void take_back(struct loop *loop)
{
	bool started = loop->started;
	int rc;

	loop->reconfigure = false;
	if (!loop->ended) {
		/* Not with the mutex: a log may be on a disk that does not respond. */
		pthread_mutex_unlock(&loop->mutex);
		lxfw_log_error("the scheduler's thread still stalls: %s continues to schedule by itself",
			       loop->service->name);
		loop->service->fall_back(LXFW_FALL_BACK_RECONFIGURE, NULL);
		pthread_mutex_lock(&loop->mutex);
		return;
	}
	loop->started = false;
	pthread_mutex_unlock(&loop->mutex);
	loop->service->fall_back(LXFW_FALL_BACK_END, NULL);
	if (started)
		pthread_join(loop->thread, NULL);
	pthread_mutex_lock(&loop->mutex);
	if (loop->quit)
		return;
	loop->let_go = loop->stop = false;
	loop->step = NULL;
	loop->stalled_ms = 0;
	loop->state.last = 0;
	rc = pthread_create(&loop->thread, NULL, loop_main, loop);
	loop->started = rc == 0;
	loop->ended = rc != 0;	/* let go again */
	pthread_mutex_unlock(&loop->mutex);
	if (rc)
		lxfw_log_error("cannot start a thread: %s", strerror(rc));
	else
		lxfw_log_info("schedules again");
	pthread_mutex_lock(&loop->mutex);
}

static void *watch_main(void *argument)
{
	struct loop *loop = argument;

	(void)prctl(PR_SET_NAME, "lxfw_watch", NULL, NULL, NULL);
	pthread_mutex_lock(&loop->mutex);
	while (!loop->quit) {
		struct timespec until = time_from_now(WATCH_MS);
		bool early = pthread_cond_timedwait(&loop->tick, &loop->mutex, &until) == 0;

		if (loop->quit)
			break;
		if (!loop->let_go) {
			if (early)
				continue;
			measure_stall(loop);
			tell_of_locks(loop);
			check_thread(loop);
		} else if (loop->reconfigure) {
			take_back(loop);
		} else {
			pthread_mutex_unlock(&loop->mutex);
			loop->service->fall_back(LXFW_FALL_BACK_TICK, NULL);
			pthread_mutex_lock(&loop->mutex);
		}
	}
	loop->watch_over = true;
	pthread_cond_broadcast(&loop->wake);
	if (loop->watch_left)
		leave(loop);
	else
		pthread_mutex_unlock(&loop->mutex);
	return NULL;
}

static void start_watch(struct loop *loop)
{
	if (!loop->service->fall_back)
		return;
	loop->watched = pthread_create(&loop->watch, NULL, watch_main, loop) == 0;
	if (!loop->watched)
		lxfw_log_error("cannot start a thread: stalls are not noticed");
}

/*
 * Ends the watch before the thread, which it would take for a dead one. A watch that waits
 * for a disk is left. The workload manager's scheduler is always stopped: it accesses
 * tables that will be freed.
 */
static void stop_watch(struct loop *loop)
{
	struct timespec until = time_from_now(STOP_SECONDS * 1000);
	bool let_go, left;

	pthread_mutex_lock(&loop->mutex);
	loop->quit = true;
	loop->stop = true;
	loop->look_until = time_from_now(LAST_LOOK_MS);
	pthread_cond_broadcast(&loop->tick);
	pthread_cond_broadcast(&loop->wake);
	while (loop->watched && !loop->watch_over &&
	       pthread_cond_timedwait(&loop->wake, &loop->mutex, &until) == 0)
		;
	left = loop->watched && !loop->watch_over;
	loop->watch_left = left;
	loop->users += left;
	let_go = loop->let_go;
	if (left) {
		stay_in_memory();
		pthread_detach(loop->watch);
	}
	pthread_mutex_unlock(&loop->mutex);
	if (let_go)
		loop->service->fall_back(left ? LXFW_FALL_BACK_LEAVE : LXFW_FALL_BACK_END,
					 NULL);
	if (!left && loop->watched)
		pthread_join(loop->watch, NULL);
}

static struct loop *new_loop(const struct lxfw_service *service)
{
	struct loop *loop = calloc(1, sizeof(*loop));
	pthread_condattr_t attributes;

	if (!loop)
		return NULL;
	loop->service = service;
	loop->users = 1;
	pthread_mutex_init(&loop->mutex, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&loop->wake, &attributes);
	pthread_cond_init(&loop->tick, &attributes);
	pthread_condattr_destroy(&attributes);
	return loop;
}

int lxfw_loop_start(const struct lxfw_service *service)
{
	int rc = -1;

	pthread_mutex_lock(&current_mutex);
	if (!current) {
		current = new_loop(service);
		if (current)
			rc = pthread_create(&current->thread, NULL, loop_main,
					    current);
		if (rc) {
			lxfw_log_error("cannot start a thread: %s",
				       current ? strerror(rc) : "out of memory");
			if (current)
				free_loop(current);
			current = NULL;
		} else {
			current->started = true;
			start_watch(current);
		}
	}
	pthread_mutex_unlock(&current_mutex);
	return rc ? -1 : 0;
}

void lxfw_loop_stop(void)
{
	struct timespec until;
	struct loop *loop;
	pthread_t thread;
	bool ended, started;

	pthread_mutex_lock(&current_mutex);
	loop = current;
	current = NULL;
	pthread_mutex_unlock(&current_mutex);
	if (!loop)
		return;
	stop_watch(loop);
	until = time_from_now(STOP_SECONDS * 1000);
	pthread_mutex_lock(&loop->mutex);
	thread = loop->thread;
	started = loop->started;
	while (!loop->ended &&
	       pthread_cond_timedwait(&loop->wake, &loop->mutex, &until) == 0)
		;
	ended = loop->ended;
	loop->left = !ended;
	loop->users += !ended;
	if (!ended) {
		/* The thread is making a decision. It does not access the workload
		   manager when the decision is done. */
		stay_in_memory();
		pthread_detach(thread);
	}
	pthread_mutex_unlock(&loop->mutex);
	if (ended && started)
		pthread_join(thread, NULL);
	if (ended)
		tell_totals(loop->service, &loop->total);
	pthread_mutex_lock(&loop->mutex);
	leave(loop);
}

void lxfw_loop_wake(void)
{
	pthread_mutex_lock(&current_mutex);
	if (current) {
		pthread_mutex_lock(&current->mutex);
		current->woken = true;
		pthread_cond_broadcast(&current->wake);
		pthread_mutex_unlock(&current->mutex);
	}
	pthread_mutex_unlock(&current_mutex);
}

void lxfw_loop_reconfigure(void)
{
	pthread_mutex_lock(&current_mutex);
	if (current) {
		pthread_mutex_lock(&current->mutex);
		current->reconfigure = true;
		pthread_cond_broadcast(&current->wake);
		pthread_cond_broadcast(&current->tick);
		pthread_mutex_unlock(&current->mutex);
	}
	pthread_mutex_unlock(&current_mutex);
}
