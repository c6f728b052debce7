/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/books/reservation.h"

#include "common/books/books.h"
#include "common/books/decision.h"
#include "common/util/grow.h"

int lxfw_reservations_ready(struct lxfw_sched *sched)
{
	if (LXFW_GROW(sched->reservations, sched->reservations_size,
		      sched->reservation_count + 1))
		return -1;
	if (LXFW_GROW(sched->dropped, sched->dropped_size,
		      sched->dropped_count + sched->reservation_count +
			      sched->groups.jobs + 1))
		return -1;
	return 0;
}

static void count_aside(struct lxfw_sched *sched, int32_t claim, int sign)
{
	int64_t next = lxfw_changes_next(&sched->profile.changes);

	lxfw_profile_count_hold(&sched->profile, claim, sign);
	lxfw_changes_undo(&sched->profile.changes, next);
}

void lxfw_reservation_set_aside(struct lxfw_sched *sched, struct lxfw_reservation *reservation)
{
	if (reservation->claim < 0)
		return;
	count_aside(sched, reservation->claim, -1);
	reservation->aside = reservation->claim;
	reservation->claim = -1;
}

void lxfw_reservation_put_back(struct lxfw_sched *sched, struct lxfw_reservation *reservation)
{
	if (reservation->aside < 0)
		return;
	count_aside(sched, reservation->aside, 1);
	reservation->claim = reservation->aside;
	reservation->aside = -1;
}

void lxfw_reservation_lift(struct lxfw_sched *sched, struct lxfw_reservation *reservation)
{
	lxfw_reservation_put_back(sched, reservation);
	if (reservation->claim < 0)
		return;
	lxfw_profile_unhold(&sched->profile, reservation->claim);
	reservation->claim = -1;
}

void lxfw_reservation_count(struct lxfw_sched *sched, int32_t at, bool for_pools)
{
	struct lxfw_reservation *reservation = &sched->reservations[at];

	sched->reserved_for_pools += (size_t)for_pools - (size_t)reservation->for_pools;
	reservation->for_pools = for_pools;
}

int32_t lxfw_reservations_for_pools(const struct lxfw_sched *sched, int32_t at)
{
	int32_t end = (int32_t)sched->reservation_count, count = 0;

	/* The shorter part of the list is counted. */
	if (at <= end / 2) {
		for (int32_t i = 0; i < at; i++)
			count += sched->reservations[i].for_pools;
		return count;
	}
	for (int32_t i = at; i < end; i++)
		count += sched->reservations[i].for_pools;
	return (int32_t)sched->reserved_for_pools - count;
}

static void remove_reservation(struct lxfw_sched *sched, int32_t at)
{
	struct lxfw_reservation *reservations = sched->reservations;

	lxfw_reservation_lift(sched, &reservations[at]);
	lxfw_reservation_count(sched, at, false);
	sched->jobs[reservations[at].job].reservation = -1;
	sched->reservation_count--;
	for (size_t i = (size_t)at; i < sched->reservation_count; i++) {
		reservations[i] = reservations[i + 1];
		sched->jobs[reservations[i].job].reservation = (int32_t)i;
	}
}

int64_t lxfw_reservation_end(const struct lxfw_sched *sched, int32_t job)
{
	return sched->reservations[sched->jobs[job].reservation].end;
}

void lxfw_reservation_moved(struct lxfw_sched *sched, int64_t end)
{
	if (sched->improved_until != INT64_MIN)
		lxfw_improved(sched, end);
	else if (sched->freed_until < end)
		sched->freed_until = end;
}

void lxfw_reservation_drop(struct lxfw_sched *sched, int32_t job)
{
	if (sched->jobs[job].reservation < 0)
		return;
	/* The memory was allocated with the reservation. */
	for (int32_t i = job; i >= 0; i = sched->jobs[i].group_next)
		sched->dropped[sched->dropped_count++] = sched->jobs[i].request.id;
	lxfw_improved(sched, lxfw_reservation_end(sched, job));
	remove_reservation(sched, sched->jobs[job].reservation);
	sched->gains++;
}

void lxfw_reservation_use(struct lxfw_sched *sched, int32_t index)
{
	int32_t at = sched->jobs[index].reservation;

	if (at < 0)
		return;
	/* The job starts at another time than reserved, so part of the hold becomes
	   free. */
	if (sched->reservations[at].start != sched->now) {
		sched->gains++;
		lxfw_improved(sched, lxfw_reservation_end(sched, index));
	}
	remove_reservation(sched, at);
}

void lxfw_reservations_drop_from(struct lxfw_sched *sched, size_t first)
{
	while (sched->reservation_count > first)
		lxfw_reservation_drop(
			sched,
			sched->reservations[sched->reservation_count - 1].job);
}

static bool is_reserved(const struct lxfw_sched *sched, int32_t job)
{
	return sched->jobs[lxfw_group_first(sched, job)].reservation >= 0;
}

int lxfw_reservations_tell(struct lxfw_sched *sched)
{
	while (sched->dropped_count > 0) {
		uint64_t id = sched->dropped[sched->dropped_count - 1];
		int32_t index = lxfw_id_map_get(&sched->job_by_id, id);

		if (index >= 0 && sched->jobs[index].announced &&
		    !is_reserved(sched, index)) {
			const struct lxfw_action action = {
				.type = LXFW_ACTION_UNRESERVE, .job = id,
				.until = LXFW_NEVER,
			};

			if (lxfw_action_append(sched, &action) < 0)
				return -1;
			sched->jobs[index].announced = false;
		}
		sched->dropped_count--;
	}
	return 0;
}
