/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/route/jobs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "common/util/grow.h"
#include "sim-frontend/predict/squeue.h"
#include "sim-frontend/util/program.h"
#include "sim-frontend/util/text.h"

#define PATIENCE "10"		/* seconds for squeue */
#define OUTPUT_MAX (16 << 20)
#define COMMENT "lxfw:route:"

void lxfw_route_jobs_clear(struct lxfw_route_jobs *jobs)
{
	free(jobs->list);
	*jobs = (struct lxfw_route_jobs) { 0 };
}

bool lxfw_route_comment_take(const char *comment, char marker[LXFW_ROUTE_MARKER],
			     int64_t *serial)
{
	size_t head = sizeof(COMMENT) - 1, length;

	if (strncmp(comment, COMMENT, head) != 0)
		return false;
	comment += head;
	length = strcspn(comment, ":");
	if (length != LXFW_ROUTE_MARKER - 1)
		return false;
	memcpy(marker, comment, length);
	marker[length] = '\0';
	*serial = 0;
	comment += length;
	return lxfw_route_marker_is_valid(marker) &&
	       (!*comment || lxfw_text_integer(comment + 1, strlen(comment + 1), 1, INT32_MAX,
					       serial) == 0);
}

/* --- squeue --------------------------------------------------------------------------- */

static bool is_one_of(const char *word, const char *const *words)
{
	for (; *words; words++) {
		if (strcmp(word, *words) == 0)
			return true;
	}
	return false;
}

static enum lxfw_move_seen seen_of(const char *state, const char *reason)
{
	static const char *const ended[] = {
		"COMPLETED", "FAILED", "TIMEOUT", "NODE_FAIL", "PREEMPTED", "BOOT_FAIL",
		"DEADLINE", "OUT_OF_MEMORY", NULL,
	};
	static const char *const waits[] = {
		"PENDING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT", NULL,
	};

	if (strcmp(state, "CANCELLED") == 0)
		return LXFW_SEEN_CANCELLED;
	if (is_one_of(state, ended))
		return LXFW_SEEN_ENDED;
	if (!is_one_of(state, waits))
		return LXFW_SEEN_STARTED;
	return strncmp(reason, "JobHeld", 7) == 0 ? LXFW_SEEN_HELD : LXFW_SEEN_WAITS;
}

/* Returns the text up to the next '|' and moves *AT behind it, or NULL. */
static char *field(char **at)
{
	char *begin = *at, *end = strchr(begin, '|');

	if (!end)
		return NULL;
	*end = '\0';
	*at = end + 1;
	return begin;
}

static int take_line(struct lxfw_route_jobs *jobs, int cluster, char *line)
{
	static const char *const turn[] = { "None", "Priority", "Resources", NULL };
	char *number = field(&line), *id = number ? field(&line) : NULL;
	char *state = id ? field(&line) : NULL, *reason = state ? field(&line) : NULL;
	char *dependency = reason ? field(&line) : NULL;
	struct lxfw_route_job job = { .cluster = cluster };

	if (!dependency || !lxfw_route_comment_take(line, job.marker, &job.serial) ||
	    lxfw_text_integer(number, strlen(number), 1, UINT32_MAX, &job.number))
		return 0;
	job.seen = seen_of(state, reason);
	job.may_move = strcmp(number, id) == 0 && job.seen == LXFW_SEEN_WAITS &&
		       is_one_of(reason, turn) &&
		       (!*dependency || strcmp(dependency, "(null)") == 0);
	if (LXFW_GROW(jobs->list, jobs->size, jobs->count + 1))
		return -1;
	jobs->list[jobs->count++] = job;
	return 0;
}

int lxfw_route_jobs_take(struct lxfw_route_jobs *jobs, int cluster, const char *mark, char *text)
{
	char *rest = NULL;

	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char *first = field(&line);

		if (first && strcmp(first, mark) == 0 && take_line(jobs, cluster, line))
			return -1;
	}
	return 0;
}

/* Runs squeue for a cluster. Returns its output, to be freed, or NULL. */
static char *run(const char *cluster, const char *user, const char *states, const char *format)
{
	char name[LXFW_ROUTE_NAME + 16], user_option[40], state_option[40], format_option[80];
	char *const arguments[] = {
		LXFW_SLURM_PLAINLY, "timeout", "-k", "1", PATIENCE,
		"squeue", "--noheader", "--all", name,
		state_option, format_option, *user ? user_option : NULL, NULL,
	};
	char *output = malloc(OUTPUT_MAX);
	struct lxfw_error error;

	snprintf(name, sizeof(name), "--clusters=%s", cluster);
	snprintf(user_option, sizeof(user_option), "--user=%s", user);
	snprintf(state_option, sizeof(state_option), "--states=%s", states);
	snprintf(format_option, sizeof(format_option), "--format=%s", format);
	if (output && lxfw_program_read(arguments, output, OUTPUT_MAX, &error) == 0)
		return output;
	free(output);
	return NULL;
}

static void forget(struct lxfw_route_jobs *jobs, int cluster)
{
	size_t kept = 0;

	for (size_t i = 0; i < jobs->count; i++) {
		if (jobs->list[i].cluster != cluster)
			jobs->list[kept++] = jobs->list[i];
	}
	jobs->count = kept;
	jobs->answered[cluster] = false;
}

int lxfw_route_jobs_list(struct lxfw_route_jobs *jobs, const struct lxfw_route_conf *conf,
			 unsigned uid, int cluster)
{
	char user[16], mark[20], format[60];
	uint64_t random;

	if (getrandom(&random, sizeof(random), 0) != sizeof(random))
		return -1;
	snprintf(mark, sizeof(mark), "%016llx", (unsigned long long)random);
	snprintf(format, sizeof(format), "%s|%%A|%%i|%%T|%%r|%%E|%%k", mark);
	snprintf(user, sizeof(user), "%u", uid);
	for (int i = 0; i < conf->count; i++) {
		char *output;
		int failed;

		if (cluster >= 0 && i != cluster)
			continue;
		forget(jobs, i);
		output = run(conf->list[i].name, user, "all", format);
		if (!output)
			continue;
		jobs->answered[i] = true;
		failed = lxfw_route_jobs_take(jobs, i, mark, output);
		free(output);
		if (failed)
			return -1;
	}
	return 0;
}

const struct lxfw_route_job *lxfw_route_jobs_find(const struct lxfw_route_jobs *jobs,
						  const char *marker, int64_t serial, int cluster,
						  int *count)
{
	const struct lxfw_route_job *found = NULL;

	*count = 0;
	for (size_t i = 0; i < jobs->count; i++) {
		const struct lxfw_route_job *job = &jobs->list[i];

		if (job->serial != serial || strcmp(job->marker, marker) != 0 ||
		    (cluster >= 0 && job->cluster != cluster))
			continue;
		found = job;
		(*count)++;
	}
	return *count == 1 ? found : NULL;
}

/* --- users ---------------------------------------------------------------------------- */

struct users {
	unsigned *list;
	size_t count, size;
};

static int add_user(struct users *users, unsigned uid)
{
	for (size_t i = 0; i < users->count; i++) {
		if (users->list[i] == uid)
			return 0;
	}
	if (LXFW_GROW(users->list, users->size, users->count + 1))
		return -1;
	users->list[users->count++] = uid;
	return 0;
}

static int take_users(struct users *users, char *text)
{
	char *rest = NULL;
	int64_t uid;

	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		if (lxfw_text_integer(line, strlen(line), 0, UINT32_MAX - 1, &uid) == 0 &&
		    add_user(users, (unsigned)uid))
			return -1;
	}
	return 0;
}

int lxfw_route_users(const struct lxfw_route_conf *conf, unsigned **uids)
{
	struct users users = { 0 };

	for (int i = 0; i < conf->count; i++) {
		/* No text of a user, which might look like a line for another one. */
		char *output = run(conf->list[i].name, "", "all", "%U");
		int failed = output ? take_users(&users, output) : 0;

		free(output);
		if (failed) {
			free(users.list);
			errno = ENOMEM;
			return -1;
		}
	}
	*uids = users.list;
	return (int)users.count;
}
