/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the parts of a mixed job find hosts of their own. */
#include <stdlib.h>
#include <string.h>

#include "plugins/pbs/bundles.h"
#include "plugins/pbs/request.h"

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
		      int preference, int orders)
{
	sort(choice);
	for (int order = 0; order < orders; order++) {
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

/* The library may choose the same hosts in each order of the parts: the first one must do. */
static bool is_sure(struct choice *choice, const struct lxfw_request *requests)
{
	int most = choice->hosts > HOSTS_FEW ? PREFERENCES_LEAST : PREFERENCES_MOST;
	int32_t part = 0;

	while (part < choice->parts && has_enough(choice, part, requests))
		part++;
	if (part == choice->parts)
		return true;
	for (int i = MANY_RIVALS; i < most; i++) {
		if (!place_all(choice, requests, i, 1))
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
		rc = !choice.fewer && place_all(&choice, requests, FEW_RIVALS, ORDERS_MAX);
		*sure = rc > 0 && is_sure(&choice, requests);
	}
	release(&choice);
	return rc;
}
