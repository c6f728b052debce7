/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/journal/wire.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"

#define VARINT_MOST 10

/*
 * Appends a record to a buffer. After an allocation has failed nothing more is written;
 * callers check `failed` once, at the end of the record.
 */
struct writer {
	struct lxfw_buffer *buffer;
	size_t before;		/* length of the buffer before the record */
	bool failed;
};

/* Make room for COUNT more bytes. Returns a pointer to them, or NULL. */
static unsigned char *room(struct writer *writer, size_t count)
{
	struct lxfw_buffer *buffer = writer->buffer;

	if (writer->failed)
		return NULL;
	if (count > SIZE_MAX / 2 - buffer->length ||
	    LXFW_GROW(buffer->bytes, buffer->size, buffer->length + count)) {
		writer->failed = true;
		return NULL;
	}
	return buffer->bytes + buffer->length;
}

static void put_byte(struct writer *writer, unsigned char byte)
{
	unsigned char *at = room(writer, 1);

	if (!at)
		return;
	*at = byte;
	writer->buffer->length++;
}

static size_t varint(unsigned char *at, uint64_t value)
{
	size_t length = 0;

	while (value >= 0x80) {
		at[length++] = (unsigned char)(value | 0x80);
		value >>= 7;
	}
	at[length++] = (unsigned char)value;
	return length;
}

static void put_unsigned(struct writer *writer, uint64_t value)
{
	unsigned char *at = room(writer, VARINT_MOST);

	if (at)
		writer->buffer->length += varint(at, value);
}

/* VALUE is not negative. */
static void put_count(struct writer *writer, int64_t value)
{
	put_unsigned(writer, (uint64_t)value);
}

static void put_signed(struct writer *writer, int64_t value)
{
	put_unsigned(writer, lxfw_zigzag(value));
}

static void put_little_endian(struct writer *writer, uint64_t value, int bytes)
{
	unsigned char *at = room(writer, (size_t)bytes);

	if (!at)
		return;
	for (int i = 0; i < bytes; i++)
		at[i] = (unsigned char)(value >> 8 * i);
	writer->buffer->length += (size_t)bytes;
}

static void put_amount(struct writer *writer, const struct lxfw_resources *amount,
		       uint32_t sockets)
{
	unsigned mask = sockets ? LXFW_JOURNAL_FLAG_SOCKETS : 0;

	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		if (amount->extras[i])
			mask |= 1u << i;
	}
	put_count(writer, amount->procs);
	put_count(writer, amount->memory_mb);
	put_byte(writer, (unsigned char)mask);
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		if (amount->extras[i])
			put_count(writer, amount->extras[i]);
	}
	if (sockets)
		put_count(writer, sockets);
}

static void put_resources(struct writer *writer, const struct lxfw_resources *amount)
{
	put_amount(writer, amount, 0);
}

static void put_shares(struct writer *writer, const struct lxfw_share *shares,
		       int32_t count)
{
	int64_t expected = 0;

	put_count(writer, count);
	for (int32_t i = 0; i < count; i++) {
		put_signed(writer, shares[i].host - expected);
		put_amount(writer, &shares[i].amount, shares[i].sockets);
		expected = (int64_t)shares[i].host + 1;
	}
}

static void put_name(struct writer *writer, const char *name)
{
	size_t length = name ? strlen(name) : 0;

	if (length > LXFW_JOURNAL_NAME_MOST)
		length = LXFW_JOURNAL_NAME_MOST;
	put_unsigned(writer, length);
	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)name[i];

		put_byte(writer, lxfw_journal_name_byte(byte) ? byte : '?');
	}
}

static void put_host_set(struct writer *writer, const struct lxfw_event *event)
{
	int64_t expected = 0;

	put_count(writer, event->host_set.id);
	put_count(writer, event->host_set.count);
	for (int32_t i = 0; i < event->host_set.count; i++) {
		put_count(writer, event->host_set.hosts[i] - expected);
		expected = (int64_t)event->host_set.hosts[i] + 1;
	}
}

static void put_pools(struct writer *writer, const struct lxfw_request *request)
{
	int64_t expected = 0;

	put_count(writer, request->pool_count);
	for (int i = 0; i < request->pool_count; i++) {
		put_count(writer, request->pools[i].pool - expected);
		put_count(writer, request->pools[i].amount);
		expected = (int64_t)request->pools[i].pool + 1;
	}
}

/* The members that follow are left out if they and all after them are 0. */
static void put_rest(struct writer *writer, const struct lxfw_request *request)
{
	bool unreserved = request->no_reservation;
	bool sets = unreserved || request->more_sets, pools = sets || request->pool_count;
	bool group = pools || request->group;

	if (group || request->min_estimate)
		put_count(writer, request->min_estimate);
	if (group) {
		put_unsigned(writer, request->group);
		put_count(writer, request->group_count);
	}
	if (pools)
		put_pools(writer, request);
	if (sets)
		put_count(writer, request->more_sets);
	if (unreserved)
		put_count(writer, 1);
}

static void put_request(struct writer *writer,
			const struct lxfw_request *request)
{
	unsigned flags = request->shape;
	bool per_host = lxfw_request_has_hosts(request);

	if (per_host)
		flags = LXFW_JOURNAL_SHAPE_PER_HOST;
	if (request->exclusive)
		flags |= LXFW_JOURNAL_FLAG_EXCLUSIVE;
	if (request->no_quantum)
		flags |= LXFW_JOURNAL_FLAG_NO_QUANTUM;
	if (request->rigid || request->min_procs)
		flags |= LXFW_JOURNAL_FLAG_SHARED;
	flags |= (unsigned)request->host_set_count << LXFW_JOURNAL_SETS_SHIFT;
	put_unsigned(writer, request->id);
	put_signed(writer, request->submit);
	put_count(writer, request->estimate);
	put_resources(writer, &request->unit);
	put_count(writer, request->count);
	put_count(writer, request->max_hosts);
	put_signed(writer, request->tier);
	put_byte(writer, (unsigned char)flags);
	for (int i = 0; i < request->host_set_count; i++)
		put_count(writer, request->host_sets[i]);
	if (flags & LXFW_JOURNAL_FLAG_SHARED) {
		put_byte(writer, request->rigid);
		put_count(writer, request->min_procs);
	}
	if (per_host) {
		put_count(writer, request->min_hosts);
		put_resources(writer, &request->per_host);
	}
	put_rest(writer, request);
}

/* PARAMS are valid, so the text cannot fail. */
static void put_params(struct writer *writer, const struct lxfw_params *params)
{
	char text[LXFW_PARAMS_TEXT_SIZE];
	int length = lxfw_params_text(params, text);

	put_count(writer, length);
	for (int i = 0; i < length; i++)
		put_byte(writer, (unsigned char)text[i]);
}

static void put_host_rules(struct writer *writer,
			   const struct lxfw_job_classes *classes,
			   const struct lxfw_host_rules *rules)
{
	for (int32_t i = 0; i < classes->size_count; i++)
		put_count(writer, rules->running_most[i]);
	put_count(writer, rules->order_count);
	for (int32_t i = 0; i < rules->order_count; i++)
		put_byte(writer, (unsigned char)rules->order[i]);
	for (int32_t i = 0; i < classes->time_count; i++)
		put_byte(writer, (unsigned char)(rules->rank[i] + 1));
}

static void put_job_classes(struct writer *writer,
			    const struct lxfw_job_classes *classes)
{
	put_count(writer, classes->time_count);
	put_count(writer, classes->size_count);
	for (int32_t i = 0; i < classes->time_count; i++) {
		const struct lxfw_time_class *class = &classes->times[i];

		put_name(writer, class->name);
		put_count(writer, class->cpu_per_proc);
		put_count(writer, class->run_time);
		put_count(writer, class->reserve_wait);
		put_count(writer, class->running_most);
	}
	for (int32_t i = 0; i < classes->size_count; i++) {
		const struct lxfw_size_class *class = &classes->sizes[i];

		put_name(writer, class->name);
		put_count(writer, class->procs);
		put_count(writer, class->memory_mb);
	}
	put_count(writer, classes->rules_count);
	for (int32_t i = 0; i < classes->rules_count; i++)
		put_host_rules(writer, classes, &classes->rules[i]);
	put_count(writer, classes->host_count);
	for (int32_t i = 0; i < classes->host_count; i++)
		put_count(writer, (int64_t)classes->rules_of[i] + 1);
}

/* The past is the end of its record. It is left out if it is unknown; older journals have
   none. */
static void put_past(struct writer *writer, const struct lxfw_run_past *past)
{
	if (past->since == 0 && past->suspensions == 0)
		return;
	put_signed(writer, past->since);
	put_count(writer, past->ran);
	put_signed(writer, past->submit);
	if (past->suspensions == 0 && past->suspended == 0)
		return;
	put_count(writer, past->suspensions);
	put_count(writer, past->suspended);
}

static void put_aside(struct writer *writer, const struct lxfw_event *event)
{
	put_unsigned(writer, event->aside.id);
	put_byte(writer, (unsigned char)event->aside.reason);
	put_count(writer, event->aside.submit);
	if (event->aside.until || event->aside.limited)
		put_count(writer, event->aside.until);
	if (event->aside.limited)
		put_byte(writer, (unsigned char)event->aside.limited);
}

static void put_event_fields(struct writer *writer,
			     const struct lxfw_event *event)
{
	switch (event->type) {
	case LXFW_EVENT_HOST:
		put_byte(writer, (unsigned char)(event->host.up | event->host.gpus << 1));
		put_count(writer, event->host.index);
		put_amount(writer, &event->host.total, event->host.sockets);
		put_name(writer, event->host.name);
		if (event->host.weight != 0 || event->host.boot != 0)
			put_signed(writer, event->host.weight);
		if (event->host.boot != 0)
			put_count(writer, event->host.boot);
		break;
	case LXFW_EVENT_HOST_SET:
		put_host_set(writer, event);
		break;
	case LXFW_EVENT_JOB_SUBMIT:
	case LXFW_EVENT_JOB_CHANGE:
		put_request(writer, event->request);
		break;
	case LXFW_EVENT_JOB_RUN:
		put_unsigned(writer, event->run.id);
		put_signed(writer, event->run.expected_end);
		put_shares(writer, event->run.shares, event->run.count);
		put_past(writer, &event->run.past);
		break;
	case LXFW_EVENT_JOB_END:
		put_unsigned(writer, event->end.id);
		break;
	case LXFW_EVENT_JOB_REFUSED:
		put_unsigned(writer, event->refused.id);
		put_signed(writer, event->refused.until);
		if (event->refused.reason)
			put_byte(writer, (unsigned char)event->refused.reason);
		break;
	case LXFW_EVENT_BLOCK:
		put_unsigned(writer, event->block.id);
		put_signed(writer, event->block.start);
		put_signed(writer, event->block.end);
		put_shares(writer, event->block.shares, event->block.count);
		break;
	case LXFW_EVENT_PARAMS:
		put_params(writer, event->params);
		break;
	case LXFW_EVENT_JOB_CLASSES:
		put_job_classes(writer, event->job_classes);
		break;
	case LXFW_EVENT_JOB_PRIORITY:
		put_unsigned(writer, event->priority.id);
		put_signed(writer, event->priority.priority);
		put_signed(writer, event->priority.delay);
		break;
	case LXFW_EVENT_JOB_ASIDE:
		put_aside(writer, event);
		break;
	case LXFW_EVENT_EXTRA:
		put_byte(writer, (unsigned char)event->extra.index);
		put_name(writer, event->extra.name);
		break;
	}
}

/* The length comes first but is known last. One byte is reserved for it; for a longer
   length the payload is moved back. */
static void begin(struct writer *writer, struct lxfw_buffer *buffer,
		  enum lxfw_record_kind kind)
{
	*writer = (struct writer){ buffer, buffer->length, false };
	put_byte(writer, 0);
	put_byte(writer, (unsigned char)kind);
}

static int end(struct writer *writer)
{
	struct lxfw_buffer *buffer = writer->buffer;
	unsigned char prefix[VARINT_MOST];
	size_t payload, longer;
	uint32_t crc;

	if (!room(writer, VARINT_MOST + LXFW_JOURNAL_CRC_SIZE)) {
		buffer->length = writer->before;
		errno = ENOMEM;
		return -1;
	}
	payload = buffer->length - writer->before - 1;
	if (payload > LXFW_JOURNAL_PAYLOAD_MOST) {
		buffer->length = writer->before;
		errno = EINVAL;
		return -1;
	}
	crc = lxfw_crc32(buffer->bytes + writer->before + 1, payload);
	longer = varint(prefix, payload) - 1;
	if (longer)
		memmove(buffer->bytes + writer->before + 1 + longer,
			buffer->bytes + writer->before + 1, payload);
	memcpy(buffer->bytes + writer->before, prefix, longer + 1);
	buffer->length += longer;
	put_little_endian(writer, crc, LXFW_JOURNAL_CRC_SIZE);
	return 0;
}

int lxfw_journal_put_event(struct lxfw_buffer *buffer,
			   const struct lxfw_event *event)
{
	struct writer writer;

	if (!lxfw_journal_event_valid(event)) {
		errno = EINVAL;
		return -1;
	}
	begin(&writer, buffer, LXFW_RECORD_EVENT);
	put_byte(&writer, (unsigned char)event->type);
	put_signed(&writer, event->time);
	put_event_fields(&writer, event);
	return end(&writer);
}

static int put_time(struct lxfw_buffer *buffer, enum lxfw_record_kind kind,
		    int64_t time)
{
	struct writer writer;

	begin(&writer, buffer, kind);
	put_signed(&writer, time);
	return end(&writer);
}

int lxfw_journal_put_name(struct lxfw_buffer *buffer,
			  const struct lxfw_job_name *name)
{
	struct writer writer;

	if (name->job == 0 || name->before < 0) {
		errno = EINVAL;
		return -1;
	}
	begin(&writer, buffer, LXFW_RECORD_NAME);
	put_unsigned(&writer, name->job);
	put_signed(&writer, name->number);
	put_count(&writer, name->before);
	return end(&writer);
}

static int put_action(struct lxfw_buffer *buffer,
		      const struct lxfw_action *action)
{
	struct writer writer;

	if (!lxfw_journal_action_valid(action)) {
		errno = EINVAL;
		return -1;
	}
	begin(&writer, buffer, LXFW_RECORD_ACTION);
	put_byte(&writer, (unsigned char)action->type);
	put_unsigned(&writer, action->job);
	put_signed(&writer, action->start);
	if (action->type == LXFW_ACTION_START)
		put_count(&writer, action->until == LXFW_NEVER ?
			  0 : action->until - action->start);
	put_count(&writer, action->host_set);
	put_shares(&writer, action->shares, action->count);
	if (action->limit)
		put_count(&writer, action->limit);
	return end(&writer);
}

int lxfw_journal_put_decision(struct lxfw_buffer *buffer, int64_t now,
			      const struct lxfw_decision *decision)
{
	size_t before = buffer->length;
	int result = put_time(buffer, LXFW_RECORD_DECIDE, now);

	for (size_t i = 0; result == 0 && i < decision->count; i++)
		result = put_action(buffer, &decision->actions[i]);
	if (result == 0)
		result = put_time(buffer, LXFW_RECORD_DECIDED, decision->wake);
	if (result < 0)
		buffer->length = before;
	return result;
}
