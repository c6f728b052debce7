/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a payload is made of, read field by field; internal to the journal. */
#ifndef LXFW_JOURNAL_READER_H
#define LXFW_JOURNAL_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/journal/journal.h"

/* The first field that is wrong makes it `bad` and everything after it 0, so that the
   callers ask once, at the end. */
struct lxfw_reader {
	const unsigned char *at, *end;
	bool bad;
	bool no_memory;
	bool unknown;		/* parameters that this release does not know */
};

/* Bytes that are left. */
size_t lxfw_rest(const struct lxfw_reader *reader);

unsigned char lxfw_get_byte(struct lxfw_reader *reader);
uint64_t lxfw_get_unsigned(struct lxfw_reader *reader);
int64_t lxfw_get_signed(struct lxfw_reader *reader);

/* A number from 0 to MOST; to INT32_MAX. */
int64_t lxfw_get_count(struct lxfw_reader *reader, int64_t most);
int32_t lxfw_get_int32(struct lxfw_reader *reader);

/* How many items of LEAST bytes or more follow: never more than the rest of the payload
   can hold, which bounds what is allocated for them. */
int32_t lxfw_get_length(struct lxfw_reader *reader, size_t least);

double lxfw_get_double(struct lxfw_reader *reader);
void lxfw_get_resources(struct lxfw_reader *reader,
			struct lxfw_resources *amount);

/* Shares into the record's storage; their number. */
int32_t lxfw_get_shares(struct lxfw_reader *reader, struct lxfw_record *record);

/* A name of MOST bytes or fewer. */
void lxfw_get_name(struct lxfw_reader *reader, char *name, int64_t most);

/* An event of the record's format, after its kind. */
void lxfw_get_event(struct lxfw_reader *reader, struct lxfw_record *record);

/* Parameters as format 2 has them. */
void lxfw_get_params_2(struct lxfw_reader *reader, struct lxfw_params *params);

#endif
