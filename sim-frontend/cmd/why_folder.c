/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/why_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/util/grow.h"
#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/why_collect.h"
#include "sim-frontend/util/output.h"

#define SUFFIX ".why"
#define NAME_SIZE 64	/* of "4711_3.why" */
#define COMPLAINTS 10	/* messages about files, at most */

/* The jobs that wait at the end, in the order of their ids. */
struct jobs {
	struct lxfw_why_collect *list;
	size_t count, size;
	struct lxfw_id_map by_id;	/* position in `list` */
	int64_t now;		/* time of the last record */
};

static void clear(struct jobs *jobs)
{
	for (size_t i = 0; i < jobs->count; i++)
		lxfw_why_collect_clear(&jobs->list[i]);
	free(jobs->list);
	lxfw_id_map_clear(&jobs->by_id);
}

/* --- following them ------------------------------------------------------------------- */

static int segment(void *context)
{
	struct jobs *jobs = context;

	for (size_t i = 0; i < jobs->count; i++)
		lxfw_why_segment(&jobs->list[i]);
	return 0;
}

static int event(void *context, struct lxfw_replayer *replay, const struct lxfw_event *event)
{
	struct jobs *jobs = context;
	uint64_t job = lxfw_event_job(event);
	int32_t at = job ? lxfw_id_map_get(&jobs->by_id, job) : -1;

	(void)replay;
	jobs->now = event->time;
	return at < 0 ? 0 : lxfw_why_take(&jobs->list[at], event);
}

static int decision(void *context, struct lxfw_replayer *replay)
{
	struct jobs *jobs = context;

	jobs->now = replay->recorded.now;
	for (size_t i = 0; i < jobs->count; i++) {
		if (lxfw_why_decision(&jobs->list[i], replay))
			return -1;
	}
	return 0;
}

/* Returns 0, or -1 after a message. */
static int replay_all(const struct lxfw_journals *journals, struct lxfw_replayer *replay)
{
	struct lxfw_error error;

	for (size_t i = 0; i < journals->count && !replay->over; i++) {
		if (lxfw_replayer_file(replay, journals->paths[i], &error)) {
			lxfw_replayer_bad(replay, &error);
			return -1;
		}
	}
	return 0;
}

static int by_id(const void *one, const void *other)
{
	uint64_t a = ((const struct lxfw_why_collect *)one)->wanted;
	uint64_t b = ((const struct lxfw_why_collect *)other)->wanted;

	return (a > b) - (a < b);
}

static int add_job(struct jobs *jobs, uint64_t id, bool dates, const struct lxfw_replayer *shown)
{
	if (LXFW_GROW(jobs->list, jobs->size, jobs->count + 1))
		return -1;
	jobs->list[jobs->count++] = (struct lxfw_why_collect){
		.wanted = id, .why.names = &shown->names, .why.pools = &shown->pools,
		.why.extras = &shown->extras, .why.dates = dates, .why.nameless = true,
	};
	return 0;
}

/* Returns 0, or -1 with errno ENOMEM. */
static int list_waiting(struct jobs *jobs, const struct lxfw_replayer *replay, bool dates,
			const struct lxfw_replayer *shown)
{
	for (size_t i = 0; i < replay->jobs.count; i++) {
		const struct lxfw_replay_job *job = &replay->jobs.jobs[i];

		if (!job->id || job->state != LXFW_REPLAY_WAITING)
			continue;
		if (add_job(jobs, job->id, dates, shown))
			return -1;
	}
	/* One that the scheduler has as well is stated to be kept before its end there. */
	for (size_t i = 0; i < replay->kept.count; i++) {
		if (!lxfw_replay_jobs_find(&replay->jobs, replay->kept.jobs[i].id) &&
		    add_job(jobs, replay->kept.jobs[i].id, dates, shown))
			return -1;
	}
	if (jobs->count > 0)
		qsort(jobs->list, jobs->count, sizeof(*jobs->list), by_id);
	for (size_t i = 0; i < jobs->count; i++) {
		if (lxfw_id_map_add(&jobs->by_id, jobs->list[i].wanted, (int32_t)i))
			return -1;
	}
	return 0;
}

static int find_waiting(struct jobs *jobs, const struct lxfw_why_folder *folder,
			const struct lxfw_journals *journals,
			const struct lxfw_replayer *shown)
{
	const struct lxfw_replayer_hooks none = { 0 };
	struct lxfw_replayer replay = {
		.hooks = &none, .until = folder->until, .script = folder->script,
	};
	int result = replay_all(journals, &replay);

	if (result == 0 && list_waiting(jobs, &replay, folder->dates, shown)) {
		lxfw_cmd_note("out of memory");
		result = -1;
	}
	lxfw_replayer_clear(&replay);
	return result;
}

/* --- files ------------------------------------------------------------------------------ */

static void name_of(const struct lxfw_why *why, char name[NAME_SIZE])
{
	lxfw_job_names_text(why->names, why->job, name, NAME_SIZE - sizeof(SUFFIX));
	strcat(name, SUFFIX);
}

/* Returns the path in the folder, or NULL after a message. */
static char *path_of(const struct lxfw_why_folder *folder, const char *name)
{
	char *path = NULL;

	if (asprintf(&path, "%s/%s", folder->path, name) >= 0)
		return path;
	lxfw_cmd_note("out of memory");
	return NULL;
}

static int write_text(const struct lxfw_why *why, const char *path, bool complain)
{
	struct lxfw_error error;
	struct lxfw_output *output;
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	if (!out) {
		lxfw_cmd_note("out of memory");
		return -1;
	}
	lxfw_why_text(why, out);
	if (ferror(out) | fclose(out)) {
		lxfw_cmd_note("out of memory");
		free(text);
		return -1;
	}
	output = lxfw_output_open(path, &error);
	if (output)
		lxfw_output_write(output, text, length);
	free(text);
	if (output && lxfw_output_commit(output, &error) == 0)
		return 0;
	if (complain)
		lxfw_cmd_bad(&error);
	return -1;
}

/* Each file is of another user: one that cannot be written does not stop the others. */
static int write_files(const struct lxfw_why_folder *folder, const struct jobs *jobs)
{
	size_t failed = 0;

	for (size_t i = 0; i < jobs->count; i++) {
		const struct lxfw_why *why = &jobs->list[i].why;
		char name[NAME_SIZE], *path;

		if (why->state != LXFW_WHY_WAITING && why->state != LXFW_WHY_NOT_ELIGIBLE &&
		    why->state != LXFW_WHY_LEFT)
			continue;
		name_of(why, name);
		path = path_of(folder, name);
		failed += !path || write_text(why, path, failed < COMPLAINTS);
		free(path);
	}
	if (failed > COMPLAINTS)
		lxfw_cmd_note("%s: %zu files could not be written", folder->path, failed);
	return failed > 0 ? -1 : 0;
}

/* Returns true if a file of the folder is of a job: "4711.why", "7_3.why", "17#2.why". */
static bool is_ours(const char *name)
{
	size_t length = strspn(name, "0123456789_#");

	return length > 0 && strcmp(name + length, SUFFIX) == 0;
}

static int by_text(const void *one, const void *other)
{
	return strcmp(one, other);
}

/* Sets *NAMES to the sorted names of the files of all jobs, which the caller frees. Returns
   0, or -1 after a message. */
static int name_all(const struct jobs *jobs, char (**names)[NAME_SIZE])
{
	*names = calloc(jobs->count + 1, sizeof(**names));
	if (!*names) {
		lxfw_cmd_note("out of memory");
		return -1;
	}
	for (size_t i = 0; i < jobs->count; i++)
		name_of(&jobs->list[i].why, (*names)[i]);
	qsort(*names, jobs->count, sizeof(**names), by_text);
	return 0;
}

/* Removes the files of jobs that do not wait any more. */
static int remove_others(const struct lxfw_why_folder *folder, const struct jobs *jobs)
{
	char (*names)[NAME_SIZE];
	DIR *list = opendir(folder->path);
	const struct dirent *entry;
	size_t failed = 0;
	int result;

	if (!list) {
		lxfw_cmd_note("%s: %s", folder->path, strerror(errno));
		return -1;
	}
	result = name_all(jobs, &names);
	while (result == 0 && (entry = readdir(list))) {
		if (!is_ours(entry->d_name) ||
		    (strlen(entry->d_name) < NAME_SIZE &&
		     bsearch(entry->d_name, names, jobs->count, sizeof(*names), by_text)))
			continue;
		if (unlinkat(dirfd(list), entry->d_name, 0) && errno != ENOENT) {
			if (failed++ < COMPLAINTS)
				lxfw_cmd_note("%s/%s: %s", folder->path, entry->d_name,
					      strerror(errno));
		}
	}
	free(names);
	closedir(list);
	return result || failed > 0 ? -1 : 0;
}

/* Both, so that no file of a job that started stays. */
static int update(const struct lxfw_why_folder *folder, const struct jobs *jobs)
{
	int written = write_files(folder, jobs), removed = remove_others(folder, jobs);

	return written || removed ? -1 : 0;
}

/* --- all -------------------------------------------------------------------------------- */

static int explain(const struct lxfw_why_folder *folder, struct jobs *jobs,
		   struct lxfw_replayer *replay)
{
	jobs->now = lxfw_replayer_settle(replay, jobs->now);
	for (size_t i = 0; i < jobs->count; i++)
		jobs->list[i].why.now = jobs->now;
	if (lxfw_why_finish_all(jobs->list, jobs->count, &jobs->by_id, folder->changes,
				replay)) {
		lxfw_cmd_note("out of memory");
		return -1;
	}
	return 0;
}

int lxfw_why_folder(const struct lxfw_why_folder *folder, const struct lxfw_journals *journals)
{
	struct jobs jobs = { 0 };
	const struct lxfw_replayer_hooks hooks = {
		.context = &jobs, .segment = segment, .event = event, .decision = decision,
	};
	struct lxfw_replayer replay = {
		.hooks = &hooks, .until = folder->until, .script = folder->script,
	};
	int status = LXFW_EXIT_BAD;

	if (find_waiting(&jobs, folder, journals, &replay) == 0 &&
	    replay_all(journals, &replay) == 0) {
		lxfw_replayer_note_trial(&replay);
		if (explain(folder, &jobs, &replay) == 0 &&
		    update(folder, &jobs) == 0) {
			printf("%zu jobs wait\n", jobs.count);
			status = lxfw_cmd_finish(LXFW_EXIT_DONE);
		}
	}
	clear(&jobs);
	lxfw_replayer_clear(&replay);
	return status;
}
