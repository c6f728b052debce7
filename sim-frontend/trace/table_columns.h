/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of a table of jobs (table.c), and the fields of a line. */
#ifndef LXFW_TRACE_TABLE_COLUMNS_H
#define LXFW_TRACE_TABLE_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/util/error.h"
#include "sim-frontend/trace/account_text.h"
#include "sim-frontend/trace/input.h"
#include "sim-frontend/trace/odd.h"

/* The most columns of a table. */
#define LXFW_TABLE_FIELDS 256

/* What a column may be of. */
enum lxfw_table_column {
	LXFW_OF_JOB, LXFW_OF_SUBMIT, LXFW_OF_ELIGIBLE, LXFW_OF_START, LXFW_OF_END,
	LXFW_OF_WAIT, LXFW_OF_RUN, LXFW_OF_LIMIT, LXFW_OF_LIMIT_MINUTES, LXFW_OF_PROCS,
	LXFW_OF_NODES, LXFW_OF_GPUS, LXFW_OF_MEMORY_MB, LXFW_OF_MEMORY_GB, LXFW_OF_USER,
	LXFW_OF_GROUP, LXFW_OF_QUEUE, LXFW_OF_STATE, LXFW_OF_TRES, LXFW_OF_CLUSTER,
	/* the start of a job whose submission is unknown */
	LXFW_OF_LAUNCH,
	/* their number: amounts are those of each */
	LXFW_OF_INSTANCES,
	LXFW_OF_PROCS_PERCENT, LXFW_OF_PROCS_MILLI, LXFW_OF_GPUS_PERCENT, LXFW_OF_GPUS_MILLI,
	LXFW_TABLE_COLUMNS,
};

struct lxfw_table_columns {
	char delimiter;
	size_t count;		/* columns in the header; 0: no header */
	int of[LXFW_TABLE_COLUMNS];	/* positions; -1: none */
	bool slurm;		/* the columns of Slurm's data base: numbers of states */
	bool minutes;		/* its limit is in minutes */
	bool grid;		/* those of the Grid Workload Format: states as in SWF */
	bool pods;		/* those of pods of Kubernetes: states are phases */
	bool planned;		/* no submission, or no start: waits are unknown */
	bool states;		/* of a data set: a state is one of lxfw_table_is_state() */
};

/* Splits a line into fields without the quotes around them. Returns their number, of which at
   most LXFW_TABLE_FIELDS are stored. */
size_t lxfw_table_split(const char *line, size_t length, char delimiter,
			struct lxfw_slice *fields);

/* Returns whether a line is a header with all columns of a table of jobs under known names. */
bool lxfw_table_is_header(const char *line, size_t length);

/* Returns whether a header has the columns that sacct's own reader needs besides JobID, which
   may be damaged. */
bool lxfw_table_is_sacct(const char *line, size_t length);

/*
 * Reads the header of INPUT and what precedes it. WANTED names columns, as in --columns:
 * "submit=queued,start=begun", or their numbers from 1, "submit=5,start=6", if there is no
 * header, or it is the name of a data set; NULL: none. Counts lines before the header in ODD.
 * Returns 1, 0 at the end of the input, or -1 with errno and ERROR set.
 */
int lxfw_table_columns_read(struct lxfw_table_columns *columns, struct lxfw_input *input,
			    const char *wanted, struct lxfw_odd *odd, struct lxfw_error *error);

/* The states of tasks in the tables of data sets. */
#define LXFW_TABLE_STATES "Ready, Waiting, Running, Terminated, Failed, Interrupted or Cancelled"
bool lxfw_table_is_state(struct lxfw_slice state);

#endif
