/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include "common/model/event.h"
#include "common/model/sockets.h"
#include "common/profile/boundary.h"
#include "common/profile/total.h"
#include "common/util/grow.h"

/* Of a host, in its key, for each claim of a suspended job. */
#define KEY_OF_KEPT UINT64_C(0x589965cc75374cc3)

void lxfw_profile_init(struct lxfw_profile *profile)
{
	*profile = (struct lxfw_profile){ .holds_free = -1, .all_releases = -1 };
	profile->releases.free = profile->line_releases.free = -1;
	profile->kinds.unused = -1;
}

void lxfw_profile_clear(struct lxfw_profile *profile)
{
	free(profile->hosts);
	free(profile->order);
	free(profile->releases.nodes);
	free(profile->line_releases.nodes);
	free(profile->holds);
	free(profile->totals);
	free(profile->changes.list);
	lxfw_boundaries_clear(&profile->space);
	lxfw_kinds_clear(profile);
	lxfw_profile_init(profile);
}

/* --- placement order ---------------------------------------------------- */

/* Find the kinds that have as much free, and the place of the first host of each. */
static void find_levels(struct lxfw_profile *profile)
{
	struct lxfw_kinds *kinds = &profile->kinds;
	struct lxfw_kind *last = NULL;

	profile->order_count = 0;
	for (int32_t i = 0; i < kinds->count; i++) {
		struct lxfw_kind *kind = &kinds->list[kinds->order[i]];

		if (!last || kind->line.free.procs != last->line.free.procs ||
		    kind->line.free.memory_mb != last->line.free.memory_mb) {
			kind->level = kinds->order[i];
			kind->place = profile->order_count;
		} else {
			kind->level = last->level;
		}
		profile->order_count += kind->count;
		last = kind;
	}
}

void lxfw_profile_order(struct lxfw_profile *profile)
{
	struct lxfw_kinds *kinds = &profile->kinds;

	if (!profile->order_stale)
		return;
	profile->order_stale = false;
	if (profile->host_count == 1) {
		profile->order_count = profile->hosts[0].up;
		profile->order[0] = 0;
		return;
	}
	find_levels(profile);
	for (int32_t i = 0; i < profile->host_count; i++) {
		int32_t level = kinds->list[kinds->of[i]].level;

		if (profile->hosts[i].up)
			profile->order[kinds->list[level].place++] = i;
	}
}

int32_t lxfw_profile_order_from(const struct lxfw_profile *profile,
				int32_t procs)
{
	int32_t low = 0, high = profile->order_count;

	while (low < high) {
		int32_t middle = low + (high - low) / 2;

		if (lxfw_profile_free(profile, profile->order[middle])->procs < procs)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void gain(struct lxfw_profile *profile, struct lxfw_kind *kind,
		 const struct lxfw_kinds_change *change)
{
	(void)profile;
	lxfw_line_gain(&kind->line, change->amount);
	kind->up = change->up;
}

/* Add a host without resources, which is down. Returns 0, or -1 with errno ENOMEM. */
static int add_host(struct lxfw_profile *profile, int32_t index)
{
	if (LXFW_GROW(profile->hosts, profile->hosts_size, (size_t)index + 1) ||
	    LXFW_GROW(profile->order, profile->order_size, (size_t)index + 1) ||
	    lxfw_kinds_ready(&profile->kinds, index + 1) < 0)
		return -1;
	profile->hosts[index] = (struct lxfw_host){ .up = false };
	profile->host_count++;
	lxfw_kinds_add_host(profile, index);
	if (index == 1 && lxfw_profile_line(profile, 0)->boundary_count > 0)
		lxfw_totals_invalidate(profile);
	return 0;
}

int lxfw_profile_set_host(struct lxfw_profile *profile, int32_t index, bool up,
			  const struct lxfw_resources *total)
{
	static const struct lxfw_resources nothing;
	struct lxfw_resources gained = *total;
	struct lxfw_kinds_change change = {
		.apply = gain, .moves = true, .up = up, .amount = &gained,
	};
	struct lxfw_host *host;

	if (index == profile->host_count && add_host(profile, index) < 0)
		return -1;
	host = &profile->hosts[index];
	lxfw_resources_subtract(&gained, &host->total);
	lxfw_record_opening(profile, INT64_MIN, INT64_MAX, &gained, 1);
	lxfw_changes_forget(&profile->changes);
	change.key = lxfw_key_of_host(total, up) - lxfw_key_of_host(&host->total, host->up);
	lxfw_kinds_apply(profile, &index, 1, &change);
	if (host->up != up && lxfw_profile_line(profile, index)->boundary_count > 0)
		lxfw_totals_invalidate(profile);
	host->total = *total;
	host->up = up;
	if (total->procs > 0 && (total->procs < profile->least_procs || profile->least_procs <= 0))
		profile->least_procs = total->procs;
	if (!lxfw_resources_fit(&nothing, total))
		profile->claims_more = true;
	profile->order_stale = true;
	return 0;
}

/* --- sockets --------------------------------------------------------------- */

/* Placement depends on how many GPUs are free on sockets, and not on the sockets. */
static uint64_t key_of_sockets(const struct lxfw_host *host)
{
	if (!host->sockets)
		return 0;
	return lxfw_kinds_hash(UINT64_C(1) << 32 | lxfw_sockets_sorted(host->sockets_free));
}

/* A host has SOCKETS, of which running claims have USED. */
static void change_sockets(struct lxfw_profile *profile, int32_t index, uint32_t sockets,
			   uint32_t used)
{
	struct lxfw_host *host = &profile->hosts[index];
	uint64_t old = key_of_sockets(host);

	host->sockets = sockets;
	host->sockets_used = used;
	host->sockets_free = lxfw_sockets_free(sockets, used);
	lxfw_kinds_tag(profile, index, key_of_sockets(host) - old);
}

void lxfw_profile_set_sockets(struct lxfw_profile *profile, int32_t index, uint32_t sockets,
			      uint8_t gpus)
{
	struct lxfw_host *host = &profile->hosts[index];

	host->gpus = gpus;
	profile->has_sockets |= sockets != 0;
	change_sockets(profile, index, sockets, host->sockets_used);
}

uint32_t lxfw_profile_sockets(const struct lxfw_profile *profile,
			      const struct lxfw_share *share)
{
	const struct lxfw_host *host = &profile->hosts[share->host];
	int32_t count = 0;

	if (share->sockets || !host->sockets)
		return share->sockets;
	/* GPUs of a type are also counted as GPUs of any type. */
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		if (host->gpus >> i & 1 && share->amount.extras[i] > count)
			count = share->amount.extras[i];
	}
	return lxfw_sockets_choose(host->sockets_free, count);
}

/* Enter the GPUs of a share. Returns those that are to be removed with its release. */
static uint32_t use_sockets(struct lxfw_profile *profile, const struct lxfw_share *share)
{
	const struct lxfw_host *host = &profile->hosts[share->host];
	uint32_t used = lxfw_profile_sockets(profile, share);

	if (used) {
		used = lxfw_sockets_room(host->sockets_used, used);
		change_sockets(profile, share->host, host->sockets, host->sockets_used + used);
	}
	return used;
}

static void release_sockets(struct lxfw_profile *profile, int32_t index, uint32_t used)
{
	const struct lxfw_host *host = &profile->hosts[index];

	if (used)
		change_sockets(profile, index, host->sockets, host->sockets_used - used);
}

/* --- running claims ------------------------------------------------------ */

int lxfw_profile_ready_run(struct lxfw_profile *profile, int32_t count)
{
	/* A claim that was made while there was one host gets a node for all hosts when it is
	   made again. */
	size_t again = profile->host_count > 1 ? (size_t)profile->uncounted : 0;
	const struct lxfw_release_pool *lines = &profile->line_releases;
	size_t in_use = lines->used - lines->free_count;

	/* All lines together have at most one release for each share. */
	if (lxfw_release_ready(&profile->line_releases,
			       profile->running_shares + (size_t)count - in_use) < 0)
		return -1;
	return lxfw_release_ready(&profile->releases, (size_t)count + 1 + again);
}

/* Allocate a share of a running claim on AMOUNT until END on one host, or with HOST -1 its
   node for all hosts together. */
static int32_t new_release(struct lxfw_profile *profile, int32_t host,
			   const struct lxfw_resources *amount, int64_t end,
			   int32_t next)
{
	int32_t node = lxfw_release_take(&profile->releases);

	profile->releases.nodes[node] = (struct lxfw_release){
		.time = end, .amount = *amount, .host = host, .next = next,
	};
	return node;
}

/* Make a change on the hosts of the running claim CLAIM whose amounts are those of its share
   *NODE and which directly follow it; *NODE becomes the next share. */
static void change_shares(struct lxfw_profile *profile, int32_t *node,
			  const struct lxfw_kinds_change *change)
{
	const struct lxfw_release *nodes = profile->releases.nodes;
	const struct lxfw_resources *amount = &nodes[*node].amount;
	int32_t count = 0, i = *node;

	for (; i >= 0 && nodes[i].host >= 0 && lxfw_resources_equal(&nodes[i].amount, amount);
	     i = nodes[i].next)
		profile->kinds.chosen[count++] = nodes[i].host;
	lxfw_kinds_apply(profile, profile->kinds.chosen, count, change);
	*node = i;
}

/* The first share of a claim on a host. The node of all hosts comes first. */
static int32_t first_share(const struct lxfw_profile *profile, int32_t claim)
{
	const struct lxfw_release *nodes = profile->releases.nodes;

	return claim >= 0 && nodes[claim].host < 0 ? nodes[claim].next : claim;
}

/* What a host has left changes by AMOUNT in [FROM, UNTIL). */
static void record(struct lxfw_profile *profile, int32_t host, int64_t from, int64_t until,
		   const struct lxfw_resources *amount, int sign)
{
	if (lxfw_resources_are_none(amount))
		return;
	lxfw_record_opening(profile, from, until, amount, sign);
	lxfw_changes_add(&profile->changes, host, from, until);
}

static void run(struct lxfw_profile *profile, struct lxfw_kind *kind,
		const struct lxfw_kinds_change *change)
{
	lxfw_line_run(profile, &kind->line, change->until, change->amount, change->sign);
	kind->line.kept += change->sign * change->kept;
}

/* The shares of a claim run, or no longer (SIGN -1). */
static void run_shares(struct lxfw_profile *profile, int32_t claim, int sign)
{
	const struct lxfw_release *nodes = profile->releases.nodes;
	int32_t node = first_share(profile, claim);

	for (int32_t i = node; i >= 0 && lxfw_is_recorded(profile); i = nodes[i].next)
		record(profile, nodes[i].host, INT64_MIN, nodes[i].time, &nodes[i].amount,
		       -sign);
	profile->order_stale |= node >= 0;
	while (node >= 0) {
		struct lxfw_resources amount = nodes[node].amount;
		uint64_t key = lxfw_key_of_run(nodes[node].time, &amount);
		const struct lxfw_kinds_change change = {
			.apply = run, .moves = true, .sign = sign,
			.until = nodes[node].time, .amount = &amount,
			.kept = nodes[node].kept,
			.key = sign > 0 ? key : 0 - key - nodes[node].kept * KEY_OF_KEPT,
		};

		change_shares(profile, &node, &change);
	}
}

int32_t lxfw_profile_run(struct lxfw_profile *profile,
			 const struct lxfw_share *shares, int32_t count,
			 int64_t end)
{
	struct lxfw_resources sum = { 0 };
	int32_t first = -1;

	for (int32_t i = count - 1, alike = 1; i >= 0; i--, alike++) {
		const struct lxfw_resources *amount = &shares[i].amount;
		struct lxfw_resources all;

		first = new_release(profile, shares[i].host, amount, end, first);
		profile->releases.nodes[first].sockets = use_sockets(profile, &shares[i]);
		if (i > 0 && lxfw_resources_equal(amount, &shares[i - 1].amount))
			continue;
		all = lxfw_resources_times(amount, alike);
		lxfw_resources_add(&sum, &all);
		profile->claims_more |= lxfw_resources_have_more(amount);
		alike = 0;
	}
	profile->running_shares += (size_t)count;
	run_shares(profile, first, 1);
	if (count > 0 && profile->host_count > 1) {
		first = new_release(profile, -1, &sum, end, first);
		lxfw_release_insert(&profile->releases, &profile->all_releases, first);
	} else if (count > 0) {
		profile->uncounted++;
	}
	return first;
}

static void keep(struct lxfw_profile *profile, struct lxfw_kind *kind,
		 const struct lxfw_kinds_change *change)
{
	(void)profile;
	(void)change;
	kind->line.kept++;
}

void lxfw_profile_keep(struct lxfw_profile *profile, int32_t claim)
{
	const struct lxfw_kinds_change change = { .key = KEY_OF_KEPT, .apply = keep };
	int32_t node = first_share(profile, claim);

	lxfw_changes_forget(&profile->changes);
	if (node < 0 || profile->releases.nodes[node].kept)
		return;
	for (int32_t i = node; i >= 0; i = profile->releases.nodes[i].next)
		profile->releases.nodes[i].kept = true;
	while (node >= 0)
		change_shares(profile, &node, &change);
}

static void run_until(struct lxfw_profile *profile, struct lxfw_kind *kind,
		      const struct lxfw_kinds_change *change)
{
	lxfw_line_run_until(profile, &kind->line, change->from, change->until,
			    change->amount);
}

/* Change the end of a claim's node for all hosts together. */
static void move_all(struct lxfw_profile *profile, int32_t claim, int64_t end)
{
	lxfw_release_remove(&profile->releases, &profile->all_releases, claim);
	profile->releases.nodes[claim].time = end;
	lxfw_release_insert(&profile->releases, &profile->all_releases, claim);
}

void lxfw_profile_run_until(struct lxfw_profile *profile, int32_t claim,
			    int64_t end)
{
	struct lxfw_release *nodes = profile->releases.nodes;
	int32_t node = first_share(profile, claim);
	int64_t old = node >= 0 ? nodes[node].time : end;

	if (node >= 0 && node != claim)
		move_all(profile, claim, end);
	for (int32_t i = node; i >= 0; i = nodes[i].next) {
		if (end > old)
			record(profile, nodes[i].host, old, end, &nodes[i].amount, -1);
		else
			record(profile, nodes[i].host, end, old, &nodes[i].amount, 1);
		nodes[i].time = end;
	}
	while (node >= 0) {
		struct lxfw_resources amount = nodes[node].amount;
		const struct lxfw_kinds_change change = {
			.apply = run_until, .from = old, .until = end, .amount = &amount,
			.key = lxfw_key_of_run(end, &amount) - lxfw_key_of_run(old, &amount),
		};

		change_shares(profile, &node, &change);
	}
}

void lxfw_profile_stop(struct lxfw_profile *profile, int32_t claim)
{
	struct lxfw_release *nodes = profile->releases.nodes;

	if (claim >= 0 && nodes[claim].host >= 0)
		profile->uncounted--;
	else if (claim >= 0)
		lxfw_release_remove(&profile->releases, &profile->all_releases, claim);
	run_shares(profile, claim, -1);
	while (claim >= 0) {
		int32_t next = nodes[claim].next;

		if (nodes[claim].host >= 0) {
			profile->running_shares--;
			release_sockets(profile, nodes[claim].host, nodes[claim].sockets);
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
			shares[count] = (struct lxfw_share){
				.host = nodes[i].host, .sockets = nodes[i].sockets,
				.amount = nodes[i].amount,
			};
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
	*share = (struct lxfw_share){
		.host = nodes[claim].host, .sockets = nodes[claim].sockets,
		.amount = nodes[claim].amount,
	};
	return true;
}

static void resize(struct lxfw_profile *profile, struct lxfw_kind *kind,
		   const struct lxfw_kinds_change *change)
{
	lxfw_line_run(profile, &kind->line, change->from, change->amount, -1);
	lxfw_line_run(profile, &kind->line, change->until, &change->other, 1);
}

void lxfw_profile_resize(struct lxfw_profile *profile, int32_t claim,
			 int32_t procs, int64_t end)
{
	struct lxfw_release *nodes = profile->releases.nodes;
	int32_t node = first_share(profile, claim);

	if (node >= 0 && node != claim) {
		lxfw_release_remove(&profile->releases, &profile->all_releases, claim);
		nodes[claim].amount.procs = procs;
		nodes[claim].time = end;
		lxfw_release_insert(&profile->releases, &profile->all_releases, claim);
	}
	for (; node >= 0; node = nodes[node].next) {
		struct lxfw_resources old = nodes[node].amount;
		struct lxfw_kinds_change change = {
			.apply = resize, .moves = true,
			.from = nodes[node].time, .until = end,
			.amount = &old, .other = old,
		};

		record(profile, nodes[node].host, INT64_MIN, nodes[node].time, &old, 1);
		nodes[node].amount.procs = change.other.procs = procs;
		record(profile, nodes[node].host, INT64_MIN, end, &change.other, -1);
		change.key = lxfw_key_of_run(end, &change.other) -
			     lxfw_key_of_run(nodes[node].time, &old);
		nodes[node].time = end;
		lxfw_kinds_apply(profile, &nodes[node].host, 1, &change);
	}
	profile->order_stale = true;
}

bool lxfw_profile_disturbed(const struct lxfw_profile *profile, int32_t claim)
{
	static const struct lxfw_resources nothing;
	const struct lxfw_release *nodes = profile->releases.nodes;
	const struct lxfw_line *last = NULL;

	for (int32_t node = first_share(profile, claim); node >= 0; node = nodes[node].next) {
		const struct lxfw_line *line = lxfw_profile_line(profile, nodes[node].host);

		for (int32_t i = 0; line != last && i < line->boundary_count; i++) {
			if (!lxfw_resources_fit(&nothing, &line->boundaries[i].left))
				return true;
		}
		last = line;
	}
	return false;
}
