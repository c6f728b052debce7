/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/journal_read.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/trace/bytes.h"
#include "sim-frontend/util/text.h"

#define FIRST_BYTES ((size_t)1 << 20)

static int no_journal(const char *path, struct lxfw_error *error)
{
	return lxfw_error_at(error, path, 0, "not a journal, expected it to "
			     "begin with '%.7s'", LXFW_JOURNAL_MAGIC);
}

static int explain(const char *path, size_t offset,
		   const struct lxfw_record *record, struct lxfw_error *error)
{
	char quoted[120];

	switch (errno) {
	case EBADMSG:
		return lxfw_error_at(error, path, 0, "byte %zu: invalid "
				     "record, expected a complete journal", offset);
	case EPROTONOSUPPORT:
		return lxfw_error_at(error, path, 0, "byte %zu: a journal of "
				     "an unsupported version", offset);
	case ENOTSUP:
		return lxfw_error_at(error, path, 0, "byte %zu: %s: a policy or "
				     "a key that this release does not know",
				     offset,
				     lxfw_text_quote(quoted, sizeof(quoted),
						     record->text,
						     strlen(record->text)));
	default:
		return lxfw_error_system(error, path);
	}
}

static int give(lxfw_journal_take *take, void *context,
		const struct lxfw_record *record)
{
	errno = 0;
	if (take(context, record) == 0)
		return 0;
	if (errno != EBADMSG)
		errno = ENOMEM;
	return -1;
}

static bool is_zero(const unsigned char *bytes, size_t length)
{
	while (length > 0 && bytes[length - 1] == 0)
		length--;
	return length == 0;
}

/*
 * Called if no complete record begins at REACH->taken; GOT is the result of
 * lxfw_journal_get(). If a writer stopped there and another one appended a segment,
 * continues with that segment. In between is an incomplete record, or zeros after a crash
 * of the machine. Returns the result of lxfw_journal_get() there, 0 at the end of the
 * file, or -1 in any other case.
 */
static int go_on(const struct lxfw_bytes *file, int got,
		 struct lxfw_record *record, struct lxfw_journal_reach *reach)
{
	size_t next = reach->taken, at = reach->taken;
	int saved = errno;

	if (!lxfw_journal_seek(file->bytes, file->length, &next))
		next = file->length;
	if (!is_zero(file->bytes + at, next - at) &&
	    lxfw_journal_get(file->bytes, next, &at, record) != 0) {
		errno = saved;
		return got;
	}
	if (next == file->length)
		return 0;
	reach->passed_over += next - reach->taken;
	reach->taken = next;
	return lxfw_journal_get(file->bytes, file->length, &reach->taken,
				record);
}

int lxfw_journal_read(const char *path, lxfw_journal_take *take, void *context,
		      struct lxfw_journal_reach *reach, struct lxfw_error *error)
{
	struct lxfw_record record = { 0 };
	struct lxfw_bytes file;
	bool begun = false;
	size_t before;
	int got = 0;

	*reach = (struct lxfw_journal_reach) { 0 };
	/* The version after the magic is looked at below. */
	if (lxfw_bytes_read_magic(&file, path, LXFW_JOURNAL_MAGIC,
				  LXFW_JOURNAL_MAGIC_SIZE - 1, error))
		return -1;
	reach->length = file.length;
	do {
		before = reach->taken;
		got = lxfw_journal_get(file.bytes, file.length, &reach->taken,
				       &record);
		if (got <= 0 && begun && reach->taken < reach->length)
			got = go_on(&file, got, &record, reach);
		if (got > 0)
			begun |= record.kind == LXFW_RECORD_MAGIC;
		if (got > 0 && begun && give(take, context, &record))
			got = -1;
	} while (got > 0 && begun);
	if (!begun && (got >= 0 || errno == EBADMSG))
		got = no_journal(path, error);
	else if (got < 0)
		explain(path, before, &record, error);
	lxfw_record_clear(&record);
	free(file.bytes);
	return got;
}

/* Reads the time of the record after the magic. No other record has an earlier time. */
static int first_time(const struct lxfw_bytes *file, const char *path,
		      struct lxfw_record *record, int64_t *time,
		      struct lxfw_error *error)
{
	size_t offset = 0;
	int got = lxfw_journal_get(file->bytes, file->length, &offset, record);

	if (got < 0 && errno != EBADMSG)
		return explain(path, 0, record, error);
	if (got <= 0 || record->kind != LXFW_RECORD_MAGIC)
		return no_journal(path, error);
	do
		got = lxfw_journal_get(file->bytes, file->length, &offset, record);
	while (got > 0 && record->kind == LXFW_RECORD_NAME);
	if (got > 0 && record->kind == LXFW_RECORD_EVENT)
		*time = record->event.time;
	return 1;
}

int lxfw_journal_first(const char *path, int64_t *time,
		       struct lxfw_error *error)
{
	struct lxfw_record record = { 0 };
	struct lxfw_bytes file;
	int got;

	*time = INT64_MIN;
	if (lxfw_bytes_read_first(&file, path, FIRST_BYTES, error))
		return -1;
	got = file.length == 0 ? 0 :
	      first_time(&file, path, &record, time, error);
	lxfw_record_clear(&record);
	free(file.bytes);
	return got;
}
