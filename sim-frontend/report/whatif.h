/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The starts of waiting jobs as things are and with a change: text, JSON, CSV and a page. */
#ifndef LXFW_REPORT_WHATIF_H
#define LXFW_REPORT_WHATIF_H

#include <stdio.h>

#include "sim-frontend/predict/whatif.h"
#include "sim-frontend/util/format.h"
#include "sim-frontend/util/output.h"

enum { LXFW_SIDE_NOW, LXFW_SIDE_THEN, LXFW_WHATIF_SIDES };

struct lxfw_whatif_table {
	const struct lxfw_whatif *whatif;
	const struct lxfw_whatif_result *result;
	const char *path;	/* of the snapshot */
	const char *change;	/* in words; NULL: none */
	bool dates;		/* print local dates instead of seconds */
};

/* Times and waits of a waiting job in seconds; LXFW_NEVER: not before the horizon. */
struct lxfw_whatif_row {
	char name[LXFW_SNAPSHOT_NAME_SIZE];
	int64_t procs, limit, waited;
	int64_t start[LXFW_WHATIF_SIDES];	/* medians */
	bool comparable;	/* it starts before the horizon in both columns, at least in
				   every second future */
	int64_t difference, low, high;	/* median and bounds of 90 % of the differences */
};

/* Returns 0, or -1 with errno ENOMEM. */
int lxfw_whatif_row(const struct lxfw_whatif_table *table, size_t index,
		    struct lxfw_whatif_row *row);

/* Means over the futures. */
struct lxfw_whatif_totals {
	double wait;		/* mean wait from submission; of jobs that do not start, to
				   the horizon */
	double started[3];	/* jobs that start within 1 h, 4 h and 24 h */
	double late;		/* jobs that do not start before the horizon */
	double utilization;	/* of the processors that are up in the snapshot, until the
				   horizon */
};

struct lxfw_whatif_figures {
	struct lxfw_whatif_totals of[LXFW_WHATIF_SIDES];
	/* bounds of 90 % of the futures */
	struct lxfw_whatif_totals low_of[LXFW_WHATIF_SIDES], high_of[LXFW_WHATIF_SIDES];
	int64_t procs;		/* that are up */
	size_t hosts, running;
	double low, high;	/* within which the difference of the mean waits is with a
				   probability of 90 %: with submissions it is measured */
	size_t shorter, longer;	/* futures in which the change makes the mean wait so */
	double submitted;	/* mean number of jobs that are submitted in a future */
	double submitted_wait[LXFW_WHATIF_SIDES];	/* their mean waits, up to the horizon */
};

/* Returns 0, or -1 with errno ENOMEM. */
int lxfw_whatif_figures(const struct lxfw_whatif_table *table,
			struct lxfw_whatif_figures *figures);

/* Functions that return int return 0, or -1 with errno ENOMEM. */
int lxfw_whatif_text(const struct lxfw_whatif_table *table, FILE *out);
int lxfw_whatif_json(const struct lxfw_whatif_table *table, enum lxfw_format format,
		     FILE *out);
int lxfw_whatif_page(const struct lxfw_whatif_table *table, struct lxfw_output *output);

/* Formats a time, "later" for LXFW_NEVER. A SIZE of 32 is sufficient. */
const char *lxfw_whatif_time(const struct lxfw_whatif_table *table, int64_t time, char *text,
			     size_t size);
/* What is submitted, in words. */
const char *lxfw_whatif_submissions(const struct lxfw_whatif_table *table, char *text,
				    size_t size);
/* Whether waits become shorter or longer, as a sentence; empty if run times are given. A SIZE of
   256 is sufficient. */
const char *lxfw_whatif_direction(const struct lxfw_whatif_table *table,
				  const struct lxfw_whatif_figures *figures, char *text,
				  size_t size);
/* Formats a difference, "-2.1h", "0". */
const char *lxfw_whatif_difference(double seconds, char *text, size_t size);
/* How run times are found, in words. */
const char *lxfw_whatif_run_times(const struct lxfw_whatif_table *table, char *text,
				  size_t size);

#endif
