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

/* --- what fits ------------------------------------------------------------------ */

/* Hosts of a cluster or of one of its partitions, by kind if those are known. */
struct candidates {
	const struct lxfw_cluster *cluster;
	const struct lxfw_cluster_set *set;	/* NULL: all */
	const struct lxfw_cluster_kinds *kinds;
	int32_t count;				/* of kinds, or of hosts */
};

static struct candidates candidates_of(const struct lxfw_cluster *cluster,
				       const struct lxfw_cluster_set *set)
{
	const struct lxfw_cluster_kinds *kinds = set ? &set->kinds : &cluster->kinds;

	return (struct candidates) {
		.cluster = cluster, .set = set, .kinds = kinds,
		.count = kinds->count > 0 ? kinds->count : set ? set->count : cluster->count,
	};
}

/* Returns the number of pieces of the job that fit on an empty host of a kind, or whether a
   part fits. Sets *HOSTS to the number of these hosts. */
static int32_t room_on(const struct candidates *from, int32_t i,
		       const struct lxfw_request *request, int32_t most, int32_t *hosts)
{
	int32_t host = from->set ? from->set->hosts[i] : i;
	const struct lxfw_resources *total;

	*hosts = 1;
	if (from->kinds->count > 0) {
		host = from->kinds->kinds[i].host;
		*hosts = from->kinds->kinds[i].count;
	}
	total = &from->cluster->hosts[host].total;
	if (request->shape == LXFW_SHAPE_HOSTS)
		return lxfw_resources_fit(&request->unit, total);
	return lxfw_request_pieces(request, total, most);
}

struct room {
	int32_t pieces, hosts;
};

static int descending(const void *left, const void *right)
{
	const struct room *a = left, *b = right;

	return (a->pieces < b->pieces) - (a->pieces > b->pieces);
}

/* Returns whether the max_hosts hosts with the most space suffice. */
static bool few_hold(const struct candidates *from,
		     const struct lxfw_request *request)
{
	struct room *rooms = calloc((size_t)from->count + 1, sizeof(*rooms));
	int64_t room = 0;
	int32_t left = request->max_hosts;

	if (!rooms)	/* the simulation will detect it */
		return true;
	for (int32_t i = 0; i < from->count; i++)
		rooms[i].pieces = room_on(from, i, request, request->count, &rooms[i].hosts);
	qsort(rooms, (size_t)from->count, sizeof(*rooms), descending);
	for (int32_t i = 0; left > 0 && i < from->count; i++) {
		int32_t hosts = rooms[i].hosts < left ? rooms[i].hosts : left;

		room += (int64_t)rooms[i].pieces * hosts;
		left -= hosts;
	}
	free(rooms);
	return room >= request->count;
}

static bool hold(const struct candidates *from, const struct lxfw_request *request)
{
	int64_t left = request->count;
	int32_t hosts = 0;

	for (int32_t i = 0; i < from->count &&
	     (left > 0 || hosts < request->min_hosts); i++) {
		int32_t count, room = room_on(from, i, request, request->count, &count);

		left -= (int64_t)room * count;
		hosts += room > 0 ? count : 0;
	}
	if (left > 0 || hosts < request->min_hosts)
		return false;
	return request->max_hosts == 0 || few_hold(from, request);
}

bool lxfw_simulation_holds(const struct lxfw_cluster *cluster,
			   const struct lxfw_request *request)
{
	struct candidates from = candidates_of(cluster, NULL);

	if (request->host_set_count == 0)
		return hold(&from, request);
	for (int i = 0; i < request->host_set_count; i++) {
		from = candidates_of(cluster, &cluster->sets[request->host_sets[i]]);
		if (hold(&from, request))
			return true;
	}
	return false;
}

/* --- requests ------------------------------------------------------------------- */

/* Requests the resources of the job in the shape that its log suggests. */
static void ask(const struct lxfw_cluster *cluster, bool one_host,
		const struct lxfw_trace_job *job, const struct lxfw_need *need,
		struct lxfw_request *request)
{
	int64_t memory_kb = cluster->memory_bound ? job->memory_kb : 0;
	int32_t hosts = need ? need->hosts : 0;

	if (one_host || cluster->count == 1 || hosts == 1)
		ask_hosts(job, memory_kb, need, 1, request);
	else if (hosts == 0)
		ask_anywhere(job, memory_kb, need, request);
	else if (is_even(job, need))
		ask_hosts(job, memory_kb, need, hosts, request);
	else
		ask_uneven(job, memory_kb, need, request);
}

/* Each processor counts in the limits of the partitions on a host, and is one of those that the host
   does not keep for jobs with GPUs, unless it is kept for a GPU of the job. A job that has its
   hosts exclusively is alone. */
static void take_limits(const struct lxfw_cluster *cluster, const struct lxfw_need *need,
			struct lxfw_request *request)
{
	int32_t procs = request->unit.procs;
	int64_t kept;

	if (!need || request->exclusive)
		return;
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		if (need->caps >> i & 1)
			request->unit.extras[i] = procs;
	}
	if (cluster->open == 0)
		return;
	kept = lxfw_cluster_gpus_in(cluster, &request->per_host) > 0 ? procs :
	       (int64_t)lxfw_cluster_gpus_in(cluster, &request->unit) * cluster->gpu_procs;
	request->unit.extras[cluster->open - 1] = kept < procs ? (int32_t)(procs - kept) : 0;
}

/* Requests a piece for each GPU, or whatever GRES the job has most of. The processors are
   rounded to a multiple. */
static void ask_by_extra(const struct lxfw_trace_job *job, const struct lxfw_need *need,
			 struct lxfw_request *request)
{
	int32_t pieces = 1;

	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		if (need->extras[i] > pieces)
			pieces = need->extras[i];
	}
	request->count = pieces;
	request->unit.procs = job->procs > pieces ? job->procs / pieces : 1;
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		request->unit.extras[i] = (int32_t)part_of(need->extras[i], pieces);
}

/* Where pieces may be, in the order in which the possibilities are tried. */
enum spread {
	ON_ALL,		/* on the number of hosts that the job had */
	ON_MOST,	/* on at most as many */
	BY_EXTRA,	/* likewise, a piece for each GPU */
	ANYWHERE,
};

static bool ask_pieces(const struct lxfw_cluster *cluster, const struct lxfw_trace_job *job,
		       const struct lxfw_need *need, enum spread spread,
		       struct lxfw_request *request)
{
	int64_t memory_kb = cluster->memory_bound ? job->memory_kb : 0;

	request->per_host = (struct lxfw_resources) { 0 };
	ask_anywhere(job, memory_kb, need, request);
	if (spread == BY_EXTRA)
		ask_by_extra(job, need, request);
	request->unit.memory_mb = memory_kb / request->count / 1024;
	request->min_hosts = spread == ON_ALL ? need->hosts : 0;
	request->max_hosts = spread == ANYWHERE ? 0 : need->hosts;
	take_limits(cluster, need, request);
	return request->min_hosts <= request->count &&
	       lxfw_simulation_holds(cluster, request);
}

/* The job ran, but equal shares do not fit: its hosts were unlike. */
static void ask_unlike(const struct lxfw_cluster *cluster, const struct lxfw_trace_job *job,
		       const struct lxfw_need *need, struct lxfw_request *request)
{
	struct lxfw_request other = *request;

	for (enum spread spread = ON_ALL; spread <= ANYWHERE; spread++) {
		if (ask_pieces(cluster, job, need, spread, &other)) {
			*request = other;
			return;
		}
	}
}

void lxfw_simulation_request(const struct lxfw_cluster *cluster, bool one_host,
			     const struct lxfw_trace_job *job,
			     const struct lxfw_need *need,
			     struct lxfw_request *request)
{
	if (need)
		take_sets(need, request);
	ask(cluster, one_host, job, need, request);
	take_limits(cluster, need, request);
	if (need && need->hosts > 1 && !one_host && cluster->count > 1 &&
	    !lxfw_simulation_holds(cluster, request))
		ask_unlike(cluster, job, need, request);
}

static void drop_extras(struct lxfw_request *request)
{
	memset(request->unit.extras, 0, sizeof(request->unit.extras));
	memset(request->per_host.extras, 0, sizeof(request->per_host.extras));
}

/* Returns why the request does not fit on the empty cluster. */
static enum lxfw_needs_lack find_lack(const struct lxfw_cluster *cluster,
				      const struct lxfw_trace_job *job,
				      const struct lxfw_need *need,
				      const struct lxfw_request *request)
{
	struct lxfw_request less = *request, pieces = *request;

	less.unit.memory_mb = less.per_host.memory_mb = 0;
	if (lxfw_simulation_holds(cluster, &less))
		return LXFW_NEEDS_MEMORY;
	less = *request;
	drop_extras(&less);
	if (lxfw_simulation_holds(cluster, &less))
		return LXFW_NEEDS_GRES;
	if (ask_pieces(cluster, job, need, ANYWHERE, &pieces))
		return LXFW_NEEDS_HOSTS;
	less = pieces;
	less.unit.memory_mb = 0;
	if (lxfw_simulation_holds(cluster, &less))
		return LXFW_NEEDS_MEMORY;
	ask_anywhere(job, 0, NULL, &less);
	drop_extras(&less);
	if (lxfw_simulation_holds(cluster, &less))
		return LXFW_NEEDS_GRES;
	pieces.host_set_count = 0;
	return lxfw_simulation_holds(cluster, &pieces) ? LXFW_NEEDS_PARTITION :
							 LXFW_NEEDS_PROCS;
}

void lxfw_simulation_tell(const struct lxfw_cluster *cluster,
			  const struct lxfw_trace_job *job, const struct lxfw_need *need,
			  const struct lxfw_request *request, struct lxfw_needs_told *told)
{
	struct lxfw_request even = *request;

	if (!need)
		return;
	if (!lxfw_simulation_holds(cluster, request)) {
		told->lacking[find_lack(cluster, job, need, request)]++;
		return;
	}
	if (need->hosts < 2 || request->shape != LXFW_SHAPE_ANYWHERE)
		return;
	even.per_host = (struct lxfw_resources) { 0 };
	even.min_hosts = even.max_hosts = 0;
	ask(cluster, false, job, need, &even);
	take_limits(cluster, need, &even);
	told->unlike += !lxfw_request_asks_same(&even, request);
}

void lxfw_simulation_license(enum lxfw_policy policy, const struct lxfw_need *need,
			     struct lxfw_request *request)
{
	if (!need || need->pool_count == 0 || request->min_procs > 0 || request->group ||
	    !lxfw_policy_groups(policy))
		return;
	memcpy(request->pools, need->pools, sizeof(request->pools));
	request->pool_count = need->pool_count;
	request->no_quantum = true;
}

bool lxfw_simulation_licensed(const struct lxfw_cluster *cluster, const struct lxfw_need *need,
			      struct lxfw_needs_told *told)
{
	for (int i = 0; need && i < need->pool_count; i++) {
		const struct lxfw_pool_need *pool = &need->pools[i];

		if (pool->amount <= cluster->licenses[pool->pool - cluster->count].total)
			continue;
		if (told)
			told->lacking[LXFW_NEEDS_GRES]++;
		return false;
	}
	return true;
}
