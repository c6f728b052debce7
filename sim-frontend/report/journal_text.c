/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/journal_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/params/keys.h"
#include "common/util/grow.h"
#include "sim-frontend/trace/sockets_text.h"
#include "sim-frontend/util/json_out.h"

/* --- words ----------------------------------------------------------------------- */

const char *lxfw_action_name(enum lxfw_action_type type)
{
	static const char *const names[] = {
		"", "start", "reserve", "unreserve", "suspend", "resume",
		"requeue", "resize",
	};

	return names[type];
}

/* Events of hosts have no job; their details state the subject. */
static const char *event_name(const struct lxfw_event *event)
{
	static const char *const names[] = {
		"", "host", "hosts", "submit", "change", "run", "end",
		"refused", "block", "parameters", "classes", "priority", "",
		"resource",
	};

	if (event->type != LXFW_EVENT_JOB_ASIDE)
		return names[event->type];
	switch (lxfw_reason_part((int)event->aside.reason)) {
	case LXFW_REASONS_INELIGIBLE:
		return "not-eligible";
	case LXFW_REASONS_LEFT:
		return "handed-over";
	default:
		return "kept-no-more";
	}
}

static void format_time(const struct lxfw_journal_text *text, int64_t second,
			char *name, size_t size)
{
	time_t time = (time_t)second;
	struct tm tm;

	if (second == LXFW_NEVER)
		snprintf(name, size, "never");
	else if (!text->dates || time != second || !localtime_r(&time, &tm) ||
		 strftime(name, size, "%Y-%m-%dT%H:%M:%S", &tm) == 0)
		snprintf(name, size, "%" PRId64, second);
}

static void put_moment(const struct lxfw_journal_text *text, const char *what,
		       int64_t second)
{
	char time[32];

	format_time(text, second, time, sizeof(time));
	fprintf(text->line, " %s %s", what, time);
}

/* Prints ":MB" and the extras. */
static void put_rest(const struct lxfw_journal_text *text,
		     const struct lxfw_resources *amount)
{
	fprintf(text->line, ":%" PRId64, amount->memory_mb);
	for (int j = 0; j < LXFW_EXTRAS_MAX; j++) {
		if (amount->extras[j] != 0)
			fprintf(text->line, "+%" PRId32 "x%d", amount->extras[j],
				j);
	}
}

/* Prints the GPUs by socket, if they are known. */
static void put_sockets(const struct lxfw_journal_text *text, uint32_t sockets)
{
	char buffer[LXFW_SOCKETS_TEXT_SIZE];

	if (sockets)
		fprintf(text->line, "/%s", lxfw_sockets_text(buffer, sockets));
}

/* Prints NAME:PROCESSORS:MB, the extras and the sockets. */
static void put_shares(const struct lxfw_journal_text *text,
		       const struct lxfw_share *shares, int32_t count)
{
	for (int32_t i = 0; i < count; i++) {
		const struct lxfw_resources *amount = &shares[i].amount;
		size_t host = (size_t)shares[i].host;

		if (host < text->host_count && *text->hosts[host])
			fprintf(text->line, " %s", text->hosts[host]);
		else
			fprintf(text->line, " %zu", host);
		fprintf(text->line, ":%" PRId32, amount->procs);
		put_rest(text, amount);
		put_sockets(text, shares[i].sockets);
	}
}

/* --- lines ------------------------------------------------------------------------ */

static void put_request(const struct lxfw_journal_text *text,
			const struct lxfw_request *request)
{
	fprintf(text->line, " %" PRId32 " %s:%" PRId32 ":%" PRId64,
		request->count, request->shape == LXFW_SHAPE_HOSTS ?
		"hosts" : "pieces", request->unit.procs,
		request->unit.memory_mb);
	if (lxfw_request_has_hosts(request)) {
		fprintf(text->line, " on %" PRId32 " hosts or more with",
			request->min_hosts > 1 ? request->min_hosts : 1);
		put_rest(text, &request->per_host);
	}
	if (request->exclusive)
		fputs(" exclusive", text->line);
	if (request->no_quantum)
		fputs(" no-quantum", text->line);
	if (request->no_reservation)
		fputs(" no-reservation", text->line);
	if (request->rigid)
		fputs(" rigid", text->line);
	if (request->min_procs > 0)
		fprintf(text->line, " at least %" PRId32, request->min_procs);
	for (int i = 0; i < request->pool_count; i++) {
		size_t pool = (size_t)request->pools[i].pool;

		if (pool < text->host_count && *text->hosts[pool])
			fprintf(text->line, " %" PRId32 " of %s", request->pools[i].amount,
				text->hosts[pool]);
		else
			fprintf(text->line, " %" PRId32 " of %zu", request->pools[i].amount,
				pool);
	}
	if (request->group)
		fprintf(text->line, " group %" PRIu64 " of %" PRId32,
			request->group, request->group_count);
	fprintf(text->line, " limit %" PRId64, request->estimate);
	if (request->min_estimate > 0)
		fprintf(text->line, " or down to %" PRId64,
			request->min_estimate);
	put_moment(text, "submitted", request->submit);
}

/* Prints the policy, with the digest if it comes from a file, and the parameters that
   differ from its preset. */
static void put_params(const struct lxfw_journal_text *text,
		       const struct lxfw_params *params)
{
	char value[LXFW_KEY_VALUE_SIZE], usual[LXFW_KEY_VALUE_SIZE];
	struct lxfw_params preset;

	lxfw_params_preset(&preset, params->policy);
	for (int i = 0; i < lxfw_key_count; i++) {
		const struct lxfw_key *key = &lxfw_keys[i];

		if (key->field == LXFW_KEY_NO_FIELD)
			continue;
		if (lxfw_key_print(key, params, value))
			strcpy(value, "unknown");
		if (key->kind == LXFW_KEY_POLICY)
			fprintf(text->line, " policy %s", value);
		else if (lxfw_key_print(key, &preset, usual) ||
			 strcmp(value, usual) != 0)
			fprintf(text->line, " %s=%s", key->name, value);
	}
}

static void put_aside(const struct lxfw_journal_text *text, const struct lxfw_event *event)
{
	if (event->aside.reason)
		fprintf(text->line, " reason %s", lxfw_reason_name((int)event->aside.reason));
	if (event->aside.limited)
		fprintf(text->line, " limit on %s", lxfw_limited_name(event->aside.limited));
	if (event->aside.submit)
		put_moment(text, "submitted", event->aside.submit);
	if (event->aside.until)
		put_moment(text, "until", event->aside.until);
}

static void put_details(const struct lxfw_journal_text *text,
			const struct lxfw_event *event)
{
	switch (event->type) {
	case LXFW_EVENT_HOST:
		fprintf(text->line, " %s %s:%" PRId32 ":%" PRId64,
			event->host.name ? event->host.name : "",
			event->host.up ? "up" : "down",
			event->host.total.procs, event->host.total.memory_mb);
		put_sockets(text, event->host.sockets);
		if (event->host.weight != 0)
			fprintf(text->line, " weight %" PRId64,
				event->host.weight);
		if (event->host.boot != 0)
			fprintf(text->line, " boot %" PRId64, event->host.boot);
		if (event->host.gpus != 0)
			fprintf(text->line, " gpus %d", event->host.gpus);
		break;
	case LXFW_EVENT_HOST_SET:
		fprintf(text->line, " set %" PRId32 " of %" PRId32,
			event->host_set.id, event->host_set.count);
		break;
	case LXFW_EVENT_JOB_SUBMIT:
	case LXFW_EVENT_JOB_CHANGE:
		put_request(text, event->request);
		break;
	case LXFW_EVENT_JOB_RUN:
		put_moment(text, "until", event->run.expected_end);
		if (event->run.past.since != 0)
			put_moment(text, "since", event->run.past.since);
		put_shares(text, event->run.shares, event->run.count);
		break;
	case LXFW_EVENT_JOB_END:
	case LXFW_EVENT_JOB_CLASSES:
		break;
	case LXFW_EVENT_JOB_REFUSED:
		put_moment(text, "until", event->refused.until);
		if (event->refused.reason)
			fprintf(text->line, " reason %s",
				lxfw_reason_name((int)event->refused.reason));
		break;
	case LXFW_EVENT_BLOCK:
		fprintf(text->line, " %" PRIu64, event->block.id);
		put_moment(text, "from", event->block.start);
		put_moment(text, "until", event->block.end);
		put_shares(text, event->block.shares, event->block.count);
		break;
	case LXFW_EVENT_PARAMS:
		put_params(text, event->params);
		break;
	case LXFW_EVENT_JOB_PRIORITY:
		fprintf(text->line, " %" PRId64, event->priority.priority);
		if (event->priority.delay != 0)
			fprintf(text->line, " delay %" PRId64, event->priority.delay);
		break;
	case LXFW_EVENT_JOB_ASIDE:
		put_aside(text, event);
		break;
	case LXFW_EVENT_EXTRA:
		fprintf(text->line, " %" PRId32 " %s", event->extra.index,
			event->extra.name ? event->extra.name : "");
		break;
	}
}

static void write_csv(const struct lxfw_journal_text *text, const char *time,
		      const char *kind, const char *what, const char *job,
		      const char *details)
{
	fprintf(text->out, "%s,%s,%s,%s,\"", time, kind, what, job);
	for (; *details; details++) {
		if (*details == '"')
			putc('"', text->out);
		putc(*details, text->out);
	}
	fputs("\"\n", text->out);
}

static void write_json(const struct lxfw_journal_text *text, const char *time,
		      const char *kind, const char *what, const char *job,
		      const char *details)
{
	bool quoted = strspn(time, "-0123456789") != strlen(time);

	fprintf(text->out, quoted ? "%s\n  { \"time\": \"%s\"" :
		"%s\n  { \"time\": %s", text->lines > 0 ? "," : "", time);
	fprintf(text->out, ", \"kind\": \"%s\", \"what\": \"%s\", \"job\": ",
		kind, what);
	fprintf(text->out, *job ? "\"%s\"" : "null%s", job);
	fputs(", \"details\": ", text->out);
	lxfw_json_string(details, strlen(details), text->out);
	fputs(" }", text->out);
}

/* Called before the first line, not earlier: if the file cannot be read, nothing is
   written. */
static void begin(const struct lxfw_journal_text *text)
{
	if (text->format == LXFW_FORMAT_CSV)
		fputs("time,kind,what,job,details\n", text->out);
	else if (text->format == LXFW_FORMAT_JSON)
		fputs("[", text->out);
}

/* Begins a line. Details follow, each preceded by a blank. In text they are written
   directly, otherwise they are collected. Returns 0, or -1 with errno ENOMEM. */
static int begin_line(struct lxfw_journal_text *text, int64_t second,
		      const char *kind, const char *what, uint64_t job)
{
	char time[32], name[48];

	if (text->format == LXFW_FORMAT_CSV || text->format == LXFW_FORMAT_JSON) {
		text->line = open_memstream(&text->details,
					    &text->details_length);
		return text->line ? 0 : -1;
	}
	text->line = text->out;
	lxfw_job_names_text(&text->names, job, name, sizeof(name));
	format_time(text, second, time, sizeof(time));
	fprintf(text->out, "%s %s %s%s%s", time, kind, what, *name ? " " : "",
		name);
	return 0;
}

static int write_collected(struct lxfw_journal_text *text, int64_t second,
			   const char *kind, const char *what, uint64_t job)
{
	char time[32], name[48];
	const char *details;

	if (fclose(text->line)) {
		errno = ENOMEM;
		return -1;
	}
	details = text->details + (*text->details == ' ');
	if (text->lines == 0)
		begin(text);
	lxfw_job_names_text(&text->names, job, name, sizeof(name));
	format_time(text, second, time, sizeof(time));
	if (text->format == LXFW_FORMAT_CSV)
		write_csv(text, time, kind, what, name, details);
	else
		write_json(text, time, kind, what, name, details);
	free(text->details);
	text->details = NULL;
	return 0;
}

/* Ends a line. Returns 0, or -1 with errno ENOMEM. */
static int end_line(struct lxfw_journal_text *text, int64_t second,
		    const char *kind, const char *what, uint64_t job)
{
	int result = 0;

	if (text->line == text->out)
		putc('\n', text->out);
	else
		result = write_collected(text, second, kind, what, job);
	text->lines++;
	return result;
}

static bool is_wanted(const struct lxfw_journal_text *text, uint64_t job)
{
	return !text->job || lxfw_job_names_match(&text->names, job, text->job,
						  text->which);
}

static int put_event(struct lxfw_journal_text *text,
		     const struct lxfw_event *event)
{
	uint64_t job = lxfw_event_job(event);
	const char *name = event_name(event);

	if (!is_wanted(text, job))
		return 0;
	if (begin_line(text, event->time, "event", name, job))
		return -1;
	put_details(text, event);
	return end_line(text, event->time, "event", name, job);
}

static int put_action(struct lxfw_journal_text *text,
		      const struct lxfw_action *action)
{
	const char *name = lxfw_action_name(action->type);

	if (!is_wanted(text, action->job))
		return 0;
	if (begin_line(text, text->now, "action", name, action->job))
		return -1;
	if (action->type == LXFW_ACTION_RESERVE)
		put_moment(text, "at", action->start);
	if (action->until != LXFW_NEVER)
		put_moment(text, "until", action->until);
	if (action->limit > 0)
		fprintf(text->line, " limit %" PRId64, action->limit);
	put_shares(text, action->shares, action->count);
	return end_line(text, text->now, "action", name, action->job);
}

void lxfw_journal_text_end(struct lxfw_journal_text *text)
{
	if (text->lines == 0)
		begin(text);
	if (text->format == LXFW_FORMAT_JSON)
		fputs(text->lines > 0 ? "\n]\n" : "]\n", text->out);
}

/* --- names of hosts ------------------------------------------------------------------ */

static void forget_hosts(struct lxfw_journal_text *text)
{
	for (size_t i = 0; i < text->host_count; i++)
		free(text->hosts[i]);
	text->host_count = 0;
}

static int note_host(struct lxfw_journal_text *text,
		     const struct lxfw_event *event)
{
	size_t index = (size_t)event->host.index;
	char *name, **hosts;

	if (index > text->host_count) {
		errno = EBADMSG;
		return -1;
	}
	if (LXFW_GROW(text->hosts, text->hosts_size, index + 1))
		return -1;
	hosts = text->hosts;
	name = strdup(event->host.name ? event->host.name : "");
	if (!name)
		return -1;
	if (index == text->host_count)
		hosts[text->host_count++] = NULL;
	free(hosts[index]);
	hosts[index] = name;
	return 0;
}

int lxfw_journal_text_record(struct lxfw_journal_text *text,
			     const struct lxfw_record *record)
{
	if (lxfw_job_names_take(&text->names, record))
		return -1;
	switch (record->kind) {
	case LXFW_RECORD_MAGIC:
		forget_hosts(text);
		break;
	case LXFW_RECORD_EVENT:
		if (record->event.type == LXFW_EVENT_HOST &&
		    note_host(text, &record->event))
			return -1;
		return put_event(text, &record->event);
	case LXFW_RECORD_DECIDE:
		text->now = record->now;
		break;
	case LXFW_RECORD_ACTION:
		return put_action(text, &record->action);
	case LXFW_RECORD_DECIDED:
	case LXFW_RECORD_NAME:
		break;
	}
	return 0;
}

void lxfw_journal_text_clear(struct lxfw_journal_text *text)
{
	forget_hosts(text);
	lxfw_job_names_clear(&text->names);
	free(text->hosts);
	text->hosts = NULL;
	text->hosts_size = 0;
}
