/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <json-c/json.h>

#include "sim-frontend/experiment/huang.h"
#include "sim-frontend/util/json_out.h"

static const int row_of[LXFW_HE_ROWS] = { LXFW_H_DOWN_EST, LXFW_H_BOTH_EST };

/* --- cells ---------------------------------------------------------------------------- */

static double value(const void *results, const struct lxfw_cell *cell, int seed)
{
	return lxfw_huang_value(results, cell, seed);
}

static double paper(int table, int row, int column)
{
	const struct lxfw_cell cell = { LXFW_H_PAPER + table, row, column };

	return lxfw_huang_value(NULL, &cell, 0);
}

static void print_cell(const void *results, const struct lxfw_cell *cell, FILE *out)
{
	int table = cell->table % LXFW_H_PAPER, column = cell->column;
	const int *ranges;

	(void)results;
	if (cell->table >= LXFW_H_PAPER)
		fputs("paper, ", out);
	if (table == LXFW_H_TABLE3) {
		fputs(lxfw_huang_names[cell->row], out);
		return;
	}
	if (table == LXFW_H_THRESHOLD) {
		fprintf(out, "best threshold, %s", lxfw_huang_names[row_of[cell->row]]);
		return;
	}
	ranges = lxfw_huang_ranges[table - LXFW_H_UNIFORM];
	fprintf(out, "%s, %s, ", cell->row == LXFW_HE_DOWN ? "down" : "up and down",
		table == LXFW_H_UNIFORM ? "uniform" : "normal");
	if (column == LXFW_H_SPREAD)
		fputs("largest / smallest", out);
	else if (column == LXFW_H_STEP)
		fputs("smallest ratio of a range to the one before", out);
	else if (column >= LXFW_H_RELATIVE)
		fprintf(out, "%d %% / exact", ranges[column - LXFW_H_RELATIVE]);
	else
		fprintf(out, "%d %%", ranges[column]);
}

static struct lxfw_cell_claims claims_of(const struct lxfw_huang *experiment)
{
	return (struct lxfw_cell_claims) {
		.claims = lxfw_huang_claims, .count = lxfw_huang_claim_count,
		.results = experiment, .value = value, .print_cell = print_cell,
		.seeds = experiment->seeds,
	};
}

static struct lxfw_spread over_seeds(const struct lxfw_huang *experiment, int table,
				     int row, int range)
{
	struct lxfw_cell_claims claims = claims_of(experiment);

	return lxfw_cell_spread(&claims, table, row, range);
}

/* --- table ---------------------------------------------------------------------------- */

static void print_queues(const struct lxfw_huang *experiment, FILE *out)
{
	fprintf(out, "\nTable 1: %zu jobs; in parentheses the paper\n%-6s%18s%20s%22s%16s%14s\n",
		experiment->log->count, "queue", "jobs", "longest run, s", "mean run, s",
		"most procs", "mean procs");
	for (int i = 0; i < LXFW_HUANG_QUEUES; i++) {
		const struct lxfw_huang_queue *own = &experiment->queues[i];
		const struct lxfw_huang_queue *of = &lxfw_huang_paper_queues[i];

		fprintf(out, "%-6d%10.0f (%5.0f)%11.0f (%6.0f)%12.2f (%7.2f)"
			"%10.0f (%3.0f)%9.2f (%2.0f)\n", i + 1, own->jobs, of->jobs,
			own->longest_run, of->longest_run, own->mean_run, of->mean_run,
			own->most_procs, of->most_procs, own->mean_procs, of->mean_procs);
	}
}

static void print_table3(const struct lxfw_huang *experiment, FILE *out)
{
	fprintf(out, "\nTable 3: mean turnaround time\n%-24s%9s%9s%19s%9s\n", "", "s",
		"paper", "of no scaling", "paper");
	for (int i = 0; i < LXFW_H_ROWS; i++)
		fprintf(out, "%-24s%9.0f%9.0f%19.3f%9.3f\n", lxfw_huang_names[i],
			experiment->table3[i], paper(LXFW_H_TABLE3, i, 0),
			experiment->table3[i] / experiment->table3[LXFW_H_NONE],
			paper(LXFW_H_TABLE3, i, 0) /
				paper(LXFW_H_TABLE3, LXFW_H_NONE, 0));
}

static void print_thresholds(const struct lxfw_huang *experiment, FILE *out)
{
	fprintf(out, "\nThresholds, %%: mean turnaround time with exact estimates, s; '*' marks "
		"the best, 'p' the paper's\n%-10s%16s%16s\n", "", "down", "up and down");
	for (int i = 0; i < LXFW_HUANG_THRESHOLDS; i++) {
		fprintf(out, "%-10d", lxfw_huang_thresholds[i]);
		for (int j = 0; j < LXFW_HE_ROWS; j++)
			fprintf(out, "%14.0f%c%c", experiment->searched[j][i],
				i == experiment->best[j] ? '*' : ' ',
				lxfw_huang_thresholds[i] ==
					paper(LXFW_H_THRESHOLD, j, 0) ? 'p' : ' ');
		putc('\n', out);
	}
}

static void print_errors(const struct lxfw_huang *experiment, int table, FILE *out)
{
	fprintf(out, "\nTable %d: estimates with %s errors, mean turnaround time, s; median of "
		"%d seed%s; in parentheses the paper\n%-10s%20s%20s\n",
		table == LXFW_H_UNIFORM ? 4 : 5,
		table == LXFW_H_UNIFORM ? "uniform" : "normal", experiment->seeds,
		experiment->seeds == 1 ? "" : "s", "range", "down", "up and down");
	for (int i = 0; i < LXFW_H_RANGES; i++) {
		fprintf(out, "%3d %%     ", lxfw_huang_ranges[table - LXFW_H_UNIFORM][i]);
		for (int j = 0; j < LXFW_HE_ROWS; j++)
			fprintf(out, "%12.0f (%5.0f)",
				over_seeds(experiment, table, j, i).median,
				paper(table, j, i));
		putc('\n', out);
	}
}

/* --- JSON --------------------------------------------------------------------------- */

static struct json_object *queues_json(const struct lxfw_huang *experiment, bool *failed)
{
	struct json_object *list = json_object_new_array();

	for (int i = 0; i < LXFW_HUANG_QUEUES; i++) {
		const struct lxfw_huang_queue *own = &experiment->queues[i];
		struct json_object *row = json_object_new_object();

		lxfw_json_put(row, "queue", json_object_new_int(i + 1), failed);
		lxfw_cell_put_number(row, "jobs", own->jobs, failed);
		lxfw_cell_put_number(row, "longest_run_s", own->longest_run, failed);
		lxfw_cell_put_number(row, "mean_run_s", own->mean_run, failed);
		lxfw_cell_put_number(row, "most_procs", own->most_procs, failed);
		lxfw_cell_put_number(row, "mean_procs", own->mean_procs, failed);
		lxfw_json_append(list, row, failed);
	}
	return list;
}

static struct json_object *row_json(int policy, double mean, double paper_mean,
				    bool *failed)
{
	struct json_object *row = json_object_new_object();

	lxfw_json_put(row, "policy", json_object_new_string(lxfw_huang_names[policy]),
		      failed);
	lxfw_cell_put_number(row, "mean_turnaround_s", mean, failed);
	if (paper_mean > 0)
		lxfw_cell_put_number(row, "paper_s", paper_mean, failed);
	return row;
}

static struct json_object *table3_json(const struct lxfw_huang *experiment, bool *failed)
{
	struct json_object *list = json_object_new_array();

	for (int i = 0; i < LXFW_H_ROWS; i++)
		lxfw_json_append(list, row_json(i, experiment->table3[i],
						paper(LXFW_H_TABLE3, i, 0), failed),
				 failed);
	return list;
}

static struct json_object *thresholds_json(const struct lxfw_huang *experiment,
					   bool *failed)
{
	struct json_object *list = json_object_new_array();

	for (int i = 0; i < LXFW_HE_ROWS * LXFW_HUANG_THRESHOLDS; i++) {
		int policy = i / LXFW_HUANG_THRESHOLDS, at = i % LXFW_HUANG_THRESHOLDS;
		struct json_object *row = row_json(row_of[policy],
						   experiment->searched[policy][at], 0,
						   failed);

		lxfw_json_put(row, "threshold_percent",
			      json_object_new_int(lxfw_huang_thresholds[at]), failed);
		lxfw_json_put(row, "best",
			      json_object_new_boolean(at == experiment->best[policy]),
			      failed);
		lxfw_json_append(list, row, failed);
	}
	return list;
}

static struct json_object *errors_json(const struct lxfw_huang *experiment, int table,
				       bool *failed)
{
	struct json_object *list = json_object_new_array();

	for (int i = 0; i < LXFW_HE_ROWS * LXFW_H_RANGES; i++) {
		int policy = i / LXFW_H_RANGES, range = i % LXFW_H_RANGES;
		struct lxfw_spread spread = over_seeds(experiment, table, policy, range);
		struct json_object *row = row_json(row_of[policy], spread.median,
						   paper(table, policy, range), failed);

		lxfw_json_put(row, "error_range_percent", json_object_new_int(
			lxfw_huang_ranges[table - LXFW_H_UNIFORM][range]), failed);
		lxfw_cell_put_number(row, "least_s", spread.least, failed);
		lxfw_cell_put_number(row, "most_s", spread.most, failed);
		lxfw_json_append(list, row, failed);
	}
	return list;
}

static void print_tables(const void *results, FILE *out)
{
	print_queues(results, out);
	print_table3(results, out);
	print_thresholds(results, out);
	print_errors(results, LXFW_H_UNIFORM, out);
	print_errors(results, LXFW_H_NORMAL, out);
}

static void put_tables(const void *results, struct json_object *to, bool *failed)
{
	lxfw_json_put(to, "table_1", queues_json(results, failed), failed);
	lxfw_json_put(to, "table_3", table3_json(results, failed), failed);
	lxfw_json_put(to, "thresholds", thresholds_json(results, failed), failed);
	lxfw_json_put(to, "table_4", errors_json(results, LXFW_H_UNIFORM, failed), failed);
	lxfw_json_put(to, "table_5", errors_json(results, LXFW_H_NORMAL, failed), failed);
}

int lxfw_huang_print(const struct lxfw_huang *experiment, enum lxfw_format format,
		     FILE *out)
{
	const struct lxfw_cell_report report = {
		.claims = claims_of(experiment), .jobs = experiment->log->count,
		.first_seed = (int64_t)experiment->first_seed,
		.print_tables = print_tables, .put_tables = put_tables,
	};

	return lxfw_cell_report_print(&report, format, out);
}
