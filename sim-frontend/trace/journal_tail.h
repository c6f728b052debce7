/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Follows a journal while it is written: each call gives the records that are new. It begins
 * with the last segment of the file, which has the complete state. When the file was renamed
 * and another one has its name, the rest of the old one is given, and then the new one.
 */
#ifndef LXFW_TRACE_JOURNAL_TAIL_H
#define LXFW_TRACE_JOURNAL_TAIL_H

#include "sim-frontend/trace/journal_read.h"

struct lxfw_journal_tail;

/* The file need not exist yet. Returns NULL with errno ENOMEM. */
struct lxfw_journal_tail *lxfw_journal_tail_open(const char *path);

void lxfw_journal_tail_close(struct lxfw_journal_tail *tail);

/*
 * Gives the new records to TAKE; a record that is not complete yet is given later. Returns
 * 1 if there were some, 0 if not, or -1 with errno and ERROR set: the file cannot be read or
 * has an invalid record (the next call then begins with its last segment again), TAKE
 * failed, or ENOMEM.
 */
int lxfw_journal_tail_read(struct lxfw_journal_tail *tail, lxfw_journal_take *take,
			   void *context, struct lxfw_error *error);

#endif
