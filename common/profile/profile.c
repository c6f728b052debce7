/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include "common/model/event.h"
#include "common/model/sockets.h"
#include "common/profile/boundary.h"
#include "common/profile/total.h"
#include "common/util/grow.h"

void lxfw_profile_init(struct lxfw_profile *profile)
{
	*profile = (struct lxfw_profile){ .holds_free = -1, .all_releases = -1 };
	profile->releases.free = -1;
	profile->kinds.unused = -1;
}

void lxfw_profile_clear(struct lxfw_profile *profile)
{
	for (int32_t i = 0; i < profile->host_count; i++)
		free(profile->hosts[i].boundaries);
	free(profile->hosts);
	free(profile->order);
	free(profile->releases.nodes);
	free(profile->holds);
	free(profile->totals);
	free(profile->changes.list);
	lxfw_kinds_clear(&profile->kinds);
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

		if (!last || kind->procs != last->procs ||
		    kind->memory_mb != last->memory_mb) {
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
	lxfw_kinds_settle(profile);
	find_levels(profile);
	for (int32_t i = 0; i < profile->host_count; i++) {
		int32_t kind = kinds->hosts[i].kind;

		if (kind >= 0)
			profile->order[kinds->list[kinds->list[kind].level].place++] = i;
	}
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

	if (lxfw_resources_are_none(amount))
		return;
	count_free(profile, host, -1);
	if (sign > 0)
		lxfw_resources_add(&host->free, amount);
	else
		lxfw_resources_subtract(&host->free, amount);
	count_free(profile, host, 1);
	profile->order_stale = true;
}

static void count_releases(struct lxfw_profile *profile, int32_t node)
{
	for (; node >= 0; node = profile->releases.nodes[node].left) {
		const struct lxfw_release *release = &profile->releases.nodes[node];

		lxfw_kinds_release(&profile->kinds, release->host, release->time,
				   &release->amount, 1);
		count_releases(profile, release->right);
	}
}

/* Begin to assign hosts to kinds. There has been one host until now. */
static void begin_kinds(struct lxfw_profile *profile)
{
	const struct lxfw_host *host = &profile->hosts[0];

	profile->kinds.hosts[0].kind = -1;
	lxfw_kinds_touch(&profile->kinds, 0);
	count_releases(profile, host->releases);
	for (int32_t i = 0; i + 1 < host->boundary_count; i++)
		lxfw_kinds_hold(&profile->kinds, 0, host->boundaries[i].time,
				host->boundaries[i + 1].time,
				&host->boundaries[i].held, 1);
	if (host->boundary_count > 0)
		lxfw_totals_invalidate(profile);
}

int lxfw_profile_set_host(struct lxfw_profile *profile, int32_t index, bool up,
			  const struct lxfw_resources *total)
{
	static const struct lxfw_resources nothing;
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
		if (lxfw_kinds_ready(&profile->kinds, index + 1) < 0)
			return -1;
		profile->hosts[index] =
			(struct lxfw_host){ .releases = -1 };
		profile->host_count++;
		if (index == 1)
			begin_kinds(profile);
		profile->kinds.hosts[index].kind = -1;
	}
	host = &profile->hosts[index];
	count_free(profile, host, -1);
	lxfw_resources_subtract(&gained, &host->total);
	lxfw_record_opening(profile, INT64_MIN, INT64_MAX, &gained, 1);
	lxfw_changes_forget(&profile->changes);
	lxfw_resources_add(&host->free, &gained);
	for (int32_t i = 0; i < host->boundary_count; i++) {
		lxfw_resources_add(&host->boundaries[i].left, &gained);
		host->boundaries[i].most_procs += gained.procs;
	}
	if (host->up != up && host->boundary_count > 0)
		lxfw_totals_invalidate(profile);
	host->total = *total;
	host->up = up;
	if (!lxfw_resources_fit(&nothing, total))
		profile->claims_more = true;
	count_free(profile, host, 1);
	profile->order_stale = true;
	if (lxfw_has_kinds(profile))
		lxfw_kinds_touch(&profile->kinds, index);
	return 0;
}

/* --- sockets --------------------------------------------------------------- */

void lxfw_profile_set_sockets(struct lxfw_profile *profile, int32_t index, uint32_t sockets,
			      uint8_t gpus)
{
	struct lxfw_host *host = &profile->hosts[index];

	host->sockets = sockets;
	host->gpus = gpus;
	host->sockets_free = lxfw_sockets_free(sockets, host->sockets_used);
	profile->has_sockets |= sockets != 0;
	if (lxfw_has_kinds(profile))
		lxfw_kinds_touch(&profile->kinds, index);
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
	struct lxfw_host *host = &profile->hosts[share->host];
	uint32_t used = lxfw_profile_sockets(profile, share);

	if (used) {
		used = lxfw_sockets_room(host->sockets_used, used);
		host->sockets_used += used;
		host->sockets_free = lxfw_sockets_free(host->sockets, host->sockets_used);
	}
	return used;
}

static void release_sockets(struct lxfw_host *host, uint32_t used)
{
	if (!used)
		return;
	host->sockets_used -= used;
	host->sockets_free = lxfw_sockets_free(host->sockets, host->sockets_used);
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
	lxfw_record_opening(profile, from, until, amount, sign);
	lxfw_changes_add(&profile->changes, index, from, until);
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
	release->sockets = 0;
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
		profile->releases.nodes[first].sockets = use_sockets(profile, &shares[i]);
		profile->hosts[index].running++;
		if (lxfw_has_kinds(profile))
			lxfw_kinds_release(&profile->kinds, index, end,
					   &shares[i].amount, 1);
		lxfw_resources_add(&sum, &shares[i].amount);
		profile->claims_more |= lxfw_resources_have_more(&shares[i].amount);
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
	lxfw_changes_forget(&profile->changes);
	for (int32_t i = claim; i >= 0; i = profile->releases.nodes[i].next) {
		struct lxfw_release *release = &profile->releases.nodes[i];

		if (release->host >= 0 && !release->kept) {
			profile->hosts[release->host].kept++;
			if (lxfw_has_kinds(profile))
				lxfw_kinds_touch(&profile->kinds, release->host);
		}
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
		if (release->host >= 0 && lxfw_has_kinds(profile)) {
			lxfw_kinds_release(&profile->kinds, release->host,
					   release->time, &release->amount, -1);
			lxfw_kinds_release(&profile->kinds, release->host, end,
					   &release->amount, 1);
		}
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
			release_sockets(&profile->hosts[index], release->sockets);
			profile->hosts[index].kept -= release->kept;
			if (lxfw_has_kinds(profile))
				lxfw_kinds_release(&profile->kinds, index,
						   release->time,
						   &release->amount, -1);
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
		if (release->host >= 0 && lxfw_has_kinds(profile))
			lxfw_kinds_release(&profile->kinds, release->host,
					   release->time, &release->amount, -1);
		release->amount.procs = procs;
		release->time = end;
		if (release->host >= 0 && lxfw_has_kinds(profile))
			lxfw_kinds_release(&profile->kinds, release->host, end,
					   &release->amount, 1);
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
