/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processes and files of a trial. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim-frontend/conf/trial.h"
#include "sim-frontend/trace/input.h"

#define PAUSE_NS 50000000	/* between looks at another process */
#define ENDING_PAUSES 100	/* until it is killed */
#define NOT_RUN 127

static volatile sig_atomic_t caught;

static void note_signal(int number)
{
	caught = number;
}

static const int numbers[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };

#define SIGNALS (sizeof(numbers) / sizeof(*numbers))

bool lxfw_trial_caught(void)
{
	return caught;
}

int lxfw_trial_catch(bool on)
{
	static struct sigaction before[SIGNALS];
	struct sigaction action = { .sa_handler = note_signal };
	int number = caught;

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < SIGNALS; i++) {
		if (!on) {
			sigaction(numbers[i], &before[i], NULL);
			continue;
		}
		sigaction(numbers[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(numbers[i], &action, NULL);
	}
	caught = 0;
	return on ? 0 : number;
}

bool lxfw_trial_wait(int64_t deadline)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };

	if (!caught)
		nanosleep(&pause, NULL);
	return !caught && time(NULL) <= deadline;
}

/* Runs in the child. */
static void become(char *const *arguments, int output, pid_t parent)
{
	int null = open("/dev/null", O_RDONLY);

	for (size_t i = 0; i < SIGNALS; i++)
		signal(numbers[i], SIG_DFL);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(NOT_RUN);
	if (null >= 0)
		dup2(null, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
	execv(arguments[0], arguments);
	_exit(NOT_RUN);
}

pid_t lxfw_trial_start(const struct lxfw_trial *trial, char *const *arguments,
		       const char *name)
{
	pid_t parent = getpid(), child;
	char *path;
	int output;

	if (asprintf(&path, "%s/%s", trial->folder, name) < 0)
		return -1;
	output = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	free(path);
	if (output < 0)
		return -1;
	child = fork();
	if (child == 0)
		become(arguments, output, parent);
	close(output);
	return child;
}

int lxfw_trial_command(const struct lxfw_trial *trial, char *const *arguments, const char *name)
{
	pid_t child = lxfw_trial_start(trial, arguments, name), ended;
	int status = 0;

	do {
		ended = child < 0 ? -1 : waitpid(child, &status, 0);
		/* the user need not wait until it gives up on slurmctld */
		if (child > 0 && ended < 0 && caught)
			kill(child, SIGKILL);
	} while (child > 0 && ended < 0 && errno == EINTR);
	return ended < 0 || !WIFEXITED(status) || WEXITSTATUS(status) == NOT_RUN ? -1 :
	       WEXITSTATUS(status);
}

bool lxfw_trial_runs(pid_t *id)
{
	pid_t ended = *id > 0 ? waitpid(*id, NULL, WNOHANG) : -1;

	/* slurmctld has started another process */
	if (ended > 0)
		kill(-ended, SIGKILL);
	if (ended != 0)
		*id = 0;
	return ended == 0;
}

void lxfw_trial_end(pid_t *id)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };
	pid_t group = *id;

	if (!lxfw_trial_runs(id))
		return;
	kill(*id, SIGTERM);
	for (int i = 0; i < ENDING_PAUSES && lxfw_trial_runs(id); i++)
		nanosleep(&pause, NULL);
	kill(-group, SIGKILL);
	while (*id > 0 && waitpid(*id, NULL, 0) < 0 && errno == EINTR)
		;
	*id = 0;
}

static int not_removed;		/* errno of a file that was not */

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	/* what cannot be removed is no reason to leave the rest */
	if (remove(path) && errno != ENOENT)
		not_removed = errno;
	return 0;
}

int lxfw_trial_remove_below(const char *path)
{
	not_removed = 0;
	if (nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS))
		return -1;
	errno = not_removed;
	return not_removed ? -1 : 0;
}

void lxfw_trial_remove(const struct lxfw_trial *trial)
{
	if (*trial->folder)
		lxfw_trial_remove_below(trial->folder);
}

bool lxfw_trial_last_line(const struct lxfw_trial *trial, const char *name, const char *mark,
			  char *said, size_t size)
{
	return lxfw_trial_last_line_but(trial, name, mark, NULL, said, size);
}

bool lxfw_trial_last_line_but(const struct lxfw_trial *trial, const char *name,
			      const char *mark, const char *but, char *said, size_t size)
{
	struct lxfw_input *input;
	bool found = false;
	size_t length;
	char *path, *line;

	if (asprintf(&path, "%s/%s", trial->folder, name) < 0)
		return false;
	input = lxfw_input_open(path, NULL);
	free(path);
	while (input && lxfw_input_line(input, &line, &length, NULL) > 0) {
		const char *at = memmem(line, length, mark, strlen(mark));

		if (!at || (but && memmem(line, length, but, strlen(but))))
			continue;
		length -= (size_t)(at - line);
		if (length == 0)
			continue;
		snprintf(said, size, "%.*s", (int)(length < size ? length : size - 1), at);
		found = true;
	}
	lxfw_input_close(input);
	return found;
}
