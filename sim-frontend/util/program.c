/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/util/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim-frontend/util/text.h"

/* Exit status of a child that failed to execute the program. */
#define NOT_RUN 127

/* Runs in the child. Only functions that are safe after fork() in a multi-threaded
   process may be called. */
static void become(char *const *arguments, int output)
{
	int null = open("/dev/null", O_RDONLY);
	sigset_t none;

	/* This process may have blocked the signals that end a program. */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setpgid(0, 0);
	if (null >= 0)
		dup2(null, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
	execvp(arguments[0], arguments);
	_exit(NOT_RUN);
}

/* Reads until the end of output. Data that does not fit is discarded, since the
   program would block otherwise. */
static void take(int input, char *said, size_t size)
{
	size_t length = 0;
	char more[512];

	for (;;) {
		ssize_t got = read(input, more, sizeof(more));
		size_t room = size - 1 - length;

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		if ((size_t)got < room)
			room = (size_t)got;
		memcpy(said + length, more, room);
		length += room;
	}
	said[length] = '\0';
}

int lxfw_program_run(char *const *arguments, char *said, size_t size,
		     struct lxfw_error *error)
{
	int pipes[2], status = 0;
	pid_t child, ended;

	*said = '\0';
	if (pipe(pipes))
		return lxfw_error_system(error, arguments[0]);
	fcntl(pipes[0], F_SETFD, FD_CLOEXEC);
	fcntl(pipes[1], F_SETFD, FD_CLOEXEC);
	child = fork();
	if (child == 0)
		become(arguments, pipes[1]);
	close(pipes[1]);
	if (child > 0)
		take(pipes[0], said, size);
	close(pipes[0]);
	do {
		ended = child < 0 ? -1 : waitpid(child, &status, 0);
	} while (child > 0 && ended < 0 && errno == EINTR);
	if (ended < 0)
		return lxfw_error_system(error, arguments[0]);
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_RUN) {
		errno = ENOENT;
		return lxfw_error_system(error, arguments[0]);
	}
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	lxfw_error_format(error, "%s: terminated by signal %d", arguments[0],
			  WTERMSIG(status));
	errno = EIO;
	return -1;
}

int lxfw_program_read(char *const *arguments, char *said, size_t size,
		      struct lxfw_error *error)
{
	int status = lxfw_program_run(arguments, said, size, error);

	if (status != 0 || strlen(said) < size - 1)
		return status;
	lxfw_error_format(error, "%s: its output has more than %zu bytes", arguments[0], size - 2);
	errno = EOVERFLOW;
	return -1;
}
