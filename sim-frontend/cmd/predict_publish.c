/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/predict_publish.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/explain.h"
#include "sim-frontend/cmd/now.h"
#include "sim-frontend/cmd/now_site.h"
#include "sim-frontend/cmd/predict_silent.h"
#include "sim-frontend/publish/listed.h"
#include "sim-frontend/publish/outlook.h"
#include "sim-frontend/publish/owned.h"
#include "sim-frontend/publish/publish.h"
#include "sim-frontend/report/queue.h"
#include "sim-frontend/util/text.h"

/* The quality is that of this time, seconds. */
#define QUALITY (14 * INT64_C(86400))

/* A publication is used for this time at least, and for three rounds, seconds. */
#define VALID 1800

/* The usual number of moments of the past that are computed (--moments). */
#define ENOUGH_MOMENTS 100

/* Processor time of the table of starts, estimated, seconds; its usual number of cells; and the
   fewest futures of each. */
#define STARTS_BUDGET 60.0
#define STARTS_CELLS 200
#define STARTS_FUTURES 15

static int out_of_memory(void)
{
	lxfw_cmd_note("out of memory");
	return LXFW_EXIT_BAD;
}

static const char *path_in(const char *folder, const char *name, char path[4096])
{
	snprintf(path, 4096, "%s/%s", folder, name);
	return path;
}

/* --- earlier predictions ---------------------------------------------------------- */

/* Users want to know when jobs start, also where it is not known how good that is: a data base that
   cannot be read or written, as on a full disk, is no failure. */
static int without_records(const struct lxfw_error *error)
{
	lxfw_cmd_note("%s; nothing is learned from what was published", error->text);
	return 0;
}

int lxfw_predict_records(const struct lxfw_predict_arguments *arguments,
			 struct lxfw_records **records)
{
	struct lxfw_error error;
	char path[4096];

	if (strlen(arguments->publish) > sizeof(path) - 64) {
		lxfw_cmd_note("--publish: the path is too long");
		return LXFW_EXIT_BAD;
	}
	*records = lxfw_records_open(path_in(arguments->publish, LXFW_PUBLICATION_RECORDS, path),
				     &error);
	return *records || errno == ENOTSUP ? 0 : without_records(&error);
}

int lxfw_predict_teaches(struct lxfw_records *records, bool *enough)
{
	struct lxfw_promises promises = { 0 };
	struct lxfw_remaining *remaining;
	struct lxfw_error error;

	*enough = false;
	if (!records)
		return 0;
	if (lxfw_records_promises(records, &promises, &error)) {
		lxfw_promises_clear(&promises);
		return without_records(&error);
	}
	remaining = lxfw_remaining_learn(&promises, (int64_t)time(NULL), NULL);
	lxfw_promises_clear(&promises);
	if (!remaining)
		return out_of_memory();
	*enough = lxfw_remaining_number(remaining) >= ENOUGH_MOMENTS;
	lxfw_remaining_free(remaining);
	return 0;
}

/* The starts of the jobs of a journal. */
struct starts {
	const struct lxfw_past *past;
	struct lxfw_id_map last;	/* the last record of each job */
};

/* A job that the journal does not have any more is gone. One that has ended without a start, too. */
static int64_t start_of(const void *context, uint64_t job, int64_t since)
{
	const struct starts *starts = context;
	int32_t index = lxfw_id_map_get(&starts->last, job);
	const struct lxfw_past_job *found = index < 0 ? NULL : &starts->past->jobs[index];

	if (!found)
		return -1;
	/* A journal of `lxfw watch` learns of a start late: a job may have run already. */
	if (found->start >= 0)
		return found->start > since ? found->start : since;
	return lxfw_id_map_get(&starts->past->by_id, job) == index ? LXFW_NEVER : -1;
}

int lxfw_predict_recall(struct lxfw_records *records, const struct lxfw_past *past,
			struct lxfw_promises *promises)
{
	struct starts starts = { .past = past };
	struct lxfw_error error;
	int failed = 0;

	if (!records)
		return 0;
	for (size_t i = 0; i < past->count && !failed; i++) {
		uint64_t id = past->jobs[i].request.id;

		if (lxfw_id_map_get(&starts.last, id) >= 0)
			lxfw_id_map_set(&starts.last, id, (int32_t)i);
		else
			failed = lxfw_id_map_add(&starts.last, id, (int32_t)i);
	}
	if (failed)
		lxfw_error_set(&error, "out of memory");
	else
		failed = lxfw_records_settle(records, start_of, &starts, &error) ||
			 lxfw_records_promises(records, promises, &error);
	lxfw_id_map_clear(&starts.last);
	return failed ? without_records(&error) : 0;
}

/* --- the publication -------------------------------------------------------------- */

bool lxfw_predict_list(const char *folder, struct lxfw_listed *listed)
{
	static bool silent;
	struct lxfw_error error;
	bool known = lxfw_listed_read(listed, &error) == 0;

	if (!known && !silent)
		lxfw_cmd_note("partitions are not known: %s", error.text);
	silent = !known;
	if (!known) {
		lxfw_listed_clear(listed);
		if (folder)
			lxfw_predict_silent_list(folder, listed);
	}
	return known;
}

static int make(const struct lxfw_predict_result *result, bool users,
		struct lxfw_publication *to)
{
	const struct lxfw_publish publish = {
		.live = result->live, .names = &result->from->replay.names,
		.kept = &result->from->replay.kept, .jobs = result->jobs, .count = result->count,
		.listed = result->listed, .users = users,
	};

	return lxfw_publish_make(&publish, to) ? out_of_memory() : 0;
}

int lxfw_predict_publication(const struct lxfw_predict_result *result, bool users,
			     struct lxfw_publication *to)
{
	int status = make(result, users, to);

	for (size_t i = 0; i < to->count; i++) {
		const char *said = lxfw_now_said(to->jobs[i].id);

		if (said && to->jobs[i].state != LXFW_PUBLISHED_RUNNING)
			snprintf(to->jobs[i].said, sizeof(to->jobs[i].said), "%s", said);
	}
	return status;
}

/* When `lxfw watch`, which touches its journal, had its last answer. By a clock that was wrong, or is, that may be
   to come: the last record says more then. */
static int64_t heard(const struct lxfw_predict_arguments *arguments,
		     const struct lxfw_predict_result *result)
{
	static bool told;
	struct lxfw_live_machine machine;
	struct stat about;
	int64_t time = stat(arguments->journal, &about) == 0 ? (int64_t)about.st_mtime : 0;
	bool wrong = time > result->live->now + LXFW_QUEUE_LATE;

	if (wrong && !told)
		lxfw_cmd_note("%s: its time is in the future, so that it does not say when 'lxfw watch' had "
			      "its last answer", arguments->journal);
	told = wrong;
	if (!wrong)
		return time;
	lxfw_live_machine(result->from->replay.sched, &machine);
	return machine.last;
}

/* The state is that which the watch has seen last, if that is old or nothing answers now: what would
   start at once then does so at that time. */
static void set_time(struct lxfw_publication *to)
{
	int64_t now = to->time;

	if (to->heard == 0 || to->heard >= now - (to->answers ? LXFW_QUEUE_LATE : 0))
		return;
	to->old = to->heard < now - LXFW_QUEUE_SILENT;
	to->until -= now - to->heard;
	to->time = to->heard;
	for (size_t i = 0; i < to->count; i++) {
		for (int k = 0; k < LXFW_TOLD_TIMES; k++) {
			if (to->jobs[i].times[k] == now)
				to->jobs[i].times[k] = to->time;
		}
	}
}

/* What users may see, and the cluster. */
static void take_site(const struct lxfw_predict_result *result,
		      const struct lxfw_slurm_partitions *partitions, struct lxfw_publication *to)
{
	static struct lxfw_sight sight;
	static bool noted;

	to->hidden = !lxfw_sight_take(&sight, partitions->hides_jobs,
				      result->answers && lxfw_listed_of_several(result->listed));
	if (to->hidden && !noted)
		lxfw_cmd_note("PrivateData hides the jobs of others from this user: no start of these is predicted; "
			      "expected a user who may see all jobs, such as an operator");
	noted = to->hidden;
	to->shown = !partitions->private_jobs;
	if (partitions->cluster)
		lxfw_text_quote(to->cluster, sizeof(to->cluster), partitions->cluster,
				strlen(partitions->cluster));
}

/* The table of starts, with fewer futures and fewer cells if many jobs wait. That scontrol does not answer is no
   failure. */
static int make_starts(const struct lxfw_predict_result *result, struct lxfw_publication *to)
{
	static bool silent;
	struct lxfw_slurm_partitions partitions = { 0 };
	struct lxfw_live live = *result->live;
	struct lxfw_error error;
	double each = lxfw_predict_cost((double)result->count + 1) * STARTS_CELLS;
	int failed = lxfw_slurm_partitions_read(&partitions, &error);

	if (failed) {
		if (!silent)
			lxfw_cmd_note("no table of starts: %s", error.text);
		silent = true;
		lxfw_slurm_partitions_clear(&partitions);
		return 0;
	}
	silent = false;
	/* An estimate that is far too high for tasks of arrays: what it takes limits the cells. */
	if (live.futures * each > STARTS_BUDGET && live.futures > STARTS_FUTURES)
		live.futures = STARTS_BUDGET / each > STARTS_FUTURES ? (int)(STARTS_BUDGET / each) :
								       STARTS_FUTURES;
	take_site(result, &partitions, to);
	/* Without a state of now, the last table stays. */
	failed = to->old ? 0 : lxfw_starts_compute(&to->starts, &live, result->from->replay.sched,
						   &result->from->hosts, &partitions,
						   STARTS_BUDGET, &error);
	to->starts.until = to->until;
	lxfw_slurm_partitions_clear(&partitions);
	return failed ? lxfw_cmd_bad(&error) : 0;
}

/* Keeps the predictions, and says how good the earlier ones were. */
static int keep(const struct lxfw_predict_result *result, struct lxfw_records *records,
		struct lxfw_publication *to)
{
	const struct lxfw_publish publish = {
		.live = result->live, .jobs = result->jobs, .count = result->count,
		.listed = result->listed,
	};
	struct lxfw_error error;

	if (!records)
		return 0;
	/* What is predicted from an old state says nothing of the predictions of others. */
	if ((!to->old && lxfw_publish_keep(&publish, records, &error)) ||
	    lxfw_records_quality(records, to->time - QUALITY, to->time, &to->quality, &error))
		return without_records(&error);
	return 0;
}

static int write_page(const struct lxfw_publication *publication, const char *path,
		      struct lxfw_error *error)
{
	struct lxfw_output *output = lxfw_output_replace(path, error);

	if (!output)
		return -1;
	if (lxfw_queue_page(publication, output)) {
		lxfw_output_abort(output);
		lxfw_error_set(error, "out of memory");
		return -1;
	}
	lxfw_output_mode(output, 0644);	/* users read the file */
	return lxfw_output_commit(output, error);
}

/* Whose the jobs are is published if all users may see it, and removed otherwise. */
static int write_owners(const char *folder, const struct lxfw_publication *publication,
			const struct lxfw_listed *listed, struct lxfw_error *error)
{
	char path[4096];

	path_in(folder, LXFW_PUBLICATION_OWNERS, path);
	if (publication->shown && listed)
		return lxfw_owned_write(publication, listed, path, error);
	if (unlink(path) == 0 || errno == ENOENT)
		return 0;
	return lxfw_error_system(error, path);
}

static int write_files(const struct lxfw_predict_arguments *arguments,
		       const struct lxfw_publication *publication,
		       const struct lxfw_listed *listed)
{
	const char *folder = arguments->publish;
	struct lxfw_error error;
	char path[4096];

	if (write_owners(folder, publication, listed, &error))
		return lxfw_cmd_bad(&error);
	if ((publication->starts.count > 0 &&
	     lxfw_starts_replace(&publication->starts,
				 path_in(folder, LXFW_PUBLICATION_STARTS, path), &error)) ||
	    lxfw_publication_write(publication, path_in(folder, LXFW_PUBLICATION_JSON, path),
				   &error) ||
	    write_page(publication, path_in(folder, LXFW_PUBLICATION_PAGE, path), &error))
		return lxfw_cmd_bad(&error);
	return 0;
}

static int64_t planned_of(const struct lxfw_now_told *told, uint64_t job)
{
	int64_t planned = lxfw_watch_planned(told->said, told->count, job);

	return planned > 0 ? planned : 0;
}

/* Why jobs wait, as Slurm says it; what names users or accounts only if USERS. */
static void put_said(const struct lxfw_now_told *told, bool users, struct lxfw_publication *to)
{
	for (size_t i = 0; i < to->count; i++) {
		struct lxfw_publication_job *job = &to->jobs[i];
		const char *said = lxfw_watch_said_of(told->said, told->count, job->id);

		if (job->state == LXFW_PUBLISHED_WAITING)
			job->planned = planned_of(told, job->id);
		if (said && job->state != LXFW_PUBLISHED_RUNNING &&
		    (users || lxfw_watch_said_to_all(said)))
			snprintf(job->said, sizeof(job->said), "%s", said);
	}
}

/* Users need not ask the controller: the service does so once a round, for all of them. */
static void publish_look(const struct lxfw_predict_arguments *arguments,
			 struct lxfw_publication *to)
{
	static bool silent;
	struct lxfw_now_told told = { NULL };
	struct lxfw_error error;
	bool failed = lxfw_now_site_write(arguments->publish, &told, to, &error) != 0;

	if (failed && !silent)
		lxfw_cmd_note("no look is published: %s", error.text);
	silent = failed;
	put_said(&told, arguments->users, to);
	free(told.said);
}

int lxfw_predict_publish(const struct lxfw_predict_arguments *arguments,
			 const struct lxfw_predict_result *result, struct lxfw_records *records)
{
	int64_t valid = 3 * arguments->every;
	struct lxfw_publication publication = {
		.until = result->live->now + (valid > VALID ? valid : VALID),
		.next = arguments->every > 0 ? result->live->now + arguments->every : 0,
		.scheduling = result->live->scheduling,
	};
	bool known = result->answers;
	struct lxfw_error error;
	int status;

	if (result->from->trial)
		publication.heard = heard(arguments, result);
	publication.answers = known;
	status = make(result, arguments->users, &publication);
	set_time(&publication);
	if (status == 0)
		status = keep(result, records, &publication);
	if (status == 0 && lxfw_outlook(&publication, result->live, &error))
		status = lxfw_cmd_bad(&error);
	if (status == 0)
		status = make_starts(result, &publication);
	if (status == 0 && publication.heard > 0 && known)
		publish_look(arguments, &publication);
	if (status == 0 && !known && lxfw_predict_silent_keep(arguments->publish, &publication))
		status = out_of_memory();
	if (status == 0)
		status = write_files(arguments, &publication, result->listed);
	lxfw_publication_clear(&publication);
	return status;
}
