/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal's format: every event, every call of decide, and every action,
 * as a sequence of records. This module turns them into bytes and back; files
 * are the adapter's business.
 *
 * A journal begins with LXFW_JOURNAL_MAGIC (8 bytes; the last one is the
 * version). Records follow, each:
 *   length of the payload  unsigned LEB128
 *   payload                kind byte, then the fields
 *   CRC-32 of the payload  4 bytes, little endian (the zlib polynomial)
 * Integers are LEB128, zigzag where they can be negative; parameters are text, see
 * lxfw_params_text(), so that a new key needs no new format. A reader stops at the
 * first record that is not whole: a journal may be cut off anywhere. A magic in the
 * middle of a journal (an appended segment) starts over with empty books.
 *
 * Format 3 is written. Format 2, which had a fixed list of parameters, is still read;
 * segments of both may follow each other in one file.
 */
#ifndef LXFW_JOURNAL_JOURNAL_H
#define LXFW_JOURNAL_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/action.h"
#include "common/model/event.h"

#define LXFW_JOURNAL_MAGIC "LXFWjnl\3"
#define LXFW_JOURNAL_FORMAT 3
#define LXFW_JOURNAL_FORMAT_OLDEST 2
#define LXFW_JOURNAL_MAGIC_SIZE 8

/* A growing buffer that the encoders append to; {0} is an empty one. The owner
   frees `bytes` with free(). */
struct lxfw_buffer {
	unsigned char *bytes;
	size_t length, size;
};

/*
 * Append records. 0, or -1 with the buffer's length as it was and errno ENOMEM,
 * or EINVAL where a field is out of the range that its header states (such a
 * record could not be read back, nor could a weight of more than 15 digits). A decide record tells of the call (its time)
 * and is followed by its actions and an end-of-decision record (wake-up time).
 * A host's name is cut off at 255 bytes, its control characters become '?'.
 */
int lxfw_journal_put_event(struct lxfw_buffer *buffer,
			   const struct lxfw_event *event);
int lxfw_journal_put_decision(struct lxfw_buffer *buffer, int64_t now,
			      const struct lxfw_decision *decision);

/* What a log calls a job. Ids of a simulation's journal are positions in the trace, for
   they decide ties; people know the job by its number. */
struct lxfw_job_name {
	uint64_t job;		/* id */
	int64_t number;
	int64_t before;		/* jobs of the same number before it: 0, 1, ... */
};

/* Before the job's first event. 0, or -1 as above. */
int lxfw_journal_put_name(struct lxfw_buffer *buffer,
			  const struct lxfw_job_name *name);

enum lxfw_record_kind {
	LXFW_RECORD_MAGIC = 1,	/* a segment begins: start with empty books */
	LXFW_RECORD_EVENT,
	LXFW_RECORD_DECIDE,	/* decide was called at `now` */
	LXFW_RECORD_ACTION,	/* one of its actions */
	LXFW_RECORD_DECIDED,	/* end of the actions; `wake` */
	LXFW_RECORD_NAME,	/* `job_name`; from format 3 on */
};

/* One decoded record. What `event` and `action` point at is inside the record
   and valid until the next one is read into it. {0} is an empty one; free with
   lxfw_record_clear(). */
struct lxfw_record {
	enum lxfw_record_kind kind;
	int format;		/* of the segment, from the last magic that was read
				   into this record; 0: LXFW_JOURNAL_FORMAT */
	struct lxfw_event event;
	struct lxfw_action action;
	int64_t now, wake;
	struct lxfw_job_name job_name;
	/* storage */
	struct lxfw_request request;
	struct lxfw_params params;
	struct lxfw_job_classes job_classes;
	struct lxfw_share *shares;
	struct lxfw_host_rules *rules;
	int32_t *hosts;
	size_t shares_size, rules_size, hosts_size;
	char name[256];
	char *text;		/* of the last PARAMS event of format 3 */
	size_t text_size;
};

void lxfw_record_clear(struct lxfw_record *record);

/*
 * Decode the record at BYTES[*OFFSET] and move *OFFSET behind it. Returns 1,
 * 0 at the end or where the rest is not a whole record (*OFFSET < LENGTH
 * then), -1 with errno EBADMSG for a whole record that is not valid (its
 * check sum or a field is wrong), EPROTONOSUPPORT for another version, ENOTSUP
 * for parameters of a policy or with a key that this release does not know (the
 * record's `text` has them), ENOMEM; *OFFSET stays at the record then. What is not a journal at all gives no
 * LXFW_RECORD_MAGIC as its first record.
 */
int lxfw_journal_get(const unsigned char *bytes, size_t length, size_t *offset,
		     struct lxfw_record *record);

/* Move *OFFSET to the next magic of a format that is read, at or behind it, to go on after damage with the
   next segment. False, *OFFSET as it was, where there is none. */
bool lxfw_journal_seek(const unsigned char *bytes, size_t length,
		       size_t *offset);

#endif
