/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Odd records: those of a log that its reader cannot convert. All readers treat them alike.
 * An odd record is counted and left out. A log is refused if nothing is left of it, or if it
 * is long and too many of its records are odd: it is then probably another format than it
 * seems.
 */
#ifndef LXFW_TRACE_ODD_H
#define LXFW_TRACE_ODD_H

#include <stddef.h>

#include "common/util/error.h"
#include "sim-frontend/trace/input.h"

/* Of a log of LXFW_ODD_LONG records or more, at most one in LXFW_ODD_SHARE may be odd. */
#define LXFW_ODD_LONG 100
#define LXFW_ODD_SHARE 10
/* Number of odd records that are kept as examples. */
#define LXFW_ODD_EXAMPLES 3
/* Number of odd lines that may precede the first line that shows the format of a log. */
#define LXFW_ODD_BEFORE 20

/* The result of a reader for an odd record, beside 1, 0 and -1. */
#define LXFW_ODD_RECORD 2

struct lxfw_odd {
	size_t count;
	long line;		/* line number of the first */
	struct lxfw_error examples[LXFW_ODD_EXAMPLES];	/* "log:7: what is wrong" */
};

/* Counts the record that begins on LINE of INPUT; 0 is the current line. FORMAT states what is
   wrong and what was expected. Returns LXFW_ODD_RECORD. */
int lxfw_odd_add(struct lxfw_odd *odd, const struct lxfw_input *input, long line,
		 const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Adds the counts of FROM. */
void lxfw_odd_merge(struct lxfw_odd *odd, const struct lxfw_odd *from);

/* Call at the end of a log of RECORDS records including the odd ones, LEFT of which are of
   jobs. Returns 0, or -1 with errno EINVAL and ERROR set if the log is to be refused. */
int lxfw_odd_judge(const struct lxfw_odd *odd, size_t records, size_t left,
		   struct lxfw_error *error);

#endif
