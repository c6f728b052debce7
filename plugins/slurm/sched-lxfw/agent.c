/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include "plugins/slurm/sched-lxfw/agent.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/bridge/quanta.h"
#include "plugins/slurm/bridge/sanity.h"
#include "plugins/slurm/compat/compat.h"
#include "plugins/slurm/sched-lxfw/config.h"

#define POLL_MS 250
#define IDLE_SECONDS 30		/* a pass at least so often */
#define LOCK_BUDGET_US 500000
#define YIELD_US 20000		/* for others to take the locks */
#define ROUNDS_MAX 100
#define PAUSE_MAX_MS 1000

#define STOP_SECONDS 3		/* to wait for the thread's end */

/*
 * A thread and what it is told. If it does not end in time when it is to stop
 * (it may be deep in a decision), it is left to end by itself and to free this.
 */
struct agent {
	pthread_mutex_t mutex;
	pthread_cond_t wake;
	bool stop, reconfigure;
	bool ended;		/* it will not touch this any more */
	bool left;		/* nobody waits for its end */
	uint64_t locked_at;
	char *parameters;	/* as last read */
	struct lxfw_bridge bridge;
};

static pthread_mutex_t current_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct agent *current;
static pthread_t current_thread;

/* What has been seen of the controller's tables. */
struct seen {
	time_t job, node, part, resv;
	time_t when;		/* they were looked at */
};

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

/* Until the agent is woken or MS have passed. True if it is to stop. */
static bool rest(struct agent *agent, unsigned int ms)
{
	struct timespec until = time_from_now(ms);
	bool stop;

	pthread_mutex_lock(&agent->mutex);
	while (!agent->stop && !agent->reconfigure &&
	       pthread_cond_timedwait(&agent->wake, &agent->mutex, &until) == 0)
		;
	stop = agent->stop;
	pthread_mutex_unlock(&agent->mutex);
	return stop;
}

static bool stopping(struct agent *agent)
{
	bool stop;

	pthread_mutex_lock(&agent->mutex);
	stop = agent->stop;
	pthread_mutex_unlock(&agent->mutex);
	return stop;
}

static bool take_reconfigure(struct agent *agent)
{
	bool asked;

	pthread_mutex_lock(&agent->mutex);
	asked = agent->reconfigure;
	agent->reconfigure = false;
	pthread_mutex_unlock(&agent->mutex);
	return asked;
}

/* --- locks ----------------------------------------------------------------------- */

static void lock(struct agent *agent)
{
	lxfw_bridge_lock();
	agent->locked_at = lxfw_now_us();
}

static uint64_t unlock(struct agent *agent)
{
	struct lxfw_bridge_counts *total = &agent->bridge.total;
	uint64_t held = lxfw_now_us() - agent->locked_at;

	lxfw_bridge_unlock();
	if (held > total->longest_lock_us)
		total->longest_lock_us = held;
	total->lock_us += held;
	return held;
}

/* WORK in portions of the lock budget. */
static void work_under_locks(struct agent *agent,
			     bool (*work)(struct lxfw_bridge *, uint64_t))
{
	bool done = false;

	while (!done && !stopping(agent)) {
		lock(agent);
		if (!stopping(agent))
			done = work(&agent->bridge,
				    agent->locked_at + LOCK_BUDGET_US);
		agent->bridge.counts.act_us += unlock(agent);
		if (!done)
			usleep(YIELD_US);
	}
}

/* --- a pass ------------------------------------------------------------------------ */

static void look(struct seen *seen)
{
	seen->job = last_job_update;
	seen->node = last_node_update;
	seen->part = last_part_update;
	seen->resv = last_resv_update;
	seen->when = time(NULL);
}

/* Has something changed since? Times of change are whole seconds: what changed
   in the second of the last look is looked at again when that is over. */
static bool has_changed(const struct seen *seen)
{
	time_t now = time(NULL);
	bool touched;

	if (last_job_update != seen->job || last_node_update != seen->node ||
	    last_part_update != seen->part || last_resv_update != seen->resv)
		return true;
	touched = seen->job >= seen->when || seen->node >= seen->when ||
		  seen->part >= seen->when || seen->resv >= seen->when;
	return touched && now > seen->when;
}

static bool sync_books(struct agent *agent, struct seen *seen)
{
	bool good;

	lock(agent);
	/* It may have been a long wait. */
	if (stopping(agent) || !fed_mgr_sibs_synced()) {
		unlock(agent);
		return false;
	}
	good = lxfw_bridge_sync(&agent->bridge);
	look(seen);
	agent->bridge.counts.sync_us = unlock(agent);
	return good;
}

static void count_pass(const struct lxfw_bridge *bridge)
{
	const struct lxfw_pass_counts *counts = &bridge->counts;
	uint64_t us = counts->sync_us + counts->act_us;
	diag_stats_t *stats = &slurmctld_diag_stats;

	stats->bf_when_last_cycle = time(NULL);
	stats->bf_cycle_counter++;
	stats->bf_cycle_last = (uint32_t)us;
	stats->bf_cycle_sum += us;
	if (us > stats->bf_cycle_max)
		stats->bf_cycle_max = (uint32_t)us;
	stats->bf_last_depth = counts->jobs + counts->leftovers;
	stats->bf_depth_sum += stats->bf_last_depth;
	stats->bf_last_depth_try =
		counts->started + counts->refused + counts->offered;
	stats->bf_depth_try_sum += stats->bf_last_depth_try;
	stats->bf_table_size = counts->reserved;
	stats->bf_table_size_sum += counts->reserved;
}

static void tell_of_pass(const struct lxfw_bridge *bridge)
{
	const struct lxfw_pass_counts *counts = &bridge->counts;

	debug("sched/lxfw: pass %u: %zu waiting, %zu running; %u events, %u rounds, %u started, %u resized, %u reserved, %u refused, %u deferred, %u of %u left to Slurm started; locks: sync %.1f ms, act %.1f ms; decide %.1f ms; processor time %.1f ms",
	      bridge->pass, bridge->decision.waiting, bridge->decision.running,
	      counts->events, counts->rounds, counts->started,
	      counts->resized, counts->reserved, counts->refused, counts->deferred,
	      counts->offered,
	      counts->leftovers, (double)counts->sync_us / 1e3,
	      (double)counts->act_us / 1e3, (double)counts->decide_us / 1e3,
	      (double)counts->cpu_us / 1e3);
}

static void tell_totals(const struct lxfw_bridge *bridge)
{
	const struct lxfw_bridge_counts *total = &bridge->total;

	if (total->passes == 0)
		return;
	verbose("sched/lxfw: %"PRIu64" passes, %"PRIu64" jobs started, %"PRIu64" refusals, %"PRIu64" jobs left to Slurm started, books made %"PRIu64" times; locks held %.1f s in all, %.1f ms at most; deciding took %.1f s",
		total->passes, total->starts, total->refusals, total->offers,
		total->rebuilds, (double)total->lock_us / 1e6,
		(double)total->longest_lock_us / 1e3,
		(double)total->decide_us / 1e6);
}

/* Of this thread. */
static uint64_t processor_time_us(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

/* False if the records make no sense: never touch them again. */
static bool pass(struct agent *agent, struct seen *seen)
{
	struct lxfw_bridge *bridge = &agent->bridge;
	uint64_t before = processor_time_us();

	lxfw_bridge_prepare(bridge);
	if (!bridge->sched)
		return true;
	if (!sync_books(agent, seen))
		return bridge->usable;
	slurmctld_diag_stats.bf_active = 1;
	for (int round = 0; round < ROUNDS_MAX && !stopping(agent); round++) {
		if (!lxfw_bridge_decide(bridge))
			break;
		work_under_locks(agent, lxfw_bridge_act);
		lxfw_bridge_save(bridge);
		if (!bridge->refused_now || bridge->rebuild)
			break;
	}
	if (stopping(agent)) {
		slurmctld_diag_stats.bf_active = 0;
		return true;
	}
	if (bridge->leftover_count > 0 && !bridge->rebuild)
		work_under_locks(agent, lxfw_bridge_offer);
	if (bridge->quanta.tell)
		work_under_locks(agent, lxfw_quanta_tell);
	lxfw_bridge_finish(bridge);
	slurmctld_diag_stats.bf_active = 0;
	bridge->counts.cpu_us = processor_time_us() - before;
	count_pass(bridge);
	tell_of_pass(bridge);
	return true;
}

/* --- the thread -------------------------------------------------------------------- */

static bool may_schedule(void)
{
	return !slurmctld_config.scheduling_disabled &&
	       !slurmctld_config.shutdown_time;
}

/* Pause after a pass so that the locks are ours for a third of the time at
   most. */
static unsigned int pause_ms(const struct lxfw_bridge *bridge)
{
	uint64_t ms = 2 * (bridge->counts.sync_us + bridge->counts.act_us) /
		      1000;

	return ms > PAUSE_MAX_MS ? PAUSE_MAX_MS : (unsigned int)ms;
}

static bool begin(struct agent *agent)
{
	struct lxfw_params params;
	bool good;

	lock(agent);
	good = !stopping(agent) && lxfw_sanity_check("sched/lxfw");
	unlock(agent);
	if (!good)
		return false;
	lxfw_params_preset(&params, LXFW_POLICY_LXFW);
	lxfw_bridge_init(&agent->bridge, &params);
	agent->parameters = lxfw_config_read(&agent->bridge, NULL);
	return true;
}

static bool is_due(const struct lxfw_bridge *bridge, const struct seen *seen,
		   time_t last, time_t now)
{
	return has_changed(seen) || now >= bridge->wake ||
	       now - last >= IDLE_SECONDS || now < last || bridge->stale ||
	       bridge->rebuild;
}

static void run(struct agent *agent)
{
	struct lxfw_bridge *bridge = &agent->bridge;
	struct seen seen = { 0 };
	time_t last = 0;

	while (!rest(agent, POLL_MS)) {
		time_t now = time(NULL);

		if (take_reconfigure(agent)) {
			tell_totals(bridge);
			agent->parameters =
				lxfw_config_read(bridge, agent->parameters);
			last = 0;
		}
		if (!may_schedule() || !is_due(bridge, &seen, last, now))
			continue;
		last = now;
		if (!pass(agent, &seen) || rest(agent, pause_ms(bridge)))
			break;
	}
}

static void free_agent(struct agent *agent)
{
	pthread_cond_destroy(&agent->wake);
	pthread_mutex_destroy(&agent->mutex);
	free(agent->parameters);
	free(agent);
}

static void *agent_main(void *argument)
{
	struct agent *agent = argument;
	bool stop = false, left;

	(void)prctl(PR_SET_NAME, "lxfw", NULL, NULL, NULL);
	/* The controller is not ready before init() has returned. */
	while (!stop && !may_schedule()) {
		(void)take_reconfigure(agent);
		stop = rest(agent, POLL_MS);
	}
	if (!stop && begin(agent)) {
		run(agent);
		lxfw_bridge_destroy(&agent->bridge);
	}
	pthread_mutex_lock(&agent->mutex);
	agent->ended = true;
	left = agent->left;
	pthread_cond_broadcast(&agent->wake);
	pthread_mutex_unlock(&agent->mutex);
	if (left)
		free_agent(agent);
	return NULL;
}

static struct agent *new_agent(void)
{
	struct agent *agent = calloc(1, sizeof(*agent));
	pthread_condattr_t attributes;

	if (!agent)
		return NULL;
	pthread_mutex_init(&agent->mutex, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&agent->wake, &attributes);
	pthread_condattr_destroy(&attributes);
	return agent;
}

int lxfw_agent_start(void)
{
	int rc = -1;

	pthread_mutex_lock(&current_mutex);
	if (!current) {
		current = new_agent();
		if (current)
			rc = pthread_create(&current_thread, NULL, agent_main,
					    current);
		if (rc) {
			error("sched/lxfw: cannot start a thread: %s",
			      current ? strerror(rc) : "out of memory");
			if (current)
				free_agent(current);
			current = NULL;
		}
	}
	pthread_mutex_unlock(&current_mutex);
	return rc ? -1 : 0;
}

/* Keep this code where it is when the plugin is unloaded. */
static void stay_in_memory(void)
{
	Dl_info info;

	if (dladdr(&current, &info) && info.dli_fname)
		(void)dlopen(info.dli_fname, RTLD_NOW | RTLD_NODELETE);
}

void lxfw_agent_stop(void)
{
	struct timespec until = time_from_now(STOP_SECONDS * 1000);
	struct agent *agent;
	bool ended;

	pthread_mutex_lock(&current_mutex);
	agent = current;
	current = NULL;
	pthread_mutex_unlock(&current_mutex);
	if (!agent)
		return;
	pthread_mutex_lock(&agent->mutex);
	agent->stop = true;
	pthread_cond_broadcast(&agent->wake);
	while (!agent->ended &&
	       pthread_cond_timedwait(&agent->wake, &agent->mutex, &until) == 0)
		;
	ended = agent->ended;
	if (!ended)
		stay_in_memory();
	agent->left = !ended;
	pthread_mutex_unlock(&agent->mutex);
	if (ended) {
		pthread_join(current_thread, NULL);
		tell_totals(&agent->bridge);
		free_agent(agent);
	} else {
		/* It is in the middle of a decision, and touches nothing of
		   Slurm's when that is over. */
		pthread_detach(current_thread);
	}
}

void lxfw_agent_reconfigure(void)
{
	pthread_mutex_lock(&current_mutex);
	if (current) {
		pthread_mutex_lock(&current->mutex);
		current->reconfigure = true;
		pthread_cond_broadcast(&current->wake);
		pthread_mutex_unlock(&current->mutex);
	}
	pthread_mutex_unlock(&current_mutex);
}
