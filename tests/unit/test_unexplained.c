/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Schedules over time, overtaking, and the components of waits, compared with counting
   second by second and with known causes. */
#include <math.h>
#include <string.h>

#include "sim-frontend/metrics/passed.h"
#include "sim-frontend/metrics/unexplained.h"
#include "tests/unit/unit.h"

#define JOBS 30
#define TIME 120
#define PROCS 8
#define CASES 300
#define HOUR INT64_C(3600)
#define DAY (24 * HOUR)

static void make_random(uint64_t *random, struct lxfw_stay *stays, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct lxfw_stay *stay = &stays[i];
		int64_t submit = unit_between(random, 0, TIME / 3);
		int64_t start = submit + unit_between(random, 0, 1) *
				unit_between(random, 0, TIME / 6);

		*stay = (struct lxfw_stay) {
			.submit = submit, .start = start,
			.end = start + unit_between(random, 0, 20),
			.procs = (int32_t)unit_between(random, 1, PROCS),
			.user = -1,
			.queue = (int32_t)unit_between(random, -1, 1),
			.limit = unit_between(random, 1, 3),
			.memory_mb = unit_between(random, 0, 1),
		};
		if (unit_between(random, 0, 9) == 0)
			stay->start = LXFW_STAY_NEVER;
	}
}

static int64_t gone(const struct lxfw_stay *stay)
{
	return stay->start == LXFW_STAY_NEVER ? stay->end : stay->start;
}

static bool waits(const struct lxfw_stay *stay, int64_t now)
{
	return stay->submit <= now && now < gone(stay);
}

static bool runs(const struct lxfw_stay *stay, int64_t now)
{
	return stay->start != LXFW_STAY_NEVER && stay->start <= now &&
	       now < stay->end;
}

static void keeps_time(void **state)
{
	uint64_t random = unit_seed("timelines");

	(void)state;
	for (int round = 0; round < CASES; round++) {
		struct lxfw_stay stays[JOBS];
		size_t count = (size_t)unit_between(&random, 0, JOBS);
		struct lxfw_timeline timeline;
		double usage[2 * TIME / 7];
		int64_t held[2 * TIME] = { 0 };

		make_random(&random, stays, count);
		assert_int_equal(lxfw_timeline_make(&timeline, stays, count), 0);
		for (int64_t now = 0; now < 2 * TIME; now++) {
			size_t at = lxfw_timeline_at(&timeline, now + 1);
			int64_t wanted = 0;

			for (size_t i = 0; i < count; i++) {
				if (runs(&stays[i], now))
					held[now] += stays[i].procs;
				if (waits(&stays[i], now))
					wanted += stays[i].procs;
			}
			if (at == 0) {
				assert_int_equal(held[now] + wanted, 0);
				continue;
			}
			assert_int_equal(timeline.stretches[at - 1].held,
					 held[now]);
			assert_int_equal(timeline.stretches[at - 1].wanted,
					 wanted);
		}
		usage[30] = -1;
		lxfw_timeline_usage(&timeline, 3, 7, 30, usage);
		assert_true(usage[30] < 0);
		for (int span = 0; span < 30; span++) {
			int64_t sum = 0;

			for (int64_t now = 3 + 7 * span; now < 10 + 7 * span;
			     now++)
				sum += held[now];
			assert_true(usage[span] == (double)sum);
		}
		lxfw_timeline_clear(&timeline);
	}
}

static struct lxfw_passed passed_by_counting(const struct lxfw_stay *stays,
					     size_t count, size_t job)
{
	const struct lxfw_stay *stay = &stays[job];
	struct lxfw_passed passed = { LXFW_STAY_NEVER, LXFW_STAY_NEVER };

	for (size_t i = 0; i < count; i++) {
		const struct lxfw_stay *other = &stays[i];

		if (other->start == LXFW_STAY_NEVER ||
		    other->queue != stay->queue ||
		    other->submit <= stay->submit ||
		    other->start >= gone(stay) || other->procs < stay->procs ||
		    other->limit < stay->limit ||
		    other->memory_mb < stay->memory_mb)
			continue;
		if (passed.first == LXFW_STAY_NEVER ||
		    other->start < passed.first)
			passed.first = other->start;
		if (other->start > passed.last)
			passed.last = other->start;
	}
	return passed;
}

static void finds_overtaken_jobs(void **state)
{
	uint64_t random = unit_seed("passed");
	size_t found = 0;

	(void)state;
	for (int round = 0; round < CASES; round++) {
		struct lxfw_stay stays[JOBS];
		struct lxfw_passed passed[JOBS];
		size_t count = (size_t)unit_between(&random, 0, JOBS);

		make_random(&random, stays, count);
		assert_int_equal(lxfw_passed_find(stays, count, passed), 0);
		for (size_t i = 0; i < count; i++) {
			struct lxfw_passed expected =
				passed_by_counting(stays, count, i);

			assert_int_equal(passed[i].first, expected.first);
			assert_int_equal(passed[i].last, expected.last);
			found += expected.last > expected.first;
		}
	}
	assert_true(found > CASES / 10);
}

static void explain(const struct lxfw_stay *stays, size_t count, int64_t procs,
		    struct lxfw_unexplained *unexplained)
{
	struct lxfw_timeline timeline;
	const struct lxfw_room_machine machine = { .procs = procs };
	struct lxfw_unexplained_input input = {
		.stays = stays, .count = count, .timeline = &timeline,
		.procs = procs, .machine = &machine,
	};

	assert_int_equal(lxfw_timeline_make(&timeline, stays, count), 0);
	assert_int_equal(lxfw_unexplained_make(unexplained, &input), 0);
	lxfw_timeline_clear(&timeline);
}

/* The log is too short for pauses and daily patterns, and jobs wait for at most 60 s of it, in which the
   absence of other causes says nothing. */
static void divides_waits(void **state)
{
	uint64_t random = unit_seed("parts of waits");

	(void)state;
	for (int round = 0; round < CASES; round++) {
		struct lxfw_stay stays[JOBS];
		struct lxfw_passed passed[JOBS];
		size_t count = (size_t)unit_between(&random, 0, JOBS);
		struct lxfw_unexplained all;
		int64_t sums[LXFW_WAIT_PARTS] = { 0 };

		make_random(&random, stays, count);
		assert_int_equal(lxfw_passed_find(stays, count, passed), 0);
		for (int64_t now = 0; now < 2 * TIME; now++) {
			int64_t free = PROCS, wanted = 0;

			for (size_t i = 0; i < count; i++) {
				bool past = stays[i].start != LXFW_STAY_NEVER &&
					    passed[i].first <= now &&
					    now < passed[i].last;

				if (runs(&stays[i], now))
					free -= stays[i].procs;
				if (waits(&stays[i], now) && !past)
					wanted += stays[i].procs;
			}
			for (size_t i = 0; i < count; i++) {
				if (!waits(&stays[i], now) ||
				    stays[i].start == LXFW_STAY_NEVER)
					continue;
				if (passed[i].first <= now &&
				    now < passed[i].last)
					sums[LXFW_WAIT_PASSED]++;
				else if (stays[i].procs > free)
					sums[LXFW_WAIT_FULL]++;
				else if (wanted > free)
					sums[LXFW_WAIT_CHOICE]++;
				else
					sums[LXFW_WAIT_OTHER]++;
			}
		}
		explain(stays, count, PROCS, &all);
		for (int part = 0; part < LXFW_WAIT_PARTS; part++)
			assert_true(all.parts[part].seconds == (double)sums[part]);
	}
}

static double part(const struct lxfw_unexplained *all, enum lxfw_wait_part which)
{
	return all->parts[which].seconds;
}

/* The machine stands still from 1 h to 3 h: A and B arrive in that time, C arrived
 * before. */
static void finds_a_pause(void **state)
{
	const struct lxfw_stay stays[] = {
		{ .submit = 0, .start = 0, .end = HOUR, .procs = 4, .user = 1 },
		{ .submit = 4000, .start = 3 * HOUR, .end = 4 * HOUR, .procs = 1,
		  .user = 2, .limit = 9 },
		{ .submit = 5000, .start = 3 * HOUR, .end = 4 * HOUR, .procs = 2,
		  .user = 3, .limit = 9 },
	};
	struct lxfw_unexplained all;

	(void)state;
	explain(stays, 3, 4, &all);
	assert_int_equal(all.pause_count, 1);
	assert_int_equal(all.pauses[0].begin, 5000);
	assert_int_equal(all.pauses[0].end, 3 * HOUR);
	assert_int_equal(all.pauses[0].free, 4);
	assert_int_equal(all.pauses[0].waiting, 2);
	assert_true(part(&all, LXFW_WAIT_PAUSE) == 2 * (3 * HOUR - 5000));
	/* a single job may be held */
	assert_true(part(&all, LXFW_WAIT_OTHER) == 1000);
	assert_true(part(&all, LXFW_WAIT_FULL) == 0);
}

/* Four processors. One of them is unused on the second of three days while a job of one
   processor waits; on the first and the third day it is used. */
static void finds_a_level(void **state)
{
	const struct lxfw_stay stays[] = {
		{ .submit = 0, .start = 0, .end = 3 * DAY + 9, .procs = 3,
		  .user = -1 },
		{ .submit = 0, .start = 0, .end = DAY, .procs = 1, .user = -1 },
		{ .submit = DAY, .start = 2 * DAY, .end = 3 * DAY, .procs = 1,
		  .user = -1 },
		{ .submit = 3 * DAY + 1, .start = 3 * DAY + 1,
		  .end = 3 * DAY + 2, .procs = 1, .user = -1 },
	};
	struct lxfw_unexplained all;

	(void)state;
	explain(stays, 4, 4, &all);
	assert_int_equal(all.days, 3);
	assert_int_equal(all.level_days, 1);
	assert_true(all.level_proc_seconds == (double)DAY);
	assert_true(part(&all, LXFW_WAIT_LEVEL) == (double)DAY);
	assert_int_equal(all.parts[LXFW_WAIT_LEVEL].jobs, 1);
	assert_int_equal(all.most_held, 4);
	/* a larger machine has more unused processors, and no job is over the limit */
	explain(stays, 4, 3, &all);
	assert_int_equal(all.level_days, 0);
	assert_true(fabs(all.over_share - (2. * DAY + 1) / (3. * DAY + 9)) < 1e-9);
}

/* Three jobs of a user, one after the other, on an empty machine. The wait of a fourth
   job ends at no other event. */
static void finds_a_chain(void **state)
{
	const struct lxfw_stay stays[] = {
		{ .submit = 0, .start = 0, .end = 1000, .procs = 1, .user = 7 },
		{ .submit = 1, .start = 1000, .end = 2000, .procs = 1,
		  .user = 7 },
		{ .submit = 2, .start = 2059, .end = 3000, .procs = 1,
		  .user = 7 },
		{ .submit = 3, .start = 2500, .end = 3000, .procs = 1,
		  .user = 7 },
		{ .submit = 4, .start = 1000, .end = 1001, .procs = 1,
		  .user = 8 },
	};
	struct lxfw_unexplained all;

	(void)state;
	explain(stays, 5, 8, &all);
	assert_true(part(&all, LXFW_WAIT_CHAIN) == 999 + 2057);
	assert_int_equal(all.parts[LXFW_WAIT_CHAIN].jobs, 2);
	assert_true(part(&all, LXFW_WAIT_FULL) == 0);
	assert_true(part(&all, LXFW_WAIT_CHAIN) + part(&all, LXFW_WAIT_OTHER) +
		    part(&all, LXFW_WAIT_PASSED) == 999 + 2057 + 2497 + 996);
}

static void names_its_parts(void **state)
{
	(void)state;
	for (int i = 0; i < LXFW_WAIT_PARTS; i++) {
		assert_in_range(strlen(lxfw_wait_part_name((enum lxfw_wait_part)i)),
				1, 34);
		assert_true(*lxfw_wait_part_key((enum lxfw_wait_part)i));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_time),
		cmocka_unit_test(finds_overtaken_jobs),
		cmocka_unit_test(divides_waits),
		cmocka_unit_test(finds_a_pause),
		cmocka_unit_test(finds_a_level),
		cmocka_unit_test(finds_a_chain),
		cmocka_unit_test(names_its_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
