/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/place/sweep.h"

#include <string.h>

#include "common/place/place.h"
#include "common/place/ranked.h"
#include "common/util/grow.h"

/* The next time after TIME at which the number of pieces on a host may change: it may
   rise when resources become free, and fall when the job would still run at the beginning
   of a hold. */
static int64_t next_step(const struct lxfw_profile *profile,
			 const struct lxfw_request *request, int32_t index,
			 int64_t time)
{
	const struct lxfw_line *line = lxfw_profile_line(profile, index);
	int64_t next = lxfw_profile_next_gain(profile, index, time);
	int32_t low = 0, high = line->boundary_count;

	/* the first boundary that a start after TIME reaches */
	while (low < high) {
		int32_t middle = low + (high - low) / 2;

		if (line->boundaries[middle].time - request->estimate + 1 <= time)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < line->boundary_count &&
	    line->boundaries[low].time - request->estimate + 1 < next)
		next = line->boundaries[low].time - request->estimate + 1;
	return next;
}

/*
 * Number of hosts by number of pieces, for jobs with a limit of hosts. It shows during a
 * sweep whether the job fits without placing it.
 */
struct spread_count {
	int64_t *hosts;		/* hosts[n]: hosts with room for n pieces; in
				   sched->times */
	int32_t most;		/* largest number of pieces on a host */
	int32_t used;		/* hosts with room for at least one piece */
};

static int count_spread(const struct lxfw_placing *placing, int32_t count,
			struct spread_count *spread)
{
	struct lxfw_sched *sched = placing->sched;

	*spread = (struct spread_count){ .most = 0 };
	for (int32_t i = 0; i < count; i++) {
		const struct lxfw_host *host =
			&sched->profile.hosts[sched->ranked[i].host];
		int32_t pieces = lxfw_request_pieces(placing->request, &host->total,
						     placing->request->count);

		if (pieces > spread->most)
			spread->most = pieces;
	}
	if (LXFW_GROW(sched->times, sched->times_size, (size_t)spread->most + 1))
		return -1;
	spread->hosts = sched->times;
	memset(spread->hosts, 0,
	       ((size_t)spread->most + 1) * sizeof(*spread->hosts));
	spread->hosts[0] = lxfw_ranked_hosts(sched, count);
	return 0;
}

static void move_hosts(struct spread_count *spread, int32_t from, int32_t to, int32_t count)
{
	spread->hosts[from] -= count;
	spread->hosts[to] += count;
	spread->used += ((to > 0) - (from > 0)) * count;
}

/* Whether the hosts with the most room, within the limit of hosts, have room for all
   pieces. */
static bool is_enough(const struct spread_count *spread,
		      const struct lxfw_request *request)
{
	int64_t rest = request->count;
	int64_t hosts = request->max_hosts ? request->max_hosts : INT32_MAX;

	if (spread->used < request->min_hosts)
		return false;
	for (int32_t pieces = spread->most; pieces > 0 && hosts > 0; pieces--) {
		int64_t taken = spread->hosts[pieces] < hosts ?
				spread->hosts[pieces] : hosts;

		hosts -= taken;
		rest -= taken * pieces;
		if (rest <= 0)
			return true;
	}
	return false;
}

/* Update the hosts whose number of pieces changes at placing->start. Returns the number
   of hosts that change again later. */
static size_t take_steps(const struct lxfw_placing *placing, size_t left,
			 struct spread_count *spread, int64_t *sum)
{
	struct lxfw_sched *sched = placing->sched;

	while (left > 0 && sched->steps[0].time == placing->start) {
		struct lxfw_host_change *step = &sched->steps[0];
		struct lxfw_ranked_host *ranked = &sched->ranked[step->rank];
		int32_t pieces = lxfw_placing_capacity(placing, ranked->host,
						       placing->request->count);

		move_hosts(spread, ranked->procs, pieces, ranked->count);
		*sum += (int64_t)(pieces - ranked->procs) * ranked->count;
		ranked->procs = pieces;
		step->time = next_step(&sched->profile, placing->request,
				       ranked->host, placing->start);
		if (step->time == LXFW_NEVER)
			*step = sched->steps[--left];
		if (left > 0)
			lxfw_step_sift(sched->steps, left, 0, NULL);
	}
	return left;
}

/* Make a heap of the COUNT ranked hosts, all of which are examined first at START.
   Returns 0, or -1 with errno ENOMEM. */
static int begin_steps(struct lxfw_sched *sched, int32_t count, int64_t start)
{
	if (LXFW_GROW(sched->steps, sched->steps_size, (size_t)count))
		return -1;
	for (int32_t i = 0; i < count; i++) {
		sched->ranked[i].procs = 0;	/* number of pieces, during the sweep */
		sched->steps[i] = (struct lxfw_host_change){ start, i };
	}
	return 0;
}

int32_t lxfw_place_sweep(struct lxfw_placing *placing, int64_t start)
{
	const struct lxfw_request *request = placing->request;
	struct lxfw_sched *sched = placing->sched;
	int32_t count = lxfw_rank_eligible(placing), found;
	struct spread_count spread;
	size_t left = (size_t)count;
	int64_t sum = 0;

	if (count == 0)
		return 0;
	if (count_spread(placing, count, &spread) < 0 ||
	    begin_steps(sched, count, start) < 0)
		return -1;
	while (left > 0) {
		placing->start = sched->steps[0].time;
		left = take_steps(placing, left, &spread, &sum);
		if (sum < request->count || !is_enough(&spread, request))
			continue;
		for (int32_t i = 0; i < count; i++)
			sched->ranked[i].room = sched->ranked[i].procs;
		found = lxfw_place_ranked(placing, count);
		if (found > 0)
			return found;
		/* The placement rule found no hosts, and has sorted the ranks. Continue
		   from the next change with new ones. */
		count = lxfw_rank_eligible(placing);
		for (int32_t j = 0; j < count; j++)
			sched->ranked[j].procs = lxfw_placing_capacity(
				placing, sched->ranked[j].host, request->count);
	}
	return 0;
}
