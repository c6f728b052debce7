/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/inference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/report/report.h"
#include "sim-frontend/report/shaken_text.h"
#include "sim-frontend/report/svg.h"
#include "sim-frontend/trace/hostlist.h"
#include "sim-frontend/util/json_out.h"

/* Number of outages listed; JSON has all. */
#define OUTAGES_SHOWN 12

/* The remaining difference is reported if it exceeds this fraction of the measured
   mean. */
#define LEFT_SHARE 0.1

static size_t held(const struct lxfw_inferred *inferred)
{
	return inferred->held[LXFW_HELD_PASSED] +
	       inferred->held[LXFW_HELD_CHAIN];
}

bool lxfw_inference_any(const struct lxfw_inference *inference)
{
	const struct lxfw_inferred *inferred = &inference->inferred;

	return inferred->outage_count > 0 || held(inferred) > 0 ||
	       inferred->held[LXFW_HELD_LIMIT] > 0;
}

static const char *moment_name(const struct lxfw_recorded *recorded, int64_t time,
			       char *name, size_t size)
{
	struct lxfw_moment moment;
	char day[32];

	lxfw_calendar_moment(&recorded->calendar, time, &moment);
	snprintf(name, size, "%s %02d:%02d",
		 lxfw_calendar_day_name(&recorded->calendar, moment.day, day,
					sizeof(day)),
		 (int)(moment.second / 3600), (int)(moment.second / 60 % 60));
	return name;
}

static void print_outage(const struct lxfw_outage *outage,
			 const struct lxfw_recorded *recorded, FILE *out)
{
	char begin[64], length[32];

	fprintf(out, "    %s for %s: ",
		moment_name(recorded, outage->begin, begin, sizeof(begin)),
		lxfw_format_span((double)(outage->end - outage->begin), length,
				 sizeof(length)));
	if (outage->given)
		fprintf(out, "%lld of %lld processors, as recorded\n",
			(long long)outage->procs, (long long)recorded->procs);
	else if (outage->procs == 0)
		fprintf(out, "nothing was started, at most %lld of %lld "
			"processors in use\n", (long long)outage->in_use,
			(long long)recorded->procs);
	else
		fprintf(out, "starts filled %lld of %lld processors at most\n",
			(long long)outage->procs, (long long)recorded->procs);
}

/* Writes the number of outages, their duration and the processors lost. */
static int put_outages(const struct lxfw_inferred *inferred,
		       const struct lxfw_recorded *recorded, char *text, size_t size)
{
	double seconds = 0, lost = 0;
	char length[32];

	for (size_t i = 0; i < inferred->outage_count; i++) {
		const struct lxfw_outage *outage = &inferred->outages[i];

		seconds += (double)(outage->end - outage->begin);
		lost += (double)(outage->end - outage->begin) *
			(double)(recorded->procs - outage->procs);
	}
	if (inferred->outage_count == 0)
		return snprintf(text, size, "0");
	return snprintf(text, size, "%zu, %s in total, %.0f processors on "
			"average", inferred->outage_count,
			lxfw_format_span(seconds, length, sizeof(length)),
			seconds > 0 ? lost / seconds : 0);
}

const char *lxfw_inference_outages(const struct lxfw_inferred *inferred,
				   const struct lxfw_recorded *recorded, char *text,
				   size_t size)
{
	size_t used = (size_t)put_outages(inferred, recorded, text, size);
	const char *why = !inferred->processors ? "jobs need hosts or memory" :
			  inferred->parts ? "a part would be unavailable most "
					    "of the time" :
			  inferred->unclear ? "more may be held jobs" : NULL;

	if (why && used < size)
		snprintf(text + used, size - used, "; cannot tell all, %s", why);
	return text;
}

static void print_outages(const struct lxfw_inferred *inferred,
			  const struct lxfw_recorded *recorded, FILE *out)
{
	char text[LXFW_INFERENCE_TEXT];

	put_outages(inferred, recorded, text, sizeof(text));
	fprintf(out, "  outages: %s\n", text);
	for (size_t i = 0; i < inferred->outage_count && i < OUTAGES_SHOWN; i++)
		print_outage(&inferred->outages[i], recorded, out);
	if (inferred->outage_count > OUTAGES_SHOWN)
		fprintf(out, "    (%zu more, see --json)\n",
			inferred->outage_count - OUTAGES_SHOWN);
}

/* Writes to TEXT whether the change of the mean that the inferred causes make is more than
   chance. Returns TEXT. */
static const char *effect_text(const struct lxfw_inference *inference, char *text,
			       size_t size)
{
	const struct lxfw_shaken_range *change = &inference->change;
	bool sure = change->low > 0 || change->high < 0;

	snprintf(text, size, "What was inferred changes the simulated mean by %+.1f to %+.1f s "
		 "in %d perturbed copies of the log%s.", change->low, change->high,
		 change->copies, sure ? "" : ",\nwhich may be chance");
	return text;
}

/* Whether the measured mean is beyond those of the perturbed copies. */
static bool is_beyond(const struct lxfw_inference *inference)
{
	return inference->range.copies == 0 || inference->measured < inference->range.low ||
	       inference->measured > inference->range.high;
}

/* Returns the list of the hosts' names, which the caller frees, or NULL with errno ENOMEM. */
static char *hosts_of(const struct lxfw_idle_hosts *group, const struct lxfw_recorded *recorded)
{
	const char **names = calloc((size_t)group->count + 1, sizeof(const char *));
	char *list = NULL;
	int32_t known = 0;

	for (size_t i = 0; i < recorded->event_count && names && known < group->count; i++) {
		const struct lxfw_event *event = &recorded->events[i].event;

		if (event->type == LXFW_EVENT_HOST &&
		    event->host.index == group->hosts[known])
			names[known++] = event->host.name ? event->host.name : "?";
	}
	if (names && known == group->count)
		list = lxfw_hostlist_compress(names, (size_t)known);
	free(names);
	return list;
}

static int64_t first_submission(const struct lxfw_recorded *recorded)
{
	int64_t first = INT64_MAX;

	for (size_t i = 0; i < recorded->count; i++) {
		if (recorded->jobs[i].request.submit < first)
			first = recorded->jobs[i].request.submit;
	}
	return first;
}

/* Writes the time as a file of outages may contain it: a date, or seconds since the first
   submission. */
static const char *outage_time(const struct lxfw_recorded *recorded, int64_t time, char *text,
			       size_t size)
{
	struct lxfw_moment moment;
	char day[32];

	lxfw_calendar_moment(&recorded->calendar, time, &moment);
	if (recorded->calendar.known)
		snprintf(text, size, "%sT%02d:%02d",
			 lxfw_calendar_day_name(&recorded->calendar, moment.day, day, sizeof(day)),
			 (int)(moment.second / 3600), (int)(moment.second / 60 % 60));
	else
		snprintf(text, size, "%llds", (long long)(time - first_submission(recorded)));
	return text;
}

/* Hosts that may have been away, as lines for --outages. */
static void print_idle(const struct lxfw_inferred *inferred,
		       const struct lxfw_recorded *recorded, FILE *out)
{
	const struct lxfw_idle_list *list = &inferred->idle_hosts;

	if (list->count == 0)
		return;
	fprintf(out, "possible outages: no job ran on these hosts, although jobs of several users "
		"waited that would\nhave fitted there and nowhere else. If they were away, use "
		"--outages with a file of these lines:\n");
	for (size_t i = 0; i < list->count && i < OUTAGES_SHOWN; i++) {
		const struct lxfw_idle_hosts *group = &list->groups[i];
		char *hosts = hosts_of(group, recorded), text[2][64];

		fprintf(out, "    %s %s %s\n",
			outage_time(recorded, group->begin, text[0], 64),
			outage_time(recorded, group->end, text[1], 64), hosts ? hosts : "?");
		free(hosts);
	}
	if (list->count > OUTAGES_SHOWN)
		fprintf(out, "    (%zu more, see --json)\n", list->count - OUTAGES_SHOWN);
}

static void print_left(const struct lxfw_inference *inference,
		       const struct lxfw_recorded *recorded, FILE *out)
{
	const struct lxfw_inferred *inferred = &inference->inferred;
	double left = inference->with - inference->measured;
	char text[LXFW_INFERENCE_TEXT];

	if (inferred->order)
		fprintf(out, "cannot tell held jobs: of %zu jobs that\nwaited "
			"10 min or more, %zu were passed by jobs with lower "
			"priority under the policy. They were\nheld, or "
			"the site orders jobs differently, which a log does not "
			"distinguish.\n", inferred->waited, inferred->passed);
	if (inferred->parts)
		fprintf(out, "cannot tell whether a part of the machine was "
			"unavailable: under the policy it would have been "
			"for\nmore than a third of the time. Possible causes "
			"are node types, processors that no job may use, "
			"or\nnodes that were down for long (see --outages).\n");
	if (inferred->earlier)
		fprintf(out, "cannot tell whether a part of the machine was "
			"unavailable at the beginning: jobs from before\nthe log, "
			"which it does not contain, held processors then.\n");
	if (inferred->unclear)
		fprintf(out, "cannot tell whether more of the machine was "
			"unavailable: jobs that fitted waited as in "
			"an\noutage, but too few users had such jobs to "
			"distinguish it from held jobs.\n");
	if (!inferred->processors)
		fprintf(out, "cannot tell outages: jobs need hosts or memory, "
			"not only processors (see --outages).\n");
	print_idle(inferred, recorded, out);
	if (lxfw_inference_any(inference) && inference->change.copies > 0)
		fprintf(out, "%s\n", effect_text(inference, text, sizeof(text)));
	if (fabs(left) > LEFT_SHARE * inference->measured && is_beyond(inference))
		fprintf(out, "The log does not explain the remaining %+.1f s. "
			"Possible causes are order, limits, node types "
			"or\nreservations; the log does not distinguish "
			"them.\n", left);
}

/* Writes a mean and its range to TEXT of LXFW_SHAKEN_TEXT bytes. */
static const char *page_mean(double mean, const struct lxfw_shaken_range *range, char *text)
{
	char spans[48];
	int used;

	lxfw_format_span(mean, text, 32);
	used = (int)strlen(text);
	if (*lxfw_shaken_spans(range, spans, sizeof(spans)))
		snprintf(text + used, LXFW_SHAKEN_TEXT - (size_t)used, " (%s)", spans);
	return text;
}

static void print_mean(const char *what, double mean, const struct lxfw_shaken_range *range,
		       FILE *out)
{
	char text[LXFW_SHAKEN_TEXT];

	fprintf(out, "  %-34s%14.1f%s\n", what, mean,
		lxfw_shaken_text(range, 1, text, sizeof(text)));
}

void lxfw_inference_print(const struct lxfw_inference *inference,
			  const struct lxfw_recorded *recorded, FILE *out)
{
	const struct lxfw_inferred *inferred = &inference->inferred;
	double left = inference->with - inference->measured;

	fprintf(out, "\ninferred from the log or recorded (--infer %s), mean "
		     "wait in s\n", inference->asked);
	fprintf(out, "  %-34s%14.1f\n", "measured", inference->measured);
	print_mean("simulated without these", inference->without,
		   lxfw_inference_any(inference) ? &inference->range_without :
						   &inference->range, out);
	print_mean("simulated with these, as above", inference->with, &inference->range, out);
	fprintf(out, "  %-34s%+14.1f", "left", left);
	if (inference->measured > 0)
		fprintf(out, "  (%+.1f %%)", 100 * left / inference->measured);
	putc('\n', out);
	print_outages(inferred, recorded, out);
	fprintf(out, "  held jobs: %zu, of which %zu started when another job "
		"of the user ended\n", held(inferred),
		inferred->held[LXFW_HELD_CHAIN]);
	fprintf(out, "  users with a limit: %zu, which delayed %zu jobs\n",
		inferred->limit_count, inferred->held[LXFW_HELD_LIMIT]);
	print_left(inference, recorded, out);
}

void lxfw_inference_page(const struct lxfw_inference *inference,
			 struct lxfw_output *output)
{
	const struct lxfw_inferred *inferred = &inference->inferred;
	char text[2][LXFW_SHAKEN_TEXT], effect[LXFW_INFERENCE_TEXT];

	if (lxfw_inference_any(inference))
		lxfw_output_format(output, " The simulation includes what was "
			"inferred from the log: %zu outages of the machine or "
			"of a part of it, %zu held jobs, %zu users with a "
			"limit. Without these the simulated mean is "
			"<b>%s</b>, with them <b>%s</b>.", inferred->outage_count, held(inferred),
			inferred->limit_count,
			page_mean(inference->without, &inference->range_without, text[0]),
			page_mean(inference->with, &inference->range, text[1]));
	if (lxfw_inference_any(inference) && inference->change.copies > 0) {
		lxfw_output_text(output, " ");
		lxfw_html_text(output, effect_text(inference, effect, sizeof(effect)));
	}
	if (inferred->idle_hosts.count > 0)
		lxfw_output_format(output, " %zu time%s in which hosts may have been away %s named "
			"in the text output.", inferred->idle_hosts.count,
			inferred->idle_hosts.count == 1 ? "" : "s",
			inferred->idle_hosts.count == 1 ? "is" : "are");
	if (inferred->order)
		lxfw_output_format(output, " Of %zu jobs that waited 10 min "
			"or more, %zu were passed by jobs with lower priority "
			"under the policy: they were held, or the site "
			"orders jobs differently, which a log does not "
			"distinguish.", inferred->waited, inferred->passed);
}

/* --- JSON ----------------------------------------------------------------------- */

struct builder {
	bool failed;
};

static void add(struct builder *builder, struct json_object *to, const char *key,
		struct json_object *value)
{
	lxfw_json_put(to, key, value, &builder->failed);
}

static void add_number(struct builder *builder, struct json_object *to,
		       const char *key, double value)
{
	char text[32];

	add(builder, to, key, json_object_new_double_s(value,
		lxfw_format_double(value, text, sizeof(text))));
}

static void add_whole(struct builder *builder, struct json_object *to,
		      const char *key, int64_t value)
{
	add(builder, to, key, json_object_new_int64(value));
}

static struct json_object *add_list(struct builder *builder,
				    struct json_object *to, const char *key)
{
	struct json_object *list = json_object_new_array();

	add(builder, to, key, list);
	return builder->failed ? NULL : list;
}

static struct json_object *append(struct builder *builder,
				  struct json_object *list)
{
	struct json_object *object = json_object_new_object();

	lxfw_json_append(list, object, &builder->failed);
	return builder->failed ? NULL : object;
}

static void add_idle(struct builder *builder, struct json_object *to,
		     const struct lxfw_inferred *inferred,
		     const struct lxfw_recorded *recorded)
{
	struct json_object *list = add_list(builder, to, "possible_outages");

	for (size_t i = 0; i < inferred->idle_hosts.count; i++) {
		const struct lxfw_idle_hosts *group = &inferred->idle_hosts.groups[i];
		struct json_object *object = append(builder, list);
		char *hosts = hosts_of(group, recorded);

		add_whole(builder, object, "begin_s", group->begin);
		add_whole(builder, object, "end_s", group->end);
		add(builder, object, "hosts", hosts ? json_object_new_string(hosts) : NULL);
		free(hosts);
	}
}

static void add_found(struct builder *builder, struct json_object *to,
		      const struct lxfw_inferred *inferred,
		      const struct lxfw_recorded *recorded)
{
	struct json_object *list = add_list(builder, to, "outages");

	for (size_t i = 0; i < inferred->outage_count; i++) {
		const struct lxfw_outage *outage = &inferred->outages[i];
		struct json_object *object = append(builder, list);

		add_whole(builder, object, "begin_s", outage->begin);
		add_whole(builder, object, "end_s", outage->end);
		add_whole(builder, object, "procs", outage->procs);
		add_whole(builder, object, "in_use", outage->in_use);
		add(builder, object, "given",
		    json_object_new_boolean(outage->given));
	}
	add_idle(builder, to, inferred, recorded);
	add_whole(builder, to, "held_jobs", (int64_t)held(inferred));
	add_whole(builder, to, "chained_jobs",
		  (int64_t)inferred->held[LXFW_HELD_CHAIN]);
	add_whole(builder, to, "limited_jobs",
		  (int64_t)inferred->held[LXFW_HELD_LIMIT]);
	list = add_list(builder, to, "limits");
	for (size_t i = 0; i < inferred->limit_count; i++) {
		const struct lxfw_limit *limit = &inferred->limits[i];
		struct json_object *object = append(builder, list);

		add(builder, object, "user", json_object_new_string(
			recorded->users.names[limit->user]));
		add_whole(builder, object, "running_jobs", limit->jobs);
		add_whole(builder, object, "procs", limit->procs);
		add_whole(builder, object, "stopped_jobs",
			  (int64_t)limit->waits);
	}
}

struct json_object *lxfw_inference_json(const struct lxfw_inference *inference,
					const struct lxfw_recorded *recorded)
{
	const struct lxfw_inferred *inferred = &inference->inferred;
	struct json_object *object = json_object_new_object();
	struct builder builder = { .failed = !object };

	add(&builder, object, "asked", json_object_new_string(inference->asked));
	add_number(&builder, object, "measured_mean_wait_s", inference->measured);
	add_number(&builder, object, "without_mean_wait_s", inference->without);
	add_number(&builder, object, "with_mean_wait_s", inference->with);
	if (lxfw_inference_any(inference) && inference->range_without.copies > 0) {
		add_number(&builder, object, "without_mean_low_s", inference->range_without.low);
		add_number(&builder, object, "without_mean_high_s",
			   inference->range_without.high);
	}
	if (inference->range.copies > 0) {
		add_number(&builder, object, "with_mean_low_s", inference->range.low);
		add_number(&builder, object, "with_mean_high_s", inference->range.high);
	}
	if (lxfw_inference_any(inference) && inference->change.copies > 0) {
		add_number(&builder, object, "change_low_s", inference->change.low);
		add_number(&builder, object, "change_high_s", inference->change.high);
	}
	add_number(&builder, object, "left_s",
		   inference->with - inference->measured);
	add_whole(&builder, object, "waited_jobs", (int64_t)inferred->waited);
	add_whole(&builder, object, "passed_jobs", (int64_t)inferred->passed);
	add_whole(&builder, object, "idle_jobs", (int64_t)inferred->idle);
	add(&builder, object, "other_order",
	    json_object_new_boolean(inferred->order));
	add(&builder, object, "outages_unclear",
	    json_object_new_boolean(inferred->unclear));
	add(&builder, object, "beginning_unclear",
	    json_object_new_boolean(inferred->earlier));
	add(&builder, object, "parts_unclear",
	    json_object_new_boolean(inferred->parts));
	add(&builder, object, "processors_tell_all",
	    json_object_new_boolean(inferred->processors));
	add_found(&builder, object, inferred, recorded);
	if (!builder.failed)
		return object;
	json_object_put(object);
	return NULL;
}
