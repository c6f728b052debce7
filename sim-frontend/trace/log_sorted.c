/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/log_sorted.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/record_bytes.h"
#include "sim-frontend/trace/sorted_runs.h"
#include "sim-frontend/util/text.h"

/* The members of a record that are numbers of names. */
enum { USERS, GROUPS, QUEUES, REQUESTS, NAMES };

/* What identifies a job: its submission is the key, the rest is a text. */
struct identity {
	uint64_t submit;
	unsigned char *text;
	size_t length, size;
};

struct lxfw_log_sorted {
	size_t memory;
	struct lxfw_sorted_runs *seen;	/* records in the order of their identities */
	struct lxfw_sorted_runs *jobs;	/* jobs in the order of their submissions */
	int64_t position;		/* number of records that were added */
	/* The last record, which is added when the steps after it are known. */
	bool holds;
	struct identity id;
	struct lxfw_log_job job;
	int64_t start, end;
	char *dependency;
	size_t dependency_length, dependency_size;
	bool depends;			/* a job has a dependency */
	int64_t kept;			/* number of jobs without their duplicates */
	unsigned char *data;		/* of an item */
	size_t data_size;
	int32_t *numbers[NAMES];	/* of names, by index: their number in the trace */
};

static int failed(struct lxfw_error *error)
{
	return lxfw_error_system(error, "sorting");
}

struct lxfw_log_sorted *lxfw_log_sorted_open(size_t memory)
{
	struct lxfw_log_sorted *sorted = calloc(1, sizeof(*sorted));

	if (!sorted)
		return NULL;
	/* two sorts at a time */
	sorted->memory = memory / 2;
	sorted->seen = lxfw_sorted_runs_open(sorted->memory);
	sorted->jobs = lxfw_sorted_runs_open(sorted->memory);
	if (!sorted->seen || !sorted->jobs) {
		lxfw_log_sorted_close(sorted);
		return NULL;
	}
	return sorted;
}

void lxfw_log_sorted_close(struct lxfw_log_sorted *sorted)
{
	int saved = errno;

	if (!sorted)
		return;
	lxfw_sorted_runs_close(sorted->seen);
	lxfw_sorted_runs_close(sorted->jobs);
	for (int i = 0; i < NAMES; i++)
		free(sorted->numbers[i]);
	free(sorted->id.text);
	free(sorted->dependency);
	free(sorted->data);
	free(sorted);
	errno = saved;
}

/* --- records ---------------------------------------------------------------------- */

/* Adds the last record. */
static int let_go(struct lxfw_log_sorted *sorted, struct lxfw_error *error)
{
	struct lxfw_sorted_item item = {
		.key = sorted->id.submit, .text = sorted->id.text,
		.text_length = (uint32_t)sorted->id.length,
	};
	unsigned char *end;

	if (!sorted->holds)
		return 0;
	sorted->holds = false;
	if (LXFW_GROW(sorted->data, sorted->data_size, 4 * LXFW_INTEGER_BYTES +
		      LXFW_RECORD_BYTES + sorted->dependency_length))
		return failed(error);
	end = sorted->data;
	end = lxfw_bytes_put_integer(end, sorted->position++);
	end = lxfw_bytes_put_integer(end, sorted->job.facts);
	end = lxfw_bytes_put_integer(end, sorted->start);
	end = lxfw_bytes_put_integer(end, sorted->end);
	if (sorted->job.facts & LXFW_FACT_OVER)
		end = lxfw_bytes_put_record(end, &sorted->job.record);
	if (sorted->dependency_length > 0)
		memcpy(end, sorted->dependency, sorted->dependency_length);
	item.data = sorted->data;
	item.data_length = (uint32_t)((size_t)(end - sorted->data) + sorted->dependency_length);
	return lxfw_sorted_runs_add(sorted->seen, &item, error);
}

/* Sets the identity: submission, number, cluster and id, as in doubles.c. */
static int identify(struct identity *identity, const struct lxfw_account *account,
		    int32_t cluster)
{
	size_t length = account->id.length > 0 ? strnlen(account->id.at, account->id.length) : 0;
	unsigned char *end;

	if (LXFW_GROW(identity->text, identity->size, 16 + length))
		return -1;
	identity->submit = lxfw_bytes_key(account->submit);
	end = lxfw_bytes_put_ordered(identity->text, account->number);
	end = lxfw_bytes_put_ordered(end, cluster);
	if (length > 0)
		memcpy(end, account->id.at, length);
	identity->length = 16 + length;
	return 0;
}

/* Keeps what a job that is over waited for. */
static int keep_dependency(struct lxfw_log_sorted *sorted, const struct lxfw_account *account)
{
	size_t length = account->over ? account->dependency.length : 0;

	sorted->dependency_length = 0;
	if (length == 0)
		return 0;
	if (LXFW_GROW(sorted->dependency, sorted->dependency_size, length))
		return -1;
	memcpy(sorted->dependency, account->dependency.at, length);
	sorted->dependency_length = length;
	sorted->depends = true;
	return 0;
}

int lxfw_log_sorted_add(struct lxfw_log_sorted *sorted, const struct lxfw_account *account,
			const struct lxfw_log_job *job, struct lxfw_error *error)
{
	if (let_go(sorted, error))
		return -1;
	if (identify(&sorted->id, account, job->cluster) || keep_dependency(sorted, account))
		return failed(error);
	sorted->job = *job;
	sorted->start = account->start;
	sorted->end = account->end;
	sorted->holds = true;
	return 0;
}

void lxfw_log_sorted_step(struct lxfw_log_sorted *sorted, const struct lxfw_account *step)
{
	if (sorted->holds && (sorted->job.facts & LXFW_FACT_OVER))
		lxfw_log_job_step(&sorted->job.record, step);
}

/* --- duplicates ------------------------------------------------------------------- */

/* Whether ITEM is of the same job as the last one; makes its identity the last one. */
static int same_job(struct identity *last, const struct lxfw_sorted_item *item)
{
	if (last->length == item->text_length && last->submit == item->key && last->length > 0 &&
	    memcmp(last->text, item->text, last->length) == 0)
		return 1;
	if (LXFW_GROW(last->text, last->size, item->text_length))
		return -1;
	memcpy(last->text, item->text, item->text_length);
	last->length = item->text_length;
	last->submit = item->key;
	return 0;
}

/* Adds the dependencies of a job, and its place in an array, of the parts of its record that
   matter. */
static int keep_dependencies(struct lxfw_log_sorted *sorted, struct lxfw_log *log,
			     const struct lxfw_log_job *job, const struct lxfw_double_run *run,
			     const struct lxfw_sorted_item *item, struct lxfw_slice dependency)
{
	const struct lxfw_account account = {
		.submit = lxfw_bytes_of_key(item->key), .start = run->start, .end = run->end,
		.status = (enum lxfw_account_status)job->record.status,
		.id = { (const char *)item->text + 16, item->text_length - 16 },
		.dependency = dependency,
	};

	if (!sorted->depends)
		return 0;
	return lxfw_log_dependencies_add(&log->dependencies, &account, (size_t)sorted->kept);
}

/* Adds a job of the trace. POSITION is that of its record among all. */
static int keep(struct lxfw_log_sorted *sorted, struct lxfw_log *log,
		struct lxfw_log_job *job, int64_t position, struct lxfw_error *error)
{
	unsigned char text[16], data[LXFW_RECORD_BYTES];
	struct lxfw_sorted_item item = {
		.key = lxfw_bytes_key(job->record.submit),
		.text = text, .text_length = sizeof(text), .data = data,
	};

	if (lxfw_log_job_count(log, job))
		return failed(error);
	job->record.think_time = sorted->kept++;
	lxfw_bytes_put_ordered(lxfw_bytes_put_ordered(text, job->record.number), position);
	item.data_length = (uint32_t)(lxfw_bytes_put_record(data, &job->record) - data);
	return lxfw_sorted_runs_add(sorted->jobs, &item, error);
}

/* The cluster that identify() wrote. */
static int32_t cluster_of(const struct lxfw_sorted_item *item)
{
	uint64_t key = 0;

	for (int i = 8; i < 16; i++)
		key = key << 8 | item->text[i];
	return (int32_t)lxfw_bytes_of_key(key);
}

/* Takes a record of the job whose earlier records are in RUNS, unless it is a duplicate. */
static int judge(struct lxfw_log_sorted *sorted, struct lxfw_log *log,
		 struct lxfw_doubles *runs, const struct lxfw_sorted_item *item,
		 struct lxfw_error *error)
{
	struct lxfw_log_job job = { .cluster = cluster_of(item) };
	struct lxfw_double_run run = { .start = 0 };
	const unsigned char *at = item->data;
	int64_t position;
	size_t earlier;
	int sight;

	at = lxfw_bytes_take_integer(at, &position);
	at = lxfw_bytes_take_integer(at, &job.facts);
	at = lxfw_bytes_take_integer(at, &run.start);
	at = lxfw_bytes_take_integer(at, &run.end);
	run.over = job.facts & LXFW_FACT_OVER;
	sight = lxfw_doubles_look_at(runs, 0, &run, &earlier);
	if (sight < 0)
		return failed(error);
	if (lxfw_log_job_is_double(log, sight, job.facts) || !run.over)
		return 0;
	at = lxfw_bytes_take_record(at, &job.record);
	if (keep_dependencies(sorted, log, &job, &run, item, (struct lxfw_slice) {
			(const char *)at, item->data_length - (size_t)(at - item->data) }))
		return failed(error);
	return keep(sorted, log, &job, position, error);
}

/* Moves each job once from `seen` to `jobs`. */
static int leave_doubles(struct lxfw_log_sorted *sorted, struct lxfw_log *log,
			 struct lxfw_error *error)
{
	struct lxfw_doubles runs = { 0 };
	struct identity last = { 0 };
	struct lxfw_sorted_item item;
	int got = lxfw_sorted_runs_rewind(sorted->seen, error), same;

	while (got == 0 && (got = lxfw_sorted_runs_next(sorted->seen, &item, error)) > 0) {
		same = same_job(&last, &item);
		if (same == 0)
			lxfw_doubles_forget(&runs);
		got = same < 0 ? failed(error) : judge(sorted, log, &runs, &item, error);
	}
	lxfw_doubles_clear(&runs);
	free(last.text);
	lxfw_sorted_runs_close(sorted->seen);
	sorted->seen = NULL;
	return got;
}

/* --- numbers of names, processors --------------------------------------------------- */

static struct lxfw_names *names_of(struct lxfw_log *log, int i)
{
	struct lxfw_names *const names[] = { &log->users, &log->groups, &log->queues,
					     &log->requests };

	return names[i];
}

static void members(struct lxfw_swf_record *record, int64_t **members)
{
	members[USERS] = &record->user;
	members[GROUPS] = &record->group;
	members[QUEUES] = &record->queue;
	members[REQUESTS] = &record->executable;
}

static int add_change(struct lxfw_sorted_runs *changes, int64_t time, int64_t procs,
		      struct lxfw_error *error)
{
	unsigned char data[LXFW_INTEGER_BYTES];
	const struct lxfw_sorted_item item = {
		.key = lxfw_bytes_key(time), .data = data,
		.data_length = (uint32_t)(lxfw_bytes_put_integer(data, procs) - data),
	};

	return lxfw_sorted_runs_add(changes, &item, error);
}

/* Adds the start and the end of a job, whose submission is absolute. */
static int add_changes(struct lxfw_sorted_runs *changes, struct lxfw_log *log,
		       const struct lxfw_swf_record *record, struct lxfw_error *error)
{
	int64_t start = record->submit + record->wait;

	if (record->run < 0 || record->wait < 0 || record->used_procs <= 0)
		return 0;
	/* a job of zero duration is counted alone */
	if (record->run == 0) {
		if (record->used_procs > log->most_procs)
			log->most_procs = record->used_procs;
		return 0;
	}
	return add_change(changes, start, record->used_procs, error) ||
	       add_change(changes, start + record->run, -record->used_procs, error) ? -1 : 0;
}

/* At one time, what is released comes first, so that only the sum of all changes counts. */
static int count_procs(struct lxfw_log *log, struct lxfw_sorted_runs *changes,
		       struct lxfw_error *error)
{
	struct lxfw_sorted_item item;
	uint64_t time = 0;
	int64_t held = 0, procs;
	int got = lxfw_sorted_runs_rewind(changes, error);

	if (got)
		return -1;
	while ((got = lxfw_sorted_runs_next(changes, &item, error)) > 0) {
		if (item.key != time && held > log->most_procs)
			log->most_procs = held;
		time = item.key;
		lxfw_bytes_take_integer(item.data, &procs);
		held += procs;
	}
	return got;
}

/* Numbers the names of a job in the order of the jobs. NEXT has the next number of each kind. */
static void number_names(struct lxfw_log_sorted *sorted, struct lxfw_swf_record *record,
			 int32_t *next)
{
	int64_t *names[NAMES];

	members(record, names);
	for (int i = 0; i < NAMES; i++) {
		if (*names[i] >= 0 && sorted->numbers[i][*names[i]] == 0)
			sorted->numbers[i][*names[i]] = ++next[i];
	}
}

/* Orders NAMES by their NUMBERS and frees those without one, which only duplicates have. */
static int order_names(struct lxfw_names *names, const int32_t *numbers, int32_t count)
{
	char **ordered = calloc((size_t)count + 1, sizeof(*ordered));

	if (!ordered)
		return -1;
	for (size_t i = 0; i < names->count; i++) {
		if (numbers[i] > 0)
			ordered[numbers[i] - 1] = names->names[i];
		else
			free(names->names[i]);
	}
	free(names->names);
	names->names = ordered;
	names->size = (size_t)count + 1;
	names->count = (size_t)count;
	return 0;
}

/* Keeps the record in memory, where the jobs that it depends on are found. */
static int load(struct lxfw_log *log, const struct lxfw_swf_record *record)
{
	if (LXFW_GROW(log->records, log->size, log->count))
		return -1;
	log->records[log->count - 1] = *record;
	log->records[log->count - 1].submit -= log->begin;
	return 0;
}

/* Goes through the jobs once: the first submission, the names and the changes of processors. */
static int look_through(struct lxfw_log_sorted *sorted, struct lxfw_log *log,
			struct lxfw_sorted_runs *changes, struct lxfw_error *error)
{
	struct lxfw_swf_record record;
	struct lxfw_sorted_item item;
	int32_t next[NAMES] = { 0 };
	int got = lxfw_sorted_runs_rewind(sorted->jobs, error);

	log->count = 0;
	while (got == 0 && (got = lxfw_sorted_runs_next(sorted->jobs, &item, error)) > 0) {
		lxfw_bytes_take_record(item.data, &record);
		if (log->count++ == 0)
			log->begin = record.submit;
		number_names(sorted, &record, next);
		got = sorted->depends && load(log, &record) ? failed(error) :
		      add_changes(changes, log, &record, error);
	}
	for (int i = 0; i < NAMES && got == 0; i++) {
		if (order_names(names_of(log, i), sorted->numbers[i], next[i]))
			got = failed(error);
	}
	return got;
}

static void set_numbers(const struct lxfw_log_sorted *sorted, struct lxfw_swf_record *record)
{
	int64_t *names[NAMES];

	members(record, names);
	for (int i = 0; i < NAMES; i++) {
		if (*names[i] >= 0)
			*names[i] = sorted->numbers[i][*names[i]];
	}
}

/* Settles the dependencies of the records that were loaded. */
static int settle(struct lxfw_log_sorted *sorted, struct lxfw_log *log, struct lxfw_error *error)
{
	for (size_t i = 0; i < log->count && log->records; i++)
		set_numbers(sorted, &log->records[i]);
	if (log->records && lxfw_log_dependencies_settle(&log->dependencies, log->records,
							 log->count, log->begin))
		return failed(error);
	return 0;
}

int lxfw_log_sorted_finish(struct lxfw_log_sorted *sorted, struct lxfw_log *log,
			   struct lxfw_error *error)
{
	struct lxfw_sorted_runs *changes;
	int result = let_go(sorted, error) || leave_doubles(sorted, log, error) ? -1 : 0;

	if (result)
		return -1;
	for (int i = 0; i < NAMES; i++) {
		sorted->numbers[i] = calloc(names_of(log, i)->count + 1,
					    sizeof(*sorted->numbers[i]));
		if (!sorted->numbers[i])
			return failed(error);
	}
	changes = lxfw_sorted_runs_open(sorted->memory);
	if (!changes)
		return failed(error);
	if (look_through(sorted, log, changes, error) || settle(sorted, log, error) ||
	    count_procs(log, changes, error))
		result = -1;
	lxfw_sorted_runs_close(changes);
	return result;
}

int lxfw_log_sorted_each(struct lxfw_log_sorted *sorted, const struct lxfw_log *log,
			 lxfw_log_record_fn *each, void *context, struct lxfw_error *error)
{
	struct lxfw_swf_record record;
	struct lxfw_sorted_item item;
	int got = lxfw_sorted_runs_rewind(sorted->jobs, error);

	if (got)
		return -1;
	while ((got = lxfw_sorted_runs_next(sorted->jobs, &item, error)) > 0) {
		lxfw_bytes_take_record(item.data, &record);
		record.submit -= log->begin;
		record.think_time = -1;
		set_numbers(sorted, &record);
		each(context, &record);
	}
	return got;
}
