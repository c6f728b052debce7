/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verdict on generated schedules, and the system overhead per start with a known
   true value. */
#include <string.h>

#include "sim-frontend/metrics/start_delay.h"
#include "sim-frontend/metrics/verdict.h"
#include "tests/unit/unit.h"

#define HOUR INT64_C(3600)
#define DAY (24 * HOUR)
#define WEEK (7 * DAY)
#define JOBS 4000
#define WEEKS 10

static struct lxfw_verdict_job jobs[JOBS];

/* Ten weeks, each with different waits of about three hours, simulated as measured. */
static struct lxfw_verdict_input make(void)
{
	uint64_t random = unit_seed("verdicts");

	for (int64_t i = 0; i < JOBS; i++) {
		int64_t submit = i * WEEKS * WEEK / JOBS;
		int64_t long_weeks = 1 + submit / WEEK * 3 % WEEKS;

		jobs[i] = (struct lxfw_verdict_job) {
			.submit = 1000 + submit,
			.run = unit_between(&random, 10, 20 * HOUR),
			.measured = unit_between(&random, 0, HOUR) * long_weeks,
			.procs = (int32_t)unit_between(&random, 1, 64),
			.queue = (int32_t)unit_between(&random, 0, 2),
		};
		jobs[i].simulated = jobs[i].measured;
	}
	return (struct lxfw_verdict_input) {
		.jobs = jobs, .count = JOBS, .unexplained = 0,
	};
}

static struct lxfw_verdict verdict;

static void judge(const struct lxfw_verdict_input *input,
		  enum lxfw_verdict_level level, const char *reason)
{
	bool found = false;

	assert_int_equal(lxfw_verdict_make(&verdict, input), 0);
	for (int i = 0; i < verdict.reason_count; i++)
		found |= strstr(verdict.reasons[i], reason) != NULL;
	if (verdict.level != level || !found)
		fail_msg("%s, not %s for '%s': %s", lxfw_verdict_key(verdict.level),
			 lxfw_verdict_key(level), reason, verdict.reasons[0]);
	assert_true(*verdict.next);
}

static void scale(double factor)
{
	for (int i = 0; i < JOBS; i++)
		jobs[i].simulated = (int64_t)((double)jobs[i].measured * factor);
}

static void judges_the_mean(void **state)
{
	struct lxfw_verdict_input input = make();

	(void)state;
	judge(&input, LXFW_VERDICT_GOOD, "differs from the measured one by 0 %");
	scale(0.9);
	judge(&input, LXFW_VERDICT_GOOD, "by 10 %");
	scale(0.8);
	judge(&input, LXFW_VERDICT_CARE, "is 20 % shorter");
	scale(1.3);
	judge(&input, LXFW_VERDICT_CARE, "is 30 % longer");
	scale(0.5);
	judge(&input, LXFW_VERDICT_NOT, "is 50 % shorter");
	assert_non_null(strstr(verdict.next, "--cluster"));
}

/* Where the log names nodes and none are simulated, they come first; more jobs are what
   a short log needs all the same. */
static void hosts_come_first(void **state)
{
	struct lxfw_verdict_input input = make();

	(void)state;
	input.hosts_named = true;
	judge(&input, LXFW_VERDICT_GOOD, "by 0 %");
	assert_null(strstr(verdict.next, "--cluster-out"));
	scale(0.5);
	judge(&input, LXFW_VERDICT_NOT, "is 50 % shorter");
	assert_non_null(strstr(verdict.next, "lxfw import --out FILE --cluster-out"));
	assert_non_null(strstr(verdict.next, "--policy or --params."));
	input.unexplained = input.unexplained_more = 0.6;
	judge(&input, LXFW_VERDICT_NOT, "60 % of the measured wait");
	assert_non_null(strstr(verdict.next, "--cluster-out"));
	input.hosts_named = false;
	judge(&input, LXFW_VERDICT_NOT, "60 % of the measured wait");
	assert_null(strstr(verdict.next, "--cluster-out"));
	input = make();
	input.hosts_named = true;
	input.count = 50;
	judge(&input, LXFW_VERDICT_NOT, "50 jobs");
	assert_non_null(strstr(verdict.next, "longer log"));
}

/* The means agree but the weeks do not: each week has the waits of the week half of the
   log later. */
static void judges_weeks(void **state)
{
	struct lxfw_verdict_input input = make();

	(void)state;
	for (int i = 0; i < JOBS; i++)
		jobs[i].simulated = jobs[(i + JOBS / 2) % JOBS].measured;
	judge(&input, LXFW_VERDICT_NOT, "The weeks with long waits are not the same");
	judge(&input, LXFW_VERDICT_NOT, "Grouped by week, the mean wait differs by");
	assert_true(verdict.mean == 0);
}

/* The means of all jobs and of the weeks agree, but one queue has longer waits and
 * another shorter ones. */
static void judges_queues(void **state)
{
	struct lxfw_verdict_input input = make();

	(void)state;
	for (int i = 0; i < JOBS; i++)
		jobs[i].queue = i % 2;
	for (int i = 0; i < JOBS; i += 2) {
		int64_t both = jobs[i].measured + jobs[i + 1].measured;

		jobs[i].simulated = 0;
		jobs[i + 1].simulated = both;
	}
	judge(&input, LXFW_VERDICT_NOT, "Grouped by queue, the mean wait differs by");
	assert_true(verdict.mean == 0);
}

/* The mean agrees, but a tenth of the jobs have all the waits. */
static void judges_the_spread(void **state)
{
	struct lxfw_verdict_input input = make();
	int64_t sum = 0;

	(void)state;
	for (int i = 0; i < JOBS; i++) {
		sum += jobs[i].measured;
		jobs[i].simulated = i % 10 == 9 ? sum : 0;
		sum = i % 10 == 9 ? 0 : sum;
	}
	judge(&input, LXFW_VERDICT_NOT, "of the measured jobs waited longer than");
	judge(&input, LXFW_VERDICT_NOT, "95th percentile of waits");
}

/* Three of ten jobs wait a little longer than each of the customary times, and a little less in
   the simulation. */
static void judges_each_time(void **state)
{
	static const struct {
		int64_t wait;
		const char *name;
	} times[] = {
		{ 600, "longer than 10 minutes" }, { HOUR, "longer than an hour" },
		{ 4 * HOUR, "longer than 4 hours" }, { 12 * HOUR, "longer than 12 hours" },
		{ 24 * HOUR, "longer than a day" },
	};
	struct lxfw_verdict_input input = make();

	(void)state;
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
		bool found = false;

		for (int j = 0; j < JOBS; j++) {
			jobs[j].measured = j % 10 < 3 ? times[i].wait + 9 : 0;
			jobs[j].simulated = j % 10 < 3 ? times[i].wait - 9 : 0;
		}
		assert_int_equal(lxfw_verdict_make(&verdict, &input), 0);
		for (int j = 0; j < verdict.reason_count; j++)
			found |= strstr(verdict.reasons[j], times[i].name) &&
				 strstr(verdict.reasons[j], "30 % of the measured jobs");
		if (!found)
			fail_msg("no '%s': %s", times[i].name, verdict.reasons[0]);
	}
}

static void judges_what_there_is(void **state)
{
	struct lxfw_verdict_input input = make();

	(void)state;
	input.count = 900;		/* sixteen days */
	judge(&input, LXFW_VERDICT_CARE, "900 jobs");
	judge(&input, LXFW_VERDICT_CARE, "less than three weeks");
	assert_non_null(strstr(verdict.next, "longer log"));
	input.count = 99;
	judge(&input, LXFW_VERDICT_NOT, "99 jobs");
	input.count = 0;
	judge(&input, LXFW_VERDICT_NOT, "0 jobs");
	input = make();
	for (int i = 0; i < JOBS; i++)
		jobs[i].submit /= 30;	/* two and a half days */
	judge(&input, LXFW_VERDICT_NOT, "less than three weeks");
}

static void judges_what_is_left(void **state)
{
	struct lxfw_verdict_input input = make();

	(void)state;
	input.unexplained = input.unexplained_more = 0.3;
	judge(&input, LXFW_VERDICT_CARE, "30 % of the measured wait is not explained");
	input.unexplained = input.unexplained_more = 0.63;
	judge(&input, LXFW_VERDICT_NOT, "63 % of the measured wait is not explained");
	scale(0.2);
	judge(&input, LXFW_VERDICT_NOT, "is 80 % shorter");
	assert_non_null(strstr(verdict.next, "does not contain"));
	scale(1);
	input.unexplained = input.unexplained_more = -1;
	input.over_share = 0.2;
	judge(&input, LXFW_VERDICT_NOT, "held more processors than the specified machine");
	/* the limits that lxfw-compare(1) states: 2 and 10 % of the time */
	input.over_share = 0.101;
	judge(&input, LXFW_VERDICT_NOT, "held more processors than the specified machine");
	assert_non_null(strstr(verdict.next, "with --cluster."));
	input.given = LXFW_GIVEN_SIZE;
	judge(&input, LXFW_VERDICT_NOT, "held more processors than the specified machine");
	assert_non_null(strstr(verdict.next, "the one given with --cluster"));
	input.given = 0;
	input.over_share = 0.099;
	judge(&input, LXFW_VERDICT_CARE, "held more processors than the specified machine");
	input.over_share = 0.021;
	judge(&input, LXFW_VERDICT_CARE, "held more processors than the specified machine");
	input.over_share = 0.019;
	assert_int_equal(lxfw_verdict_make(&verdict, &input), 0);
	for (int i = 0; i < verdict.reason_count; i++)
		assert_null(strstr(verdict.reasons[i], "held more processors"));
	input.over_share = 0;
	input.not_started = 100;
	judge(&input, LXFW_VERDICT_CARE, "100 jobs of the measured run never start");
}

/* A difference counts only beyond what noise in the log changes. Noise that is large limits what
   can be seen. */
static void leaves_out_noise(void **state)
{
	struct lxfw_verdict_input input = make();
	double mean = 0;

	(void)state;
	for (int i = 0; i < JOBS; i++)
		mean += (double)jobs[i].measured / JOBS;
	scale(0.8);
	input.noise = (struct lxfw_verdict_noise) {
		.copies = 20, .low = 0.75 * mean, .high = 1.02 * mean,
		.p95_high = 1e9,
	};
	judge(&input, LXFW_VERDICT_GOOD, "differs from the measured one by 20 %");
	input.noise.high = 0.99 * mean;
	judge(&input, LXFW_VERDICT_CARE, "is 20 % shorter");
	input.noise.low = 0.3 * mean;
	input.noise.high = 1.5 * mean;
	judge(&input, LXFW_VERDICT_CARE, "20 copies with a little noise");
	assert_string_equal(verdict.next, "Use a longer log: noise then changes its mean wait less.");
	/* what the description lacks comes first */
	input.noise.weeks = 0.45;
	judge(&input, LXFW_VERDICT_CARE, "by 45 % on average, apart from groups within");
	assert_non_null(strstr(verdict.next, "--cluster"));
	/* what the simulated run has too does not count, but the figure is that of the log */
	input = make();
	input.unexplained = 0.56;
	input.unexplained_more = 0.03;
	judge(&input, LXFW_VERDICT_GOOD, "by 0 %");
	input.unexplained_more = 0.25;
	judge(&input, LXFW_VERDICT_CARE, "56 % of the measured wait is not explained");
}

static void judges_a_quiet_site(void **state)
{
	struct lxfw_verdict_input input = make();

	(void)state;
	for (int i = 0; i < JOBS; i++) {
		jobs[i].measured = i % 40;
		jobs[i].simulated = 0;
	}
	input.unexplained = input.unexplained_more = 1;
	judge(&input, LXFW_VERDICT_CARE, "hardly wait");
	lxfw_verdict_none(&verdict);
	assert_int_equal(verdict.level, LXFW_VERDICT_NONE);
	assert_int_equal(verdict.reason_count, 1);
}

/* Waits that the simulation has too are explained. */
static void compares_the_unexplained(void **state)
{
	struct lxfw_unexplained measured = { .wait_seconds = 1000 };
	struct lxfw_unexplained simulated = { .wait_seconds = 700 };

	(void)state;
	measured.parts[LXFW_WAIT_FULL].seconds = 400;
	measured.parts[LXFW_WAIT_PAUSE].seconds = 500;
	measured.parts[LXFW_WAIT_OTHER].seconds = 100;
	assert_true(lxfw_verdict_unexplained(&measured, &simulated) == 0.6);
	simulated.parts[LXFW_WAIT_PAUSE].seconds = 480;
	assert_true(lxfw_verdict_unexplained(&measured, &simulated) == 0.12);
	simulated.parts[LXFW_WAIT_OTHER].seconds = 300;
	assert_true(lxfw_verdict_unexplained(&measured, &simulated) == 0);
}

/* --- system overhead per start */

/*
 * Every 1000 s a job is submitted to an empty queue and started after 5 to 7 s. One in
 * EVERY is held for a hundred seconds more. After each, a job is submitted for which
 * there is no room, and which starts when the first one has ended.
 */
static size_t make_stays(struct lxfw_stay *stays, size_t pairs,
			 size_t every)
{
	for (size_t i = 0; i < pairs; i++) {
		int64_t submit = (int64_t)i * 1000;
		int64_t start = submit + 5 + (int64_t)(i % 7 % 3) +
				(i % every == 0 ? 100 : 0);

		stays[2 * i] = (struct lxfw_stay) {
			.submit = submit, .start = start, .end = start + 300,
			.procs = 3,
		};
		stays[2 * i + 1] = (struct lxfw_stay) {
			.submit = start + 1, .start = start + 301,
			.end = start + 400, .procs = 2,
		};
	}
	return 2 * pairs;
}

static void finds_the_start_delay(void **state)
{
	struct lxfw_stay stays[201];
	struct lxfw_start_delay delay;
	size_t count = make_stays(stays, 100, 12);

	(void)state;
	assert_int_equal(lxfw_start_delay_find(stays, count, 4, &delay), 0);
	assert_true(delay.known);
	assert_int_equal(delay.jobs, 100);
	assert_true(delay.clean);
	assert_false(delay.beside);
	/* 91 delays of 5, 6, 7, 5, 6, 7, 5 s in turn */
	assert_int_equal(delay.far, 9);
	assert_int_equal(delay.seconds, 6);
	assert_int_equal(delay.low, 6);
	assert_int_equal(delay.high, 6);
	assert_int_equal(delay.longest, 7);
	/* on a smaller machine the first jobs do not fit */
	assert_int_equal(lxfw_start_delay_find(stays, count, 2, &delay), 0);
	assert_int_equal(delay.jobs, 0);
	assert_false(delay.known);
	assert_int_equal(delay.seconds, 0);
	/* a job that is held all the time and would use all free processors */
	stays[count] = (struct lxfw_stay) { .submit = -1, .procs = 4,
		.start = LXFW_STAY_NEVER, .end = 1000000 };
	assert_int_equal(lxfw_start_delay_find(stays, count + 1, 4, &delay), 0);
	assert_int_equal(delay.jobs, 0);
	assert_int_equal(lxfw_start_delay_find(stays, 0, 4, &delay), 0);
	assert_int_equal(delay.jobs, 0);
}

/* If many jobs are held, the mean of the others is unknown. */
static void distinguishes_held_from_slow(void **state)
{
	struct lxfw_stay stays[200];
	struct lxfw_start_delay delay;

	(void)state;
	lxfw_start_delay_find(stays, make_stays(stays, 100, 8), 4, &delay);
	assert_true(delay.known);
	assert_false(delay.clean);
	assert_int_equal(delay.far, 13);
	assert_int_equal(delay.seconds, 5);
	assert_int_equal(delay.longest, 5);
	/* an overhead of an hour is not plausible */
	for (size_t i = 0; i < 30; i++)
		stays[i] = (struct lxfw_stay) {
			.submit = 10000 * (int64_t)i, .procs = 1,
			.start = 10000 * (int64_t)i + 3600,
			.end = 10000 * (int64_t)i + 5000,
		};
	lxfw_start_delay_find(stays, 30, 4, &delay);
	assert_true(delay.known);
	assert_false(delay.clean);
}

/* Delays of 0 to 60 s, as with a scheduler that runs once a minute. Their mean is the
   mean wait for the scheduler, with an uncertainty. */
static void takes_the_mean_of_a_cycle(void **state)
{
	struct lxfw_stay stays[61];
	struct lxfw_start_delay delay;

	(void)state;
	for (int64_t i = 0; i <= 60; i++)
		stays[i] = (struct lxfw_stay) {
			.submit = 1000 * i, .start = 1000 * i + i * 37 % 61,
			.end = 1000 * i + 500, .procs = 1,
		};
	lxfw_start_delay_find(stays, 61, 4, &delay);
	assert_true(delay.clean);
	assert_int_equal(delay.seconds, 30);
	assert_int_equal(delay.longest, 60);
	/* the deviation is 17.75 s, of 61 */
	assert_int_equal(delay.low, 26);
	assert_int_equal(delay.high, 34);
}

/* A job that is too large for the free processors waits all the time. New jobs fit with
   it, or do not. */
static void considers_jobs_that_overtake(void **state)
{
	struct lxfw_stay stays[42];
	struct lxfw_start_delay delay;

	(void)state;
	for (int64_t i = 0; i < 40; i++)
		stays[i] = (struct lxfw_stay) {
			.submit = 1000 * i, .start = 1000 * i + 9,
			.end = 1000 * i + 500, .procs = 1,
		};
	stays[40] = (struct lxfw_stay) { .submit = -1, .procs = 3,
		.start = LXFW_STAY_NEVER, .end = 1000000 };
	lxfw_start_delay_find(stays, 41, 4, &delay);
	assert_true(delay.beside);
	assert_int_equal(delay.jobs, 40);
	assert_int_equal(delay.seconds, 9);
	stays[40].procs = 4;
	lxfw_start_delay_find(stays, 41, 4, &delay);
	assert_false(delay.known);
	assert_int_equal(delay.jobs, 0);
}

static void knows_of_too_few(void **state)
{
	struct lxfw_stay stays[2 * LXFW_START_DELAY_LEAST];
	struct lxfw_start_delay delay;

	(void)state;
	make_stays(stays, LXFW_START_DELAY_LEAST, 12);
	lxfw_start_delay_find(stays, 2 * LXFW_START_DELAY_LEAST, 4, &delay);
	assert_true(delay.known);
	lxfw_start_delay_find(stays, 2 * LXFW_START_DELAY_LEAST - 2, 4, &delay);
	assert_false(delay.known);
	assert_int_equal(delay.seconds, 0);
	assert_int_equal(delay.jobs, LXFW_START_DELAY_LEAST - 1);
}

/* Twenty jobs, of which nothing delays any: 18 by USUAL, two by FIRST and SECOND. */
static void delays_of(int64_t usual, int64_t first, int64_t second,
		      struct lxfw_stay *list, struct lxfw_start_delay *delay)
{
	for (int i = 0; i < LXFW_START_DELAY_LEAST; i++) {
		int64_t wait = i == 5 ? first : i == 9 ? second : usual;

		list[i] = (struct lxfw_stay) {
			.submit = i * HOUR, .start = i * HOUR + wait,
			.end = i * HOUR + wait + 10, .procs = 1, .user = -1,
			.queue = -1, .limit = 10,
		};
	}
	assert_int_equal(lxfw_start_delay_find(list, LXFW_START_DELAY_LEAST, 4,
					       delay), 0);
}

/* What is the machine's own is bounded: to the second, and to the job. */
static void bounds_the_start_delay(void **state)
{
	struct lxfw_stay list[LXFW_START_DELAY_LEAST + 3];
	struct lxfw_start_delay delay;

	(void)state;
	/* the fence is at 13 */
	delays_of(10, 10, 13, list, &delay);
	assert_true(delay.known && delay.clean && !delay.beside);
	assert_int_equal(delay.jobs, 20);
	assert_int_equal(delay.far, 0);
	assert_int_equal(delay.longest, 13);
	delays_of(10, 10, 14, list, &delay);
	assert_int_equal(delay.far, 1);
	assert_int_equal(delay.longest, 10);
	/* a tenth may be far, and no more */
	delays_of(10, 1000, 1000, list, &delay);
	assert_true(delay.clean);
	assert_int_equal(delay.far, 2);
	assert_int_equal(delay.seconds, 10);
	list[0].start += 990;
	list[0].end += 990;
	lxfw_start_delay_find(list, 20, 4, &delay);
	assert_false(delay.clean);
	assert_int_equal(delay.far, 3);
	/* the longest that a machine may take */
	delays_of(LXFW_START_DELAY_MOST, LXFW_START_DELAY_MOST, LXFW_START_DELAY_MOST,
		  list, &delay);
	assert_true(delay.clean);
	delays_of(LXFW_START_DELAY_MOST + 1, LXFW_START_DELAY_MOST + 1,
		  LXFW_START_DELAY_MOST + 1, list, &delay);
	assert_false(delay.clean);
	/* all processors are room enough, for the first one too; more are not */
	delays_of(10, 10, 10, list, &delay);
	list[0].procs = list[1].procs = 4;
	lxfw_start_delay_find(list, 20, 4, &delay);
	assert_int_equal(delay.jobs, 20);
	list[0].procs = 5;
	lxfw_start_delay_find(list, 20, 4, &delay);
	assert_int_equal(delay.jobs, 19);
	assert_false(delay.known);
	/* two that come together may wait for one another */
	delays_of(10, 10, 10, list, &delay);
	list[20] = list[21] = list[19];
	list[20].submit = list[21].submit = 20 * HOUR;
	list[20].start = list[21].start = 20 * HOUR + 10;
	list[20].end = list[21].end = 20 * HOUR + 20;
	lxfw_start_delay_find(list, 22, 4, &delay);
	assert_int_equal(delay.jobs, 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(judges_the_mean),
		cmocka_unit_test(hosts_come_first),
		cmocka_unit_test(judges_weeks),
		cmocka_unit_test(judges_queues),
		cmocka_unit_test(judges_the_spread),
		cmocka_unit_test(judges_each_time),
		cmocka_unit_test(judges_what_there_is),
		cmocka_unit_test(judges_what_is_left),
		cmocka_unit_test(leaves_out_noise),
		cmocka_unit_test(judges_a_quiet_site),
		cmocka_unit_test(compares_the_unexplained),
		cmocka_unit_test(finds_the_start_delay),
		cmocka_unit_test(bounds_the_start_delay),
		cmocka_unit_test(distinguishes_held_from_slow),
		cmocka_unit_test(takes_the_mean_of_a_cycle),
		cmocka_unit_test(considers_jobs_that_overtake),
		cmocka_unit_test(knows_of_too_few),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
