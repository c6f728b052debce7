/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that another scheduler passes over. */
#include "tests/unit/unit.h"

#include <string.h>

#include "sim-frontend/predict/skipped.h"

#define NOW 1000000
#define ANNA 1
#define BERND 2
#define P 11
#define Q 12

static void the_configuration_is_read(void **state)
{
	struct lxfw_scheduling scheduling;

	(void)state;
	lxfw_scheduling_read(&scheduling, "PreemptType             = preempt/partition_prio\n"
			     "SchedulerParameters     = defer,BF_MAX_JOB_USER=5,bf_max_job_user_part=3,"
			     "bf_max_job_assoc=4,bf_interval=60\nSchedulerType = sched/backfill\n");
	assert_int_equal(scheduling.most[LXFW_SKIPPED_USER], 4);
	assert_int_equal(scheduling.most[LXFW_SKIPPED_USER_PART], 3);
	assert_int_equal(scheduling.most[LXFW_SKIPPED_PART], 0);
	assert_int_equal(scheduling.most[LXFW_SKIPPED_ALL], 500);
	assert_int_equal(scheduling.interval, 60);
	assert_int_equal(scheduling.preempts, LXFW_PREEMPTS_TIER);
	lxfw_scheduling_read(&scheduling, "PreemptType = preempt/qos\nSchedulerParameters = "
			     "bf_max_job_test=7\nX = bf_max_job_user=1\n");
	assert_int_equal(scheduling.most[LXFW_SKIPPED_USER], 0);
	assert_int_equal(scheduling.most[LXFW_SKIPPED_ALL], 7);
	assert_int_equal(scheduling.interval, 30);
	assert_int_equal(scheduling.preempts, LXFW_PREEMPTS_QOS);
	lxfw_scheduling_read(&scheduling, "PreemptType = (null)\nSchedulerParameters = (null)\n");
	assert_int_equal(scheduling.most[LXFW_SKIPPED_ALL], 500);
	assert_int_equal(scheduling.preempts, LXFW_PREEMPTS_NONE);
	lxfw_scheduling_read(&scheduling, "PreemptType = preempt/none\n");
	assert_int_equal(scheduling.preempts, LXFW_PREEMPTS_NONE);
}

/* Four jobs of one user and one of another in two partitions. */
static void make_jobs(struct lxfw_skipped_job jobs[5])
{
	static const int64_t users[] = { ANNA, ANNA, ANNA, BERND, ANNA };
	static const int64_t partitions[] = { P, P, P, P, Q };

	for (int i = 0; i < 5; i++)
		jobs[i] = (struct lxfw_skipped_job) {
			.id = (uint64_t)i + 1, .user = users[i], .partition = partitions[i],
			.since = NOW - 10,
		};
}

static void check(const struct lxfw_scheduling *scheduling, struct lxfw_skipped_job *jobs,
		  const enum lxfw_skipped_by by[5])
{
	assert_int_equal(lxfw_skipped_find(scheduling, NOW, jobs, 5), 0);
	for (int i = 0; i < 5; i++)
		assert_int_equal(jobs[i].by, by[i]);
}

static void jobs_beyond_a_bound_are_passed_over(void **state)
{
	struct lxfw_scheduling scheduling = { .interval = 30 };
	struct lxfw_skipped_job jobs[5];

	(void)state;
	make_jobs(jobs);
	check(&scheduling, jobs, (enum lxfw_skipped_by[5]) { LXFW_SKIPPED_NOT });
	/* The last one is the first of its partition. */
	scheduling.most[LXFW_SKIPPED_USER] = 1;
	check(&scheduling, jobs, (enum lxfw_skipped_by[5]) {
		LXFW_SKIPPED_NOT, LXFW_SKIPPED_USER, LXFW_SKIPPED_USER, LXFW_SKIPPED_NOT, LXFW_SKIPPED_NOT });
	/* Those that are passed over do not count. */
	scheduling.most[LXFW_SKIPPED_PART] = 2;
	check(&scheduling, jobs, (enum lxfw_skipped_by[5]) {
		LXFW_SKIPPED_NOT, LXFW_SKIPPED_USER, LXFW_SKIPPED_USER, LXFW_SKIPPED_NOT, LXFW_SKIPPED_NOT });
	scheduling.most[LXFW_SKIPPED_USER] = 0;
	check(&scheduling, jobs, (enum lxfw_skipped_by[5]) {
		LXFW_SKIPPED_NOT, LXFW_SKIPPED_NOT, LXFW_SKIPPED_PART, LXFW_SKIPPED_PART, LXFW_SKIPPED_NOT });
	scheduling.most[LXFW_SKIPPED_PART] = 0;
	scheduling.most[LXFW_SKIPPED_ALL] = 1;
	check(&scheduling, jobs, (enum lxfw_skipped_by[5]) {
		LXFW_SKIPPED_NOT, LXFW_SKIPPED_ALL, LXFW_SKIPPED_ALL, LXFW_SKIPPED_ALL, LXFW_SKIPPED_NOT });
	scheduling.most[LXFW_SKIPPED_ALL] = 0;
	/* What is planned was considered; of a user that is not known, nothing is counted. */
	scheduling.most[LXFW_SKIPPED_USER_PART] = 1;
	jobs[1].planned = NOW + 100;
	jobs[2].user = -1;
	check(&scheduling, jobs, (enum lxfw_skipped_by[5]) { LXFW_SKIPPED_NOT });
}

static void a_job_without_a_plan_is_passed_over(void **state)
{
	const struct lxfw_scheduling scheduling = { .interval = 30 };
	struct lxfw_skipped_job jobs[5];

	(void)state;
	make_jobs(jobs);
	jobs[1].since = jobs[2].since = jobs[3].since = jobs[4].since = NOW - 130;
	jobs[2].planned = -1;
	jobs[3].planned = NOW;
	/* Nothing may be planned yet. */
	check(&scheduling, jobs, (enum lxfw_skipped_by[5]) { LXFW_SKIPPED_NOT });
	jobs[0].planned = NOW + 100;
	check(&scheduling, jobs, (enum lxfw_skipped_by[5]) {
		LXFW_SKIPPED_NOT, LXFW_SKIPPED_UNPLANNED, LXFW_SKIPPED_NOT, LXFW_SKIPPED_NOT, LXFW_SKIPPED_NOT });
}

static enum lxfw_skipped_by of_request(const struct lxfw_scheduling *scheduling,
				      const struct lxfw_skipped_job *jobs, int64_t user, int64_t partition)
{
	enum lxfw_skipped_by by;

	assert_int_equal(lxfw_skipped_request(scheduling, jobs, 5, user, partition, &by), 0);
	return by;
}

static void a_request_is_behind_all(void **state)
{
	struct lxfw_scheduling scheduling = { .most[LXFW_SKIPPED_USER] = 2 };
	struct lxfw_skipped_job jobs[5];
	char text[LXFW_SKIPPED_TEXT];

	(void)state;
	make_jobs(jobs);
	assert_int_equal(lxfw_skipped_find(&scheduling, NOW, jobs, 5), 0);
	assert_int_equal(of_request(&scheduling, jobs, ANNA, P), LXFW_SKIPPED_USER);
	assert_int_equal(of_request(&scheduling, jobs, BERND, P), LXFW_SKIPPED_NOT);
	assert_int_equal(of_request(&scheduling, jobs, -1, P), LXFW_SKIPPED_NOT);
	assert_int_equal(of_request(&scheduling, jobs, ANNA, 13), LXFW_SKIPPED_NOT);
	lxfw_skipped_text(&scheduling, LXFW_SKIPPED_USER, text);
	assert_string_equal(text, "Slurm plans only for 2 jobs of a user at a time");
	scheduling.most[LXFW_SKIPPED_USER_PART] = 100000000;
	lxfw_skipped_text(&scheduling, LXFW_SKIPPED_USER_PART, text);
	assert_string_equal(text, "Slurm plans only for 100000000 jobs of a user at a time");
	lxfw_skipped_text(&scheduling, LXFW_SKIPPED_NOT, text);
	assert_string_equal(text, "");
}

/* Of an array, Slurm considers 20 tasks. */
static void further_tasks_do_not_count(void **state)
{
	const struct lxfw_scheduling scheduling = { .most[LXFW_SKIPPED_ALL] = 21 };
	struct lxfw_skipped_job jobs[32] = { { .id = 0 } };

	(void)state;
	for (int i = 0; i < 32; i++)
		jobs[i] = (struct lxfw_skipped_job) {
			.id = i < 30 ? 7 | (uint64_t)(i + 1) << 32 : (uint64_t)i, .planned = -1,
			.user = ANNA, .partition = P,
		};
	assert_int_equal(lxfw_skipped_find(&scheduling, NOW, jobs, 32), 0);
	assert_int_equal(jobs[30].by, LXFW_SKIPPED_NOT);
	assert_int_equal(jobs[31].by, LXFW_SKIPPED_ALL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_configuration_is_read),
		cmocka_unit_test(jobs_beyond_a_bound_are_passed_over),
		cmocka_unit_test(a_job_without_a_plan_is_passed_over),
		cmocka_unit_test(a_request_is_behind_all),
		cmocka_unit_test(further_tasks_do_not_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
