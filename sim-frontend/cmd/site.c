/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/site.h"

#include <stdlib.h>

#include "sim-frontend/trace/reservations.h"
#include "sim-frontend/trace/trace_calendar.h"
#include "sim-frontend/util/calendar.h"

int lxfw_site_shape(const struct lxfw_command *command, const char *word,
		    struct lxfw_site_shape *shape)
{
	int kind = lxfw_cmd_choice(command, "shape", word,
				   "nodes|anywhere|one-host");

	shape->anywhere = kind == 1;
	shape->one_host = kind == 2;
	return kind < 0 ? -1 : 0;
}

/* Determines the period from the first submission to the last measured end. */
static void find_span(const struct lxfw_trace *trace, bool since_1970,
		      struct lxfw_reservations_span *span)
{
	struct lxfw_calendar calendar;

	lxfw_trace_calendar(trace, &calendar);
	*span = (struct lxfw_reservations_span) {
		.begin = INT64_MAX, .end = INT64_MIN,
		.since_1970 = calendar.begin, .in_zone = calendar.zone_rules,
	};
	for (size_t i = 0; i < trace->count; i++) {
		const struct lxfw_trace_job *job = &trace->jobs[i];
		int64_t end = job->submit + job->run +
			      (job->wait > 0 ? job->wait : 0);

		if (job->submit < span->begin)
			span->begin = job->submit;
		if (end > span->end)
			span->end = end;
	}
	if (since_1970) {
		span->begin += calendar.begin;
		span->end += calendar.begin;
		span->since_1970 = 0;
	}
}

int lxfw_site_reservations(struct lxfw_cluster *cluster, const char *path,
			   const struct lxfw_trace *trace, bool since_1970)
{
	struct lxfw_reservations_told told;
	struct lxfw_reservations_span span;
	struct lxfw_error error;

	if (trace->count == 0)
		return 0;
	find_span(trace, since_1970, &span);
	if (lxfw_reservations_read(cluster, path, &span, &told, &error)) {
		lxfw_cmd_bad(&error);
		return -1;
	}
	lxfw_cmd_note("%s: %zu reservations; left out: %zu outside the period "
		      "of the log, %zu without hosts of the cluster", path, told.taken,
		      told.elsewhen, told.no_hosts);
	return 0;
}

int lxfw_site_reservations_of(struct lxfw_cluster *cluster, const char *path,
			      const char *log, bool since_1970)
{
	struct lxfw_trace trace;
	struct lxfw_error error;
	int result;

	if (lxfw_trace_read(&trace, log, LXFW_MEMORY_NONE, &error)) {
		lxfw_cmd_bad(&error);
		return -1;
	}
	result = lxfw_site_reservations(cluster, path, &trace, since_1970);
	lxfw_trace_clear(&trace);
	return result;
}

static void note(const char *log, const char *sentence)
{
	lxfw_cmd_note("%s: %s", log, sentence);
}

void lxfw_site_note(const char *log, const struct lxfw_needs_told *told)
{
	lxfw_needs_tell(told, note, log);
}
