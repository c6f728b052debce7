/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/pass/whole.h"

#include <stdlib.h>
#include <string.h>

#include "common/books/books.h"
#include "common/books/decision.h"
#include "common/books/reservation.h"
#include "common/books/run.h"
#include "common/model/time.h"
#include "common/pass/periods.h"
#include "common/pass/possible.h"
#include "common/place/place.h"
#include "common/util/grow.h"

/* Seconds: the first window of Slurm's test of future starts. */
#define FIRST_WINDOW 30

bool lxfw_whole_applies(const struct lxfw_sched *sched)
{
	return sched->profile.host_count > 1 && sched->groups.jobs == 0 &&
	       sched->suspended == 0 && sched->kept_classes == 0;
}

/* Note the hosts with free processors. */
static void note_idle(struct lxfw_sched *sched)
{
	uint64_t *idle = sched->ends.idle;

	memset(idle, 0, lxfw_job_groups_words(sched) * sizeof(*idle));
	for (int32_t i = 0; i < sched->profile.host_count; i++) {
		if (sched->profile.hosts[i].up &&
		    lxfw_profile_free(&sched->profile, i)->procs > 0)
			idle[i / 64] |= UINT64_C(1) << (i % 64);
	}
}

int lxfw_whole_begin(struct lxfw_sched *sched)
{
	struct lxfw_ends *ends = &sched->ends;
	size_t words = lxfw_job_groups_words(sched);

	ends->known = false;
	for (size_t i = 0; i < sched->reservation_count; i++) {
		if (sched->reservations[i].claim < 0)
			continue;
		/* they were made in another way */
		lxfw_reservations_drop_from(sched, 0);
		break;
	}
	if (LXFW_GROW(ends->idle, ends->idle_size, words) ||
	    LXFW_GROW(ends->usable, ends->usable_size, words))
		return -1;
	note_idle(sched);
	return lxfw_periods_begin(sched);
}

/* --- coarse times -------------------------------------------------------------------- */

static int by_end(const void *a, const void *b)
{
	const struct lxfw_end *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

/* Sort the running jobs by expected end. Returns 0, or -1 with errno ENOMEM. */
static int know_ends(struct lxfw_sched *sched)
{
	struct lxfw_ends *ends = &sched->ends;
	size_t shares = 0;

	if (ends->known)
		return 0;
	if (LXFW_GROW(ends->ends, ends->ends_size, sched->running + 1))
		return -1;
	ends->count = 0;
	for (size_t i = 0; i < sched->jobs_used && ends->count < sched->running; i++) {
		const struct lxfw_job *job = &sched->jobs[i];
		int32_t count;

		if (job->state != LXFW_JOB_RUNNING || job->expected_end == LXFW_NEVER)
			continue;
		count = lxfw_profile_shares(&sched->profile, job->claim, NULL);
		if (LXFW_GROW(ends->shares, ends->shares_size, shares + (size_t)count + 1))
			return -1;
		lxfw_profile_shares(&sched->profile, job->claim, ends->shares + shares);
		ends->ends[ends->count++] = (struct lxfw_end){
			job->expected_end, lxfw_id_key(job->request.id), shares, count,
		};
		shares += (size_t)count;
	}
	if (ends->count > 1)
		qsort(ends->ends, ends->count, sizeof(*ends->ends), by_end);
	ends->known = true;
	return 0;
}

/* Note the hosts that the request may use and that are not taken. */
static void note_usable(struct lxfw_sched *sched, const struct lxfw_request *request)
{
	const uint64_t *taken = sched->groups.taken;
	uint64_t *usable = sched->ends.usable;

	memset(usable, 0, lxfw_job_groups_words(sched) * sizeof(*usable));
	for (int32_t i = 0; i < sched->profile.host_count; i++) {
		bool allowed = request->host_set_count == 0;

		if (taken[i / 64] >> (i % 64) & 1)
			continue;
		for (int32_t j = 0; !allowed && j < lxfw_request_alternatives(request); j++)
			allowed = lxfw_host_allowed(sched, request, j, i);
		if (allowed)
			usable[i / 64] |= UINT64_C(1) << (i % 64);
	}
}

static bool is_usable(const struct lxfw_sched *sched, int32_t host)
{
	return sched->ends.usable[host / 64] >> (host % 64) & 1;
}

/* The processors of a running job on usable hosts; -1: it is on none. */
static int64_t procs_of(const struct lxfw_sched *sched, const struct lxfw_end *end)
{
	int64_t procs = -1;

	for (int32_t i = 0; i < end->count; i++) {
		const struct lxfw_share *share = &sched->ends.shares[end->at + (size_t)i];

		if (is_usable(sched, share->host))
			procs = (procs < 0 ? 0 : procs) + share->amount.procs;
	}
	return procs;
}

static int64_t procs_needed(const struct lxfw_request *request)
{
	return (int64_t)request->unit.procs * request->count;
}

/* The free processors of the hosts that are in the set, or that are not. */
static int64_t free_procs(const struct lxfw_sched *sched, const uint64_t *set, bool in)
{
	int64_t procs = 0;

	for (size_t i = 0; i < lxfw_job_groups_words(sched); i++) {
		uint64_t left = sched->ends.idle[i] & (in ? set[i] : ~set[i]);

		for (size_t host = 64 * i; left != 0; host++, left >>= 1)
			procs += left & 1 ? lxfw_profile_free(&sched->profile, host)->procs : 0;
	}
	return procs;
}

/* A time before which the usable hosts do not have enough processors: now, or the end of a
   running job; LXFW_NEVER: they never have. */
static int64_t not_before(const struct lxfw_sched *sched, const struct lxfw_request *request)
{
	const struct lxfw_ends *ends = &sched->ends;
	int64_t need = procs_needed(request) - free_procs(sched, ends->usable, true);

	if (need <= 0)
		return sched->now;
	for (size_t i = 0; i < ends->count; i++) {
		int64_t procs = procs_of(sched, &ends->ends[i]);

		if (procs > 0)
			need -= procs;
		if (need <= 0)
			return ends->ends[i].time;
	}
	return LXFW_NEVER;
}

static int64_t doubled(int64_t window)
{
	return window > INT64_MAX / 2 ? INT64_MAX : 2 * window;
}

/* The end of the half minute in which a job ends. */
static int64_t half_minute(int64_t end)
{
	int64_t over = end % FIRST_WINDOW;

	return end + FIRST_WINDOW - (over < 0 ? over + FIRST_WINDOW : over);
}

/* The time at which Slurm expects a job that first fits at EXACT. It goes through all running
   jobs by their ends, and leaves out those on hosts that the request may use. When the job after
   one of these ends later than the window, it tests whether the request fits, and doubles the
   window until that job is in it. */
static int64_t coarse(const struct lxfw_sched *sched, int64_t exact)
{
	const struct lxfw_ends *ends = &sched->ends;
	int64_t first = INT64_MIN, window = FIRST_WINDOW, end, next;

	for (size_t i = 0; i < ends->count; i++) {
		end = ends->ends[i].time;
		if (procs_of(sched, &ends->ends[i]) < 0)
			continue;
		if (first == INT64_MIN)
			first = half_minute(end);
		next = i + 1 < ends->count ? ends->ends[i + 1].time : LXFW_NEVER;
		if (next != LXFW_NEVER && next - first <= window)
			continue;
		if (end >= exact)
			return end;
		do {
			window = doubled(window);
		} while (next != LXFW_NEVER && next - first > window);
	}
	return exact;
}

/* --- one job -------------------------------------------------------------------------- */

int32_t lxfw_whole_place_now(struct lxfw_sched *sched, const struct lxfw_request *request,
			     int32_t *host_set)
{
	int32_t count;

	lxfw_periods_take(sched, sched->now, lxfw_time_add(sched->now, request->estimate));
	if (free_procs(sched, sched->groups.taken, false) < procs_needed(request))
		return 0;
	sched->groups.placing = true;
	count = lxfw_place_now(sched, request, host_set);
	sched->groups.placing = false;
	return count;
}

/* Find the expected start on hosts that are not taken, beside running jobs. */
static int32_t expected(struct lxfw_sched *sched, const struct lxfw_request *request,
			int64_t *start, int32_t *host_set)
{
	int64_t from = not_before(sched, request);
	int32_t count;

	if (from == LXFW_NEVER)
		return 0;
	if (from > sched->now)
		from = coarse(sched, from);
	for (;;) {
		count = lxfw_place_earliest_from(sched, request, from, start, host_set);
		if (count <= 0 || *start <= sched->now)
			return count;
		from = coarse(sched, *start);
		if (from == *start)
			return count;
	}
}

/* The same for a start at FROM or later. The hosts are those of the first start, if no block may
   be in the way. */
static int32_t expected_from(struct lxfw_sched *sched, const struct lxfw_request *request,
			     int64_t from, int64_t *start, int32_t *host_set)
{
	int32_t count;

	if (know_ends(sched) < 0)
		return -1;
	note_usable(sched, request);
	sched->groups.placing = true;
	count = expected(sched, request, start, host_set);
	if (count > 0 && *start < from && sched->block_count > 0)
		count = lxfw_place_earliest_from(sched, request, from, start, host_set);
	else if (count > 0 && *start < from)
		*start = from;
	sched->groups.placing = false;
	return count;
}

/* Whether a start is beyond the window of reservations. */
static bool is_too_late(struct lxfw_sched *sched, int64_t start)
{
	int64_t window = sched->params.reservation_window;

	if (window == 0 || start - sched->now <= window)
		return false;
	if (start - window < sched->reservable_at)
		sched->reservable_at = start - window;
	return true;
}

/* Find the start that Slurm plans. Returns the number of shares in sched->found; 0 if it plans
   none, *LATE is set if that is for the window; or -1 with errno ENOMEM. */
static int32_t plan(struct lxfw_sched *sched, const struct lxfw_request *request, int64_t *start,
		    int32_t *host_set, bool *late)
{
	int64_t limit = lxfw_request_least(request), from = sched->now;

	for (;;) {
		int64_t until = lxfw_time_add(from, limit);
		int64_t later = lxfw_periods_later(sched, request, from, until);
		int32_t count;

		lxfw_periods_take(sched, from, until);
		count = expected_from(sched, request, from, start, host_set);
		if (count < 0)
			return -1;
		if (count == 0 && later == LXFW_NEVER)
			return 0;
		if (count == 0 || *start > later) {
			from = later;
			continue;
		}
		*late = is_too_late(sched, *start);
		if (*late)
			return 0;
		if (*start == from || !lxfw_periods_overlap(sched, count, *start,
							  lxfw_time_add(*start, limit)))
			return count;
		from = *start;
	}
}

/* FNV-1a over the first COUNT hosts of sched->found. */
static uint64_t digest_of_found(const struct lxfw_sched *sched, int32_t count)
{
	uint64_t digest = 14695981039346656037u;

	for (int32_t i = 0; i < count; i++) {
		digest = (digest ^ (uint64_t)sched->found[i].host) * 1099511628211u;
		digest = (digest ^ (uint64_t)sched->found[i].amount.procs) * 1099511628211u;
	}
	return digest;
}

static int tell(struct lxfw_sched *sched, const struct lxfw_job *job, int64_t start,
		int32_t host_set, int32_t count)
{
	const struct lxfw_action action = {
		.type = LXFW_ACTION_RESERVE, .job = job->request.id,
		.start = start, .until = LXFW_NEVER,
		.host_set = host_set, .count = count,
		.shares = sched->found,
	};

	return lxfw_action_append(sched, &action);
}

/* Make the reservation AT of a job on the first COUNT shares of sched->found. Returns 0, or -1
   with errno ENOMEM. */
static int reserve(struct lxfw_sched *sched, int32_t index, int32_t at, int64_t start,
		   int32_t host_set, int32_t count)
{
	struct lxfw_job *job = &sched->jobs[index];
	uint64_t digest = digest_of_found(sched, count);
	struct lxfw_reservation old = { .start = LXFW_NEVER };

	if (job->reservation != at)
		lxfw_reservations_drop_from(sched, (size_t)at);
	else
		old = sched->reservations[at];
	if (lxfw_reservations_ready(sched) < 0)
		return -1;
	if ((old.start != start || old.digest != digest) &&
	    tell(sched, job, start, host_set, count) < 0)
		return -1;
	if (job->reservation < 0)
		job->reservation = (int32_t)sched->reservation_count++;
	sched->reservations[at] = (struct lxfw_reservation){
		.job = index,
		.claim = -1, .aside = -1,
		.start = start,
		.end = lxfw_time_add(start, lxfw_request_least(&job->request) +
					    lxfw_boot_of(sched, sched->found, count)),
		.digest = digest,
		.examined = sched->passes,
		.class = job->class,
	};
	job->announced = true;
	return lxfw_periods_reserve(sched, count, start, sched->reservations[at].end);
}

enum lxfw_outcome lxfw_whole_consider(struct lxfw_sched *sched, int32_t index, int32_t reserved)
{
	struct lxfw_job *job = &sched->jobs[index];
	int32_t host_set = 0, count = lxfw_is_possible(sched, &sched->classes[job->class]);
	bool late = false;
	int64_t start;

	if (count <= 0)
		return count < 0 ? LXFW_FAILED : LXFW_BLOCKED;
	count = lxfw_whole_place_now(sched, &job->request, &host_set);
	if (count > 0) {
		if (lxfw_job_start(sched, index, count, host_set, LXFW_NEVER) < 0)
			return LXFW_FAILED;
		sched->ends.known = false;
		note_idle(sched);
		return LXFW_STARTED;
	}
	if (count == 0 && reserved < lxfw_reservations_allowed(sched) &&
	    lxfw_may_reserve(sched, index)) {
		count = plan(sched, &job->request, &start, &host_set, &late);
		job->nowhere = count == 0 && !late;
		if (count > 0)
			count = reserve(sched, index, reserved, start, host_set, count) < 0 ?
					-1 : 1;
	}
	if (count != 0)
		return count < 0 ? LXFW_FAILED : LXFW_RESERVED;
	lxfw_reservation_drop(sched, index);
	return LXFW_BLOCKED;
}
