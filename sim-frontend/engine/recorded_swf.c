/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a recorded run from a log with waits, and detects the kind of a file. */
#include <errno.h>
#include <string.h>

#include "sim-frontend/engine/recorded.h"
#include "sim-frontend/engine/simulation.h"
#include "sim-frontend/trace/input.h"
#include "sim-frontend/trace/log_formats.h"
#include "sim-frontend/trace/trace.h"
#include "sim-frontend/trace/trace_calendar.h"
#include "sim-frontend/util/text.h"

int lxfw_recorded_kind(const char *path, struct lxfw_error *error)
{
	struct lxfw_input *input = lxfw_input_open(path, error);
	const struct lxfw_log_format *format;
	char *line;
	size_t length;
	int got;

	if (!input)
		return -1;
	got = lxfw_log_recognize(input, &format, error);
	if (got == 0)
		got = lxfw_input_peek(input, &line, &length, error);
	if (got == 0)
		got = lxfw_error_at(error, path, 1, "the file is empty, expected "
			"a journal, accounting records or a trace");
	lxfw_input_close(input);
	if (got < 0)
		return -1;
	return format == &lxfw_log_journal ? 'j' :
	       format == &lxfw_log_swf ? 't' : 'a';
}

/* Adds the name of a number according to the header, "Queue: 1 express", otherwise the
   number. */
static int take_name(struct lxfw_names *names, const struct lxfw_trace *trace,
		     const char *key, int32_t number, int32_t *name)
{
	char text[80];
	int length;

	*name = -1;
	if (number < 0)
		return 0;
	length = lxfw_text_put_integer(text, number);
	for (size_t i = 0; i < trace->header_count; i++) {
		const char *value = trace->headers[i].value;

		if (strcasecmp(trace->headers[i].key, key) != 0 ||
		    strncmp(value, text, (size_t)length) != 0)
			continue;
		value += length;
		if (*value != ' ' && *value != '\t')
			continue;
		value += strspn(value, " \t");
		if (*value) {
			lxfw_text_quote(text, sizeof(text), value,
					strcspn(value, " \t"));
			length = (int)strlen(text);
		}
		break;
	}
	*name = lxfw_names_add(names, text, (size_t)length);
	return *name < 0 ? -1 : 0;
}

/* A name among the words of what a job needs. */
static int take_word(struct lxfw_names *names, struct lxfw_slice request,
		     const char *key, int32_t *name)
{
	struct lxfw_slice value = lxfw_needs_word(request, key);

	*name = value.length == 0 ? -1 :
		lxfw_names_add(names, value.at, value.length);
	return value.length > 0 && *name < 0 ? -1 : 0;
}

static int take_slurm(struct lxfw_recorded *recorded,
		      const struct lxfw_trace *trace,
		      const struct lxfw_trace_owner *owner,
		      struct lxfw_recorded_job *job)
{
	struct lxfw_slice request;

	if (owner->request < 0)
		return 0;
	request = lxfw_trace_name(trace, "Request", owner->request);
	return take_word(&recorded->accounts, request, "account", &job->account) ||
	       take_word(&recorded->qos, request, "qos", &job->qos) ? -1 : 0;
}

static int take_owner(struct lxfw_recorded *recorded,
		      const struct lxfw_trace *trace, bool by_partition,
		      const struct lxfw_trace_owner *owner,
		      struct lxfw_recorded_job *job)
{
	return take_name(&recorded->users, trace, "User", owner->user,
			 &job->user) ||
	       take_name(&recorded->groups, trace, "Group", owner->group,
			 &job->group) ||
	       take_name(&recorded->queues, trace,
			 by_partition ? "Partition" : "Queue",
			 by_partition ? owner->partition : owner->queue,
			 &job->queue) ||
	       take_slurm(recorded, trace, owner, job) ? -1 : 0;
}

/* Partitions distinguish jobs if all have the same queue. */
static bool by_partition(const struct lxfw_trace *trace)
{
	bool partitions = false;

	for (size_t i = 1; i < trace->count; i++) {
		const struct lxfw_trace_owner *owner = &trace->owners[i];

		if (owner->queue != trace->owners[0].queue)
			return false;
		partitions |= owner->partition != trace->owners[0].partition;
	}
	return partitions;
}

static struct lxfw_recorded_job *
add_job(struct lxfw_recorded *recorded, const struct lxfw_trace_job *from,
	const struct lxfw_need *need, const struct lxfw_cluster *cluster,
	bool one_host)
{
	struct lxfw_recorded_job *job = lxfw_recorded_add(recorded);

	if (!job)
		return NULL;
	job->request = (struct lxfw_request) {
		.id = recorded->count, .submit = from->submit,
		.estimate = from->limit,
	};
	lxfw_simulation_request(cluster, one_host, from, need, &job->request);
	job->number = from->number;
	job->seen = from->submit;
	return job;
}

static int take_job(struct lxfw_recorded *recorded,
		    const struct lxfw_trace *trace, size_t position,
		    const struct lxfw_cluster *cluster, bool one_host)
{
	const struct lxfw_trace_job *from = &trace->jobs[position];
	struct lxfw_recorded_job *job =
		add_job(recorded, from, lxfw_trace_need(trace, position),
			cluster, one_host);

	if (!job)
		return -1;
	if (from->wait >= 0) {
		job->start = from->submit + from->wait;
		job->end = job->start + from->run;
	} else {
		job->run = from->run;
	}
	return 0;
}

/* Finds the scheduler in the header: "uses the EASY scheduler". */
static int take_scheduler(struct lxfw_recorded *recorded,
			  const struct lxfw_trace *trace)
{
	char text[100];

	for (size_t i = 0; i < trace->header_count; i++) {
		const char *value = trace->headers[i].value;

		if (!strcasestr(value, "scheduler") || strlen(value) > 80)
			continue;
		recorded->scheduler = strdup(lxfw_text_quote(text, sizeof(text),
							value, strlen(value)));
		return recorded->scheduler ? 0 : -1;
	}
	return 0;
}

/* Adds cancelled jobs with a known wait that fit on the machine. */
static int take_cancelled(struct lxfw_recorded *recorded,
			  const struct lxfw_trace *trace, bool partitions,
			  const struct lxfw_cluster *cluster, bool one_host)
{
	for (size_t i = 0; i < trace->cancelled_count; i++) {
		const struct lxfw_trace_cancelled *from = &trace->cancelled[i];
		struct lxfw_recorded_job *job;

		const struct lxfw_need *need =
			lxfw_trace_need_of(trace, cluster, &from->owner);

		if (from->job.wait < 0 || from->job.procs <= 0 ||
		    from->job.procs > cluster->procs)
			continue;
		job = add_job(recorded, &from->job, need, cluster, one_host);
		if (job && !lxfw_simulation_holds(cluster, &job->request)) {
			recorded->count--;
			continue;
		}
		if (!job || take_owner(recorded, trace, partitions,
				       &from->owner, job))
			return -1;
		job->end = from->job.submit + from->job.wait;
		recorded->passed_over--;
	}
	return 0;
}

static int take_jobs(struct lxfw_recorded *recorded,
		     const struct lxfw_trace *trace,
		     const struct lxfw_cluster *cluster, bool one_host)
{
	bool partitions = trace->owners && by_partition(trace);

	for (size_t i = 0; i < trace->count; i++) {
		size_t position = lxfw_trace_at(trace, i);

		if (take_job(recorded, trace, position, cluster, one_host) ||
		    (trace->owners &&
		     take_owner(recorded, trace, partitions,
				&trace->owners[position],
				&recorded->jobs[recorded->count - 1])))
			return -1;
	}
	return take_cancelled(recorded, trace, partitions, cluster, one_host);
}

static int add_changes(struct lxfw_recorded *recorded,
		       const struct lxfw_cluster *cluster)
{
	size_t first = recorded->event_count;

	for (size_t i = 0; i < cluster->change_count; i++) {
		struct lxfw_event event;

		lxfw_cluster_change_event(cluster, i, &event);
		if (lxfw_recorded_add_event(recorded, &event))
			return -1;
	}
	return lxfw_recorded_merge_events(recorded, first);
}

int lxfw_recorded_from_trace(struct lxfw_recorded *recorded,
			     struct lxfw_trace *trace,
			     const struct lxfw_cluster *cluster, bool one_host)
{
	size_t too_large = 0;

	*recorded = (struct lxfw_recorded) { .delayed_starts = true };
	if (lxfw_simulation_fit(trace, cluster, one_host, &too_large))
		return -1;
	if (trace->needs)
		recorded->told = trace->needs->told;
	recorded->odd = trace->odd;
	recorded->passed_over = trace->no_run_time + trace->no_procs + too_large;
	recorded->zero_run = trace->zero_run;
	recorded->hosts_named = trace->hosts_named &&
				!lxfw_needs_matter(cluster);
	lxfw_trace_calendar(trace, &recorded->calendar);
	if (take_jobs(recorded, trace, cluster, one_host) ||
	    take_scheduler(recorded, trace)) {
		lxfw_recorded_clear(recorded);
		return -1;
	}
	lxfw_recorded_sort(recorded);
	if (recorded->count > 0 &&
	    (lxfw_recorded_add_cluster(recorded, cluster,
				       recorded->jobs[0].seen) ||
	     lxfw_recorded_add_departures(recorded) ||
	     add_changes(recorded, cluster))) {
		lxfw_recorded_clear(recorded);
		return -1;
	}
	return 0;
}

static int need_hosts(struct lxfw_cluster *cluster,
		      const struct lxfw_trace *trace, const char *path,
		      struct lxfw_error *error)
{
	int32_t procs = lxfw_trace_procs(trace);

	if (cluster->count > 0)
		return 0;
	if (procs == 0)
		return lxfw_error_at(error, path, 0, "it does not contain the "
			"number of processors (MaxProcs), expected --cluster");
	return lxfw_cluster_procs(cluster, procs, error);
}

int lxfw_recorded_from_swf(struct lxfw_recorded *recorded, const char *path,
			   struct lxfw_cluster *cluster, bool one_host,
			   enum lxfw_trace_memory memory,
			   struct lxfw_error *error)
{
	struct lxfw_trace trace;
	int result;

	*recorded = (struct lxfw_recorded) { 0 };
	if (lxfw_trace_read_owners(&trace, path, memory, error))
		return -1;
	result = need_hosts(cluster, &trace, path, error);
	if (result == 0 &&
	    (lxfw_trace_choose_gres(&trace, cluster) ||
	     lxfw_trace_take_needs(&trace, cluster) ||
	     lxfw_recorded_from_trace(recorded, &trace, cluster, one_host)))
		result = lxfw_error_system(error, path);
	else if (result == 0 && recorded->count == 0)
		result = lxfw_error_at(error, path, 0,
				       "none of its jobs fits the cluster");
	else if (result == 0 && !lxfw_recorded_any_start(recorded))
		result = lxfw_error_at(error, path, 0, "the log contains no "
			"measured waits (column 3) to compare with");
	lxfw_trace_clear(&trace);
	if (result)
		lxfw_recorded_clear(recorded);
	return result;
}
