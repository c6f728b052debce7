/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/route_visit.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/keyctl.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim-frontend/cmd/route_move.h"
#include "sim-frontend/cmd/route_unit.h"
#include "sim-frontend/route/child.h"
#include "sim-frontend/route/folder.h"

#define PRINTED 65536		/* most bytes of a visit that are passed on */
#define LINE 400
#define OUTPUTS 2		/* stdout and stderr */
#define ORPHANS_TIME 5		/* seconds in which the processes that a visit leaves end */
#define UNIT_TIME 50		/* seconds in which systemd ends a unit that is late */
#define STEP 100		/* milliseconds between two looks at a visit that prints nothing */

static int64_t monotonic(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* --- in the process of the visit -------------------------------------------------------- */

/* Leaves nothing of root's but the output: a session and a keyring of its own, no input and no other
   descriptors. Returns 0, or -1 with errno. */
static int leave_root(const int outputs[OUTPUTS])
{
	int null = open("/dev/null", O_RDONLY);

	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(outputs[0], STDOUT_FILENO) < 0 ||
	    dup2(outputs[1], STDERR_FILENO) < 0)
		return -1;
	lxfw_route_close_files();
	setsid();
	/* A kernel without keys has none of root's. */
	if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) < 0 && errno != ENOSYS)
		return -1;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/* Takes on the identity of the user. Returns 0, or -1 with errno. */
static int become(const struct passwd *user)
{
	if (setenv("HOME", user->pw_dir, 1) || setenv("USER", user->pw_name, 1) ||
	    setenv("LOGNAME", user->pw_name, 1) || initgroups(user->pw_name, user->pw_gid) ||
	    setgid(user->pw_gid) || setuid(user->pw_uid))
		return -1;
	if (setuid(0) != 0)
		return 0;
	errno = EPERM;
	return -1;
}

/* Returns an exit status. */
static int run(const struct lxfw_route_visit *visit, const int outputs[OUTPUTS])
{
	const struct passwd *user;
	struct lxfw_error error;
	int status;

	errno = 0;
	user = getpwuid(visit->uid);
	if (!user) {
		errno = errno ? errno : ENOENT;
	} else if (!visit->arguments->dry &&
		   lxfw_route_folder_make(visit->conf, visit->uid, user->pw_gid, &error)) {
		lxfw_cmd_note("%s", error.text);
		return LXFW_EXIT_BAD;
	} else if (leave_root(outputs) == 0) {
		if (visit->uid != getuid() && lxfw_route_unit_is_used(visit->arguments)) {
			lxfw_route_unit_become(visit->arguments, visit->path, visit->self,
					       visit->uid);
		} else if (visit->uid == getuid() || become(user) == 0) {
			alarm((unsigned)visit->arguments->visit);	/* without its parent, too */
			/* Orphans are root's when the visit is over, not before. */
			prctl(PR_SET_CHILD_SUBREAPER, 1);
			setvbuf(stdout, NULL, _IOLBF, 0);
			status = lxfw_route_move_jobs(visit->arguments, visit->conf);
			return fflush(NULL) ? LXFW_EXIT_BAD : status;
		}
	}
	lxfw_cmd_note("%s", strerror(errno));
	return LXFW_EXIT_BAD;
}

/* --- beside it ---------------------------------------------------------------------------- */

struct output {
	unsigned uid;
	FILE *to;
	int file;		/* -1: closed */
	size_t passed;		/* bytes */
	char line[LINE];
	size_t length;
};

/* The user may print anything: a line names the user, and has no control characters. */
static void end_line(struct output *output)
{
	if (output->length > 0)
		fprintf(output->to, "user %u: %.*s\n", output->uid, (int)output->length,
			output->line);
	output->length = 0;
}

static void take(struct output *output, const char *text, size_t length)
{
	for (size_t i = 0; i < length && output->passed < PRINTED; i++, output->passed++) {
		unsigned char byte = (unsigned char)text[i];

		if (byte == '\n' || output->length == LINE)
			end_line(output);
		if (byte != '\n')
			output->line[output->length++] = byte < ' ' || byte == 0x7f ? '?' :
								       (char)byte;
	}
}

/* Reads what there is. Returns whether there was something. */
static bool read_some(struct output *output)
{
	char text[4096];
	ssize_t got = output->file < 0 ? -1 : read(output->file, text, sizeof(text));

	if (got > 0)
		take(output, text, (size_t)got);
	if (got == 0) {
		close(output->file);
		output->file = -1;
	}
	return got > 0;
}

/* Passes on what there is, and waits a moment if there is nothing. Returns whether there was
   something. */
static bool pass_on(struct output outputs[OUTPUTS])
{
	struct pollfd wait[OUTPUTS];
	bool some = false;

	for (int i = 0; i < OUTPUTS; i++)
		wait[i] = (struct pollfd) { .fd = outputs[i].file, .events = POLLIN };
	poll(wait, OUTPUTS, STEP);
	for (int i = 0; i < OUTPUTS; i++)
		some |= read_some(&outputs[i]);
	return some;
}

/* Kills the children of this process. Returns their number. */
static int kill_children(void)
{
	FILE *in = fopen("/proc/thread-self/children", "re");
	int count = 0, child;

	while (in && fscanf(in, "%d", &child) == 1) {
		kill(child, SIGKILL);
		waitpid(child, NULL, WNOHANG);
		count++;
	}
	if (in)
		fclose(in);
	return count;
}

/* Ends what the visit has left. The children of an orphan are orphans when it is dead. */
static void end_orphans(unsigned uid)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	int64_t until = monotonic() + ORPHANS_TIME;
	int left;

	while ((left = kill_children()) > 0 && monotonic() < until)
		nanosleep(&moment, NULL);
	if (left > 0)
		lxfw_cmd_note("user %u: %d processes that the visit has left cannot be ended", uid,
			      left);
}

/* Waits for the end of the visit CHILD. Returns its status of waitpid(). */
static int await(const struct lxfw_route_visit *visit, struct output outputs[OUTPUTS], pid_t child)
{
	int64_t late = monotonic() + visit->arguments->visit +
		       (lxfw_route_unit_is_used(visit->arguments) ? UNIT_TIME : 0);
	int status;

	while (waitpid(child, &status, WNOHANG) == 0) {
		if (monotonic() >= late)
			kill(child, SIGKILL);
		pass_on(outputs);
	}
	/* The last output; another process of the user may print more. */
	for (int i = 0; i < PRINTED / PIPE_BUF && pass_on(outputs); i++)
		;
	for (int i = 0; i < OUTPUTS; i++)
		end_line(&outputs[i]);
	return status;
}

/* Begins the visit. Returns its process, or -1 with errno. */
static pid_t begin(const struct lxfw_route_visit *visit, struct output outputs[OUTPUTS])
{
	int to[OUTPUTS], pipes[2];
	pid_t child;

	for (int i = 0; i < OUTPUTS; i++) {
		if (pipe2(pipes, O_CLOEXEC) || fcntl(pipes[0], F_SETFL, O_NONBLOCK))
			return -1;
		to[i] = pipes[1];
		outputs[i] = (struct output) {
			.uid = visit->uid, .to = i ? stderr : stdout, .file = pipes[0],
		};
	}
	fflush(NULL);
	child = fork();
	if (child == 0)
		_exit(run(visit, to));
	close(to[0]);
	close(to[1]);
	return child;
}

int lxfw_route_visit(const struct lxfw_route_visit *visit)
{
	struct output outputs[OUTPUTS];
	int status;
	pid_t child;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	child = begin(visit, outputs);
	if (child < 0) {
		lxfw_cmd_note("user %u: %s", visit->uid, strerror(errno));
		return LXFW_EXIT_BAD;
	}
	status = await(visit, outputs, child);
	end_orphans(visit->uid);
	if (!WIFEXITED(status)) {
		lxfw_cmd_note("user %u: not finished", visit->uid);
		return LXFW_EXIT_BAD;
	}
	if (WEXITSTATUS(status) != 0 && lxfw_route_unit_is_used(visit->arguments))
		lxfw_cmd_note("user %u: the unit lxfw-route-visit-%u has failed, see its journal",
			      visit->uid, visit->uid);
	return WEXITSTATUS(status);
}
