/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "sim-frontend/experiment/balasubramanian_grid.h"
#include "sim-frontend/experiment/spread.h"
#include "sim-frontend/util/json_out.h"

static const char *const columns[LXFW_B_COLUMNS] = {
	"FCFS, backfill", "local", "2-NN", "CAN'", "local, alpha 0.5", "2-NN, alpha 0.5",
	"CAN', alpha 0.5", "local, delta 2.5", "2-NN, delta 2.5", "CAN', delta 2.5",
	"2-NN, balanced", "CAN', balanced",
};

static const char *const tables[LXFW_B_TABLES] = {
	"median wait", "mean wait", "longest tenth", "longest 3 %", "median since submission",
	"mean since submission", "longest tenth since submission", "preemptions", "moves",
	"messages",
};

static const char *const keys[LXFW_B_TABLES] = {
	"median_wait_s", "mean_wait_s", "longest_tenth_s", "longest_3_percent_s",
	"median_all_s", "mean_all_s", "longest_tenth_all_s", "preemptions", "moves",
	"messages",
};

static double interval_of(int row)
{
	return lxfw_b_intervals[row % LXFW_B_INTERVALS];
}

static int match_of(int row)
{
	return row / LXFW_B_INTERVALS == LXFW_B_TEN ? 10 : 1;
}

/* Cells of claims have a second more in medians. */
static double value(const void *results, const struct lxfw_cell *cell, int seed)
{
	const struct lxfw_balasubramanian_grid *experiment = results;

	return experiment->cells[(seed * LXFW_B_ROWS + cell->row) * LXFW_B_COLUMNS +
				 cell->column].values[cell->table];
}

static void print_cell(const void *results, const struct lxfw_cell *cell, FILE *out)
{
	(void)results;
	fprintf(out, "%s, %s, %g s", tables[cell->table], columns[cell->column],
		interval_of(cell->row));
	if (match_of(cell->row) > 1)
		fprintf(out, ", best of %d nodes", match_of(cell->row));
}

/* The median over the seeds. */
static double typical(const struct lxfw_balasubramanian_grid *experiment, int table, int row,
		      int column)
{
	const struct lxfw_cell cell = { table, row, column };
	double values[100];

	for (int i = 0; i < (int)experiment->seeds; i++)
		values[i] = value(experiment, &cell, i);
	return lxfw_spread_of(values, (int)experiment->seeds).median -
	       (table == LXFW_B_MEDIAN || table == LXFW_B_ALL_MEDIAN);
}

static struct lxfw_cell_claims claims_of(const struct lxfw_balasubramanian_grid *experiment)
{
	return (struct lxfw_cell_claims){
		.claims = lxfw_b_claims, .count = lxfw_b_claim_count, .results = experiment,
		.value = value, .print_cell = print_cell, .seeds = (int)experiment->seeds,
	};
}

static void print_text(const struct lxfw_balasubramanian_grid *experiment, FILE *out)
{
	fprintf(out, "Waits in seconds since the arrival at the last node, and since the "
		"submission (all).\nMatch: the number of random capable nodes, the least "
		"loaded of which gets the job.\n\n%-8s %5s  %-17s %8s %8s %8s %8s %8s %8s %8s "
		"%6s %6s %8s\n", "interval", "match", "scheduling", "median", "mean", "tenth",
		"3 %", "med. all", "mean all", "10th all", "preem.", "moves", "messages");
	for (int i = 0; i < LXFW_B_ROWS; i++) {
		for (int j = 0; j < LXFW_B_COLUMNS; j++) {
			fprintf(out, "%-8.1f %5d  %-17s", interval_of(i), match_of(i),
				columns[j]);
			for (int k = 0; k < LXFW_B_TABLES; k++)
				fprintf(out, " %*.0f", k == LXFW_B_PREEMPTIONS ||
					k == LXFW_B_MOVES ? 6 : 8,
					typical(experiment, k, i, j));
			putc('\n', out);
		}
	}
}

static struct json_object *cell_json(const struct lxfw_balasubramanian_grid *experiment,
				     int row, int column, bool *failed)
{
	struct json_object *cell = json_object_new_object();

	lxfw_json_put(cell, "interval_s", json_object_new_double(interval_of(row)), failed);
	lxfw_json_put(cell, "match", json_object_new_int(match_of(row)), failed);
	lxfw_json_put(cell, "scheduling", json_object_new_string(columns[column]), failed);
	for (int i = 0; i < LXFW_B_TABLES; i++)
		lxfw_cell_put_number(cell, keys[i], typical(experiment, i, row, column),
				     failed);
	return cell;
}

int lxfw_balasubramanian_grid_print(const struct lxfw_balasubramanian_grid *experiment,
				    enum lxfw_format format, FILE *out)
{
	struct lxfw_cell_claims claims = claims_of(experiment);
	struct json_object *all, *list;
	bool failed = false;

	if (format == LXFW_FORMAT_TABLE) {
		print_text(experiment, out);
		lxfw_cell_claims_print(&claims, out);
		return 0;
	}
	all = json_object_new_object();
	list = json_object_new_array();
	for (int i = 0; i < LXFW_B_ROWS * LXFW_B_COLUMNS; i++)
		lxfw_json_append(list, cell_json(experiment, i / LXFW_B_COLUMNS,
						 i % LXFW_B_COLUMNS, &failed), &failed);
	lxfw_json_put(all, "cells", list, &failed);
	lxfw_json_put(all, "claims", lxfw_cell_claims_json(&claims, &failed), &failed);
	if (failed) {
		json_object_put(all);
		errno = ENOMEM;
		return -1;
	}
	return lxfw_json_out(all, format, out);
}
