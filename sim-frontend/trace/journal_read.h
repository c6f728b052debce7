/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a journal, plain or gzip, record by record. */
#ifndef LXFW_TRACE_JOURNAL_READ_H
#define LXFW_TRACE_JOURNAL_READ_H

#include <stddef.h>

#include "common/journal/journal.h"
#include "common/util/error.h"

/* Called for each record, which is valid during the call. Returns 0, or -1 with errno
   ENOMEM, or EBADMSG if the record is invalid at this point. */
typedef int lxfw_journal_take(void *context, const struct lxfw_record *record);

struct lxfw_journal_reach {
	size_t taken, length;	/* bytes; taken < length: the journal is truncated */
	size_t passed_over;	/* bytes of truncated records before a segment */
};

/*
 * Passes each record of the journal at PATH to TAKE. The first record is the magic. A
 * segment that a crash truncated is read up to that point, and reading continues with the
 * next segment. Returns 0, or -1 with ERROR set if the file cannot be read, is not a
 * journal, is damaged or of another version, or TAKE failed.
 */
int lxfw_journal_read(const char *path, lxfw_journal_take *take, void *context,
		      struct lxfw_journal_reach *reach,
		      struct lxfw_error *error);

/* Determines when the journal at PATH begins. Returns 1 with *TIME set (INT64_MIN if
   unknown), 0 for an empty file, or -1 with ERROR set if the file is not a journal, is
   of another version or cannot be read. */
int lxfw_journal_first(const char *path, int64_t *time,
		       struct lxfw_error *error);

#endif
