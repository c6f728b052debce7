/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs on threads, measures of a month, months of a log. */
#include "tests/unit/file.h"

#include <errno.h>
#include <math.h>

#include "sim-frontend/experiment/claims.h"
#include "sim-frontend/experiment/experiment_print.h"
#include "sim-frontend/experiment/observer.h"
#include "sim-frontend/util/pool.h"

#define HOUR 3600

/* ---- runner ------------------------------------------------------------ */

#define RUNS 12
#define JOBS 400

static void random_trace(struct lxfw_trace *trace, size_t jobs, uint64_t *seed)
{
	int64_t now = 0;

	*trace = (struct lxfw_trace) { .count = jobs, .size = jobs };
	trace->jobs = calloc(jobs, sizeof(*trace->jobs));
	assert_non_null(trace->jobs);
	for (size_t i = 0; i < jobs; i++) {
		int64_t run = unit_between(seed, 1, 4000);

		now += unit_between(seed, 0, 300);
		trace->jobs[i] = (struct lxfw_trace_job) {
			.number = (int64_t)i + 1, .submit = now, .run = run,
			.limit = run + unit_between(seed, 0, 4000), .wait = -1,
			.used_memory_kb = -1,
			.procs = (int32_t)unit_between(seed, 1, 16),
		};
	}
}

static void make_run(struct lxfw_run *run, const struct lxfw_trace *trace,
		     const struct lxfw_cluster *cluster, int number)
{
	static const enum lxfw_contender policies[] = {
		LXFW_FCFS_BF, LXFW_LXFW_BF, LXFW_IMMEDIATE, LXFW_SJF_BF,
	};

	*run = (struct lxfw_run) {
		.trace = trace, .cluster = cluster, .options.one_host = true,
	};
	snprintf(run->label, sizeof(run->label), "run %d", number);
	assert_int_equal(lxfw_params_parse(&run->options.params,
		lxfw_contender_text(policies[number % 4])->params, NULL, NULL,
		NULL), 0);
}

/* One thread and four threads give identical results, to the bit. */
static void test_threads(void **state)
{
	uint64_t seed = unit_seed("threads");
	struct lxfw_trace traces[RUNS / 4];
	struct lxfw_cluster cluster = { 0 };
	struct lxfw_run one[RUNS], four[RUNS];
	struct lxfw_error error;
	int64_t waited = 0;

	(void)state;
	assert_int_equal(lxfw_cluster_procs(&cluster, 32, &error), 0);
	for (int i = 0; i < RUNS / 4; i++)
		random_trace(&traces[i], JOBS, &seed);
	for (int i = 0; i < RUNS; i++) {
		make_run(&one[i], &traces[i / 4], &cluster, i);
		make_run(&four[i], &traces[i / 4], &cluster, i);
	}
	assert_int_equal(lxfw_runs_carry_out(one, RUNS, 1, NULL, &error), 0);
	assert_int_equal(lxfw_runs_carry_out(four, RUNS, 4, NULL, &error), 0);
	for (int i = 0; i < RUNS; i++) {
		for (int j = 0; j < JOBS; j++) {
			assert_int_equal(one[i].waits[j], four[i].waits[j]);
			assert_int_equal(one[i].at_once[j], four[i].at_once[j]);
			waited += one[i].waits[j];
		}
		assert_int_equal(one[i].preemptions, four[i].preemptions);
		assert_int_equal(one[i].requeues, four[i].requeues);
	}
	/* policies differ, so that exchanged results would be detected */
	assert_true(waited > 0);
	assert_memory_not_equal(one[0].waits, one[3].waits,
				JOBS * sizeof(int64_t));
	lxfw_runs_clear(one, RUNS);
	lxfw_runs_clear(four, RUNS);
	for (int i = 0; i < RUNS / 4; i++)
		lxfw_trace_clear(&traces[i]);
	lxfw_cluster_clear(&cluster);
}

/* If several runs fail, the first in the list is reported, not the first in time: run 1
   has eight times as many jobs as later ones. */
static void test_failure(void **state)
{
	uint64_t seed = unit_seed("failure");
	struct lxfw_trace traces[3];
	struct lxfw_cluster cluster = { 0 };
	struct lxfw_run runs[6];
	struct lxfw_error error;

	(void)state;
	assert_int_equal(lxfw_cluster_procs(&cluster, 32, &error), 0);
	random_trace(&traces[0], JOBS, &seed);
	random_trace(&traces[1], 8 * JOBS, &seed);
	random_trace(&traces[2], JOBS, &seed);
	/* more than the machine has */
	traces[1].jobs[8 * JOBS - 1].procs = 33;
	traces[2].jobs[0].procs = 33;
	for (int threads = 1; threads <= 4; threads += 3) {
		for (int i = 0; i < 6; i++)
			make_run(&runs[i], &traces[i < 2 ? i : 2], &cluster, i);
		assert_int_equal(lxfw_runs_carry_out(runs, 6, threads, NULL,
						     &error), -1);
		assert_int_equal(errno, EDEADLK);
		assert_memory_equal(error.text, "run 1: job 3200 ", 16);
		lxfw_runs_clear(runs, 6);
	}
	for (int i = 0; i < 3; i++)
		lxfw_trace_clear(&traces[i]);
	lxfw_cluster_clear(&cluster);
}

/* ---- observer ---------------------------------------------------------- */

/*
 * A host of 10 processors, reserved for job 3 from 100 to 200 and measured from 120:
 *
 * 	  10 |              . idle, held  |
 * 	   6 |###### job 1 ######|........|
 * 	   4 |###########################-| job 2
 * 	     0      100  120    150      200
 *
 * Job 1 (6) ends at 150, job 2 (3) at 200. One processor is held idle for 80 s and 6
 * more for 50 s, 380 processor-seconds of the 10 x 100 in [120, 220).
 */
static void test_held(void **state)
{
	struct lxfw_trace_job jobs[] = {
		{ .submit = 0, .run = 150, .procs = 6 },
		{ .submit = 0, .run = 200, .procs = 3 },
		{ .submit = 90, .run = 10, .procs = 10 },
	};
	struct lxfw_trace trace = { .jobs = jobs, .count = 3 };
	const int64_t starts[] = { 0, 0, 200 }, ends[] = { 150, 200, 210 };
	const struct lxfw_share share = { .host = 0 };
	struct lxfw_cluster cluster = { 0 };
	struct lxfw_observer observer;
	struct lxfw_action action = { .until = LXFW_NEVER, .count = 1,
				      .shares = &share };
	struct lxfw_decision decision = { .actions = &action, .count = 1 };
	struct lxfw_error error;

	(void)state;
	assert_int_equal(lxfw_cluster_procs(&cluster, 10, &error), 0);
	assert_int_equal(lxfw_observer_begin(&observer, &trace, &cluster), 0);
	action.type = LXFW_ACTION_START;
	for (action.job = 1; action.job <= 2; action.job++)
		lxfw_observer_see(&observer, 0, &decision);
	action.type = LXFW_ACTION_RESERVE;
	action.job = 3;
	lxfw_observer_see(&observer, 100, &decision);
	/* it moves on the same host: still one interval */
	lxfw_observer_see(&observer, 130, &decision);
	action.type = LXFW_ACTION_START;
	lxfw_observer_see(&observer, 200, &decision);
	assert_int_equal(observer.span_count, 1);
	assert_true(observer.at_once[0] && observer.at_once[1]);
	assert_false(observer.at_once[2]);
	assert_true(fabs(lxfw_observer_held(&observer, &cluster, starts, ends,
					    120, 220) - 0.38) < 1e-12);
	lxfw_observer_end(&observer);
	lxfw_cluster_clear(&cluster);
}

/* A quantum is not the full run of a job. A job that starts within the grace period was
   placed at once. */
static void test_at_once(void **state)
{
	struct lxfw_trace_job jobs[] = {
		{ .submit = 0, .run = 150, .procs = 6 },
		{ .submit = 0, .run = 200, .procs = 3 },
		{ .submit = 0, .run = 200, .procs = 3 },
	};
	struct lxfw_trace trace = { .jobs = jobs, .count = 3 };
	struct lxfw_cluster cluster = { 0 };
	struct lxfw_observer observer;
	struct lxfw_action action = { .type = LXFW_ACTION_START, .until = 60,
				      .job = 1 };
	struct lxfw_decision decision = { .actions = &action, .count = 1 };
	struct lxfw_error error;

	(void)state;
	assert_int_equal(lxfw_cluster_procs(&cluster, 10, &error), 0);
	assert_int_equal(lxfw_observer_begin(&observer, &trace, &cluster), 0);
	observer.grace = 300;
	lxfw_observer_see(&observer, 0, &decision);
	action.until = LXFW_NEVER;
	action.job = 2;
	lxfw_observer_see(&observer, 300, &decision);
	action.job = 3;
	lxfw_observer_see(&observer, 301, &decision);
	assert_false(observer.at_once[0]);
	assert_true(observer.at_once[1]);
	assert_false(observer.at_once[2]);
	lxfw_observer_end(&observer);
	lxfw_cluster_clear(&cluster);
}

/* ---- tally ------------------------------------------------------------- */

/* 40 jobs in the month, one before it, one after: 20 of 30 s, of which one waits
   10 h and the others none; 20 of 2 h, which wait 1 h, 2 h, ... 20 h. */
static void test_tally(void **state)
{
	struct lxfw_trace_job jobs[42];
	struct lxfw_trace trace = { .jobs = jobs, .count = 42 };
	int64_t waits[42] = { 0 };
	bool at_once[42] = { false };
	struct lxfw_tally tally;
	struct lxfw_tally_input input = {
		.trace = &trace, .waits = waits, .at_once = at_once,
		.held = 0.25, .procs = 10, .from = 1000, .until = 101000,
	};

	(void)state;
	for (int i = 0; i < 42; i++) {
		jobs[i] = (struct lxfw_trace_job) {
			.submit = i == 40 ? 999 : i == 41 ? 101000 : 1000 + i,
			.run = i < 20 ? 30 : 2 * HOUR, .procs = 2,
			.limit = i < 20 ? 2 * HOUR : 20 * HOUR,
		};
		at_once[i] = i < 10;
		if (i >= 20)
			waits[i] = (i - 19) * HOUR;
	}
	waits[0] = 10 * HOUR;
	waits[40] = waits[41] = 1000 * HOUR;
	assert_int_equal(lxfw_tally_make(&tally, &input), 0);

	assert_int_equal(tally.jobs[LXFW_GROUP_ALL], 40);
	assert_int_equal(tally.jobs[LXFW_GROUP_TO_1M], 20);
	assert_int_equal(tally.jobs[LXFW_GROUP_TO_1000M], 20);
	assert_int_equal(tally.jobs[LXFW_GROUP_OVER_1M], 20);
	assert_int_equal(tally.jobs[LXFW_GROUP_TO_10M], 0);
	/* (10 + 210) / 40; the 38th of 40 waits 18 h; 20 h */
	assert_true(tally.values[LXFW_GROUP_ALL][LXFW_TALLY_MEAN] == 5.5);
	assert_true(tally.values[LXFW_GROUP_ALL][LXFW_TALLY_P95] == 18);
	assert_true(tally.values[LXFW_GROUP_ALL][LXFW_TALLY_MAX] == 20);
	/* one of 36030 / 30, 19 of 1; of the long ones (210 + 40) h over 2 h */
	assert_true(tally.values[LXFW_GROUP_TO_1M][LXFW_TALLY_SLOWDOWN] ==
		    (1201.0 + 19) / 20);
	assert_true(tally.values[LXFW_GROUP_OVER_1M][LXFW_TALLY_SLOWDOWN] ==
		    (210.0 + 40) / 2 / 20);
	assert_true(tally.values[LXFW_GROUP_OVER_1M][LXFW_TALLY_P95] == 19);
	assert_true(isnan(tally.values[LXFW_GROUP_TO_10M][LXFW_TALLY_MEAN]));
	assert_true(tally.values[LXFW_GROUP_ALL][LXFW_TALLY_AT_ONCE] == 0.25);
	assert_true(tally.values[LXFW_GROUP_ALL][LXFW_TALLY_HELD] == 0.25);
	/* 18, 19 and 20 h are all of the long ones */
	assert_true(tally.values[LXFW_GROUP_ALL][LXFW_TALLY_TOP_GROUPS] == 1);
	/* 20 of 40 ask for over an hour and run under a minute, none of ten */
	assert_true(tally.values[LXFW_GROUP_ALL][LXFW_TALLY_SHORT_OF_1H] == 0.5);
	assert_true(tally.values[LXFW_GROUP_ALL][LXFW_TALLY_SHORT_OF_10H] == 0);
	assert_true(fabs(tally.values[LXFW_GROUP_ALL][LXFW_TALLY_PROC_DEMAND] -
			 (20 * 60 + 20 * 14400) / 1e6) < 1e-12);
	/* no classes: the measure is not a number */
	assert_true(isnan(tally.values[LXFW_GROUP_ALL][LXFW_TALLY_CLASSES]));

	/* 19 jobs are too few for a range of run time, not for all */
	input.until = 1019;
	assert_int_equal(lxfw_tally_make(&tally, &input), 0);
	assert_int_equal(tally.jobs[LXFW_GROUP_TO_1M], 19);
	assert_true(isnan(tally.values[LXFW_GROUP_TO_1M][LXFW_TALLY_MEAN]));
	assert_true(tally.values[LXFW_GROUP_ALL][LXFW_TALLY_MAX] == 10);
}

static void test_groups(void **state)
{
	(void)state;
	assert_int_equal(lxfw_tally_group(1), LXFW_GROUP_TO_1M);
	assert_int_equal(lxfw_tally_group(60), LXFW_GROUP_TO_1M);
	assert_int_equal(lxfw_tally_group(61), LXFW_GROUP_TO_10M);
	assert_int_equal(lxfw_tally_group(6000), LXFW_GROUP_TO_100M);
	assert_int_equal(lxfw_tally_group(60001), LXFW_GROUP_LONGEST);
}

/* ---- months of a log --------------------------------------------------- */

#define DAY 86400

static void write_log(char *text, size_t size, const char *header, int days)
{
	size_t length = (size_t)snprintf(text, size, "%s", header);

	for (int i = 0; i < days; i++)
		length += (size_t)snprintf(text + length, size - length,
			"%d %d -1 100 1 -1 -1 1 200 -1 1 1 1 1 1 1 -1 -1\n",
			i + 1, i * DAY);
}

static void load(struct lxfw_experiment *experiment, const char *header,
		 int days)
{
	static char text[32768];
	struct lxfw_trace trace = { 0 };
	struct lxfw_cluster cluster = { 0 };
	struct lxfw_error error;

	write_log(text, sizeof(text), header, days);
	assert_int_equal(lxfw_trace_read(&trace, unit_file("log.swf", text),
					 LXFW_MEMORY_NONE, &error), 0);
	assert_int_equal(lxfw_cluster_procs(&cluster, 4, &error), 0);
	*experiment = (struct lxfw_experiment) { 0 };
	assert_int_equal(lxfw_experiment_log(experiment, "log.swf", &trace,
					     &cluster, false, &error), 0);
	lxfw_trace_clear(&trace);
	assert_false(experiment->takes_part[LXFW_NCSA_LSF]);
	assert_true(experiment->takes_part[LXFW_EQ_5M]);
}

/* 946702800 is midnight of January 1st, 2000, five hours west of Greenwich. The week
   before it is not in the log. February to April (29, 31, 30 days) and the weeks before
   them are. */
static void test_calendar(void **state)
{
	struct lxfw_experiment experiment;

	(void)state;
	load(&experiment, "; UnixStartTime: 946702800\n; TimeZone: -18000\n",
	     140);
	assert_int_equal(experiment.month_count, 3);
	assert_string_equal(experiment.months[0].name, "2000-02");
	assert_string_equal(experiment.months[2].name, "2000-04");
	assert_int_equal(experiment.months[0].from, 31 * DAY);
	assert_int_equal(experiment.months[0].until, 60 * DAY);
	assert_int_equal(experiment.months[2].until, 121 * DAY);
	assert_int_equal(experiment.months[0].traces[0].count, 29 + 7);
	assert_int_equal(experiment.months[0].traces[0].jobs[0].submit,
			 24 * DAY);
	/* a Tuesday */
	assert_int_equal(experiment.months[0].weekday, 2);
	lxfw_experiment_clear(&experiment);
}

static void test_spans(void **state)
{
	struct lxfw_experiment experiment;

	(void)state;
	load(&experiment, "", 70);
	assert_int_equal(experiment.month_count, 2);
	assert_string_equal(experiment.months[1].name, "day 37");
	assert_int_equal(experiment.months[1].from, 37 * DAY);
	assert_int_equal(experiment.months[1].until, 67 * DAY);
	lxfw_experiment_clear(&experiment);
	/* two calendar months only */
	load(&experiment, "; UnixStartTime: 946684800\n", 110);
	assert_int_equal(experiment.month_count, 3);
	assert_string_equal(experiment.months[0].name, "day 7");
	lxfw_experiment_clear(&experiment);
	load(&experiment, "", 20);
	assert_int_equal(experiment.month_count, 1);
	assert_int_equal(experiment.months[0].from, 7 * DAY);
	assert_int_equal(experiment.months[0].until, 19 * DAY + 1);
	lxfw_experiment_clear(&experiment);
}

/* ---- a thread pool that is stopped */

static int break_off(void *context, size_t task, struct lxfw_error *error)
{
	const size_t *which = context;

	if (task != which[0] && task != which[1])
		return 0;
	lxfw_error_set(error, "the reason");
	errno = task == which[0] ? ECANCELED : EIO;
	return -1;
}

/* An interrupted task is not a failure; a task that failed before it is. */
static void test_broken_off(void **state)
{
	size_t which[2] = { 3, 99 };
	struct lxfw_pool pool = {
		.context = which, .count = 4, .threads = 1, .work = break_off,
	};
	struct lxfw_error error;

	(void)state;
	assert_int_equal(lxfw_pool_carry_out(&pool, &error), 1);
	which[0] = 99;
	assert_int_equal(lxfw_pool_carry_out(&pool, &error), 0);
	which[0] = 3;
	which[1] = 2;
	assert_int_equal(lxfw_pool_carry_out(&pool, &error), -1);
	assert_int_equal(errno, EIO);
	assert_string_equal(error.text, "the reason");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_failure),
		cmocka_unit_test(test_broken_off),
		cmocka_unit_test(test_held),
		cmocka_unit_test(test_at_once),
		cmocka_unit_test(test_tally),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_calendar),
		cmocka_unit_test(test_spans),
	};

	return cmocka_run_group_tests(tests, unit_files_begin, unit_files_end);
}
