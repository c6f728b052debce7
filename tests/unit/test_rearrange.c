/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sessions of users, and copies of a log in which they are in other weeks. */
#include "tests/unit/unit.h"

#include <string.h>

#include "sim-frontend/trace/rearrange.h"

#define DAY 86400
#define HOUR 3600
#define WEEK (7 * DAY)

/* ---- sessions ---------------------------------------------------------------------- */

/* Two users and an unknown one in WEEKS weeks: each has a session of three jobs every day,
   at an hour of its own. The jobs are in the order of users, so not of time. */
#define USERS 3
#define SESSION 3
struct log {
	struct lxfw_trace trace;
	struct lxfw_trace_job jobs[USERS * SESSION * 70];
	struct lxfw_trace_owner owners[USERS * SESSION * 70];
};

static void clear_log(struct log *log)
{
	free(log->trace.order);
	log->trace.order = NULL;
}

static void make_log(struct log *log, int days)
{
	clear_log(log);
	memset(log, 0, sizeof(*log));
	for (int user = 0; user < USERS; user++) {
		for (int day = 0; day < days; day++) {
			for (int i = 0; i < SESSION; i++) {
				size_t at = log->trace.count++;

				log->jobs[at] = (struct lxfw_trace_job) {
					.number = (int64_t)at, .run = 1000, .limit = 2000,
					.wait = 77, .procs = user == 0 ? 1 : 1 + i,
					.submit = day * DAY + 3 * user * HOUR + i * 1800,
				};
				log->owners[at].user = user == 0 ? -1 : user;
			}
		}
	}
	log->trace.jobs = log->jobs;
	log->trace.owners = log->owners;
	assert_int_equal(lxfw_trace_sort(&log->trace), 0);
}

static void test_sessions(void **state)
{
	static struct log log;
	struct lxfw_sessions sessions;

	(void)state;
	make_log(&log, 28);
	/* a gap of an hour continues a session, one more second ends it */
	log.jobs[2].submit = log.jobs[1].submit + HOUR;
	log.jobs[5].submit = log.jobs[4].submit + HOUR + 1;
	assert_int_equal(lxfw_sessions_find(&sessions, &log.trace), 0);
	assert_int_equal(sessions.count, USERS * 28 + 1);
	assert_int_equal(sessions.of[0], sessions.of[2]);
	assert_int_equal(sessions.of[3], sessions.of[4]);
	assert_int_not_equal(sessions.of[4], sessions.of[5]);
	assert_int_equal(sessions.begin[sessions.of[4]], DAY);
	lxfw_sessions_clear(&sessions);
	/* a user who submits without pause has a session for each day */
	for (size_t i = 0; i < log.trace.count; i++) {
		log.jobs[i].submit = (int64_t)i * 1800;
		log.owners[i].user = i == log.trace.count - 1 ? 6 : 5;
	}
	assert_int_equal(lxfw_sessions_find(&sessions, &log.trace), 0);
	assert_int_equal(sessions.of[48], 0);
	assert_int_equal(sessions.of[49], 1);
	lxfw_sessions_clear(&sessions);
	/* a log that has one user only: requests tell the sessions apart */
	for (size_t i = 0; i < log.trace.count; i++) {
		log.owners[i].user = 5;
		log.jobs[i].submit = 0;
		log.jobs[i].procs = 1 + (int32_t)(i % 2);
		log.jobs[i].limit = 1000 * (1 + (int64_t)(i % 3));
	}
	assert_int_equal(lxfw_sessions_find(&sessions, &log.trace), 0);
	assert_int_equal(sessions.count, 6);
	assert_int_equal(sessions.of[1], sessions.of[7]);
	lxfw_sessions_clear(&sessions);
	clear_log(&log);
}

/* Each job stays in its place in the week and in its session; every week of the part gets
   some of them. STEP is a week or a day, PART the length of a part. */
static void check_copy(const struct log *log, int64_t step, int64_t part)
{
	const struct lxfw_shake shake = { .seed = 3 };
	struct lxfw_trace copy, same;
	struct lxfw_sessions sessions;
	size_t moved = 0;

	assert_int_equal(lxfw_sessions_find(&sessions, &log->trace), 0);
	assert_int_equal(lxfw_rearranged_copy(&sessions, &shake, &log->trace, 4, &copy), 0);
	assert_int_equal(lxfw_rearranged_copy(&sessions, &shake, &log->trace, 4, &same), 0);
	assert_int_equal(copy.count, log->trace.count);
	for (size_t i = 0; i < copy.count; i++) {
		int64_t is = copy.jobs[i].submit, was = log->jobs[i].submit;

		assert_int_equal((is - was) % step, 0);
		assert_int_equal(is / part, was / part);
		assert_int_equal(is - was, copy.jobs[i / SESSION * SESSION].submit -
				 log->jobs[i / SESSION * SESSION].submit);
		assert_int_equal(copy.jobs[i].procs, log->jobs[i].procs);
		assert_int_equal(copy.jobs[i].run, 1000);
		assert_int_equal(copy.jobs[i].wait, -1);
		assert_int_equal(is, same.jobs[i].submit);
		moved += is != was;
	}
	/* of four places, three are others */
	assert_true(moved > copy.count / 2);
	for (size_t i = 1; i < copy.count; i++)
		assert_true(copy.jobs[lxfw_trace_at(&copy, i - 1)].submit <=
			    copy.jobs[lxfw_trace_at(&copy, i)].submit);
	lxfw_trace_clear(&same);
	assert_int_equal(lxfw_rearranged_copy(&sessions, &shake, &log->trace, 5, &same), 0);
	assert_memory_not_equal(copy.jobs, same.jobs, copy.count * sizeof(*copy.jobs));
	lxfw_trace_clear(&same);
	lxfw_trace_clear(&copy);
	lxfw_sessions_clear(&sessions);
}

static void test_copies(void **state)
{
	static struct log log;

	(void)state;
	make_log(&log, 28);
	check_copy(&log, WEEK, 4 * WEEK);
	make_log(&log, 56);
	check_copy(&log, WEEK, 4 * WEEK);
	/* the last part has the remainder, too */
	make_log(&log, 70);
	check_copy(&log, WEEK, 10 * WEEK);
	/* by days */
	make_log(&log, 10);
	check_copy(&log, DAY, 10 * DAY);
	clear_log(&log);
}

static void test_no_jobs(void **state)
{
	const struct lxfw_shake shake = { .seed = 3 };
	struct lxfw_trace none = { .count = 0 }, copy;
	struct lxfw_sessions sessions;

	(void)state;
	assert_int_equal(lxfw_sessions_find(&sessions, &none), 0);
	assert_int_equal(sessions.count, 0);
	assert_int_equal(lxfw_rearranged_copy(&sessions, &shake, &none, 1, &copy), 0);
	assert_int_equal(copy.count, 0);
	lxfw_trace_clear(&copy);
	lxfw_sessions_clear(&sessions);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sessions),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_no_jobs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
