/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lxfw route --pull as root: how many users are visited at the same time, and for how long one
 * that is late is awaited. The visits, their clock and the list of users are simulated: visits of
 * the first users never end by themselves, all others take a second.
 */
#include "tests/unit/unit.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "sim-frontend/cmd/route_move.h"
#include "sim-frontend/cmd/route_unit.h"
#include "sim-frontend/cmd/route_visit.h"
#include "sim-frontend/route/folder.h"
#include "sim-frontend/route/jobs.h"

#define USERS 900
#define FIRST_CHILD 5000
#define VISIT 20		/* seconds for the jobs of one user */
#define LONG_VISIT 1000

static struct child {
	int64_t begun;		/* second */
	bool killed, ended;
} children[USERS];

static int users, stuck;	/* all, and those whose visits do not end by themselves */
static int begun, open_now, open_most, notes;
static int64_t seconds;

pid_t __wrap_fork(void);
pid_t __wrap_waitpid(pid_t pid, int *status, int options);
int __wrap_kill(pid_t pid, int signal);
int __wrap_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
uid_t __wrap_getuid(void);

pid_t __wrap_fork(void)
{
	assert_true(begun < users);
	children[begun] = (struct child) { .begun = seconds };
	if (++open_now > open_most)
		open_most = open_now;
	return FIRST_CHILD + begun++;
}

pid_t __wrap_waitpid(pid_t pid, int *status, int options)
{
	struct child *child = &children[pid - FIRST_CHILD];

	assert_int_equal(options, WNOHANG);
	assert_false(child->ended);
	if (!child->killed && (pid - FIRST_CHILD < stuck || child->begun == seconds))
		return 0;
	child->ended = true;
	open_now--;
	*status = child->killed ? SIGKILL : 0;
	return pid;
}

int __wrap_kill(pid_t pid, int signal)
{
	struct child *child = &children[-pid - FIRST_CHILD];

	assert_int_equal(signal, SIGKILL);
	child->killed = true;
	return 0;
}

int __wrap_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *time)
{
	(void)set;
	(void)info;
	seconds += time->tv_sec;
	errno = EAGAIN;
	return -1;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
	(void)clock;
	*now = (struct timespec) { .tv_sec = seconds };
	return 0;
}

uid_t __wrap_getuid(void)
{
	return 0;
}

/* --- what the command calls -------------------------------------------------------- */

int lxfw_route_visit(const struct lxfw_route_visit *visit)
{
	(void)visit;
	fail_msg("a visit in the process of root");
	return LXFW_EXIT_BAD;
}

int lxfw_route_move_jobs(const struct lxfw_route_arguments *arguments,
			 const struct lxfw_route_conf *conf)
{
	(void)arguments;
	(void)conf;
	fail_msg("root's own jobs are moved");
	return LXFW_EXIT_BAD;
}

bool lxfw_route_unit_is_used(const struct lxfw_route_arguments *arguments)
{
	(void)arguments;
	return false;
}

int lxfw_route_unit_check(const struct lxfw_route_arguments *arguments)
{
	(void)arguments;
	return LXFW_EXIT_DONE;
}

int lxfw_route_conf_read(struct lxfw_route_conf *conf, const char *path,
			 struct lxfw_error *error)
{
	(void)path;
	(void)error;
	*conf = (struct lxfw_route_conf) { .count = 0 };
	return 0;
}

void lxfw_route_conf_clear(struct lxfw_route_conf *conf)
{
	(void)conf;
}

int lxfw_route_folder_check(const struct lxfw_route_conf *conf, struct lxfw_error *error)
{
	(void)conf;
	(void)error;
	return 0;
}

int lxfw_route_users(const struct lxfw_route_conf *conf, unsigned **uids)
{
	(void)conf;
	*uids = malloc((size_t)users * sizeof(**uids));
	assert_non_null(*uids);
	for (int i = 0; i < users; i++)
		(*uids)[i] = 10000 + (unsigned)i;
	return users;
}

int lxfw_cmd_bad(const struct lxfw_error *error)
{
	fail_msg("%s", error->text);
	return LXFW_EXIT_BAD;
}

void lxfw_cmd_note(const char *format, ...)
{
	assert_string_equal(format, "user %u: not finished");
	notes++;
}

/* --- tests ------------------------------------------------------------------------- */

static int pull(int all, int without_end, int64_t visit)
{
	const struct lxfw_route_arguments arguments = {
		.conf = "/dev/null", .visit = visit, .units = 0,
	};

	users = all;
	stuck = without_end;
	begun = open_now = open_most = notes = 0;
	seconds = 1000;
	return lxfw_route_pull(&arguments);
}

static void sixteen_are_visited_at_a_time(void **state)
{
	(void)state;
	assert_int_equal(pull(40, 0, VISIT), LXFW_EXIT_DONE);
	assert_int_equal(begun, 40);
	for (int i = 0; i < 40; i++)
		assert_int_equal(children[i].begun, 1000 + i / 16);
	assert_int_equal(open_most, 16);
	assert_int_equal(seconds, 1003);
}

/* Sixteen users delay their visits. The others are visited ten seconds later, and not when
   these are killed. */
static void late_users_delay_the_others_briefly(void **state)
{
	(void)state;
	assert_int_equal(pull(40, 16, VISIT), LXFW_EXIT_BAD);
	assert_int_equal(begun, 40);
	for (int i = 0; i < 40; i++)
		assert_int_equal(children[i].begun, 1000 + (i < 16 ? 0 : i < 32 ? 10 : 11));
	assert_int_equal(open_most, 32);
	assert_int_equal(notes, 16);
	assert_int_equal(seconds, 1000 + VISIT + 90 + 1);
}

/* One more visit than there are late ones: the others follow each other. */
static void fifteen_late_users_leave_a_place(void **state)
{
	(void)state;
	assert_int_equal(pull(40, 15, VISIT), LXFW_EXIT_BAD);
	for (int i = 15; i < 25; i++)
		assert_int_equal(children[i].begun, 1000 + i - 15);
	for (int i = 25; i < 40; i++)
		assert_int_equal(children[i].begun, 1010);
	assert_int_equal(notes, 15);
}

/* Each ten seconds sixteen users more are visited, until 400 visits run. */
static void visits_that_do_not_end_are_bounded(void **state)
{
	(void)state;
	assert_int_equal(pull(USERS, USERS - 1, LONG_VISIT), LXFW_EXIT_BAD);
	assert_int_equal(begun, USERS);
	for (int i = 0; i < 400; i++)
		assert_int_equal(children[i].begun, 1000 + i / 16 * 10);
	assert_int_equal(children[400].begun, 1000 + LONG_VISIT + 90 + 1);
	assert_int_equal(open_most, 400);
	assert_int_equal(open_now, 0);
	assert_int_equal(notes, USERS - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sixteen_are_visited_at_a_time),
		cmocka_unit_test(late_users_delay_the_others_briefly),
		cmocka_unit_test(fifteen_late_users_leave_a_place),
		cmocka_unit_test(visits_that_do_not_end_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
