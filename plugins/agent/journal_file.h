/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal file: appending, rotation by size, detection of rotation by other
 * programs. All functions must be called without the controller's locks; they never
 * delay the controller.
 *
 * The time to open a file does not depend on its size. Only its first bytes are read. A
 * new segment is appended to the existing contents, even if these end with an
 * incomplete record: readers continue with the next segment. The file must be a regular
 * file, not a symbolic link, must be empty or begin with the journal's magic number,
 * and must be owned by the process's user or root. It is written only while this
 * process holds the lock on it.
 *
 * A full disk stops the journal but not the scheduler. Incomplete records are
 * truncated. A new segment is begun when there is space.
 */
#ifndef LXFW_AGENT_JOURNAL_FILE_H
#define LXFW_AGENT_JOURNAL_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/journal/journal.h"

struct lxfw_journal_file {
	char *path;		/* NULL: no journal is written */
	int descriptor;		/* -1: not open */
	dev_t device;
	ino_t inode;
	off_t length;		/* current length */
	off_t opened;		/* length when it was opened */
	off_t state;		/* bytes of the complete state at the segment's
				   start; 0: unknown */
	off_t limit;		/* size at which the file is rotated; 0: never */
	int64_t keep;		/* number of old segments to keep */
	gid_t group;		/* that may read it; 0: none */
	bool complained_of_group;
	struct lxfw_buffer buffer;	/* records not written yet */
	bool recording;		/* a segment has been begun */
	bool complained;
	bool complained_of_rotation;
	bool locked_out;	/* another process held the lock at the last attempt */
	int64_t retry;		/* earliest time of the next attempt to open */
	int64_t wait;		/* seconds until the next attempt after a failed
				   write */
	int64_t rotate_retry;	/* earliest time of the next rotation */
};

void lxfw_journal_file_init(struct lxfw_journal_file *file);
void lxfw_journal_file_close(struct lxfw_journal_file *file);

/* Sets the path to the first LENGTH bytes of PATH. NULL: no journal is written. */
void lxfw_journal_file_set(struct lxfw_journal_file *file, const char *path,
			   int length);

/* Sets the size in MiB at which the file is rotated, 0 for never, and the number of old
   segments to keep. */
void lxfw_journal_file_limit(struct lxfw_journal_file *file, int64_t size_mb,
			     int64_t keep);

/* Sets the number of the group that may read the file, 0 for none. The file of the group 0 is
   created for its owner alone, and a file that exists keeps its mode. */
void lxfw_journal_file_share(struct lxfw_journal_file *file, gid_t group);

/*
 * Opens or rotates the file as necessary and detects rotation by other programs. Reads
 * only a few bytes and never blocks. Returns true if a new segment must be written with
 * the complete state: call lxfw_journal_file_begin().
 */
bool lxfw_journal_file_wants_segment(struct lxfw_journal_file *file,
				     int64_t now);
void lxfw_journal_file_begin(struct lxfw_journal_file *file);

/* Record an event or a decision. Does nothing unless a segment has been begun. */
void lxfw_journal_file_event(struct lxfw_journal_file *file,
			     const struct lxfw_event *event);
void lxfw_journal_file_decision(struct lxfw_journal_file *file, int64_t now,
				const struct lxfw_decision *decision);

/* Writes the recorded data to the file. */
void lxfw_journal_file_flush(struct lxfw_journal_file *file, int64_t now);

#endif
