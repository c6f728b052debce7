/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of sacct, for sacct.c, which makes jobs of them: columns and fields. */
#ifndef LXFW_TRACE_SACCT_H
#define LXFW_TRACE_SACCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/trace/account.h"

/* Columns of free text that a header may have. */
#define LXFW_SACCT_TEXTS_MOST 10

enum column {
	JOB_ID, JOB_ID_RAW, SUBMIT, ELIGIBLE, START, END, ELAPSED, SUSPENDED,
	NCPUS, ALLOC_CPUS, REQ_CPUS, NNODES, ALLOC_NODES, REQ_MEM, TIMELIMIT,
	STATE, PARTITION, USER, UID, GROUP, GID, NODE_LIST, MAX_RSS, NTASKS,
	TRES_TOTAL, REQ_NODES, REQ_TRES, ALLOC_TRES, REQ_GRES, QOS, RESERVATION,
	COLUMNS
};

struct sacct {
	struct lxfw_input *input;
	bool in_zone;			/* local times are of the process's zone */
	int64_t last;			/* submission of the record before */
	int columns[COLUMNS];		/* position, -1 = not there */
	int texts[LXFW_SACCT_TEXTS_MOST];		/* positions, ascending */
	int text_count;
	int count;			/* columns; 0 = header not read yet */
	int least;			/* fields that a record must have */
	int tries;			/* layouts that may still be tried */
	struct lxfw_error damage;	/* of the first with too few fields */
	bool trailing;			/* a '|' at the end of each line */
	bool fixed;			/* columns of fixed width: `pieces` has where
					   each begins and ends */
	bool hosts_cut;			/* of the record, its list of hosts */
	char *record;			/* the lines of the current one */
	size_t length, size;
	long line;			/* of its beginning */
	size_t *pieces;			/* where each begins; one more at the end */
	size_t piece_count, pieces_size;
	struct lxfw_slice fields[COLUMNS];
	struct lxfw_error wrong;	/* with the fields as last laid out */
};

/* The header, or where there is none one of the orders that are known. 1, 0 at the
   end of an empty file, -1 with errno and ERROR set. */
int lxfw_sacct_header(struct sacct *sacct, struct lxfw_error *error);

/* The fields of the next record that is whole; others are counted. The same. */
int lxfw_sacct_record(struct sacct *sacct, struct lxfw_account_counts *counts,
		      struct lxfw_error *error);

/* Another column of the header. */
void lxfw_sacct_column(struct sacct *sacct, struct lxfw_slice name);
const char *lxfw_sacct_column_name(enum column column);

/* Whether the field of a column has a value that it can have; `wrong` says what is
   not. */
bool lxfw_sacct_plausible(struct sacct *sacct, enum column column);

/*
 * Columns of fixed width: whether the first line is their header; its columns, by the
 * line below; the fields of a record. 0, or -1 with `wrong` set.
 */
bool lxfw_sacct_is_fixed(const char *line, size_t length);
int lxfw_sacct_fixed_header(struct sacct *sacct, const char *names, size_t length,
			    const char *ruler, size_t ruler_length);
int lxfw_sacct_fixed_record(struct sacct *sacct, const char *line, size_t length);

/* `wrong` with the record's place before it; -1. */
int lxfw_sacct_bad(const struct sacct *sacct, struct lxfw_error *error);

/* "2021-12-10T14:23:28", which is *LOCAL and read as UTC, or seconds; -1 for a word
   that says there is none. Whether it is one of them. */
bool lxfw_sacct_time(struct lxfw_slice field, int64_t *time, bool *local);

/* "64", "2K", "1.50K" = 1536; or *ROUNDED, "1.46K", up to 5 in 1024 more or less. */
bool lxfw_sacct_count(struct lxfw_slice field, int64_t *count, bool *rounded);

/* "7957382", "7957382_4", "7957382_[4-9%2]", "7957382+1", each with ".batch" */
bool lxfw_sacct_job_id(struct lxfw_slice field);

#endif
