/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/route_sbatch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim-frontend/cmd/cmd.h"

/* Errors of sbatch after which it ends without a job. The same reasons behind other words are not
   about the submission: sbatch --wait has them while the job runs. */
static const char *const failures[] = {
	"Batch job submission failed: Unable to contact slurm controller (connect failure)",
	"Batch job submission failed: Unable to establish control machine address",
	"Batch job submission failed: Invalid account or account/partition combination specified",
	"No cluster '",
	"Unable to establish control machine address",
};

/* "'beta' can't be reached now, or it is an invalid entry for --cluster." */
#define UNREACHED "' can't be reached now"

/* --- what it says ---------------------------------------------------------------------- */

static bool is_failure(const char *line, size_t length)
{
	static const char error[] = ": error: ";
	const char *name_end = memchr(line, ':', length), *text;
	size_t left;

	if (!name_end || length - (size_t)(name_end - line) < sizeof(error) - 1 ||
	    memcmp(name_end, error, sizeof(error) - 1) != 0)
		return false;
	text = name_end + sizeof(error) - 1;
	left = length - (size_t)(text - line);
	for (size_t i = 0; i < sizeof(failures) / sizeof(*failures); i++) {
		if (left >= strlen(failures[i]) &&
		    memcmp(text, failures[i], strlen(failures[i])) == 0)
			return true;
	}
	return *text == '\'' && memmem(text, left, UNREACHED, sizeof(UNREACHED) - 1);
}

bool lxfw_sbatch_was_not_sent(const struct lxfw_sbatch *run)
{
	if (run->status <= 0 || run->submitted)
		return false;
	for (const char *line = run->said; *line; ) {
		size_t length = strcspn(line, "\n");

		if (is_failure(line, length))
			return true;
		line += length + (line[length] == '\n');
	}
	return false;
}

/* "Submitted batch job 17", or with --parsable "17" or "17;beta". */
static bool says_submitted(const char *line)
{
	size_t digits = strspn(line, "0123456789");

	return strncmp(line, "Submitted batch job ", 20) == 0 ||
	       (digits > 0 && (!line[digits] || line[digits] == ';'));
}

/* The begin of a line of its standard output. */
struct line {
	char text[64];
	size_t length;
};

static void take_output(struct lxfw_sbatch *run, struct line *line, const char *bytes,
			size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (bytes[i] != '\n' && line->length < sizeof(line->text) - 1) {
			line->text[line->length++] = bytes[i];
		} else if (bytes[i] == '\n') {
			line->text[line->length] = '\0';
			run->submitted |= says_submitted(line->text);
			line->length = 0;
		}
	}
	fwrite(bytes, 1, length, stdout);
	fflush(stdout);
}

/* Keeps the end, or passes all on if nothing depends on it any more. */
static void take_errors(struct lxfw_sbatch *run, const char *bytes, size_t length)
{
	size_t kept = strlen(run->said), room = sizeof(run->said) - 1;

	if (kept + length > room) {	/* length is less than half of it */
		size_t out = kept + length - room;

		fwrite(run->said, 1, out, stderr);
		kept -= out;
		memmove(run->said, run->said + out, kept);
	}
	for (size_t i = 0; i < length; i++)
		run->said[kept++] = bytes[i] ? bytes[i] : ' ';
	run->said[kept] = '\0';
	if (run->submitted) {
		fputs(run->said, stderr);
		run->said[0] = '\0';
	}
}

static void listen_to(struct lxfw_sbatch *run, int errors, int output)
{
	struct pollfd wait[] = {
		{ .fd = errors, .events = POLLIN }, { .fd = output, .events = POLLIN },
	};
	struct line line = { .length = 0 };

	while (wait[0].fd >= 0 || wait[1].fd >= 0) {
		if (poll(wait, 2, -1) < 0 && errno != EINTR)
			break;
		for (int i = 1; i >= 0; i--) {	/* that it was submitted comes first */
			char bytes[1024];
			ssize_t got;

			if (wait[i].fd < 0 || !wait[i].revents)
				continue;
			got = read(wait[i].fd, bytes, sizeof(bytes));
			wait[i].revents = 0;
			if (got > 0 && i == 0)
				take_errors(run, bytes, (size_t)got);
			else if (got > 0)
				take_output(run, &line, bytes, (size_t)got);
			else if (got == 0 || errno != EINTR)
				wait[i].fd = -1;
		}
	}
	line.text[line.length] = '\0';
	run->submitted |= says_submitted(line.text);
}

/* --- signals --------------------------------------------------------------------------- */

static const int ending[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };

#define ENDING (sizeof(ending) / sizeof(*ending))

static volatile sig_atomic_t came;
static volatile pid_t child;	/* changed while the signals are blocked */

static void take_signal(int number)
{
	came = number;
	if (child > 0)
		kill(child, number);
}

int lxfw_sbatch_signal(void)
{
	static bool ready;

	for (size_t i = 0; i < ENDING && !ready; i++) {
		struct sigaction act = { .sa_handler = take_signal }, before;

		/* One that is ignored, as by nohup, stays so. */
		if (sigaction(ending[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			sigaction(ending[i], &act, NULL);
	}
	ready = true;
	return came;
}

void lxfw_sbatch_end_by(int number)
{
	fflush(NULL);
	signal(number, SIG_DFL);
	raise(number);
}

/* --- the process ----------------------------------------------------------------------- */

static void become(char *const *words, int input, int errors, int output, const sigset_t *mask)
{
	if (input >= 0)
		dup2(input, STDIN_FILENO);
	dup2(errors, STDERR_FILENO);
	if (output >= 0)
		dup2(output, STDOUT_FILENO);
	for (size_t i = 0; i < ENDING; i++) {
		struct sigaction act;

		if (sigaction(ending[i], NULL, &act) == 0 && act.sa_handler == take_signal)
			signal(ending[i], SIG_DFL);
	}
	sigprocmask(SIG_SETMASK, mask, NULL);
	execv(words[0], words);
	dprintf(STDERR_FILENO, "lxfw: %s: %s\n", words[0], strerror(errno));
	_exit(127);
}

static void close_one(int file)
{
	if (file >= 0)
		close(file);
}

void lxfw_sbatch_run(struct lxfw_sbatch *run, char *const *words, int input)
{
	int errors[2] = { -1, -1 }, output[2] = { -1, -1 }, status = 0;
	sigset_t block, mask;

	*run = (struct lxfw_sbatch) { .status = -1 };
	if (pipe2(errors, O_CLOEXEC) ||
	    (!isatty(STDOUT_FILENO) && pipe2(output, O_CLOEXEC))) {
		lxfw_cmd_note("%s", strerror(errno));
		close_one(errors[0]);
		close_one(errors[1]);
		return;
	}
	sigemptyset(&block);
	for (size_t i = 0; i < ENDING; i++)
		sigaddset(&block, ending[i]);
	sigprocmask(SIG_BLOCK, &block, &mask);
	child = lxfw_sbatch_signal() ? -1 : fork();
	if (child == 0)
		become(words, input, errors[1], output[1], &mask);
	if (child < 0 && !came)
		lxfw_cmd_note("%s", strerror(errno));
	sigprocmask(SIG_SETMASK, &mask, NULL);
	close_one(errors[1]);
	close_one(output[1]);
	if (child > 0) {
		listen_to(run, errors[0], output[0]);
		while (waitpid(child, &status, 0) < 0 && errno == EINTR)
			;
		run->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	}
	child = -1;
	close_one(errors[0]);
	close_one(output[0]);
}
