/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A journal from a file, plain or gzip, record by record. */
#ifndef LXFW_TRACE_JOURNAL_READ_H
#define LXFW_TRACE_JOURNAL_READ_H

#include <stddef.h>

#include "common/journal/journal.h"
#include "common/util/error.h"

/* 0, or -1 with errno ENOMEM, or EBADMSG for a record that makes no sense here. The
   record is the reader's, and another one after the call. */
typedef int lxfw_journal_take(void *context, const struct lxfw_record *record);

struct lxfw_journal_reach {
	size_t taken, length;	/* bytes; fewer taken: the journal is cut off */
	size_t passed_over;	/* bytes of records cut off before a segment */
};

/*
 * Give each record of the journal at PATH to TAKE, the first one a magic. A segment
 * that is cut off, as a crash leaves it, is read up to there, and then the segment that
 * was appended after it. 0, or -1 with ERROR set: the file cannot be read, is no
 * journal, is damaged or of another version, or TAKE failed.
 */
int lxfw_journal_read(const char *path, lxfw_journal_take *take, void *context,
		      struct lxfw_journal_reach *reach,
		      struct lxfw_error *error);

/* When what is told in the journal at PATH begins: 1 with *TIME, which is INT64_MIN
   where that cannot be told; 0 for an empty file; -1 with ERROR set where it is no
   journal, of another version, or cannot be read. */
int lxfw_journal_first(const char *path, int64_t *time,
		       struct lxfw_error *error);

#endif
