/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/route/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/util/grow.h"

#define MOST (32 << 20)
#define PIECE 4096

void lxfw_route_close_files(void)
{
	unsigned first = STDERR_FILENO + 1;

	/* Linux 5.9. A limit of descriptors may be a thousand million. */
	if (syscall(SYS_close_range, first, ~0U, 0) == 0)
		return;
	for (long file = (long)first; file < sysconf(_SC_OPEN_MAX); file++)
		close((int)file);
}

/* Forks. Returns 0 in the child, with its output as stdout and no input, its number in the parent,
   or -1 with errno. */
static pid_t divide(struct lxfw_route_child *child)
{
	int pipes[2], null;

	lxfw_route_child_end(child);
	if (LXFW_GROW(child->text, child->size, 1) || pipe(pipes))
		return -1;
	child->text[0] = '\0';
	fcntl(pipes[0], F_SETFD, FD_CLOEXEC);
	fcntl(pipes[0], F_SETFL, O_NONBLOCK);
	fcntl(pipes[1], F_SETFD, FD_CLOEXEC);
	child->process = fork();
	if (child->process == 0) {
		null = open("/dev/null", O_RDWR | O_CLOEXEC);
		if (null >= 0)
			dup2(null, STDIN_FILENO);
		dup2(pipes[1], STDOUT_FILENO);
		signal(SIGPIPE, SIG_DFL);
		return 0;
	}
	close(pipes[1]);
	child->file = pipes[0];
	if (child->process > 0)
		return child->process;
	child->process = 0;
	lxfw_route_child_end(child);
	return -1;
}

int lxfw_route_child_start(struct lxfw_route_child *child, char *const *arguments)
{
	pid_t process = divide(child);

	if (process == 0) {
		dup2(STDIN_FILENO, STDERR_FILENO);
		execvp(arguments[0], arguments);
		_exit(127);
	}
	return process < 0 ? -1 : 0;
}

int lxfw_route_child_fork(struct lxfw_route_child *child, int (*function)(const void *context),
			  const void *context)
{
	pid_t parent = getpid(), process;
	int status;

	fflush(NULL);
	process = divide(child);
	if (process != 0)
		return process < 0 ? -1 : 0;
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent)
		_exit(255);
	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	/* Connections of the parent would stay open here. */
	lxfw_route_close_files();
	status = function(context);
	_exit(fflush(stdout) ? 255 : status);
}

static void close_file(struct lxfw_route_child *child)
{
	if (child->file >= 0)
		close(child->file);
	child->file = -1;
}

int lxfw_route_child_read(struct lxfw_route_child *child)
{
	ssize_t got = 0;
	int status;

	while (child->file >= 0) {
		if (child->length > MOST ||
		    LXFW_GROW(child->text, child->size, child->length + PIECE + 1)) {
			kill(child->process, SIGTERM);
			close_file(child);
			break;
		}
		got = read(child->file, child->text + child->length, PIECE);
		if (got < 0 && (errno == EAGAIN || errno == EINTR))
			return -1;
		if (got <= 0)
			close_file(child);
		else
			child->length += (size_t)got;
		child->text[child->length] = '\0';
	}
	got = waitpid(child->process, &status, WNOHANG);
	if (got == 0)
		return -1;
	child->process = 0;
	return got > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

void lxfw_route_child_end(struct lxfw_route_child *child)
{
	close_file(child);
	if (child->process > 0) {
		kill(child->process, SIGTERM);
		while (waitpid(child->process, NULL, 0) < 0 && errno == EINTR)
			;
	}
	free(child->text);
	*child = (struct lxfw_route_child) { .file = -1 };
}
