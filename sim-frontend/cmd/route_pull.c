/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lxfw route --pull: moves waiting jobs, as their users. Root visits all users, in a process
 * for each that has the identity of the user and nothing else; every other user moves own jobs.
 */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/util/grow.h"
#include "sim-frontend/cmd/route_move.h"
#include "sim-frontend/route/jobs.h"
#include "sim-frontend/util/text.h"

#define VISIT_TIME 600		/* seconds for the jobs of one user */
#define REMEMBERED 3600		/* seconds for which a user is visited without waiting jobs */

struct visited {
	unsigned uid;
	time_t until;
};

/* Users whose jobs were seen lately: one may be in a move, and be lost by its controller. */
struct visits {
	struct visited *list;
	size_t count, size;
};

/* Takes on the identity of the user. Returns 0, or -1 with errno. */
static int become(unsigned uid)
{
	const struct passwd *user;

	errno = 0;
	user = getpwuid(uid);
	if (!user) {
		errno = errno ? errno : ENOENT;
		return -1;
	}
	if (uid == getuid())
		return 0;
	return initgroups(user->pw_name, user->pw_gid) || setgid(user->pw_gid) || setuid(uid) ||
	       setuid(0) == 0 ? -1 : 0;
}

/* Visits one user. Returns an exit status. */
static int visit(const struct lxfw_route_arguments *arguments,
		 const struct lxfw_route_conf *conf, unsigned uid)
{
	int status = 0;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child == 0) {
		alarm(VISIT_TIME);
		if (become(uid)) {
			lxfw_cmd_note("user %u: %s", uid, strerror(errno));
			_exit(LXFW_EXIT_BAD);
		}
		status = lxfw_route_move_jobs(arguments, conf);
		fflush(NULL);
		_exit(status);
	}
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (child < 0 || !WIFEXITED(status)) {
		lxfw_cmd_note("user %u: %s", uid, child < 0 ? strerror(errno) : "not finished");
		return LXFW_EXIT_BAD;
	}
	return WEXITSTATUS(status);
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
	visits->list[visits->count++] = (struct visited) { uid, until };
	return 0;
}

static void forget(struct visits *visits)
{
	time_t now = time(NULL);
	size_t kept = 0;

	for (size_t i = 0; i < visits->count; i++) {
		if (visits->list[i].until > now)
			visits->list[kept++] = visits->list[i];
	}
	visits->count = kept;
}

static int visit_all(const struct lxfw_route_arguments *arguments,
		     const struct lxfw_route_conf *conf, struct visits *visits)
{
	unsigned *uids = NULL;
	int count, status = LXFW_EXIT_DONE;

	if (getuid() != 0)
		return lxfw_route_move_jobs(arguments, conf);
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
	forget(visits);
	for (size_t i = 0; i < visits->count; i++) {
		if (visit(arguments, conf, visits->list[i].uid) != LXFW_EXIT_DONE)
			status = LXFW_EXIT_BAD;
	}
	return status;
}

int lxfw_route_pull(const struct lxfw_route_arguments *arguments)
{
	struct visits visits = { 0 };
	struct lxfw_route_conf conf;
	char *path = realpath(arguments->conf, NULL);
	struct lxfw_error error;
	int status;

	if (!path) {
		lxfw_error_system(&error, arguments->conf);
		return lxfw_cmd_bad(&error);
	}
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
