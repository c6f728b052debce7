/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Holds: changes of the profile by reservations and blocks. */
#include "common/profile/boundary.h"
#include "common/profile/total.h"
#include "common/util/grow.h"

int lxfw_profile_ready_hold(struct lxfw_profile *profile, int32_t count)
{
	size_t live = profile->holds_used - profile->holds_free_count;

	if (lxfw_has_kinds(profile) && lxfw_totals_ready(profile, count) < 0)
		return -1;
	if (lxfw_boundaries_ready(profile, live + (size_t)count) < 0)
		return -1;
	return LXFW_GROW(profile->holds, profile->holds_size, live + (size_t)count);
}

/* --- changes of lines --------------------------------------------------------------- */

/* Make a change on the hosts of the holds that are as *AT and directly follow it in the
   claim; *AT becomes the next one. A claim may be joined of several, with times, and hosts, of
   their own. */
static void change_holds(struct lxfw_profile *profile, int32_t *at,
			 const struct lxfw_kinds_change *change)
{
	const struct lxfw_hold *holds = profile->holds, *first = &holds[*at];
	int32_t count = 0, i = *at;
	bool more = true;

	for (; more && i >= 0 && lxfw_resources_equal(&holds[i].amount, &first->amount);
	     i = holds[i].next) {
		profile->kinds.chosen[count++] = holds[i].host;
		more = !holds[i].joined;
	}
	lxfw_kinds_apply(profile, profile->kinds.chosen, count, change);
	*at = i;
}

/* What the hosts of a claim have left changes in [FROM, UNTIL). */
static void record(struct lxfw_profile *profile, const struct lxfw_hold *hold, int64_t from,
		   int64_t until, int sign)
{
	if (from >= until)
		return;
	lxfw_record_opening(profile, from, until, &hold->amount, sign);
	lxfw_changes_add(&profile->changes, hold->host, from, until);
}

static void count_held(struct lxfw_profile *profile, struct lxfw_kind *kind,
		  const struct lxfw_kinds_change *change)
{
	lxfw_line_hold(profile, &kind->line, change->from, change->until, change->amount,
		       change->sign);
}

static void enter(struct lxfw_profile *profile, struct lxfw_kind *kind,
		  const struct lxfw_kinds_change *change)
{
	lxfw_line_enter(profile, &kind->line, change->from, change->until);
	count_held(profile, kind, change);
}

static void leave(struct lxfw_profile *profile, struct lxfw_kind *kind,
		  const struct lxfw_kinds_change *change)
{
	count_held(profile, kind, change);
	lxfw_line_leave(&kind->line, change->from, change->until);
}

/* Change the lines of the hosts of a claim. */
static void change_claim(struct lxfw_profile *profile, int32_t claim,
			 void (*apply)(struct lxfw_profile *profile, struct lxfw_kind *kind,
				       const struct lxfw_kinds_change *change),
			 int sign)
{
	const struct lxfw_hold *holds = profile->holds;

	for (int32_t i = claim; i >= 0 && lxfw_is_recorded(profile); i = holds[i].next)
		record(profile, &holds[i], holds[i].start, holds[i].end, -sign);
	for (int32_t i = claim; i >= 0;) {
		const struct lxfw_hold *hold = &holds[i];
		uint64_t key = lxfw_key_of_hold(hold->start, hold->end, &hold->amount);
		struct lxfw_kinds_change change = {
			.apply = apply, .sign = sign, .amount = &hold->amount,
			.from = hold->start, .until = hold->end,
		};

		if (apply != count_held)
			key += lxfw_key_of_boundaries(hold->start, hold->end);
		change.key = sign > 0 ? key : 0 - key;
		change_holds(profile, &i, &change);
	}
}

/* --- holds ------------------------------------------------------------------------ */

int32_t lxfw_profile_hold(struct lxfw_profile *profile,
			  const struct lxfw_share *shares, int32_t count,
			  int64_t start, int64_t end)
{
	int32_t first = -1;
	int64_t procs = 0;

	if (lxfw_has_kinds(profile) && profile->holds_free_count == profile->holds_used)
		lxfw_totals_reset(profile);
	for (int32_t i = count - 1; i >= 0; i--) {
		int32_t at = profile->holds_free;

		procs += profile->hosts[shares[i].host].up ? shares[i].amount.procs : 0;
		profile->claims_more |= lxfw_resources_have_more(&shares[i].amount);
		if (profile->holds_free_count > 0) {
			profile->holds_free = profile->holds[at].next;
			profile->holds_free_count--;
		} else {
			at = (int32_t)profile->holds_used++;
		}
		profile->holds[at] = (struct lxfw_hold){
			.start = start,
			.end = end,
			.amount = shares[i].amount,
			.host = shares[i].host,
			.next = first,
		};
		first = at;
	}
	change_claim(profile, first, enter, 1);
	if (lxfw_has_kinds(profile) && count > 0)
		lxfw_totals_change(profile, start, end, procs, 1);
	return first;
}

int32_t lxfw_profile_join(struct lxfw_profile *profile, int32_t claim,
			  int32_t other)
{
	int32_t *link = &claim, last = -1;

	while (*link >= 0) {
		last = *link;
		link = &profile->holds[*link].next;
	}
	*link = other;
	if (last >= 0 && other >= 0)
		profile->holds[last].joined = true;
	return claim;
}

void lxfw_profile_unhold(struct lxfw_profile *profile, int32_t claim)
{
	int64_t procs = 0;

	change_claim(profile, claim, leave, -1);
	while (claim >= 0) {
		struct lxfw_hold *hold = &profile->holds[claim];
		int32_t next = hold->next;

		procs += profile->hosts[hold->host].up ? hold->amount.procs : 0;
		if (lxfw_has_kinds(profile) && (next < 0 || hold->joined)) {
			lxfw_totals_change(profile, hold->start, hold->end, procs, -1);
			procs = 0;
		}
		hold->next = profile->holds_free;
		profile->holds_free = claim;
		profile->holds_free_count++;
		claim = next;
	}
}

/* The processors of the claim that hosts have which are up, as far as the times are those of the
   hold *AT, which becomes the next one. */
static int64_t procs_from(const struct lxfw_profile *profile, int32_t *at)
{
	bool more = true;
	int64_t procs = 0;

	for (; more && *at >= 0; *at = profile->holds[*at].next) {
		const struct lxfw_hold *hold = &profile->holds[*at];

		procs += profile->hosts[hold->host].up ? hold->amount.procs : 0;
		more = !hold->joined;
	}
	return procs;
}

void lxfw_profile_count_hold(struct lxfw_profile *profile, int32_t claim,
			     int sign)
{
	change_claim(profile, claim, count_held, sign);
	for (int32_t i = claim; i >= 0 && lxfw_has_kinds(profile);) {
		const struct lxfw_hold *hold = &profile->holds[i];

		lxfw_totals_count(profile, hold->start, hold->end, sign * procs_from(profile, &i));
	}
}

struct lxfw_share lxfw_profile_hold_share(const struct lxfw_profile *profile,
					  int32_t claim)
{
	const struct lxfw_hold *hold = &profile->holds[claim];

	return (struct lxfw_share){ .host = hold->host, .amount = hold->amount };
}

static void move(struct lxfw_profile *profile, struct lxfw_kind *kind,
		 const struct lxfw_kinds_change *change)
{
	const struct lxfw_hold *old = change->hold;
	int64_t start = change->from, end = change->until;
	struct lxfw_line *line = &kind->line;

	lxfw_line_enter(profile, line, start, end);
	/* What is common to both intervals does not change. */
	lxfw_line_hold(profile, line, start, old->start < end ? old->start : end,
		       &old->amount, 1);
	lxfw_line_hold(profile, line, old->end > start ? old->end : start, end,
		       &old->amount, 1);
	lxfw_line_hold(profile, line, old->start, start < old->end ? start : old->end,
		       &old->amount, -1);
	lxfw_line_hold(profile, line, end > old->start ? end : old->start, old->end,
		       &old->amount, -1);
	lxfw_line_leave(line, old->start, old->end);
}

void lxfw_profile_move_hold(struct lxfw_profile *profile, int32_t claim,
			    int64_t start, int64_t end)
{
	struct lxfw_hold *hold = &profile->holds[claim], old = *hold;
	const struct lxfw_kinds_change change = {
		.apply = move, .from = start, .until = end, .hold = &old,
		.key = lxfw_key_of_hold(start, end, &old.amount) +
		       lxfw_key_of_boundaries(start, end) -
		       lxfw_key_of_hold(old.start, old.end, &old.amount) -
		       lxfw_key_of_boundaries(old.start, old.end),
	};

	if (lxfw_has_kinds(profile))
		lxfw_totals_invalidate(profile);
	hold->start = start;
	hold->end = end;
	record(profile, hold, start, old.start < end ? old.start : end, -1);
	record(profile, hold, old.end > start ? old.end : start, end, -1);
	record(profile, hold, old.start, start < old.end ? start : old.end, 1);
	record(profile, hold, end > old.start ? end : old.start, old.end, 1);
	lxfw_kinds_apply(profile, &hold->host, 1, &change);
}
