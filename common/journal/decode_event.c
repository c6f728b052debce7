/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decoding of events. */
#include "common/journal/reader.h"

#include <errno.h>
#include <string.h>

#include "common/journal/wire.h"
#include "common/util/grow.h"

static void get_host(struct lxfw_reader *reader, struct lxfw_record *record)
{
	struct lxfw_event *event = &record->event;
	unsigned char state = lxfw_get_byte(reader);

	event->host.up = state & 1;
	event->host.gpus = state >> 1;
	reader->bad |= event->host.gpus >> LXFW_EXTRAS_MAX;
	event->host.index = lxfw_get_int32(reader);
	lxfw_get_host_total(reader, &event->host.total, &event->host.sockets);
	lxfw_get_name(reader, record->name, LXFW_JOURNAL_NAME_MOST);
	event->host.name = record->name;
	event->host.weight = event->host.boot = 0;
	if (reader->bad || lxfw_rest(reader) == 0)
		return;
	event->host.weight = lxfw_get_signed(reader);
	if (reader->bad || lxfw_rest(reader) == 0) {
		reader->bad |= event->host.weight == 0;
		return;
	}
	event->host.boot = lxfw_get_count(reader, LXFW_BOOT_MAX);
	reader->bad |= event->host.boot == 0;
}

/* Make room for COUNT hosts in the record. Returns false if memory is exhausted. */
static bool has_room(struct lxfw_reader *reader, struct lxfw_record *record,
		     int32_t count)
{
	if (LXFW_GROW(record->hosts, record->hosts_size, (size_t)count) == 0)
		return true;
	reader->no_memory = true;
	return false;
}

static void get_host_set(struct lxfw_reader *reader, struct lxfw_record *record)
{
	struct lxfw_event *event = &record->event;
	int64_t expected = 0;
	int32_t count;

	event->host_set.id = lxfw_get_int32(reader);
	count = lxfw_get_length(reader, 1);
	if (!has_room(reader, record, count))
		return;
	for (int32_t i = 0; i < count; i++) {
		expected += lxfw_get_count(reader, INT32_MAX);
		if (expected > INT32_MAX) {
			reader->bad = true;
			return;
		}
		record->hosts[i] = (int32_t)expected++;
	}
	event->host_set.count = count;
	event->host_set.hosts = record->hosts;
}

static int32_t get_tier(struct lxfw_reader *reader)
{
	int64_t tier = lxfw_get_signed(reader);

	if (tier < INT32_MIN || tier > INT32_MAX) {
		reader->bad = true;
		return 0;
	}
	return (int32_t)tier;
}

static void get_share(struct lxfw_reader *reader, struct lxfw_request *request)
{
	unsigned rigid = lxfw_get_byte(reader);

	request->rigid = rigid;
	request->min_procs = lxfw_get_int32(reader);
	if (rigid > 1 || (!request->rigid && request->min_procs == 0))
		reader->bad = true;
}

static void get_per_host(struct lxfw_reader *reader, struct lxfw_request *request)
{
	request->shape = LXFW_SHAPE_ANYWHERE;
	request->min_hosts = lxfw_get_int32(reader);
	lxfw_get_resources(reader, &request->per_host);
	if (!lxfw_request_has_hosts(request))
		reader->bad = true;
}

static void get_group(struct lxfw_reader *reader, struct lxfw_request *request)
{
	request->group = lxfw_get_unsigned(reader);
	request->group_count = lxfw_get_int32(reader);
}

static void get_pools(struct lxfw_reader *reader, struct lxfw_request *request)
{
	int64_t count = lxfw_get_count(reader, LXFW_POOLS_MAX), expected = 0;

	for (int64_t i = 0; i < count && !reader->bad; i++) {
		struct lxfw_pool_need *need = &request->pools[i];

		need->pool = (int32_t)(lxfw_get_count(reader, INT32_MAX - 1 - expected) +
				       expected);
		need->amount = lxfw_get_int32(reader);
		reader->bad |= need->amount < 1;
		expected = (int64_t)need->pool + 1;
	}
	request->pool_count = reader->bad ? 0 : (uint8_t)count;
}

/* The record ends before its last members that are 0. */
static void get_rest(struct lxfw_reader *reader, struct lxfw_request *request)
{
	bool last;

	request->min_estimate = lxfw_get_count(reader, INT64_MAX);
	last = request->min_estimate != 0;
	if (!reader->bad && lxfw_rest(reader) > 0) {
		get_group(reader, request);
		last = request->group != 0;
	}
	if (!reader->bad && lxfw_rest(reader) > 0) {
		get_pools(reader, request);
		last = request->pool_count != 0;
	}
	if (!reader->bad && lxfw_rest(reader) > 0) {
		request->more_sets = lxfw_get_int32(reader);
		last = request->more_sets != 0;
	}
	if (!reader->bad && lxfw_rest(reader) > 0) {
		request->no_reservation = lxfw_get_count(reader, 1);
		last = request->no_reservation;
	}
	reader->bad |= !last;
}

static void get_request(struct lxfw_reader *reader, struct lxfw_request *request)
{
	unsigned flags, sets;

	memset(request, 0, sizeof(*request));
	request->id = lxfw_get_unsigned(reader);
	request->submit = lxfw_get_signed(reader);
	request->estimate = lxfw_get_count(reader, INT64_MAX);
	lxfw_get_resources(reader, &request->unit);
	request->count = lxfw_get_int32(reader);
	request->max_hosts = lxfw_get_int32(reader);
	request->tier = get_tier(reader);
	flags = lxfw_get_byte(reader);
	request->shape = flags & LXFW_JOURNAL_SHAPE_MASK;
	request->exclusive = (flags & LXFW_JOURNAL_FLAG_EXCLUSIVE) != 0;
	request->no_quantum = (flags & LXFW_JOURNAL_FLAG_NO_QUANTUM) != 0;
	sets = flags >> LXFW_JOURNAL_SETS_SHIFT & LXFW_JOURNAL_SETS_MASK;
	if (flags > LXFW_JOURNAL_FLAGS_MOST || sets > LXFW_HOST_SETS_MAX) {
		reader->bad = true;
		return;
	}
	request->host_set_count = (uint8_t)sets;
	for (int i = 0; i < request->host_set_count; i++)
		request->host_sets[i] = lxfw_get_int32(reader);
	if (flags & LXFW_JOURNAL_FLAG_SHARED)
		get_share(reader, request);
	if (request->shape == LXFW_JOURNAL_SHAPE_PER_HOST)
		get_per_host(reader, request);
	if (reader->bad || lxfw_rest(reader) == 0)
		return;
	get_rest(reader, request);
}

/* Read a number from LEAST to MOST. */
static int32_t get_between(struct lxfw_reader *reader, int32_t least, int32_t most)
{
	int32_t count = (int32_t)lxfw_get_count(reader, most);

	if (count >= least)
		return count;
	reader->bad = true;
	return 0;
}

static void get_classes(struct lxfw_reader *reader, struct lxfw_job_classes *classes)
{
	memset(classes, 0, sizeof(*classes));
	classes->time_count = get_between(reader, 1, LXFW_TIME_CLASSES_MAX);
	classes->size_count = get_between(reader, 1, LXFW_SIZE_CLASSES_MAX);
	for (int32_t i = 0; i < classes->time_count; i++) {
		struct lxfw_time_class *class = &classes->times[i];

		lxfw_get_name(reader, class->name, LXFW_CLASS_NAME_SIZE - 1);
		class->cpu_per_proc = lxfw_get_count(reader, INT64_MAX);
		class->run_time = lxfw_get_count(reader, INT64_MAX);
		class->reserve_wait = lxfw_get_count(reader, INT64_MAX);
		class->running_most = lxfw_get_int32(reader);
	}
	for (int32_t i = 0; i < classes->size_count; i++) {
		struct lxfw_size_class *class = &classes->sizes[i];

		lxfw_get_name(reader, class->name, LXFW_CLASS_NAME_SIZE - 1);
		class->procs = lxfw_get_int32(reader);
		class->memory_mb = lxfw_get_count(reader, INT64_MAX);
	}
}

static void get_host_rules(struct lxfw_reader *reader,
			   const struct lxfw_job_classes *classes,
			   struct lxfw_host_rules *rules)
{
	memset(rules, 0, sizeof(*rules));
	for (int32_t i = 0; i < classes->size_count; i++)
		rules->running_most[i] = lxfw_get_int32(reader);
	rules->order_count = get_between(reader, 0, classes->size_count);
	for (int32_t i = 0; i < rules->order_count; i++)
		rules->order[i] = lxfw_get_byte(reader);
	for (int32_t i = 0; i < classes->time_count; i++)
		rules->rank[i] = lxfw_get_byte(reader) - 1;
}

static void get_job_classes(struct lxfw_reader *reader, struct lxfw_record *record)
{
	struct lxfw_job_classes *classes = &record->job_classes;
	int32_t count;

	get_classes(reader, classes);
	/* Rules have at least a byte for each class and a byte for the length of the
	   order. */
	count = lxfw_get_length(reader, (size_t)classes->time_count +
				   (size_t)classes->size_count + 1);
	if (LXFW_GROW(record->rules, record->rules_size, (size_t)count)) {
		reader->no_memory = true;
		return;
	}
	for (int32_t i = 0; i < count; i++)
		get_host_rules(reader, classes, &record->rules[i]);
	classes->rules_count = count;
	classes->rules = record->rules;
	count = lxfw_get_length(reader, 1);
	if (!has_room(reader, record, count))
		return;
	for (int32_t i = 0; i < count; i++)
		record->hosts[i] = lxfw_get_int32(reader) - 1;
	classes->host_count = count;
	classes->rules_of = record->hosts;
	record->event.job_classes = classes;
}

static void get_past(struct lxfw_reader *reader, struct lxfw_run_past *past)
{
	*past = (struct lxfw_run_past){ 0 };
	if (reader->bad || lxfw_rest(reader) == 0)
		return;
	past->since = lxfw_get_signed(reader);
	past->ran = lxfw_get_count(reader, LXFW_TIME_MAX);
	past->submit = lxfw_get_signed(reader);
	if (past->since == 0 && lxfw_rest(reader) == 0)
		reader->bad = true;
	if (reader->bad || lxfw_rest(reader) == 0)
		return;
	past->suspensions = lxfw_get_count(reader, LXFW_SUSPENSIONS_UNKNOWN);
	past->suspended = lxfw_get_count(reader, LXFW_TIME_MAX);
	if (past->suspensions == 0 && (past->suspended == 0 || past->since == 0))
		reader->bad = true;
}

static void get_params(struct lxfw_reader *reader, struct lxfw_record *record)
{
	int32_t length;
	char *grown;

	if (record->format == 2) {
		lxfw_get_params_2(reader, &record->params);
		return;
	}
	length = lxfw_get_length(reader, 1);
	if (LXFW_GROW(record->text, record->text_size, (size_t)length + 1)) {
		reader->no_memory = true;
		return;
	}
	grown = record->text;
	for (int32_t i = 0; i < length; i++) {
		grown[i] = (char)lxfw_get_byte(reader);
		reader->bad |= !lxfw_journal_name_byte((unsigned char)grown[i]);
	}
	grown[length] = '\0';
	if (reader->bad || lxfw_params_from_text(&record->params, grown) == 0)
		return;
	reader->unknown = errno == ENOTSUP;
	reader->bad = true;
}

/* Whether the segment may have events for the readers of a journal, and reasons. */
static bool has_notes(const struct lxfw_record *record)
{
	return record->format == 0 || record->format >= 4;
}

static void get_refused(struct lxfw_reader *reader, struct lxfw_record *record)
{
	struct lxfw_event *event = &record->event;

	event->refused.id = lxfw_get_unsigned(reader);
	event->refused.until = lxfw_get_signed(reader);
	if (reader->bad || lxfw_rest(reader) == 0)
		return;
	event->refused.reason = (enum lxfw_reason)lxfw_get_byte(reader);
	reader->bad |= event->refused.reason == LXFW_REASON_NONE || !has_notes(record);
}

static void get_aside(struct lxfw_reader *reader, struct lxfw_record *record)
{
	struct lxfw_event *event = &record->event;

	event->aside.id = lxfw_get_unsigned(reader);
	event->aside.reason = (enum lxfw_reason)lxfw_get_byte(reader);
	event->aside.submit = lxfw_get_count(reader, LXFW_TIME_MAX);
	reader->bad |= !has_notes(record);
	if (reader->bad || lxfw_rest(reader) == 0)
		return;
	event->aside.until = lxfw_get_count(reader, LXFW_TIME_MAX);
	if (reader->bad || lxfw_rest(reader) == 0) {
		reader->bad |= event->aside.until == 0;
		return;
	}
	event->aside.limited = (enum lxfw_limited)lxfw_get_byte(reader);
	reader->bad |= event->aside.limited == LXFW_LIMITED_UNKNOWN;
}

static void get_extra(struct lxfw_reader *reader, struct lxfw_record *record)
{
	record->event.extra.index = lxfw_get_byte(reader);
	lxfw_get_name(reader, record->name, LXFW_JOURNAL_NAME_MOST);
	record->event.extra.name = record->name;
	reader->bad |= !has_notes(record);
}

void lxfw_get_event(struct lxfw_reader *reader, struct lxfw_record *record)
{
	struct lxfw_event *event = &record->event;

	event->type = lxfw_get_byte(reader);
	event->time = lxfw_get_signed(reader);
	switch (event->type) {
	case LXFW_EVENT_HOST:
		get_host(reader, record);
		break;
	case LXFW_EVENT_HOST_SET:
		get_host_set(reader, record);
		break;
	case LXFW_EVENT_JOB_SUBMIT:
	case LXFW_EVENT_JOB_CHANGE:
		get_request(reader, &record->request);
		event->request = &record->request;
		break;
	case LXFW_EVENT_JOB_RUN:
		event->run.id = lxfw_get_unsigned(reader);
		event->run.expected_end = lxfw_get_signed(reader);
		event->run.count = lxfw_get_shares(reader, record);
		event->run.shares = record->shares;
		get_past(reader, &event->run.past);
		break;
	case LXFW_EVENT_JOB_END:
		event->end.id = lxfw_get_unsigned(reader);
		break;
	case LXFW_EVENT_JOB_REFUSED:
		get_refused(reader, record);
		break;
	case LXFW_EVENT_BLOCK:
		event->block.id = lxfw_get_unsigned(reader);
		event->block.start = lxfw_get_signed(reader);
		event->block.end = lxfw_get_signed(reader);
		event->block.count = lxfw_get_shares(reader, record);
		event->block.shares = record->shares;
		break;
	case LXFW_EVENT_PARAMS:
		get_params(reader, record);
		event->params = &record->params;
		break;
	case LXFW_EVENT_JOB_CLASSES:
		get_job_classes(reader, record);
		break;
	case LXFW_EVENT_JOB_PRIORITY:
		event->priority.id = lxfw_get_unsigned(reader);
		event->priority.priority = lxfw_get_signed(reader);
		event->priority.delay = lxfw_get_signed(reader);
		break;
	case LXFW_EVENT_JOB_ASIDE:
		get_aside(reader, record);
		break;
	case LXFW_EVENT_EXTRA:
		get_extra(reader, record);
		break;
	default:
		reader->bad = true;
	}
	if (!reader->bad && !reader->no_memory &&
	    !lxfw_journal_event_valid(event))
		reader->bad = true;
}
