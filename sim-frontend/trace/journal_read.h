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
};

/*
 * Give each record of the journal at PATH to TAKE, the first one a magic. A journal
 * that is cut off, as a crash leaves it, is read up to there. 0, or -1 with ERROR set:
 * the file cannot be read, is no journal, is damaged or of another version, or TAKE
 * failed.
 */
int lxfw_journal_read(const char *path, lxfw_journal_take *take, void *context,
		      struct lxfw_journal_reach *reach,
		      struct lxfw_error *error);

#endif
