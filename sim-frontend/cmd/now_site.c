/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/now_site.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/util/grow.h"
#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/util/guarded.h"
#include "sim-frontend/util/output.h"
#include "sim-frontend/util/text.h"

#define HEAD "lxfw-partitions 1\n"

/* More than Slurm has; and bytes. */
#define PARTITIONS_MAX 100000
#define FILE_MAX (32 << 20)

static void note(const char *text)
{
	lxfw_cmd_note("%s", text);
}

/* --- writing ---------------------------------------------------------------------- */

static int write_partitions(const struct lxfw_watch *watch, const char *path,
			    struct lxfw_error *error)
{
	size_t count;
	const struct lxfw_watch_partition *list = lxfw_watch_partitions(watch, &count);
	struct lxfw_output *output = lxfw_output_open(path, error);

	if (!output)
		return -1;
	lxfw_output_text(output, HEAD);
	for (size_t i = 0; i < count; i++) {
		const struct lxfw_watch_partition *one = &list[i];

		lxfw_output_format(output, "%s %d %d %d %d %d %d %" PRId64 " %" PRId64 " %" PRId64
				   " %" PRId64 "\n", one->name, one->set, one->tier, one->threads,
				   one->usual, one->exclusive, one->closed, one->default_time,
				   one->max_time, one->memory, one->memory_per_cpu);
	}
	lxfw_output_mode(output, 0644);	/* users read the file */
	return lxfw_output_commit(output, error);
}

static int copy(const char *from, const char *path, struct lxfw_error *error)
{
	FILE *file = fopen(from, "re");
	struct lxfw_output *output = file ? lxfw_output_open(path, error) : NULL;
	char bytes[65536];
	size_t length;

	if (!file)
		return lxfw_error_system(error, from);
	while (output && (length = fread(bytes, 1, sizeof(bytes), file)) > 0)
		lxfw_output_write(output, bytes, length);
	if (output && ferror(file)) {
		lxfw_output_abort(output);
		output = NULL;
		lxfw_error_system(error, from);
	}
	fclose(file);
	if (!output)
		return -1;
	lxfw_output_mode(output, 0644);
	return lxfw_output_commit(output, error);
}

/* Looks with a journal JOURNAL, a temporary file of FOLDER. */
static int look(const char *folder, const char *journal, struct lxfw_watch_texts *texts,
		struct lxfw_error *error)
{
	char path[4096];
	struct lxfw_params params;
	struct lxfw_watch *watch;
	int failed;

	lxfw_watch_usual(&params);
	watch = lxfw_watch_open(&params, journal, note);
	if (!watch) {
		lxfw_error_set(error, "out of memory");
		return -1;
	}
	failed = lxfw_watch_look(watch, texts, time(NULL), error);
	if (!failed && !lxfw_watch_records(watch)) {
		lxfw_error_format(error, "%s: cannot be written", journal);
		failed = -1;
	}
	snprintf(path, sizeof(path), "%s/" LXFW_SITE_PARTITIONS, folder);
	if (!failed)
		failed = write_partitions(watch, path, error);
	lxfw_watch_close(watch);
	snprintf(path, sizeof(path), "%s/" LXFW_SITE_LOOK, folder);
	return failed ? -1 : copy(journal, path, error);
}

int lxfw_now_site_write(const char *folder, struct lxfw_error *error)
{
	struct lxfw_watch_texts texts;
	char whole[PATH_MAX], journal[PATH_MAX];
	int failed;

	/* The writer of journals takes absolute paths. */
	if (!realpath(folder, whole))
		return lxfw_error_system(error, folder);
	/* One name, so that a service that is killed leaves one file at most. */
	if (snprintf(journal, sizeof(journal), "%s/.look", whole) >= (int)sizeof(journal) - 64) {
		lxfw_error_set(error, "the path is too long");
		return -1;
	}
	if (lxfw_watch_ask(&texts, error))
		return -1;
	(void)unlink(journal);
	failed = look(folder, journal, &texts, error);
	(void)unlink(journal);
	lxfw_watch_texts_clear(&texts);
	return failed;
}

/* --- reading ---------------------------------------------------------------------- */

static bool read_line(const char *line, struct lxfw_watch_partition *to)
{
	int flags[3], used = -1;

	*to = (struct lxfw_watch_partition) { 0 };
	if (sscanf(line, "%63s %" SCNd32 " %" SCNd32 " %" SCNd32 " %d %d %d %" SCNd64 " %" SCNd64
		   " %" SCNd64 " %" SCNd64 "%n", to->name, &to->set, &to->tier, &to->threads,
		   &flags[0], &flags[1], &flags[2], &to->default_time, &to->max_time, &to->memory,
		   &to->memory_per_cpu, &used) != 11 || used < 0 || line[used] != '\n')
		return false;
	to->usual = flags[0];
	to->exclusive = flags[1];
	to->closed = flags[2];
	return to->set >= 0 && to->threads >= 0 && to->default_time >= 0 && to->max_time >= 0 &&
	       to->memory >= 0 && to->memory_per_cpu >= 0;
}

static int take(const char *text, struct lxfw_watch_partition **list, size_t *count)
{
	size_t size = 0;

	if (strncmp(text, HEAD, strlen(HEAD)) != 0)
		return EINVAL;
	for (const char *line = text + strlen(HEAD), *end; *line; line = end + 1) {
		end = strchr(line, '\n');
		if (!end || *count == PARTITIONS_MAX)
			return EINVAL;
		if (LXFW_GROW(*list, size, *count + 1))
			return ENOMEM;
		if (!read_line(line, &(*list)[*count]))
			return EINVAL;
		++*count;
	}
	return 0;
}

int lxfw_now_site_parse(const char *text, struct lxfw_watch_partition **list, size_t *count)
{
	int failed;

	*list = NULL;
	*count = 0;
	failed = take(text, list, count);
	if (!failed)
		return 0;
	free(*list);
	*list = NULL;
	*count = 0;
	errno = failed;
	return -1;
}

int lxfw_now_site_partitions(const char *path, struct lxfw_watch_partition **list, size_t *count)
{
	struct lxfw_error error;
	size_t length;
	char *text = lxfw_guarded_read(path, FILE_MAX, &length, &error);
	int failed, cause;

	*list = NULL;
	*count = 0;
	if (!text)
		return -1;
	failed = lxfw_now_site_parse(text, list, count);
	cause = errno;
	free(text);
	errno = cause;
	return failed;
}
