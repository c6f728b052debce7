/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/report.h"

#include <errno.h>
#include <json-c/json.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* One key of the report: a whole number, a fraction or a name. */
struct item {
	const char *key, *label, *unit;
	enum { NAME, WHOLE, FRACTION } kind;
	const char *name;
	int64_t whole;
	double fraction;
};

#define ITEMS 40

enum lxfw_format lxfw_format_by_name(const char *name)
{
	static const char *const names[] = { "table", "json", "csv" };

	for (int i = 0; i < 3; i++) {
		if (strcmp(name, names[i]) == 0)
			return (enum lxfw_format)(i + 1);
	}
	return 0;
}

const char *lxfw_report_double(double value, char *text, size_t size)
{
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, size, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	return text;
}

const char *lxfw_report_span(double seconds, char *text, size_t size)
{
	static const struct {
		double most, unit;
		const char *format;
	} units[] = {
		{ 99.5, 1, "%.0fs" },
		{ 99.95 * 60, 60, "%.1fm" },
		{ 99.95 * 3600, 3600, "%.1fh" },
		{ INFINITY, 86400, "%.1fd" },
	};
	int i = 0;

	while (i < 3 && fabs(seconds) >= units[i].most)
		i++;
	snprintf(text, size, units[i].format, seconds / units[i].unit);
	return text;
}

/* Of the jobs of one kind: the keys begin with its name. */
static int add_kind(const struct lxfw_metrics *m, const char *const keys[6],
		    const char *label, struct item *items)
{
	const struct item all[] = {
		{ keys[0], label, "", WHOLE, NULL, (int64_t)m->jobs, 0 },
		{ keys[1], "  mean wait", "s", FRACTION, NULL, 0,
		  m->mean_wait },
		{ keys[2], "  median wait", "s", WHOLE, NULL, m->median_wait,
		  0 },
		{ keys[3], "  95th percentile wait", "s", WHOLE, NULL,
		  m->p95_wait, 0 },
		{ keys[4], "  maximum wait", "s", WHOLE, NULL, m->max_wait, 0 },
		{ keys[5], "  mean bounded slowdown", "", FRACTION, NULL, 0,
		  m->mean_bounded_slowdown },
	};

	memcpy(items, all, sizeof(all));
	return (int)(sizeof(all) / sizeof(*all));
}

static int add_kinds(const struct lxfw_report *report, struct item *items)
{
#define KIND(name) { name "_jobs", name "_mean_wait_s", name "_median_wait_s", \
		     name "_p95_wait_s", name "_max_wait_s", \
		     name "_mean_bounded_slowdown" }
	static const char *const rigid[] = KIND("rigid");
	static const char *const adaptive[] = KIND("adaptive");
#undef KIND
	int count = add_kind(&report->kinds[0], rigid, "rigid jobs", items);

	count += add_kind(&report->kinds[1], adaptive, "adaptive jobs",
			  items + count);
	items[count++] = (struct item) {
		"adaptive_cut_off", "  ended before done", "", WHOLE, NULL,
		(int64_t)report->cut_off, 0,
	};
	return count;
}

static int make_items(const struct lxfw_report *report, struct item *items)
{
	const struct lxfw_metrics *m = &report->metrics;
	const struct item all[] = {
		{ "policy", "policy", "", NAME, report->policy, 0, 0 },
		{ "jobs", "jobs", "", WHOLE, NULL, (int64_t)m->jobs, 0 },
		{ "events", "events", "", WHOLE, NULL, (int64_t)report->events,
		  0 },
		{ "mean_wait_s", "mean wait", "s", FRACTION, NULL, 0,
		  m->mean_wait },
		{ "median_wait_s", "median wait", "s", WHOLE, NULL,
		  m->median_wait, 0 },
		{ "p95_wait_s", "95th percentile wait", "s", WHOLE, NULL,
		  m->p95_wait, 0 },
		{ "max_wait_s", "maximum wait", "s", WHOLE, NULL, m->max_wait,
		  0 },
		{ "mean_response_s", "mean response", "s", FRACTION, NULL, 0,
		  m->mean_response },
		{ "mean_slowdown", "mean slowdown", "", FRACTION, NULL, 0,
		  m->mean_slowdown },
		{ "mean_bounded_slowdown", "mean bounded slowdown", "",
		  FRACTION, NULL, 0, m->mean_bounded_slowdown },
		{ "awrt_s", "weighted response (AWRT)", "s", FRACTION, NULL, 0,
		  m->awrt },
		{ "utilization", "utilization", "", FRACTION, NULL, 0,
		  m->utilization },
		{ "makespan_s", "makespan", "s", WHOLE, NULL, m->makespan, 0 },
		{ "preemptions", "preemptions", "", WHOLE, NULL,
		  m->preemptions, 0 },
		{ "requeues", "requeues", "", WHOLE, NULL, m->requeues, 0 },
		{ "lost_hours", "work lost by requeues", "processor-h",
		  FRACTION, NULL, 0, m->lost_hours },
		{ "most_suspensions", "most suspensions of a job", "", WHOLE,
		  NULL, m->most_suspensions, 0 },
		{ "most_suspended", "most of its time suspended", "", FRACTION,
		  NULL, 0, m->most_suspended },
	};
	int count = (int)(sizeof(all) / sizeof(*all));

	memcpy(items, all, sizeof(all));
	if (report->mixed)
		count += add_kinds(report, items + count);
	items[count++] = (struct item) {
		"wall_s", "time to simulate", "s", FRACTION, NULL, 0,
		report->wall,
	};
	return count;
}

static struct json_object *item_json(const struct item *item)
{
	char text[32];

	switch (item->kind) {
	case NAME:
		return json_object_new_string(item->name);
	case WHOLE:
		return json_object_new_int64(item->whole);
	case FRACTION:
		break;
	}
	return json_object_new_double_s(item->fraction,
		lxfw_report_double(item->fraction, text, sizeof(text)));
}

static int print_json(const struct item *items, int count, FILE *out)
{
	struct json_object *object = json_object_new_object();
	const char *text = NULL;
	bool complete = object;

	for (int i = 0; i < count && complete; i++) {
		struct json_object *value = item_json(&items[i]);

		complete = value && !json_object_object_add(object,
							    items[i].key,
							    value);
	}
	if (complete)
		text = json_object_to_json_string_ext(object,
			JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED);
	if (text)
		fprintf(out, "%s\n", text);
	json_object_put(object);
	if (!text)
		errno = ENOMEM;
	return text ? 0 : -1;
}

static void print_csv(const struct item *items, int count, FILE *out)
{
	char text[32];

	for (int i = 0; i < count; i++)
		fprintf(out, "%s%s", i ? "," : "", items[i].key);
	putc('\n', out);
	for (int i = 0; i < count; i++) {
		if (i)
			putc(',', out);
		if (items[i].kind == NAME)
			fputs(items[i].name, out);
		else if (items[i].kind == WHOLE)
			fprintf(out, "%lld", (long long)items[i].whole);
		else
			fputs(lxfw_report_double(items[i].fraction, text,
						 sizeof(text)), out);
	}
	putc('\n', out);
}

static void print_table(const struct item *items, int count, FILE *out)
{
	for (int i = 0; i < count; i++) {
		fprintf(out, "%-26s", items[i].label);
		if (items[i].kind == NAME)
			fprintf(out, "%16s", items[i].name);
		else if (items[i].kind == WHOLE)
			fprintf(out, "%16lld", (long long)items[i].whole);
		else
			fprintf(out, "%16.3f", items[i].fraction);
		fprintf(out, "%s%s\n", *items[i].unit ? " " : "",
			items[i].unit);
	}
}

int lxfw_report_print(const struct lxfw_report *report, enum lxfw_format format,
		      FILE *out)
{
	struct item items[ITEMS];
	int count = make_items(report, items);

	if (format == LXFW_FORMAT_JSON)
		return print_json(items, count, out);
	if (format == LXFW_FORMAT_CSV)
		print_csv(items, count, out);
	else
		print_table(items, count, out);
	return 0;
}

void lxfw_report_csv_text(struct lxfw_output *output, const char *text)
{
	if (!strpbrk(text, ",\"\n\r")) {
		lxfw_output_text(output, text);
		return;
	}
	lxfw_output_text(output, "\"");
	for (; *text; text++) {
		if (*text == '"')
			lxfw_output_text(output, "\"");
		lxfw_output_write(output, text, 1);
	}
	lxfw_output_text(output, "\"");
}

static int put_job(const struct lxfw_simulation *sim, size_t position,
		   struct lxfw_output *output)
{
	const struct lxfw_trace_job *job = &sim->trace->jobs[position];
	int64_t run = lxfw_simulation_ran(sim, position);
	int64_t start = sim->starts[position], end = sim->ends[position];
	const int64_t numbers[] = {
		job->number, job->submit, start, end, end - job->submit - run,
		run, job->procs, lxfw_job_memory_mb(job),
	};
	const int64_t interruptions[] = {
		lxfw_simulation_preemptions(sim, position),
		lxfw_simulation_requeues(sim, position),
	};
	char *hosts;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		lxfw_output_integer(output, numbers[i]);
		lxfw_output_write(output, ",", 1);
	}
	hosts = lxfw_simulation_hosts(sim, position);
	if (!hosts)
		return -1;
	lxfw_report_csv_text(output, hosts);
	free(hosts);
	for (int i = 0; i < 2; i++) {
		lxfw_output_write(output, ",", 1);
		lxfw_output_integer(output, interruptions[i]);
	}
	if (sim->options->mixed) {
		lxfw_output_write(output, ",", 1);
		lxfw_output_integer(output, job->least);
	}
	lxfw_output_write(output, "\n", 1);
	return 0;
}

int lxfw_report_jobs(const struct lxfw_simulation *sim,
		     struct lxfw_output *output)
{
	lxfw_output_text(output, "job_id,submit,start,end,wait,run,procs,"
			 "memory_mb,hosts,preemptions,requeues");
	lxfw_output_text(output, sim->options->mixed ? ",least\n" : "\n");
	for (size_t i = 0; i < sim->trace->count; i++) {
		if (put_job(sim, i, output))
			return -1;
	}
	return 0;
}
