/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pools: licenses, and the tasks of an array that may run at once. Their hosts are after the nodes:
   those of the licenses, and then those of arrays, of which each keeps its place. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/agent/mirror.h"
#include "sim-frontend/trace/cluster_licenses.h"
#include "sim-frontend/watch/world.h"

static int32_t host_of_array(const struct lxfw_watch *watch, size_t index)
{
	return watch->cluster.count + watch->cluster.license_count + (int32_t)index;
}

/* --- licenses ------------------------------------------------------------------------- */

static int64_t used_of(const char *line)
{
	int64_t value;

	return lxfw_slice_integer(lxfw_watch_value(line, "Used"), 0, INT32_MAX, &value) ? value : 0;
}

/* Names and amounts, "abaqus:10,matlab:4", as in a slurm.conf. */
static char *list_of(const char *text)
{
	char *list = malloc(strlen(text) + 1), *to = list;

	for (const char *line = text; list && line; line = strchr(line, '\n')) {
		struct lxfw_slice name, total;

		line += *line == '\n';
		name = lxfw_watch_value(line, "LicenseName");
		total = lxfw_watch_value(line, "Total");
		if (name.length > 0 && total.length > 0)
			to += sprintf(to, "%.*s:%.*s,", (int)name.length, name.at,
				      (int)total.length, total.at);
	}
	if (list)
		*to = '\0';
	return list;
}

int lxfw_watch_read_licenses(struct lxfw_watch *watch)
{
	char *list = watch->texts.licenses ? list_of(watch->texts.licenses) : strdup("");
	int failed = list ? lxfw_cluster_take_licenses(&watch->cluster,
				(struct lxfw_slice) { list, strlen(list) }) : -1;

	free(list);
	return failed;
}

/* Licenses in use by jobs that are not shown, by other clusters, and by
   programs without a job. */
static int64_t hidden(const struct lxfw_watch *watch, int32_t license)
{
	const char *name = watch->cluster.licenses[license].host;

	name = strchr(name, ':') + 1;
	for (const char *line = watch->texts.licenses; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (lxfw_slice_is(lxfw_watch_value(line, "LicenseName"), name)) {
			int64_t more = used_of(line) - watch->licenses_used[license];

			return more > 0 ? more : 0;
		}
	}
	return 0;
}

/* --- what a job has of them ------------------------------------------------------------ */

struct needs {
	struct lxfw_pool_need need[LXFW_POOLS_MAX];
	int32_t count;
	bool all;		/* these are all that it needs */
};

static void add(struct needs *needs, int32_t pool, int64_t amount)
{
	int32_t at = needs->count;

	if (at == LXFW_POOLS_MAX || amount < 1 || amount > INT32_MAX) {
		needs->all = false;
		return;
	}
	while (at > 0 && needs->need[at - 1].pool > pool) {
		needs->need[at] = needs->need[at - 1];
		at--;
	}
	if (at > 0 && needs->need[at - 1].pool == pool)
		needs->all = false;
	needs->need[at] = (struct lxfw_pool_need) { pool, (int32_t)amount };
	needs->count++;
}

/* Takes "abaqus:4,matlab". A choice, "a|b", is not modelled. */
static void take_licenses(const struct lxfw_watch *watch, const char *list, struct needs *needs)
{
	for (const char *at = list; *at;) {
		size_t length = strcspn(at, ",;"), name = strcspn(at, ",;:=(|");
		int32_t license = lxfw_cluster_find_license(&watch->cluster,
					(struct lxfw_slice) { at, name });
		int64_t amount = 1;

		if (license < 0 || (name < length &&
		    !lxfw_slice_integer((struct lxfw_slice) { at + name + 1, length - name - 1 },
					0, INT32_MAX, &amount)) ||
		    (name < length && strchr("(|", at[name])))
			needs->all = false;
		else if (amount > 0)
			add(needs, watch->cluster.count + license, amount);
		at += length + (at[length] != '\0');
	}
}

/* The place of the array with this id, or -1. */
static int32_t find_array(const struct lxfw_watch *watch, uint32_t id)
{
	for (size_t i = 0; i < watch->array_count; i++) {
		if (watch->arrays[i].waits && watch->arrays[i].id == id)
			return (int32_t)i;
	}
	return -1;
}

static void find_needs(const struct lxfw_watch *watch, const struct lxfw_watched *job,
		       struct needs *needs)
{
	int32_t array = job->id > UINT32_MAX ? find_array(watch, (uint32_t)job->id) : -1;

	*needs = (struct needs) { .all = true };
	take_licenses(watch, job->licenses, needs);
	if (!needs->all)
		needs->count = 0;
	if (array >= 0)
		add(needs, host_of_array(watch, (size_t)array), 1);
}

void lxfw_watch_request_pools(const struct lxfw_watch *watch, struct lxfw_watch_job *job)
{
	struct needs needs;

	find_needs(watch, &job->is, &needs);
	memcpy(job->request.pools, needs.need, sizeof(job->request.pools));
	job->request.pool_count = (uint8_t)needs.count;
}

/* --- arrays ----------------------------------------------------------------------------- */

/* Whether the job is the first of tasks that wait, of which a number may run at once. */
static bool is_limited(const struct lxfw_watch *watch, size_t index)
{
	const struct lxfw_watch_job *job = &watch->jobs[index];

	return job->is.most_tasks > 0 && job->is.state == LXFW_WATCHED_WAITING &&
	       (index == 0 || job[-1].is.record != job->is.record);
}

/* The place that the array had in earlier looks, or NULL. */
static struct lxfw_watch_array *known(const struct lxfw_watch *watch, uint32_t id)
{
	for (size_t i = 0; i < watch->array_count; i++) {
		if (watch->arrays[i].id == id)
			return &watch->arrays[i];
	}
	return NULL;
}

static struct lxfw_watch_array *unused(const struct lxfw_watch *watch)
{
	for (size_t i = 0; i < watch->array_count; i++) {
		if (!watch->arrays[i].waits)
			return &watch->arrays[i];
	}
	return NULL;
}

/* Makes places for COUNT arrays, if there are fewer. More hosts are another model, so that this must
   be rare. */
static int make_places(struct lxfw_watch *watch, size_t count)
{
	if (count <= watch->array_count)
		return 0;
	if (watch->array_count > 0 && count < 4 * watch->array_count)
		count = 4 * watch->array_count;
	if (count > LXFW_WATCH_ARRAYS)
		count = LXFW_WATCH_ARRAYS;
	if (LXFW_GROW(watch->arrays, watch->arrays_size, count))
		return -1;
	memset(watch->arrays + watch->array_count, 0,
	       (count - watch->array_count) * sizeof(*watch->arrays));
	watch->array_count = count;
	return 0;
}

static void enter(struct lxfw_watch_array *place, const struct lxfw_watched *job)
{
	*place = (struct lxfw_watch_array) {
		.id = (uint32_t)job->id, .most = job->most_tasks, .waits = true,
	};
}

static int find_arrays(struct lxfw_watch *watch)
{
	size_t count = 0;

	for (size_t i = 0; i < watch->array_count; i++)
		watch->arrays[i].waits = false;
	for (size_t i = 0; i < watch->count; i++)
		count += is_limited(watch, i);
	if (make_places(watch, count))
		return -1;
	watch->unlimited_arrays = count > watch->array_count;
	/* First those that have a place. */
	for (size_t i = 0; i < watch->count; i++) {
		struct lxfw_watch_array *place = is_limited(watch, i) ?
			known(watch, (uint32_t)watch->jobs[i].is.id) : NULL;

		if (place)
			enter(place, &watch->jobs[i].is);
	}
	for (size_t i = 0; i < watch->count; i++) {
		struct lxfw_watch_array *place = is_limited(watch, i) &&
			find_array(watch, (uint32_t)watch->jobs[i].is.id) < 0 ?
			unused(watch) : NULL;

		if (place)
			enter(place, &watch->jobs[i].is);
	}
	return 0;
}

/* --- all -------------------------------------------------------------------------------- */

static void count_licenses(struct lxfw_watch *watch, const struct needs *needs)
{
	for (int32_t i = 0; i < needs->count; i++) {
		int32_t license = needs->need[i].pool - watch->cluster.count;

		if (license < watch->cluster.license_count)
			watch->licenses_used[license] += needs->need[i].amount;
	}
}

/* Copies the job's shares to the end of TO, with those of pools. Returns the new end. */
static size_t take_shares(struct lxfw_watch *watch, struct lxfw_watch_job *job,
			  struct lxfw_share *to, size_t count)
{
	struct needs needs;

	find_needs(watch, &job->is, &needs);
	count_licenses(watch, &needs);
	for (int32_t i = 0; i < job->share_count; i++)
		to[count + (size_t)i] = watch->shares[job->first_share + (size_t)i];
	job->first_share = count;
	count += (size_t)job->share_count;
	job->pool_count = needs.count;
	for (int32_t i = 0; i < needs.count; i++)
		to[count++] = (struct lxfw_share) {
			.host = needs.need[i].pool, .amount.extras = { needs.need[i].amount },
		};
	return count;
}

/* Of the jobs that run. */
static int add_shares(struct lxfw_watch *watch)
{
	size_t size = watch->share_count + LXFW_POOLS_MAX * watch->count + 1, count = 0;
	struct lxfw_share *shares = calloc(size, sizeof(*shares));

	if (!shares)
		return -1;
	for (size_t i = 0; i < watch->count; i++) {
		if (watch->jobs[i].share_count > 0)
			count = take_shares(watch, &watch->jobs[i], shares, count);
	}
	free(watch->shares);
	watch->shares = shares;
	watch->shares_size = size;
	watch->share_count = count;
	return 0;
}

/* A job for whose licenses Slurm has none left waits for a pool. */
static void settle(const struct lxfw_watch *watch)
{
	for (size_t i = 0; i < watch->count; i++) {
		struct lxfw_watched *job = &watch->jobs[i].is;
		struct needs needs;

		if (job->reason != LXFW_REASON_LICENSES || !*job->licenses)
			continue;
		find_needs(watch, job, &needs);
		if (needs.all)
			lxfw_watched_settle(job);
	}
}

int lxfw_watch_read_pools(struct lxfw_watch *watch)
{
	size_t licenses = (size_t)watch->cluster.license_count;

	if (LXFW_GROW(watch->licenses_used, watch->licenses_size, licenses + 1))
		return -1;
	memset(watch->licenses_used, 0, (licenses + 1) * sizeof(*watch->licenses_used));
	if (find_arrays(watch))
		return -1;
	settle(watch);
	return licenses + watch->array_count > 0 ? add_shares(watch) : 0;
}

int lxfw_watch_look_at_names(struct lxfw_watch *watch)
{
	const struct lxfw_cluster *cluster = &watch->cluster;
	int32_t count = host_of_array(watch, watch->array_count);
	/* The same in each look, so that the hosts are. */
	static char names[LXFW_WATCH_ARRAYS][32];

	if (LXFW_GROW(watch->host_names, watch->host_names_size, (size_t)count + 1)) {
		watch->failed = true;
		return -1;
	}
	for (int32_t i = 0; i < cluster->count; i++)
		watch->host_names[i] = cluster->names.names[i];
	for (int32_t i = 0; i < cluster->license_count; i++)
		watch->host_names[cluster->count + i] = cluster->licenses[i].host;
	for (size_t i = 0; i < watch->array_count; i++) {
		snprintf(names[i], sizeof(names[i]), "tasks:%zu", i);
		watch->host_names[host_of_array(watch, i)] = names[i];
	}
	return lxfw_mirror_hosts(&watch->agent, watch->host_names, count);
}

static void look_at_pool(struct lxfw_watch *watch, int32_t host, int64_t amount)
{
	const struct lxfw_resources total = { .extras = { (int32_t)amount } };

	lxfw_mirror_host(&watch->agent, host, true, &total, 0, 0, 0);
}

/* A pool has no GPUs: its amount is in the place of the first kind of GRES. */
void lxfw_watch_look_at_pools(struct lxfw_watch *watch)
{
	const struct lxfw_cluster *cluster = &watch->cluster;
	uint8_t gpus = watch->agent.hosts.gpus;

	watch->agent.hosts.gpus = 0;
	for (int32_t i = 0; i < cluster->license_count; i++) {
		int64_t amount = cluster->licenses[i].total - hidden(watch, i);

		look_at_pool(watch, cluster->count + i, amount > 0 ? amount : 0);
	}
	for (size_t i = 0; i < watch->array_count; i++)
		look_at_pool(watch, host_of_array(watch, i), watch->arrays[i].most);
	watch->agent.hosts.gpus = gpus;
}
