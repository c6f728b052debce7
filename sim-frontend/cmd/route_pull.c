/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lxfw route --pull: moves waiting jobs, as their users. Root visits all users, in a unit of systemd
 * (route_unit.h) or a process for each that has the identity of the user and nothing else; every other
 * user moves own jobs.
 * A user can stop such a process or have it wait: root awaits none longer than it must, several
 * run at the same time, and one that is late is killed while the others are visited. What a
 * visit leaves behind is killed, too, even in a session of its own: orphans become children of
 * root's process (PR_SET_CHILD_SUBREAPER).
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/util/grow.h"
#include "sim-frontend/cmd/route_move.h"
#include "sim-frontend/cmd/route_unit.h"
#include "sim-frontend/route/folder.h"
#include "sim-frontend/route/jobs.h"
#include "sim-frontend/util/text.h"

#define AT_ONCE 16		/* users that are visited at the same time */
#define ORPHANS_TIME 1000	/* milliseconds in which the processes that a visit leaves end */
#define UNIT_TIME 60		/* seconds in which systemd ends a unit that is late */
#define REMEMBERED 3600		/* seconds for which a user is visited without waiting jobs */

struct visited {
	unsigned uid;
	time_t until;
	pid_t child;		/* 0: is not visited now */
	int64_t killed;		/* when the child is killed, monotonic seconds */
};

/* Users whose jobs were seen lately: one may be in a move, and be lost by its controller. */
struct visits {
	const char *conf;	/* the file of the clusters */
	struct visited *list;
	size_t count, size;
	size_t running;
	int status;		/* of the visits that have ended */
};

static int64_t monotonic(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* Makes the folder of the user, and takes on the identity. Returns 0, or -1 after a message. */
static int become(const struct lxfw_route_arguments *arguments, const struct lxfw_route_conf *conf,
		  const char *path, unsigned uid)
{
	const struct passwd *user;
	struct lxfw_error error;

	errno = 0;
	user = getpwuid(uid);
	if (!user) {
		lxfw_cmd_note("user %u: %s", uid, strerror(errno ? errno : ENOENT));
		return -1;
	}
	if (!arguments->dry && lxfw_route_folder_make(conf, uid, user->pw_gid, &error)) {
		lxfw_cmd_note("%s", error.text);
		return -1;
	}
	if (uid == getuid())
		return 0;
	if (lxfw_route_unit_is_used(arguments)) {
		alarm(0);	/* the unit has a time of its own */
		lxfw_route_unit_become(arguments, path, uid);
		lxfw_cmd_note("systemd-run: %s", strerror(errno));
		return -1;
	}
	if (setenv("HOME", user->pw_dir, 1) || setenv("USER", user->pw_name, 1) ||
	    setenv("LOGNAME", user->pw_name, 1) || initgroups(user->pw_name, user->pw_gid) ||
	    setgid(user->pw_gid) || setuid(uid) || setuid(0) == 0) {
		lxfw_cmd_note("user %u: %s", uid, strerror(errno));
		return -1;
	}
	return 0;
}

/* SIGCHLD is blocked, so that it can be awaited. */
static void signals_of_children(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(how, &set, NULL);
}

static void no_input(void)
{
	int null = open("/dev/null", O_RDONLY);

	if (null >= 0)
		dup2(null, STDIN_FILENO);
	if (null > STDIN_FILENO)
		close(null);
}

/* Begins to visit a user. */
static void begin(const struct lxfw_route_arguments *arguments,
		  const struct lxfw_route_conf *conf, struct visits *visits,
		  struct visited *visited)
{
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child == 0) {
		int status;

		/* A session of its own: in that of root's terminal the user could write to it as
		   if root typed. */
		setsid();
		no_input();
		signals_of_children(SIG_UNBLOCK);
		alarm((unsigned)arguments->visit);	/* without its parent, too */
		/* Orphans are root's when the visit is over, not before. */
		prctl(PR_SET_CHILD_SUBREAPER, 1);
		if (become(arguments, conf, visits->conf, visited->uid))
			_exit(LXFW_EXIT_BAD);
		status = lxfw_route_move_jobs(arguments, conf);
		fflush(NULL);
		_exit(status);
	}
	if (child < 0) {
		lxfw_cmd_note("user %u: %s", visited->uid, strerror(errno));
		visits->status = LXFW_EXIT_BAD;
		return;
	}
	visited->child = child;
	visited->killed = monotonic() + arguments->visit +
			  (lxfw_route_unit_is_used(arguments) ? UNIT_TIME : 0);
	visits->running++;
}

static bool is_visit(const struct visits *visits, pid_t child)
{
	for (size_t i = 0; i < visits->count; i++) {
		if (visits->list[i].child == child)
			return true;
	}
	return false;
}

/* Kills the children that are no visits. Returns their number. */
static int kill_orphans(const struct visits *visits)
{
	FILE *in = fopen("/proc/thread-self/children", "re");
	int count = 0, child;

	while (in && fscanf(in, "%d", &child) == 1) {
		if (is_visit(visits, child))
			continue;
		kill(child, SIGKILL);
		waitpid(child, NULL, WNOHANG);
		count++;
	}
	if (in)
		fclose(in);
	return count;
}

/* Ends what a visit has left. The children of an orphan are orphans when it is dead. */
static void end_orphans(const struct visits *visits)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	int left = 1;

	for (int i = 0; i < ORPHANS_TIME && left > 0; i++) {
		left = kill_orphans(visits);
		if (left > 0)
			nanosleep(&moment, NULL);
	}
	if (left > 0)
		lxfw_cmd_note("%d processes that a visit has left cannot be ended", left);
}

/* Sees whether a visit has ended, and ends it if it is late. A child that cannot be killed is
   left behind, and its user is not visited meanwhile. */
static void look_after(struct visits *visits, struct visited *visited)
{
	int status;

	if (visited->child == 0)
		return;
	if (waitpid(visited->child, &status, WNOHANG) == visited->child) {
		visited->child = 0;
		visits->running--;
		end_orphans(visits);
		if (!WIFEXITED(status))
			lxfw_cmd_note("user %u: not finished", visited->uid);
		if (!WIFEXITED(status) || WEXITSTATUS(status) != LXFW_EXIT_DONE)
			visits->status = LXFW_EXIT_BAD;
	} else if (monotonic() >= visited->killed) {
		if (kill(-visited->child, SIGKILL))
			lxfw_cmd_note("user %u: %s", visited->uid, strerror(errno));
		visited->killed = monotonic() + 60;
	}
}

/* Waits until fewer than MOST visits run, or until the time UNTIL. */
static void await(struct visits *visits, size_t most, int64_t until)
{
	const struct timespec second = { .tv_sec = 1 };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (;;) {
		for (size_t i = 0; i < visits->count; i++)
			look_after(visits, &visits->list[i]);
		if (visits->running < most || monotonic() >= until)
			return;
		sigtimedwait(&set, NULL, &second);
	}
}

static int remember(struct visits *visits, unsigned uid)
{
	time_t until = time(NULL) + REMEMBERED;

	for (size_t i = 0; i < visits->count; i++) {
		if (visits->list[i].uid == uid) {
			visits->list[i].until = until;
			return 0;
		}
	}
	if (LXFW_GROW(visits->list, visits->size, visits->count + 1))
		return -1;
	visits->list[visits->count++] = (struct visited) { .uid = uid, .until = until };
	return 0;
}

static void forget(struct visits *visits)
{
	time_t now = time(NULL);
	size_t kept = 0;

	for (size_t i = 0; i < visits->count; i++) {
		if (visits->list[i].until > now || visits->list[i].child != 0)
			visits->list[kept++] = visits->list[i];
	}
	visits->count = kept;
}

/* Visits those that are known. */
static void visit(const struct lxfw_route_arguments *arguments,
		  const struct lxfw_route_conf *conf, struct visits *visits)
{
	for (size_t i = 0; i < visits->count; i++) {
		await(visits, AT_ONCE, INT64_MAX);
		if (visits->list[i].child == 0)
			begin(arguments, conf, visits, &visits->list[i]);
	}
	await(visits, 1, arguments->every > 0 ? monotonic() + arguments->every : INT64_MAX);
}

static int visit_all(const struct lxfw_route_arguments *arguments,
		     const struct lxfw_route_conf *conf, struct visits *visits)
{
	struct lxfw_error error;
	unsigned *uids = NULL;
	int count;

	if (getuid() != 0)
		return lxfw_route_move_jobs(arguments, conf);
	if (lxfw_route_folder_check(conf, &error))
		return lxfw_cmd_bad(&error);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	count = lxfw_route_users(conf, &uids);
	for (int i = 0; i < count; i++) {
		if (remember(visits, uids[i]))
			count = -1;
	}
	free(uids);
	if (count < 0) {
		lxfw_cmd_note("out of memory");
		return LXFW_EXIT_BAD;
	}
	signals_of_children(SIG_BLOCK);
	visits->status = LXFW_EXIT_DONE;
	forget(visits);
	visit(arguments, conf, visits);
	signals_of_children(SIG_UNBLOCK);
	return visits->status;
}

int lxfw_route_pull(const struct lxfw_route_arguments *arguments)
{
	struct visits visits = { .conf = NULL };
	struct lxfw_route_conf conf;
	char *path = realpath(arguments->conf, NULL);
	struct lxfw_error error;
	int status;

	if (!path) {
		lxfw_error_system(&error, arguments->conf);
		return lxfw_cmd_bad(&error);
	}
	if (getuid() == 0 && lxfw_route_unit_is_used(arguments) &&
	    lxfw_route_unit_check(arguments)) {
		free(path);
		return LXFW_EXIT_BAD;
	}
	visits.conf = path;
	setvbuf(stdout, NULL, _IOLBF, 0);
	do {
		/* The file may be changed while the service runs. */
		status = lxfw_route_conf_read(&conf, path, &error) ?
			 lxfw_cmd_bad(&error) : visit_all(arguments, &conf, &visits);
		lxfw_route_conf_clear(&conf);
		if (arguments->every > 0)
			sleep((unsigned)arguments->every);
	} while (arguments->every > 0);
	free(visits.list);
	free(path);
	return status;
}
