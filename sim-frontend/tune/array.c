/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/tune/array.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sim-frontend/util/output.h"
#include "sim-frontend/util/program.h"
#include "sim-frontend/util/text.h"

/* Maximum number of attempts of a task that leaves no result. */
#define ATTEMPTS 3

/* Interval between checks of the folder, ms, and the number of checks per query of the
   controller, which limits its load. */
#define LOOK_EVERY 200
#define LOOKS_PER_QUESTION 10

/* Number of checks to wait for a file after its task has ended. Network file systems
   show files of other hosts with a delay. */
#define GRACE 25

#define SAID 4096
#define WORDS_MAX 64

/* The current round. */
struct array_run {
	struct lxfw_tune_array *array;
	char *folder;		/* folder of the round */
	size_t count;		/* number of settings */
	int parts;
	bool taken[LXFW_PARTS_MAX + 1];
	int missing;
	char job[32];
	double *values;
	void (*tried)(void *context, size_t i);
	void *context;
};

static int out_of_memory(struct lxfw_error *error)
{
	lxfw_error_set(error, "out of memory");
	errno = ENOMEM;
	return -1;
}

/* ---- files of a round ------------------------------------------------------------ */

/* Writes a word with the quotes that a shell needs. */
static void put_quoted(struct lxfw_output *output, const char *word)
{
	lxfw_output_text(output, "'");
	for (; *word; word++) {
		if (*word == '\'')
			lxfw_output_text(output, "'\\''");
		else
			lxfw_output_write(output, word, 1);
	}
	lxfw_output_text(output, "'");
}

static int write_script(const struct array_run *run, const char *path,
			struct lxfw_error *error)
{
	struct lxfw_output *output = lxfw_output_open(path, error);
	char parts[16];

	if (!output)
		return -1;
	snprintf(parts, sizeof(parts), "%d", run->parts);
	lxfw_output_text(output, "#!/bin/sh\nexec");
	for (int i = 0; run->array->command[i]; i++) {
		if (i == 2) {
			lxfw_output_text(output, " --part "
					 "\"$SLURM_ARRAY_TASK_ID/");
			lxfw_output_text(output, parts);
			lxfw_output_text(output, ":\"");
			put_quoted(output, run->folder);
		}
		lxfw_output_text(output, " ");
		put_quoted(output, run->array->command[i]);
	}
	lxfw_output_text(output, "\n");
	return lxfw_output_commit(output, error);
}

/* ---- the controller -------------------------------------------------------------- */

/* Lists the missing tasks: "1-8", or "3,7". */
static void list_missing(const struct array_run *run, char *list, size_t size)
{
	size_t used = 0;

	*list = '\0';
	for (int i = 1; i <= run->parts && used < size; i++) {
		int last = i;

		if (run->taken[i])
			continue;
		while (last < run->parts && !run->taken[last + 1])
			last++;
		used += (size_t)snprintf(list + used, size - used,
			last > i ? "%s%d-%d" : "%s%d", used ? "," : "", i, last);
		i = last;
	}
}

/* Reads the job id from sbatch's output, where it is at the end of a line. */
static int take_id(struct array_run *run, const char *said,
		   struct lxfw_error *error)
{
	for (const char *line = said; line; line = strchr(line, '\n')) {
		size_t digits;

		line += *line == '\n';
		digits = strspn(line, "0123456789");
		if (digits > 0 && digits < sizeof(run->job) &&
		    (line[digits] == '\n' || line[digits] == ';' ||
		     line[digits] == '\0')) {
			memcpy(run->job, line, digits);
			run->job[digits] = '\0';
			return 0;
		}
	}
	return lxfw_error_format(error, "sbatch: no job ID in '%.300s'",
				 said);
}

/* Splits further options into words, in place. */
static int add_words(char **arguments, int count, char *words)
{
	char *rest = NULL;

	for (char *word = strtok_r(words, " \t", &rest); word;
	     word = strtok_r(NULL, " \t", &rest)) {
		if (count < WORDS_MAX)
			arguments[count++] = word;
	}
	return count;
}

static int submit(struct array_run *run, const char *script,
		  struct lxfw_error *error)
{
	static char program[] = "sbatch", parsable[] = "--parsable";
	static char name[] = "--job-name=lxfw-tune";
	char list[2048], array[sizeof(list) + 16], said[SAID];
	char *out = lxfw_part_path(run->folder, "out-%a", 0);
	char *words = strdup(run->array->sbatch ? run->array->sbatch : "");
	char *output = out && words ? malloc(strlen(out) + 16) : NULL;
	char *arguments[WORDS_MAX + 8] = { program, parsable, name };
	int count = 3, status = -1;

	if (output) {
		list_missing(run, list, sizeof(list));
		snprintf(array, sizeof(array), "--array=%s", list);
		sprintf(output, "--output=%s", out);
		arguments[count++] = array;
		arguments[count++] = output;
		count = add_words(arguments, count, words);
		arguments[count++] = (char *)script;
		arguments[count] = NULL;
		status = lxfw_program_run(arguments, said, sizeof(said), error);
	} else {
		out_of_memory(error);
	}
	free(out);
	free(words);
	free(output);
	if (status > 0) {
		said[strcspn(said, "\n")] = '\0';
		lxfw_error_format(error, "%.300s", *said ? said :
				  "sbatch failed");
	}
	return status == 0 ? take_id(run, said, error) : -1;
}

static void cancel(const struct array_run *run)
{
	static char program[] = "scancel";
	char job[sizeof(run->job)], said[SAID];
	char *arguments[] = { program, job, NULL };
	struct lxfw_error error;
	int status;

	strcpy(job, run->job);
	status = lxfw_program_run(arguments, said, sizeof(said), &error);
	said[strcspn(said, "\n")] = '\0';
	if (status != 0)
		run->array->note("job %s could not be cancelled: %s", job,
				 status < 0 ? error.text : said);
}

/* Returns whether no task of the array is left. If the controller does not respond,
   the array is assumed to exist. */
static bool is_over(const struct array_run *run)
{
	static char program[] = "squeue", plain[] = "--noheader",
		    format[] = "--format=%i", which[] = "--jobs";
	char job[sizeof(run->job)], said[SAID];
	char *arguments[] = { program, plain, format, which, job, NULL };
	struct lxfw_error error;
	int status;

	strcpy(job, run->job);
	status = lxfw_program_run(arguments, said, sizeof(said), &error);
	if (status > 0)
		return strstr(said, "Invalid job id");
	return status == 0 && said[strspn(said, " \t\n")] == '\0';
}

/* ---- waiting --------------------------------------------------------------------- */

static int take_parts(struct array_run *run, struct lxfw_error *error)
{
	for (int i = 1; i <= run->parts; i++) {
		int result;

		if (run->taken[i])
			continue;
		result = lxfw_part_take(run->folder, i, run->parts, run->count,
					run->array->numbers, run->array->mark,
					run->values, error);
		if (result < 0)
			return -1;
		if (result == 0)
			continue;
		run->taken[i] = true;
		run->missing--;
		for (size_t j = (size_t)i - 1; j < run->count;
		     j += (size_t)run->parts)
			run->tried(run->context, j);
	}
	return 0;
}

static void wait_a_little(void)
{
	struct timespec time = { .tv_nsec = LOOK_EVERY * 1000000L };

	nanosleep(&time, NULL);
}

/* Waits until all parts exist or the array has ended. Returns 0, 1 if stopped, or -1. */
static int wait_for(struct array_run *run, struct lxfw_error *error)
{
	int looks = 0, over = 0;

	while (run->missing > 0 && over < GRACE) {
		if (run->array->stop())
			return 1;
		wait_a_little();
		if (take_parts(run, error))
			return -1;
		if (over > 0)
			over++;
		else if (++looks % LOOKS_PER_QUESTION == 0)
			over = is_over(run);
	}
	return 0;
}

/* ---- a round --------------------------------------------------------------------- */

static int run_array(struct array_run *run, const char *script,
		     struct lxfw_error *error)
{
	char list[256];

	for (int i = 0; i < ATTEMPTS && run->missing > 0; i++) {
		int result;

		if (i > 0) {
			list_missing(run, list, sizeof(list));
			run->array->note("tasks %s of job %s left no result "
				"(see %s/out-*), running them again", list,
				run->job, run->folder);
		}
		if (submit(run, script, error))
			return -1;
		result = wait_for(run, error);
		if (result != 0 && run->missing > 0)
			cancel(run);
		if (result != 0)
			return result;
	}
	if (run->missing == 0)
		return 0;
	list_missing(run, list, sizeof(list));
	lxfw_error_format(error, "tasks %s of job %s left no result in %d "
			  "attempts, see %s/out-*", list, run->job, ATTEMPTS,
			  run->folder);
	errno = EIO;
	return -1;
}

static int prepare(struct array_run *run, const char *const *lines,
		   char **script, struct lxfw_error *error)
{
	if (mkdir(run->folder, 0777) && errno != EEXIST)
		return lxfw_error_system(error, run->folder);
	*script = lxfw_part_path(run->folder, "task.sh", 0);
	if (!*script)
		return out_of_memory(error);
	/* remove files of an earlier search in this folder */
	for (int i = 1; i <= LXFW_PARTS_MAX; i++) {
		char *path = lxfw_part_path(run->folder, "part", i);

		if (path && unlink(path) && errno != ENOENT) {
			lxfw_error_system(error, path);
			free(path);
			return -1;
		}
		free(path);
	}
	return lxfw_round_write(run->folder, lines, run->count,
				run->array->mark, error) ||
	       write_script(run, *script, error) ? -1 : 0;
}

int lxfw_tune_array_try(struct lxfw_tune_array *array, const char *const *lines,
			size_t count, double *values,
			void (*tried)(void *context, size_t i), void *context,
			struct lxfw_error *error)
{
	struct array_run run = {
		.array = array, .count = count, .values = values,
		.tried = tried, .context = context,
	};
	char *script = NULL;
	int result = -1;

	if (count == 0)
		return 0;
	run.parts = (size_t)array->tasks < count ? array->tasks : (int)count;
	run.missing = run.parts;
	run.folder = lxfw_part_path(array->folder, "round", ++array->round);
	if (!run.folder)
		return out_of_memory(error);
	if (prepare(&run, lines, &script, error) == 0)
		result = run_array(&run, script, error);
	free(script);
	free(run.folder);
	return result;
}

static void tidy(const char *folder, const char *name, int number)
{
	char *path = lxfw_part_path(folder, name, number);

	if (path)
		unlink(path);
	free(path);
}

void lxfw_tune_array_tidy(const struct lxfw_tune_array *array)
{
	for (int i = 1; i <= array->round; i++) {
		char *folder = lxfw_part_path(array->folder, "round", i);

		for (int j = 1; folder && j <= array->tasks; j++) {
			tidy(folder, "part", j);
			tidy(folder, "out", j);
		}
		if (folder) {
			tidy(folder, "settings", 0);
			tidy(folder, "task.sh", 0);
			rmdir(folder);
		}
		free(folder);
	}
}
