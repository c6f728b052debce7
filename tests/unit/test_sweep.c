/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sweep over a measured schedule, on random schedules with many equal times: the state at
 * each change, the first job of the queue, which jobs a policy with one reservation could start,
 * and the loads and idle times that are computed from the sweep agree with their definitions,
 * which this program evaluates for each job again.
 */
#include <string.h>

#include "sim-frontend/infer/ahead.h"
#include "sim-frontend/infer/holds.h"
#include "tests/unit/unit.h"

#define JOBS 24
#define USERS 3

static struct lxfw_sweep_job jobs[JOBS];
static size_t count;
static int64_t now;

/* --- random schedules ------------------------------------------------------------- */

/* A number below N. */
static int64_t pick(uint64_t *state, int64_t n)
{
	return unit_between(state, 0, n - 1);
}

enum order { BY_SUBMISSION, BY_SIZE, BY_AGE, AGED_FIRST, ORDERS };

static void make_job(uint64_t *state, enum order order, int64_t submit,
		     struct lxfw_sweep_job *job)
{
	*job = (struct lxfw_sweep_job) {
		.submit = submit, .procs = (int32_t)unit_between(state, 1, 6),
		.limit = unit_between(state, 1, 12), .user = (int32_t)unit_between(state, -1, USERS - 1),
		.queue = -1, .free = submit + (pick(state, 4) == 0 ? unit_between(state, 1, 9) : 0),
	};
	job->start = submit + (pick(state, 4) == 0 ? 0 : unit_between(state, 0, 15));
	job->end = job->start + unit_between(state, 0, 12);
	if (pick(state, 6) == 0)
		job->start = LXFW_SWEEP_NEVER;
	if (order == BY_SIZE || order == AGED_FIRST)
		job->base = job->procs;
	if (order == BY_AGE)
		job->slope = job->procs;
	if (order == AGED_FIRST)
		job->age_first = unit_between(state, 1, 6);
}

static void make(uint64_t *state)
{
	enum order order = (enum order)pick(state, ORDERS);
	int64_t submit = unit_between(state, -20, 20);

	count = (size_t)pick(state, JOBS + 1);
	for (size_t i = 0; i < count; i++) {
		submit += pick(state, 2) == 0 ? 0 : unit_between(state, 1, 4);
		make_job(state, order, submit, &jobs[i]);
	}
}

/* --- the definitions, at `now` ---------------------------------------------------- */

static bool ran(size_t job)
{
	return jobs[job].start != LXFW_SWEEP_NEVER;
}

static bool is_running(size_t job)
{
	return ran(job) && jobs[job].start <= now && now < jobs[job].end;
}

static bool is_waiting(size_t job)
{
	return jobs[job].submit <= now && now < (ran(job) ? jobs[job].start : jobs[job].end);
}

static int64_t in_use(void)
{
	int64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += is_running(i) ? jobs[i].procs : 0;
	return sum;
}

static bool precedes(size_t a, size_t b)
{
	int64_t waits[2] = { now - jobs[a].submit, now - jobs[b].submit };
	bool aged[2] = { jobs[a].age_first > 0 && waits[0] > jobs[a].age_first,
			 jobs[b].age_first > 0 && waits[1] > jobs[b].age_first };
	double more = jobs[a].base - jobs[b].base +
		      jobs[a].slope * (double)waits[0] - jobs[b].slope * (double)waits[1];

	if (aged[0] != aged[1])
		return aged[0];
	return more == 0 || aged[0] ? a < b : more > 0;
}

static size_t head_of(int64_t since, int64_t below)
{
	for (size_t i = 0; i < count; i++) {
		bool first = true;

		for (size_t k = 0; k <= count && first; k++) {
			size_t at = k == count ? i : k;

			if (is_waiting(at) && jobs[at].submit <= since &&
			    jobs[at].free <= since && jobs[at].procs < below)
				first = at == i || precedes(i, at);
			else
				first = at != i;
		}
		if (first)
			return i;
	}
	return LXFW_SWEEP_NONE;
}

/* The time at which `wanted` processors are free if jobs run until their limits, in the order
   of these; and the processors that are then left. */
static int64_t free_at(int64_t wanted, int64_t room, int64_t *left)
{
	bool counted[JOBS] = { false };
	int64_t time = now;

	while (room < wanted) {
		size_t next = count;

		for (size_t i = 0; i < count; i++) {
			if (is_running(i) && !counted[i] &&
			    (next == count || jobs[i].start + jobs[i].limit <
					      jobs[next].start + jobs[next].limit))
				next = i;
		}
		if (next == count)
			break;
		counted[next] = true;
		room += jobs[next].procs;
		if (jobs[next].start + jobs[next].limit > time)
			time = jobs[next].start + jobs[next].limit;
	}
	*left = room - wanted;
	return time;
}

/* Whether the job may start beside the reservation of the first one. */
static bool may_start(size_t job, int64_t room, int64_t shadow, int64_t left)
{
	return jobs[job].free <= now && jobs[job].procs <= room &&
	       (shadow <= now || jobs[job].procs <= left || now + jobs[job].limit <= shadow);
}

/* --- tests ------------------------------------------------------------------------ */

static void same_queue(const struct lxfw_sweep *sweep)
{
	size_t forward = lxfw_sweep_first(sweep), last = LXFW_SWEEP_NONE;
	int32_t waiting = 0;

	for (size_t i = 0; i < count; i++) {
		if (!is_waiting(i))
			continue;
		assert_int_equal(forward, i);
		assert_int_equal(lxfw_sweep_back(sweep, i), last);
		last = i;
		forward = lxfw_sweep_after(sweep, i);
		waiting++;
	}
	assert_int_equal(forward, LXFW_SWEEP_NONE);
	assert_int_equal(lxfw_sweep_last(sweep), last);
	assert_int_equal(sweep->waiting, waiting);
}

static void same_changes(const struct lxfw_sweep *sweep)
{
	size_t started = 0, ended = 0;

	for (size_t i = 0; i < count; i++) {
		if (ran(i) && jobs[i].start == now)
			assert_int_equal(sweep->started[started++], i);
		if (ran(i) && jobs[i].end == now)
			assert_int_equal(sweep->ended[ended++], i);
	}
	assert_int_equal(sweep->started_count, started);
	assert_int_equal(sweep->ended_count, ended);
}

/* The time of the first change after TIME; TIME if it is the last one. */
static int64_t change_after(int64_t time)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < count; i++) {
		const int64_t times[] = { jobs[i].submit, jobs[i].start, jobs[i].end };

		for (int k = 0; k < 3; k++) {
			if (times[k] != LXFW_SWEEP_NEVER && times[k] > time && times[k] < next)
				next = times[k];
		}
	}
	return next == INT64_MAX ? time : next;
}

static void sweeps(void **unused)
{
	uint64_t seed = unit_seed("sweeps"), cases = unit_cases(300, 20000);

	(void)unused;
	for (uint64_t i = 0; i < cases; i++) {
		uint64_t state = seed + i;
		struct lxfw_sweep sweep;
		int64_t expected = INT64_MIN + 1;

		make(&state);
		assert_int_equal(lxfw_sweep_begin(&sweep, jobs, count), 0);
		while (lxfw_sweep_next(&sweep)) {
			now = sweep.now;
			assert_int_equal(now, change_after(expected));
			assert_int_equal(sweep.until, change_after(now));
			assert_int_equal(sweep.in_use, in_use());
			same_queue(&sweep);
			same_changes(&sweep);
			for (int64_t since = now - 5; since <= now; since++)
				for (int64_t below = 2; below < 8; below++)
					assert_int_equal(lxfw_sweep_head(&sweep, since, below),
							 head_of(since, below));
			expected = now;
		}
		assert_int_equal(change_after(expected), count > 0 ? expected : INT64_MIN + 1);
		lxfw_sweep_end(&sweep);
	}
}

/* Compares one query. PROCS may be fewer than the jobs use. */
static void compare_ahead(struct lxfw_ahead *ahead, int64_t procs, size_t *head, int64_t *shadow)
{
	size_t first = head_of(now, INT64_MAX);
	int64_t room = procs - in_use(), left = 0, before = *shadow > now ? *shadow : now;
	bool can = false, fits = first != LXFW_SWEEP_NONE && jobs[first].procs <= room;
	bool result = lxfw_ahead_can(ahead, procs);

	*shadow = now;
	if (first != LXFW_SWEEP_NONE && !fits)
		*shadow = free_at(jobs[first].procs, room, &left);
	for (size_t i = 0; i < count && first != LXFW_SWEEP_NONE && !fits; i++) {
		if (!is_waiting(i))
			continue;
		assert_int_equal(lxfw_ahead_can_job(ahead, i), may_start(i, room, *shadow, left));
		can |= may_start(i, room, *shadow, left);
	}
	assert_int_equal(result, fits || can);
	assert_int_equal(ahead->delayed, first != LXFW_SWEEP_NONE && !fits && first == *head &&
					 ahead->sweep->started_count > 0 && *shadow > before);
	*head = first;
}

static void looks_ahead(void **unused)
{
	uint64_t seed = unit_seed("looks_ahead"), cases = unit_cases(300, 20000);

	(void)unused;
	for (uint64_t i = 0; i < cases; i++) {
		uint64_t state = seed + i;
		int64_t procs = unit_between(&state, 1, 20), shadow = 0;
		size_t head = LXFW_SWEEP_NONE;
		struct lxfw_sweep sweep;
		struct lxfw_ahead ahead;

		make(&state);
		assert_int_equal(lxfw_sweep_begin(&sweep, jobs, count), 0);
		assert_int_equal(lxfw_ahead_begin(&ahead, &sweep), 0);
		while (lxfw_sweep_next(&sweep)) {
			now = sweep.now;
			lxfw_ahead_follow(&ahead);
			/* the first query of a schedule has none before it */
			if (head == LXFW_SWEEP_NONE)
				shadow = now;
			compare_ahead(&ahead, procs, &head, &shadow);
		}
		lxfw_ahead_end(&ahead);
		lxfw_sweep_end(&sweep);
	}
}

static void counts_loads(void **unused)
{
	uint64_t seed = unit_seed("counts_loads"), cases = unit_cases(300, 20000);

	(void)unused;
	for (uint64_t i = 0; i < cases; i++) {
		uint64_t state = seed + i;
		struct lxfw_sweep sweep;
		struct lxfw_load *loads, most[USERS] = { { 0, 0, 0, 0 } };

		make(&state);
		/* what runs for no time is counted, in an order that is not of interest */
		for (size_t k = 0; k < count; k++)
			jobs[k].end += ran(k) && jobs[k].end == jobs[k].start;
		assert_int_equal(lxfw_sweep_begin(&sweep, jobs, count), 0);
		loads = lxfw_loads_make(&sweep, USERS);
		assert_non_null(loads);
		lxfw_sweep_rewind(&sweep);
		while (lxfw_sweep_next(&sweep)) {
			struct lxfw_load at[USERS] = { { 0, 0, 0, 0 } };

			now = sweep.now;
			lxfw_loads_count(&sweep, loads);
			for (size_t k = 0; k < count; k++) {
				if (!is_running(k) || jobs[k].user < 0)
					continue;
				at[jobs[k].user].jobs++;
				at[jobs[k].user].procs += jobs[k].procs;
			}
			for (int k = 0; k < USERS; k++) {
				assert_int_equal(loads[k].jobs, at[k].jobs);
				assert_int_equal(loads[k].procs, at[k].procs);
				if (at[k].jobs > most[k].most_jobs)
					most[k].most_jobs = at[k].jobs;
				if (at[k].procs > most[k].most_procs)
					most[k].most_procs = at[k].procs;
			}
		}
		for (int k = 0; k < USERS; k++) {
			assert_int_equal(loads[k].most_jobs, most[k].most_jobs);
			assert_int_equal(loads[k].most_procs, most[k].most_procs);
		}
		free(loads);
		lxfw_sweep_end(&sweep);
	}
}

/* Seconds in which the job is held and fits beside all that run or are eligible. */
static int64_t idle_of(size_t job, int64_t procs, int64_t last)
{
	int64_t sum = 0;

	for (now = jobs[job].submit; now < last; now++) {
		int64_t room = procs - in_use(), change = now;

		/* a hold ends, for this purpose, at the next change */
		while (change > INT64_MIN + 1 && change_after(change - 1) != change)
			change--;
		if (!is_waiting(job) || jobs[job].free <= change)
			continue;
		for (size_t i = 0; i < count; i++)
			room -= is_waiting(i) && jobs[i].free <= change ? jobs[i].procs : 0;
		sum += room >= jobs[job].procs;
	}
	return sum;
}

static void finds_idle(void **unused)
{
	uint64_t seed = unit_seed("finds_idle"), cases = unit_cases(100, 5000);

	(void)unused;
	for (uint64_t i = 0; i < cases; i++) {
		uint64_t state = seed + i;
		int64_t procs = unit_between(&state, 1, 25), last = INT64_MIN;
		int64_t idle[JOBS] = { 0 };
		struct lxfw_sweep sweep;

		make(&state);
		assert_int_equal(lxfw_sweep_begin(&sweep, jobs, count), 0);
		lxfw_idle_find(&sweep, procs, idle);
		for (size_t k = 0; k < count; k++)
			last = jobs[k].end > last ? jobs[k].end : last;
		for (size_t k = 0; k < count; k++)
			assert_int_equal(idle[k], idle_of(k, procs, last));
		lxfw_sweep_end(&sweep);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sweeps),
		cmocka_unit_test(looks_ahead),
		cmocka_unit_test(counts_loads),
		cmocka_unit_test(finds_idle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
