/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include "common/model/event.h"
#include "common/util/grow.h"

int64_t lxfw_time_add(int64_t start, int64_t duration)
{
	return start > 0 && duration >= LXFW_NEVER - start ? LXFW_NEVER :
							     start + duration;
}

void lxfw_profile_init(struct lxfw_profile *profile)
{
	*profile = (struct lxfw_profile){ .holds_free = -1 };
	profile->releases.free = -1;
}

void lxfw_profile_clear(struct lxfw_profile *profile)
{
	free(profile->hosts);
	free(profile->order);
	free(profile->releases.nodes);
	free(profile->holds);
	lxfw_profile_init(profile);
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

/* Where HOST stands in the order, or would stand. */
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

/* Give AMOUNT back to what is free on a host, or take it (a negative sign). */
static void change_free(struct lxfw_profile *profile, int32_t index,
			const struct lxfw_resources *amount, int sign)
{
	struct lxfw_host *host = &profile->hosts[index];
	bool ordered = host->up && profile->order_count > 1;

	if (ordered)
		order_remove(profile, index);
	if (sign > 0)
		lxfw_resources_add(&host->free, amount);
	else
		lxfw_resources_subtract(&host->free, amount);
	if (ordered)
		order_insert(profile, index);
	if (!host->up)
		return;
	if (sign > 0)
		lxfw_resources_add(&profile->free, amount);
	else
		lxfw_resources_subtract(&profile->free, amount);
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
			(struct lxfw_host){ .releases = -1, .holds = -1 };
		profile->host_count++;
	}
	host = &profile->hosts[index];
	if (host->up) {
		order_remove(profile, index);
		lxfw_resources_subtract(&profile->free, &host->free);
	}
	lxfw_resources_subtract(&gained, &host->total);
	lxfw_resources_add(&host->free, &gained);
	lxfw_resources_add(&profile->total, &gained);
	for (int32_t i = host->holds; i >= 0; i = profile->holds[i].next_on_host)
		lxfw_resources_add(&profile->holds[i].slack, &gained);
	host->total = *total;
	host->up = up;
	if (up) {
		order_insert(profile, index);
		lxfw_resources_add(&profile->free, &host->free);
	}
	return 0;
}

/* --- running claims ------------------------------------------------------ */

int lxfw_profile_ready(struct lxfw_profile *profile, size_t count)
{
	size_t room = profile->holds_free_count +
		      (profile->holds_size - profile->holds_used);
	void *grown;

	if (lxfw_release_ready(&profile->releases, count) < 0)
		return -1;
	if (room >= count)
		return 0;
	grown = lxfw_grow(profile->holds, &profile->holds_size,
			  profile->holds_used + count - profile->holds_free_count,
			  sizeof(*profile->holds));
	if (!grown)
		return -1;
	profile->holds = grown;
	return 0;
}

/* A release at TIME of AMOUNT (negative sign: it goes) leaves every hold that
   begins earlier with so much less beside it. */
static void change_slack(struct lxfw_profile *profile, int32_t host,
			 int64_t from, int64_t until,
			 const struct lxfw_resources *amount, int sign)
{
	for (int32_t i = profile->hosts[host].holds; i >= 0;
	     i = profile->holds[i].next_on_host) {
		struct lxfw_hold *hold = &profile->holds[i];

		if (hold->start < from || hold->start >= until)
			continue;
		if (sign > 0)
			lxfw_resources_add(&hold->slack, amount);
		else
			lxfw_resources_subtract(&hold->slack, amount);
	}
}

int32_t lxfw_profile_run(struct lxfw_profile *profile,
			 const struct lxfw_share *shares, int32_t count,
			 int64_t end)
{
	int32_t first = -1;

	for (int32_t i = count - 1; i >= 0; i--) {
		struct lxfw_host *host = &profile->hosts[shares[i].host];
		int32_t node = lxfw_release_take(&profile->releases);
		struct lxfw_release *release = &profile->releases.nodes[node];

		release->time = end;
		release->amount = shares[i].amount;
		release->host = shares[i].host;
		release->next = first;
		first = node;
		lxfw_release_insert(&profile->releases, &host->releases, node);
		change_free(profile, shares[i].host, &shares[i].amount, -1);
		change_slack(profile, shares[i].host, INT64_MIN, end,
			     &shares[i].amount, -1);
		host->running++;
	}
	return first;
}

void lxfw_profile_run_until(struct lxfw_profile *profile, int32_t claim,
			    int64_t end)
{
	for (int32_t i = claim; i >= 0; i = profile->releases.nodes[i].next) {
		struct lxfw_release *release = &profile->releases.nodes[i];
		struct lxfw_host *host = &profile->hosts[release->host];

		if (end > release->time)
			change_slack(profile, release->host, release->time, end,
				     &release->amount, -1);
		else
			change_slack(profile, release->host, end, release->time,
				     &release->amount, 1);
		lxfw_release_remove(&profile->releases, &host->releases, i);
		release->time = end;
		lxfw_release_insert(&profile->releases, &host->releases, i);
	}
}

void lxfw_profile_stop(struct lxfw_profile *profile, int32_t claim)
{
	while (claim >= 0) {
		struct lxfw_release *release = &profile->releases.nodes[claim];
		int32_t next = release->next, index = release->host;
		struct lxfw_host *host = &profile->hosts[index];

		lxfw_release_remove(&profile->releases, &host->releases, claim);
		change_slack(profile, index, INT64_MIN, release->time,
			     &release->amount, 1);
		change_free(profile, index, &release->amount, 1);
		host->running--;
		lxfw_release_give(&profile->releases, claim);
		claim = next;
	}
}

bool lxfw_profile_disturbed(const struct lxfw_profile *profile, int32_t claim)
{
	static const struct lxfw_resources nothing;

	for (; claim >= 0; claim = profile->releases.nodes[claim].next) {
		int32_t host = profile->releases.nodes[claim].host;
		int32_t i = profile->hosts[host].holds;

		for (; i >= 0; i = profile->holds[i].next_on_host) {
			if (!lxfw_resources_fit(&nothing, &profile->holds[i].slack))
				return true;
		}
	}
	return false;
}

/* --- holds ---------------------------------------------------------------- */

/* What HOST has at TIME, all that is due by then given back, beside the holds
   that are on then. */
static void available_at(const struct lxfw_profile *profile,
			 const struct lxfw_host *host, int64_t time,
			 struct lxfw_resources *available)
{
	*available = host->free;
	lxfw_release_until(&profile->releases, host->releases, time, available);
	for (int32_t i = host->holds; i >= 0; i = profile->holds[i].next_on_host) {
		const struct lxfw_hold *hold = &profile->holds[i];

		if (hold->start <= time && time < hold->end)
			lxfw_resources_subtract(available, &hold->amount);
	}
}

int32_t lxfw_profile_hold(struct lxfw_profile *profile,
			  const struct lxfw_share *shares, int32_t count,
			  int64_t start, int64_t end)
{
	int32_t first = -1;

	for (int32_t i = count - 1; i >= 0; i--) {
		struct lxfw_host *host = &profile->hosts[shares[i].host];
		int32_t at = profile->holds_free;
		struct lxfw_hold *hold;

		if (profile->holds_free_count > 0) {
			profile->holds_free = profile->holds[at].next;
			profile->holds_free_count--;
		} else {
			at = (int32_t)profile->holds_used++;
		}
		hold = &profile->holds[at];
		*hold = (struct lxfw_hold){
			.start = start,
			.end = end,
			.amount = shares[i].amount,
			.host = shares[i].host,
			.next = first,
		};
		available_at(profile, host, start, &hold->slack);
		lxfw_resources_subtract(&hold->slack, &hold->amount);
		change_slack(profile, shares[i].host, start, end,
			     &shares[i].amount, -1);
		hold->next_on_host = host->holds;
		host->holds = at;
		first = at;
	}
	return first;
}

void lxfw_profile_unhold(struct lxfw_profile *profile, int32_t claim)
{
	while (claim >= 0) {
		struct lxfw_hold *hold = &profile->holds[claim];
		int32_t *link = &profile->hosts[hold->host].holds;
		int32_t next = hold->next;

		while (*link != claim)
			link = &profile->holds[*link].next_on_host;
		*link = hold->next_on_host;
		change_slack(profile, hold->host, hold->start, hold->end,
			     &hold->amount, 1);
		hold->next = profile->holds_free;
		profile->holds_free = claim;
		profile->holds_free_count++;
		claim = next;
	}
}

/* --- questions -------------------------------------------------------------- */

void lxfw_profile_available(const struct lxfw_profile *profile, int32_t host,
			    int64_t start, int64_t end,
			    struct lxfw_resources *available)
{
	const struct lxfw_host *at = &profile->hosts[host];

	available_at(profile, at, start, available);
	for (int32_t i = at->holds; i >= 0; i = profile->holds[i].next_on_host) {
		const struct lxfw_hold *hold = &profile->holds[i];

		if (hold->start > start && hold->start < end)
			lxfw_resources_lower(available, &hold->slack);
	}
}

int64_t lxfw_profile_next_gain(const struct lxfw_profile *profile, int32_t host,
			       int64_t time)
{
	const struct lxfw_host *at = &profile->hosts[host];
	int64_t next = lxfw_release_after(&profile->releases, at->releases, time);

	for (int32_t i = at->holds; i >= 0; i = profile->holds[i].next_on_host) {
		int64_t end = profile->holds[i].end;

		if (end > time && end < next)
			next = end;
	}
	return next;
}

/* The start of a hold within (START, END) beside which NEED does not fit; the
   last of them, because no start before its end will do. END if there is none. */
static int64_t obstacle(const struct lxfw_profile *profile,
			const struct lxfw_host *host,
			const struct lxfw_resources *need,
			int64_t start, int64_t end)
{
	int64_t last = end;

	for (int32_t i = host->holds; i >= 0; i = profile->holds[i].next_on_host) {
		const struct lxfw_hold *hold = &profile->holds[i];

		if (hold->start > start && hold->start < end &&
		    (last == end || hold->start > last) &&
		    !lxfw_resources_fit(need, &hold->slack))
			last = hold->start;
	}
	return last;
}

int64_t lxfw_profile_earliest(const struct lxfw_profile *profile, int32_t index,
			      const struct lxfw_resources *need,
			      int64_t duration, int64_t from)
{
	const struct lxfw_host *host = &profile->hosts[index];
	int64_t start = from, end, at;
	struct lxfw_resources available;

	if (!lxfw_resources_fit(need, &host->free)) {
		start = lxfw_release_when(&profile->releases, host->releases,
					  &host->free, need);
		if (start < from)
			start = from;
	}
	while (start != LXFW_NEVER && host->holds >= 0) {
		available_at(profile, host, start, &available);
		if (!lxfw_resources_fit(need, &available)) {
			start = lxfw_profile_next_gain(profile, index, start);
			continue;
		}
		end = lxfw_time_add(start, duration);
		at = obstacle(profile, host, need, start, end);
		if (at == end)
			break;
		start = lxfw_profile_next_gain(profile, index, at);
	}
	return start;
}
