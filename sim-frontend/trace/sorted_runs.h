/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorts any number of items in bounded memory. Items are collected in memory. When it is full,
 * they are sorted and written to a temporary file as a run; the runs are merged when the items
 * are read. Without a full memory there is no file.
 *
 * The file is in the folder of the environment variable TMPDIR, otherwise in /var/tmp: /tmp is in
 * memory on many systems. Only its owner may read it, and it is unlinked as soon as it is open:
 * however the process ends, nothing is left.
 */
#ifndef LXFW_TRACE_SORTED_RUNS_H
#define LXFW_TRACE_SORTED_RUNS_H

#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"

/* The order is that of the keys, then of the texts as bytes, of which a beginning of another is
   before it, then that in which the items were added. */
struct lxfw_sorted_item {
	uint64_t key;
	const unsigned char *text, *data;
	uint32_t text_length, data_length;
};

struct lxfw_sorted_runs;

/* The items use about MEMORY bytes, and no less than the largest of them. So little that it makes
   many thousands of runs is exceeded: their merge takes 4 KB for each. Returns NULL with errno
   ENOMEM. */
struct lxfw_sorted_runs *lxfw_sorted_runs_open(size_t memory);

/* Copies ITEM. Not allowed after lxfw_sorted_runs_rewind(). This function and the next two set
   errno and ERROR and return -1 if there is no memory or the file cannot be written or read. */
int lxfw_sorted_runs_add(struct lxfw_sorted_runs *runs, const struct lxfw_sorted_item *item,
			 struct lxfw_error *error);

/* Call before the first lxfw_sorted_runs_next(), and to begin at the first item again. Returns 0
   or -1. */
int lxfw_sorted_runs_rewind(struct lxfw_sorted_runs *runs, struct lxfw_error *error);

/* Sets ITEM to the next one, which is valid until the next call. Returns 1, 0 at the end, or
   -1. */
int lxfw_sorted_runs_next(struct lxfw_sorted_runs *runs, struct lxfw_sorted_item *item,
			  struct lxfw_error *error);

/* Preserves errno. RUNS may be NULL. */
void lxfw_sorted_runs_close(struct lxfw_sorted_runs *runs);

#endif
