/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/experiment/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim-frontend/util/text.h"

/* Exit statuses of a child that failed to execute gnuplot. */
enum {
	NO_DIRECTORY = 125,
	NOT_RUN = 126,
	NOT_FOUND = 127,
};

/* Interrupts are handled by gnuplot while it runs. This process must remove files
   after gnuplot ends, and ends then. */
static void ignore_interrupts(struct sigaction *before)
{
	struct sigaction action = { .sa_handler = SIG_IGN };

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, before);
}

/* Runs in the child. Only functions that are safe after fork() in a multi-threaded
   process may be called. */
static void become(const char *directory, char *const *arguments, int silent)
{
	signal(SIGINT, SIG_DFL);
	if (directory && chdir(directory))
		_exit(NO_DIRECTORY);
	if (silent) {
		int null = open("/dev/null", O_WRONLY);

		if (null >= 0) {
			dup2(null, STDOUT_FILENO);
			dup2(null, STDERR_FILENO);
		}
	}
	execvp(arguments[0], arguments);
	_exit(errno == ENOENT ? NOT_FOUND : NOT_RUN);
}

/* Sets *STATUS to the exit status. Returns -1 with errno if there is none. */
static int run_and_wait(const char *directory, char *const *arguments,
			int silent, int *status)
{
	struct sigaction before;
	pid_t child, ended;

	ignore_interrupts(&before);
	child = fork();
	if (child == 0)
		become(directory, arguments, silent);
	do {
		ended = child < 0 ? -1 : waitpid(child, status, 0);
	} while (child > 0 && ended < 0 && errno == EINTR);
	sigaction(SIGINT, &before, NULL);
	return ended < 0 ? -1 : 0;
}

static int run(const char *directory, char *const *arguments, int silent,
	       struct lxfw_error *error)
{
	int status;

	if (run_and_wait(directory, arguments, silent, &status))
		return lxfw_error_system(error, "gnuplot");
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND) {
		lxfw_error_set(error, "gnuplot is not installed, but required "
			       "for figures (Debian: gnuplot-nox)");
		errno = ENOENT;
		return -1;
	}
	if (WIFEXITED(status))
		lxfw_error_format(error, "gnuplot failed with exit status %d",
				  WEXITSTATUS(status));
	else
		lxfw_error_format(error, "gnuplot was terminated by signal %d "
					 "(%s)",
				  WTERMSIG(status), strsignal(WTERMSIG(status)));
	errno = EIO;
	return -1;
}

int lxfw_gnuplot_present(struct lxfw_error *error)
{
	char *arguments[] = { (char[]){ "gnuplot" }, (char[]){ "--version" },
			      NULL };

	return run(NULL, arguments, 1, error);
}

int lxfw_gnuplot_run(const char *directory, const char *before,
		     const char *script, struct lxfw_error *error)
{
	/* execvp() does not modify the strings */
	char *arguments[] = { (char[]){ "gnuplot" }, (char[]){ "-e" },
			      (char *)before, (char *)script, NULL };

	return run(directory, arguments, 0, error);
}
