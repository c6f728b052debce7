/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The format of the journal, which records every event, every call of lxfw_sched_decide()
 * and every action. This module converts records to bytes and back. The adapter reads and
 * writes the files.
 *
 * A journal begins with LXFW_JOURNAL_MAGIC (8 bytes; the last one is the version).
 * Records follow, each:
 *   length of the payload  unsigned LEB128
 *   payload                kind byte, then the fields
 *   CRC-32 of the payload  4 bytes, little endian (the zlib polynomial)
 * Integers are LEB128, with zigzag encoding if they can be negative. Parameters are text,
 * see lxfw_params_text(), so that a new key needs no new format. A journal may be
 * truncated anywhere; a reader stops at the first incomplete record. A magic in the
 * middle of a journal begins a new segment, for which a new scheduler is created.
 *
 * Format 4 is written. Formats 2, which has a fixed list of parameters, and 3, which has no
 * events of jobs that are not scheduled, no names of extras and no reasons of refusals, are
 * still read. Segments of different formats may be in one file.
 */
#ifndef LXFW_JOURNAL_JOURNAL_H
#define LXFW_JOURNAL_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/action.h"
#include "common/model/event.h"

#define LXFW_JOURNAL_MAGIC "LXFWjnl\4"
#define LXFW_JOURNAL_FORMAT 4
#define LXFW_JOURNAL_FORMAT_OLDEST 2
#define LXFW_JOURNAL_MAGIC_SIZE 8

/* A growing buffer to which the encoders append; {0} is empty. The owner releases `bytes`
   with free(). */
struct lxfw_buffer {
	unsigned char *bytes;
	size_t length, size;
};

/*
 * Append records. lxfw_journal_put_decision() writes a record of the call with its time,
 * the actions, and an end-of-decision record with the wake-up time. The name of a host or
 * an extra is truncated to 255 bytes, and its control characters are replaced by '?'. Returns 0, or
 * -1 with the buffer's length unchanged and errno
 *   ENOMEM  memory is exhausted
 *   EINVAL  a field is out of the range that its header states, or a weight has
 *           more than 15 digits, so that the record could not be read back
 */
int lxfw_journal_put_event(struct lxfw_buffer *buffer,
			   const struct lxfw_event *event);
int lxfw_journal_put_decision(struct lxfw_buffer *buffer, int64_t now,
			      const struct lxfw_decision *decision);

/* The name of a job in its log. Ids in the journal of a simulation are positions in the
   trace, since ids break ties; users know the job by its number. */
struct lxfw_job_name {
	uint64_t job;		/* id */
	int64_t number;
	int64_t before;		/* number of earlier jobs with the same number: 0, 1,
				   ... */
};

/* Append the name of a job; written before the job's first event. Returns 0, or -1 as
   above. */
int lxfw_journal_put_name(struct lxfw_buffer *buffer,
			  const struct lxfw_job_name *name);

enum lxfw_record_kind {
	LXFW_RECORD_MAGIC = 1,	/* a segment begins: create a new scheduler */
	LXFW_RECORD_EVENT,
	LXFW_RECORD_DECIDE,	/* lxfw_sched_decide() was called at `now` */
	LXFW_RECORD_ACTION,	/* an action of that call */
	LXFW_RECORD_DECIDED,	/* the actions are complete; `wake` */
	LXFW_RECORD_NAME,	/* `job_name`; since format 3 */
};

/* A decoded record. Pointers in `event` and `action` are into the record, and valid until
   the next record is read into it. {0} is empty. Release its memory with
   lxfw_record_clear(). */
struct lxfw_record {
	enum lxfw_record_kind kind;
	int format;		/* of the segment, from the last magic read into this
				   record; 0: LXFW_JOURNAL_FORMAT */
	struct lxfw_event event;
	struct lxfw_action action;
	int64_t now, wake;
	struct lxfw_job_name job_name;
	/* memory of the record */
	struct lxfw_request request;
	struct lxfw_params params;
	struct lxfw_job_classes job_classes;
	struct lxfw_share *shares;
	struct lxfw_host_rules *rules;
	int32_t *hosts;
	size_t shares_size, rules_size, hosts_size;
	char name[256];		/* of a host or an extra */
	char *text;		/* of the last PARAMS event in format 3 */
	size_t text_size;
};

void lxfw_record_clear(struct lxfw_record *record);

/*
 * Decode the record at BYTES[*OFFSET] and move *OFFSET behind it. Returns 1; 0 at the
 * end, or if the rest is an incomplete record (then *OFFSET < LENGTH); or -1 with *OFFSET
 * unchanged and errno
 *   EBADMSG          a complete record is invalid: its checksum or a field is wrong
 *   EPROTONOSUPPORT  the version is not supported
 *   ENOTSUP          the parameters have a policy or a key that this release does
 *                    not know; `text` of the record has them
 *   ENOMEM           memory is exhausted
 * If the first record is not LXFW_RECORD_MAGIC, the input is not a journal.
 */
int lxfw_journal_get(const unsigned char *bytes, size_t length, size_t *offset,
		     struct lxfw_record *record);

/* Move *OFFSET to the next magic of a supported format, at *OFFSET or later, to continue
   with the next segment after an invalid record. Returns false with *OFFSET unchanged if
   there is none. */
bool lxfw_journal_seek(const unsigned char *bytes, size_t length,
		       size_t *offset);

#endif
