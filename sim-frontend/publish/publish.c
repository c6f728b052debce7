/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/publish/publish.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/books/books.h"
#include "common/explain.h"
#include "sim-frontend/publish/outlook.h"

_Static_assert(LXFW_USABLE_TEXT == LXFW_PUBLICATION_NAME, "a job has the text as it is");

/* What the journal and squeue know of a job. Returns NULL with errno ENOMEM. */
static struct lxfw_publication_job *add(const struct lxfw_publish *publish,
					struct lxfw_publication *to, uint64_t id,
					enum lxfw_publication_state state)
{
	struct lxfw_publication_job *job = lxfw_publication_add(to);
	const struct lxfw_listed_job *listed;

	if (!job)
		return NULL;
	job->state = state;
	job->id = id;
	lxfw_job_names_text(publish->names, id, job->name, sizeof(job->name));
	listed = publish->listed ? lxfw_listed_find(publish->listed, id) : NULL;
	if (!listed)
		return job;
	if (*listed->component)
		memcpy(job->name, listed->component, sizeof(job->name));
	memcpy(job->partition, listed->partition, sizeof(job->partition));
	if (publish->users)
		memcpy(job->user, listed->user, sizeof(job->user));
	return job;
}

static void set_request(const struct lxfw_publish *publish, struct lxfw_publication_job *job,
			const struct lxfw_request *request)
{
	job->procs = lxfw_sched_occupies(publish->live->sched, request);
	job->limit = request->estimate > 0 ? request->estimate : 0;
	job->submit = request->submit > 0 ? request->submit : 0;
}

static int add_waiting(const struct lxfw_publish *publish, struct lxfw_publication *to)
{
	for (size_t i = 0; i < publish->count; i++) {
		const struct lxfw_expected *from = &publish->jobs[i];
		struct lxfw_publication_job *job = add(publish, to, from->request.id,
						       LXFW_PUBLISHED_WAITING);
		struct lxfw_told told;

		if (!job)
			return -1;
		lxfw_job_names_request(publish->names, &from->request, job->name,
				       sizeof(job->name));
		set_request(publish, job, &from->request);
		lxfw_told_make(&told, publish->live, from);
		memcpy(job->times, told.times, sizeof(job->times));
		memcpy(job->obstacle, from->obstacle, sizeof(job->obstacle));
		job->position = (int64_t)i + 1;
	}
	return 0;
}

static int by_id(const void *left, const void *right)
{
	const struct lxfw_publication_job *a = left, *b = right;

	return (a->id > b->id) - (a->id < b->id);
}

static int add_kept(const struct lxfw_publish *publish, struct lxfw_publication *to)
{
	size_t first = to->count;

	for (size_t i = 0; i < publish->kept->count; i++) {
		const struct lxfw_kept_job *kept = &publish->kept->jobs[i];
		struct lxfw_publication_job *job = add(publish, to, kept->id,
						       LXFW_PUBLISHED_KEPT);

		if (!job)
			return -1;
		job->reason = kept->reason;
	}
	if (to->count > first)
		qsort(to->jobs + first, to->count - first, sizeof(*to->jobs), by_id);
	return 0;
}

static int by_end(const void *left, const void *right)
{
	const struct lxfw_publication_job *a = left, *b = right;

	if (a->end != b->end)
		return (a->end > b->end) - (a->end < b->end);
	return (a->id > b->id) - (a->id < b->id);
}

static int add_running(const struct lxfw_publish *publish, struct lxfw_publication *to)
{
	const struct lxfw_sched *sched = publish->live->sched;
	size_t first = to->count;

	for (size_t i = 0; i < sched->jobs_used; i++) {
		const struct lxfw_job *from = &sched->jobs[i];
		struct lxfw_publication_job *job;

		if (from->state != LXFW_JOB_RUNNING)
			continue;
		job = add(publish, to, from->request.id, LXFW_PUBLISHED_RUNNING);
		if (!job)
			return -1;
		set_request(publish, job, &from->request);
		job->procs = lxfw_future_allocated(&sched->profile, from->claim);
		job->start = from->start;
		job->latest = from->due;
		/* Of a job that was first seen running, only the expected end is known. */
		if (job->limit == 0 && from->due != LXFW_NEVER && from->due > from->start)
			job->limit = from->due - from->start;
	}
	lxfw_outlook_ends(to, publish->live);
	if (to->count > first)
		qsort(to->jobs + first, to->count - first, sizeof(*to->jobs), by_end);
	return 0;
}

int lxfw_publish_make(const struct lxfw_publish *publish, struct lxfw_publication *to)
{
	const struct lxfw_live *live = publish->live;
	struct lxfw_live_machine machine;

	lxfw_live_machine(live->sched, &machine);
	to->time = live->now;
	to->procs = machine.procs;
	for (int32_t i = 0; i < live->sched->profile.host_count; i++)
		to->hosts += live->sched->profile.hosts[i].up &&
			     live->sched->profile.hosts[i].total.procs > 0;
	to->corrected = live->remaining != NULL;
	to->elsewhere = live->remaining ? lxfw_remaining_elsewhere(live->remaining) : 0;
	for (int i = 0; i < LXFW_STATED; i++)
		to->states[i] = live->remaining && lxfw_remaining_states(live->remaining, i);
	return add_waiting(publish, to) || add_kept(publish, to) || add_running(publish, to) ?
	       -1 : 0;
}

/* Whether a start of the job is predicted, from which others can be learned. */
static bool is_predicted(const struct lxfw_expected *job)
{
	return !job->left && !(job->skipped != LXFW_SKIPPED_NOT && job->never);
}

/* The jobs that are predicted, of which the indexes are in *FOUND, to be freed. Returns their number, or
   -1 with errno ENOMEM. */
static int64_t find_predicted(const struct lxfw_publish *publish, size_t **found)
{
	int64_t count = 0;

	*found = calloc(publish->count + 1, sizeof(**found));
	if (!*found) {
		errno = ENOMEM;
		return -1;
	}
	for (size_t i = 0; i < publish->count; i++) {
		if (is_predicted(&publish->jobs[i]))
			(*found)[count++] = i;
	}
	return count;
}

int lxfw_publish_keep(const struct lxfw_publish *publish, struct lxfw_records *records,
		      struct lxfw_error *error)
{
	const struct lxfw_live *live = publish->live;
	struct lxfw_record_row rows[LXFW_PUBLISH_KEPT] = { 0 };
	size_t *found;
	int64_t all = find_predicted(publish, &found);
	int64_t count = all < LXFW_PUBLISH_KEPT ? all : LXFW_PUBLISH_KEPT;

	if (all < 0) {
		lxfw_error_set(error, "out of memory");
		return -1;
	}
	for (int64_t i = 0; i < count; i++) {
		const struct lxfw_expected *job = &publish->jobs[found[i * all / count]];
		const struct lxfw_listed_job *listed = publish->listed ?
			lxfw_listed_find(publish->listed, job->request.id) : NULL;
		struct lxfw_told told;

		lxfw_told_make(&told, live, job);
		memcpy(rows[i].times, told.times, sizeof(told.times));
		rows[i].manager = listed ? listed->start : 0;
		rows[i].promise = (struct lxfw_promise) {
			.time = live->now, .job = job->request.id, .said = job->said,
			.view = job->view, .start = LXFW_NEVER, .gone = LXFW_NEVER,
			.weight = (double)all / (double)count,
		};
	}
	free(found);
	return lxfw_records_add(records, rows, (size_t)count, live->now, error);
}
