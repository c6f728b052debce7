/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accounting logs of OpenPBS, PBS Pro and Torque: "01/26/2016 00:00:37;E;2994.pbs;
 * key=value ...". An E record becomes a job. Other records add information that E records
 * lack: z and r for suspension and resumption, Q and D for jobs deleted while pending.
 *
 * The time of a record is local. Its offset from UTC is learned from E records, which have both
 * times, and matters for jobs deleted while pending. If the time zone is known, times are
 * converted to UTC when read; in the repeated hour, the candidate closer to the previous record.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/account.h"
#include "sim-frontend/trace/log_formats.h"
#include "sim-frontend/trace/names.h"
#include "sim-frontend/trace/pbs_amounts.h"
#include "sim-frontend/trace/pbs_text.h"
#include "sim-frontend/util/calendar.h"
#include "sim-frontend/util/text.h"
#include "sim-frontend/util/zone.h"

/* Offsets from UTC are multiples of this number of seconds. */
#define QUARTER 900

/* State of a job from records other than that of its end. */
struct pbs_job {
	int64_t queued;			/* local time; -1: no Q record */
	int64_t created, eligible;	/* -1: not stated */
	int64_t procs, memory_kb, limit;	/* requested; -1: not stated */
	int64_t suspended;		/* seconds, since the last start */
	int64_t suspended_at;		/* local time; -1: not suspended */
	int64_t deleted;		/* local time; -1: not deleted */
	int32_t user, group, queue, depend;	/* index in `words`; -1: not stated */
	bool started;			/* there is a record of its start */
	bool ended;
};

/* When there are as many jobs, those that have ended are forgotten. */
#define JOBS_MOST ((size_t)1 << 20)

struct pbs {
	struct lxfw_input *input;
	size_t jobs_most;		/* number of jobs at which that happens next */
	struct lxfw_names ids, words;
	struct pbs_job *jobs;		/* parallel to ids */
	size_t jobs_size;
	bool in_zone;			/* local times are in the time zone of the
					   process */
	int64_t last;			/* time of the previous record; -1: none */
	int64_t offset;			/* of local times from UTC, seconds */
	size_t left;			/* at the end of the log: next job to check for
					   deletion */
	char gres[40];			/* of the current job */
	bool at_end;
};

/* Maximum delay of PBS's measurement of run time, seconds. */
#define LAG 60

struct record {
	int64_t time;			/* local, or UTC if the time zone is known */
	char type;
	struct lxfw_slice id, text;
};

static int system_error(const struct pbs *pbs, struct lxfw_error *error)
{
	return lxfw_error_system(error, lxfw_input_path(pbs->input));
}

static int hosts(const struct lxfw_account *account, lxfw_account_host_fn *host,
		 void *context)
{
	return lxfw_pbs_each_host(account->host_list, account->procs, host, context);
}

struct held {
	int64_t procs, hosts;
	char last[256];
};

static int count_host(void *context, const struct lxfw_account_host *host)
{
	struct held *held = context;

	held->procs += host->procs;
	held->hosts += strcmp(host->name, held->last) != 0;
	strcpy(held->last, host->name);
	return 0;
}

/* Sets the processors and hosts. */
static void set_amounts(struct lxfw_account *account, struct lxfw_slice text)
{
	struct held held = { 0 };
	int64_t slots = 0, nodes = 0, cray, cray_hosts;
	bool partition = false;

	account->host_list = lxfw_pbs_value(text, "exec_vnode");
	if (account->host_list.length == 0)
		account->host_list = lxfw_pbs_value(text, "exec_host");
	/* Torque states the sum of the slots since 5.0.1 */
	lxfw_slice_integer(lxfw_pbs_value(text, "total_execution_slots"), 0, INT32_MAX, &slots);
	lxfw_pbs_each_host(account->host_list, 0, count_host, &held);
	account->procs = held.procs > 0 ? held.procs : lxfw_pbs_requested_procs(text);
	if (account->procs < slots)
		account->procs = slots;
	/* Cobalt names a partition of the machine instead of its nodes */
	if (lxfw_slice_integer(lxfw_pbs_value(text, "Resource_List.nodect"), 0, INT32_MAX,
			       &nodes) && account->procs < nodes) {
		account->procs = nodes;
		partition = held.hosts == 1;
	}
	if (account->procs < 0)
		account->procs = 0;
	if (account->procs > INT32_MAX)
		account->procs = INT32_MAX;
	account->hosts = partition ? nodes : held.hosts;
	if (partition)
		account->host_list = (struct lxfw_slice) { 0 };
	/* the record of a job on a Cray may name the login node alone */
	lxfw_pbs_cray(text, &cray, &cray_hosts);
	if (cray <= (held.procs > slots ? held.procs : slots))
		return;
	if (account->procs < cray)
		account->procs = cray;
	account->hosts = cray_hosts;
	account->host_list = (struct lxfw_slice) { 0 };
}

static void set_needs(struct pbs *pbs, struct lxfw_account *account,
		      struct lxfw_slice text)
{
	struct lxfw_slice place = lxfw_pbs_value(text, "Resource_List.place");
	int64_t gpus = lxfw_pbs_held_gpus(text);
	int length = snprintf(pbs->gres, sizeof(pbs->gres), "gres/gpu=%" PRId64,
			      gpus);

	if (gpus > 0)
		account->gres = (struct lxfw_slice) { pbs->gres,
						      (size_t)length };
	account->exclusive = place.length > 0 &&
		memmem(place.at, place.length, "excl", 4) != NULL;
}

/* --- jobs ----------------------------------------------------------------------- */

/* Forgets jobs that have ended. Of a log of years, the unfinished jobs stay in memory, and each
   word that is kept once: users, groups, queues, dependencies. */
static int forget_ended(struct pbs *pbs)
{
	struct lxfw_names ids = { 0 };
	size_t kept = 0;

	for (size_t i = 0; i < pbs->ids.count; i++) {
		const char *id = pbs->ids.names[i];

		if (pbs->jobs[i].ended)
			continue;
		if (lxfw_names_add(&ids, id, strlen(id)) < 0) {
			lxfw_names_clear(&ids);
			return -1;
		}
		pbs->jobs[kept++] = pbs->jobs[i];
	}
	lxfw_names_clear(&pbs->ids);
	pbs->ids = ids;
	pbs->jobs_most = 2 * kept > JOBS_MOST ? 2 * kept : JOBS_MOST;
	return 0;
}

static struct pbs_job *job_of(struct pbs *pbs, struct lxfw_slice id)
{
	size_t known;
	int32_t position;

	if (pbs->ids.count >= pbs->jobs_most && forget_ended(pbs))
		return NULL;
	known = pbs->ids.count;
	position = lxfw_names_add(&pbs->ids, id.at, id.length);
	if (position < 0)
		return NULL;
	if (LXFW_GROW(pbs->jobs, pbs->jobs_size, (size_t)position + 1))
		return NULL;
	if ((size_t)position == known)
		pbs->jobs[position] = (struct pbs_job) {
			.queued = -1, .created = -1, .eligible = -1,
			.procs = -1, .limit = -1, .suspended_at = -1,
			.deleted = -1, .user = -1, .group = -1, .queue = -1, .depend = -1,
		};
	return &pbs->jobs[position];
}

static int keep_word(struct pbs *pbs, struct lxfw_slice word, int32_t *position)
{
	if (word.length == 0)
		return 0;
	*position = lxfw_names_add(&pbs->words, word.at, word.length);
	return *position < 0 ? -1 : 0;
}

static struct lxfw_slice kept_word(const struct pbs *pbs, int32_t position)
{
	if (position < 0)
		return (struct lxfw_slice) { 0 };
	return (struct lxfw_slice) { pbs->words.names[position],
				     strlen(pbs->words.names[position]) };
}

static int take_queued(struct pbs *pbs, struct pbs_job *job,
		       const struct record *record)
{
	job->queued = record->time;
	job->created = lxfw_pbs_time(record->text, "ctime");
	job->eligible = lxfw_pbs_time(record->text, "etime");
	job->procs = lxfw_pbs_requested_procs(record->text);
	job->memory_kb = lxfw_pbs_requested_memory(record->text, job->procs);
	job->limit = lxfw_pbs_span(record->text, "Resource_List.walltime");
	job->deleted = -1;
	job->ended = false;
	return keep_word(pbs, lxfw_pbs_value(record->text, "user"), &job->user) ||
	       keep_word(pbs, lxfw_pbs_value(record->text, "group"), &job->group) ||
	       keep_word(pbs, lxfw_pbs_value(record->text, "queue"), &job->queue) ||
	       keep_word(pbs, lxfw_pbs_value(record->text, "depend"), &job->depend);
}

static void resume(struct pbs_job *job, int64_t time)
{
	if (job->suspended_at >= 0 && time > job->suspended_at)
		job->suspended += time - job->suspended_at;
	job->suspended_at = -1;
}

/* Handles a record other than that of the end of a job. */
static int take_note(struct pbs *pbs, const struct record *record)
{
	struct pbs_job *job;

	if (!strchr("QSTRDAzr", record->type))
		return 0;
	job = job_of(pbs, record->id);
	if (!job)
		return -1;
	switch (record->type) {
	case 'Q':
		return take_queued(pbs, job, record);
	case 'S':
	case 'T':
	case 'R':
		job->started = true;
		job->suspended = 0;
		job->suspended_at = -1;
		break;
	case 'z':
		if (job->suspended_at < 0)
			job->suspended_at = record->time;
		break;
	case 'r':
		resume(job, record->time);
		break;
	case 'D':
	case 'A':
		job->deleted = record->time;
		break;
	}
	return 0;
}

static void set_number(struct lxfw_account *account, struct lxfw_slice id)
{
	size_t digits = 0;

	while (digits < id.length && id.at[digits] >= '0' && id.at[digits] <= '9')
		digits++;
	id.length = digits;
	if (!lxfw_slice_integer(id, 0, INT64_MAX, &account->number))
		account->number = -1;
}

/* Sets the run time: the time from start to end without the suspensions in z and r
   records. If there are only E records, uses the run time that PBS measured, which
   excludes suspensions, if it is shorter by more than LAG. */
static void set_run(struct lxfw_account *account, const struct pbs_job *job,
		    struct lxfw_slice text)
{
	int64_t span = account->end - account->start;
	int64_t used = lxfw_pbs_span(text, "resources_used.walltime");

	account->suspended = job->suspended < span ? job->suspended : span;
	if (!job->started && used > 0 && span - used > LAG + span / 100)
		account->suspended = span - used;
	account->run = span - account->suspended;
}

/* Whether the record is of an array, whose tasks have records of their own. That of OpenPBS
   has a start, but no hosts. */
static bool is_parent(const struct record *record)
{
	return memmem(record->id.at, record->id.length, "[]", 2) &&
	       (lxfw_pbs_value(record->text, "start").length == 0 ||
		(lxfw_pbs_value(record->text, "exec_vnode").length == 0 &&
		 lxfw_pbs_value(record->text, "exec_host").length == 0));
}

/* Reads the times of the job. Returns NULL, or what is wrong with them. */
static const char *read_times(struct lxfw_account *account, struct lxfw_slice text)
{
	account->submit = lxfw_pbs_time(text, "ctime");
	account->eligible = lxfw_pbs_time(text, "etime");
	account->start = lxfw_pbs_time(text, "start");
	account->end = lxfw_pbs_time(text, "end");
	if (account->submit < 0)
		account->submit = lxfw_pbs_time(text, "qtime");
	if (account->submit < 0)
		return "no ctime in an E record, expected seconds since 1970";
	if (account->end < 0)
		return "no end in an E record, expected seconds since 1970";
	if (account->start == 0)
		account->start = -1;
	return lxfw_account_check_times(account);
}

/* Returns 1, 0 if the record is of a whole array, LXFW_ODD_RECORD, or -1. */
static int read_end(struct pbs *pbs, const struct record *record,
		    struct lxfw_account *account, struct lxfw_odd *odd,
		    struct lxfw_error *error)
{
	struct lxfw_slice text = record->text;
	struct pbs_job *job = job_of(pbs, record->id);
	int64_t exit_status = -1, offset;
	const char *wrong;

	if (!job)
		return system_error(pbs, error);
	job->ended = true;
	if (is_parent(record))
		return 0;
	wrong = read_times(account, text);
	if (wrong)
		return lxfw_odd_add(odd, pbs->input, 0, "%s", wrong);
	offset = record->time - account->end;
	pbs->offset = (offset + (offset < 0 ? -1 : 1) * QUARTER / 2) / QUARTER *
		      QUARTER;
	account->over = true;
	if (account->start > account->end)
		account->start = -1;
	resume(job, record->time);
	if (account->start >= 0)
		set_run(account, job, text);
	job->suspended = 0;
	set_number(account, record->id);
	set_amounts(account, text);
	account->memory_kb = lxfw_pbs_requested_memory(text, account->procs);
	account->used_memory_kb = lxfw_pbs_size(text, "resources_used.mem");
	account->limit = lxfw_pbs_span(text, "Resource_List.walltime");
	lxfw_slice_integer(lxfw_pbs_value(text, "Exit_status"), INT32_MIN, INT32_MAX,
			   &exit_status);
	account->status = exit_status == 0 ? LXFW_ACCOUNT_COMPLETED :
			  job->deleted >= 0 ? LXFW_ACCOUNT_CANCELLED :
					      LXFW_ACCOUNT_FAILED;
	account->id = record->id;
	account->user = lxfw_pbs_value(text, "user");
	account->group = lxfw_pbs_value(text, "group");
	account->queue = lxfw_pbs_value(text, "queue");
	account->dependency = kept_word(pbs, job->depend);
	set_needs(pbs, account, text);
	return 1;
}

/* Returns the next job that was deleted while pending. Called at the end of the log. */
static int next_deleted(struct pbs *pbs, struct lxfw_account *account,
			struct lxfw_account_counts *counts)
{
	while (pbs->left < pbs->ids.count) {
		const char *id = pbs->ids.names[pbs->left];
		const struct pbs_job *job = &pbs->jobs[pbs->left++];

		if (job->ended || job->queued < 0)
			continue;
		if (job->deleted < 0) {
			counts->open++;
			continue;
		}
		counts->deleted++;
		account->id = (struct lxfw_slice) { id, strlen(id) };
		set_number(account, account->id);
		account->over = account->deleted = true;
		account->submit = job->created >= 0 ? job->created :
				  job->queued - pbs->offset;
		if (account->submit < 0)
			account->submit = 0;
		account->eligible = job->eligible;
		account->end = account->submit + (job->deleted > job->queued ?
						  job->deleted - job->queued : 0);
		account->procs = job->procs > 0 ? job->procs : 0;
		account->memory_kb = job->memory_kb;
		account->limit = job->limit;
		account->status = LXFW_ACCOUNT_CANCELLED;
		account->user = kept_word(pbs, job->user);
		account->group = kept_word(pbs, job->group);
		account->queue = kept_word(pbs, job->queue);
		return 1;
	}
	return 0;
}

/* Parses "MM/DD/YYYY HH:MM:SS;TYPE;ID;TEXT". */
static bool split(struct pbs *pbs, const char *line, size_t length,
		  struct record *record, struct lxfw_account_counts *counts)
{
	struct lxfw_slice rest = { line, length };
	struct lxfw_slice time = lxfw_pbs_part(&rest, ';');
	struct lxfw_slice type = lxfw_pbs_part(&rest, ';');
	struct lxfw_zone_moments moments;
	int64_t n[6];

	if (!lxfw_slice_numbers(time, "0/0/0 0:0:0", n) || type.length != 1 ||
	    n[2] < 1970 || n[2] > 9999 || !lxfw_calendar_is_date(n[2], n[0], n[1]) ||
	    n[3] > 23 || n[4] > 59 || n[5] > 60)
		return false;
	lxfw_zone_moments(pbs->in_zone, lxfw_account_moment(n[2], (int)n[0],
			  (int)n[1], n[3], n[4], n[5]), &moments);
	record->time = lxfw_zone_nearest(&moments, pbs->last);
	pbs->last = record->time;
	counts->skipped += moments.skipped;
	record->type = *type.at;
	record->id = lxfw_pbs_part(&rest, ';');
	record->text = rest;
	return true;
}

static int next(void *state, struct lxfw_account *account,
		struct lxfw_account_counts *counts, struct lxfw_error *error)
{
	struct pbs *pbs = state;
	struct record record;
	char *line;
	size_t length;
	int got;

	while (!pbs->at_end) {
		got = lxfw_input_line(pbs->input, &line, &length, error);
		if (got < 0)
			return got;
		if (got == 0) {
			pbs->at_end = true;
			break;
		}
		if (length == 0)
			continue;
		if (!split(pbs, line, length, &record, counts))
			return lxfw_odd_add(&counts->odd, pbs->input, 0,
				"no accounting record, expected "
				"MM/DD/YYYY HH:MM:SS;TYPE;JOB;KEY=VALUE ...");
		if (record.type != 'E') {
			counts->records++;
			counts->notes++;
			if (take_note(pbs, &record))
				return system_error(pbs, error);
			continue;
		}
		got = read_end(pbs, &record, account, &counts->odd, error);
		counts->records += got == 0 || got == 1;
		counts->jobs += got == 1;
		counts->parents += got == 0;
		if (got)
			return got;
	}
	return next_deleted(pbs, account, counts);
}

static void *open_pbs(struct lxfw_input *input,
			const struct lxfw_account_options *options,
			struct lxfw_error *error)
{
	struct pbs *pbs = calloc(1, sizeof(*pbs));

	if (!pbs)
		lxfw_error_system(error, lxfw_input_path(input));
	else
		*pbs = (struct pbs) { .input = input, .in_zone = options->in_zone,
				      .last = -1, .jobs_most = JOBS_MOST };
	return pbs;
}

static void close_pbs(void *state)
{
	struct pbs *pbs = state;

	lxfw_names_clear(&pbs->ids);
	lxfw_names_clear(&pbs->words);
	free(pbs->jobs);
	free(pbs);
}

/* Matches "01/26/2016 00:00:37;E;". */
static bool is_pbs(const char *line, size_t length)
{
	static const char like[] = "00/00/0000 00:00:00;";

	if (length < sizeof(like) - 1)
		return false;
	for (size_t i = 0; i < sizeof(like) - 1; i++) {
		if (like[i] == '0' ? line[i] < '0' || line[i] > '9' :
				     line[i] != like[i])
			return false;
	}
	return true;
}

const struct lxfw_log_format lxfw_log_pbs = {
	.name = "pbs",
	.recognizes = is_pbs,
	.open = open_pbs,
	.close = close_pbs,
	.next = next,
	.hosts = hosts,
};
