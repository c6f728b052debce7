/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/bundles.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/pbs/mixed_part.h"
#include "plugins/pbs/request.h"

/* --- bundles ------------------------------------------------------------------------------ */

/* Chunks of a kind on a host. */
struct content {
	int32_t host, number;
	size_t kind;
};

struct contents {
	const struct lxfw_pbs_mixed *mixed;
	struct content *content;
	size_t count, size;
};

/* What a host has is content[first] and those that follow. */
struct held {
	const struct content *content;
	size_t count;
};

static bool note(void *context, size_t chunk, int32_t host, int32_t number)
{
	struct contents *contents = context;

	if (LXFW_GROW(contents->content, contents->size, contents->count + 1))
		return false;
	contents->content[contents->count++] = (struct content){
		.host = host, .number = number, .kind = contents->mixed->kind[chunk],
	};
	return true;
}

static int by_host(const void *one, const void *other)
{
	const struct content *a = one, *b = other;

	if (a->host != b->host)
		return a->host < b->host ? -1 : 1;
	return (a->kind > b->kind) - (a->kind < b->kind);
}

/* Equal ones are beside each other. */
static int by_content(const void *one, const void *other)
{
	const struct held *a = one, *b = other;

	for (size_t i = 0; i < a->count && i < b->count; i++) {
		const struct content *mine = &a->content[i], *others = &b->content[i];

		if (mine->kind != others->kind)
			return mine->kind < others->kind ? -1 : 1;
		if (mine->number != others->number)
			return mine->number < others->number ? -1 : 1;
	}
	return (a->count > b->count) - (a->count < b->count);
}

/* Joins equal chunks of a host. */
static void join(struct contents *contents)
{
	size_t kept = 0;

	for (size_t i = 0; i < contents->count; i++) {
		struct content *last = kept ? &contents->content[kept - 1] : NULL;

		if (last && by_host(last, &contents->content[i]) == 0)
			last->number += contents->content[i].number;
		else
			contents->content[kept++] = contents->content[i];
	}
	contents->count = kept;
}

static bool add_bundle(struct lxfw_pbs_mixed *mixed, const struct lxfw_pbs_select *select,
		       const struct held *held)
{
	struct lxfw_pbs_part *part = lxfw_pbs_mixed_add(mixed);

	if (!part)
		return false;
	part->bundles = 1;
	for (size_t i = 0; i < held->count; i++) {
		struct lxfw_pbs_chunk chunk = select->chunk[held->content[i].kind];

		chunk.count = held->content[i].number;
		if (!lxfw_pbs_part_add(part, &chunk, held->content[i].kind))
			return false;
	}
	return true;
}

static bool pin(struct lxfw_pbs_part *part, int32_t host)
{
	char *longer;

	if (asprintf(&longer, "%s%s%" PRId32, part->hosts ? part->hosts : "",
		     part->hosts ? "," : "", host) < 0)
		return false;
	free(part->hosts);
	part->hosts = longer;
	return true;
}

static void unpin_long(struct lxfw_pbs_part *part)
{
	if (part->hosts && strlen(part->hosts) > LXFW_PBS_ONLY_MOST) {
		free(part->hosts);
		part->hosts = NULL;
	}
}

/* Makes the parts of what the hosts have. */
static int gather(struct contents *contents, const struct lxfw_pbs_select *select, bool pinned,
		  struct lxfw_pbs_mixed *mixed)
{
	struct held *held = calloc(contents->count + 1, sizeof(*held));
	size_t hosts = 0;
	int rc = held ? 0 : -1;

	qsort(contents->content, contents->count, sizeof(*contents->content), by_host);
	join(contents);
	for (size_t i = 0; held && i < contents->count; i++) {
		if (i == 0 || contents->content[i].host != contents->content[i - 1].host)
			held[hosts++].content = &contents->content[i];
		held[hosts - 1].count++;
	}
	if (held)
		qsort(held, hosts, sizeof(*held), by_content);
	for (size_t i = 0; i < hosts && rc == 0; i++) {
		if (i > 0 && by_content(&held[i - 1], &held[i]) == 0)
			mixed->part[mixed->count - 1].bundles++;
		else if (!add_bundle(mixed, select, &held[i]))
			rc = -1;
		if (rc == 0 && pinned &&
		    !pin(&mixed->part[mixed->count - 1], held[i].content->host))
			rc = -1;
	}
	for (int32_t i = 0; i < mixed->count && pinned; i++)
		unpin_long(&mixed->part[i]);
	free(held);
	return rc < 0 ? rc : mixed->count;
}

/* --- orders ------------------------------------------------------------------------------- */

struct ranked {
	size_t chunk;
	int32_t hosts;		/* that suit it */
	const struct lxfw_resources *need;
};

static int by_hosts(const void *one, const void *other)
{
	const struct ranked *a = one, *b = other;

	if (a->hosts != b->hosts)
		return a->hosts < b->hosts ? -1 : 1;
	if (a->need->procs != b->need->procs)
		return a->need->procs > b->need->procs ? -1 : 1;
	if (a->need->memory_mb != b->need->memory_mb)
		return a->need->memory_mb > b->need->memory_mb ? -1 : 1;
	return (a->chunk > b->chunk) - (a->chunk < b->chunk);
}

static int by_memory(const void *one, const void *other)
{
	const struct ranked *a = one, *b = other;

	if (a->need->memory_mb != b->need->memory_mb)
		return a->need->memory_mb > b->need->memory_mb ? -1 : 1;
	return by_hosts(one, other);
}

/* Hosts that could have the chunk if no job ran. */
static int32_t hosts_for(const struct lxfw_pbs_site *site, const struct lxfw_pbs_queue *queue,
			 const struct lxfw_pbs_chunk *chunk, const int32_t *hosts, int32_t count)
{
	int32_t suited = 0;

	for (int32_t i = 0; i < count; i++) {
		const struct lxfw_pbs_host *host = &site->host[hosts[i]];
		struct lxfw_resources total = lxfw_pbs_total_for(site, host, queue,
								 chunk->wanted);

		suited += lxfw_resources_fit(&chunk->need, &total);
	}
	return suited;
}

/* Sets ORDER: 0: those with few hosts first; 1: as requested; 2: those with much memory first. */
static bool set_order(const struct lxfw_pbs_site *site, const struct lxfw_pbs_queue *queue,
		      const struct lxfw_pbs_select *select, int number, const int32_t *hosts,
		      int32_t count, size_t *order)
{
	struct ranked *ranked = calloc(select->count + 1, sizeof(*ranked));

	if (!ranked)
		return false;
	for (size_t i = 0; i < select->count; i++)
		ranked[i] = (struct ranked){
			.chunk = i, .need = &select->chunk[i].need,
			.hosts = number == 1 ? 0 :
				 hosts_for(site, queue, &select->chunk[i], hosts, count),
		};
	if (number != 1)
		qsort(ranked, select->count, sizeof(*ranked), number == 2 ? by_memory : by_hosts);
	for (size_t i = 0; i < select->count; i++)
		order[i] = ranked[i].chunk;
	free(ranked);
	return true;
}

int lxfw_pbs_bundle(const struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
		    const struct lxfw_pbs_select *select, int order, const int32_t *hosts,
		    int32_t count, bool pinned, struct lxfw_pbs_mixed *mixed)
{
	const struct lxfw_pbs_queue *queue = lxfw_pbs_site_find_queue(site, job->queue);
	size_t *chunks = calloc(select->count + 1, sizeof(*chunks));
	struct contents contents = { .mixed = mixed };
	int rc = -1;

	if (chunks && set_order(site, queue, select, order, hosts, count, chunks)) {
		errno = 0;
		rc = lxfw_pbs_spread(site, job, hosts, count, chunks, note, &contents);
		if (rc == 0 && errno == ENOMEM)
			rc = -1;
	}
	if (rc > 0)
		rc = gather(&contents, select, pinned, mixed);
	free(contents.content);
	free(chunks);
	return rc;
}
