/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/predict_site.h"

#include <stdio.h>
#include <time.h>

#include "sim-frontend/cmd/site_folder.h"
#include "sim-frontend/cmd/site_new.h"
#include "sim-frontend/cmd/skipped_over.h"
#include "sim-frontend/predict/starts.h"
#include "sim-frontend/report/expected.h"
#include "sim-frontend/report/queue.h"
#include "sim-frontend/util/format.h"

static void note(const struct lxfw_publication *publication)
{
	int64_t now = (int64_t)time(NULL);
	char age[32];

	if (publication->hidden)
		lxfw_cmd_note(LXFW_QUEUE_HIDDEN);
	lxfw_cmd_site_notes(publication);
	if (lxfw_queue_is_old(publication, now))
		lxfw_cmd_note("the workload manager does not answer: this is its state of %s ago",
			      lxfw_format_span((double)(now > publication->time ?
				now - publication->time : 0), age, sizeof(age)));
}

static int print(const struct lxfw_predict_arguments *arguments,
		 const struct lxfw_publication *publication)
{
	note(publication);
	if (arguments->format == LXFW_FORMAT_TABLE)
		lxfw_expected_published(publication, stdout);
	else if (lxfw_expected_published_json(publication, arguments->format, stdout)) {
		lxfw_cmd_note("out of memory");
		return LXFW_EXIT_BAD;
	}
	return lxfw_cmd_finish(LXFW_EXIT_DONE);
}

/* A job that was named, but is not predicted. Returns an exit status, or -1 if there is none. */
static int kept(const struct lxfw_publication *publication)
{
	int status = -1;

	for (size_t i = 0; i < publication->count; i++) {
		const struct lxfw_publication_job *job = &publication->jobs[i];
		const char *said;

		if (job->state == LXFW_PUBLISHED_WAITING)
			continue;
		status = LXFW_EXIT_NO;
		said = job->reason == LXFW_REASON_OTHER ? job->said : "";
		if (job->state == LXFW_PUBLISHED_RUNNING)
			lxfw_cmd_note("job %s runs", job->name);
		else
			lxfw_cmd_note("job %s is %s (%s%s): its start is not predicted; see 'lxfw "
				      "why'", job->name,
				      lxfw_reason_part((int)job->reason) == LXFW_REASONS_LEFT ?
				      "left to the workload manager" : "not eligible",
				      *said ? "Slurm says: " : "",
				      *said ? said : lxfw_reason_name((int)job->reason));
	}
	return status;
}

/* Jobs of which nothing is published may have been submitted since. */
static int jobs(const struct lxfw_predict_arguments *arguments, bool outdated, char **names,
		int count)
{
	struct lxfw_publication publication = { 0 };
	bool found = lxfw_cmd_site_read(NULL, &publication) > 0;
	bool used = found && (outdated || !lxfw_queue_is_outdated(&publication, (int64_t)time(NULL)));
	int status = -1;

	if (used && lxfw_publication_lacks(&publication, names, count) == count) {
		(void)lxfw_publication_choose(&publication, names, count, NULL);
		status = count > 0 ? kept(&publication) : -1;
		if (status < 0)
			status = print(arguments, &publication);
	} else if (found && !outdated && lxfw_cmd_site_is_new(&publication, names, count)) {
		status = LXFW_EXIT_NO;
	}
	lxfw_publication_clear(&publication);
	return status;
}

/* -p 3 is the number of a host set in a journal, and a name here. */
static bool read_request(const char *text, struct lxfw_request_text *to)
{
	struct lxfw_error error;

	if (lxfw_request_read_slurm(to, text, &error))
		return false;
	if (to->host_set >= 0)
		snprintf(to->partition, sizeof(to->partition), "%d", (int)to->host_set);
	return true;
}

/* Whether the table is that of a queue which others use, too; it is alone if there is no queue. */
static bool is_present(const struct lxfw_publication *publication)
{
	int64_t now = (int64_t)time(NULL);

	return !lxfw_queue_is_outdated(publication, now) &&
	       (publication->heard == 0 || publication->heard >= now - LXFW_QUEUE_LATE);
}

/* Whether Slurm would pass over a job of this user: the table is for users without jobs. */
static bool is_passed_over(const struct lxfw_publication *publication, const struct lxfw_starts *starts,
			   const struct lxfw_request_text *request)
{
	const char *partition = request->partition;
	enum lxfw_skipped_by by;

	for (size_t i = 0; i < starts->count && !*partition; i++) {
		if (starts->list[i].is_default)
			partition = starts->list[i].name;
	}
	return lxfw_skipped_over_published(publication, partition, &by) || by != LXFW_SKIPPED_NOT;
}

/* Each request must be in the table. */
static int requests(const struct lxfw_predict_arguments *arguments)
{
	char lines[LXFW_PREDICT_REQUESTS][LXFW_TOLD_SIZE], path[4096], age[32];
	struct lxfw_publication publication = { 0 };
	struct lxfw_starts starts = { 0 };
	struct lxfw_error error;
	bool found = lxfw_cmd_site_path(LXFW_PUBLICATION_STARTS, path, sizeof(path)) &&
		     lxfw_starts_read(&starts, path, &error) == 0;
	int queue = found ? lxfw_cmd_site_read(NULL, &publication) : 0;

	if (queue > 0) {
		found = is_present(&publication);
		(void)lxfw_cmd_site_owners(NULL, &publication);
	}
	for (size_t i = 0; i < arguments->request_count && found; i++) {
		struct lxfw_request_text request;

		found = read_request(arguments->requests[i], &request) &&
			lxfw_starts_find(&starts, request.partition, &request,
					 (int64_t)time(NULL), lines[i], sizeof(lines[i])) &&
			!is_passed_over(&publication, &starts, &request);
	}
	if (found)
		note(&publication);
	if (found && queue < 0)
		lxfw_cmd_note("the queue that is published cannot be read: this is from the state of %s ago",
			      lxfw_format_span((double)(time(NULL) - starts.time), age, sizeof(age)));
	for (size_t i = 0; i < arguments->request_count && found; i++)
		puts(lines[i]);
	lxfw_publication_clear(&publication);
	lxfw_starts_clear(&starts);
	return found ? lxfw_cmd_finish(LXFW_EXIT_DONE) : -1;
}

int lxfw_predict_site(const struct lxfw_predict_arguments *arguments, char **names, int count)
{
	if (arguments->request_count == 0)
		return jobs(arguments, false, names, count);
	if (count > 0 || arguments->format != LXFW_FORMAT_TABLE)
		return -1;
	return requests(arguments);
}

int lxfw_predict_outdated(const struct lxfw_predict_arguments *arguments, char **names, int count)
{
	return arguments->request_count == 0 ? jobs(arguments, true, names, count) : -1;
}
