/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/journal_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/util/grow.h"

/* --- words ----------------------------------------------------------------------- */

const char *lxfw_action_name(enum lxfw_action_type type)
{
	static const char *const names[] = {
		"", "start", "reserve", "unreserve", "suspend", "resume",
		"requeue", "resize",
	};

	return names[type];
}

/* What is known of hosts has no job, and says what it is about in its own words. */
static const char *event_name(enum lxfw_event_type type)
{
	static const char *const names[] = {
		"", "host", "hosts", "submit", "change", "run", "end",
		"refused", "block", "parameters", "classes",
	};

	return names[type];
}

static void put_time(const struct lxfw_journal_text *text, int64_t second)
{
	time_t time = (time_t)second;
	char date[32];
	struct tm tm;

	if (second == LXFW_NEVER)
		fputs("never", text->out);
	else if (text->dates && time == second && localtime_r(&time, &tm) &&
		 strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm) > 0)
		fputs(date, text->out);
	else
		fprintf(text->out, "%" PRId64, second);
}

static void put_moment(const struct lxfw_journal_text *text, const char *what,
		       int64_t second)
{
	fprintf(text->out, " %s ", what);
	put_time(text, second);
}

/* A task of an array as Slurm has it: the plugin's ids are the array's and, above it,
   the task's number plus one. */
static void put_job(const struct lxfw_journal_text *text, uint64_t job)
{
	if (job >> 32)
		fprintf(text->out, " %" PRIu64 "_%" PRIu64, job & UINT32_MAX,
			(job >> 32) - 1);
	else
		fprintf(text->out, " %" PRIu64, job);
}

/* :MB and what else is counted. */
static void put_rest(const struct lxfw_journal_text *text,
		     const struct lxfw_resources *amount)
{
	fprintf(text->out, ":%" PRId64, amount->memory_mb);
	for (int j = 0; j < LXFW_EXTRAS_MAX; j++) {
		if (amount->extras[j] != 0)
			fprintf(text->out, "+%" PRId32 "x%d", amount->extras[j],
				j);
	}
}

/* NAME:PROCESSORS:MB and what else is counted. */
static void put_shares(const struct lxfw_journal_text *text,
		       const struct lxfw_share *shares, int32_t count)
{
	for (int32_t i = 0; i < count; i++) {
		const struct lxfw_resources *amount = &shares[i].amount;
		size_t host = (size_t)shares[i].host;

		if (host < text->host_count && *text->hosts[host])
			fprintf(text->out, " %s", text->hosts[host]);
		else
			fprintf(text->out, " %zu", host);
		fprintf(text->out, ":%" PRId32, amount->procs);
		put_rest(text, amount);
	}
}

/* --- lines ------------------------------------------------------------------------ */

static void put_request(const struct lxfw_journal_text *text,
			const struct lxfw_request *request)
{
	fprintf(text->out, " %" PRId32 " %s:%" PRId32 ":%" PRId64,
		request->count, request->shape == LXFW_SHAPE_HOSTS ?
		"hosts" : "pieces", request->unit.procs,
		request->unit.memory_mb);
	if (lxfw_request_has_hosts(request)) {
		fprintf(text->out, " on %" PRId32 " hosts or more with",
			request->min_hosts > 1 ? request->min_hosts : 1);
		put_rest(text, &request->per_host);
	}
	if (request->exclusive)
		fputs(" exclusive", text->out);
	if (request->no_quantum)
		fputs(" no-quantum", text->out);
	if (request->rigid)
		fputs(" rigid", text->out);
	if (request->least > 0)
		fprintf(text->out, " at least %" PRId32, request->least);
	fprintf(text->out, " limit %" PRId64, request->estimate);
	put_moment(text, "submitted", request->submit);
}

static void put_details(const struct lxfw_journal_text *text,
			const struct lxfw_event *event)
{
	switch (event->type) {
	case LXFW_EVENT_HOST:
		fprintf(text->out, " %s %s:%" PRId32 ":%" PRId64,
			event->host.name ? event->host.name : "",
			event->host.up ? "up" : "down",
			event->host.total.procs, event->host.total.memory_mb);
		break;
	case LXFW_EVENT_HOST_SET:
		fprintf(text->out, " set %" PRId32 " of %" PRId32,
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
		break;
	case LXFW_EVENT_BLOCK:
		fprintf(text->out, " %" PRIu64, event->block.id);
		put_moment(text, "from", event->block.start);
		put_moment(text, "until", event->block.end);
		put_shares(text, event->block.shares, event->block.count);
		break;
	case LXFW_EVENT_PARAMS:
		fprintf(text->out, " policy %s",
			lxfw_policy_name(event->params->policy));
		break;
	}
}

static void put_event(struct lxfw_journal_text *text,
		      const struct lxfw_event *event)
{
	uint64_t job = lxfw_event_job(event);

	if (text->job && text->job != job)
		return;
	put_time(text, event->time);
	fprintf(text->out, " event %s", event_name(event->type));
	if (job)
		put_job(text, job);
	put_details(text, event);
	putc('\n', text->out);
	text->lines++;
}

static void put_action(struct lxfw_journal_text *text,
		       const struct lxfw_action *action)
{
	if (text->job && text->job != action->job)
		return;
	put_time(text, text->now);
	fprintf(text->out, " action %s", lxfw_action_name(action->type));
	put_job(text, action->job);
	if (action->type == LXFW_ACTION_RESERVE)
		put_moment(text, "at", action->start);
	if (action->until != LXFW_NEVER)
		put_moment(text, "until", action->until);
	put_shares(text, action->shares, action->count);
	putc('\n', text->out);
	text->lines++;
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
	hosts = lxfw_grow(text->hosts, &text->hosts_size, index + 1,
			  sizeof(*hosts));
	if (!hosts)
		return -1;
	text->hosts = hosts;
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
	switch (record->kind) {
	case LXFW_RECORD_MAGIC:
		forget_hosts(text);
		break;
	case LXFW_RECORD_EVENT:
		if (record->event.type == LXFW_EVENT_HOST &&
		    note_host(text, &record->event))
			return -1;
		put_event(text, &record->event);
		break;
	case LXFW_RECORD_DECIDE:
		text->now = record->now;
		break;
	case LXFW_RECORD_ACTION:
		put_action(text, &record->action);
		break;
	case LXFW_RECORD_DECIDED:
		break;
	}
	return 0;
}

void lxfw_journal_text_clear(struct lxfw_journal_text *text)
{
	forget_hosts(text);
	free(text->hosts);
	text->hosts = NULL;
	text->hosts_size = 0;
}
