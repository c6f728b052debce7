/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/pass/periods.h"

#include <string.h>

#include "common/books/books.h"
#include "common/model/time.h"
#include "common/place/place.h"
#include "common/util/grow.h"

/* Seconds: bf_resolution. */
#define RESOLUTION 60

static int64_t rounded(int64_t time)
{
	int64_t over = time % RESOLUTION;

	return time - (over < 0 ? over + RESOLUTION : over);
}

static uint64_t *hosts_of(const struct lxfw_sched *sched, size_t period)
{
	const struct lxfw_periods *periods = &sched->periods;

	return periods->hosts + periods->periods[period].at * lxfw_job_groups_words(sched);
}

/* Make room for COUNT periods in all. Returns 0, or -1 with errno ENOMEM. */
static int ready(struct lxfw_sched *sched, size_t count)
{
	struct lxfw_periods *periods = &sched->periods;
	size_t words = lxfw_job_groups_words(sched);

	return LXFW_GROW(periods->periods, periods->periods_size, count) ||
	       LXFW_GROW(periods->hosts, periods->hosts_size, (periods->sets + 2) * words) ? -1 : 0;
}

int lxfw_periods_begin(struct lxfw_sched *sched)
{
	struct lxfw_periods *periods = &sched->periods;
	struct lxfw_job_groups *groups = &sched->groups;
	size_t words = lxfw_job_groups_words(sched);
	int64_t window = sched->params.reservation_window;

	periods->count = periods->sets = 0;
	if (LXFW_GROW(groups->taken, groups->taken_size, words) ||
	    LXFW_GROW(groups->untaken, groups->untaken_size, words) ||
	    LXFW_GROW(periods->freed, periods->freed_size, words) || ready(sched, 1))
		return -1;
	periods->count = periods->sets = 1;
	periods->periods[0] = (struct lxfw_period){
		.begin = rounded(sched->now),
		.end = window == 0 ? LXFW_NEVER : rounded(lxfw_time_add(sched->now, window)),
	};
	memset(hosts_of(sched, 0), 0, words * sizeof(*periods->hosts));
	return 0;
}

/* --- reservations ------------------------------------------------------------------ */

/* Divide a period at TIME, which is within it. Memory was allocated. */
static void divide(struct lxfw_sched *sched, size_t period, int64_t time)
{
	struct lxfw_periods *periods = &sched->periods;

	memmove(&periods->periods[period + 1], &periods->periods[period],
		(periods->count - period) * sizeof(*periods->periods));
	periods->count++;
	periods->periods[period].end = time;
	periods->periods[period + 1].begin = time;
	periods->periods[period + 1].at = periods->sets++;
	memcpy(hosts_of(sched, period + 1), hosts_of(sched, period),
	       lxfw_job_groups_words(sched) * sizeof(*periods->hosts));
}

/* Whether a share is one of a host, not of a pool: without bf_licenses, licenses are not
   reserved. */
static bool is_of_host(const struct lxfw_share *share)
{
	return share->amount.procs > 0;
}

static void add_hosts(struct lxfw_sched *sched, size_t period, int32_t count)
{
	uint64_t *hosts = hosts_of(sched, period);

	for (int32_t i = 0; i < count; i++) {
		const struct lxfw_share *share = &sched->found[i];

		if (is_of_host(share))
			hosts[share->host / 64] |= UINT64_C(1) << (share->host % 64);
	}
}

/* Join the first two periods from FROM on that have the same hosts, if the first one is before
   BEFORE. Slurm joins no more than one pair for each reservation. */
static void join(struct lxfw_sched *sched, size_t from, size_t before)
{
	struct lxfw_periods *periods = &sched->periods;
	size_t size = lxfw_job_groups_words(sched) * sizeof(*periods->hosts);

	for (size_t i = from; i < before && i + 1 < periods->count; i++) {
		if (memcmp(hosts_of(sched, i), hosts_of(sched, i + 1), size) != 0)
			continue;
		periods->periods[i].end = periods->periods[i + 1].end;
		periods->count--;
		memmove(&periods->periods[i + 1], &periods->periods[i + 2],
			(periods->count - i - 1) * sizeof(*periods->periods));
		return;
	}
}

int lxfw_periods_reserve(struct lxfw_sched *sched, int32_t count, int64_t start, int64_t end)
{
	struct lxfw_periods *periods = &sched->periods;
	size_t first = 0, last;

	if (ready(sched, periods->count + 2))
		return -1;
	start = rounded(start);
	if (start < periods->periods[0].begin)
		start = periods->periods[0].begin;
	end = rounded(end);
	if (end < lxfw_time_add(start, RESOLUTION))
		end = lxfw_time_add(start, RESOLUTION);
	while (first < periods->count && periods->periods[first].end <= start)
		first++;
	if (first == periods->count)	/* beyond the window */
		return 0;
	if (periods->periods[first].begin < start)
		divide(sched, first++, start);
	for (last = first; last < periods->count && periods->periods[last].begin < end; last++) {
		if (periods->periods[last].end > end)
			divide(sched, last, end);
		add_hosts(sched, last, count);
	}
	join(sched, first > 0 ? first - 1 : 0, last);
	return 0;
}

/* --- queries ----------------------------------------------------------------------- */

void lxfw_periods_take(struct lxfw_sched *sched, int64_t from, int64_t until)
{
	const struct lxfw_periods *periods = &sched->periods;
	size_t words = lxfw_job_groups_words(sched);
	uint64_t *taken = sched->groups.taken;

	memset(taken, 0, words * sizeof(*taken));
	for (size_t i = 0; i < periods->count && periods->periods[i].begin <= until; i++) {
		const uint64_t *hosts = hosts_of(sched, i);

		for (size_t j = 0; periods->periods[i].end > from && j < words; j++)
			taken[j] |= hosts[j];
	}
}

/* Whether the request may use one of HOSTS. */
static bool allows_any(const struct lxfw_sched *sched, const struct lxfw_request *request,
		       const uint64_t *hosts)
{
	for (size_t i = 0; i < lxfw_job_groups_words(sched); i++) {
		for (int32_t bit = 0; bit < 64 && hosts[i] >> bit != 0; bit++) {
			if (!(hosts[i] >> bit & 1))
				continue;
			for (int32_t j = 0; j < lxfw_request_alternatives(request); j++) {
				if (lxfw_host_allowed(sched, request, j,
						      (int32_t)(64 * i) + bit))
					return true;
			}
		}
	}
	return false;
}

/* Whether the request has more hosts in the period after this one. */
static bool gains_after(struct lxfw_sched *sched, const struct lxfw_request *request, size_t period)
{
	const uint64_t *now = hosts_of(sched, period), *next = hosts_of(sched, period + 1);
	uint64_t *freed = sched->periods.freed;

	for (size_t i = 0; i < lxfw_job_groups_words(sched); i++)
		freed[i] = now[i] & ~next[i];
	return allows_any(sched, request, freed);
}

int64_t lxfw_periods_later(struct lxfw_sched *sched, const struct lxfw_request *request,
			 int64_t from, int64_t until)
{
	const struct lxfw_periods *periods = &sched->periods;

	for (size_t i = 0; i + 1 < periods->count; i++) {
		if (periods->periods[i].end > from && gains_after(sched, request, i))
			return periods->periods[i].end;
		if (periods->periods[i].end > from && periods->periods[i].begin > until)
			break;
	}
	return LXFW_NEVER;
}

bool lxfw_periods_overlap(const struct lxfw_sched *sched, int32_t count, int64_t start, int64_t end)
{
	const struct lxfw_periods *periods = &sched->periods;

	start = rounded(start);
	end = rounded(end);
	for (size_t i = 0; i < periods->count && periods->periods[i].begin < end; i++) {
		const uint64_t *hosts = hosts_of(sched, i);

		for (int32_t j = 0; periods->periods[i].end > start && j < count; j++) {
			const struct lxfw_share *share = &sched->found[j];

			if (is_of_host(share) && hosts[share->host / 64] >> (share->host % 64) & 1)
				return true;
		}
	}
	return false;
}
