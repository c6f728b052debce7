/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes of a journal, for tests. */
#ifndef LXFW_TESTS_JOURNAL_BYTES_H
#define LXFW_TESTS_JOURNAL_BYTES_H

#include <string.h>

#include "common/journal/journal.h"
#include "tests/unit/unit.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static inline void put_magic(struct lxfw_buffer *buffer)
{
	buffer->bytes = realloc(buffer->bytes,
				buffer->length + LXFW_JOURNAL_MAGIC_SIZE);
	assert_non_null(buffer->bytes);
	memcpy(buffer->bytes + buffer->length, LXFW_JOURNAL_MAGIC,
	       LXFW_JOURNAL_MAGIC_SIZE);
	buffer->length += LXFW_JOURNAL_MAGIC_SIZE;
	buffer->size = buffer->length;
}

static inline void assert_kind(const struct lxfw_buffer *buffer, size_t *offset,
			struct lxfw_record *record, enum lxfw_record_kind kind)
{
	assert_int_equal(lxfw_journal_get(buffer->bytes, buffer->length, offset,
					  record), 1);
	assert_int_equal(record->kind, kind);
}

#endif
