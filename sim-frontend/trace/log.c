/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/hostlist.h"
#include "sim-frontend/trace/log_job.h"
#include "sim-frontend/trace/log_sorted.h"
#include "sim-frontend/trace/needs.h"
#include "sim-frontend/trace/tres.h"
#include "sim-frontend/util/letters.h"
#include "sim-frontend/util/text.h"

struct take_host {
	struct lxfw_log *log;
	const struct lxfw_account *account;
	const struct lxfw_account_host *host;	/* the one that is being added */
	int64_t hosts;			/* number of hosts of the job, 1 or more */
	int32_t partition;
};

/* Returns whether a cluster description can contain NAME. */
static bool plain_name(const char *name)
{
	size_t length = strlen(name);

	return *name && !strpbrk(name, " \t,=#\"'") && length < 200 &&
	       lxfw_letters_only(name, length);
}

/* Adds the GRES of the job on the host of the last share: GPUs as the log states, otherwise
   an equal part of the job's GRES. */
static int take_extra(void *context, struct lxfw_slice name, int64_t count)
{
	const struct take_host *take = context;
	struct lxfw_log *log = take->log;
	int32_t extra;

	if (memchr(name.at, ' ', name.length))
		return 0;
	extra = lxfw_names_add(&log->extras, name.at, name.length);
	if (LXFW_GROW(log->extra_shares, log->extras_size, log->extra_count + 1))
		return -1;
	if (extra < 0)
		return -1;
	count = (count + take->hosts - 1) / take->hosts;
	if (take->host->gpus >= 0 && lxfw_slice_is(name, "gpu"))
		count = take->host->gpus;
	log->extra_shares[log->extra_count++] = (struct lxfw_log_extra) {
		.share = log->share_count - 1, .extra = extra,
		.count = count > INT32_MAX ? INT32_MAX : (int32_t)count,
	};
	return 0;
}

static int take_host(void *context, const struct lxfw_account_host *held)
{
	struct take_host *take = context;
	const struct lxfw_account *account = take->account;
	struct lxfw_log *log = take->log;
	int64_t even = (int64_t)((double)account->memory_kb * (double)held->procs /
				 (double)account->procs);
	int32_t host;

	if (!plain_name(held->name))
		return 0;
	host = lxfw_names_add(&log->hosts, held->name, strlen(held->name));
	if (LXFW_GROW(log->shares, log->shares_size, log->share_count + 1))
		return -1;
	if (host < 0)
		return -1;
	log->shares[log->share_count++] = (struct lxfw_log_share) {
		.start = held->end > 0 ? held->start : account->start,
		.end = held->end > 0 ? held->end : account->end,
		.memory_kb = held->memory_kb > 0 ? held->memory_kb : even,
		.host = host, .even_memory = held->memory_kb == 0,
		.procs = held->procs > INT32_MAX ? INT32_MAX : (int32_t)held->procs,
		.partition = take->partition,
	};
	take->host = held;
	return lxfw_gres_each(account->gres, take->hosts, take_extra,
			      context);
}

static int add_job(struct lxfw_log *log, const struct lxfw_account *account,
		   const struct lxfw_log_job *job)
{
	if (LXFW_GROW(log->records, log->size, log->count + 1) || lxfw_log_job_count(log, job))
		return -1;
	log->records[log->count++] = job->record;
	log->after_job = true;
	return lxfw_log_dependencies_add(&log->dependencies, account, log->count - 1);
}

/* Adds the memory of a step to its job, whose record is the previous one. */
static void add_step(struct lxfw_log *log, const struct lxfw_account *account)
{
	if (log->sorted)
		lxfw_log_sorted_step(log->sorted, account);
	else if (log->after_job)
		lxfw_log_job_step(&log->records[log->count - 1], account);
}

static void add_counts(struct lxfw_account_counts *to,
		       const struct lxfw_account_counts *from)
{
	to->records += from->records;
	to->jobs += from->jobs;
	to->steps += from->steps;
	to->not_over += from->not_over;
	to->notes += from->notes;
	to->parents += from->parents;
	lxfw_odd_merge(&to->odd, &from->odd);
	to->local += from->local;
	to->skipped += from->skipped;
	to->unclear += from->unclear;
	to->hosts_cut += from->hosts_cut;
	to->deleted += from->deleted;
	to->open += from->open;
	to->parts += from->parts;
	to->gpu_parts += from->gpu_parts;
	to->unread_jobs += from->unread_jobs;
	for (int i = 0; i < LXFW_UNREADS; i++)
		to->unread[i] += from->unread[i];
	if (from->machine_procs > to->machine_procs)
		to->machine_procs = from->machine_procs;
}

/* Returns 1 if the record is a duplicate and was handled, 0 if not, or -1. */
static int leave_double(struct lxfw_log *log, const struct lxfw_account *account)
{
	size_t earlier;
	int sight = lxfw_doubles_look(&log->seen, account, 0, &earlier);

	if (sight < 0)
		return -1;
	return lxfw_log_job_is_double(log, sight, lxfw_log_job_facts(account));
}

static int take_hosts(struct lxfw_log *log,
		      const struct lxfw_account_reader *reader,
		      const struct lxfw_account *account)
{
	struct take_host take = {
		.log = log, .account = account, .partition = -1,
		.hosts = account->hosts > 0 ? account->hosts : 1,
	};

	if (log->format->partitions && account->queue.length > 0) {
		/* the first of several partitions */
		take.partition = lxfw_names_add(&log->partitions,
			account->queue.at, lxfw_hostlist_item(account->queue.at,
						account->queue.length));
		if (take.partition < 0)
			return -1;
	}
	return lxfw_account_hosts(reader, account, take_host, &take);
}

/* Adds a record to those that are sorted, where duplicates are found later. */
static int add_sorted(struct lxfw_log *log, const struct lxfw_account *account,
		      struct lxfw_error *error)
{
	struct lxfw_log_job job;

	if (lxfw_log_job_make(log, account, &job))
		return lxfw_error_system(error, "sorting");
	log->count += account->over;
	return lxfw_log_sorted_add(log->sorted, account, &job, error);
}

static int add_in_memory(struct lxfw_log *log, const struct lxfw_account_reader *reader,
			 const struct lxfw_account *account)
{
	struct lxfw_log_job job;
	int failed = leave_double(log, account);

	log->after_job = false;
	if (failed)
		return failed > 0 ? 0 : -1;
	lxfw_hosts_named_look(&log->hosts_named, reader, account);
	if (lxfw_log_job_make(log, account, &job) || (account->over && add_job(log, account, &job)))
		return -1;
	if (log->want_hosts && account->over && lxfw_account_started(account))
		failed = take_hosts(log, reader, account);
	return failed;
}

/* Whether the record is of another cluster than the one wanted. A step that names none is where
   its job is. */
static bool is_elsewhere(struct lxfw_log *log, const struct lxfw_account *account)
{
	bool is = log->cluster && account->cluster.length > 0 &&
		  !lxfw_slice_is(account->cluster, log->cluster);

	if (!account->step)
		log->in_elsewhere = is;
	return is || log->in_elsewhere;
}

/* Returns 0, or -1 with errno ENOMEM. */
static int leave_elsewhere(struct lxfw_log *log, const struct lxfw_account *account)
{
	int32_t cluster;

	log->elsewhere++;
	if (account->step) {
		log->counts.steps--;
		return 0;
	}
	lxfw_log_job_discount(log, lxfw_log_job_facts(account));
	return lxfw_log_clusters_add(&log->clusters, account->cluster, &cluster) ||
	       lxfw_log_clusters_count(&log->clusters, account->over ? cluster : -1) ? -1 : 0;
}

static int add_account(struct lxfw_log *log, const struct lxfw_account_reader *reader,
		       const struct lxfw_account *account, struct lxfw_input *input,
		       struct lxfw_error *error)
{
	int failed = 0;

	if (is_elsewhere(log, account))
		failed = leave_elsewhere(log, account);
	else if (account->step)
		add_step(log, account);
	else if (log->sorted)
		return add_sorted(log, account, error);
	else
		failed = add_in_memory(log, reader, account);
	return failed ? lxfw_error_system(error, lxfw_input_path(input)) : 0;
}

static bool within(const struct lxfw_log_window *window,
		   const struct lxfw_account *account)
{
	if (!account->over)
		return window->to == INT64_MAX;
	if (!lxfw_account_started(account) && account->eligible > account->end)
		return false;
	return account->end >= window->from && account->end < window->to;
}

int lxfw_log_add_part(struct lxfw_log *log, struct lxfw_input *input,
		      const struct lxfw_log_format *format,
		      const struct lxfw_log_window *window,
		      struct lxfw_error *error)
{
	const struct lxfw_account_options options = {
		.in_zone = log->zone, .columns = log->columns,
	};
	struct lxfw_account_reader *reader =
		lxfw_account_open(input, format, &options, error);
	struct lxfw_account account;
	int got;

	if (!reader)
		return -1;
	log->format = format;
	log->logs++;
	while ((got = lxfw_account_next(reader, &account, error)) > 0) {
		if (window && !within(window, &account)) {
			/* the record belongs to another window; slurmrestd has no
			   records of steps */
			lxfw_log_job_discount(log, lxfw_log_job_facts(&account));
			log->counts.records--;
		} else if (add_account(log, reader, &account, input, error)) {
			got = -1;
			break;
		}
	}
	add_counts(&log->counts, lxfw_account_counts(reader));
	if (got == 0 && !window)
		got = lxfw_account_judge(lxfw_account_counts(reader), error);
	if (got == 0 && !window && lxfw_account_counts(reader)->records == 0)
		got = lxfw_error_at(error, lxfw_input_path(input), 1,
			"no records in the file, expected records of %s",
			format->name);
	lxfw_account_close(reader);
	return got;
}

int lxfw_log_bound(struct lxfw_log *log, size_t memory)
{
	log->sorted = lxfw_log_sorted_open(memory);
	return log->sorted ? 0 : -1;
}

int lxfw_log_add(struct lxfw_log *log, struct lxfw_input *input,
		 const struct lxfw_log_format *format, struct lxfw_error *error)
{
	return lxfw_log_add_part(log, input, format, NULL, error);
}

/* --- order, numbers ------------------------------------------------------------- */

static int by_submit(const void *left, const void *right)
{
	const struct lxfw_swf_record *a = left, *b = right;

	if (a->submit != b->submit)
		return a->submit < b->submit ? -1 : 1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	/* think_time temporarily holds the position in the log */
	return (a->think_time > b->think_time) - (a->think_time < b->think_time);
}

/* Renumbers NAMES, which were numbered in the order of reading, in the order of the
   sorted records. MEMBER is the offset of their number in a record. */
static int renumber(const struct lxfw_log *log, struct lxfw_names *names,
		    size_t member)
{
	int32_t *numbers = calloc(names->count + 1, sizeof(*numbers)), next = 0;
	char **sorted = calloc(names->count + 1, sizeof(*sorted));

	if (!numbers || !sorted) {
		free(numbers);
		free(sorted);
		return -1;
	}
	for (size_t i = 0; i < log->count; i++) {
		int64_t *number = (int64_t *)(void *)((char *)&log->records[i] +
						      member);

		if (*number < 0)
			continue;
		if (numbers[*number] == 0) {
			sorted[next] = names->names[*number];
			numbers[*number] = ++next;
		}
		*number = numbers[*number];
	}
	if (names->count > 0)
		memcpy(names->names, sorted, names->count * sizeof(*sorted));
	free(numbers);
	free(sorted);
	return 0;
}

struct change {
	int64_t time, procs;		/* procs < 0: released */
};

static int by_time(const void *left, const void *right)
{
	const struct change *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->procs > b->procs) - (a->procs < b->procs);
}

static int count_procs(struct lxfw_log *log)
{
	struct change *changes = calloc(2 * log->count + 1, sizeof(*changes));
	size_t count = 0;
	int64_t held = 0, most = 0;

	if (!changes)
		return -1;
	for (size_t i = 0; i < log->count; i++) {
		const struct lxfw_swf_record *record = &log->records[i];
		int64_t start = record->submit + record->wait;

		/* without a wait or used processors, it has not run */
		if (record->run < 0 || record->wait < 0 || record->used_procs <= 0)
			continue;
		/* a job of zero duration is counted alone */
		if (record->run == 0 && record->used_procs > most)
			most = record->used_procs;
		if (record->run == 0)
			continue;
		changes[count++] = (struct change) { start, record->used_procs };
		changes[count++] = (struct change) { start + record->run,
						     -record->used_procs };
	}
	qsort(changes, count, sizeof(*changes), by_time);
	log->most_procs = most;
	for (size_t i = 0; i < count; i++) {
		held += changes[i].procs;
		if (held > log->most_procs)
			log->most_procs = held;
	}
	free(changes);
	return 0;
}

static int finish_in_memory(struct lxfw_log *log)
{
	for (size_t i = 0; i < log->count; i++)
		log->records[i].think_time = (int64_t)i;
	if (log->count > 1)
		qsort(log->records, log->count, sizeof(*log->records), by_submit);
	log->begin = log->count ? log->records[0].submit : 0;
	for (size_t i = 0; i < log->count; i++) {
		log->records[i].submit -= log->begin;
	}
	if (lxfw_log_dependencies_settle(&log->dependencies, log->records, log->count, log->begin) ||
	    renumber(log, &log->users, offsetof(struct lxfw_swf_record, user)) ||
	    renumber(log, &log->groups, offsetof(struct lxfw_swf_record, group)) ||
	    renumber(log, &log->queues, offsetof(struct lxfw_swf_record, queue)) ||
	    renumber(log, &log->requests,
		     offsetof(struct lxfw_swf_record, executable)))
		return -1;
	return count_procs(log);
}

int lxfw_log_finish(struct lxfw_log *log, struct lxfw_error *error)
{
	if (log->sorted)
		return lxfw_log_sorted_finish(log->sorted, log, error);
	return finish_in_memory(log) ? lxfw_error_system(error, "sorting") : 0;
}

int lxfw_log_judge_clusters(const struct lxfw_log *log, const char *path,
			    struct lxfw_error *error)
{
	return lxfw_log_clusters_judge(&log->clusters, log->cluster, path, error);
}

int lxfw_log_each(const struct lxfw_log *log, lxfw_log_record_fn *record, void *context,
		  struct lxfw_error *error)
{
	if (log->sorted && !log->records)
		return lxfw_log_sorted_each(log->sorted, log, record, context, error);
	for (size_t i = 0; i < log->count; i++)
		record(context, &log->records[i]);
	return 0;
}

/* --- messages --------------------------------------------------------------------- */

struct tell_header {
	lxfw_swf_header_fn *header;
	void *context;
	int result;
};

static void tell(struct tell_header *to, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void tell(struct tell_header *to, const char *key, const char *format, ...)
{
	char value[300];
	va_list arguments;

	if (to->result)
		return;
	va_start(arguments, format);
	vsnprintf(value, sizeof(value), format, arguments);
	va_end(arguments);
	to->result = to->header(to->context, key, (int)strlen(key), value,
				(int)strlen(value));
}

static void tell_names(struct tell_header *to, const char *key,
		       const struct lxfw_names *names)
{
	char quoted[LXFW_NEEDS_TEXT];

	for (size_t i = 0; i < names->count; i++)
		tell(to, key, "%zu %s", i + 1,
		     lxfw_text_quote(quoted, sizeof(quoted), names->names[i],
				     strlen(names->names[i])));
}

int lxfw_log_headers(const struct lxfw_log *log, lxfw_swf_header_fn *header,
		     void *context)
{
	int64_t stated = log->counts.machine_procs;
	int64_t procs = stated > 0 ? stated : log->most_procs;
	struct tell_header to = { header, context, 0 };

	tell(&to, "Version", "2.2");
	tell(&to, "Conversion", "lxfw import %s from %s", PACKAGE_VERSION,
	     log->format->name);
	tell(&to, "Note", "job numbers are those of the batch system; a job is "
	     "submitted when it was free to start");
	tell(&to, "Note", "processors are those that jobs held; MaxProcs is %s",
	     stated > 0 ? "that of the log" : "the most that they held at once");
	if (log->zone)
		tell(&to, "TimeZoneString", "%s", log->zone);
	else if (log->counts.local > 0)
		tell(&to, "Note", "times were local and are taken for UTC");
	tell(&to, "MaxJobs", "%zu", log->count);
	tell(&to, "MaxRecords", "%zu", log->count);
	tell(&to, "UnixStartTime", "%" PRId64, log->begin);
	if (procs > 0 && procs <= INT32_MAX)
		tell(&to, "MaxProcs", "%" PRId64, procs);
	if (log->requests.count > 0)
		tell(&to, "Note", "column 14 is the number of a Request below: "
		     "what else the job needs");
	tell(&to, "Queues", "%zu", log->queues.count);
	tell_names(&to, "Queue", &log->queues);
	tell_names(&to, "User", &log->users);
	tell_names(&to, "Group", &log->groups);
	tell_names(&to, "Request", &log->requests);
	for (size_t i = 0; i < log->dependencies.line_count; i++)
		tell(&to, "Dependency", "%s", log->dependencies.lines[i]);
	return to.result;
}

/* Appends SEPARATOR, NUMBER and WHAT to TEXT if NUMBER is not 0. */
static void say(char *text, size_t size, const char *separator, size_t number,
		const char *what)
{
	size_t used = strlen(text);

	if (number > 0)
		snprintf(text + used, size - used, "%s%zu%s%s", separator, number,
			 *what ? " " : "", what);
}

static void say_unread(char *text, size_t size, const struct lxfw_account_counts *counts)
{
	char what[60];

	for (int i = 0; i < LXFW_UNREADS; i++) {
		snprintf(what, sizeof(what), "jobs with %s (not read)", lxfw_unread_names[i]);
		say(text, size, "; ", counts->unread[i], what);
	}
}

char *lxfw_log_tell(const struct lxfw_log *log)
{
	const struct lxfw_account_counts *counts = &log->counts;
	char text[3000];

	snprintf(text, sizeof(text), "%zu records (%s): %zu of jobs",
		 counts->records, log->format->name,
		 counts->jobs);
	say(text, sizeof(text), ", ", counts->steps, "of job steps");
	say(text, sizeof(text), ", ", counts->not_over, "of running or pending "
		    "jobs");
	say(text, sizeof(text), ", ", log->doubles,
	    "duplicates (left out)");
	say(text, sizeof(text), ", ", log->elsewhere,
	    "of other clusters (left out)");
	say(text, sizeof(text), ", ", counts->notes, "not of ended jobs");
	say(text, sizeof(text), ", ", counts->parents, "of whole job arrays");
	say(text, sizeof(text), ", ", counts->odd.count, "odd (left out), the first: ");
	if (counts->odd.count > 0)
		strncat(text, counts->odd.examples[0].text, sizeof(text) - strlen(text) - 1);
	say(text, sizeof(text), "; of these ", counts->deleted,
	    "jobs deleted while waiting");
	say(text, sizeof(text), "; ", counts->open, "jobs have no end");
	say(text, sizeof(text), "; never started: ",
	    log->never_started, "");
	say(text, sizeof(text), "; of a workload that has not run: ", log->planned, "");
	say(text, sizeof(text), "; held back after submission: ", log->late, "");
	say(text, sizeof(text), "; suspended: ", log->suspended, "");
	say(text, sizeof(text), "; without a time limit: ",
	    log->no_limit, "");
	say(text, sizeof(text), "; parts of heterogeneous jobs: ", counts->parts,
	    "");
	say(text, sizeof(text), "; after other jobs: ", log->dependencies.dependent, "");
	say(text, sizeof(text), "; after jobs that are not in the log or did not run before: ",
	    log->dependencies.lost, "");
	say(text, sizeof(text), "; dependencies of other kinds (not kept): ",
	    log->dependencies.others, "");
	say(text, sizeof(text), "; after more than 100 jobs (the last ones are kept): ",
	    log->dependencies.cut, "");
	say(text, sizeof(text), "; tasks of arrays with a limit of tasks at a time (not kept): ",
	    log->limited, "");
	say(text, sizeof(text), "; with a share of a GPU, which counts as a whole one: ",
	    counts->gpu_parts, "");
	say_unread(text, sizeof(text), counts);
	if (log->most_procs > 0)
		say(text, sizeof(text), "; most processors held at once: ",
		    (size_t)log->most_procs, "");
	say(text, sizeof(text), "; truncated lists of hosts: in ",
	    counts->hosts_cut, "records (sacct --parsable2 does not truncate)");
	if (!log->zone)
		say(text, sizeof(text), "; local times interpreted as UTC: in ",
		    counts->local, "records (set the zone with lxfw import "
				   "--tz)");
	say(text, sizeof(text), "; at a local time that clocks skip in this "
	    "zone: ", counts->skipped, "records");
	say(text, sizeof(text), "; in the repeated hour at the end of "
	    "daylight saving time (first one assumed): ", counts->unclear, "records");
	say(text, sizeof(text), "; with an end before the start, or a start before the "
	    "submission (the time between counts as 0): ", log->disordered, "jobs");
	say(text, sizeof(text), "; processors rounded by sacct, with an error "
	    "of up to 5 in 1024: ", log->rounded,
	    "(use sacct --noconvert)");
	return strdup(text);
}

void lxfw_log_clear(struct lxfw_log *log)
{
	int saved = errno;

	lxfw_log_sorted_close(log->sorted);
	free(log->records);
	free(log->shares);
	free(log->extra_shares);
	lxfw_names_clear(&log->partitions);
	lxfw_names_clear(&log->extras);
	lxfw_names_clear(&log->requests);
	lxfw_names_clear(&log->users);
	lxfw_names_clear(&log->groups);
	lxfw_names_clear(&log->queues);
	lxfw_names_clear(&log->hosts);
	lxfw_log_clusters_clear(&log->clusters);
	lxfw_doubles_clear(&log->seen);
	lxfw_log_dependencies_clear(&log->dependencies);
	*log = (struct lxfw_log) { 0 };
	errno = saved;
}
