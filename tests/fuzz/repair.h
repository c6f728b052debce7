/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Journals with corrected checksums. */
#ifndef LXFW_TESTS_FUZZ_REPAIR_H
#define LXFW_TESTS_FUZZ_REPAIR_H

#include "common/journal/journal.h"

/*
 * Append to *BUFFER the journal BYTES with the correct checksum of each record, which a
 * fuzzer cannot guess. A truncated last record is completed. Return 0, or -1 if there
 * is no memory.
 */
int fuzz_repair(struct lxfw_buffer *buffer, const unsigned char *bytes,
		size_t length);

#endif
