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
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim-frontend/cmd/route.h"
#include "sim-frontend/cmd/route_sbatch.h"

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

/* --- standard input -------------------------------------------------------------------- */

static bool is_file(const char *path)
{
	struct stat about;

	return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

/* Whether a word names a file here or in PATH, where sbatch searches its script. */
static bool names_file(const char *word)
{
	const char *at = getenv("PATH");
	char path[4096];

	if (is_file(word))
		return true;
	while (at && *at && !strchr(word, '/')) {
		int length = (int)strcspn(at, ":");

		if (length + strlen(word) + 2 < sizeof(path)) {
			snprintf(path, sizeof(path), "%.*s/%s", length, at, word);
			if (is_file(path))
				return true;
		}
		at += length + (at[length] == ':');
	}
	return false;
}

/* Whether sbatch reads the script from standard input. A word behind one like -H may be the
   script or the value of that option: it is the script if there is such a file. */
static bool reads_input(char *const *words, int count)
{
	for (int i = 0; i < count; i++) {
		bool value = i > 0 && *words[i - 1] == '-' && !strchr(words[i - 1], '=');

		if (strncmp(words[i], "--wr", 4) == 0 ||
		    (*words[i] != '-' && (!value || names_file(words[i]))))
			return false;
	}
	return true;
}

/* The input of sbatch, which each try reads from the begin. */
struct input {
	FILE *copy;		/* NULL: none was needed */
	off_t begin;		/* of standard input; < 0: it cannot be read again */
};

/* Returns 0, or -1 after a message. */
static int open_input(struct input *input, char *const *words, int count)
{
	char bytes[4096];
	ssize_t got;

	input->copy = NULL;
	input->begin = lseek(STDIN_FILENO, 0, SEEK_CUR);
	if (input->begin >= 0 || !reads_input(words, count) ||
	    fcntl(STDIN_FILENO, F_GETFD) < 0)
		return 0;
	input->copy = tmpfile();
	while (input->copy && !lxfw_sbatch_signal()) {
		got = read(STDIN_FILENO, bytes, sizeof(bytes));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 || (got > 0 && fwrite(bytes, 1, (size_t)got, input->copy) != (size_t)got))
			break;
		if (got == 0 && fflush(input->copy) == 0)
			return 0;
		if (got == 0)
			break;
	}
	if (!lxfw_sbatch_signal())
		lxfw_cmd_note("standard input: %s", strerror(errno));
	if (input->copy)
		fclose(input->copy);
	input->copy = NULL;
	return -1;
}

/* Returns the descriptor for sbatch, or -1 for that of this process. */
static int rewind_input(const struct input *input)
{
	if (!input->copy) {
		if (input->begin >= 0)
			lseek(STDIN_FILENO, input->begin, SEEK_SET);
		return -1;
	}
	lseek(fileno(input->copy), 0, SEEK_SET);
	return fileno(input->copy);
}

/* --- tries ----------------------------------------------------------------------------- */

static int try_all(char *const *words, const char *told, const struct input *input)
{
	char without[LXFW_ROUTE_CLUSTERS * LXFW_ROUTE_NAME] = "";
	struct lxfw_sbatch run;

	for (int round = 0;; round++) {
		char name[LXFW_ROUTE_NAME];

		if (write_told(told, without))
			return LXFW_EXIT_BAD;
		lxfw_sbatch_run(&run, words, rewind_input(input));
		read_told(told, name);
		if (!*name || !lxfw_sbatch_was_not_sent(&run) || lxfw_sbatch_signal() ||
		    round == LXFW_ROUTE_CLUSTERS - 1) {
			fputs(run.said, stderr);
			return run.status < 0 ? LXFW_EXIT_BAD : run.status;
		}
		lxfw_cmd_note("cluster %s cannot be reached or does not take the job, which has "
			      "not been submitted; trying the next one", name);
		strcat(without, *without ? "," : "");
		strcat(without, name);
	}
}

/* Runs sbatch with the file TOLD. */
static int with_told(const struct lxfw_route_arguments *arguments, char **words, int count,
		     const char *told)
{
	char **all = calloc((size_t)count + 2, sizeof(*all));
	int status = LXFW_EXIT_BAD;
	struct input input;

	if (!all || setenv("LXFW_ROUTE_TOLD", told, 1)) {
		lxfw_cmd_note("%s", strerror(errno));
	} else if (open_input(&input, words, count) == 0) {
		all[0] = (char *)arguments->sbatch;
		memcpy(all + 1, words, (size_t)count * sizeof(*all));
		status = try_all(all, told, &input);
		if (input.copy)
			fclose(input.copy);
	}
	free(all);
	return status;
}

int lxfw_route_submit(const struct lxfw_route_arguments *arguments, char **words, int count)
{
	char told[] = "/tmp/lxfw-route.XXXXXX";
	int file, status, number;

	lxfw_sbatch_signal();	/* from here on the file is removed */
	file = mkstemp(told);
	if (file < 0) {
		lxfw_cmd_note("%s: %s", told, strerror(errno));
		return LXFW_EXIT_BAD;
	}
	close(file);
	status = with_told(arguments, words, count, told);
	unlink(told);
	number = lxfw_sbatch_signal();
	if (number && status != LXFW_EXIT_DONE)
		lxfw_sbatch_end_by(number);
	return status;
}
