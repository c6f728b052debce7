/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of hosts: partitions, and the hosts of one that a job may use. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/agent/mirror.h"
#include "sim-frontend/trace/hostlist.h"
#include "sim-frontend/watch/world.h"

/* The hosts that a job names, as a mask by host. */
struct named {
	const struct lxfw_cluster *cluster;
	bool *is;
	int32_t count;
};

static int name_host(void *context, const char *name)
{
	struct named *named = context;
	int32_t host = lxfw_cluster_find(named->cluster, name);

	if (host >= 0 && !named->is[host]) {
		named->is[host] = true;
		named->count++;
	}
	return 0;
}

/* Whether the list FEATURES "a,b" has the word. */
static bool has_feature(const struct lxfw_watch_host *host, const char *word, size_t length)
{
	struct lxfw_slice left = { host->features, host->features_length };

	while (left.length > 0) {
		size_t part = lxfw_slice_until(left, ',');

		if (part == length && memcmp(left.at, word, length) == 0)
			return true;
		part += part < left.length;
		left.at += part;
		left.length -= part;
	}
	return false;
}

/* Whether the expression has one kind of operator and neither brackets nor numbers. */
static bool is_simple(const char *features)
{
	return !strpbrk(features, "[]()*") && !(strchr(features, '|') && strpbrk(features, "&,"));
}

/* A simple expression: "a&b" or "a,b", or "a|b". */
static bool meets(const struct lxfw_watch_host *host, const char *features)
{
	bool any = strchr(features, '|');

	for (const char *at = features; *at;) {
		size_t length = strcspn(at, "&,|");

		if (has_feature(host, at, length) == any)
			return any;
		at += length;
		at += *at != '\0';
	}
	return !any;
}

static uint32_t hash_of(const int32_t *hosts, int32_t count)
{
	uint32_t hash = 2166136261u;

	for (int32_t i = 0; i < count; i++)
		hash = (hash ^ (uint32_t)hosts[i]) * 16777619u;
	return hash ? hash : 1;
}

/* Collects the hosts of SET that the job may use. Returns their number, or -1. */
static int32_t collect(struct lxfw_watch *watch, int32_t set, const struct lxfw_watched *job,
		       const struct named *named)
{
	const struct lxfw_cluster *cluster = &watch->cluster;
	int32_t all = set < 0 ? cluster->count : cluster->sets[set].count, count = 0;

	if (LXFW_GROW(watch->members, watch->members_size, (size_t)all + 1))
		return -1;
	for (int32_t i = 0; i < all; i++) {
		int32_t host = set < 0 ? i : cluster->sets[set].hosts[i];

		if (meets(&watch->hosts[host], job->features) &&
		    (named->count == 0 || named->is[host]))
			watch->members[count++] = host;
	}
	return count;
}

static int32_t report(struct lxfw_watch *watch, const char *key, size_t length, int32_t count)
{
	int32_t id = lxfw_names_add(&watch->sets, key, length);
	uint32_t hash = hash_of(watch->members, count);

	if (id < 0 || LXFW_GROW(watch->set_hashes, watch->set_hashes_size, (size_t)id + 1))
		return -1;
	if (watch->set_hashes[id] != hash)
		lxfw_mirror_set(&watch->agent, id, watch->members, count);
	watch->set_hashes[id] = hash;
	return id;
}

/* Whether a request without memory and GRES would fit on the named hosts if they were empty. */
static bool fits(const struct lxfw_watch *watch, const struct named *named,
		 const struct lxfw_request *request)
{
	int64_t pieces = 0;

	if (request->shape == LXFW_SHAPE_HOSTS)
		return named->count >= request->count;
	for (int32_t i = 0; i < watch->cluster.count; i++) {
		if (named->is[i] && request->unit.procs > 0)
			pieces += watch->cluster.hosts[i].total.procs / request->unit.procs;
	}
	return pieces >= request->count;
}

int32_t lxfw_watch_set(struct lxfw_watch *watch, int32_t set, const struct lxfw_watch_job *whole)
{
	const struct lxfw_watched *job = &whole->is;
	struct named named = { .cluster = &watch->cluster };
	struct lxfw_error error;
	int32_t id = -1, count;
	char *key = NULL;
	int length;

	if (!is_simple(job->features))
		return -2;
	if (*job->required) {
		named.is = calloc((size_t)watch->cluster.count + 1, sizeof(*named.is));
		if (!named.is)
			return -1;
		(void)lxfw_hostlist_expand(job->required, strlen(job->required), name_host,
					   &named, &error);
		if (!fits(watch, &named, &whole->request))
			named.count = 0;
	}
	count = collect(watch, set, job, &named);
	length = asprintf(&key, "%d %s %s", set, job->features,
			  named.count > 0 ? job->required : "");
	if (count >= 0 && length >= 0)
		id = report(watch, key, (size_t)length, count);
	if (length >= 0)
		free(key);
	free(named.is);
	return id;
}
