/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Capacity of a host for a request, and the list of chosen hosts. */
#include "common/place/placing.h"

#include <stdlib.h>
#include <string.h>

#include "common/place/place.h"
#include "common/place/rule.h"
#include "common/profile/boundary.h"

bool lxfw_placing_wants_procs(const struct lxfw_sched *sched,
			      const struct lxfw_request *request)
{
	return !sched->profile.claims_more && !request->exclusive &&
	       !lxfw_resources_have_more(&request->unit) &&
	       !lxfw_resources_have_more(&request->per_host);
}

/* The processors of a host with LINE that are available to the job. */
static inline int32_t available_procs(const struct lxfw_placing *placing,
				      const struct lxfw_line *line)
{
	const struct lxfw_profile *profile = &placing->sched->profile;
	int32_t procs = line->free.procs, then;

	if (placing->at_once && line->boundary_count == 0)
		return procs;
	then = lxfw_procs_until(profile, line, placing->start,
				lxfw_time_add(placing->start, placing->request->estimate));
	return placing->at_once && procs < then ? procs : then;
}

struct lxfw_resources lxfw_placing_available(const struct lxfw_placing *placing,
					     int32_t index)
{
	const struct lxfw_profile *profile = &placing->sched->profile;
	const struct lxfw_line *line = lxfw_profile_line(profile, index);
	struct lxfw_resources available = line->free;

	if (placing->only_procs) {
		available.procs = available_procs(placing, line);
		return available;
	}
	if (!placing->at_once || line->boundary_count > 0)
		lxfw_profile_available(profile, index, placing->start,
				       lxfw_time_add(placing->start,
						     placing->request->estimate),
				       &available);
	if (placing->at_once && line->boundary_count > 0)
		lxfw_resources_lower(&available, &line->free);
	return available;
}

/* The same as lxfw_placing_capacity() if nothing but processors is wanted. */
static int32_t capacity_of_procs(const struct lxfw_placing *placing, int32_t index,
				 int32_t most)
{
	const struct lxfw_line *line = lxfw_profile_line(&placing->sched->profile, index);
	int32_t need = placing->request->unit.procs, procs;

	if (placing->at_once && need > line->free.procs)
		return 0;
	procs = available_procs(placing, line);
	if (procs < need)
		return 0;
	if (placing->request->shape == LXFW_SHAPE_HOSTS)
		return 1;
	return procs / need < most ? procs / need : most;
}

int32_t lxfw_placing_capacity(const struct lxfw_placing *placing, int32_t index,
			      int32_t most)
{
	const struct lxfw_request *request = placing->request;
	const struct lxfw_host *host = &placing->sched->profile.hosts[index];
	const struct lxfw_line *line = lxfw_profile_line(&placing->sched->profile, index);
	struct lxfw_resources available, need;

	if (placing->awake_only && placing->sched->weights.boot[index])
		return 0;
	if (placing->only_procs)
		return capacity_of_procs(placing, index, most);
	need = lxfw_request_on(request, host);
	if (placing->at_once && (!lxfw_resources_fit(&need, &line->free) ||
				 (request->exclusive && line->running > 0)))
		return 0;
	if (lxfw_placing_is_kept(placing, index))
		return 0;
	available = lxfw_placing_available(placing, index);
	if (!lxfw_resources_fit(&need, &available))
		return 0;
	if (request->shape == LXFW_SHAPE_HOSTS)
		return 1;
	return lxfw_request_pieces(request, &available, most);
}

void lxfw_placing_add(struct lxfw_placing *placing, int32_t host, int32_t pieces)
{
	const struct lxfw_request *request = placing->request;
	struct lxfw_sched *sched = placing->sched;
	struct lxfw_share *share = &sched->found[placing->found++];

	share->host = host;
	share->sockets = 0;
	/* Often all hosts have as many pieces. */
	if (placing->found > 1 && !request->exclusive &&
	    share[-1].amount.procs == request->unit.procs * pieces) {
		share->amount = share[-1].amount;
		return;
	}
	share->amount = request->unit;
	if (request->shape == LXFW_SHAPE_ANYWHERE)
		share->amount = lxfw_request_share(request, pieces);
	if (request->exclusive)
		share->amount.procs = lxfw_request_on(
			request, &sched->profile.hosts[host]).procs;
}

bool lxfw_placing_has_kinds(const struct lxfw_sched *sched)
{
	return sched->profile.host_count > 1 && !sched->groups.placing;
}

bool lxfw_placing_chooses_kinds(const struct lxfw_placing *placing)
{
	const struct lxfw_sched *sched = placing->sched;

	return lxfw_placing_has_kinds(sched) && sched->placement->choose_kinds &&
	       placing->request->min_hosts <= 1 &&
	       !(sched->weights.differ && lxfw_weights_for(sched, placing->request));
}

static int by_pieces(const void *a, const void *b)
{
	const struct lxfw_ranked_host *x = a, *y = b;

	if (x->procs != y->procs)
		return x->procs > y->procs ? -1 : 1;
	return (x->host > y->host) - (x->host < y->host);
}

/* Equal hosts are, as they have been entered. */
static bool are_sorted(const struct lxfw_ranked_host *ranked, int32_t count)
{
	int32_t i = 1;

	while (i < count && by_pieces(&ranked[i - 1], &ranked[i]) < 0)
		i++;
	return i >= count;
}

int32_t lxfw_placing_widest(struct lxfw_placing *placing, int32_t count)
{
	const struct lxfw_request *request = placing->request;
	struct lxfw_ranked_host *ranked = placing->sched->ranked;
	int32_t rest = request->count, used = 0;
	int32_t most = request->max_hosts ? request->max_hosts : count;

	if (!are_sorted(ranked, count))
		qsort(ranked, (size_t)count, sizeof(*ranked), by_pieces);
	while (used < count && used < most && rest > 0) {
		int32_t further = request->min_hosts - used - 1;
		int32_t *pieces = &ranked[used++].procs;

		if (further > 0 && *pieces > rest - further)
			*pieces = rest - further;
		if (*pieces > rest)
			*pieces = rest;
		rest -= *pieces;
	}
	return rest > 0 || used < request->min_hosts ? 0 : used;
}

static int by_host(const void *a, const void *b)
{
	int32_t x = ((const struct lxfw_share *)a)->host;
	int32_t y = ((const struct lxfw_share *)b)->host;

	return (x > y) - (x < y);
}

/* Sort COUNT shares by host. Most are in ascending or in descending order. */
static void sort_by_host(struct lxfw_share *found, int32_t count)
{
	int64_t moves = 0;

	if (found[0].host > found[1].host) {
		for (int32_t i = 0, j = count - 1; i < j; i++, j--) {
			struct lxfw_share moved = found[i];

			found[i] = found[j];
			found[j] = moved;
		}
	}
	for (int32_t i = 1; i < count && moves <= 4 * (int64_t)count; i++) {
		struct lxfw_share moved = found[i];
		int32_t at = i;

		for (; at > 0 && found[at - 1].host > moved.host; at--)
			found[at] = found[at - 1];
		found[at] = moved;
		moves += i - at;
	}
	if (moves > 4 * (int64_t)count)
		qsort(found, (size_t)count, sizeof(*found), by_host);
}

/* Among the hosts of the lowest weight first, then with those of the next. */
static int32_t choose_by_weight(struct lxfw_placing *placing,
				const struct lxfw_weighted *hosts)
{
	struct lxfw_sched *sched = placing->sched;
	const struct lxfw_host_set *all = placing->set;
	int32_t count = sched->profile.host_count, found = 0;
	struct lxfw_host_set tried = {
		.members = sched->weights.members,
		.words = ((size_t)count + 63) / 64,
	};

	memset(tried.members, 0, tried.words * sizeof(*tried.members));
	placing->set = &tried;
	for (int32_t i = 0; i < count && found == 0;) {
		int64_t weight = hosts[i].weight;
		int32_t before = tried.count;

		for (; i < count && hosts[i].weight == weight; i++) {
			int32_t host = hosts[i].host;

			if (!sched->profile.hosts[host].up ||
			    !lxfw_host_set_has(all, host))
				continue;
			tried.members[host / 64] |= UINT64_C(1) << (host % 64);
			tried.count++;
		}
		if (tried.count == before)
			continue;
		placing->found = 0;
		found = sched->placement->choose(placing);
	}
	placing->set = all;
	return found;
}

int32_t lxfw_placing_choose(struct lxfw_placing *placing)
{
	struct lxfw_sched *sched = placing->sched;
	const struct lxfw_weighted *hosts = NULL;
	int32_t found;

	if (sched->weights.differ)
		hosts = lxfw_weights_for(sched, placing->request);
	placing->found = 0;
	if (placing->by_kind)
		found = sched->placement->choose_kinds(placing);
	else
		found = hosts ? choose_by_weight(placing, hosts) :
				sched->placement->choose(placing);
	if (found > 1)
		sort_by_host(sched->found, found);
	return found;
}
