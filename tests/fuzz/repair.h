/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Journals that get past the check sums. */
#ifndef LXFW_TESTS_FUZZ_REPAIR_H
#define LXFW_TESTS_FUZZ_REPAIR_H

#include "common/journal/journal.h"

/*
 * Append to *BUFFER what BYTES would be as a journal whose records all have the
 * sum that belongs to them: a fuzzer cannot guess sums. A last record that is
 * cut off is made whole. 0, or -1 when memory runs out.
 */
int fuzz_repair(struct lxfw_buffer *buffer, const unsigned char *bytes,
		size_t length);

#endif
