/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/watch/texts_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/trace/names.h"
#include "sim-frontend/util/guarded.h"
#include "sim-frontend/util/output.h"
#include "sim-frontend/util/text.h"
#include "sim-frontend/watch/job_line.h"
#include "sim-frontend/watch/watch.h"

/* The time, and whether jobs are missing. The tables follow, each after its length in bytes. */
#define HEAD "lxfw-look 1 "

#define FILE_MAX (1 << 30)
#define TIME_MAX (INT64_C(1) << 40)
#define TABLES 7

static char **table_of(struct lxfw_watch_texts *texts, int i)
{
	char **const tables[TABLES] = {
		&texts->config, &texts->nodes, &texts->partitions, &texts->reservations,
		&texts->licenses, &texts->jobs, &texts->excluded,
	};

	return tables[i];
}

/* --- writing ---------------------------------------------------------------------- */

/* Jobs without the names of users, while they are written. */
struct masking {
	struct lxfw_names users, groups;
	FILE *out;
};

/* Returns 0, or -1 if memory runs out. */
static int put_field(struct masking *masking, int number, const char *at, size_t length)
{
	char said[sizeof(((struct lxfw_watch_said *)0)->text)];
	int32_t index;

	if (number == LXFW_WATCHED_SAID) {
		snprintf(said, sizeof(said), "%.*s", (int)length, at);
		fprintf(masking->out, "%s", length < sizeof(said) && lxfw_watch_said_to_all(said) ? said :
				      "Other");
		return 0;
	}
	if (number != LXFW_WATCHED_USER && number != LXFW_WATCHED_GROUP) {
		fwrite(at, 1, length, masking->out);
		return 0;
	}
	index = lxfw_names_add(number == LXFW_WATCHED_USER ? &masking->users : &masking->groups, at, length);
	fprintf(masking->out, "%d", (int)index);
	return index < 0 ? -1 : 0;
}

/* The fields of all lines: no field contains their ends. */
static int put_jobs(struct masking *masking, const char *jobs)
{
	static const char ends[] = { LXFW_WATCHED_END, '\n', '\0' };
	int number = 0;

	while (*jobs) {
		size_t length = strcspn(jobs, ends);

		if (put_field(masking, number, jobs, length))
			return -1;
		jobs += length;
		if (!*jobs)
			break;
		number = *jobs == '\n' ? 0 : number + 1;
		fputc(*jobs++, masking->out);
	}
	return 0;
}

/* Returns the jobs without users, to be freed, or NULL with errno ENOMEM. */
static char *mask(const char *jobs)
{
	struct masking masking = { .out = NULL };
	char *text = NULL;
	size_t length;
	int failed;

	masking.out = open_memstream(&text, &length);
	if (!masking.out)
		return NULL;
	failed = put_jobs(&masking, jobs);
	failed |= ferror(masking.out);
	failed |= fclose(masking.out);
	lxfw_names_clear(&masking.users);
	lxfw_names_clear(&masking.groups);
	if (!failed)
		return text;
	free(text);
	errno = ENOMEM;
	return NULL;
}

int lxfw_watch_texts_write(const struct lxfw_watch_texts *texts, int64_t now, const char *path,
			   struct lxfw_error *error)
{
	struct lxfw_watch_texts masked = *texts;
	struct lxfw_output *output = NULL;
	int saved;

	masked.jobs = mask(texts->jobs ? texts->jobs : "");
	if (!masked.jobs) {
		lxfw_error_set(error, "out of memory");
		return -1;
	}
	output = lxfw_output_replace(path, error);
	if (output)
		lxfw_output_format(output, HEAD "%" PRId64 " %d\n", now, texts->cut);
	for (int i = 0; i < TABLES && output; i++) {
		const char *table = *table_of(&masked, i);

		lxfw_output_format(output, "%zu\n", table ? strlen(table) : 0);
		lxfw_output_text(output, table ? table : "");
		lxfw_output_text(output, "\n");
	}
	saved = errno;
	free(masked.jobs);
	errno = saved;
	if (!output)
		return -1;
	lxfw_output_mode(output, 0644);	/* users read the file */
	return lxfw_output_commit(output, error);
}

/* --- reading ---------------------------------------------------------------------- */

/* Takes the table at *AT, and moves *AT behind it. Returns it, to be freed, or NULL with errno set. */
static char *take_table(const char **at, const char *end)
{
	const char *line = memchr(*at, '\n', (size_t)(end - *at));
	int64_t length;
	char *table;

	if (!line || lxfw_text_integer(*at, (size_t)(line - *at), 0, FILE_MAX, &length) ||
	    length >= end - line - 1 || line[1 + length] != '\n' ||
	    memchr(line + 1, '\0', (size_t)length)) {
		errno = EINVAL;
		return NULL;
	}
	table = malloc((size_t)length + 1);
	if (!table)
		return NULL;
	memcpy(table, line + 1, (size_t)length);
	table[length] = '\0';
	*at = line + 1 + length + 1;
	return table;
}

static int parse(struct lxfw_watch_texts *texts, int64_t *now, const char *content, const char *end)
{
	int cut, used = -1;

	if (sscanf(content, HEAD "%" SCNd64 " %d%n", now, &cut, &used) != 2 || used < 0 ||
	    content[used] != '\n' || *now < 0 || *now > TIME_MAX) {
		errno = EINVAL;
		return -1;
	}
	texts->cut = cut;
	content += used + 1;
	for (int i = 0; i < TABLES; i++) {
		*table_of(texts, i) = take_table(&content, end);
		if (!*table_of(texts, i))
			return -1;
	}
	if (content == end)
		return 0;
	errno = EINVAL;
	return -1;
}

int lxfw_watch_texts_parse(struct lxfw_watch_texts *texts, int64_t *now, const char *content,
			   size_t length)
{
	*texts = (struct lxfw_watch_texts) { .cut = false };
	if (parse(texts, now, content, content + length) == 0)
		return 0;
	lxfw_watch_texts_clear(texts);
	return -1;
}

int lxfw_watch_texts_read(struct lxfw_watch_texts *texts, int64_t *now, const char *path,
			  struct lxfw_error *error)
{
	size_t length;
	char *content;
	int failed, saved;

	*texts = (struct lxfw_watch_texts) { .cut = false };
	content = lxfw_guarded_read(path, FILE_MAX, &length, error);
	if (!content)
		return -1;
	failed = lxfw_watch_texts_parse(texts, now, content, length);
	saved = errno;
	free(content);
	errno = saved;
	if (failed && errno == EINVAL)
		lxfw_error_at(error, path, 0, "damaged, or not a look that a site publishes");
	else if (failed)
		lxfw_error_set(error, "out of memory");
	return failed;
}
