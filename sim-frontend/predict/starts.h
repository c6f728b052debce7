/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table of expected starts: when jobs of several sizes and limits would start in each
 * partition if they were submitted now. It is written to a file that users may read: it
 * contains no jobs and no users.
 *
 *   lxfw-starts 1 TIME UNTIL CORRECTED
 *   partition NAME DEFAULT EXCLUSIVE PROCS MEMORY GIVEN LIMIT
 *   n SIZE LIMIT START LOW50 HIGH50 LOW90 HIGH90
 *   N SIZE LIMIT START LOW50 HIGH50 LOW90 HIGH90
 *   ...
 *   end
 *
 * Times are seconds, -1 if beyond the horizon. Lines "n" are of SIZE processors on any
 * nodes, lines "N" of SIZE whole nodes with PROCS processors each. All of them request
 * MEMORY MB per processor. DEFAULT is 1 for the partition of jobs that name none, and
 * EXCLUSIVE if its jobs get whole nodes; it then has lines "N" only. A partition that does not
 * take all jobs of these sizes, of all users, has no lines. GIVEN is 1 if jobs that request no memory get that much, and
 * LIMIT is the time limit of those that request none, or 0.
 */
#ifndef LXFW_PREDICT_STARTS_H
#define LXFW_PREDICT_STARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/predict/request_text.h"
#include "sim-frontend/predict/told.h"

struct lxfw_starts_cell {
	bool nodes;		/* SIZE counts nodes */
	int64_t size, limit;
	int64_t times[LXFW_TOLD_TIMES];
};

struct lxfw_starts_partition {
	char *name;
	bool is_default, exclusive, memory_given;
	int64_t procs, memory, limit;
	struct lxfw_starts_cell *cells;
	size_t count, size;
};

/* The shortest limit of a table with all cells, seconds, and the most by which the next one is longer. */
#define LXFW_STARTS_SHORTEST 900
#define LXFW_STARTS_STEP 4

/* {0} is empty. */
struct lxfw_starts {
	int64_t time, until;	/* of the state; not to be used after UNTIL */
	bool corrected;
	struct lxfw_starts_partition *list;
	size_t count, size;
};

void lxfw_starts_clear(struct lxfw_starts *starts);

/* Adds a partition. Returns NULL with errno ENOMEM. */
struct lxfw_starts_partition *lxfw_starts_add(struct lxfw_starts *starts, const char *name);

/* Returns 0, or -1 with errno ENOMEM. */
int lxfw_starts_add_cell(struct lxfw_starts_partition *partition,
			 const struct lxfw_starts_cell *cell);

/* Replaces the file at PATH atomically; others can read it. Returns 0, or -1 with errno and
   ERROR set. */
int lxfw_starts_write(const struct lxfw_starts *starts, const char *path,
		      struct lxfw_error *error);

/* The same with lxfw_output_replace(). */
int lxfw_starts_replace(const struct lxfw_starts *starts, const char *path,
			struct lxfw_error *error);

/*
 * Reads a file that may be anything. A symbolic link, a file that is not a regular one,
 * that others may write, or of more than LXFW_STARTS_MAX bytes is an error, and nothing is
 * waited for. Returns 0, or -1 with errno and ERROR set.
 */
#define LXFW_STARTS_MAX (4 << 20)
int lxfw_starts_read(struct lxfw_starts *starts, const char *path,
		     struct lxfw_error *error);

/* Reads TEXT, which is changed, in the same way. PATH is its name in messages. */
int lxfw_starts_parse(struct lxfw_starts *starts, char *text, const char *path,
		      struct lxfw_error *error);

/*
 * Formats the expected start of a request in PARTITION ("": the default one) at NOW, such as
 *
 *   lxfw: expected start 14:10 (50 %: 13:55 to 14:40, 90 %: 13:20 to 18:00)
 *
 * It is that of the smallest job of the table that has at least the size and limit of the
 * request. Returns false if the table has none, or only one of twice the size or of a much longer limit, or is
 * outdated, or if the request differs from
 * the jobs of the table in more than that: tasks of several processors, nodes of which it does not
 * have all processors, memory of a node, GRES, features and the like.
 */
bool lxfw_starts_find(const struct lxfw_starts *starts, const char *partition,
		      const struct lxfw_request_text *request, int64_t now, char *text,
		      size_t size);

#endif
