/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/pass/opening.h"

#include "common/pass/consider.h"

/* Whether openings narrow the search for an earlier start. With a single reservation, or
   dynamic ones, or if the policy itself considers the other jobs, there is little to
   examine. Suspended jobs change what a search finds without an opening. */
static bool is_useful(const struct lxfw_sched *sched)
{
	return sched->profile.host_count == 1 && !sched->suspends &&
	       !sched->policy->backfill.considers && !lxfw_is_dynamic(sched) &&
	       lxfw_reservations_allowed(sched) > 1;
}

/* The first start from which a job that runs for DURATION reaches FROM. */
static inline int64_t reaches(int64_t from, int64_t duration)
{
	return from < -LXFW_TIME_MAX ? INT64_MIN : from - duration + 1;
}

/* Enter an opening into all classes whose jobs need no more processors. */
static void enter(struct lxfw_sched *sched, const struct lxfw_opening *opening)
{
	const int64_t from = opening->from, until = opening->until;
	const int32_t procs = lxfw_profile_most_procs(&sched->profile, 0, from, until);
	const int64_t boot = sched->weights.most_boot;
	struct lxfw_opened *all = sched->opened;

	for (size_t i = 0; i < sched->head_count; i++) {
		const struct lxfw_head *head = &sched->heads[i];
		struct lxfw_opened *opened;
		int64_t start;

		if (head->procs > procs)
			continue;
		opened = &all[head->class];
		if (opened->now.from > from)
			opened->now.from = from;
		if (opened->now.until < until)
			opened->now.until = until;
		start = reaches(from, head->estimate + boot);
		if (opened->searched_until > start)
			opened->searched_until = start;
	}
}

static inline void enter_all(struct lxfw_sched *sched)
{
	struct lxfw_openings *openings = &sched->profile.openings;

	for (int i = 0; i < openings->count; i++)
		enter(sched, &openings->list[i]);
	openings->count = 0;
}

void lxfw_openings_begin(struct lxfw_sched *sched)
{
	struct lxfw_openings *openings = &sched->profile.openings;
	bool useful = is_useful(sched);

	if (useful && !openings->recorded)
		sched->opened_before = sched->opened_in = sched->passes;
	openings->recorded = useful;
	if (!useful)
		openings->count = 0;
	if (!useful || sched->improved_until == INT64_MIN)
		return;
	enter_all(sched);
	for (size_t i = 0; i < sched->head_count; i++) {
		struct lxfw_opened *opened = &sched->opened[sched->heads[i].class];

		opened->before = opened->now;
		opened->now = LXFW_NO_SPAN;
	}
	sched->opened_before = sched->opened_in;
	sched->opened_in = sched->passes;
}

/* The bounds of an earlier start of the reservation OWN: *FROM, and before *BEFORE. */
static inline void narrow(const struct lxfw_sched *sched,
			  const struct lxfw_opened *opened,
			  const struct lxfw_reservation *own,
			  int64_t *from, int64_t *before)
{
	struct lxfw_span hull = opened->now;
	int64_t start;

	if (hull.from > opened->before.from)
		hull.from = opened->before.from;
	if (hull.until < opened->before.until)
		hull.until = opened->before.until;
	/* A start before its own needs nothing after its own start. */
	if (own->start <= hull.from) {
		*before = INT64_MIN;
		return;
	}
	if (*before > hull.until)
		*before = hull.until;
	start = reaches(hull.from, own->end - own->start);
	if (*from < start)
		*from = start;
	if (opened->searched_in == sched->passes &&
	    opened->searched_start <= own->start && opened->searched_until > *from)
		*from = opened->searched_until;
}

int64_t lxfw_earlier_start(struct lxfw_sched *sched, struct lxfw_reservation *own)
{
	struct lxfw_opened *opened = &sched->opened[own->class];
	bool recorded = sched->profile.openings.recorded;
	int64_t before = sched->suspends ? LXFW_NEVER : sched->improved_until;
	int64_t from = sched->now, found = LXFW_NEVER;

	if (before > own->start)
		before = own->start;
	if (recorded)
		enter_all(sched);
	if (recorded && own->examined >= sched->opened_before)
		narrow(sched, opened, own, &from, &before);
	/* Reservations of groups have examined = 0. */
	if (own->examined > 0)
		own->examined = sched->passes;
	if (from >= before)
		return LXFW_NEVER;
	found = lxfw_profile_moves_up(&sched->profile, own->claim, from, before);
	if (own->examined > 0) {
		opened->searched_in = sched->passes;
		opened->searched_start = own->start;
		opened->searched_until = found < before ? found : before;
	}
	return found;
}
