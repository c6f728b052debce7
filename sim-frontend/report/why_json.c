/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/why.h"

#include "sim-frontend/report/why_words.h"
#include "sim-frontend/util/json_out.h"

static struct json_object *time_of(int64_t second)
{
	return second == LXFW_NEVER ? NULL : json_object_new_int64(second);
}

/* A time that is not known is null. */
static void put_time(struct json_object *object, const char *key, int64_t second,
		     bool *failed)
{
	if (second == LXFW_NEVER)
		json_object_object_add(object, key, NULL);
	else
		lxfw_json_put(object, key, time_of(second), failed);
}

static struct json_object *name_of(const struct lxfw_why *why, uint64_t job)
{
	char name[48];

	if (why->nameless && job != why->job)
		return json_object_new_string("another job");
	lxfw_job_names_text(why->names, job, name, sizeof(name));
	return json_object_new_string(name);
}

/* The reason is null if it is not recorded. */
static void put_reason(struct json_object *item, enum lxfw_reason reason,
		       enum lxfw_limited limited, bool *failed)
{
	if (reason == LXFW_REASON_NONE)
		json_object_object_add(item, "reason", NULL);
	else
		lxfw_json_put(item, "reason", json_object_new_string(
				      lxfw_reason_name((int)reason)), failed);
	if (limited)
		lxfw_json_put(item, "limit_on", json_object_new_string(
				      lxfw_limited_name(limited)), failed);
}

/* What keeps the job from the queue, and what has. */
static void put_kept(const struct lxfw_why *why, struct json_object *object, bool *failed)
{
	struct json_object *list = json_object_new_array();

	if (why->state == LXFW_WHY_NOT_ELIGIBLE || why->state == LXFW_WHY_LEFT) {
		put_reason(object, why->reason.reason, why->reason.limited, failed);
		put_time(object, "until", why->reason.second, failed);
		lxfw_json_put(object, "of_array", json_object_new_boolean(why->of_array),
			      failed);
	}
	for (int i = 0; i < why->kept_count; i++) {
		struct json_object *item = json_object_new_object();

		put_reason(item, why->kept[i].reason, why->kept[i].limited, failed);
		lxfw_json_put(item, "seconds", json_object_new_int64(why->kept[i].seconds),
			      failed);
		lxfw_json_append(list, item, failed);
	}
	lxfw_json_put(object, "kept", list, failed);
}

static void put_history(const struct lxfw_why *why, struct json_object *list, bool *failed)
{
	for (size_t i = 0; i < why->count; i++) {
		const struct lxfw_why_entry *entry = &why->entries[i];
		struct json_object *item = json_object_new_object();

		lxfw_json_put(item, "time", json_object_new_int64(entry->time), failed);
		lxfw_json_put(item, "what", json_object_new_string(
				      lxfw_why_kind_name(entry->kind)), failed);
		if (entry->kind == LXFW_WHY_RESERVED || entry->kind == LXFW_WHY_REFUSED ||
		    entry->kind == LXFW_WHY_KEPT)
			put_time(item, "until", entry->second, failed);
		if (entry->kind == LXFW_WHY_REFUSED || entry->kind == LXFW_WHY_KEPT)
			put_reason(item, entry->reason, entry->limited, failed);
		if (entry->kind == LXFW_WHY_STARTED) {
			lxfw_json_put(item, "how", json_object_new_string(
					      lxfw_why_label_name(entry->label)), failed);
			if (entry->label == LXFW_WHY_BACKFILLED)
				lxfw_json_put(item, "before_jobs",
					      json_object_new_int64(entry->count),
					      failed);
		}
		if (entry->kind == LXFW_WHY_SUSPENDED && entry->other)
			lxfw_json_put(item, "for_job", name_of(why, entry->other),
				      failed);
		if (entry->kind == LXFW_WHY_RESIZED)
			lxfw_json_put(item, "procs", json_object_new_int64(entry->count),
				      failed);
		lxfw_json_append(list, item, failed);
	}
}

static void put_passers(const struct lxfw_why *why, struct json_object *list, bool *failed)
{
	size_t shown = why->passed < LXFW_WHY_PASSERS ? why->passed : LXFW_WHY_PASSERS;

	for (size_t i = why->passed - shown; i < why->passed; i++) {
		const struct lxfw_why_passer *passer =
			&why->passers[i % LXFW_WHY_PASSERS];
		struct json_object *item = json_object_new_object();

		lxfw_json_put(item, "job", name_of(why, passer->job), failed);
		lxfw_json_put(item, "time", json_object_new_int64(passer->time), failed);
		put_time(item, "expected_end", passer->end, failed);
		put_time(item, "reservation", passer->reserved, failed);
		lxfw_json_append(list, item, failed);
	}
}

static struct json_object *queued_of(const struct lxfw_why *why,
				     const struct lxfw_queued *queued, bool *failed)
{
	struct json_object *item = json_object_new_object();
	const struct lxfw_terms *terms = &queued->terms;
	const struct { const char *key; double value; } list[] = {
		{ "wait", terms->wait }, { "expansion", terms->expansion },
		{ "procs", terms->procs }, { "memory", terms->memory },
		{ "procs_or_memory", terms->larger }, { "bypassed", terms->bypassed },
		{ "site", terms->site }, { "other", terms->other },
	};

	lxfw_json_put(item, "job", name_of(why, queued->job), failed);
	lxfw_json_put(item, "tier", json_object_new_int(queued->tier), failed);
	lxfw_json_put(item, "priority", json_object_new_double(queued->priority), failed);
	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++)
		lxfw_json_put(item, list[i].key, json_object_new_double(list[i].value),
			      failed);
	if (queued->aged)
		lxfw_json_put(item, "aged", json_object_new_boolean(true), failed);
	put_time(item, "reservation", queued->reserved, failed);
	return item;
}

static void put_queue(const struct lxfw_why *why, struct json_object *object, bool *failed)
{
	struct json_object *list = json_object_new_array();
	int32_t shown = why->ahead < LXFW_WHY_AHEAD ? why->ahead : LXFW_WHY_AHEAD;

	lxfw_json_put(object, "policy", json_object_new_string(why->policy), failed);
	lxfw_json_put(object, "possible", json_object_new_boolean(why->possible), failed);
	if (*why->obstacle)
		lxfw_json_put(object, "obstacle", json_object_new_string(why->obstacle), failed);
	if (why->ahead >= 0) {
		lxfw_json_put(object, "jobs_before", json_object_new_int(why->ahead),
			      failed);
		lxfw_json_put(object, "procs_before", json_object_new_int64(why->procs_ahead),
			      failed);
		lxfw_json_put(object, "jobs_waiting", json_object_new_int(why->waiting),
			      failed);
		lxfw_json_put(object, "place", queued_of(why, &why->own, failed), failed);
	}
	for (int32_t i = 0; i < shown; i++)
		lxfw_json_append(list, queued_of(why, &why->before[i], failed), failed);
	lxfw_json_put(object, "before", list, failed);
	list = json_object_new_array();
	for (size_t i = 0; i < why->blocker_count && i < LXFW_WHY_BLOCKERS; i++) {
		struct json_object *item = json_object_new_object();

		lxfw_json_put(item, "job", name_of(why, why->blockers[i].job), failed);
		lxfw_json_put(item, "procs", json_object_new_int(why->blockers[i].procs),
			      failed);
		put_time(item, "expected_end", why->blockers[i].limitless ?
			 LXFW_NEVER : why->blockers[i].end, failed);
		lxfw_json_append(list, item, failed);
	}
	lxfw_json_put(object, "ends_awaited", list, failed);
	put_time(object, "refused_until", why->refused_until, failed);
	put_time(object, "expected_start", lxfw_why_is_passed_over(why) ? LXFW_NEVER : why->expected,
		 failed);
	if (why->planned > 0)
		put_time(object, "planned_start", why->planned, failed);
	if (*why->passed_over)
		lxfw_json_put(object, "passed_over", json_object_new_string(why->passed_over), failed);
	if (why->victims > 0)
		lxfw_json_put(object, "may_preempt", json_object_new_int64(why->victims), failed);
	list = json_object_new_array();
	for (int i = 0; i < why->change_count; i++) {
		struct json_object *item = json_object_new_object();

		lxfw_json_put(item, "change",
			      json_object_new_string(why->changes[i].what), failed);
		put_time(item, "expected_start", why->changes[i].start, failed);
		lxfw_json_append(list, item, failed);
	}
	lxfw_json_put(object, "changes", list, failed);
}

/* The pools, and what is in use of them while the job waits. */
static void put_pools(const struct lxfw_why *why, struct json_object *object, bool *failed)
{
	struct json_object *list = json_object_new_array();

	for (int i = 0; i < why->request.pool_count; i++) {
		const struct lxfw_pool_name *pool = lxfw_why_pool(why, i);
		struct json_object *item = json_object_new_object();

		if (pool)
			lxfw_json_put(item, "name", json_object_new_string(pool->text), failed);
		lxfw_json_put(item, "amount", json_object_new_int(why->request.pools[i].amount),
			      failed);
		if (pool)
			lxfw_json_put(item, "total", json_object_new_int(pool->total), failed);
		if (why->state == LXFW_WHY_WAITING)
			lxfw_json_put(item, "used", json_object_new_int64(why->pool_used[i]),
				      failed);
		lxfw_json_append(list, item, failed);
	}
	lxfw_json_put(object, "pools", list, failed);
}

static void put_request(const struct lxfw_why *why, struct json_object *object,
			bool *failed)
{
	struct lxfw_resources sum;

	if (!why->has_request)
		return;
	sum = lxfw_request_sum(&why->request);
	lxfw_json_put(object, "submit", json_object_new_int64(why->request.submit), failed);
	lxfw_json_put(object, "procs", json_object_new_int(sum.procs), failed);
	lxfw_json_put(object, "memory_mb", json_object_new_int64(sum.memory_mb), failed);
	lxfw_json_put(object, "limit_s", json_object_new_int64(why->request.estimate),
		      failed);
	if (why->request.pool_count > 0)
		put_pools(why, object, failed);
}

int lxfw_why_json(const struct lxfw_why *why, enum lxfw_format format, FILE *out)
{
	static const char *const states[] = {
		"unknown", "waiting", "running", "suspended", "gone",
		"not_eligible", "left",
	};
	struct json_object *object = json_object_new_object(), *list;
	bool failed = !object;

	lxfw_json_put(object, "job", name_of(why, why->job), &failed);
	lxfw_json_put(object, "state", json_object_new_string(states[why->state]), &failed);
	lxfw_json_put(object, "now", json_object_new_int64(why->now), &failed);
	put_request(why, object, &failed);
	put_kept(why, object, &failed);
	if (why->state == LXFW_WHY_WAITING)
		put_queue(why, object, &failed);
	lxfw_json_put(object, "passed_by", json_object_new_int64((int64_t)why->passed),
		      &failed);
	list = json_object_new_array();
	put_passers(why, list, &failed);
	lxfw_json_put(object, "last_passed_by", list, &failed);
	lxfw_json_put(object, "suspensions", json_object_new_int64(why->suspensions),
		      &failed);
	lxfw_json_put(object, "suspended_s", json_object_new_int64(why->suspended), &failed);
	lxfw_json_put(object, "requeues", json_object_new_int64(why->requeues), &failed);
	lxfw_json_put(object, "repeated_s", json_object_new_int64(why->lost), &failed);
	list = json_object_new_array();
	put_history(why, list, &failed);
	lxfw_json_put(object, "history", list, &failed);
	if (failed) {
		json_object_put(object);
		object = NULL;
	}
	return lxfw_json_out(object, format, out);
}
