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

/* --- parts on hosts of their own ---------------------------------------------------------- */

/* Orders of the parts that are tried, as many as the library tries. */
#define ORDERS_MAX 8

struct host {
	int32_t host;
	int32_t first, second;	/* the smallest come first */
};

struct choice {
	int32_t parts, hosts;
	int32_t *pieces;	/* by part and host */
	int32_t *rivals;	/* by host: parts that could have it */
	struct host *sorted;	/* in the order in which a part chooses them */
	int32_t *eligible;	/* by part: hosts that it could have */
	int32_t *order;		/* of the parts */
	bool *used;		/* by host */
	bool fewer;		/* vnodes hold fewer chunks than the library expects */
};

static bool allocate(struct choice *choice)
{
	size_t hosts = (size_t)choice->hosts + 1, parts = (size_t)choice->parts + 1;

	choice->pieces = calloc(hosts * parts, sizeof(int32_t));
	choice->rivals = calloc(hosts, sizeof(int32_t));
	choice->sorted = calloc(hosts, sizeof(*choice->sorted));
	choice->eligible = calloc(parts, sizeof(int32_t));
	choice->order = calloc(parts, sizeof(int32_t));
	choice->used = calloc(hosts, sizeof(bool));
	return choice->pieces && choice->rivals && choice->sorted && choice->eligible &&
	       choice->order && choice->used;
}

static void release(struct choice *choice)
{
	free(choice->pieces);
	free(choice->rivals);
	free(choice->sorted);
	free(choice->eligible);
	free(choice->order);
	free(choice->used);
}

static int32_t *pieces_of(const struct choice *choice, int32_t part)
{
	return &choice->pieces[(size_t)part * (size_t)choice->hosts];
}

static bool count_all(struct choice *choice, const struct lxfw_pbs_site *site,
		      const struct lxfw_pbs_sets *sets, const struct lxfw_pbs_job *job,
		      const struct lxfw_pbs_mixed *mixed, const struct lxfw_request *requests)
{
	for (int32_t i = 0; i < choice->parts; i++) {
		struct lxfw_pbs_job part = lxfw_pbs_part_of(mixed, job, i);

		if (!lxfw_pbs_pieces(site, sets, &part, &requests[i], pieces_of(choice, i),
				     &choice->fewer))
			return false;
		for (int32_t j = 0; j < choice->hosts; j++) {
			choice->rivals[j] += pieces_of(choice, i)[j] > 0;
			choice->eligible[i] += pieces_of(choice, i)[j] > 0;
		}
	}
	return true;
}

/* The parts with few hosts are the first ones. */
static void sort(struct choice *choice)
{
	for (int32_t i = 0; i < choice->parts; i++) {
		int32_t at = i;

		for (; at > 0 && choice->eligible[choice->order[at - 1]] > choice->eligible[i];
		     at--)
			choice->order[at] = choice->order[at - 1];
		choice->order[at] = i;
	}
}

/* How parts choose hosts. The library chooses by what these have at the time of the start: further
   numbers stand for other orders. */
enum preference { FEW_RIVALS, MANY_RIVALS, FEW_PIECES, MANY_PIECES };

/* Numbers that are tried, of few and of many hosts. */
#define PREFERENCES_MOST 40
#define PREFERENCES_LEAST 8
#define HOSTS_FEW 200

static int by_preference(const void *one, const void *other)
{
	const struct host *a = one, *b = other;

	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	if (a->second != b->second)
		return a->second < b->second ? -1 : 1;
	return (a->host > b->host) - (a->host < b->host);
}

static void prefer(struct choice *choice, int32_t part, int preference)
{
	for (int32_t i = 0; i < choice->hosts; i++) {
		int32_t pieces = pieces_of(choice, part)[i], rivals = choice->rivals[i];
		struct host *host = &choice->sorted[i];

		host->host = i;
		switch (preference) {
		case FEW_RIVALS:
			host->first = rivals;
			host->second = -pieces;
			break;
		case MANY_RIVALS:
			host->first = -rivals;
			host->second = pieces;
			break;
		case FEW_PIECES:
			host->first = pieces;
			host->second = -rivals;
			break;
		case MANY_PIECES:
			host->first = -pieces;
			host->second = -rivals;
			break;
		default:
			host->first = (int32_t)(((uint32_t)i * 2654435761u ^
						 (uint32_t)preference * 2246822519u ^
						 (uint32_t)part * 3266489917u) *
						668265263u >> 8);
			host->second = 0;
		}
	}
	qsort(choice->sorted, (size_t)choice->hosts, sizeof(*choice->sorted), by_preference);
}

static bool place(struct choice *choice, int32_t part, int32_t count,
		  int preference)
{
	prefer(choice, part, preference);
	for (int32_t i = 0; i < choice->hosts && count > 0; i++) {
		int32_t host = choice->sorted[i].host, pieces = pieces_of(choice, part)[host];

		if (choice->used[host] || pieces == 0)
			continue;
		choice->used[host] = true;
		count -= pieces;
	}
	return count <= 0;
}

/* A part that finds no hosts is the first one of the next order. */
static bool place_all(struct choice *choice, const struct lxfw_request *requests,
		      int preference)
{
	sort(choice);
	for (int order = 0; order < ORDERS_MAX; order++) {
		int32_t at = 0, failed;

		memset(choice->used, 0, (size_t)choice->hosts * sizeof(*choice->used));
		while (at < choice->parts &&
		       place(choice, choice->order[at], requests[choice->order[at]].count,
			     preference))
			at++;
		if (at == choice->parts)
			return true;
		failed = choice->order[at];
		memmove(&choice->order[1], &choice->order[0],
			(size_t)at * sizeof(*choice->order));
		choice->order[0] = failed;
	}
	return false;
}

/* Whether the part has enough even if all others have the hosts that are best for it. */
static bool has_enough(struct choice *choice, int32_t part, const struct lxfw_request *requests)
{
	int64_t others = 0, left = 0;

	for (int32_t i = 0; i < choice->parts; i++)
		others += i == part ? 0 : requests[i].count;
	prefer(choice, part, MANY_PIECES);
	for (int64_t i = others; i < choice->eligible[part]; i++)
		left += pieces_of(choice, part)[choice->sorted[i].host];
	return left >= requests[part].count;
}

static bool is_sure(struct choice *choice, const struct lxfw_request *requests)
{
	int most = choice->hosts > HOSTS_FEW ? PREFERENCES_LEAST : PREFERENCES_MOST;
	int32_t part = 0;

	while (part < choice->parts && has_enough(choice, part, requests))
		part++;
	if (part == choice->parts)
		return true;
	for (int i = MANY_RIVALS; i < most; i++) {
		if (!place_all(choice, requests, i))
			return false;
	}
	return true;
}

int lxfw_pbs_fit_together(const struct lxfw_pbs_site *site, const struct lxfw_pbs_sets *sets,
			  const struct lxfw_pbs_job *job, const struct lxfw_pbs_mixed *mixed,
			  const struct lxfw_request *requests, bool *sure)
{
	struct choice choice = { .parts = mixed->count, .hosts = site->host_count };
	int rc = -1;

	*sure = false;
	if (allocate(&choice) && count_all(&choice, site, sets, job, mixed, requests)) {
		rc = !choice.fewer && place_all(&choice, requests, FEW_RIVALS);
		*sure = rc > 0 && is_sure(&choice, requests);
	}
	release(&choice);
	return rc;
}

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
