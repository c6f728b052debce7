/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/journal/wire.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/journal/reader.h"

static void get_action(struct lxfw_reader *reader, struct lxfw_record *record)
{
	struct lxfw_action *action = &record->action;

	action->type = lxfw_get_byte(reader);
	action->job = lxfw_get_unsigned(reader);
	action->start = lxfw_get_signed(reader);
	action->until = LXFW_NEVER;
	if (action->type == LXFW_ACTION_START) {
		int64_t length = lxfw_get_count(reader, LXFW_TIME_MAX);

		if (length > 0 && (action->start < -LXFW_TIME_MAX ||
				   action->start > LXFW_TIME_MAX))
			reader->bad = true;
		else if (length > 0)
			action->until = action->start + length;
	}
	action->host_set = lxfw_get_int32(reader);
	action->count = lxfw_get_shares(reader, record);
	action->shares = record->shares;
	if (!reader->bad && !reader->no_memory && lxfw_rest(reader) > 0) {
		action->limit = lxfw_get_count(reader, INT64_MAX);
		reader->bad |= action->limit == 0;
	}
	if (!reader->bad && !reader->no_memory &&
	    !lxfw_journal_action_valid(action))
		reader->bad = true;
}

static int get_payload(const unsigned char *payload, size_t length,
		       struct lxfw_record *record)
{
	struct lxfw_reader reader = { .at = payload, .end = payload + length };

	memset(&record->event, 0, sizeof(record->event));
	memset(&record->action, 0, sizeof(record->action));
	record->kind = lxfw_get_byte(&reader);
	switch (record->kind) {
	case LXFW_RECORD_EVENT:
		lxfw_get_event(&reader, record);
		break;
	case LXFW_RECORD_DECIDE:
		record->now = lxfw_get_signed(&reader);
		break;
	case LXFW_RECORD_ACTION:
		get_action(&reader, record);
		break;
	case LXFW_RECORD_DECIDED:
		record->wake = lxfw_get_signed(&reader);
		break;
	case LXFW_RECORD_NAME:
		record->job_name.job = lxfw_get_unsigned(&reader);
		record->job_name.number = lxfw_get_signed(&reader);
		record->job_name.before = lxfw_get_count(&reader, INT64_MAX);
		reader.bad |= record->job_name.job == 0 || record->format == 2;
		break;
	default:
		reader.bad = true;
	}
	if (reader.no_memory) {
		errno = ENOMEM;
		return -1;
	}
	if (reader.bad || lxfw_rest(&reader) > 0) {
		errno = reader.unknown && lxfw_rest(&reader) == 0 ? ENOTSUP :
								    EBADMSG;
		return -1;
	}
	return 1;
}

/*
 * A magic may be at the place of a record. Two bytes distinguish them: as a record, 'L'
 * would be a length of 76 bytes and 'X' (88) the kind, and no kind has this number.
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
	if (bytes[version] < LXFW_JOURNAL_FORMAT_OLDEST ||
	    bytes[version] > LXFW_JOURNAL_FORMAT) {
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
 * Read the length of the payload into *PAYLOAD, and the number of bytes that encode it
 * into *PREFIX. Returns 1, 0 if the input ends before, or -1 if it is not a valid length.
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
		record->format = at[LXFW_JOURNAL_MAGIC_SIZE - 1];
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
		if (bytes[at] == 'L' &&
		    get_magic(bytes + at, LXFW_JOURNAL_MAGIC_SIZE) > 0) {
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
	free(record->text);
	memset(record, 0, sizeof(*record));
	errno = saved;
}
