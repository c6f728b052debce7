/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/comments.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/predict/squeue.h"
#include "sim-frontend/util/program.h"

#define REFUSALS 3

void lxfw_comments_clear(struct lxfw_comments *comments)
{
	for (size_t i = 0; i < comments->count; i++) {
		free(comments->jobs[i].name);
		free(comments->jobs[i].text);
	}
	free(comments->jobs);
	lxfw_id_map_clear(&comments->by_id);
	*comments = (struct lxfw_comments) { 0 };
}

/* --- reading ---------------------------------------------------------------------- */

static bool is_ours(const char *text)
{
	struct lxfw_told told;

	return lxfw_told_parse(&told, text);
}

/* Adds a pending job. Returns 0, or -1 with errno ENOMEM. */
static int add(struct lxfw_comments *comments, uint64_t id, const char *name,
	       const char *text)
{
	int32_t known = lxfw_id_map_get(&comments->by_id, id);
	struct lxfw_comment *job;

	if (known >= 0) {
		comments->jobs[known].twice = true;
		return 0;
	}
	if (LXFW_GROW(comments->jobs, comments->size, comments->count + 1))
		return -1;
	/* Slurm prints (null) for a job without one. */
	if (strcmp(text, "(null)") == 0)
		text = "";
	job = &comments->jobs[comments->count++];
	*job = (struct lxfw_comment) {
		.name = strdup(name), .text = strdup(text),
		.foreign = *text && !is_ours(text),
	};
	if (!job->name || !job->text)
		return -1;
	return lxfw_id_map_add(&comments->by_id, id, (int32_t)comments->count - 1);
}

int lxfw_comments_take(struct lxfw_comments *comments, char *output)
{
	char *rest = NULL;

	for (char *line = strtok_r(output, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		char *at = line, *mark = lxfw_squeue_field(&at), *number, *name, *end;
		uint64_t id;

		if (!mark || strcmp(mark, "PENDING") != 0)
			continue;
		number = lxfw_squeue_field(&at);
		name = number ? lxfw_squeue_field(&at) : NULL;
		id = name ? lxfw_squeue_id(number, name) : 0;
		if (id == 0)
			continue;
		/* The comment of a person may contain '|' and ends with the line. Without
		   its last '|' it continues in the next line. */
		end = at + strlen(at) - 1;
		if (end < at || *end != '|')
			end = NULL;
		else
			*end = '\0';
		if (add(comments, id, name, end ? at : "?"))
			return -1;
	}
	return 0;
}

int lxfw_comments_read(struct lxfw_comments *comments, struct lxfw_error *error)
{
	char *output = lxfw_squeue_run("PENDING", "state:|,jobid:|,jobarrayid:|,"
				       "admin_comment:|", error);
	int result = output ? lxfw_comments_take(comments, output) : -1;

	if (output && result)
		lxfw_error_set(error, "out of memory");
	free(output);
	return result;
}

/* --- writing ---------------------------------------------------------------------- */

bool lxfw_comments_expect(struct lxfw_comments *comments, uint64_t id,
			  const struct lxfw_told *told)
{
	int32_t index = lxfw_squeue_find(&comments->by_id, id);
	struct lxfw_comment *job;

	if (index < 0)
		return false;
	job = &comments->jobs[index];
	if (!job->expected ||
	    told->times[LXFW_TOLD_START] < job->told.times[LXFW_TOLD_START])
		job->told = *told;
	job->expected = true;
	return true;
}

static int by_start(const void *left, const void *right)
{
	const struct lxfw_comment *a = *(struct lxfw_comment *const *)left;
	const struct lxfw_comment *b = *(struct lxfw_comment *const *)right;
	int64_t one = a->expected ? a->told.times[LXFW_TOLD_START] : LXFW_NEVER;
	int64_t other = b->expected ? b->told.times[LXFW_TOLD_START] : LXFW_NEVER;

	if (one != other)
		return one < other ? -1 : 1;
	return (a > b) - (a < b);
}

/* Returns whether the comment has to change, and to what. */
static bool changes(const struct lxfw_comment *job, char text[LXFW_TOLD_SIZE])
{
	struct lxfw_told old;

	*text = '\0';
	if (!job->expected)
		return *job->text;
	lxfw_told_format(&job->told, text);
	return !lxfw_told_parse(&old, job->text) || lxfw_told_differs(&old, &job->told);
}

/* Returns as lxfw_program_run(). */
static int write_one(const struct lxfw_comment *job, const char *text, char *said,
		     size_t size, struct lxfw_error *error)
{
	char id[512], comment[LXFW_TOLD_SIZE + 16];
	char *arguments[] = { LXFW_SLURM_PLAINLY, LXFW_SQUEUE_PATIENTLY,
			      "scontrol", "update", id, comment, NULL };

	if ((size_t)snprintf(id, sizeof(id), "jobid=%s", job->name) >= sizeof(id)) {
		snprintf(said, size, "list of tasks too long");
		return 1;
	}
	snprintf(comment, sizeof(comment), "admincomment=%s", text);
	return lxfw_program_run(arguments, said, size, error);
}

static int write_in_order(struct lxfw_comment *const *jobs, size_t count, size_t most,
			  struct lxfw_comments_done *done, struct lxfw_error *error)
{
	char text[LXFW_TOLD_SIZE], said[512];
	int consecutive = 0, status;
	size_t tried = 0;

	for (size_t i = 0; i < count; i++) {
		if (jobs[i]->foreign || jobs[i]->twice) {
			done->foreign++;
			continue;
		}
		if (!changes(jobs[i], text)) {
			done->kept++;
			continue;
		}
		if (tried++ >= most) {
			done->left++;
			continue;
		}
		status = write_one(jobs[i], text, said, sizeof(said), error);
		if (status < 0)
			return -1;
		consecutive = status == 0 ? 0 : consecutive + 1;
		done->refused += status > 0;
		done->written += status == 0 && *text;
		done->removed += status == 0 && !*text;
		if (consecutive == REFUSALS)
			return lxfw_squeue_failed(error, "scontrol", status,
						  said);
	}
	return 0;
}

int lxfw_comments_write(struct lxfw_comments *comments, size_t most,
			struct lxfw_comments_done *done, struct lxfw_error *error)
{
	struct lxfw_comment **order = calloc(comments->count + 1, sizeof(struct lxfw_comment *));
	int result;

	*done = (struct lxfw_comments_done) { 0 };
	if (!order) {
		lxfw_error_set(error, "out of memory");
		errno = ENOMEM;
		return -1;
	}
	for (size_t i = 0; i < comments->count; i++)
		order[i] = &comments->jobs[i];
	qsort(order, comments->count, sizeof(struct lxfw_comment *), by_start);
	result = write_in_order(order, comments->count, most, done, error);
	free(order);
	return result;
}
