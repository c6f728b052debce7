/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/sched-lxfw/agent.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/bridge/sanity.h"
#include "plugins/slurm/compat/compat.h"
#include "plugins/slurm/sched-lxfw/config.h"

#define POLL_MS 250
#define IDLE_SECONDS 30		/* a pass at least so often */
#define LOCK_BUDGET_US 500000
#define YIELD_US 20000		/* for others to take the locks */
#define ROUNDS_MAX 100
#define PAUSE_MAX_MS 1000

static struct {
	pthread_mutex_t mutex;
	pthread_cond_t wake;
	pthread_t thread;
	bool running;		/* the thread exists */
	bool stop, reconfigure;
} agent = { .mutex = PTHREAD_MUTEX_INITIALIZER };

/* What has been seen of the controller's tables. */
struct seen {
	time_t job, node, part, resv;
	time_t when;		/* they were looked at */
};

/* Until the agent is woken or MS have passed. True if it is to stop. */
static bool rest(unsigned int ms)
{
	struct timespec until;
	bool stop;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += ms / 1000;
	until.tv_nsec += (long)(ms % 1000) * 1000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	pthread_mutex_lock(&agent.mutex);
	while (!agent.stop && !agent.reconfigure &&
	       pthread_cond_timedwait(&agent.wake, &agent.mutex, &until) == 0)
		;
	stop = agent.stop;
	pthread_mutex_unlock(&agent.mutex);
	return stop;
}

static bool stopping(void)
{
	bool stop;

	pthread_mutex_lock(&agent.mutex);
	stop = agent.stop;
	pthread_mutex_unlock(&agent.mutex);
	return stop;
}

static bool take_reconfigure(void)
{
	bool asked;

	pthread_mutex_lock(&agent.mutex);
	asked = agent.reconfigure;
	agent.reconfigure = false;
	pthread_mutex_unlock(&agent.mutex);
	return asked;
}

/* --- locks ----------------------------------------------------------------------- */

static uint64_t locked_at;

static void lock(void)
{
	lxfw_bridge_lock();
	locked_at = lxfw_bridge_now_us();
}

static uint64_t unlock(struct lxfw_bridge *bridge)
{
	uint64_t held = lxfw_bridge_now_us() - locked_at;

	lxfw_bridge_unlock();
	if (held > bridge->total.longest_lock_us)
		bridge->total.longest_lock_us = held;
	bridge->total.lock_us += held;
	return held;
}

/* WORK in portions of the lock budget. */
static void work_under_locks(struct lxfw_bridge *bridge,
			     bool (*work)(struct lxfw_bridge *, uint64_t))
{
	bool done = false;

	while (!done && !stopping()) {
		lock();
		done = work(bridge, locked_at + LOCK_BUDGET_US);
		bridge->counts.act_us += unlock(bridge);
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

static bool sync_books(struct lxfw_bridge *bridge, struct seen *seen)
{
	bool good;

	lock();
	if (!fed_mgr_sibs_synced()) {
		unlock(bridge);
		return false;
	}
	good = lxfw_bridge_sync(bridge);
	look(seen);
	bridge->counts.sync_us = unlock(bridge);
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

	debug("sched/lxfw: pass %u: %zu waiting, %zu running; %u events, %u rounds, %u started, %u reserved, %u refused, %u deferred, %u of %u left to Slurm started; locks: sync %.1f ms, act %.1f ms; decide %.1f ms",
	      bridge->pass, bridge->decision.waiting, bridge->decision.running,
	      counts->events, counts->rounds, counts->started,
	      counts->reserved, counts->refused, counts->deferred,
	      counts->offered,
	      counts->leftovers, (double)counts->sync_us / 1e3,
	      (double)counts->act_us / 1e3, (double)counts->decide_us / 1e3);
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

/* False if the records make no sense: never touch them again. */
static bool pass(struct lxfw_bridge *bridge, struct seen *seen)
{
	lxfw_bridge_prepare(bridge);
	if (!bridge->sched)
		return true;
	if (!sync_books(bridge, seen))
		return bridge->usable;
	slurmctld_diag_stats.bf_active = 1;
	for (int round = 0; round < ROUNDS_MAX && !stopping(); round++) {
		if (!lxfw_bridge_decide(bridge))
			break;
		work_under_locks(bridge, lxfw_bridge_act);
		if (!bridge->refused_now || bridge->rebuild)
			break;
	}
	if (bridge->leftover_count > 0 && !bridge->rebuild)
		work_under_locks(bridge, lxfw_bridge_offer);
	lxfw_bridge_finish(bridge);
	slurmctld_diag_stats.bf_active = 0;
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

static bool begin(struct lxfw_bridge *bridge)
{
	struct lxfw_params params;
	bool good;

	lock();
	good = lxfw_sanity_check();
	unlock(bridge);
	if (!good)
		return false;
	lxfw_params_preset(&params, LXFW_POLICY_LXFW);
	lxfw_bridge_init(bridge, &params);
	lxfw_config_read(bridge);
	return true;
}

static void run(struct lxfw_bridge *bridge)
{
	struct seen seen = { 0 };
	time_t last = 0;

	while (!rest(POLL_MS)) {
		time_t now = time(NULL);

		if (take_reconfigure()) {
			tell_totals(bridge);
			lxfw_config_read(bridge);
			last = 0;
		}
		if (!may_schedule())
			continue;
		if (!has_changed(&seen) && now < bridge->wake &&
		    now - last < IDLE_SECONDS && now >= last &&
		    !bridge->stale && !bridge->rebuild)
			continue;
		last = now;
		if (!pass(bridge, &seen))
			break;
		if (rest(pause_ms(bridge)))
			break;
	}
}

static void *agent_main(void *unused)
{
	static struct lxfw_bridge bridge;

	(void)unused;
	(void)prctl(PR_SET_NAME, "lxfw", NULL, NULL, NULL);
	memset(&bridge, 0, sizeof(bridge));
	/* The controller is not ready before init() has returned. */
	while (!may_schedule()) {
		(void)take_reconfigure();
		if (rest(POLL_MS))
			return NULL;
	}
	if (!begin(&bridge))
		return NULL;
	run(&bridge);
	tell_totals(&bridge);
	lxfw_bridge_destroy(&bridge);
	return NULL;
}

int lxfw_agent_start(void)
{
	pthread_condattr_t attributes;
	int rc = 0;

	pthread_mutex_lock(&agent.mutex);
	if (agent.running) {
		pthread_mutex_unlock(&agent.mutex);
		return -1;
	}
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&agent.wake, &attributes);
	pthread_condattr_destroy(&attributes);
	agent.stop = false;
	agent.reconfigure = false;
	rc = pthread_create(&agent.thread, NULL, agent_main, NULL);
	agent.running = rc == 0;
	pthread_mutex_unlock(&agent.mutex);
	if (rc) {
		error("sched/lxfw: cannot start a thread: %s", strerror(rc));
		return -1;
	}
	return 0;
}

void lxfw_agent_stop(void)
{
	pthread_mutex_lock(&agent.mutex);
	if (!agent.running) {
		pthread_mutex_unlock(&agent.mutex);
		return;
	}
	agent.stop = true;
	pthread_cond_signal(&agent.wake);
	pthread_mutex_unlock(&agent.mutex);
	pthread_join(agent.thread, NULL);
	pthread_mutex_lock(&agent.mutex);
	agent.running = false;
	pthread_cond_destroy(&agent.wake);
	pthread_mutex_unlock(&agent.mutex);
}

void lxfw_agent_reconfigure(void)
{
	pthread_mutex_lock(&agent.mutex);
	agent.reconfigure = true;
	if (agent.running)
		pthread_cond_signal(&agent.wake);
	pthread_mutex_unlock(&agent.mutex);
}
