/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/comments.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/util/program.h"
#include "sim-frontend/util/text.h"

/* Output of squeue that is read, bytes. */
#define LISTED_MAX (64 << 20)

/* A controller that does not answer does not stop the command: see timeout(1). Seconds. */
#define PATIENCE "30"

#define ARRAY UINT64_C(0xffffffff)	/* "task" of the record of an array */
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

/* Returns the text up to the next '|' and moves *AT behind it; NULL: there is none. */
static char *field(char **at)
{
	char *begin = *at, *end = strchr(begin, '|');

	if (!end)
		return NULL;
	*end = '\0';
	*at = end + 1;
	return begin;
}

/* The id in a journal of job NUMBER that scontrol calls NAME: "17", "17_3", "17_[4-9%2]",
   "17+1". 0: none. */
static uint64_t id_of(const char *number, const char *name)
{
	const char *under = strchr(name, '_');
	int64_t job, task = -1;

	if (lxfw_text_integer(number, strlen(number), 1, UINT32_MAX, &job))
		return 0;
	if (!under)
		return (uint64_t)job;
	if (lxfw_text_integer(name, (size_t)(under - name), 1, UINT32_MAX, &job))
		return 0;
	if (under[1] == '[')
		return (uint64_t)job | ARRAY << 32;
	if (lxfw_text_integer(under + 1, strlen(under + 1), 0, UINT32_MAX - 2, &task))
		return 0;
	return (uint64_t)job | (uint64_t)(task + 1) << 32;
}

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
		char *at = line, *mark = field(&at), *number, *name, *end;
		uint64_t id;

		if (!mark || strcmp(mark, "PENDING") != 0)
			continue;
		number = field(&at);
		name = number ? field(&at) : NULL;
		id = name ? id_of(number, name) : 0;
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

/* "squeue: exit status 1: slurm_load_jobs error: ..." */
static int failed(struct lxfw_error *error, const char *program, int status, char *said)
{
	char quoted[160];

	said[strcspn(said, "\n")] = '\0';
	lxfw_error_format(error, "%s: %s: %s", program, status == 124 ?
			  "no answer within " PATIENCE " s" : "failed",
			  lxfw_text_quote(quoted, sizeof(quoted), said, strlen(said)));
	errno = EIO;
	return -1;
}

int lxfw_comments_read(struct lxfw_comments *comments, struct lxfw_error *error)
{
	/* Without SLURM_BITSTR_LEN=0, squeue shortens long lists of tasks. */
	char *arguments[] = {
		"env", "SLURM_BITSTR_LEN=0", "timeout", PATIENCE, "squeue", "--noheader",
		"--all", "--local", "--states=PENDING",
		"--Format=state:|,jobid:|,jobarrayid:|,admin_comment:|", NULL,
	};
	char *output = malloc(LISTED_MAX);
	int status;

	if (!output) {
		lxfw_error_set(error, "out of memory");
		errno = ENOMEM;
		return -1;
	}
	status = lxfw_program_run(arguments, output, LISTED_MAX, error);
	if (status > 0)
		status = failed(error, "squeue", status, output);
	if (status == 0 && lxfw_comments_take(comments, output)) {
		lxfw_error_set(error, "out of memory");
		status = -1;
	}
	free(output);
	return status;
}

/* --- writing ---------------------------------------------------------------------- */

bool lxfw_comments_expect(struct lxfw_comments *comments, uint64_t id,
			  const struct lxfw_told *told)
{
	int32_t index = lxfw_id_map_get(&comments->by_id, id);
	struct lxfw_comment *job;

	if (index < 0)
		index = lxfw_id_map_get(&comments->by_id,
					(id & UINT32_MAX) | ARRAY << 32);
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
	char *arguments[] = { "timeout", PATIENCE, "scontrol", "update", id, comment, NULL };

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
			return failed(error, "scontrol", status, said);
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
