/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/schedule_out.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim-frontend/report/processors.h"
#include "sim-frontend/trace/swf_write.h"
#include "sim-frontend/trace/trace_calendar.h"
#include "sim-frontend/util/text.h"

#define DAY 86400

/* 2000-01-01, for logs without dates. */
#define FIRST_DAY INT64_C(946684800)

static const struct lxfw_trace_owner unknown = { -1, -1, -1, -1, -1, -1, false };

static const struct lxfw_trace_owner *owner_of(const struct lxfw_trace *trace, size_t position)
{
	return trace->owners ? &trace->owners[position] : &unknown;
}

static bool was_cut_off(const struct lxfw_simulation *sim, size_t position)
{
	return lxfw_simulation_ran(sim, position) < sim->trace->jobs[position].run;
}

static int32_t hosts_of(const struct lxfw_simulation *sim, size_t position)
{
	const struct lxfw_span *span = &sim->spans[sim->spans_at[position]];
	int32_t count = 0;

	for (; span->count > 0; span++)
		count += span->count;
	return count;
}

/* --- SWF ------------------------------------------------------------------------ */

/* Returns whether a header of the log is not one of the schedule. */
static bool is_replaced(const char *key)
{
	static const char *const keys[] = {
		"Version", "Computer", "Conversion", "MaxJobs", "MaxRecords", "MaxProcs",
		"MaxNodes", "MaxRuntime", "EndTime", "Preemption", "AllowOveruse", "Note",
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (strcasecmp(key, keys[i]) == 0)
			return true;
	}
	return false;
}

static void write_headers(const struct lxfw_simulation *sim, const char *name,
			  struct lxfw_output *output)
{
	const struct lxfw_trace *trace = sim->trace;

	lxfw_swf_write_header(output, "Version", "2.2");
	lxfw_swf_write_header(output, "Computer", "simulated by lxfw under policy %s", name);
	lxfw_swf_write_header(output, "MaxJobs", "%zu", trace->count);
	lxfw_swf_write_header(output, "MaxRecords", "%zu", trace->count);
	lxfw_swf_write_header(output, "MaxProcs", "%" PRId64, sim->cluster->procs);
	lxfw_swf_write_header(output, "MaxNodes", "%" PRId32, sim->cluster->count);
	for (size_t i = 0; i < trace->header_count; i++) {
		const struct lxfw_trace_header *header = &trace->headers[i];

		if (*header->key && !is_replaced(header->key))
			lxfw_swf_write_header(output, header->key, "%s", header->value);
	}
}

static void write_swf(const struct lxfw_simulation *sim, size_t position,
		      struct lxfw_output *output)
{
	const struct lxfw_trace_owner *owner = owner_of(sim->trace, position);
	const struct lxfw_trace_job *job = &sim->trace->jobs[position];
	struct lxfw_swf_record record;

	lxfw_swf_record_of(&record, job, owner->queue);
	record.submit = lxfw_simulation_submit(sim, position);
	record.run = lxfw_simulation_ran(sim, position);
	record.wait = sim->ends[position] - record.submit - record.run;
	record.requested_time = owner->no_limit ? -1 : job->limit;
	record.status = was_cut_off(sim, position) ? 0 : owner->status;
	record.user = owner->user;
	record.group = owner->group;
	record.executable = owner->request;
	record.partition = owner->partition;
	if (sim->trace->preceding) {
		record.preceding_job = sim->trace->preceding[position].number;
		record.think_time = sim->trace->preceding[position].think;
	}
	lxfw_swf_write(output, &record);
}

/* --- Batsim --------------------------------------------------------------------- */

static void write_range(struct lxfw_output *output, const char *before, int32_t first,
			int32_t last)
{
	lxfw_output_text(output, before);
	lxfw_output_integer(output, first);
	if (last == first)
		return;
	lxfw_output_text(output, "-");
	lxfw_output_integer(output, last);
}

static void write_hosts(const struct lxfw_simulation *sim, size_t position,
			struct lxfw_output *output)
{
	const struct lxfw_span *span = &sim->spans[sim->spans_at[position]];

	for (const char *before = ""; span->count > 0; span++, before = " ")
		write_range(output, before, span->first, span->first + span->count - 1);
}

static void write_procs(const struct lxfw_processors *processors, size_t position,
			struct lxfw_output *output)
{
	const char *before = "";

	for (size_t i = processors->at[position]; i < processors->at[position + 1];
	     i++, before = " ")
		write_range(output, before, processors->ranges[i].first,
			    processors->ranges[i].last);
}

static void write_batsim(const struct lxfw_simulation *sim,
			 const struct lxfw_processors *processors, size_t position,
			 struct lxfw_output *output)
{
	const struct lxfw_trace_job *job = &sim->trace->jobs[position];
	int64_t start = sim->starts[position], end = sim->ends[position];
	int64_t submit = lxfw_simulation_submit(sim, position);
	bool cut = was_cut_off(sim, position);
	int32_t count = processors ? job->procs : hosts_of(sim, position);

	lxfw_output_format(output, "%" PRId64 ",lxfw,%" PRId64 ",%" PRId64 ",%" PRId32 ",%"
			   PRId64 ",%d,%s,", job->number, lxfw_simulation_ran(sim, position),
			   submit, count, job->limit, !cut,
			   cut ? "COMPLETED_WALLTIME_REACHED" : "COMPLETED_SUCCESSFULLY");
	lxfw_output_format(output, "%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64
			   ",%.6f,0,", start, end - start, end, start - submit,
			   end - submit,
			   (double)(end - submit) / (double)(end - start));
	if (processors)
		write_procs(processors, position, output);
	else
		write_hosts(sim, position, output);
	lxfw_output_text(output, ",\n");
}

/* --- sacct ---------------------------------------------------------------------- */

/* The names of users, groups or queues: "User: 3 alice" in the header. */
struct named {
	const char *key, *other;	/* the beginning of a name that is not known */
	int32_t number;			/* the last that was looked up */
	char name[80];
};

static const char *name_of(const struct lxfw_trace *trace, struct named *named, int32_t number)
{
	int length;
	char text[16];

	if (number < 0)
		return "";
	if (named->number == number)
		return named->name;
	named->number = number;
	length = snprintf(text, sizeof(text), "%" PRId32, number);
	snprintf(named->name, sizeof(named->name), "%s%" PRId32, named->other, number);
	for (size_t i = 0; i < trace->header_count; i++) {
		const char *value = trace->headers[i].value;

		if (strcasecmp(trace->headers[i].key, named->key) != 0 ||
		    strncmp(value, text, (size_t)length) != 0)
			continue;
		value += length;
		if (*value != ' ' && *value != '\t')
			continue;
		value += strspn(value, " \t");
		if (*value)
			snprintf(named->name, sizeof(named->name), "%s", value);
		break;
	}
	for (char *at = named->name; *at; at++)
		*at = *at == ' ' || *at == '\t' || *at == '|' ? '_' : *at;
	return named->name;
}

static void write_time(struct lxfw_output *output, int64_t time)
{
	const struct lxfw_calendar utc = { .known = true };
	int64_t second = time - (time < 0 ? time - DAY + 1 : time) / DAY * DAY;
	char day[32];

	lxfw_calendar_day_name(&utc, (time - second) / DAY, day, sizeof(day));
	lxfw_output_format(output, "|%sT%02d:%02d:%02d", day, (int)(second / 3600),
			   (int)(second / 60 % 60), (int)(second % 60));
}

static void write_span(struct lxfw_output *output, int64_t seconds)
{
	lxfw_output_text(output, "|");
	if (seconds >= DAY)
		lxfw_output_format(output, "%" PRId64 "-", seconds / DAY);
	lxfw_output_format(output, "%02d:%02d:%02d", (int)(seconds % DAY / 3600),
			   (int)(seconds / 60 % 60), (int)(seconds % 60));
}

/* Returns the type of GRES that restricts the job to some hosts and has no extra of its own, or
   NULL. */
static const char *type_of(const struct lxfw_cluster *cluster, const struct lxfw_need *need)
{
	for (int i = 0; i < need->set_count; i++) {
		const struct lxfw_cluster_set *set = &cluster->sets[need->sets[i]];

		if (set->is_part)
			return cluster->gres.names[set->gres];
	}
	return NULL;
}

static void write_tres(const struct lxfw_simulation *sim, size_t position,
		       struct lxfw_output *output)
{
	const struct lxfw_need *need = lxfw_trace_need(sim->trace, position);
	const struct lxfw_trace_job *job = &sim->trace->jobs[position];
	const struct lxfw_cluster *cluster = sim->cluster;
	const char *type = need ? type_of(cluster, need) : NULL;

	lxfw_output_format(output, "|cpu=%" PRId32, job->procs);
	if (job->memory_kb > 0)
		lxfw_output_format(output, ",mem=%" PRId64 "M", lxfw_job_memory_mb(job));
	lxfw_output_format(output, ",node=%" PRId32, hosts_of(sim, position));
	for (int i = 0; need && i < cluster->extra_count; i++) {
		const char *name = cluster->extras[i];
		size_t length = strlen(name);

		/* a limit of processors has a blank in its name */
		if (need->extras[i] <= 0 || strchr(name, ' '))
			continue;
		lxfw_output_format(output, ",gres/%s=%" PRId32, name, need->extras[i]);
		if (type && strncasecmp(type, name, length) == 0 && type[length] == ':')
			lxfw_output_format(output, ",gres/%s=%" PRId32, type, need->extras[i]);
	}
}

static int compare_numbers(const void *one, const void *other)
{
	int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;

	return (a > b) - (a < b);
}

/* Sets *ARE whether each job has a number of its own, from 1. Returns -1 with errno ENOMEM. */
static int check_numbers(const struct lxfw_trace *trace, bool *are)
{
	int64_t *numbers = malloc((trace->count + 1) * sizeof(*numbers));

	if (!numbers)
		return -1;
	for (size_t i = 0; i < trace->count; i++)
		numbers[i] = trace->jobs[i].number;
	qsort(numbers, trace->count, sizeof(*numbers), compare_numbers);
	*are = trace->count == 0 || numbers[0] > 0;
	for (size_t i = 1; i < trace->count; i++)
		*are &= numbers[i] != numbers[i - 1];
	free(numbers);
	return 0;
}

static int write_sacct(const struct lxfw_simulation *sim, size_t position, int64_t begin,
		       bool numbered, struct named named[3], struct lxfw_output *output)
{
	const struct lxfw_trace_owner *owner = owner_of(sim->trace, position);
	const struct lxfw_trace_job *job = &sim->trace->jobs[position];
	int64_t start = sim->starts[position], end = sim->ends[position];
	const int32_t numbers[] = { owner->user, owner->group, owner->queue };
	char *hosts = lxfw_simulation_hosts(sim, position);

	if (!hosts)
		return -1;
	lxfw_output_integer(output, numbered ? job->number : (int64_t)position + 1);
	for (int i = 0; i < 3; i++) {
		lxfw_output_text(output, "|");
		lxfw_output_text(output, name_of(sim->trace, &named[i], numbers[i]));
	}
	write_time(output, begin + lxfw_simulation_submit(sim, position));
	write_time(output, begin + start);
	write_time(output, begin + end);
	write_span(output, end - start - lxfw_simulation_ran(sim, position));
	lxfw_output_format(output, "|%" PRId32 "|%" PRId32, job->procs,
			   hosts_of(sim, position));
	if (owner->no_limit)
		lxfw_output_text(output, "|UNLIMITED");
	else
		write_span(output, job->limit);
	lxfw_output_text(output, was_cut_off(sim, position) ? "|TIMEOUT" :
			 owner->status == 0 ? "|FAILED" :
			 owner->status == 5 ? "|CANCELLED" : "|COMPLETED");
	write_tres(sim, position, output);
	lxfw_output_format(output, "|%s\n", hosts);
	free(hosts);
	return 0;
}

/* Returns the Unix time of second 0. */
static int64_t begin_of(const struct lxfw_trace *trace)
{
	struct lxfw_calendar calendar;

	lxfw_trace_calendar(trace, &calendar);
	return calendar.known ? calendar.begin : FIRST_DAY;
}

int lxfw_schedule_write(const struct lxfw_simulation *sim, enum lxfw_schedule_form form,
			const char *name, struct lxfw_output *output)
{
	struct named named[] = {
		{ "User", "user", -1, "" }, { "Group", "group", -1, "" },
		{ "Queue", "queue", -1, "" },
	};
	bool pool = form == LXFW_SCHEDULE_BATSIM && sim->cluster->count == 1;
	struct lxfw_processors processors = { 0 };
	int64_t begin = begin_of(sim->trace);
	bool numbered = true;
	int failed = (pool && lxfw_processors_assign(&processors, sim)) ||
		     check_numbers(sim->trace, &numbered);

	if (form == LXFW_SCHEDULE_SWF)
		write_headers(sim, name, output);
	else if (form == LXFW_SCHEDULE_BATSIM)
		lxfw_output_text(output, "job_id,workload_name,profile,submission_time,"
				 "requested_number_of_resources,requested_time,success,"
				 "final_state,starting_time,execution_time,finish_time,"
				 "waiting_time,turnaround_time,stretch,consumed_energy,"
				 "allocated_resources,metadata\n");
	else
		lxfw_output_text(output, "JobID|User|Group|Partition|Submit|Start|End|"
				 "Suspended|NCPUS|NNodes|Timelimit|State|AllocTRES|"
				 "NodeList\n");
	for (size_t i = 0; i < sim->trace->count && !failed; i++) {
		if (form == LXFW_SCHEDULE_SWF)
			write_swf(sim, i, output);
		else if (form == LXFW_SCHEDULE_BATSIM)
			write_batsim(sim, pool ? &processors : NULL, i, output);
		else
			failed = write_sacct(sim, i, begin, numbered, named, output);
	}
	lxfw_processors_clear(&processors);
	return failed;
}
