/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reader of the fields of a payload; internal to the journal. */
#ifndef LXFW_JOURNAL_READER_H
#define LXFW_JOURNAL_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/journal/journal.h"

/* An invalid field sets `bad`, and every field after it reads as 0. Callers check `bad`
   once, after the last field. */
struct lxfw_reader {
	const unsigned char *at, *end;
	bool bad;
	bool no_memory;
	bool unknown;		/* a policy or key that this release does not know */
};

/* Number of bytes that remain. */
size_t lxfw_rest(const struct lxfw_reader *reader);

unsigned char lxfw_get_byte(struct lxfw_reader *reader);
uint64_t lxfw_get_unsigned(struct lxfw_reader *reader);
int64_t lxfw_get_signed(struct lxfw_reader *reader);

/* A number from 0 to MOST, or from 0 to INT32_MAX. */
int64_t lxfw_get_count(struct lxfw_reader *reader, int64_t most);
int32_t lxfw_get_int32(struct lxfw_reader *reader);

/* The number of items that follow, each of LEAST bytes or more. It is never more than fit
   into the rest of the payload, which limits the memory allocated for them. */
int32_t lxfw_get_length(struct lxfw_reader *reader, size_t least);

double lxfw_get_double(struct lxfw_reader *reader);
void lxfw_get_resources(struct lxfw_reader *reader,
			struct lxfw_resources *amount);
void lxfw_get_host_total(struct lxfw_reader *reader, struct lxfw_resources *total,
			 uint32_t *sockets);

/* Read shares into the record's array. Returns their number. */
int32_t lxfw_get_shares(struct lxfw_reader *reader, struct lxfw_record *record);

/* Read a name of at most MOST bytes into NAME, which has room for MOST + 1. */
void lxfw_get_name(struct lxfw_reader *reader, char *name, int64_t most);

/* Read an event after the kind of its record, in the format of the record. */
void lxfw_get_event(struct lxfw_reader *reader, struct lxfw_record *record);

/* Read parameters of format 2. */
void lxfw_get_params_2(struct lxfw_reader *reader, struct lxfw_params *params);

#endif
