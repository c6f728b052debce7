/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/sched-lxfw/fall_back.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/params/policy.h"
#include "plugins/agent/quanta.h"
#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/compat/backfill.h"
#include "plugins/slurm/compat/compat.h"
#include "plugins/slurm/sched-lxfw/keep.h"

/* Ticks, of a second, after which suspended jobs should have resumed. */
#define PATIENCE 60

/* Only the watch accesses it, except for what `mutex` protects. */
static struct {
	pthread_mutex_t mutex;
	void *stock;		/* Slurm's plugin; protected */
	bool shadow, finished;	/* the plugin is to record only; has ended; protected */
	char *metrics;		/* path; protected */
	struct lxfw_bridge *bridge;	/* without a model; the thread's is in use */
	struct lxfw_keep keep;
	struct lxfw_meter meter;	/* its path only */
	enum lxfw_let_go_reason reason;
	bool stirred;
	unsigned int ticks;	/* in which suspended jobs were looked at */
} state = { .mutex = PTHREAD_MUTEX_INITIALIZER };

static atomic_uint limit;
static _Atomic int64_t quantum;	/* length, of the jobs in lxfw_quanta */
/* A step has been left that does not end. It keeps the rest of `state`. */
static atomic_bool closed;

void lxfw_fall_back_set(unsigned int seconds, int64_t quantum_seconds, const char *metrics,
			int length)
{
	limit = seconds;
	quantum = quantum_seconds;
	pthread_mutex_lock(&state.mutex);
	free(state.metrics);
	state.metrics = metrics ? strndup(metrics, (size_t)length) : NULL;
	pthread_mutex_unlock(&state.mutex);
}

unsigned int lxfw_fall_back_limit(void)
{
	return limit;
}

/* --- Slurm's scheduler ------------------------------------------------------------- */

static char *plugin_folders(void)
{
	slurmctld_lock_t read_config = { .conf = READ_LOCK };
	char *copy;

	lock_slurmctld(read_config);
	copy = strdup(slurm_conf.plugindir ? slurm_conf.plugindir : "");
	unlock_slurmctld(read_config);
	return copy;
}

/* Loads it if it is not loaded. Returns false if it cannot be found. */
static bool load_stock(const char *own_name)
{
	char *folders = plugin_folders();
	bool good;

	pthread_mutex_lock(&state.mutex);
	if (!closed && !state.finished && folders && !state.stock)
		state.stock = lxfw_backfill_load(folders, own_name, LXFW_SLURM_VERSION);
	good = state.stock || state.finished;
	pthread_mutex_unlock(&state.mutex);
	free(folders);
	return good;
}

/* Call with the mutex. */
static void unload(void)
{
	if (state.stock)
		lxfw_backfill_unload(state.stock);
	state.stock = NULL;
}

/* Nodes that it has planned jobs for keep this state until its next pass, which does not come. */
static void forget_plans(void)
{
	lock_slurmctld(lxfw_compat_locks);
	for (int i = 0; !closed && i < node_record_count; i++) {
		if (!node_record_table_ptr[i] ||
		    !(node_record_table_ptr[i]->node_state & NODE_STATE_PLANNED))
			continue;
		node_record_table_ptr[i]->node_state &= ~NODE_STATE_PLANNED;
		last_node_update = time(NULL);
	}
	unlock_slurmctld(lxfw_compat_locks);
}

/* Unloads it unless it schedules in shadow mode. */
static void unload_stock(void)
{
	bool unloads;

	pthread_mutex_lock(&state.mutex);
	unloads = state.stock && !state.shadow;
	if (unloads)
		unload();
	pthread_mutex_unlock(&state.mutex);
	if (unloads)
		forget_plans();
}

/* sched/backfill passes over jobs only if something has changed since its thread began. */
static void report_change(void)
{
	lock_slurmctld(lxfw_compat_locks);
	if (!closed)
		last_job_update = time(NULL);
	unlock_slurmctld(lxfw_compat_locks);
}

static void stir_stock(void)
{
	if (!state.stirred)
		report_change();
	state.stirred = true;
}

void lxfw_fall_back_shadow(bool on, const char *own_name)
{
	bool loaded;

	pthread_mutex_lock(&state.mutex);
	state.shadow = on && !state.finished;
	loaded = state.stock;
	if (loaded && on)
		lxfw_backfill_reconfigure(state.stock);
	pthread_mutex_unlock(&state.mutex);
	if (!on)
		unload_stock();
	if (!on || loaded)
		return;
	if (load_stock(own_name))
		info("sched/lxfw: shadow mode: Slurm's sched/backfill starts jobs, decisions are only recorded");
	else
		error("sched/lxfw: shadow mode: Slurm's sched/backfill cannot be loaded from PluginDir: only Slurm's main scheduler starts jobs");
	report_change();
}

void lxfw_fall_back_open(void)
{
	pthread_mutex_lock(&state.mutex);
	state.finished = false;
	pthread_mutex_unlock(&state.mutex);
}

void lxfw_fall_back_close(void)
{
	pthread_mutex_lock(&state.mutex);
	state.finished = true;
	state.shadow = false;
	unload();
	pthread_mutex_unlock(&state.mutex);
}

/* --- suspended jobs, the report and the metrics ---------------------------------------- */

static bool is_closed(void *unused)
{
	(void)unused;
	return closed;
}

static void open_bridge(void)
{
	struct lxfw_params params;

	lxfw_params_default(&params);
	params.quantum = quantum;
	state.bridge = calloc(1, sizeof(*state.bridge));
	if (!state.bridge) {
		error("sched/lxfw: out of memory: suspended jobs are not resumed");
		return;
	}
	lxfw_bridge_init(state.bridge, &params);
	state.bridge->agent.abandoned = is_closed;
}

/* Logs once that jobs are suspended for long: others run on their processors. */
static void tell_of_suspended(const struct lxfw_quanta_books *books)
{
	size_t count = 0;

	if (++state.ticks != PATIENCE)
		return;
	for (size_t i = 0; i < books->preempted_count; i++)
		count += books->preempted[i].resume;
	if (count > 0)
		error("sched/lxfw: %zu jobs that were suspended for others have not resumed: other jobs run on their processors",
		      count);
}

/* Resumes jobs whose processors are free. */
static void resume_suspended(struct lxfw_agent *agent)
{
	bool first = !agent->quanta.path;

	lxfw_quanta_load(agent);
	/* The thread may replace the file a last time, if it stalls while it does so. */
	agent->quanta.dirty |= first && agent->quanta.path;
	if (agent->quanta.preempted_count == 0 && agent->quanta.served_count == 0 &&
	    state.keep.count == 0)
		return;
	lxfw_agent_lock(agent);
	if (!closed) {
		lxfw_quanta_look(agent);
		if (agent->quanta.tell)
			(void)lxfw_quanta_tell(agent, UINT64_MAX);
		lxfw_keep_nodes(&state.keep, &agent->quanta);
	}
	(void)lxfw_agent_unlock(agent);
	tell_of_suspended(&agent->quanta);
	lxfw_quanta_save(agent);
}

static void write_report(const struct lxfw_let_go *why)
{
	slurmctld_lock_t read_config = { .conf = READ_LOCK };
	char *file = NULL;

	lock_slurmctld(read_config);
	if (slurm_conf.state_save_location)
		xstrfmtcat(file, "%s/lxfw_let_go", slurm_conf.state_save_location);
	unlock_slurmctld(read_config);
	if (file && !closed && lxfw_let_go_write(why, time(NULL), file) == 0)
		info("sched/lxfw: the state of the thread is in %s", file);
	else if (!closed)
		error("sched/lxfw: the state of the thread cannot be written: %m");
	xfree(file);
}

static void use_metrics(void)
{
	pthread_mutex_lock(&state.mutex);
	lxfw_meter_set(&state.meter, state.metrics,
		       state.metrics ? (int)strlen(state.metrics) : 0);
	pthread_mutex_unlock(&state.mutex);
}

/* --- steps -------------------------------------------------------------------------- */

/* Files come last: a disk may be the reason for the stall. */
static void begin(const struct lxfw_let_go *why, const char *own_name)
{
	if (!load_stock(own_name))
		error("sched/lxfw: Slurm's sched/backfill cannot be loaded from PluginDir: no job starts until slurmctld is restarted");
	if (closed)
		return;
	state.reason = why->reason;
	state.stirred = false;
	state.ticks = 0;
	if (why->reason == LXFW_LET_GO_STALLED)
		open_bridge();
	else
		error("sched/lxfw: jobs that are suspended for others stay so: see lxfw-recover");
	use_metrics();
	write_report(why);
}

static void tick(void)
{
	if (closed)
		return;
	stir_stock();
	if (state.bridge)
		resume_suspended(&state.bridge->agent);
	if (!closed)
		lxfw_meter_let_go(&state.meter, state.reason);
}

/* Slurm's scheduler reads its own parameters again. */
static void pass_on_configuration(void)
{
	pthread_mutex_lock(&state.mutex);
	if (state.stock)
		lxfw_backfill_reconfigure(state.stock);
	pthread_mutex_unlock(&state.mutex);
}

/* The thread reads lxfw_quanta again if it is started again. */
static void end(void)
{
	unload_stock();
	lock_slurmctld(lxfw_compat_locks);
	if (!closed)
		lxfw_keep_end(&state.keep);
	unlock_slurmctld(lxfw_compat_locks);
	if (state.bridge) {
		state.bridge->agent.quanta.dirty = state.bridge->agent.quanta.path;
		lxfw_quanta_save(&state.bridge->agent);
		lxfw_bridge_destroy(state.bridge);
	}
	free(state.bridge);
	state.bridge = NULL;
	lxfw_meter_clear(&state.meter);
}

void lxfw_fall_back(enum lxfw_fall_back step, const struct lxfw_let_go *why,
		    const char *own_name)
{
	switch (step) {
	case LXFW_FALL_BACK_BEGIN:
		begin(why, own_name);
		break;
	case LXFW_FALL_BACK_TICK:
		tick();
		break;
	case LXFW_FALL_BACK_RECONFIGURE:
		pass_on_configuration();
		break;
	case LXFW_FALL_BACK_END:
		end();
		break;
	case LXFW_FALL_BACK_LEAVE:
		closed = true;
		pthread_mutex_lock(&state.mutex);
		unload();
		pthread_mutex_unlock(&state.mutex);
		break;
	}
}
