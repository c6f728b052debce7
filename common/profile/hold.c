/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Holds: changes of the profile by reservations and blocks. */
#include <string.h>

#include "common/profile/boundary.h"
#include "common/profile/total.h"
#include "common/util/grow.h"

int lxfw_profile_ready_hold(struct lxfw_profile *profile,
			    const struct lxfw_share *shares, int32_t count)
{
	size_t room = profile->holds_free_count +
		      (profile->holds_size - profile->holds_used);
	void *grown;

	/* SHARES may be those of several claims. */
	if (lxfw_has_kinds(profile) && lxfw_totals_ready(profile, count) < 0)
		return -1;
	for (int32_t i = 0; i < count; i++) {
		struct lxfw_host *host = &profile->hosts[shares[i].host];

		grown = lxfw_grow(host->boundaries, &host->boundaries_size,
				  (size_t)host->boundary_count + 2,
				  sizeof(*host->boundaries));
		if (!grown)
			return -1;
		host->boundaries = grown;
	}
	if (room >= (size_t)count)
		return 0;
	grown = lxfw_grow(profile->holds, &profile->holds_size,
			  profile->holds_used + (size_t)count -
				  profile->holds_free_count,
			  sizeof(*profile->holds));
	if (!grown)
		return -1;
	profile->holds = grown;
	return 0;
}

/* Count one more use of the boundary of HOST at TIME; create it if it does not exist. */
static void use_boundary(struct lxfw_profile *profile, struct lxfw_host *host,
			 int64_t time)
{
	int32_t after = lxfw_boundary_after(host, time);
	struct lxfw_boundary new = { .time = time };

	if (after == 0 || host->boundaries[after - 1].time != time) {
		if (profile->claims_more) {
			lxfw_available_at(profile, host, time, after, &new.left);
		} else {
			new.left = host->free;
			new.left.procs = lxfw_procs_at(profile, host, time, after);
		}
		new.most_procs = new.left.procs;
		if (after > 0)
			new.held = host->boundaries[after - 1].held;
		memmove(&host->boundaries[after + 1], &host->boundaries[after],
			(size_t)(host->boundary_count - after) *
				sizeof(*host->boundaries));
		host->boundaries[after++] = new;
		host->boundary_count++;
	}
	host->boundaries[after - 1].uses++;
}

static void leave_boundary(struct lxfw_host *host, int64_t time)
{
	int32_t at = lxfw_boundary_after(host, time) - 1;

	if (--host->boundaries[at].uses > 0)
		return;
	host->boundary_count--;
	memmove(&host->boundaries[at], &host->boundaries[at + 1],
		(size_t)(host->boundary_count - at) * sizeof(*host->boundaries));
}

static void set_most_procs(struct lxfw_host *host, int32_t at)
{
	struct lxfw_boundary *boundary;
	int32_t more;

	if (at >= host->boundary_count)
		return;
	boundary = &host->boundaries[at];
	more = boundary->held.procs - (at > 0 ? boundary[-1].held.procs : 0);
	boundary->most_procs = boundary->left.procs + (more > 0 ? more : 0);
}

/* Hold PROCS processors and nothing else at the boundaries from FIRST on, before UNTIL;
   returns the next boundary. */
static int32_t hold_procs(struct lxfw_host *host, int32_t first, int64_t until, int32_t procs)
{
	int32_t i = first;

	for (; i < host->boundary_count && host->boundaries[i].time < until; i++) {
		host->boundaries[i].most_procs -= procs;
		host->boundaries[i].held.procs += procs;
		host->boundaries[i].left.procs -= procs;
	}
	return i;
}

/* The same for AMOUNT, which is held, or no longer (SIGN -1). */
static int32_t hold_amount(struct lxfw_host *host, int32_t first, int64_t until,
			   const struct lxfw_resources *amount, int sign)
{
	int32_t i = first;

	for (; i < host->boundary_count && host->boundaries[i].time < until; i++) {
		struct lxfw_boundary *boundary = &host->boundaries[i];

		boundary->most_procs -= sign * amount->procs;
		if (sign > 0) {
			lxfw_resources_add(&boundary->held, amount);
			lxfw_resources_subtract(&boundary->left, amount);
		} else {
			lxfw_resources_subtract(&boundary->held, amount);
			lxfw_resources_add(&boundary->left, amount);
		}
	}
	return i;
}

/* A hold as the kinds of hosts know it. The holds of a claim are mostly alike. */
struct hashed {
	const struct lxfw_resources *amount;	/* NULL: none yet */
	int64_t from, until;
	uint64_t hash;
};

static uint64_t hash_of(struct hashed *last, int64_t from, int64_t until,
			const struct lxfw_resources *amount)
{
	if (!last->amount || last->from != from || last->until != until ||
	    !lxfw_resources_fit(amount, last->amount) ||
	    !lxfw_resources_fit(last->amount, amount))
		*last = (struct hashed){
			amount, from, until,
			lxfw_kinds_hash_of_hold(from, until, amount),
		};
	return last->hash;
}

/* Hold AMOUNT from the boundary at FROM to UNTIL, or no longer (SIGN -1). */
static void change_held_as(struct lxfw_profile *profile, int32_t index, int64_t from,
			   int64_t until, const struct lxfw_resources *amount, int sign,
			   struct hashed *last)
{
	struct lxfw_host *host = &profile->hosts[index];
	int32_t first, i;

	if (from >= until)
		return;
	lxfw_record_opening(profile, from, until, amount, -sign);
	lxfw_changes_add(&profile->changes, index, from, until);
	if (lxfw_has_kinds(profile))
		lxfw_kinds_hold_hash(&profile->kinds, index,
				     hash_of(last, from, until, amount), sign);
	first = lxfw_boundary_after(host, from) - 1;
	i = profile->claims_more ? hold_amount(host, first, until, amount, sign) :
				   hold_procs(host, first, until, sign * amount->procs);
	set_most_procs(host, first);
	set_most_procs(host, i);
}

static void change_held(struct lxfw_profile *profile, int32_t index, int64_t from,
			int64_t until, const struct lxfw_resources *amount, int sign)
{
	struct hashed last = { .amount = NULL };

	change_held_as(profile, index, from, until, amount, sign, &last);
}

int32_t lxfw_profile_hold(struct lxfw_profile *profile,
			  const struct lxfw_share *shares, int32_t count,
			  int64_t start, int64_t end)
{
	struct hashed last = { .amount = NULL };
	int32_t first = -1;
	int64_t procs = 0;

	if (lxfw_has_kinds(profile) && profile->holds_free_count == profile->holds_used)
		lxfw_totals_reset(profile);
	for (int32_t i = count - 1; i >= 0; i--) {
		struct lxfw_host *host = &profile->hosts[shares[i].host];
		int32_t at = profile->holds_free;

		procs += host->up ? shares[i].amount.procs : 0;
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
		use_boundary(profile, host, start);
		use_boundary(profile, host, end);
		change_held_as(profile, shares[i].host, start, end, &shares[i].amount, 1,
			       &last);
		first = at;
	}
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
	struct hashed last = { .amount = NULL };
	int64_t procs = 0;

	while (claim >= 0) {
		struct lxfw_hold *hold = &profile->holds[claim];
		struct lxfw_host *host = &profile->hosts[hold->host];
		int32_t next = hold->next;

		procs += host->up ? hold->amount.procs : 0;
		/* A claim may be joined of several, with times of their own. */
		if (lxfw_has_kinds(profile) &&
		    (next < 0 || hold->joined)) {
			lxfw_totals_change(profile, hold->start, hold->end, procs, -1);
			procs = 0;
		}
		change_held_as(profile, hold->host, hold->start, hold->end,
			       &hold->amount, -1, &last);
		leave_boundary(host, hold->start);
		leave_boundary(host, hold->end);
		hold->next = profile->holds_free;
		profile->holds_free = claim;
		profile->holds_free_count++;
		claim = next;
	}
}

void lxfw_profile_count_hold(struct lxfw_profile *profile, int32_t claim,
			     int sign)
{
	if (lxfw_has_kinds(profile))
		lxfw_totals_invalidate(profile);
	for (; claim >= 0; claim = profile->holds[claim].next) {
		const struct lxfw_hold *hold = &profile->holds[claim];

		change_held(profile, hold->host, hold->start, hold->end,
			    &hold->amount, sign);
	}
}

struct lxfw_share lxfw_profile_hold_share(const struct lxfw_profile *profile,
					  int32_t claim)
{
	const struct lxfw_hold *hold = &profile->holds[claim];

	return (struct lxfw_share){ .host = hold->host, .amount = hold->amount };
}

void lxfw_profile_move_hold(struct lxfw_profile *profile, int32_t claim,
			    int64_t start, int64_t end)
{
	struct lxfw_hold *hold = &profile->holds[claim], old = *hold;
	struct lxfw_host *host = &profile->hosts[hold->host];

	if (lxfw_has_kinds(profile))
		lxfw_totals_invalidate(profile);
	hold->start = start;
	hold->end = end;
	use_boundary(profile, host, start);
	use_boundary(profile, host, end);
	/* What is common to both intervals does not change. */
	change_held(profile, old.host, start, old.start < end ? old.start : end,
		    &old.amount, 1);
	change_held(profile, old.host, old.end > start ? old.end : start, end,
		    &old.amount, 1);
	change_held(profile, old.host, old.start, start < old.end ? start : old.end,
		    &old.amount, -1);
	change_held(profile, old.host, end > old.start ? end : old.start, old.end,
		    &old.amount, -1);
	leave_boundary(host, old.start);
	leave_boundary(host, old.end);
}
