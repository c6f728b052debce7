/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Integers and records of the Standard Workload Format in few bytes, for sorted_runs.h. */
#ifndef LXFW_TRACE_RECORD_BYTES_H
#define LXFW_TRACE_RECORD_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/trace/swf.h"

/* The most bytes of an integer and of a record. */
#define LXFW_INTEGER_BYTES 10
#define LXFW_RECORD_BYTES (18 * LXFW_INTEGER_BYTES)

/* Writes VALUE, a small one in one byte. Returns the place after it. */
unsigned char *lxfw_bytes_put_integer(unsigned char *to, int64_t value);

/* Reads VALUE as it was written. Returns the place after it. */
const unsigned char *lxfw_bytes_take_integer(const unsigned char *from, int64_t *value);

/* The same for a record, whose processor time loses its fraction. */
unsigned char *lxfw_bytes_put_record(unsigned char *to, const struct lxfw_swf_record *record);
const unsigned char *lxfw_bytes_take_record(const unsigned char *from,
					    struct lxfw_swf_record *record);

/* Writes VALUE in 8 bytes that are ordered as the values are. */
unsigned char *lxfw_bytes_put_ordered(unsigned char *to, int64_t value);

/* Returns a key in the order of the values. */
uint64_t lxfw_bytes_key(int64_t value);
int64_t lxfw_bytes_of_key(uint64_t key);

#endif
