/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Denials and outages on small made schedules of which the truth is known by hand: which
 * job could have been started when, and what a stretch without starts says of the machine.
 */
#include <string.h>

#include "sim-frontend/infer/capacity.h"
#include "sim-frontend/infer/denials.h"
#include "sim-frontend/infer/holds.h"
#include "tests/unit/unit.h"

#define JOBS 300
#define HOUR INT64_C(3600)
#define GRACE 60

static struct lxfw_sweep_job jobs[JOBS];
static size_t count;
static struct lxfw_sweep sweep;
static struct lxfw_capacity_input input;

static size_t add(int64_t submit, int64_t start, int64_t end, int32_t procs,
		  int32_t user)
{
	assert_true(count < JOBS);
	jobs[count] = (struct lxfw_sweep_job) {
		.submit = submit, .start = start, .end = end, .procs = procs,
		.limit = start == LXFW_SWEEP_NEVER ? 1000 : end - start,
		.user = user, .queue = -1, .free = submit,
	};
	return count++;
}

/* Jobs are added behind it. */
static void machine(int64_t procs)
{
	count = 0;
	input = (struct lxfw_capacity_input) {
		.sweep = &sweep, .jobs = jobs, .procs = procs, .grace = GRACE,
		.given_from = INT64_MAX, .given_until = INT64_MIN,
		.backfills = true,
	};
}

/* --- denials ---------------------------------------------------------------------- */

static struct lxfw_denials denials;

static void find_denials(void)
{
	assert_int_equal(lxfw_sweep_begin(&sweep, jobs, count), 0);
	assert_int_equal(lxfw_denials_find(&denials, &input), 0);
	lxfw_sweep_end(&sweep);
}

static int64_t denied(size_t job)
{
	int64_t seconds;

	find_denials();
	seconds = denials.seconds[job];
	lxfw_denials_clear(&denials);
	return seconds;
}

static void denies_what_fits(void **state)
{
	const struct lxfw_atom *atom;

	(void)state;
	machine(4);
	add(0, 0, 1000, 4, 1);
	add(100, 5000, 6000, 4, 2);
	find_denials();
	assert_int_equal(denials.seconds[0], 0);
	assert_int_equal(denials.seconds[1], 4000);
	assert_int_equal(denials.count, 1);
	assert_int_equal(denials.jobs[0], 1);
	assert_false(denials.too_many);
	assert_int_equal(denials.atom_count, 5);
	atom = &denials.atoms[2];
	assert_int_equal(atom->begin, 1000);
	assert_int_equal(atom->end, 5000);
	assert_int_equal(atom->in_use, 0);
	assert_int_equal(atom->denials, 0);
	assert_int_equal(atom[1].denials, 1);
	assert_true(atom->waits && !atom->started);
	assert_true(atom[1].started && !atom[1].waits);
	assert_true(denials.atoms[1].waits && !denials.atoms[1].started);
	lxfw_denials_clear(&denials);
	/* a machine that is smaller by one */
	input.procs = 3;
	assert_int_equal(denied(1), 0);
}

/* What starts soon was decided: it is not denied, and its processors are gone. */
static void knows_of_decisions(void **state)
{
	size_t second;

	(void)state;
	machine(4);
	add(0, 0, 1000, 4, 1);
	second = add(100, 1000 + GRACE, 2000, 2, 2);
	assert_int_equal(denied(second), 0);
	jobs[second].start++;
	assert_int_equal(denied(second), GRACE + 1);
	jobs[second].start--;
	/* three processors do not fit beside it until it ends */
	assert_int_equal(denied(add(200, 9000, 9500, 3, 3)), 7000);
	/* nor is what was not free to start denied */
	jobs[2].free = 2000;
	assert_int_equal(denied(2), 7000);
	jobs[2].free = 2001;
	assert_int_equal(denied(2), 0);
}

/* The first job that does not fit has a reservation: others are denied if they do not
   delay it, and if the site lets them past it. */
static void respects_the_first(void **state)
{
	size_t shorter, longer;

	(void)state;
	machine(4);
	add(0, 0, 10000, 2, 1);
	add(100, 10000, 11000, 4, 2);
	shorter = add(200, 20000, 21000, 2, 3);
	longer = add(300, 30000, 50000, 2, 4);
	assert_int_equal(jobs[longer].limit, 20000);
	/* until it would end behind the first one's start, at 10000 */
	assert_int_equal(denied(shorter), 10000 - 200 + 20000 - 11000);
	assert_int_equal(denied(longer), 30000 - 11000);
	input.backfills = false;
	assert_int_equal(denied(shorter), 20000 - 11000);
	/* one that came before it is denied whatever it delays */
	jobs[longer].submit = jobs[longer].free = 50;
	jobs[longer].user = 9;
	{
		struct lxfw_sweep_job first = jobs[longer];

		memmove(&jobs[2], &jobs[1], 2 * sizeof(*jobs));
		jobs[1] = first;
	}
	assert_int_equal(denied(1), 10000 - 50 + 30000 - 11000);
	/* nor is one that fits the first that does not */
	input.backfills = true;
	assert_int_equal(denied(add(400, 60000, 80000, 2, 5)), 60000 - 11000);
}

/* Whose reservation it is: of those that are free to start, by priority. */
static void reserves_for_the_first(void **state)
{
	size_t large, larger, job;

	(void)state;
	machine(4);
	add(0, 0, 10000, 2, 1);
	larger = add(100, 10000, 11000, 4, 2);
	large = add(110, 11000, 12000, 3, 3);
	job = add(200, 50000, 70000, 1, 4);
	assert_int_equal(denied(job), 50000 - 11000);
	/* one that is not free to start has none: beside three processors there is one */
	jobs[larger].free = 10000;
	assert_int_equal(denied(job), 10000 - 200 + 50000 - 11000);
	jobs[larger].free = 100;
	jobs[large].base = 1;
	assert_int_equal(denied(job), 10000 - 200 + 50000 - 11000);
	jobs[larger].base = 2;
	assert_int_equal(denied(job), 50000 - 11000);
}

/* Processors that records say were missing deny nothing. */
static void knows_of_records(void **state)
{
	const struct lxfw_outage given[] = {
		{ .begin = 0, .end = 3000, .procs = 2, .given = true },
		{ .begin = 4000, .end = 4500, .procs = 0, .given = true },
	};
	size_t job;

	(void)state;
	machine(4);
	input.given = given;
	input.given_count = 1;
	add(0, 0, 1000, 4, 1);
	job = add(100, 5000, 6000, 3, 2);
	assert_int_equal(denied(job), 0);
	add(3000, 3000, 3001, 1, 3);
	assert_int_equal(denied(job), 2000);
	add(4000, 4000, 4001, 1, 3);
	add(4500, 4500, 4501, 1, 3);
	assert_int_equal(denied(job), 2000);
	input.given_count = 2;
	assert_int_equal(denied(job), 1500);
}

/* The least of what was there in the stretch. */
static void takes_the_least(void **state)
{
	const struct lxfw_outage given[] = {
		{ .begin = 1200, .end = 1300, .procs = 4, .given = true },
		{ .begin = 1300, .end = 1400, .procs = 2, .given = true },
		{ .begin = 1400, .end = 1500, .procs = 3, .given = true },
	};
	size_t job;

	(void)state;
	machine(4);
	input.given = given;
	input.given_count = 3;
	add(0, 0, 1000, 4, 1);
	job = add(100, 5000, 6000, 3, 2);
	assert_int_equal(denied(job), 0);
	jobs[job].procs = 2;
	assert_int_equal(denied(job), 4000);
}

/* --- outages ---------------------------------------------------------------------- */

static struct lxfw_inferred inferred;
static struct lxfw_held_job holds[JOBS];

/* Submissions are an hour apart, with one processor each, and start at once: none of the
   20 users is ever denied. */
static void quiet_log(void)
{
	machine(10);
	for (int i = 0; i < 200; i++)
		add(i * HOUR, i * HOUR, i * HOUR + 600, 1, i % 20);
}

static void find_outages(void)
{
	memset(holds, 0, sizeof(holds));
	inferred = (struct lxfw_inferred) { .holds = holds, .job_count = count };
	for (size_t i = 0; i < count; i++)
		jobs[i].free = jobs[i].submit;
	assert_int_equal(lxfw_sweep_begin(&sweep, jobs, count), 0);
	assert_int_equal(lxfw_capacity_find(&inferred, &input), 0);
	lxfw_sweep_end(&sweep);
}

static void forget(void)
{
	free(inferred.outages);
	inferred.outages = NULL;
}

static void expect_none(void)
{
	find_outages();
	assert_int_equal(inferred.outage_count, 0);
	forget();
}

/* The jobs 100 to 103 start together at END. */
static void stop_until(int64_t end)
{
	for (size_t i = 100; i < 104; i++) {
		jobs[i].start = end;
		jobs[i].end = end + 600;
	}
}

static void finds_a_stop(void **state)
{
	const int64_t end = 104 * HOUR - 600;
	const struct lxfw_outage *outage;

	(void)state;
	quiet_log();
	expect_none();
	stop_until(end);
	find_outages();
	assert_int_equal(inferred.outage_count, 1);
	outage = inferred.outages;
	assert_int_equal(outage->procs, 0);
	assert_int_equal(outage->jobs, 4);
	assert_int_equal(outage->known, 100 * HOUR);
	assert_int_equal(outage->known_end, end);
	assert_int_equal(outage->end, end);
	assert_true(outage->begin >= 99 * HOUR && outage->begin <= 100 * HOUR);
	assert_false(inferred.unclear);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(jobs[i].free, jobs[i].submit);
		assert_int_equal(holds[i].reason, LXFW_HELD_NOT);
	}
	forget();
	/* records that cover the time know better; others say nothing of it */
	input.given_from = 50 * HOUR;
	input.given_until = 103 * HOUR;
	expect_none();
	input.given_from = 110 * HOUR;
	input.given_until = 120 * HOUR;
	find_outages();
	assert_int_equal(inferred.outage_count, 1);
	forget();
	/* to the second: it may have begun when the last job started */
	input.given_from = end;
	find_outages();
	assert_int_equal(inferred.outage_count, 1);
	forget();
	input.given_from = end - 1;
	expect_none();
	input.given_from = 0;
	input.given_until = 99 * HOUR;
	find_outages();
	assert_int_equal(inferred.outage_count, 1);
	forget();
	input.given_until++;
	expect_none();
	input.given_from = INT64_MAX;
	input.given_until = INT64_MIN;
	/* a start on one of the processors in the middle of it: no stop */
	add(102 * HOUR - 1, 102 * HOUR - 1, 102 * HOUR + 600, 9, 19);
	expect_none();
}

/* One user's jobs depend on one another, two users may be chance: they were held. */
static void leaves_holds(void **state)
{
	const int64_t end = 104 * HOUR - 600;

	(void)state;
	quiet_log();
	stop_until(end);
	for (size_t i = 100; i < 104; i++)
		jobs[i].user = 1;
	expect_none();
	assert_false(inferred.unclear);
	for (size_t i = 100; i < 104; i++) {
		assert_int_equal(jobs[i].free, end);
		assert_int_equal(holds[i].reason, LXFW_HELD_PASSED);
		assert_int_equal(holds[i].until, end);
	}
	jobs[101].user = 2;
	expect_none();
	assert_true(inferred.unclear);
	jobs[102].user = 3;
	find_outages();
	assert_int_equal(inferred.outage_count, 1);
	forget();
	/* users who are often held say less: each of theirs elsewhere, too, beside jobs of
	   others that start */
	for (size_t i = 20; i < 90; i++) {
		jobs[i].user = (int32_t)(1 + i % 3);
		if (i % 3 != 1)
			continue;
		jobs[i].start += 2 * HOUR;
		jobs[i].end += 2 * HOUR;
	}
	expect_none();
}

/* Waits of less than half an hour tell nothing. */
static void leaves_short_waits(void **state)
{
	(void)state;
	quiet_log();
	for (size_t i = 100; i < 104; i++) {
		jobs[i].submit = 100 * HOUR + (int64_t)i;
		jobs[i].start = 100 * HOUR + 103 + 1799;
		jobs[i].end = jobs[i].start + 600;
	}
	jobs[100].submit = jobs[101].submit = jobs[102].submit = 100 * HOUR + 103;
	expect_none();
	for (size_t i = 100; i < 104; i++) {
		jobs[i].start++;
		jobs[i].end++;
	}
	find_outages();
	assert_int_equal(inferred.outage_count, 1);
	assert_int_equal(inferred.outages->jobs, 4);
	forget();
}

static void put_in_order(void)
{
	for (size_t i = 1; i < count; i++) {
		struct lxfw_sweep_job job = jobs[i];
		size_t at = i;

		for (; at > 0 && jobs[at - 1].submit > job.submit; at--)
			jobs[at] = jobs[at - 1];
		jobs[at] = job;
	}
}

/* Small jobs start beside those that wait: two processors are there. */
static void finds_a_part(void **state)
{
	const int64_t end = 104 * HOUR - 600;

	(void)state;
	quiet_log();
	stop_until(end);
	for (size_t i = 100; i < 104; i++)
		jobs[i].procs = 2;
	for (int i = 0; i < 8; i++)
		add(100 * HOUR + 60 + i * HOUR / 2, 100 * HOUR + 60 + i * HOUR / 2,
		    100 * HOUR + 1200 + i * HOUR / 2, 1, 10 + i);
	put_in_order();
	find_outages();
	assert_int_equal(inferred.outage_count, 1);
	assert_int_equal(inferred.outages->procs, 1);
	assert_int_equal(inferred.outages->jobs, 4);
	assert_int_equal(inferred.outages->known, 100 * HOUR);
	assert_int_equal(inferred.outages->known_end, end);
	forget();
	input.stops_only = true;
	expect_none();
}

/* What two pairs of jobs, each too few, say together: if no day without evidence is
   between them. */
static void joins_evidence(void **state)
{
	(void)state;
	for (int far = 0; far < 2; far++) {
		int64_t later = (far ? 77 : 74) * HOUR + 1800;

		quiet_log();
		for (int i = 0; i < 4; i++) {
			int64_t submit = (i < 2 ? 50 * HOUR + 700 : later) + i;

			add(submit, LXFW_SWEEP_NEVER,
			    i < 2 ? 52 * HOUR : later + 2 * HOUR, 9, 1 + i);
		}
		put_in_order();
		find_outages();
		assert_int_equal(inferred.outage_count, far ? 0 : 1);
		assert_int_equal(inferred.unclear, far);
		if (!far) {
			assert_int_equal(inferred.outages->procs, 1);
			assert_int_equal(inferred.outages->in_use, 1);
			assert_int_equal(inferred.outages->jobs, 4);
			assert_int_equal(inferred.outages->known, 50 * HOUR + 700);
			assert_int_equal(inferred.outages->known_end,
					 later + 2 * HOUR);
		}
		forget();
	}
}

/* The users of the jobs are unknown: equal jobs in a row may be of the same user. */
static void tells_unknown_users(void **state)
{
	(void)state;
	quiet_log();
	stop_until(104 * HOUR - 600);
	for (size_t i = 0; i < count; i++)
		jobs[i].user = -1;
	expect_none();
	for (size_t i = 100; i < 104; i++)
		jobs[i].procs = (int32_t)(i - 98);
	find_outages();
	assert_int_equal(inferred.outage_count, 1);
	forget();
}

/* --- passes ----------------------------------------------------------------------- */

/* Returns the passes of job 1, where the policy reserves for all waiting jobs. */
static struct lxfw_passes passes_of_second(void)
{
	struct lxfw_passes passes[JOBS] = { { 0 } };

	for (size_t i = 0; i < count; i++)
		jobs[i].free = jobs[i].submit;
	assert_int_equal(lxfw_sweep_begin(&sweep, jobs, count), 0);
	assert_int_equal(lxfw_passes_find(&sweep, jobs, GRACE, true, 10, passes), 0);
	lxfw_sweep_end(&sweep);
	return passes[1];
}

/* A later job of the queue that starts first passes another one if it requests no less: equal
   requests are no less, a second or a processor less could be why. */
static void is_passed_by_equals(void **state)
{
	struct lxfw_passes passes;
	size_t other;

	(void)state;
	machine(4);
	add(0, 0, 1000, 2, 1);
	add(100, 5000, 5500, 2, 1);
	other = add(200, 1000, 1500, 2, 2);
	passes = passes_of_second();
	assert_int_equal(passes.count, 1);
	assert_int_equal(passes.last, 1000);
	jobs[other].limit--;
	assert_int_equal(passes_of_second().count, 0);
	jobs[other].limit++;
	jobs[other].procs--;
	assert_int_equal(passes_of_second().count, 0);
	jobs[other].procs++;
	jobs[other].queue = 3;
	assert_int_equal(passes_of_second().count, 0);
}

/* A limit of the user's processors may be the reason only if his jobs never held as many. */
static void may_be_a_limit(void **state)
{
	struct lxfw_passes passes;

	(void)state;
	machine(8);
	add(0, 0, 6000, 2, 1);
	add(100, 5000, 5500, 2, 1);
	add(200, 1000, 1500, 2, 2);
	passes = passes_of_second();
	assert_int_equal(passes.count, 1);
	assert_int_equal(passes.at_jobs, 0);
	assert_int_equal(passes.at_procs, 0);
	jobs[0].end = 4000;	/* the two never ran together */
	passes = passes_of_second();
	assert_int_equal(passes.count, 1);
	assert_int_equal(passes.at_jobs, 1);
	assert_int_equal(passes.at_procs, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(denies_what_fits),
		cmocka_unit_test(knows_of_decisions),
		cmocka_unit_test(respects_the_first),
		cmocka_unit_test(reserves_for_the_first),
		cmocka_unit_test(knows_of_records),
		cmocka_unit_test(takes_the_least),
		cmocka_unit_test(finds_a_stop),
		cmocka_unit_test(leaves_holds),
		cmocka_unit_test(leaves_short_waits),
		cmocka_unit_test(finds_a_part),
		cmocka_unit_test(joins_evidence),
		cmocka_unit_test(tells_unknown_users),
		cmocka_unit_test(is_passed_by_equals),
		cmocka_unit_test(may_be_a_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
