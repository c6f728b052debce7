/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface between sacct.c, which makes jobs of records, and the readers of
   records, columns and fields. */
#ifndef LXFW_TRACE_SACCT_H
#define LXFW_TRACE_SACCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/trace/account.h"

/* Maximum number of columns whose text may contain the delimiter. */
#define LXFW_SACCT_TEXTS_MOST 20

enum column {
	JOB_ID, JOB_ID_RAW, SUBMIT, ELIGIBLE, START, END, ELAPSED, SUSPENDED,
	NCPUS, ALLOC_CPUS, REQ_CPUS, NNODES, ALLOC_NODES, REQ_MEM, TIMELIMIT,
	STATE, PARTITION, USER, UID, GROUP, GID, NODE_LIST, MAX_RSS, NTASKS,
	TRES_TOTAL, REQ_NODES, REQ_TRES, ALLOC_TRES, REQ_GRES, QOS, RESERVATION,
	ACCOUNT, ELAPSED_RAW, TIMELIMIT_RAW, CLUSTER, SUBMIT_LINE, COLUMNS
};

struct sacct {
	struct lxfw_input *input;
	bool in_zone;			/* local times are in the time zone of the
					   process */
	int64_t last;			/* submit time of the previous record */
	int columns[COLUMNS];		/* positions; -1: absent */
	int texts[LXFW_SACCT_TEXTS_MOST];		/* positions in ascending order */
	int text_count;
	int count;			/* number of columns; 0: header not read yet */
	int least;			/* number of fields that a record must have */
	int tries;			/* number of layouts that may still be tried */
	char bar;			/* between fields: '|', or another --delimiter */
	bool trailing;			/* each line ends with `bar` */
	bool fixed;			/* columns have fixed widths: `pieces` holds
					   the beginning and end of each */
	bool hosts_cut;			/* the list of hosts of the record is truncated */
	char *header;			/* the header line, or NULL */
	size_t header_length;
	char *record;			/* the text of the current record */
	size_t length, size;
	long line;			/* line number of its beginning */
	size_t *pieces;			/* beginning of each piece, and one more at the
					   end */
	size_t piece_count, pieces_size;
	struct lxfw_slice fields[COLUMNS];
	struct lxfw_error wrong;	/* the error in the fields as last laid out */
};

/* Reads the header. If there is none, tries the known orders of columns. Returns 1, 0
   if the file is empty, LXFW_ODD_RECORD if the next line is neither and was added to ODD, or -1
   with errno and ERROR set. */
int lxfw_sacct_header(struct sacct *sacct, struct lxfw_odd *odd, struct lxfw_error *error);

/* Reads the fields of the next record. Returns 1, 0 at the end, LXFW_ODD_RECORD if it is odd
   and was added to ODD, or -1 with errno and ERROR set. */
int lxfw_sacct_record(struct sacct *sacct, struct lxfw_odd *odd, struct lxfw_error *error);

/* Makes ACCOUNT of the fields and counts it. Returns 1, or LXFW_ODD_RECORD if they are those of
   an odd record, which was added to COUNTS. */
int lxfw_sacct_make(struct sacct *sacct, struct lxfw_account *account,
		    struct lxfw_account_counts *counts);

/* Adds a column of the header. */
void lxfw_sacct_column(struct sacct *sacct, struct lxfw_slice name);

/* Returns the delimiter of a header line with the column JobID or JobIDRaw: '|', or one of those
   that users select with sacct --delimiter. Returns '\0' if it is none. */
char lxfw_sacct_delimiter(const char *line, size_t length);
const char *lxfw_sacct_column_name(enum column column);

/* Returns whether the field of a column has a valid value. If not, sets `wrong`. */
bool lxfw_sacct_plausible(struct sacct *sacct, enum column column);

/*
 * Columns of fixed width: tests whether the first line is their header; reads the columns
 * from the line of dashes; reads the fields of a record. The latter two return 0, or -1
 * with `wrong` set.
 */
bool lxfw_sacct_is_fixed(const char *line, size_t length);
int lxfw_sacct_fixed_header(struct sacct *sacct, const char *names, size_t length,
			    const char *ruler, size_t ruler_length);
int lxfw_sacct_fixed_record(struct sacct *sacct, const char *line, size_t length);

/* Sets ERROR to `wrong` with the place of the record in front. Returns -1. */
int lxfw_sacct_bad(const struct sacct *sacct, struct lxfw_error *error);

/* Parses "2021-12-10T14:23:28", which sets *LOCAL and is read as UTC, the same with an offset
   from UTC as in "+01:00", "+0100" or "Z", or a number of seconds. *TIME is -1 for a word such
   as "Unknown". Returns whether the field is valid. */
bool lxfw_sacct_time(struct lxfw_slice field, int64_t *time, bool *local);

/* Parses "64", "2K" or "1.50K" (1536). *ROUNDED is set for a value such as "1.46K",
   which may differ from the true one by up to 5 in 1024. */
bool lxfw_sacct_count(struct lxfw_slice field, int64_t *count, bool *rounded);

/* Matches "7957382", "7957382_4", "7957382_[4-9%2]" and "7957382+1", each optionally
   with ".batch". */
bool lxfw_sacct_job_id(struct lxfw_slice field);

#endif
