/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lxfw route --submit: sbatch, and again without the clusters that could not be reached.
 *
 * The script of cli_filter/lua chooses the cluster within sbatch, which has read all options. A
 * failure after which the job may have been submitted is never followed by another try. A file
 * has the clusters that are left out, and then "=" and the name of the one that was chosen.
 * sbatch gives its name, which is a variable, to the job, too; there the file does not exist.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim-frontend/cmd/route.h"

/* What sbatch says if it has not sent the job, or was refused it. */
static const char *const not_sent[] = {
	"Unable to contact slurm controller (connect failure)",
	"can't be reached now",
	"No cluster '",
	"Unable to establish control machine address",
	"Invalid account or account/partition combination specified",
};

#define NOT_SENT (sizeof(not_sent) / sizeof(*not_sent))

/* Most of what sbatch says to standard error. */
#define SAID 4096

static bool was_not_sent(const char *said)
{
	for (size_t i = 0; i < NOT_SENT; i++) {
		if (strstr(said, not_sent[i]))
			return true;
	}
	return false;
}

/* Passes on what sbatch says, and keeps its end in SAID. */
static void listen_to(int input, char said[SAID])
{
	size_t length = 0;
	ssize_t got;

	while ((got = read(input, said + length, SAID - 1 - length)) > 0 ||
	       (got < 0 && errno == EINTR)) {
		if (got < 0)
			continue;
		length += (size_t)got;
		if (length == SAID - 1) {
			fwrite(said, 1, SAID / 2, stderr);
			memmove(said, said + SAID / 2, length - SAID / 2);
			length -= SAID / 2;
		}
	}
	said[length] = '\0';
}

/* Runs sbatch. Returns its exit status, or -1 after a message. */
static int submit(const struct lxfw_route_arguments *arguments, char **words, int count,
		  const char *told, char said[SAID])
{
	char **all = calloc((size_t)count + 2, sizeof(*all));
	int pipes[2], status = 0;
	pid_t child;

	if (!all || pipe(pipes)) {
		free(all);
		lxfw_cmd_note("%s", strerror(errno));
		return -1;
	}
	all[0] = (char *)arguments->sbatch;
	memcpy(all + 1, words, (size_t)count * sizeof(*all));
	child = fork();
	if (child == 0) {
		close(pipes[0]);
		dup2(pipes[1], STDERR_FILENO);
		close(pipes[1]);
		setenv("LXFW_ROUTE_TOLD", told, 1);
		execv(all[0], all);
		dprintf(STDERR_FILENO, "lxfw: %s: %s\n", all[0], strerror(errno));
		_exit(127);
	}
	close(pipes[1]);
	if (child > 0)
		listen_to(pipes[0], said);
	close(pipes[0]);
	free(all);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (child < 0)
		lxfw_cmd_note("%s", strerror(errno));
	return child < 0 ? -1 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Replaces the contents of the file. Returns 0, or -1 after a message. */
static int write_told(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");
	int failed = !out || fputs(text, out) < 0;

	failed |= out && fclose(out);
	if (failed)
		lxfw_cmd_note("%s: %s", path, strerror(errno));
	return failed ? -1 : 0;
}

/* Reads the name of the cluster that was chosen, "" if none was. */
static void read_told(const char *path, char name[LXFW_ROUTE_NAME])
{
	FILE *in = fopen(path, "r");
	char text[LXFW_ROUTE_NAME + 1];
	size_t length = in ? fread(text, 1, sizeof(text) - 1, in) : 0;

	text[length] = '\0';
	if (in)
		fclose(in);
	*name = '\0';
	if (*text == '=' && lxfw_route_name_is_valid(text + 1))
		strcpy(name, text + 1);
}

static int try_all(const struct lxfw_route_arguments *arguments, char **words, int count,
		   const char *told)
{
	char without[LXFW_ROUTE_CLUSTERS * LXFW_ROUTE_NAME] = "", said[SAID] = "";

	for (int round = 0;; round++) {
		char name[LXFW_ROUTE_NAME];
		int status;

		if (write_told(told, without))
			return LXFW_EXIT_BAD;
		status = submit(arguments, words, count, told, said);
		read_told(told, name);
		if (status == 0 || !*name || !was_not_sent(said) ||
		    round == LXFW_ROUTE_CLUSTERS - 1) {
			fputs(said, stderr);
			return status < 0 ? LXFW_EXIT_BAD : status;
		}
		lxfw_cmd_note("cluster %s cannot be reached or does not take the job, which has "
			      "not been submitted; trying the next one", name);
		strcat(without, *without ? "," : "");
		strcat(without, name);
	}
}

int lxfw_route_submit(const struct lxfw_route_arguments *arguments, char **words, int count)
{
	char told[] = "/tmp/lxfw-route.XXXXXX";
	int file = mkstemp(told), status;

	if (file < 0) {
		lxfw_cmd_note("%s: %s", told, strerror(errno));
		return LXFW_EXIT_BAD;
	}
	close(file);
	status = try_all(arguments, words, count, told);
	unlink(told);
	return status;
}
