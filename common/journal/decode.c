/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/journal/wire.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"

/*
 * Reads a payload. The first field that is wrong makes it `bad` and everything
 * after it 0, so that the callers ask once, at the end.
 */
struct reader {
	const unsigned char *at, *end;
	bool bad;
	bool no_memory;
};

static size_t rest(const struct reader *reader)
{
	return (size_t)(reader->end - reader->at);
}

static unsigned char get_byte(struct reader *reader)
{
	if (reader->bad || reader->at == reader->end) {
		reader->bad = true;
		return 0;
	}
	return *reader->at++;
}

static uint64_t get_unsigned(struct reader *reader)
{
	uint64_t value = 0;

	for (int shift = 0; shift < 64; shift += 7) {
		unsigned char byte = get_byte(reader);

		if (reader->bad)
			return 0;
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte & 0x80)
			continue;
		/* Longer than need be, or beyond the 64th bit? */
		if ((byte == 0 && shift > 0) || (shift == 63 && byte > 1))
			break;
		return value;
	}
	reader->bad = true;
	return 0;
}

static int64_t get_signed(struct reader *reader)
{
	return lxfw_unzigzag(get_unsigned(reader));
}

/* A number from 0 to MOST. */
static int64_t get_count(struct reader *reader, int64_t most)
{
	uint64_t value = get_unsigned(reader);

	if (value > (uint64_t)most) {
		reader->bad = true;
		return 0;
	}
	return (int64_t)value;
}

static int32_t get_int32(struct reader *reader)
{
	return (int32_t)get_count(reader, INT32_MAX);
}

/* How many items of LEAST bytes or more follow: never more than the rest of the
   payload can hold, which bounds what is allocated for them. */
static int32_t get_length(struct reader *reader, size_t least)
{
	int32_t count = get_int32(reader);

	if ((size_t)count > rest(reader) / least) {
		reader->bad = true;
		return 0;
	}
	return count;
}

static double get_double(struct reader *reader)
{
	uint64_t bits = 0;
	double number;

	for (int i = 0; i < 8; i++)
		bits |= (uint64_t)get_byte(reader) << 8 * i;
	memcpy(&number, &bits, sizeof(number));
	return reader->bad ? 0 : number;
}

static void get_resources(struct reader *reader, struct lxfw_resources *amount)
{
	unsigned mask;

	memset(amount, 0, sizeof(*amount));
	amount->procs = get_int32(reader);
	amount->memory_mb = get_count(reader, INT64_MAX);
	mask = get_byte(reader);
	if (mask >> LXFW_EXTRAS_MAX)
		reader->bad = true;
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		if (!(mask >> i & 1))
			continue;
		amount->extras[i] = get_int32(reader);
		if (amount->extras[i] == 0)
			reader->bad = true;
	}
}

static int32_t get_shares(struct reader *reader, struct lxfw_record *record)
{
	int32_t count = get_length(reader, LXFW_JOURNAL_SHARE_LEAST);
	int64_t expected = 0;
	void *grown;

	grown = lxfw_grow(record->shares, &record->shares_size, (size_t)count,
			  sizeof(*record->shares));
	if (!grown) {
		reader->no_memory = true;
		return 0;
	}
	record->shares = grown;
	for (int32_t i = 0; i < count; i++) {
		int64_t offset = get_signed(reader);

		if (offset < -expected || offset > INT32_MAX - expected) {
			reader->bad = true;
			return 0;
		}
		record->shares[i].host = (int32_t)(expected + offset);
		get_resources(reader, &record->shares[i].amount);
		expected += offset + 1;
	}
	return count;
}

/* A name of MOST bytes or fewer. */
static void get_name(struct reader *reader, char *name, int64_t most)
{
	int64_t length = get_count(reader, most);

	for (int64_t i = 0; i < length; i++) {
		unsigned char byte = get_byte(reader);

		if (!lxfw_journal_name_byte(byte))
			reader->bad = true;
		name[i] = (char)byte;
	}
	name[length] = '\0';
}

static void get_host(struct reader *reader, struct lxfw_record *record)
{
	struct lxfw_event *event = &record->event;
	unsigned char up = get_byte(reader);

	if (up > 1)
		reader->bad = true;
	event->host.up = up == 1;
	event->host.index = get_int32(reader);
	get_resources(reader, &event->host.total);
	get_name(reader, record->name, LXFW_JOURNAL_NAME_MOST);
	event->host.name = record->name;
}

static void get_host_set(struct reader *reader, struct lxfw_record *record)
{
	struct lxfw_event *event = &record->event;
	int64_t expected = 0;
	int32_t count;
	void *grown;

	event->host_set.id = get_int32(reader);
	count = get_length(reader, 1);
	grown = lxfw_grow(record->hosts, &record->hosts_size, (size_t)count,
			  sizeof(*record->hosts));
	if (!grown) {
		reader->no_memory = true;
		return;
	}
	record->hosts = grown;
	for (int32_t i = 0; i < count; i++) {
		expected += get_count(reader, INT32_MAX);
		if (expected > INT32_MAX) {
			reader->bad = true;
			return;
		}
		record->hosts[i] = (int32_t)expected++;
	}
	event->host_set.count = count;
	event->host_set.hosts = record->hosts;
}

static int32_t get_tier(struct reader *reader)
{
	int64_t tier = get_signed(reader);

	if (tier < INT32_MIN || tier > INT32_MAX) {
		reader->bad = true;
		return 0;
	}
	return (int32_t)tier;
}

static void get_share(struct reader *reader, struct lxfw_request *request)
{
	unsigned rigid = get_byte(reader);

	request->rigid = rigid;
	request->least = get_int32(reader);
	if (rigid > 1 || (!request->rigid && request->least == 0))
		reader->bad = true;
}

static void get_per_host(struct reader *reader, struct lxfw_request *request)
{
	request->shape = LXFW_SHAPE_ANYWHERE;
	request->min_hosts = get_int32(reader);
	get_resources(reader, &request->per_host);
	if (!lxfw_request_has_hosts(request))
		reader->bad = true;
}

static void get_request(struct reader *reader, struct lxfw_request *request)
{
	unsigned flags, sets;

	memset(request, 0, sizeof(*request));
	request->id = get_unsigned(reader);
	request->submit = get_signed(reader);
	request->estimate = get_count(reader, INT64_MAX);
	get_resources(reader, &request->unit);
	request->count = get_int32(reader);
	request->max_hosts = get_int32(reader);
	request->tier = get_tier(reader);
	flags = get_byte(reader);
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
		request->host_sets[i] = get_int32(reader);
	if (flags & LXFW_JOURNAL_FLAG_SHARED)
		get_share(reader, request);
	if (request->shape == LXFW_JOURNAL_SHAPE_PER_HOST)
		get_per_host(reader, request);
}

static void get_contract(struct reader *reader, struct lxfw_params *params)
{
	if (reader->bad || rest(reader) == 0)
		return;
	params->victim_suspensions = get_count(reader, INT64_MAX);
	params->victim_interval = get_count(reader, INT64_MAX);
	params->victim_share = get_count(reader, INT64_MAX);
	if (params->victim_suspensions == 0 && params->victim_interval == 0 &&
	    params->victim_share == 0)
		reader->bad = true;
}

static void get_params(struct reader *reader, struct lxfw_params *params)
{
	memset(params, 0, sizeof(*params));
	params->policy = get_byte(reader);
	params->ww = get_double(reader);
	params->wx = get_double(reader);
	params->wp = get_double(reader);
	params->wm = get_double(reader);
	params->wpe = get_double(reader);
	params->wbypass = get_double(reader);
	params->reservations = get_int32(reader);
	params->interval = get_count(reader, INT64_MAX);
	params->quantum_mode = get_byte(reader);
	params->quantum_end = get_byte(reader);
	params->quantum = get_count(reader, INT64_MAX);
	params->quantum_mem = get_count(reader, INT64_MAX);
	params->quantum_min_run = get_count(reader, INT64_MAX);
	params->eq_min_interval = get_count(reader, INT64_MAX);
	params->eq_full_after = get_count(reader, INT64_MAX);
	get_contract(reader, params);
}

/* How many there are of something of which there are LEAST to MOST. */
static int32_t get_between(struct reader *reader, int32_t least, int32_t most)
{
	int32_t count = (int32_t)get_count(reader, most);

	if (count >= least)
		return count;
	reader->bad = true;
	return 0;
}

static void get_classes(struct reader *reader, struct lxfw_job_classes *classes)
{
	memset(classes, 0, sizeof(*classes));
	classes->time_count = get_between(reader, 1, LXFW_TIME_CLASSES_MAX);
	classes->size_count = get_between(reader, 1, LXFW_SIZE_CLASSES_MAX);
	for (int32_t i = 0; i < classes->time_count; i++) {
		struct lxfw_time_class *class = &classes->times[i];

		get_name(reader, class->name, LXFW_CLASS_NAME_SIZE - 1);
		class->cpu_per_proc = get_count(reader, INT64_MAX);
		class->run_time = get_count(reader, INT64_MAX);
		class->reserve_wait = get_count(reader, INT64_MAX);
		class->running_most = get_int32(reader);
	}
	for (int32_t i = 0; i < classes->size_count; i++) {
		struct lxfw_size_class *class = &classes->sizes[i];

		get_name(reader, class->name, LXFW_CLASS_NAME_SIZE - 1);
		class->procs = get_int32(reader);
		class->memory_mb = get_count(reader, INT64_MAX);
	}
}

static void get_host_rules(struct reader *reader,
			   const struct lxfw_job_classes *classes,
			   struct lxfw_host_rules *rules)
{
	memset(rules, 0, sizeof(*rules));
	for (int32_t i = 0; i < classes->size_count; i++)
		rules->running_most[i] = get_int32(reader);
	rules->order_count = get_between(reader, 0, classes->size_count);
	for (int32_t i = 0; i < rules->order_count; i++)
		rules->order[i] = get_byte(reader);
	for (int32_t i = 0; i < classes->time_count; i++)
		rules->rank[i] = get_byte(reader) - 1;
}

static void get_job_classes(struct reader *reader, struct lxfw_record *record)
{
	struct lxfw_job_classes *classes = &record->job_classes;
	int32_t count;
	void *grown;

	get_classes(reader, classes);
	/* Rules are a byte or more for each class and the length of the order. */
	count = get_length(reader, (size_t)classes->time_count +
				   (size_t)classes->size_count + 1);
	grown = lxfw_grow(record->rules, &record->rules_size, (size_t)count,
			  sizeof(*record->rules));
	if (!grown) {
		reader->no_memory = true;
		return;
	}
	record->rules = grown;
	for (int32_t i = 0; i < count; i++)
		get_host_rules(reader, classes, &record->rules[i]);
	classes->rules_count = count;
	classes->rules = record->rules;
	count = get_length(reader, 1);
	grown = lxfw_grow(record->hosts, &record->hosts_size, (size_t)count,
			  sizeof(*record->hosts));
	if (!grown) {
		reader->no_memory = true;
		return;
	}
	record->hosts = grown;
	for (int32_t i = 0; i < count; i++)
		record->hosts[i] = get_int32(reader) - 1;
	classes->host_count = count;
	classes->rules_of = record->hosts;
	record->event.job_classes = classes;
}

static void get_past(struct reader *reader, struct lxfw_run_past *past)
{
	*past = (struct lxfw_run_past){ 0 };
	if (reader->bad || rest(reader) == 0)
		return;
	past->since = get_signed(reader);
	past->ran = get_count(reader, LXFW_TIME_MAX);
	past->submit = get_signed(reader);
	if (past->since == 0)
		reader->bad = true;
	if (reader->bad || rest(reader) == 0)
		return;
	past->suspensions = get_count(reader, LXFW_SUSPENSIONS_UNKNOWN);
	past->suspended = get_count(reader, LXFW_TIME_MAX);
	if (past->suspensions == 0 && past->suspended == 0)
		reader->bad = true;
}

static void get_event(struct reader *reader, struct lxfw_record *record)
{
	struct lxfw_event *event = &record->event;

	event->type = get_byte(reader);
	event->time = get_signed(reader);
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
		event->run.id = get_unsigned(reader);
		event->run.expected_end = get_signed(reader);
		event->run.count = get_shares(reader, record);
		event->run.shares = record->shares;
		get_past(reader, &event->run.past);
		break;
	case LXFW_EVENT_JOB_END:
		event->end.id = get_unsigned(reader);
		break;
	case LXFW_EVENT_JOB_REFUSED:
		event->refused.id = get_unsigned(reader);
		event->refused.until = get_signed(reader);
		break;
	case LXFW_EVENT_BLOCK:
		event->block.id = get_unsigned(reader);
		event->block.start = get_signed(reader);
		event->block.end = get_signed(reader);
		event->block.count = get_shares(reader, record);
		event->block.shares = record->shares;
		break;
	case LXFW_EVENT_PARAMS:
		get_params(reader, &record->params);
		event->params = &record->params;
		break;
	case LXFW_EVENT_JOB_CLASSES:
		get_job_classes(reader, record);
		break;
	default:
		reader->bad = true;
	}
	if (!reader->bad && !reader->no_memory &&
	    !lxfw_journal_event_valid(event))
		reader->bad = true;
}

static void get_action(struct reader *reader, struct lxfw_record *record)
{
	struct lxfw_action *action = &record->action;

	action->type = get_byte(reader);
	action->job = get_unsigned(reader);
	action->start = get_signed(reader);
	action->until = LXFW_NEVER;
	if (action->type == LXFW_ACTION_START) {
		int64_t length = get_count(reader, LXFW_TIME_MAX);

		if (length > 0 && (action->start < -LXFW_TIME_MAX ||
				   action->start > LXFW_TIME_MAX))
			reader->bad = true;
		else if (length > 0)
			action->until = action->start + length;
	}
	action->host_set = get_int32(reader);
	action->count = get_shares(reader, record);
	action->shares = record->shares;
	if (!reader->bad && !reader->no_memory &&
	    !lxfw_journal_action_valid(action))
		reader->bad = true;
}

static int get_payload(const unsigned char *payload, size_t length,
		       struct lxfw_record *record)
{
	struct reader reader = { payload, payload + length, false, false };

	memset(&record->event, 0, sizeof(record->event));
	memset(&record->action, 0, sizeof(record->action));
	record->kind = get_byte(&reader);
	switch (record->kind) {
	case LXFW_RECORD_EVENT:
		get_event(&reader, record);
		break;
	case LXFW_RECORD_DECIDE:
		record->now = get_signed(&reader);
		break;
	case LXFW_RECORD_ACTION:
		get_action(&reader, record);
		break;
	case LXFW_RECORD_DECIDED:
		record->wake = get_signed(&reader);
		break;
	default:
		reader.bad = true;
	}
	if (reader.no_memory) {
		errno = ENOMEM;
		return -1;
	}
	if (reader.bad || rest(&reader) > 0) {
		errno = EBADMSG;
		return -1;
	}
	return 1;
}

/*
 * A magic stands where a record could. No record looks like one: read as a
 * length, its first byte 'L' announces a payload of 76 bytes, whose kind would
 * be the second byte, 'X' = 88, and there is no such kind. So two bytes decide.
 */
static int get_magic(const unsigned char *bytes, size_t length)
{
	const size_t version = LXFW_JOURNAL_MAGIC_SIZE - 1;
	size_t known = length < version ? length : version;

	if (memcmp(bytes, LXFW_JOURNAL_MAGIC, known) != 0) {
		errno = EBADMSG;
		return -1;
	}
	if (length < LXFW_JOURNAL_MAGIC_SIZE)
		return 0;
	if (bytes[version] != (unsigned char)LXFW_JOURNAL_MAGIC[version]) {
		errno = EPROTONOSUPPORT;
		return -1;
	}
	return 1;
}

static bool is_magic(const unsigned char *bytes, size_t length)
{
	return bytes[0] == 'L' && length > 1 && bytes[1] == 'X';
}

/*
 * The length of the payload into *PAYLOAD and the bytes that it takes to say so
 * into *PREFIX. 1, 0 if the bytes end before, -1 if it cannot be one.
 */
static int get_prefix(const unsigned char *bytes, size_t length,
		      size_t *payload, size_t *prefix)
{
	*payload = 0;
	for (size_t i = 0; i < 4; i++) {
		if (i == length)
			return 0;
		*payload |= (size_t)(bytes[i] & 0x7f) << 7 * i;
		if (bytes[i] & 0x80)
			continue;
		*prefix = i + 1;
		if (bytes[i] == 0 || *payload > LXFW_JOURNAL_PAYLOAD_MOST)
			break;
		return 1;
	}
	errno = EBADMSG;
	return -1;
}

static uint32_t read_crc(const unsigned char *bytes)
{
	uint32_t crc = 0;

	for (int i = 0; i < LXFW_JOURNAL_CRC_SIZE; i++)
		crc |= (uint32_t)bytes[i] << 8 * i;
	return crc;
}

int lxfw_journal_get(const unsigned char *bytes, size_t length, size_t *offset,
		     struct lxfw_record *record)
{
	const unsigned char *at = bytes + *offset;
	size_t left = length - *offset, payload, prefix;
	int result;

	if (left == 0)
		return 0;
	if (is_magic(at, left)) {
		result = get_magic(at, left);
		if (result <= 0)
			return result;
		record->kind = LXFW_RECORD_MAGIC;
		*offset += LXFW_JOURNAL_MAGIC_SIZE;
		return 1;
	}
	result = get_prefix(at, left, &payload, &prefix);
	if (result <= 0)
		return result;
	if (left - prefix < payload + LXFW_JOURNAL_CRC_SIZE)
		return 0;
	at += prefix;
	if (lxfw_crc32(at, payload) != read_crc(at + payload)) {
		errno = EBADMSG;
		return -1;
	}
	if (get_payload(at, payload, record) < 0)
		return -1;
	*offset += prefix + payload + LXFW_JOURNAL_CRC_SIZE;
	return 1;
}

bool lxfw_journal_seek(const unsigned char *bytes, size_t length,
		       size_t *offset)
{
	for (size_t at = *offset; length - at >= LXFW_JOURNAL_MAGIC_SIZE; at++) {
		if (memcmp(bytes + at, LXFW_JOURNAL_MAGIC,
			   LXFW_JOURNAL_MAGIC_SIZE) == 0) {
			*offset = at;
			return true;
		}
	}
	return false;
}

void lxfw_record_clear(struct lxfw_record *record)
{
	int saved = errno;

	free(record->shares);
	free(record->hosts);
	free(record->rules);
	memset(record, 0, sizeof(*record));
	errno = saved;
}
