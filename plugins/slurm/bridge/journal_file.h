/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal's file: opened for appending, watched for rotation, never in the
 * controller's way. All functions are called without the controller's locks.
 *
 * A full disk stops the journal, not the scheduler: what was not written whole
 * is cut off again, and a fresh segment is begun when there is room.
 */
#ifndef LXFW_BRIDGE_JOURNAL_FILE_H
#define LXFW_BRIDGE_JOURNAL_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/journal/journal.h"

struct lxfw_journal_file {
	char *path;		/* NULL: no journal */
	int descriptor;		/* -1: not open */
	dev_t device;
	ino_t inode;
	off_t length;		/* of whole records */
	struct lxfw_buffer buffer;	/* not yet written */
	bool recording;		/* a segment has been begun */
	bool complained;
	int64_t retry;		/* not before this second */
};

void lxfw_journal_file_init(struct lxfw_journal_file *file);
void lxfw_journal_file_close(struct lxfw_journal_file *file);

/* Use PATH (LENGTH bytes of it; NULL for none) from now on. */
void lxfw_journal_file_set(struct lxfw_journal_file *file, const char *path,
			   int length);

/*
 * Look after the file at NOW: open it, notice its rotation. True if a fresh
 * segment is to be begun with complete state: call lxfw_journal_file_begin().
 */
bool lxfw_journal_file_wants_segment(struct lxfw_journal_file *file,
				     int64_t now);
void lxfw_journal_file_begin(struct lxfw_journal_file *file);

/* Record, if a segment has been begun. */
void lxfw_journal_file_event(struct lxfw_journal_file *file,
			     const struct lxfw_event *event);
void lxfw_journal_file_decision(struct lxfw_journal_file *file, int64_t now,
				const struct lxfw_decision *decision);

/* Write out what has been recorded. */
void lxfw_journal_file_flush(struct lxfw_journal_file *file, int64_t now);

#endif
