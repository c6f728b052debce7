/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queries of the profile. */
#include "common/model/event.h"
#include "common/profile/boundary.h"

void lxfw_profile_available(const struct lxfw_profile *profile, int32_t index,
			    int64_t start, int64_t end,
			    struct lxfw_resources *available)
{
	const struct lxfw_line *line = lxfw_profile_line(profile, index);
	int32_t i = lxfw_boundary_after(line, start);

	lxfw_available_at(profile, line, start, i, available);
	for (; i < line->boundary_count && line->boundaries[i].time < end; i++)
		lxfw_resources_lower(available, &line->boundaries[i].left);
}

int32_t lxfw_profile_procs(const struct lxfw_profile *profile, int32_t index,
			   int64_t start, int64_t end)
{
	return lxfw_procs_until(profile, lxfw_profile_line(profile, index), start, end);
}

int64_t lxfw_profile_until(const struct lxfw_profile *profile,
			   const struct lxfw_share *share, int64_t start,
			   int64_t end)
{
	const struct lxfw_line *line = lxfw_profile_line(profile, share->host);

	for (int32_t i = lxfw_boundary_after(line, start);
	     i < line->boundary_count && line->boundaries[i].time < end; i++) {
		if (!lxfw_resources_fit(&share->amount, &line->boundaries[i].left))
			return line->boundaries[i].time;
	}
	return end;
}

int64_t lxfw_profile_not_before(const struct lxfw_profile *profile,
				const struct lxfw_resources *need)
{
	struct lxfw_resources counted = *need;

	counted.memory_mb = lxfw_counted_memory(need->memory_mb);
	if (profile->host_count <= 1 || profile->uncounted > 0 ||
	    lxfw_resources_fit(&counted, &profile->free))
		return INT64_MIN;
	return lxfw_release_when(&profile->releases, profile->all_releases,
				 &profile->free, &counted);
}

int64_t lxfw_profile_released_at(const struct lxfw_profile *profile, int32_t claim)
{
	const struct lxfw_hold *hold = &profile->holds[claim];
	const struct lxfw_line *line = lxfw_profile_line(profile, hold->host);

	if (lxfw_resources_fit(&hold->amount, &line->free))
		return INT64_MIN;
	return lxfw_release_when(&profile->line_releases, line->releases, &line->free,
				 &hold->amount);
}

static int64_t next_gain(const struct lxfw_profile *profile,
			 const struct lxfw_line *line, int64_t time,
			 int32_t after)
{
	int64_t next = lxfw_release_after(&profile->line_releases, line->releases, time);

	if (after < line->boundary_count && line->boundaries[after].time < next)
		next = line->boundaries[after].time;
	return next;
}

int64_t lxfw_profile_next_gain(const struct lxfw_profile *profile, int32_t index,
			       int64_t time)
{
	const struct lxfw_line *line = lxfw_profile_line(profile, index);

	return next_gain(profile, line, time, lxfw_boundary_after(line, time));
}

/* The first boundary from AFTER on that is not before END. It is usually close. */
static int32_t boundary_at(const struct lxfw_line *line, int32_t after, int64_t end)
{
	int32_t low = after, high = line->boundary_count, step = 1;

	while (low + step < high && line->boundaries[low + step].time < end) {
		low += step;
		step *= 2;
	}
	if (high > low + step)
		high = low + step;
	while (low < high) {
		int32_t middle = low + (high - low) / 2;

		if (line->boundaries[middle].time < end)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The last boundary from AFTER on and before END at which NEED does not fit, or -1. No
   start before that boundary is possible. */
static int32_t obstacle(const struct lxfw_line *line,
			const struct lxfw_resources *need, int32_t after,
			int64_t end)
{
	const struct lxfw_boundary *first = line->boundaries + after;
	const struct lxfw_boundary *i = line->boundaries + boundary_at(line, after, end);

	while (--i >= first) {
		if (!lxfw_resources_fit(need, &i->left))
			return (int32_t)(i - line->boundaries);
	}
	return -1;
}

/* The first boundary from NEXT on at which or directly before which PROCS processors are
   left, or which is not before BEFORE, or END. */
static inline const struct lxfw_boundary *
skip_full(const struct lxfw_boundary *next, const struct lxfw_boundary *end,
	  int32_t procs, int64_t before)
{
	while (next < end && next->most_procs < procs && next->time < before)
		next++;
	return next;
}

/* Whether NEED fits directly before the boundary NEXT, with HELD held before it. Usually
   the processors or the memory do not, and the exact test is not necessary. */
static bool fits_before(const struct lxfw_resources *need,
			const struct lxfw_boundary *next,
			const struct lxfw_resources *held)
{
	struct lxfw_resources most;

	if (need->procs > next->left.procs + next->held.procs - held->procs ||
	    need->memory_mb > next->left.memory_mb + next->held.memory_mb -
				      held->memory_mb)
		return false;
	most = next->left;
	lxfw_resources_add(&most, &next->held);
	lxfw_resources_subtract(&most, held);
	return lxfw_resources_fit(need, &most);
}

/* The first time after START from which NEED fits at least for a moment, if it is before
   BEFORE, or any time that is not. NEED does not fit at START, which is before boundary
   *AFTER and not before the previous one. Between two boundaries running claims only
   release resources. *AFTER is the first boundary that is not before the result. */
static int64_t fits_next(const struct lxfw_profile *profile,
			 const struct lxfw_line *line,
			 const struct lxfw_resources *need, int32_t *after,
			 int64_t before)
{
	static const struct lxfw_resources nothing;
	const struct lxfw_boundary *first = line->boundaries, *next = first + *after;
	const struct lxfw_boundary *end = first + line->boundary_count;

	for (;; next++) {
		const struct lxfw_resources *held;

		next = skip_full(next, end, need->procs, before);
		*after = (int32_t)(next - first);
		held = next > first ? &next[-1].held : &nothing;
		if (next == end || fits_before(need, next, held)) {
			struct lxfw_resources most = line->free;
			int64_t time;

			lxfw_resources_subtract(&most, held);
			time = lxfw_release_when(&profile->line_releases,
						 line->releases, &most, need);
			if (next == end || time < next->time)
				return time;
		}
		if (next->time >= before || lxfw_resources_fit(need, &next->left))
			return next->time;
	}
}

/* The earliest start as for lxfw_profile_earliest() if it is before BEFORE. If it is not,
   the result is any time that is not before BEFORE. The resources after UNTIL are not
   examined. */
static int64_t earliest(const struct lxfw_profile *profile,
			const struct lxfw_line *line,
			const struct lxfw_resources *need, int64_t duration,
			int64_t from, int64_t before, int64_t until)
{
	struct lxfw_resources available;
	int64_t start = from;
	int32_t after, at;

	/* Without holds: the time at which enough is released. */
	if (!lxfw_resources_fit(need, &line->free)) {
		if (line->first_release >= before)
			return before;
		start = lxfw_release_when(&profile->line_releases, line->releases,
					  &line->free, need);
		if (start < from)
			start = from;
	}
	if (start >= before || line->boundary_count == 0)
		return start;
	after = lxfw_boundary_after(line, start);
	lxfw_available_at(profile, line, start, after, &available);
	if (!lxfw_resources_fit(need, &available))
		start = fits_next(profile, line, need, &after, before);
	while (start < before) {
		int64_t end = lxfw_time_add(start, duration);

		while (after < line->boundary_count &&
		       line->boundaries[after].time <= start)
			after++;
		at = obstacle(line, need, after, end < until ? end : until);
		if (at < 0)
			break;
		after = at + 1;
		start = fits_next(profile, line, need, &after, before);
	}
	return start;
}

int64_t lxfw_profile_earliest(const struct lxfw_profile *profile, int32_t index,
			      const struct lxfw_resources *need,
			      int64_t duration, int64_t from)
{
	return earliest(profile, lxfw_profile_line(profile, index), need, duration, from,
			LXFW_NEVER, LXFW_NEVER);
}

int64_t lxfw_profile_earliest_before(const struct lxfw_profile *profile, int32_t index,
				     const struct lxfw_resources *need, int64_t duration,
				     int64_t from, int64_t before)
{
	return earliest(profile, lxfw_profile_line(profile, index), need, duration, from, before,
			LXFW_NEVER);
}

bool lxfw_profile_fits_before(const struct lxfw_profile *profile, int32_t index,
			      const struct lxfw_resources *need, int64_t duration,
			      int64_t from, int64_t before, int64_t until)
{
	return earliest(profile, lxfw_profile_line(profile, index), need, duration, from, before,
			until) < before;
}

bool lxfw_profile_overbooked(const struct lxfw_profile *profile, int32_t claim)
{
	static const struct lxfw_resources nothing;

	for (; claim >= 0; claim = profile->holds[claim].next) {
		const struct lxfw_hold *hold = &profile->holds[claim];
		const struct lxfw_line *line = lxfw_profile_line(profile, hold->host);

		if (obstacle(line, &nothing,
			     lxfw_boundary_after(line, hold->start) - 1,
			     hold->end) >= 0)
			return true;
	}
	return false;
}

int64_t lxfw_profile_moves_up(const struct lxfw_profile *profile, int32_t claim,
			      int64_t from, int64_t before)
{
	const struct lxfw_hold *hold = &profile->holds[claim];
	int64_t start;

	if (before > hold->start)
		before = hold->start;
	start = earliest(profile, lxfw_profile_line(profile, hold->host), &hold->amount,
			 hold->end - hold->start, from, before, hold->start);
	return start < before ? start : LXFW_NEVER;
}

int32_t lxfw_profile_most_procs(const struct lxfw_profile *profile, int32_t index,
				int64_t from, int64_t until)
{
	const struct lxfw_line *line = lxfw_profile_line(profile, index);
	int32_t i = from == INT64_MIN ? 0 : lxfw_boundary_after(line, from);
	int32_t held = i > 0 ? line->boundaries[i - 1].held.procs : 0, most = INT32_MIN;

	/* Between two boundaries the available processors only grow, so those directly
	   before a boundary are the most. */
	for (; i < line->boundary_count; i++) {
		const struct lxfw_boundary *next = &line->boundaries[i];
		int32_t procs = next->left.procs + next->held.procs - held;

		if (most < procs)
			most = procs;
		if (next->time >= until)
			return most;
		held = next->held.procs;
	}
	return INT32_MAX;
}
