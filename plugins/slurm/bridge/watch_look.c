/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/watch_look.h"

#include <string.h>

#include "plugins/agent/mirror.h"
#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/bridge/watch.h"

/* Records are visited one after the other. Those that come this much later are fetched into
   the cache meanwhile. */
#define AHEAD 4
#define FAR_AHEAD 8
#define LINE 64		/* bytes of a line of the cache */

/* Numbers that are tried after that of the newest job. */
#define TRIES 32

/* Seconds before a begin time from which on a job is examined: sync.c keeps the place of a
   requeued one. */
#define SOON 2

/* --- the cache -------------------------------------------------------------------- */

/* Fetches the parts of a record that every examination reads, or those for its mark. */
static void fetch_record(const job_record_t *job, bool marked)
{
	__builtin_prefetch(&job->magic);
	__builtin_prefetch(&job->details);
	__builtin_prefetch(&job->job_id);
	__builtin_prefetch(&job->job_state);
	__builtin_prefetch(&job->priority);
	if (!marked)
		return;
	__builtin_prefetch(&job->assoc_ptr);
	__builtin_prefetch(&job->comment);
	__builtin_prefetch(&job->gres_list_req);
	__builtin_prefetch(&job->part_ptr);
	__builtin_prefetch(&job->resv_name);
	__builtin_prefetch(&job->spank_job_env_size);
	__builtin_prefetch(&job->time_limit);
	__builtin_prefetch(&job->req_switch);
}

static void fetch_details(const lxfw_slurm_details *details, bool marked)
{
	__builtin_prefetch(&details->begin_time);
	if (!marked)
		return;
	for (size_t i = 0; i < sizeof(*details); i += LINE)
		__builtin_prefetch((const char *)details + i);
}

void lxfw_look_fetch(const struct lxfw_watch *watch, size_t at)
{
	job_record_t *const *jobs = watch->all.job;
	size_t count = watch->all.count;

	if (at + 3 * AHEAD < count)
		fetch_record(jobs[at + 3 * AHEAD], watch->touched);
	if (at + 2 * AHEAD < count && jobs[at + 2 * AHEAD]->details)
		fetch_details(jobs[at + 2 * AHEAD]->details, watch->touched);
	if (at + AHEAD < count && jobs[at + AHEAD]->details && watch->touched)
		__builtin_prefetch(jobs[at + AHEAD]->details->mc_ptr);
}

/* --- what is due ------------------------------------------------------------------ */

/* Returns true if a record may have changed since second WHEN. Slurm notes the second of each
   change. The clock may have been set back. */
static bool is_due(time_t when, time_t now)
{
	return when <= last_job_update || when > now;
}

static bool any_part_due(const struct lxfw_watch *watch, time_t now)
{
	for (int i = 0; i < LXFW_WATCH_PARTS; i++) {
		if (is_due(watch->part[i].examined, now))
			return true;
	}
	return false;
}

/* Number of parts that a look examines. */
static size_t parts_at_a_time(const struct lxfw_watch *watch)
{
	const size_t least = LXFW_WATCH_PARTS / 4;
	size_t parts = watch->count ? watch->most * LXFW_WATCH_PARTS / watch->count : 0;

	return parts < least ? least : parts;
}

/* Marks the parts that this look examines in PARTS. Returns true if it walks the list
   instead. */
static bool choose_parts(struct lxfw_watch *watch, time_t now, bool *parts)
{
	size_t left = parts_at_a_time(watch);
	bool chosen = false;

	for (int i = 0; i <= LXFW_WATCH_PARTS && left > 0; i++) {
		uint32_t unit = watch->next_unit;

		if (unit >= LXFW_WATCH_PARTS) {
			if (is_due(watch->listed, now) && chosen)
				return false;
			watch->next_unit = 0;
			if (is_due(watch->listed, now))
				return true;
			continue;
		}
		watch->next_unit++;
		if (!is_due(watch->part[unit].examined, now))
			continue;
		watch->part[unit].examined = now;
		lxfw_computed_clear(&watch->part[unit].computed);
		parts[unit] = chosen = true;
		left--;
	}
	return false;
}

/* Returns true if each look must examine the record of a pending job. */
static bool needs_look(const struct lxfw_bridge *bridge, struct lxfw_watched *entry)
{
	if (entry->mark == 0 || entry->id == 0 || entry->result == LXFW_WATCH_ALWAYS ||
	    entry->again <= bridge->agent.clock + SOON)
		return true;
	return entry->result == LXFW_WATCH_WAITING &&
	       !lxfw_mirror_steady(&bridge->agent, entry->id, &entry->place);
}

static void skip(const struct lxfw_watch *watch, struct lxfw_watched *entry)
{
	entry->seen = watch->look;
	entry->fresh = false;
}

/* --- all records ------------------------------------------------------------------ */

static int list_one(void *job, void *context)
{
	struct lxfw_bridge *bridge = context;

	lxfw_watch_list(bridge, &bridge->watch.all, job);
	return 0;
}

/* The record at the end of the list may be the rest of an array, which keeps its number when
   Slurm makes a new record for it. */
static void walk(struct lxfw_bridge *bridge, time_t now)
{
	struct lxfw_watch *watch = &bridge->watch;
	const job_record_t *last;

	watch->all.count = 0;
	(void)list_for_each(job_list, list_one, bridge);
	watch->listed = now;
	watch->records = list_count(job_list);
	last = watch->all.count ? watch->all.job[watch->all.count - 1] : NULL;
	if (last && last->job_id > watch->newest)
		watch->newest = last->job_id;
}

static void list_all(struct lxfw_bridge *bridge, time_t now)
{
	struct lxfw_watch *watch = &bridge->watch;

	watch->touched = any_part_due(watch, now);
	walk(bridge, now);
	watch->next_unit = 0;
	for (int i = 0; i < LXFW_WATCH_PARTS; i++) {
		watch->part[i].examined = now;
		lxfw_computed_clear(&watch->part[i].computed);
	}
}

/* Returns true if the look need not examine the record of JOB, which is known as ENTRY. */
static bool may_skip(const struct lxfw_bridge *bridge, const job_record_t *job,
		     struct lxfw_watched *entry, const bool *parts)
{
	return job->magic == JOB_MAGIC && IS_JOB_PENDING(job) &&
	       !IS_JOB_COMPLETING(job) && !parts[lxfw_watch_part(job->job_id)] &&
	       !needs_look(bridge, entry);
}

/* Walks the list, and removes the jobs that need not be examined from watch->all. */
static void list_unknown(struct lxfw_bridge *bridge, const bool *parts, time_t now)
{
	struct lxfw_watch *watch = &bridge->watch;
	struct lxfw_job_list *all = &watch->all;
	size_t kept = 0, next = 0;

	walk(bridge, now);
	for (size_t i = 0; i < all->count; i++) {
		job_record_t *job = all->job[i];
		struct lxfw_watched *entry;

		if (i + FAR_AHEAD < all->count) {
			fetch_record(all->job[i + FAR_AHEAD], false);
			if (next + FAR_AHEAD < watch->count)
				lxfw_mirror_fetch(&bridge->agent,
						  watch->job[next + FAR_AHEAD].place);
		}
		/* Most jobs follow the one that was found before. */
		entry = next < watch->count && watch->job[next].job_id == job->job_id ?
			&watch->job[next] : lxfw_watch_find(watch, job->job_id);
		if (entry)
			next = (size_t)(entry - watch->job) + 1;
		if (entry && may_skip(bridge, job, entry, parts))
			skip(watch, entry);
		else
			all->job[kept++] = job;
	}
	all->count = kept;
}

/* --- known records ---------------------------------------------------------------- */

/* Lists a job if it still exists. */
static bool list_number(struct lxfw_bridge *bridge, uint32_t job_id)
{
	job_record_t *job = find_job_record(job_id);

	if (job)
		lxfw_watch_list(bridge, &bridge->watch.all, job);
	return job;
}

/* Lists jobs that came after the newest one. Returns false if Slurm's list may have further ones,
   because it counts jobs from the first number on again. */
static bool list_new(struct lxfw_bridge *bridge)
{
	struct lxfw_watch *watch = &bridge->watch;
	int count = list_count(job_list), found = 0;
	uint32_t last = watch->newest;

	watch->newest = 0;
	for (uint32_t tried = 1; tried <= TRIES; tried++) {
		bool known = lxfw_watch_find(watch, last + tried) != NULL;

		if (!known && !list_number(bridge, last + tried))
			continue;
		last += tried;
		tried = 0;
		found += !known;
		if (found > count)
			return false;
	}
	if (count > watch->records + found)
		return false;
	watch->records = count;
	watch->newest = last;
	return true;
}

/* Lists the jobs that were not pending, except those that are listed as they came after BEFORE. */
static void list_busy(struct lxfw_bridge *bridge, uint32_t before)
{
	const struct lxfw_watch *watch = &bridge->watch;

	for (size_t i = 0; i < watch->busy_count; i++) {
		if (watch->busy[i] <= before || watch->busy[i] > watch->newest)
			(void)list_number(bridge, watch->busy[i]);
	}
}

static void list_known(struct lxfw_bridge *bridge, const bool *parts)
{
	struct lxfw_watch *watch = &bridge->watch;

	for (size_t i = 0; i < watch->count; i++) {
		struct lxfw_watched *entry = &watch->job[i];

		if (i + FAR_AHEAD < watch->count) {
			const struct lxfw_watched *later = &watch->job[i + FAR_AHEAD];

			lxfw_mirror_fetch(&bridge->agent, later->place);
			/* Where its record was. It may have been freed. */
			if (parts[lxfw_watch_part(later->job_id)])
				__builtin_prefetch(&later->job->job_id);
		}
		if (!parts[lxfw_watch_part(entry->job_id)] && !needs_look(bridge, entry)) {
			skip(watch, entry);
			continue;
		}
		entry->fresh = false;
		(void)list_number(bridge, entry->job_id);
	}
}

/* Lists the records that must be examined without a walk over Slurm's list, and those of the
   chosen parts. Returns false if the list must be walked. */
static bool list_some(struct lxfw_bridge *bridge, const bool *parts)
{
	uint32_t before = bridge->watch.newest;

	if (!list_new(bridge))
		return false;
	list_busy(bridge, before);
	list_known(bridge, parts);
	return true;
}

/* --- the look --------------------------------------------------------------------- */

/* If the second of the last change is another than at the last look, everything must be examined
   again, even if it was examined after that second: Slurm may note the time at which it began
   to wait for its locks, and the clock may have been set back. */
static void follow_changes(struct lxfw_watch *watch)
{
	if (last_job_update == watch->updated)
		return;
	watch->updated = last_job_update;
	if (watch->listed > last_job_update)
		watch->listed = last_job_update;
	for (int i = 0; i < LXFW_WATCH_PARTS; i++) {
		if (watch->part[i].examined > last_job_update)
			watch->part[i].examined = last_job_update;
	}
}

/* Returns true if each record must be examined. */
static bool examines_all(const struct lxfw_watch *watch, bool whole, time_t now)
{
	if (whole || watch->turns <= 1 || !watch->listed ||
	    watch->tables != watch->seen_tables)
		return true;
	return watch->count <= watch->most && any_part_due(watch, now);
}

void lxfw_look_begin(struct lxfw_bridge *bridge, bool whole)
{
	struct lxfw_watch *watch = &bridge->watch;
	bool parts[LXFW_WATCH_PARTS] = { false };
	time_t now = time(NULL);

	if (bridge->agent.slice == 0)
		watch->read = 0;
	watch->look++;
	watch->next = 0;
	watch->running = 0;
	watch->all.count = watch->todo.count = watch->turn.count = 0;
	if (watch->resized != bridge->agent.hosts.resized)
		watch->tables++;
	watch->resized = bridge->agent.hosts.resized;
	follow_changes(watch);
	if (examines_all(watch, whole, now)) {
		list_all(bridge, now);
	} else {
		watch->touched = true;
		if (choose_parts(watch, now, parts) || !list_some(bridge, parts))
			list_unknown(bridge, parts, now);
	}
	watch->seen_tables = watch->tables;
	watch->busy_count = 0;
}

/* Returns true if a part or the list, examined at WHEN, must be examined again soon: it was not
   in or after the second of the last change, or it was in that second, which is over. That
   second is in the future after the clock was set back. */
static bool remains(time_t when, time_t now)
{
	return is_due(when, now) && last_job_update <= now &&
	       (when < last_job_update || now > last_job_update);
}

void lxfw_look_examined(struct lxfw_bridge *bridge)
{
	struct lxfw_watch *watch = &bridge->watch;
	struct lxfw_computed *computed = &bridge->computed;
	time_t now = time(NULL);
	bool more = remains(watch->listed, now);

	lxfw_computed_clear(computed);
	for (int i = 0; i < LXFW_WATCH_PARTS; i++) {
		const struct lxfw_watch_part *part = &watch->part[i];

		if (part->computed.least < computed->least)
			computed->least = part->computed.least;
		if (part->computed.most > computed->most)
			computed->most = part->computed.most;
		more |= remains(part->examined, now);
	}
	if (more)
		bridge->agent.stale = true;
}
