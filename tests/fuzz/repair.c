/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/fuzz/repair.h"

#include <stdlib.h>
#include <string.h>

#include "common/journal/wire.h"

/* A length has at most two bytes, so that a record remains small. */
static size_t take_length(const unsigned char *bytes, size_t left, size_t *length)
{
	*length = bytes[0] & 0x7f;
	if (!(bytes[0] & 0x80) || left == 1)
		return 1;
	*length |= (size_t)(bytes[1] & 0x7f) << 7;
	return 2;
}

static void append_record(struct lxfw_buffer *buffer, const unsigned char *bytes,
			  size_t length)
{
	uint32_t crc = lxfw_crc32(bytes, length);
	unsigned char *at = buffer->bytes + buffer->length;

	if (length >= 0x80) {
		*at++ = (unsigned char)(length | 0x80);
		*at++ = (unsigned char)(length >> 7);
	} else {
		*at++ = (unsigned char)length;
	}
	memcpy(at, bytes, length);
	at += length;
	for (int i = 0; i < LXFW_JOURNAL_CRC_SIZE; i++)
		*at++ = (unsigned char)(crc >> 8 * i);
	buffer->length = (size_t)(at - buffer->bytes);
}

/* True for the magic of any supported format. */
static bool is_magic(const unsigned char *bytes, size_t left)
{
	const size_t version = LXFW_JOURNAL_MAGIC_SIZE - 1;

	return left > version &&
	       memcmp(bytes, LXFW_JOURNAL_MAGIC, version) == 0 &&
	       bytes[version] >= LXFW_JOURNAL_FORMAT_OLDEST &&
	       bytes[version] <= LXFW_JOURNAL_FORMAT;
}

int fuzz_repair(struct lxfw_buffer *buffer, const unsigned char *bytes,
		size_t length)
{
	/* The largest growth is that of a record with one byte of payload: from 2 to 6
	 * bytes. */
	size_t size = buffer->length + 4 * length + 16, at = 0;
	unsigned char *grown = realloc(buffer->bytes, size);

	if (!grown)
		return -1;
	buffer->bytes = grown;
	buffer->size = size;
	while (at < length) {
		size_t left = length - at, payload, prefix;

		if (is_magic(bytes + at, left)) {
			memcpy(buffer->bytes + buffer->length, bytes + at,
			       LXFW_JOURNAL_MAGIC_SIZE);
			buffer->length += LXFW_JOURNAL_MAGIC_SIZE;
			at += LXFW_JOURNAL_MAGIC_SIZE;
			continue;
		}
		prefix = take_length(bytes + at, left, &payload);
		at += prefix;
		left -= prefix;
		if (payload > left)
			payload = left;
		if (payload > 0)
			append_record(buffer, bytes + at, payload);
		left -= payload;
		at += payload + (left < LXFW_JOURNAL_CRC_SIZE ? left :
				 LXFW_JOURNAL_CRC_SIZE);
	}
	return 0;
}
