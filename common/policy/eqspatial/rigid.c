/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * EQspatial: room for rigid jobs.
 *
 * lxfw_pass() schedules rigid jobs: by priority, on free processors, beside the
 * reservations. Adaptive jobs take all processors of their host as soon as they are free,
 * so they have to make room:
 *
 * - at once, if a rigid job requests no more processors than one more job would have as
 *   its equal share. The host must be due for a repartition, and no reservation may be
 *   delayed.
 * - when the reservation of a rigid job begins. All adaptive jobs then keep at most their
 *   minimum.
 *
 * Rigid jobs of the size of an equal share thus wait as long as adaptive jobs, and larger
 * ones as long as under backfill. Exclusive jobs wait until their hosts are empty:
 * adaptive jobs are not placed on a host where they would still run when a reservation
 * begins.
 */
#include "common/policy/eqspatial/private.h"

#include "common/books/books.h"
#include "common/books/candidate.h"
#include "common/books/run.h"
#include "common/place/place.h"
#include "common/service/service.h"
#include "common/util/grow.h"

/* Processors of HOST that another job can get. */
static int32_t room_on(struct lxfw_sched *sched, int32_t index, bool all)
{
	struct lxfw_eq_host *host = &lxfw_eq_of(sched)->hosts[index];
	int32_t free = lxfw_profile_free(&sched->profile, index)->procs, part;
	int64_t room;

	if (host->running_count == 0 || lxfw_service_on_host(sched, index))
		return free;
	if (all) {
		room = lxfw_eq_total(sched, host, index) - host->min_procs;
		return room > free ? (int32_t)room : free;
	}
	if (lxfw_eq_due(sched, index) > sched->now)
		return free;
	part = lxfw_eq_part_of(sched, index, INT32_MAX);
	return part > free || part < 0 ? part : free;
}

/* Whether the future holds leave AMOUNT, and the minimum of every job that shares the
   host. */
static bool beside_holds(const struct lxfw_sched *sched, int32_t index,
			 const struct lxfw_resources *amount, int64_t end)
{
	const struct lxfw_line *line = lxfw_profile_line(&sched->profile, index);
	const struct lxfw_eq_host *shared = &lxfw_eq_of(sched)->hosts[index];
	struct lxfw_resources need = *amount, available;
	int64_t most;

	if (line->boundary_count == 0)
		return true;
	most = lxfw_eq_total(sched, shared, index) -
	       shared->min_procs - amount->procs;
	for (int32_t i = 0; i < line->boundary_count &&
			    line->boundaries[i].time < end; i++) {
		if (line->boundaries[i].held.procs > most)
			return false;
	}
	need.procs = INT32_MIN;
	lxfw_profile_available(&sched->profile, index, sched->now, end,
			       &available);
	return lxfw_resources_fit(&need, &available);
}

/* Number of pieces, at most WANTED, that HOST has room for, or -1 with errno ENOMEM. */
static int32_t pieces_on(struct lxfw_sched *sched, int32_t index,
			 const struct lxfw_request *request, int32_t wanted,
			 bool all)
{
	const struct lxfw_resources *free = lxfw_profile_free(&sched->profile, index);
	int64_t end = lxfw_time_add(sched->now, request->estimate);
	int32_t room = room_on(sched, index, all);
	struct lxfw_resources amount;

	if (room < 0 && free->procs >= 0)
		return -1;
	if (room / request->unit.procs < wanted)
		wanted = room < 0 ? 0 : room / request->unit.procs;
	for (; wanted > 0; wanted--) {
		struct lxfw_resources rest;

		amount = lxfw_request_share(request, wanted);
		rest = amount;
		rest.procs = INT32_MIN;
		if (lxfw_resources_fit(&rest, free) &&
		    beside_holds(sched, index, &amount, end))
			break;
	}
	return wanted;
}

/* Find hosts for all pieces, the first ones by index. Puts the shares into sched->found.
   Returns their number, 0 if there are too few, or -1 with errno ENOMEM. */
static int32_t find(struct lxfw_sched *sched, const struct lxfw_request *request,
		    int32_t alternative, bool all)
{
	bool anywhere = request->shape == LXFW_SHAPE_ANYWHERE;
	int32_t left = request->count, count = 0;
	int32_t hosts_most = anywhere && request->max_hosts > 0 ?
			     request->max_hosts : request->count;

	for (int32_t i = 0; i < sched->profile.host_count && left > 0 &&
			    count < hosts_most; i++) {
		int32_t further = request->min_hosts - count - 1, pieces = 1;

		if (!sched->profile.hosts[i].up ||
		    !lxfw_host_allowed(sched, request, alternative, i))
			continue;
		if (anywhere)	/* leave at least one piece for each further host */
			pieces = further > 0 ? left - further : left;
		pieces = pieces_on(sched, i, request, pieces, all);
		if (pieces < 0)
			return -1;
		if (pieces == 0)
			continue;
		sched->found[count++] = (struct lxfw_share){
			.host = i, .amount = lxfw_request_share(request, pieces),
		};
		left -= pieces;
	}
	return left > 0 ? 0 : count;
}

/* Make room on the hosts found and start the job. Starting assigned jobs on these hosts
   overwrites sched->found, so the shares are stored meanwhile. */
static int take_room(struct lxfw_sched *sched, int32_t index, int32_t count,
		     int32_t host_set)
{
	struct lxfw_equipartition *eq = lxfw_eq_of(sched);

	if (LXFW_GROW(eq->room, eq->room_size, (size_t)count))
		return -1;
	for (int32_t i = 0; i < count; i++)
		eq->room[i] = sched->found[i];
	for (int32_t i = 0; i < count; i++) {
		const struct lxfw_share *share = &eq->room[i];

		if (share->amount.procs >
			    lxfw_profile_free(&sched->profile, share->host)->procs &&
		    lxfw_eq_clear(sched, share->host, share->amount.procs) < 0)
			return -1;
	}
	for (int32_t i = 0; i < count; i++) {
		sched->found[i] = eq->room[i];
		eq->hosts[eq->room[i].host].changed = true;
		eq->hosts[eq->room[i].host].level = -1;
	}
	return lxfw_job_start(sched, index, count, host_set, LXFW_NEVER);
}

static void lift(struct lxfw_sched *sched, int32_t index, int sign)
{
	int32_t at = sched->jobs[index].reservation;

	if (at >= 0)
		lxfw_profile_count_hold(&sched->profile,
					sched->reservations[at].claim, sign);
}

int32_t lxfw_eq_make_room(struct lxfw_sched *sched, int32_t index, bool all)
{
	struct lxfw_request request =
		lxfw_request_simplest(sched, &sched->jobs[index].request);
	int32_t alternatives = lxfw_request_alternatives(&request), count;

	if (request.exclusive || sched->jobs[index].kept)
		return 0;
	if (lxfw_eq_ready(sched) < 0)
		return -1;
	for (int32_t i = 0; i < alternatives; i++) {
		/* The job's own reservation does not count. */
		lift(sched, index, -1);
		count = find(sched, &request, i, all);
		lift(sched, index, 1);
		if (count != 0)
			return count < 0 ? -1 :
			       take_room(sched, index, count, i) < 0 ? -1 : 1;
	}
	return 0;
}

/* --- at once ------------------------------------------------------------------------ */

/* Whether any host could be repartitioned now. Sets eq->next_due to the next time at
   which one can. */
static bool find_due(struct lxfw_sched *sched)
{
	struct lxfw_equipartition *eq = lxfw_eq_of(sched);
	bool now = false;

	eq->next_due = LXFW_NEVER;
	for (int32_t i = 0; i < eq->host_count; i++) {
		int64_t due = lxfw_eq_due(sched, i);

		if (eq->hosts[i].running_count == 0 || !eq->hosts[i].up)
			continue;
		if (due <= sched->now)
			now = true;
		else if (due < eq->next_due)
			eq->next_due = due;
	}
	return now;
}

bool lxfw_eq_rigid_waits(const struct lxfw_sched *sched)
{
	for (size_t i = 0; i < sched->head_count; i++) {
		if (!lxfw_is_shared(sched,
				    &sched->classes[sched->heads[i].class].request))
			return true;
	}
	return false;
}

/* Make a heap of the heads of the classes of rigid jobs. */
static int collect(struct lxfw_sched *sched)
{
	if (lxfw_candidates_begin(sched) < 0)
		return -1;
	for (size_t i = 0; i < sched->head_count; i++) {
		const struct lxfw_class *class =
			&sched->classes[sched->heads[i].class];

		if (!lxfw_is_shared(sched, &class->request))
			sched->heap[sched->heap_count++] =
				lxfw_candidate_of(sched, class->head);
	}
	lxfw_candidates_order(sched);
	return 0;
}

int lxfw_eq_start_rigid(struct lxfw_sched *sched)
{
	bool due = find_due(sched);

	sched->heap_count = 0;
	if (due && collect(sched) < 0)
		return -1;
	while (sched->heap_count > 0) {
		int32_t index = sched->heap[0].job;
		int32_t next = sched->jobs[index].next;
		int32_t started =
			lxfw_eq_make_room(sched, index, false);

		if (started < 0)
			return -1;
		if (started > 0 && next >= 0)
			sched->heap[0] = lxfw_candidate_of(sched, next);
		else
			sched->heap[0] = sched->heap[--sched->heap_count];
		lxfw_candidates_sift(sched, 0);
	}
	return 0;
}
