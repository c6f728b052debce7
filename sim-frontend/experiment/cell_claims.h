/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Claims of a paper about its tables, as tests: cells, or ratios of two cells, within
 * fixed bounds. The experiment of a paper says what a cell is worth and how it is called.
 */
#ifndef LXFW_EXPERIMENT_CELL_CLAIMS_H
#define LXFW_EXPERIMENT_CELL_CLAIMS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>

#include "sim-frontend/experiment/spread.h"
#include "sim-frontend/util/format.h"

/* A cell of a table; the experiment defines the numbers. */
struct lxfw_cell {
	int table, row, column;
};

/* The value of a cell, or its ratio to another one, between inclusive bounds. The list of
   a claim ends with one whose bounds are both 0. */
struct lxfw_cell_condition {
	struct lxfw_cell cell, reference;	/* table -1: none */
	double low, high;
};

#define LXFW_NO_CELL { -1, 0, 0 }
#define LXFW_CELL_CONDITIONS 24

struct lxfw_cell_claim {
	const char *section, *key, *text;
	struct lxfw_cell_condition conditions[LXFW_CELL_CONDITIONS];
	bool most;	/* holds if more than half of the conditions hold, not all */
};

struct lxfw_cell_claims {
	const struct lxfw_cell_claim *claims;
	int count;
	const void *results;	/* passed to the functions */
	/* Returns the value of a cell in the run with this seed; NAN if it was not
	   simulated. */
	double (*value)(const void *results, const struct lxfw_cell *cell, int seed);
	void (*print_cell)(const void *results, const struct lxfw_cell *cell, FILE *out);
	int seeds;		/* 1 to 100; the median of a figure counts */
};

/* Both leave out a claim if one of its cells was not simulated. A figure that is out of
   its bounds is marked. */
void lxfw_cell_claims_print(const struct lxfw_cell_claims *claims, FILE *out);

/* Returns a list with an object for each claim, or NULL with *FAILED set. */
struct json_object *lxfw_cell_claims_json(const struct lxfw_cell_claims *claims,
					  bool *failed);

/* The values of a cell in all runs. */
struct lxfw_spread lxfw_cell_spread(const struct lxfw_cell_claims *claims, int table, int row,
				    int column);

/* The results of an experiment on a log. */
struct lxfw_cell_report {
	struct lxfw_cell_claims claims;
	size_t jobs;		/* of the log */
	int64_t first_seed;
	void (*print_tables)(const void *results, FILE *out);
	void (*put_tables)(const void *results, struct json_object *to, bool *failed);
};

/* Prints the tables and the claims. Returns 0, or -1 with errno ENOMEM. */
int lxfw_cell_report_print(const struct lxfw_cell_report *report, enum lxfw_format format,
			   FILE *out);

/* Adds a number to an object unless it is infinite or unknown. */
void lxfw_cell_put_number(struct json_object *to, const char *key, double value,
			  bool *failed);

#endif
