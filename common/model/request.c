/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/model/request.h"

#include "common/model/time.h"

/* Upper bounds of the sums over all pieces and hosts. */
#define MEMORY_SUM_MOST (INT64_MAX / 4)
#define COUNT_SUM_MOST ((int64_t)INT32_MAX)

bool lxfw_request_has_hosts(const struct lxfw_request *request)
{
	const struct lxfw_resources *per_host = &request->per_host;
	bool any = request->min_hosts || per_host->procs || per_host->memory_mb;

	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		any = any || per_host->extras[i];
	return any;
}

static bool hosts_are_valid(const struct lxfw_request *request)
{
	const struct lxfw_resources *per_host = &request->per_host;

	if (request->max_hosts < 0)
		return false;
	if (request->shape == LXFW_SHAPE_HOSTS)
		return !lxfw_request_has_hosts(request);
	return per_host->procs == 0 && per_host->memory_mb >= 0 &&
	       per_host->memory_mb < LXFW_MEMORY_UNLIMITED &&
	       request->min_hosts >= 0 && request->min_hosts <= request->count &&
	       (request->max_hosts == 0 ||
		request->min_hosts <= request->max_hosts);
}

/* A job uses at most `count` hosts. */
static bool sums_are_valid(const struct lxfw_request *request)
{
	const struct lxfw_resources *unit = &request->unit;
	const struct lxfw_resources *per_host = &request->per_host;
	int64_t count = request->count;

	if (unit->procs * count > COUNT_SUM_MOST ||
	    unit->memory_mb + per_host->memory_mb > MEMORY_SUM_MOST / count)
		return false;
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		int64_t extras = (int64_t)unit->extras[i] + per_host->extras[i];

		/* The sum is below 2^32, so the product fits. */
		if (unit->extras[i] < 0 || per_host->extras[i] < 0 ||
		    extras * count > COUNT_SUM_MOST)
			return false;
	}
	return true;
}

static bool group_is_valid(const struct lxfw_request *request)
{
	if (request->group == 0)
		return request->group_count == 0;
	return request->group_count >= 2 &&
	       request->group_count <= LXFW_GROUP_MAX &&
	       request->no_quantum && request->min_procs == 0 &&
	       request->min_estimate == 0;
}

bool lxfw_request_pools_are_valid(const struct lxfw_request *request)
{
	int32_t previous = -1;

	if (request->pool_count == 0)
		return true;
	if (request->pool_count > LXFW_POOLS_MAX || !request->no_quantum ||
	    request->min_procs)
		return false;
	for (int i = 0; i < request->pool_count; i++) {
		if (request->pools[i].pool <= previous || request->pools[i].amount < 1)
			return false;
		previous = request->pools[i].pool;
	}
	return true;
}

bool lxfw_request_more_sets_are_valid(const struct lxfw_request *request)
{
	if (request->more_sets == 0)
		return true;
	return request->more_sets > 0 && request->host_set_count > 0 &&
	       request->more_sets <=
		       INT32_MAX - request->host_sets[request->host_set_count - 1];
}

bool lxfw_request_is_valid(const struct lxfw_request *request)
{
	int32_t most = request->rigid ? 0 : request->unit.procs;

	return request->id != 0 && request->estimate >= 1 &&
	       request->estimate <= LXFW_TIME_MAX &&
	       request->min_estimate >= 0 &&
	       request->min_estimate < request->estimate &&
	       request->submit >= -LXFW_TIME_MAX && request->submit <= LXFW_TIME_MAX &&
	       (request->shape == LXFW_SHAPE_HOSTS ||
		request->shape == LXFW_SHAPE_ANYWHERE) &&
	       request->count >= 1 && request->unit.procs >= 1 &&
	       request->unit.memory_mb >= 0 &&
	       request->unit.memory_mb < LXFW_MEMORY_UNLIMITED &&
	       request->host_set_count <= LXFW_HOST_SETS_MAX &&
	       request->min_procs >= 0 && request->min_procs <= most &&
	       hosts_are_valid(request) && sums_are_valid(request) &&
	       group_is_valid(request) && lxfw_request_pools_are_valid(request) &&
	       lxfw_request_more_sets_are_valid(request);
}

bool lxfw_request_asks_same(const struct lxfw_request *a,
			    const struct lxfw_request *b)
{
	bool same = a->estimate == b->estimate &&
		    a->min_estimate == b->min_estimate && a->count == b->count &&
		    a->unit.procs == b->unit.procs &&
		    a->unit.memory_mb == b->unit.memory_mb &&
		    a->shape == b->shape && a->exclusive == b->exclusive &&
		    a->min_hosts == b->min_hosts &&
		    a->max_hosts == b->max_hosts && a->tier == b->tier &&
		    a->per_host.memory_mb == b->per_host.memory_mb &&
		    a->rigid == b->rigid && a->min_procs == b->min_procs &&
		    a->no_reservation == b->no_reservation &&
		    a->group == b->group && a->group_count == b->group_count &&
		    a->host_set_count == b->host_set_count &&
		    a->pool_count == b->pool_count && a->more_sets == b->more_sets;

	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		same &= a->unit.extras[i] == b->unit.extras[i] &&
			a->per_host.extras[i] == b->per_host.extras[i];
	for (int i = 0; same && i < a->host_set_count; i++)
		same = a->host_sets[i] == b->host_sets[i];
	for (int i = 0; same && i < a->pool_count; i++)
		same = a->pools[i].pool == b->pools[i].pool &&
		       a->pools[i].amount == b->pools[i].amount;
	return same;
}

bool lxfw_request_same(const struct lxfw_request *a,
		       const struct lxfw_request *b)
{
	return a->id == b->id && a->submit == b->submit &&
	       a->no_quantum == b->no_quantum && lxfw_request_asks_same(a, b);
}

struct lxfw_resources lxfw_request_share(const struct lxfw_request *request,
					 int32_t pieces)
{
	struct lxfw_resources share =
		lxfw_resources_times(&request->unit, pieces);

	lxfw_resources_add(&share, &request->per_host);
	return share;
}

struct lxfw_resources lxfw_request_sum(const struct lxfw_request *request)
{
	struct lxfw_resources sum =
		lxfw_resources_times(&request->unit, request->count);
	struct lxfw_resources hosts = lxfw_resources_times(
		&request->per_host,
		request->min_hosts > 1 ? request->min_hosts : 1);

	lxfw_resources_add(&sum, &hosts);
	return sum;
}

int32_t lxfw_request_pieces(const struct lxfw_request *request,
			    const struct lxfw_resources *available,
			    int32_t most)
{
	struct lxfw_resources rest = *available;

	lxfw_resources_subtract(&rest, &request->per_host);
	return lxfw_resources_count(&request->unit, &rest, most);
}
