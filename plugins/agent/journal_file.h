/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal's file: opened for appending, rotated by its size, watched for
 * rotation by others, never in the controller's way. All functions are called
 * without the controller's locks.
 *
 * A file is opened in a time that does not depend on its size: of what is in it
 * only the first bytes are read, and a new segment is appended to whatever the last
 * controller left, be it half a record. Readers go on with the next segment there.
 * Only a regular file that begins as a journal does is written to, no symbolic link
 * and nobody else's, and only while this process holds the lock on it.
 *
 * A full disk stops the journal, not the scheduler: what was not written whole
 * is cut off again, and a fresh segment is begun when there is room.
 */
#ifndef LXFW_AGENT_JOURNAL_FILE_H
#define LXFW_AGENT_JOURNAL_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/journal/journal.h"

struct lxfw_journal_file {
	char *path;		/* NULL: no journal */
	int descriptor;		/* -1: not open */
	dev_t device;
	ino_t inode;
	off_t length;		/* so far */
	off_t opened;		/* its length when it was opened */
	off_t state;		/* bytes that tell the complete state; 0: not known */
	off_t limit;		/* a longer file is rotated; 0: none is */
	int64_t keep;		/* old segments, after a rotation */
	struct lxfw_buffer buffer;	/* not yet written */
	bool recording;		/* a segment has been begun */
	bool complained;
	bool complained_of_rotation;
	bool locked_out;	/* by another writer, when it was last opened */
	int64_t retry;		/* not before this second */
	int64_t wait;		/* seconds to the next try after a write failed */
	int64_t rotate_retry;	/* no rotation before this second */
};

void lxfw_journal_file_init(struct lxfw_journal_file *file);
void lxfw_journal_file_close(struct lxfw_journal_file *file);

/* Use PATH (LENGTH bytes of it; NULL for none) from now on. */
void lxfw_journal_file_set(struct lxfw_journal_file *file, const char *path,
			   int length);

/* Rotate a file of more than SIZE_MB, 0 for never, and keep KEEP old ones. */
void lxfw_journal_file_limit(struct lxfw_journal_file *file, int64_t size_mb,
			     int64_t keep);

/*
 * Look after the file at NOW: open it, rotate it, notice others' rotation. Reads
 * some bytes at most and waits for nothing. True if a fresh segment is
 * to be begun with complete state: call lxfw_journal_file_begin().
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
