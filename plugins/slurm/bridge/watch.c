/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/watch.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/agent/mirror.h"
#include "plugins/slurm/bridge/aside.h"
#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/bridge/known.h"
#include "plugins/slurm/bridge/limit.h"
#include "plugins/slurm/bridge/tasks.h"
#include "plugins/slurm/bridge/watch_mark.h"

/* Entries are chosen one after the other. The library's jobs of those that come this much
   later are fetched into the cache meanwhile. */
#define AHEAD 8

/* --- entries ---------------------------------------------------------------------- */

struct lxfw_watched *lxfw_watch_find(const struct lxfw_watch *watch, uint32_t job_id)
{
	int32_t index = lxfw_id_map_get(&watch->by_id, job_id);

	return index < 0 ? NULL : &watch->job[index];
}

/* Returns the entry of a job, which is created if necessary, or NULL when memory runs out.
   Most jobs follow the one that was found before. */
static struct lxfw_watched *enter(struct lxfw_watch *watch, uint32_t job_id)
{
	struct lxfw_watched *entry;
	int32_t index = (int32_t)watch->next;

	if (watch->next >= watch->count || watch->job[index].job_id != job_id)
		index = lxfw_id_map_get(&watch->by_id, job_id);
	if (index >= 0) {
		watch->next = (size_t)index + 1;
		return &watch->job[index];
	}
	if (LXFW_GROW(watch->job, watch->size, watch->count + 1) ||
	    lxfw_id_map_add(&watch->by_id, job_id, (int32_t)watch->count) < 0)
		return NULL;
	entry = &watch->job[watch->count++];
	*entry = (struct lxfw_watched){ .job_id = job_id };
	watch->next = watch->count;
	return entry;
}

/* Removes the entries of jobs that are not pending. Returns true if there were any. */
static bool sweep(struct lxfw_bridge *bridge)
{
	struct lxfw_watch *watch = &bridge->watch;
	size_t kept = 0, before = watch->count;

	for (size_t i = 0; i < watch->count; i++) {
		if (watch->job[i].seen != watch->look) {
			lxfw_aside_over(bridge, &watch->job[i]);
			lxfw_id_map_remove(&watch->by_id, watch->job[i].job_id);
			continue;
		}
		if (kept != i) {
			watch->job[kept] = watch->job[i];
			lxfw_id_map_set(&watch->by_id, watch->job[kept].job_id,
					(int32_t)kept);
		}
		kept++;
	}
	watch->count = kept;
	return kept < before;
}

void lxfw_watch_forget(struct lxfw_watch *watch)
{
	watch->tables++;
}

void lxfw_watch_clear(struct lxfw_watch *watch)
{
	free(watch->job);
	free(watch->busy);
	free(watch->all.job);
	free(watch->todo.job);
	free(watch->turn.job);
	lxfw_id_map_clear(&watch->by_id);
	memset(watch, 0, sizeof(*watch));
}

/* --- noting jobs -------------------------------------------------------------- */

void lxfw_watch_list(struct lxfw_bridge *bridge, struct lxfw_job_list *list,
		     job_record_t *job)
{
	if (LXFW_GROW(list->job, list->size, list->count + 1))
		bridge->agent.events.failed = true;
	else
		list->job[list->count++] = job;
}

void lxfw_watch_runs(struct lxfw_bridge *bridge, const job_record_t *job)
{
	struct lxfw_watch *watch = &bridge->watch;
	uint64_t word = (uint64_t)job->job_id << 32 | job->job_state;

	/* The sum does not depend on the order. */
	watch->running += ((word ^ (uint64_t)job->start_time << 8) + 1) *
			  UINT64_C(0x9e3779b97f4a7c15);
	if (LXFW_GROW(watch->busy, watch->busy_size, watch->busy_count + 1))
		bridge->agent.events.failed = true;
	else
		watch->busy[watch->busy_count++] = job->job_id;
}

void lxfw_watch_pends(struct lxfw_bridge *bridge, job_record_t *job)
{
	struct lxfw_watch *watch = &bridge->watch;
	struct lxfw_watched *entry = enter(watch, job->job_id);

	if (!entry) {
		bridge->agent.events.failed = true;
		return;
	}
	entry->seen = watch->look;
	entry->job = job;
	entry->fresh = true;
	lxfw_computed_add(&watch->part[lxfw_watch_part(job->job_id)].computed, job);
	if (watch->touched && entry->mark && entry->mark != lxfw_watch_mark(job))
		entry->mark = 0;
}

/* --- choosing --------------------------------------------------------------------- */

/* Returns true if other running jobs may change what was read. */
static bool depends_on_running(const struct lxfw_watched *entry)
{
	if (entry->result == LXFW_WATCH_NOTHING)
		return !entry->held;
	return entry->licensed || (accounting_enforce & ACCOUNTING_ENFORCE_LIMITS);
}

static bool must_read(const struct lxfw_bridge *bridge,
		      const struct lxfw_watched *entry)
{
	const struct lxfw_watch *watch = &bridge->watch;

	if (entry->mark == 0 || entry->again <= bridge->agent.clock ||
	    entry->tables != watch->tables)
		return true;
	if (entry->runs != watch->runs && depends_on_running(entry))
		return true;
	/* What follows is done once in a pass, which may consist of several looks. */
	if (entry->read == bridge->agent.pass)
		return false;
	return entry->result == LXFW_WATCH_ALWAYS ||
	       (bridge->agent.slice == 0 && watch->turns <= 1);
}

/* Returns true if it is the turn of this job to be read although nothing has changed. */
static bool has_turn(const struct lxfw_watch *watch, const struct lxfw_watched *entry)
{
	return (int32_t)(entry->due - watch->round) <= 0;
}

/* Adds a job, or subtracts it with SIGN -1, from the counters of this look. */
static void count(struct lxfw_bridge *bridge, const struct lxfw_watched *entry, int sign)
{
	uint32_t one = (uint32_t)sign;

	bridge->queue_length += one * entry->records;
	if (entry->result == LXFW_WATCH_WAITING)
		bridge->agent.counts.jobs += one;
}

/* Keeps what was reported. Returns false if the library does not have it any more. */
static bool keep(struct lxfw_bridge *bridge, struct lxfw_watched *entry)
{
	struct lxfw_tasks tasks;
	uint32_t place = 0;
	uint64_t id;

	if (entry->result == LXFW_WATCH_WAITING && entry->id) {
		if (!lxfw_mirror_still(&bridge->agent, entry->id, &entry->place))
			return false;
	} else if (entry->result == LXFW_WATCH_WAITING) {
		lxfw_tasks_begin(bridge, entry->job, &tasks);
		while ((id = lxfw_tasks_next(&tasks)) != 0) {
			if (!lxfw_mirror_still(&bridge->agent, id, &place))
				return false;
		}
	}
	if (entry->again != INT64_MAX)
		lxfw_agent_look_again(&bridge->agent, entry->again);
	count(bridge, entry, 1);
	return true;
}

/* Returns true if the job is pending, with its record in entry->job. If a look that has not
   examined the record finds that it is not, the next one examines it. */
static bool still_pends(struct lxfw_bridge *bridge, struct lxfw_watched *entry)
{
	job_record_t *job;

	if (entry->fresh)
		return true;
	job = find_job_record(entry->job_id);
	if (!job || job->magic != JOB_MAGIC || !job->details || !IS_JOB_PENDING(job) ||
	    IS_JOB_COMPLETING(job)) {
		entry->mark = 0;
		bridge->agent.stale = true;
		return false;
	}
	entry->job = job;
	entry->fresh = true;
	return true;
}

static void choose(struct lxfw_bridge *bridge, struct lxfw_watched *entry, bool whole)
{
	struct lxfw_watch *watch = &bridge->watch;

	if (whole || must_read(bridge, entry) || !keep(bridge, entry)) {
		if (still_pends(bridge, entry))
			lxfw_watch_list(bridge, &watch->todo, entry->job);
		else
			(void)keep(bridge, entry);
	} else if (watch->round_now && has_turn(watch, entry) &&
		   still_pends(bridge, entry)) {
		/* It is kept if time runs out. */
		lxfw_watch_list(bridge, &watch->turn, entry->job);
	}
}

static bool is_component(const job_record_t *job)
{
	return job->het_job_id != 0;
}

/* Components of one job must be read together. */
static void components_first(struct lxfw_job_list *jobs)
{
	size_t first = 0;

	for (size_t i = 0; i < jobs->count; i++) {
		job_record_t *job = jobs->job[i];

		if (!is_component(job))
			continue;
		jobs->job[i] = jobs->job[first];
		jobs->job[first++] = job;
	}
}

/* Returns true if licenses were taken, returned or changed since the last look. */
static bool licenses_changed(const struct lxfw_bridge *bridge)
{
	/* Slurm notes the second of the change. */
	return last_license_update != bridge->watch.licenses ||
	       bridge->watch.licenses >= bridge->seen.when;
}

void lxfw_watch_choose(struct lxfw_bridge *bridge, bool whole)
{
	struct lxfw_watch *watch = &bridge->watch;
	/* The end of a pending job, too, may meet the dependency of another one. */
	bool left = sweep(bridge);
	size_t turns = watch->least ? watch->count / watch->least : LXFW_WATCH_TURNS;

	watch->turns = turns < LXFW_WATCH_TURNS ? (uint32_t)turns : LXFW_WATCH_TURNS;
	watch->round_now = bridge->agent.slice == 0 &&
			   bridge->agent.clock != watch->round_at;
	if (watch->round_now) {
		watch->round++;
		watch->round_at = bridge->agent.clock;
	}
	if (watch->turns > 1)
		lxfw_agent_look_again(&bridge->agent, bridge->agent.clock + 1);
	if (left || watch->running != watch->running_before || licenses_changed(bridge))
		watch->runs++;
	watch->licenses = last_license_update;
	watch->running_before = watch->running;
	for (size_t i = 0; i < watch->count; i++) {
		if (i + AHEAD < watch->count)
			lxfw_mirror_fetch(&bridge->agent, watch->job[i + AHEAD].place);
		choose(bridge, &watch->job[i], whole);
	}
	components_first(&watch->todo);
}

/* --- reading ---------------------------------------------------------------------- */

void lxfw_watch_read(struct lxfw_bridge *bridge, const job_record_t *job, bool kept)
{
	struct lxfw_watched *entry = lxfw_watch_find(&bridge->watch, job->job_id);

	if (!entry)
		return;
	if (kept)
		count(bridge, entry, -1);
	entry->records = 0;
	entry->result = LXFW_WATCH_NOTHING;
	entry->left = LXFW_REASON_NONE;
	entry->reported = false;
	bridge->watch.read++;
}

static bool is_next(int64_t clock, const slurmctld_resv_t *resv, int64_t before)
{
	return resv && resv->start_time > clock && resv->start_time < before;
}

/* Time at which the next reservation that the job requests begins, or INT64_MAX. Slurm
   changes no record then. */
static int64_t next_reservation(int64_t clock, const job_record_t *job)
{
	int64_t begin = is_next(clock, job->resv_ptr, INT64_MAX) ?
			job->resv_ptr->start_time : INT64_MAX;
	lxfw_slurm_iterator each;
	const slurmctld_resv_t *resv;

	if (!job->resv_list)
		return begin;
	each = list_iterator_create(job->resv_list);
	while ((resv = list_next(each)) != NULL) {
		if (is_next(clock, resv, begin))
			begin = resv->start_time;
	}
	list_iterator_destroy(each);
	return begin;
}

/* Time at which the job must be read again even if nothing has changed. */
static int64_t again_at(const struct lxfw_bridge *bridge, const job_record_t *job)
{
	int64_t latest = lxfw_limit_latest_start(job);
	int64_t again = next_reservation(bridge->agent.clock, job);
	int64_t due = lxfw_compat_dependency_due(job, bridge->agent.clock);

	if (latest != INT64_MAX && latest >= bridge->agent.clock && latest < again)
		again = latest + 1;
	if (job->details->begin_time > bridge->agent.clock &&
	    job->details->begin_time < again)
		again = job->details->begin_time;
	return due < again ? due : again;
}

/* Returns true if the result may change without a change of the record: also when a burst
   buffer is ready, or some time after the start of another job (after:7+10). */
static bool is_fickle(const job_record_t *job)
{
	const char *dependency = job->details->dependency;

	return job->het_job_id || job->direct_set_prio || job->burst_buffer ||
	       (dependency && strchr(dependency, '+')) ||
	       job->state_reason == WAIT_CLEANING;
}

/* The next round in which the job has its turn. Jobs with consecutive numbers have different
   ones. */
static uint32_t next_turn(const struct lxfw_watch *watch, uint32_t job_id)
{
	uint32_t turns = watch->turns > 1 ? watch->turns : 1;

	return watch->round + turns - (job_id + watch->round) % turns;
}

void lxfw_watch_was_read(struct lxfw_bridge *bridge, const job_record_t *job)
{
	struct lxfw_watched *entry = lxfw_watch_find(&bridge->watch, job->job_id);

	if (!entry)
		return;
	entry->mark = 0;
	entry->again = 0;
	entry->due = next_turn(&bridge->watch, job->job_id);
	if (!IS_JOB_PENDING(job) || !job->details)
		return;
	if (is_fickle(job))
		entry->result = LXFW_WATCH_ALWAYS;
	entry->mark = lxfw_watch_mark(job);
	entry->id = lxfw_is_array(job) ? 0 : lxfw_record_id(job);
	entry->held = job->priority == 0;
	entry->licensed = job->license_list;
	entry->again = again_at(bridge, job);
	entry->read = bridge->agent.pass;
	entry->tables = bridge->watch.tables;
	entry->runs = bridge->watch.runs;
	if (entry->again != INT64_MAX)
		lxfw_agent_look_again(&bridge->agent, entry->again);
	bridge->queue_length += entry->records;
	lxfw_aside_tell(bridge, entry, job);
}
