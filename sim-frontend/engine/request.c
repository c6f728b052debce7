/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/engine/request.h"

#include <stdlib.h>
#include <string.h>

static int64_t part_of(int64_t amount, int64_t parts)
{
	return amount / parts + (amount % parts > 0);
}

static bool asks_for_extras(const struct lxfw_need *need)
{
	bool any = false;

	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		any = any || need->extras[i] > 0;
	return any;
}

/* Requests an equal part of the job on each of HOSTS hosts. */
static void ask_hosts(const struct lxfw_trace_job *job, int64_t memory_kb,
		      const struct lxfw_need *need, int32_t hosts,
		      struct lxfw_request *request)
{
	request->shape = LXFW_SHAPE_HOSTS;
	request->count = hosts;
	request->unit.procs = job->procs / hosts;
	request->unit.memory_mb = part_of(part_of(memory_kb, hosts), 1024);
	for (int i = 0; i < LXFW_EXTRAS_MAX && need; i++)
		request->unit.extras[i] =
			(int32_t)part_of(need->extras[i], hosts);
}

static int32_t common_divisor(int32_t a, int32_t b)
{
	while (b > 0) {
		int32_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Requests pieces if nothing is known about hosts. */
static void ask_anywhere(const struct lxfw_trace_job *job, int64_t memory_kb,
			 const struct lxfw_need *need,
			 struct lxfw_request *request)
{
	int32_t pieces = job->procs;

	for (int i = 0; i < LXFW_EXTRAS_MAX && need; i++)
		pieces = common_divisor(pieces, need->extras[i]);
	request->shape = LXFW_SHAPE_ANYWHERE;
	request->count = pieces;
	request->unit.procs = job->procs / pieces;
	request->unit.memory_mb = part_of(part_of(memory_kb, pieces), 1024);
	for (int i = 0; i < LXFW_EXTRAS_MAX && need; i++)
		request->unit.extras[i] = need->extras[i] / pieces;
}

/* Requests single processors on about as many hosts as the job had. Memory is rounded
   down, since its hosts had enough. */
static void ask_uneven(const struct lxfw_trace_job *job, int64_t memory_kb,
		       const struct lxfw_need *need,
		       struct lxfw_request *request)
{
	int32_t hosts = need->hosts < job->procs ? need->hosts : job->procs;
	bool extras = asks_for_extras(need);
	bool exactly = extras || need->least_hosts >= hosts;

	request->shape = LXFW_SHAPE_ANYWHERE;
	request->count = job->procs;
	request->unit.procs = 1;
	if (exactly) {
		request->min_hosts = request->max_hosts = hosts;
	} else if (need->least_hosts > 0) {
		request->min_hosts = need->least_hosts;
		request->max_hosts = need->max_hosts > need->least_hosts ?
				     need->max_hosts : 0;
	} else {
		request->max_hosts = hosts;
	}
	if (exactly || need->host_memory)
		request->per_host.memory_mb =
			part_of(part_of(memory_kb, hosts), 1024);
	else
		request->unit.memory_mb = memory_kb / job->procs / 1024;
	for (int i = 0; i < LXFW_EXTRAS_MAX && extras; i++)
		request->per_host.extras[i] =
			(int32_t)part_of(need->extras[i], hosts);
}

/* Returns whether the job probably had the same resources on each of its hosts. */
static bool is_even(const struct lxfw_trace_job *job,
		    const struct lxfw_need *need)
{
	if (job->procs % need->hosts != 0)
		return false;
	return need->least_hosts == 0 || need->least_hosts >= need->hosts ||
	       asks_for_extras(need);
}

static void take_sets(const struct lxfw_need *need, struct lxfw_request *request)
{
	request->tier = need->tier;
	request->exclusive = need->exclusive;
	request->host_set_count = need->set_count;
	memcpy(request->host_sets, need->sets, sizeof(request->host_sets));
}

void lxfw_simulation_request(const struct lxfw_cluster *cluster, bool one_host,
			     const struct lxfw_trace_job *job,
			     const struct lxfw_need *need,
			     struct lxfw_request *request)
{
	int64_t memory_kb = cluster->memory_bound ? job->memory_kb : 0;
	int32_t hosts = need ? need->hosts : 0;

	if (need)
		take_sets(need, request);
	if (one_host || cluster->count == 1 || hosts == 1)
		ask_hosts(job, memory_kb, need, 1, request);
	else if (hosts == 0)
		ask_anywhere(job, memory_kb, need, request);
	else if (is_even(job, need))
		ask_hosts(job, memory_kb, need, hosts, request);
	else
		ask_uneven(job, memory_kb, need, request);
}

/* --- what fits ------------------------------------------------------------------ */

/* Hosts of a cluster or of one of its partitions. */
struct candidates {
	const struct lxfw_cluster *cluster;
	const struct lxfw_cluster_set *set;	/* NULL: all */
	int32_t count;
};

/* Returns the number of pieces of the job that fit on the empty host, or whether a
   part fits. */
static int32_t room_on(const struct candidates *from, int32_t i,
		       const struct lxfw_request *request, int32_t most)
{
	int32_t host = from->set ? from->set->hosts[i] : i;
	const struct lxfw_resources *total = &from->cluster->hosts[host].total;

	if (request->shape == LXFW_SHAPE_HOSTS)
		return lxfw_resources_fit(&request->unit, total);
	return lxfw_request_pieces(request, total, most);
}

static int descending(const void *left, const void *right)
{
	int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;

	return (a < b) - (a > b);
}

/* Returns whether the max_hosts hosts with the most space suffice. */
static bool few_hold(const struct candidates *from,
		     const struct lxfw_request *request)
{
	int32_t *rooms = calloc((size_t)from->count + 1, sizeof(*rooms));
	int64_t room = 0;

	if (!rooms)	/* the simulation will detect it */
		return true;
	for (int32_t i = 0; i < from->count; i++)
		rooms[i] = room_on(from, i, request, request->count);
	qsort(rooms, (size_t)from->count, sizeof(*rooms), descending);
	for (int32_t i = 0; i < request->max_hosts && i < from->count; i++)
		room += rooms[i];
	free(rooms);
	return room >= request->count;
}

static bool hold(const struct candidates *from, const struct lxfw_request *request)
{
	int32_t left = request->count, hosts = 0;

	for (int32_t i = 0; i < from->count &&
	     (left > 0 || hosts < request->min_hosts); i++) {
		int32_t room = room_on(from, i, request, left > 0 ? left : 1);

		left -= room;
		hosts += room > 0;
	}
	if (left > 0 || hosts < request->min_hosts)
		return false;
	return request->max_hosts == 0 || few_hold(from, request);
}

bool lxfw_simulation_holds(const struct lxfw_cluster *cluster,
			   const struct lxfw_request *request)
{
	struct candidates from = { cluster, NULL, cluster->count };

	if (request->host_set_count == 0)
		return hold(&from, request);
	for (int i = 0; i < request->host_set_count; i++) {
		from.set = &cluster->sets[request->host_sets[i]];
		from.count = from.set->count;
		if (hold(&from, request))
			return true;
	}
	return false;
}
