/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lxfw route --pull: moves waiting jobs, as their users. Root visits all users, in a unit of systemd
 * (route_unit.h) or a process for each that has the identity of the user and nothing else; every other
 * user moves own jobs.
 * A user can stop such a process or have it wait: root awaits none longer than it must, several
 * run at the same time, and one that is late is killed while the others are visited.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/util/grow.h"
#include "sim-frontend/cmd/route_move.h"
#include "sim-frontend/cmd/route_unit.h"
#include "sim-frontend/cmd/route_visit.h"
#include "sim-frontend/route/folder.h"
#include "sim-frontend/route/jobs.h"
#include "sim-frontend/util/text.h"

#define AT_ONCE 16		/* users that are visited at the same time */
#define QUICK 10		/* seconds after which a visit does not count in these */
#define SLOW 400		/* most visits at the same time */
#define END_TIME 90		/* seconds in which a visit that is late ends itself */
#define REMEMBERED 3600		/* seconds for which a user is visited without waiting jobs */

struct visited {
	unsigned uid;
	time_t until;
	pid_t child;		/* 0: is not visited now */
	int64_t begun;		/* monotonic seconds */
	int64_t killed;		/* when the child is killed, monotonic seconds */
};

/* Users whose jobs were seen lately: one may be in a move, and be lost by its controller. */
struct visits {
	const char *conf;	/* the file of the clusters */
	char self[4096];	/* this program: another one may take its place later */
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

/* SIGCHLD is blocked, so that it can be awaited. */
static void signals_of_children(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(how, &set, NULL);
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
		const struct lxfw_route_visit visit = {
			arguments, conf, visits->conf, visits->self, visited->uid,
		};
		int status;

		setsid();
		signals_of_children(SIG_UNBLOCK);
		status = lxfw_route_visit(&visit);
		_exit(fflush(NULL) ? LXFW_EXIT_BAD : status);
	}
	if (child < 0) {
		lxfw_cmd_note("user %u: %s", visited->uid, strerror(errno));
		visits->status = LXFW_EXIT_BAD;
		return;
	}
	visited->child = child;
	visited->begun = monotonic();
	visited->killed = visited->begun + arguments->visit + END_TIME;
	visits->running++;
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

/* Whether MOST visits run. A user who delays the own visit does not delay those of others. */
static bool are_enough(const struct visits *visits, size_t most)
{
	int64_t now = monotonic();
	size_t quick = 0;

	if (most == 1)
		return visits->running > 0;
	for (size_t i = 0; i < visits->count; i++)
		quick += visits->list[i].child != 0 && now < visits->list[i].begun + QUICK;
	return quick >= most || visits->running >= SLOW;
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
		if (!are_enough(visits, most) || monotonic() >= until)
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
	ssize_t length;
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
	length = readlink("/proc/self/exe", visits.self, sizeof(visits.self) - 1);
	visits.self[length > 0 ? length : 0] = '\0';
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
