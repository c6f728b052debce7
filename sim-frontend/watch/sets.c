/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of hosts: partitions, and the hosts of one that a job may use. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/agent/mirror.h"
#include "sim-frontend/trace/hostlist.h"
#include "sim-frontend/util/digest.h"
#include "sim-frontend/watch/world.h"

/* A name of a node, in the units of LXFW_WATCH_WORK. */
#define NAME_WORK 64

/* Texts of sets that are longer are replaced by a digest. */
#define KEY_MOST 200

/* Hosts that a job names, as a mask by host. */
struct named {
	struct lxfw_watch *watch;
	bool *is;		/* NULL: it names none */
	int32_t count, unknown;
};

static int name_host(void *context, const char *name)
{
	struct named *named = context;
	int32_t host = lxfw_cluster_find(&named->watch->cluster, name);

	named->watch->work -= NAME_WORK;
	if (named->watch->work < 0)
		return 1;
	named->unknown += host < 0;
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

static size_t count_words(const char *features)
{
	size_t count = 1;

	for (const char *at = features; (at = strpbrk(at, "&,|")); at++)
		count++;
	return count;
}

/* Collects the hosts of SET that the job may use. Returns their number, -1 if memory runs out, or
   -2 if it takes too long. */
static int32_t collect(struct lxfw_watch *watch, int32_t set, const char *features,
		       const struct named *named, const struct named *excluded)
{
	const struct lxfw_cluster *cluster = &watch->cluster;
	int32_t all = set < 0 ? cluster->count : cluster->sets[set].count, count = 0;
	int64_t words = *features ? (int64_t)count_words(features) : 0;

	if (LXFW_GROW(watch->members, watch->members_size, (size_t)all + 1))
		return -1;
	for (int32_t i = 0; i < all; i++) {
		int32_t host = set < 0 ? i : cluster->sets[set].hosts[i];

		watch->work -= words * (int64_t)(watch->hosts[host].features_length + 1);
		if (watch->work < 0)
			return -2;
		if (meets(&watch->hosts[host], features) &&
		    (named->count == 0 || named->is[host]) &&
		    !(excluded->is && excluded->is[host]))
			watch->members[count++] = host;
	}
	return count;
}

/* Reports the members as the set with the number ID. Returns ID. */
static int32_t report(struct lxfw_watch *watch, int32_t id, int32_t count)
{
	uint32_t hash = hash_of(watch->members, count);

	if (watch->set_hashes[id] != hash)
		lxfw_mirror_set(&watch->agent, id, watch->members, count);
	watch->set_hashes[id] = hash;
	watch->set_looks[id] = watch->looks;
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

/* Sets NAMED to the hosts of LIST. Returns 0, -1 or -2 as above. */
static int32_t find_named(struct lxfw_watch *watch, const char *list, struct named *named)
{
	struct lxfw_error error;

	*named = (struct named) { .watch = watch };
	if (!*list)
		return 0;
	named->is = calloc((size_t)watch->cluster.count + 1, sizeof(*named->is));
	if (!named->is)
		return -1;
	(void)lxfw_hostlist_expand(list, strlen(list), name_host, named, &error);
	return watch->work < 0 ? -2 : 0;
}

/* Returns the number of the set with these hosts in the library, or -1. */
static int32_t number_of(struct lxfw_watch *watch, int32_t set, const struct lxfw_watched *job,
			 bool named)
{
	char *key, hex[2 * LXFW_SHA256_SIZE + 1];
	int length = asprintf(&key, "%d %s %s %s", set, job->features, named ? job->required : "",
			      job->excluded);
	uint8_t digest[LXFW_SHA256_SIZE];
	int32_t id;

	if (length < 0)
		return -1;
	if (length > KEY_MOST) {
		lxfw_sha256(key, (size_t)length, digest);
		for (int i = 0; i < LXFW_SHA256_SIZE; i++)
			sprintf(hex + 2 * i, "%02x", digest[i]);
		id = lxfw_names_add(&watch->sets, hex, sizeof(hex) - 1);
	} else {
		id = lxfw_names_add(&watch->sets, key, (size_t)length);
	}
	free(key);
	if (id < 0 || LXFW_GROW(watch->set_hashes, watch->set_hashes_size, (size_t)id + 1) ||
	    LXFW_GROW(watch->set_looks, watch->set_looks_size, (size_t)id + 1))
		return -1;
	return id;
}

/* The set of the hosts that are NAMED, if any. Returns as lxfw_watch_set(). */
static int32_t find_set(struct lxfw_watch *watch, int32_t set, const struct lxfw_watched *job,
			const struct named *named)
{
	int32_t id = number_of(watch, set, job, named->count > 0), count;
	struct named excluded;

	if (id < 0 || watch->set_looks[id] == watch->looks)
		return id;
	count = find_named(watch, job->excluded, &excluded);
	if (count == 0)
		count = collect(watch, set, job->features, named, &excluded);
	free(excluded.is);
	return count < 0 ? count : report(watch, id, count);
}

int32_t lxfw_watch_set(struct lxfw_watch *watch, int32_t set, const struct lxfw_watch_job *whole)
{
	const struct lxfw_watched *job = &whole->is;
	struct named named;
	int32_t found;

	if (!is_simple(job->features))
		return -2;
	found = find_named(watch, job->required, &named);
	if (named.is && !fits(watch, &named, &whole->request))
		named.count = 0;
	if (found == 0)
		found = find_set(watch, set, job, &named);
	free(named.is);
	return found;
}

int32_t lxfw_watch_count(struct lxfw_watch *watch, int32_t set, const struct lxfw_watched *job)
{
	struct named named, excluded = { .watch = watch };
	int32_t count;

	if (!is_simple(job->features))
		return -2;
	count = find_named(watch, job->required, &named);
	if (count == 0)
		count = find_named(watch, job->excluded, &excluded);
	if (count == 0 && (named.unknown > 0 || excluded.unknown > 0 ||
			   (*job->required && named.count == 0)))
		count = 0;
	else if (count == 0)
		count = collect(watch, set, job->features, &named, &excluded);
	/* Slurm refuses a job if it cannot have one of them. */
	if (count > 0 && named.count > 0 && count != named.count)
		count = 0;
	free(named.is);
	free(excluded.is);
	return count;
}
