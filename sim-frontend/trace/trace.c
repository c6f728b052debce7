/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/log.h"
#include "sim-frontend/trace/log_formats.h"
#include "sim-frontend/trace/swf.h"
#include "sim-frontend/util/text.h"

static int add_header(void *context, const char *key, int key_length,
		      const char *value, int value_length)
{
	struct lxfw_trace *trace = context;
	struct lxfw_trace_header *header;

	if (LXFW_GROW(trace->headers, trace->header_size, trace->header_count + 1))
		return -1;
	header = trace->headers;
	header = &trace->headers[trace->header_count];
	header->key = strndup(key, (size_t)key_length);
	header->value = strndup(value, (size_t)value_length);
	if (!header->key || !header->value) {
		free(header->key);
		free(header->value);
		return -1;
	}
	trace->header_count++;
	return 0;
}

/* Converts a memory column to KB of the whole job, 0 or more. */
static int64_t job_memory(int64_t column, int64_t procs,
			  enum lxfw_trace_memory memory)
{
	switch (memory) {
	case LXFW_MEMORY_KB_PER_PROC:
		/* avoids overflow; no machine has as much memory */
		if (column > INT64_MAX / 2 / procs)
			return INT64_MAX / 2;
		return column * procs;
	case LXFW_MEMORY_KB_PER_JOB:
		return column;
	case LXFW_MEMORY_BYTES_PER_JOB:
		return (column + 1023) / 1024;
	case LXFW_MEMORY_NONE:
		break;
	}
	return 0;
}

static int64_t requested_memory(const struct lxfw_swf_record *record,
				int64_t procs, enum lxfw_trace_memory memory)
{
	if (record->requested_memory <= 0)
		return 0;
	return job_memory(record->requested_memory, procs, memory);
}

static int64_t used_memory(const struct lxfw_swf_record *record, int64_t procs,
			   enum lxfw_trace_memory memory)
{
	if (record->used_memory < 0 || memory == LXFW_MEMORY_NONE)
		return -1;
	if (record->used_procs > 0)
		procs = record->used_procs;
	return job_memory(record->used_memory, procs, memory);
}

static int32_t owner(int64_t number)
{
	return number >= 0 && number <= INT32_MAX ? (int32_t)number : -1;
}

/* Allocates space for one more job and its owner. */
static int grow_jobs(struct lxfw_trace *trace)
{
	if (trace->count == UINT32_MAX) {
		errno = ENOMEM;
		return -1;
	}
	if (trace->with_owners &&
	    LXFW_GROW(trace->owners, trace->owners_size, trace->count + 1))
		return -1;
	if (trace->preceding &&
	    LXFW_GROW(trace->preceding, trace->preceding_size, trace->count + 1))
		return -1;
	return LXFW_GROW(trace->jobs, trace->size, trace->count + 1);
}

/* Stores the preceding job of the next job, for which grow_jobs() has made room. The array begins
   with the first job that has one. Numbers of jobs start at 1. */
static int put_preceding(struct lxfw_trace *trace, const struct lxfw_swf_record *record)
{
	const struct lxfw_trace_preceding none = { -1, -1 };

	if (!trace->preceding && record->preceding_job <= 0)
		return 0;
	if (!trace->preceding) {
		if (LXFW_GROW(trace->preceding, trace->preceding_size, trace->count + 1))
			return -1;
		for (size_t i = 0; i < trace->count; i++)
			trace->preceding[i] = none;
	}
	trace->preceding[trace->count] = none;
	if (record->preceding_job > 0)
		trace->preceding[trace->count] = (struct lxfw_trace_preceding) {
			record->preceding_job, record->think_time,
		};
	return 0;
}

static struct lxfw_trace_owner owner_of(const struct lxfw_swf_record *record)
{
	return (struct lxfw_trace_owner) {
		owner(record->user), owner(record->group),
		owner(record->queue), owner(record->partition),
		owner(record->status),
		owner(record->executable), record->requested_time <= 0,
	};
}

static struct lxfw_trace_job job_of(const struct lxfw_swf_record *record,
				    int64_t procs, enum lxfw_trace_memory memory)
{
	return (struct lxfw_trace_job) {
		.number = record->number,
		.submit = record->submit,
		.run = record->run,
		.limit = record->requested_time > 0 ? record->requested_time :
						      record->run,
		.wait = record->wait,
		.memory_kb = requested_memory(record, procs, memory),
		.used_memory_kb = used_memory(record, procs, memory),
		.procs = (int32_t)procs,
	};
}

/* Leaves out a job without run time. Keeps a cancelled one separately. */
static int leave_out(struct lxfw_trace *trace,
		     const struct lxfw_swf_record *record, int64_t procs,
		     enum lxfw_trace_memory memory)
{
	struct lxfw_trace_cancelled *cancelled;

	trace->no_run_time++;
	if (!trace->with_owners || record->status != LXFW_ACCOUNT_CANCELLED ||
	    record->submit < 0)
		return 0;
	if (LXFW_GROW(trace->cancelled, trace->cancelled_size,
		      trace->cancelled_count + 1))
		return -1;
	cancelled = &trace->cancelled[trace->cancelled_count++];
	*cancelled = (struct lxfw_trace_cancelled) {
		job_of(record, procs > 0 ? procs : 1, memory), owner_of(record),
	};
	cancelled->job.run = 0;
	cancelled->job.procs = procs > 0 ? (int32_t)procs : 0;
	if (cancelled->job.limit <= 0)
		cancelled->job.limit = LXFW_ACCOUNT_NO_LIMIT;
	return 0;
}

/*
 * In the format, 0 is a run time below half a second and -1 is unknown. In many logs, 0
 * also marks a job that was cancelled before it started or held no processors. Jobs that
 * were cancelled within the second of their start cannot be distinguished from these.
 */
static bool never_ran(const struct lxfw_swf_record *record)
{
	return record->run == 0 && (record->status == LXFW_ACCOUNT_CANCELLED ||
				    record->used_procs == 0);
}

static int add_job(struct lxfw_trace *trace,
		   const struct lxfw_swf_record *record,
		   enum lxfw_trace_memory memory)
{
	int64_t procs = record->requested_procs > 0 ? record->requested_procs :
						      record->used_procs;
	struct lxfw_trace_job *job;

	if (record->run < 0 || never_ran(record))
		return leave_out(trace, record, procs, memory);
	if (procs <= 0) {
		trace->no_procs++;
		return 0;
	}
	if (grow_jobs(trace) || put_preceding(trace, record))
		return -1;
	if (trace->owners)
		trace->owners[trace->count] = owner_of(record);
	job = &trace->jobs[trace->count++];
	*job = job_of(record, procs, memory);
	if (record->run == 0) {
		trace->zero_run++;
		job->run = 1;
		job->limit = job->limit > 0 ? job->limit : 1;
	}
	if (trace->count > 1 && job->submit < job[-1].submit)
		trace->out_of_order++;
	return 0;
}

/* Adds the jobs of an accounting log, with the same result as after a conversion. */
static int take_log(struct lxfw_trace *trace, const struct lxfw_log *log,
		    enum lxfw_trace_memory memory)
{
	if (lxfw_log_headers(log, add_header, trace))
		return -1;
	if (memory != LXFW_MEMORY_NONE)
		memory = LXFW_MEMORY_KB_PER_PROC;
	for (size_t i = 0; i < log->count; i++) {
		if (add_job(trace, &log->records[i], memory))
			return -1;
	}
	trace->told = lxfw_log_tell(log);
	trace->hosts_named = log->hosts_named.several;
	return trace->told ? lxfw_trace_sort(trace) : -1;
}

int lxfw_trace_of_log(struct lxfw_trace *trace, const struct lxfw_log *log)
{
	*trace = (struct lxfw_trace) { .with_owners = true };
	if (take_log(trace, log, LXFW_MEMORY_NONE) == 0)
		return 0;
	lxfw_trace_clear(trace);
	errno = ENOMEM;
	return -1;
}

static int read_log(struct lxfw_trace *trace, struct lxfw_input *input,
		    const struct lxfw_log_format *format,
		    enum lxfw_trace_memory memory,
		    struct lxfw_error *error)
{
	struct lxfw_log log = { 0 };
	int result = lxfw_log_add(&log, input, format, error);

	if (result == 0)
		result = lxfw_log_finish(&log, error);
	if (result == 0)
		result = lxfw_log_judge_clusters(&log, lxfw_input_path(input), error);
	if (result == 0 && take_log(trace, &log, memory))
		result = lxfw_error_system(error, lxfw_input_path(input));
	lxfw_log_clear(&log);
	return result;
}

static int read_jobs(struct lxfw_trace *trace, struct lxfw_input *input,
		     enum lxfw_trace_memory memory, struct lxfw_error *error)
{
	struct lxfw_swf_record record;
	size_t left = 0;
	int got;

	while ((got = lxfw_swf_next(input, &record, add_header, trace,
				    &trace->odd, error)) > 0) {
		left++;
		if (add_job(trace, &record, memory))
			return lxfw_error_system(error, lxfw_input_path(input));
	}
	if (got < 0 || lxfw_odd_judge(&trace->odd, left + trace->odd.count, left, error))
		return -1;
	if (left == 0)
		return lxfw_error_at(error, lxfw_input_path(input),
			lxfw_input_line_number(input) + 1,
			"no job in the file, expected lines of 18 fields (SWF)");
	if (lxfw_trace_sort(trace))
		return lxfw_error_system(error, lxfw_input_path(input));
	return 0;
}

static int read_trace(struct lxfw_trace *trace, const char *path,
		      enum lxfw_trace_memory memory, struct lxfw_error *error)
{
	const struct lxfw_log_format *format;
	struct lxfw_input *input;
	int result;

	input = lxfw_input_open(path, error);
	if (!input)
		return -1;
	result = lxfw_log_recognize(input, &format, error);
	if (result == 0 && format == &lxfw_log_journal)
		result = lxfw_error_at(error, lxfw_input_path(input), 0,
			"a journal, expected a trace or accounting records");
	else if (result == 0 && format == &lxfw_log_swf)
		result = read_jobs(trace, input, memory, error);
	else if (result == 0)
		result = read_log(trace, input, format, memory, error);
	lxfw_input_close(input);
	if (result)
		lxfw_trace_clear(trace);
	return result;
}

int lxfw_trace_read(struct lxfw_trace *trace, const char *path,
		    enum lxfw_trace_memory memory, struct lxfw_error *error)
{
	*trace = (struct lxfw_trace) { 0 };
	return read_trace(trace, path, memory, error);
}

int lxfw_trace_read_owners(struct lxfw_trace *trace, const char *path,
			   enum lxfw_trace_memory memory,
			   struct lxfw_error *error)
{
	*trace = (struct lxfw_trace) { .with_owners = true };
	return read_trace(trace, path, memory, error);
}

void lxfw_trace_clear(struct lxfw_trace *trace)
{
	int saved = errno;

	for (size_t i = 0; i < trace->header_count; i++) {
		free(trace->headers[i].key);
		free(trace->headers[i].value);
	}
	free(trace->headers);
	free(trace->jobs);
	free(trace->owners);
	if (trace->needs)
		lxfw_needs_clear(trace->needs);
	free(trace->needs);
	free(trace->need_of);
	free(trace->preceding);
	free(trace->cancelled);
	free(trace->order);
	free(trace->told);
	*trace = (struct lxfw_trace) { 0 };
	errno = saved;
}

const char *lxfw_trace_header(const struct lxfw_trace *trace, const char *key)
{
	for (size_t i = 0; i < trace->header_count; i++) {
		if (strcasecmp(trace->headers[i].key, key) == 0)
			return trace->headers[i].value;
	}
	return NULL;
}

int32_t lxfw_trace_procs(const struct lxfw_trace *trace)
{
	static const char *const keys[] = { "MaxProcs", "MaxNodes" };

	for (int i = 0; i < 2; i++) {
		const char *value = lxfw_trace_header(trace, keys[i]);
		size_t digits = value ? strspn(value, "0123456789") : 0;
		int64_t procs;

		/* "338 (batch partition; 512 total)" occurs */
		if (digits > 0 && !lxfw_text_integer(value, digits, 1,
						     INT32_MAX, &procs))
			return (int32_t)procs;
	}
	return 0;
}

int lxfw_trace_filter(struct lxfw_trace *trace, lxfw_trace_keep_fn *keep,
		      void *context, size_t *left_out)
{
	size_t kept = 0, before = trace->count;

	for (size_t i = 0; i < before; i++) {
		if (!keep(context, &trace->jobs[i]))
			continue;
		if (kept != i) {
			trace->jobs[kept] = trace->jobs[i];
			if (trace->owners)
				trace->owners[kept] = trace->owners[i];
			if (trace->need_of)
				trace->need_of[kept] = trace->need_of[i];
			if (trace->preceding)
				trace->preceding[kept] = trace->preceding[i];
		}
		kept++;
	}
	trace->count = kept;
	*left_out = before - kept;
	/* the positions have changed */
	return trace->order && kept != before ? lxfw_trace_sort(trace) : 0;
}

struct sort_key {
	int64_t submit;
	uint32_t position;
};

static int by_submit(const void *left, const void *right)
{
	const struct sort_key *a = left, *b = right;

	if (a->submit != b->submit)
		return a->submit < b->submit ? -1 : 1;
	return a->position < b->position ? -1 : 1;
}

int lxfw_trace_sort(struct lxfw_trace *trace)
{
	struct sort_key *keys;
	bool sorted = true;

	for (size_t i = 1; i < trace->count && sorted; i++)
		sorted = trace->jobs[i - 1].submit <= trace->jobs[i].submit;
	if (sorted) {
		free(trace->order);
		trace->order = NULL;
		return 0;
	}
	keys = malloc(trace->count * sizeof(*keys));
	if (keys && !trace->order)
		trace->order = malloc(trace->count * sizeof(*trace->order));
	if (!keys || !trace->order) {
		free(keys);
		return -1;
	}
	for (size_t i = 0; i < trace->count; i++)
		keys[i] = (struct sort_key) { trace->jobs[i].submit,
					      (uint32_t)i };
	qsort(keys, trace->count, sizeof(*keys), by_submit);
	for (size_t i = 0; i < trace->count; i++)
		trace->order[i] = keys[i].position;
	free(keys);
	return 0;
}
