/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include "common/model/event.h"
#include "common/profile/boundary.h"
#include "common/util/grow.h"

void lxfw_profile_init(struct lxfw_profile *profile)
{
	*profile = (struct lxfw_profile){ .holds_free = -1, .all_releases = -1 };
	profile->releases.free = -1;
}

void lxfw_profile_clear(struct lxfw_profile *profile)
{
	for (int32_t i = 0; i < profile->host_count; i++)
		free(profile->hosts[i].boundaries);
	free(profile->hosts);
	free(profile->order);
	free(profile->releases.nodes);
	free(profile->holds);
	lxfw_profile_init(profile);
}

/* Record an opening of AMOUNT in [FROM, UNTIL), or its end (SIGN -1). */
static inline void record(struct lxfw_profile *profile, int64_t from, int64_t until,
			  const struct lxfw_resources *amount, int sign)
{
	if (!profile->openings.recorded)
		return;
	if (sign > 0)
		lxfw_openings_add(&profile->openings, from, until, amount);
	else
		lxfw_openings_close(&profile->openings, from, until, amount);
}

/* --- placement order ---------------------------------------------------- */

static bool host_before(const struct lxfw_profile *profile, int32_t a, int32_t b)
{
	const struct lxfw_resources *x = &profile->hosts[a].free;
	const struct lxfw_resources *y = &profile->hosts[b].free;

	if (x->procs != y->procs)
		return x->procs < y->procs;
	if (x->memory_mb != y->memory_mb)
		return x->memory_mb < y->memory_mb;
	return a < b;
}

/* The index of HOST in the order, or the index at which it would be inserted. */
static int32_t order_position(const struct lxfw_profile *profile, int32_t host)
{
	int32_t low = 0, high = profile->order_count;

	while (low < high) {
		int32_t middle = low + (high - low) / 2;

		if (host_before(profile, profile->order[middle], host))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void order_insert(struct lxfw_profile *profile, int32_t host)
{
	int32_t at = order_position(profile, host);

	memmove(&profile->order[at + 1], &profile->order[at],
		(size_t)(profile->order_count - at) * sizeof(*profile->order));
	profile->order[at] = host;
	profile->order_count++;
}

static void order_remove(struct lxfw_profile *profile, int32_t host)
{
	int32_t at = order_position(profile, host);

	profile->order_count--;
	memmove(&profile->order[at], &profile->order[at + 1],
		(size_t)(profile->order_count - at) * sizeof(*profile->order));
}

int32_t lxfw_profile_order_from(const struct lxfw_profile *profile,
				int32_t procs)
{
	int32_t low = 0, high = profile->order_count;

	while (low < high) {
		int32_t middle = low + (high - low) / 2;

		if (profile->hosts[profile->order[middle]].free.procs < procs)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Add the free resources of HOST to the total, or subtract them. Negative amounts count
   as 0, so that they do not reduce what other hosts have. */
static void count_free(struct lxfw_profile *profile,
		       const struct lxfw_host *host, int sign)
{
	struct lxfw_resources free = host->free;

	if (!host->up)
		return;
	if (free.procs < 0)
		free.procs = 0;
	free.memory_mb = lxfw_counted_memory(free.memory_mb);
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		if (free.extras[i] < 0)
			free.extras[i] = 0;
	}
	if (sign > 0)
		lxfw_resources_add(&profile->free, &free);
	else
		lxfw_resources_subtract(&profile->free, &free);
}

/* Add AMOUNT to the free resources of a host, or subtract it (SIGN -1). */
static void change_free(struct lxfw_profile *profile, int32_t index,
			const struct lxfw_resources *amount, int sign)
{
	struct lxfw_host *host = &profile->hosts[index];
	bool ordered = host->up && profile->order_count > 1;

	if (lxfw_resources_are_none(amount))
		return;
	if (ordered)
		order_remove(profile, index);
	count_free(profile, host, -1);
	if (sign > 0)
		lxfw_resources_add(&host->free, amount);
	else
		lxfw_resources_subtract(&host->free, amount);
	count_free(profile, host, 1);
	if (ordered)
		order_insert(profile, index);
}

int lxfw_profile_set_host(struct lxfw_profile *profile, int32_t index, bool up,
			  const struct lxfw_resources *total)
{
	struct lxfw_resources gained = *total;
	struct lxfw_host *host;
	void *grown;

	if (index == profile->host_count) {
		grown = lxfw_grow(profile->hosts, &profile->hosts_size,
				  (size_t)index + 1, sizeof(*profile->hosts));
		if (!grown)
			return -1;
		profile->hosts = grown;
		grown = lxfw_grow(profile->order, &profile->order_size,
				  (size_t)index + 1, sizeof(*profile->order));
		if (!grown)
			return -1;
		profile->order = grown;
		profile->hosts[index] =
			(struct lxfw_host){ .releases = -1 };
		profile->host_count++;
	}
	host = &profile->hosts[index];
	if (host->up)
		order_remove(profile, index);
	count_free(profile, host, -1);
	lxfw_resources_subtract(&gained, &host->total);
	record(profile, INT64_MIN, INT64_MAX, &gained, 1);
	lxfw_resources_add(&host->free, &gained);
	for (int32_t i = 0; i < host->boundary_count; i++) {
		lxfw_resources_add(&host->boundaries[i].left, &gained);
		host->boundaries[i].most_procs += gained.procs;
	}
	host->total = *total;
	host->up = up;
	count_free(profile, host, 1);
	if (up)
		order_insert(profile, index);
	return 0;
}

/* --- running claims ------------------------------------------------------ */

int lxfw_profile_ready_run(struct lxfw_profile *profile, int32_t count)
{
	/* A claim that was made while there was one host gets a node for all hosts when it is
	   made again. */
	size_t again = profile->host_count > 1 ? (size_t)profile->uncounted : 0;

	return lxfw_release_ready(&profile->releases, (size_t)count + 1 + again);
}

/* Add AMOUNT to the resources left at the boundaries in [FROM, UNTIL), or subtract it
   (SIGN -1). */
static void change_left(struct lxfw_profile *profile, int32_t index,
			int64_t from, int64_t until,
			const struct lxfw_resources *amount, int sign)
{
	struct lxfw_host *host = &profile->hosts[index];
	int32_t i = from == INT64_MIN ? 0 : lxfw_boundary_after(host, from - 1);

	if (lxfw_resources_are_none(amount))
		return;
	record(profile, from, until, amount, sign);
	for (; i < host->boundary_count && host->boundaries[i].time < until; i++) {
		struct lxfw_boundary *boundary = &host->boundaries[i];

		boundary->most_procs += sign * amount->procs;
		if (sign > 0)
			lxfw_resources_add(&boundary->left, amount);
		else
			lxfw_resources_subtract(&boundary->left, amount);
	}
}

/* Allocate a node of a running claim on AMOUNT until END, for one host, or with HOST -1
   for all hosts together. */
static int32_t new_release(struct lxfw_profile *profile, int32_t host,
			   const struct lxfw_resources *amount, int64_t end,
			   int32_t next)
{
	int32_t node = lxfw_release_take(&profile->releases);
	struct lxfw_release *release = &profile->releases.nodes[node];

	release->time = end;
	release->amount = *amount;
	release->host = host;
	release->next = next;
	release->kept = false;
	return node;
}

static int32_t *tree_of(struct lxfw_profile *profile, int32_t host)
{
	return host < 0 ? &profile->all_releases : &profile->hosts[host].releases;
}

int32_t lxfw_profile_run(struct lxfw_profile *profile,
			 const struct lxfw_share *shares, int32_t count,
			 int64_t end)
{
	struct lxfw_resources sum = { 0 };
	int32_t first = -1;

	for (int32_t i = count - 1; i >= 0; i--) {
		int32_t index = shares[i].host;

		first = new_release(profile, index, &shares[i].amount, end,
				    first);
		lxfw_release_insert(&profile->releases, tree_of(profile, index),
				    first);
		change_free(profile, index, &shares[i].amount, -1);
		change_left(profile, index, INT64_MIN, end, &shares[i].amount,
			    -1);
		profile->hosts[index].running++;
		lxfw_resources_add(&sum, &shares[i].amount);
	}
	if (count > 0 && profile->host_count > 1) {
		first = new_release(profile, -1, &sum, end, first);
		lxfw_release_insert(&profile->releases, tree_of(profile, -1),
				    first);
	} else if (count > 0) {
		profile->uncounted++;
	}
	return first;
}

void lxfw_profile_keep(struct lxfw_profile *profile, int32_t claim)
{
	for (int32_t i = claim; i >= 0; i = profile->releases.nodes[i].next) {
		struct lxfw_release *release = &profile->releases.nodes[i];

		if (release->host >= 0 && !release->kept)
			profile->hosts[release->host].kept++;
		release->kept = release->host >= 0;
	}
}

void lxfw_profile_run_until(struct lxfw_profile *profile, int32_t claim,
			    int64_t end)
{
	for (int32_t i = claim; i >= 0; i = profile->releases.nodes[i].next) {
		struct lxfw_release *release = &profile->releases.nodes[i];
		int32_t *tree = tree_of(profile, release->host);

		if (release->host >= 0 && end > release->time)
			change_left(profile, release->host, release->time, end,
				    &release->amount, -1);
		else if (release->host >= 0)
			change_left(profile, release->host, end, release->time,
				    &release->amount, 1);
		lxfw_release_remove(&profile->releases, tree, i);
		release->time = end;
		lxfw_release_insert(&profile->releases, tree, i);
	}
}

void lxfw_profile_stop(struct lxfw_profile *profile, int32_t claim)
{
	if (claim >= 0 && profile->releases.nodes[claim].host >= 0)
		profile->uncounted--;
	while (claim >= 0) {
		struct lxfw_release *release = &profile->releases.nodes[claim];
		int32_t next = release->next, index = release->host;

		lxfw_release_remove(&profile->releases, tree_of(profile, index),
				    claim);
		if (index >= 0) {
			change_left(profile, index, INT64_MIN, release->time,
				    &release->amount, 1);
			change_free(profile, index, &release->amount, 1);
			profile->hosts[index].running--;
			profile->hosts[index].kept -= release->kept;
		}
		lxfw_release_give(&profile->releases, claim);
		claim = next;
	}
}

int32_t lxfw_profile_shares(const struct lxfw_profile *profile, int32_t claim,
			    struct lxfw_share *shares)
{
	const struct lxfw_release *nodes = profile->releases.nodes;
	int32_t count = 0;

	for (int32_t i = claim; i >= 0; i = nodes[i].next) {
		if (nodes[i].host < 0)
			continue;	/* that of all hosts together */
		if (shares)
			shares[count] = (struct lxfw_share){ nodes[i].host,
							     nodes[i].amount };
		count++;
	}
	return count;
}

bool lxfw_profile_single(const struct lxfw_profile *profile, int32_t claim,
			 struct lxfw_share *share)
{
	const struct lxfw_release *nodes = profile->releases.nodes;

	/* The first node may be that of all hosts together. */
	if (claim >= 0 && nodes[claim].host < 0)
		claim = nodes[claim].next;
	if (claim < 0 || nodes[claim].next >= 0)
		return false;
	*share = (struct lxfw_share){ nodes[claim].host, nodes[claim].amount };
	return true;
}

void lxfw_profile_resize(struct lxfw_profile *profile, int32_t claim,
			 int32_t procs, int64_t end)
{
	for (int32_t i = claim; i >= 0; i = profile->releases.nodes[i].next) {
		struct lxfw_release *release = &profile->releases.nodes[i];
		int32_t *tree = tree_of(profile, release->host);
		struct lxfw_resources less = {
			.procs = release->amount.procs - procs,
		};

		lxfw_release_remove(&profile->releases, tree, i);
		if (release->host >= 0) {
			change_left(profile, release->host, INT64_MIN,
				    release->time, &release->amount, 1);
			change_free(profile, release->host, &less, 1);
		}
		release->amount.procs = procs;
		release->time = end;
		if (release->host >= 0)
			change_left(profile, release->host, INT64_MIN, end,
				    &release->amount, -1);
		lxfw_release_insert(&profile->releases, tree, i);
	}
}

bool lxfw_profile_disturbed(const struct lxfw_profile *profile, int32_t claim)
{
	static const struct lxfw_resources nothing;

	for (; claim >= 0; claim = profile->releases.nodes[claim].next) {
		int32_t index = profile->releases.nodes[claim].host;
		const struct lxfw_host *host = &profile->hosts[index];

		for (int32_t i = 0; index >= 0 && i < host->boundary_count; i++) {
			if (!lxfw_resources_fit(&nothing,
						&host->boundaries[i].left))
				return true;
		}
	}
	return false;
}

/* --- holds ---------------------------------------------------------------- */

int lxfw_profile_ready_hold(struct lxfw_profile *profile,
			    const struct lxfw_share *shares, int32_t count)
{
	size_t room = profile->holds_free_count +
		      (profile->holds_size - profile->holds_used);
	void *grown;

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
		lxfw_available_at(profile, host, time, after,
				  &new.left);
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

/* Hold AMOUNT from the boundary at FROM to UNTIL, or no longer (SIGN -1). */
static void change_held(struct lxfw_profile *profile, int32_t index, int64_t from,
			int64_t until, const struct lxfw_resources *amount, int sign)
{
	struct lxfw_host *host = &profile->hosts[index];
	int32_t first, i;

	if (from >= until)
		return;
	record(profile, from, until, amount, -sign);
	first = lxfw_boundary_after(host, from) - 1;
	for (i = first; i < host->boundary_count && host->boundaries[i].time < until;
	     i++) {
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
	set_most_procs(host, first);
	set_most_procs(host, i);
}

int32_t lxfw_profile_hold(struct lxfw_profile *profile,
			  const struct lxfw_share *shares, int32_t count,
			  int64_t start, int64_t end)
{
	int32_t first = -1;

	for (int32_t i = count - 1; i >= 0; i--) {
		struct lxfw_host *host = &profile->hosts[shares[i].host];
		int32_t at = profile->holds_free;

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
		change_held(profile, shares[i].host, start, end, &shares[i].amount, 1);
		first = at;
	}
	return first;
}

int32_t lxfw_profile_join(struct lxfw_profile *profile, int32_t claim,
			  int32_t other)
{
	int32_t *link = &claim;

	while (*link >= 0)
		link = &profile->holds[*link].next;
	*link = other;
	return claim;
}

void lxfw_profile_unhold(struct lxfw_profile *profile, int32_t claim)
{
	while (claim >= 0) {
		struct lxfw_hold *hold = &profile->holds[claim];
		struct lxfw_host *host = &profile->hosts[hold->host];
		int32_t next = hold->next;

		change_held(profile, hold->host, hold->start, hold->end,
			    &hold->amount, -1);
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

	return (struct lxfw_share){ hold->host, hold->amount };
}

void lxfw_profile_move_hold(struct lxfw_profile *profile, int32_t claim,
			    int64_t start, int64_t end)
{
	struct lxfw_hold *hold = &profile->holds[claim], old = *hold;
	struct lxfw_host *host = &profile->hosts[hold->host];

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
