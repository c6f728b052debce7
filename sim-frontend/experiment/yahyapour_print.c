/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <json-c/json.h>
#include <math.h>

#include "sim-frontend/experiment/yahyapour.h"
#include "sim-frontend/util/json_out.h"

static const char *const titles[LXFW_YAHYAPOUR_TABLES] = {
	"Table 2.4: log, exact times", "Table 2.5: log, requested times",
	"Table 2.6: probability distributions", "Table 2.7: randomized",
	"Tables 4.3 to 4.6, figures 4.1 to 4.5: months, 128 processors",
	"Table 4.6, figures 4.1, 4.3 and 4.5: months, 256 processors",
};

static const char *const criteria[] = {
	"makespan", "completion", "flow", "unweighted flow",
};

/* --- table ------------------------------------------------------------------------ */

static void print_schedules(const struct lxfw_yahyapour *experiment, int table,
			    FILE *out)
{
	fprintf(out, "\n%s, %zu jobs\nmean response time, s; in parentheses the "
		"thesis\n%-22s", titles[table], experiment->counts[table], "");
	for (int i = 0; i < LXFW_Y_COLUMNS; i++)
		fprintf(out, "%24s", lxfw_yahyapour_column_names[i]);
	for (int i = 0; i < LXFW_Y_ROWS; i++) {
		const double *thesis = lxfw_yahyapour_thesis[table][i];

		fprintf(out, "\n%-10s%-12s", i < LXFW_Y_WEIGHTED ? "" : "weighted",
			lxfw_yahyapour_row_names[i % LXFW_Y_WEIGHTED]);
		for (int j = 0; j < LXFW_Y_COLUMNS && thesis[j] > 0; j++)
			fprintf(out, "    %.2E (%.2E)",
				experiment->values[table][i][j], thesis[j]);
	}
	putc('\n', out);
}

/* Returns the figure of the thesis for a strategy, with those of PFCFS2 and PFCFS3 where
   its tables have them, or NAN. */
static double thesis_change(const struct lxfw_yahyapour *experiment, int strategy,
			    int month, int criterion)
{
	int of = lxfw_yahyapour_thesis_month(experiment->month_names[month]);

	return of < 0 ? (double)NAN : lxfw_yahyapour_changes[criterion][of][strategy];
}

static double change(const struct lxfw_yahyapour *experiment, int machine,
		     int row, int month, int criterion)
{
	return 100 * (experiment->criteria[machine][row][month][criterion] /
		      experiment->criteria[machine][LXFW_P_FCFS][month][criterion] -
		      1);
}

static void print_change(double is, double thesis, FILE *out)
{
	if (isnan(thesis))
		fprintf(out, "%+8.1f%8s", is, "");
	else
		fprintf(out, "%+8.1f (%+5.1f)", is, thesis);
}

/* Tables 4.3 to 4.5: strategies by month. */
static void print_strategies(const struct lxfw_yahyapour *experiment, FILE *out)
{
	for (int i = 0; i < 3; i++) {
		fprintf(out, "\nTable 4.%d: %s, 128 processors, change against FCFS, "
			"%%;\nin parentheses the thesis\n%-14s%16s%16s%16s\n", i + 3,
			criteria[i], "", "PFCFS1", "PFCFS2", "PFCFS3");
		for (int j = 0; j < experiment->months; j++) {
			fprintf(out, "%-14s", experiment->month_names[j]);
			for (int k = 0; k < 3; k++)
				print_change(change(experiment, 0, LXFW_P_1 + k, j, i),
					     thesis_change(experiment, k, j, i), out);
			putc('\n', out);
		}
		fprintf(out, "%-14s", "sum");
		for (int k = LXFW_P_1; k <= LXFW_P_3; k++) {
			const struct lxfw_cell cell = {
				LXFW_YAHYAPOUR_128, k, i,
			};

			print_change(100 * (lxfw_yahyapour_value(experiment, &cell) - 1),
				     lxfw_yahyapour_sums[k - LXFW_P_1][i], out);
		}
		putc('\n', out);
	}
}

static void print_settings(const struct lxfw_yahyapour *experiment, int table,
			   FILE *out)
{
	fprintf(out, "\n%s, %zu jobs\nchange of the sums over %d %s against FCFS, "
		"%%\n%-20s", titles[table], experiment->counts[table],
		experiment->months, experiment->months == 1 ? "month" : "months",
		"");
	for (int i = 0; i < LXFW_P_COLUMNS; i++)
		fprintf(out, "%17s", criteria[i]);
	for (int i = 1; i < LXFW_P_ROWS; i++) {
		fprintf(out, "\n%-20s", lxfw_yahyapour_settings[i].name);
		for (int j = 0; j < LXFW_P_COLUMNS; j++) {
			const struct lxfw_cell cell = { table, i, j };

			fprintf(out, "%+17.2f", 100 *
				(lxfw_yahyapour_value(experiment, &cell) - 1));
		}
	}
	putc('\n', out);
}

/* Figures 4.1 to 4.5: a criterion of all settings by month. */
static void print_months(const struct lxfw_yahyapour *experiment, int table,
			 int criterion, FILE *out)
{
	fprintf(out, "\n%s\n%s by month, change against FCFS, %%\n%-20s", titles[table],
		criteria[criterion], "");
	for (int i = 0; i < experiment->months; i++)
		fprintf(out, " %8s", experiment->month_names[i]);
	for (int i = 1; i < LXFW_P_ROWS; i++) {
		fprintf(out, "\n%-20s", lxfw_yahyapour_settings[i].name);
		for (int j = 0; j < experiment->months; j++)
			fprintf(out, " %+8.1f", change(experiment, table -
				LXFW_YAHYAPOUR_128, i, j, criterion));
	}
	putc('\n', out);
}

static double value(const void *results, const struct lxfw_cell *cell, int seed)
{
	(void)seed;
	return lxfw_yahyapour_value(results, cell);
}

static void print_cell(const void *results, const struct lxfw_cell *cell, FILE *out)
{
	const char *table = lxfw_yahyapour_table_names[cell->table];

	(void)results;
	if (cell->table >= LXFW_YAHYAPOUR_128)
		fprintf(out, "%s, %s, %s%s", table,
			lxfw_yahyapour_settings[cell->row].name,
			criteria[cell->column % LXFW_P_COLUMNS],
			cell->column >= LXFW_P_NEAR ? ", share of months near" :
			cell->column >= LXFW_P_SHARE ? ", share of months" : "");
	else
		fprintf(out, "%s, %s%s %s", table,
			cell->row >= LXFW_Y_WEIGHTED ? "weighted " : "",
			lxfw_yahyapour_row_names[cell->row % LXFW_Y_WEIGHTED],
			lxfw_yahyapour_column_names[cell->column]);
}

static struct lxfw_cell_claims claims_of(const struct lxfw_yahyapour *experiment)
{
	return (struct lxfw_cell_claims) {
		.claims = lxfw_yahyapour_claims, .count = lxfw_yahyapour_claim_count,
		.results = experiment, .value = value, .print_cell = print_cell,
		.seeds = 1,
	};
}

/* --- JSON --------------------------------------------------------------------------- */

static struct json_object *schedules_json(const struct lxfw_yahyapour *experiment,
					  int table, bool *failed)
{
	struct json_object *list = json_object_new_array();

	for (int i = 0; i < LXFW_Y_ROWS; i++) {
		for (int j = 0; j < LXFW_Y_COLUMNS; j++) {
			double thesis = lxfw_yahyapour_thesis[table][i][j];
			struct json_object *cell = json_object_new_object();

			lxfw_json_put(cell, "algorithm", json_object_new_string(
				lxfw_yahyapour_row_names[i % LXFW_Y_WEIGHTED]),
				failed);
			lxfw_json_put(cell, "backfill", json_object_new_string(
				lxfw_yahyapour_column_names[j]), failed);
			lxfw_json_put(cell, "weighted", json_object_new_boolean(
				i >= LXFW_Y_WEIGHTED), failed);
			lxfw_cell_put_number(cell, "mean_response_s",
				   experiment->values[table][i][j], failed);
			lxfw_cell_put_number(cell, "thesis_s", thesis, failed);
			if (thesis > 0)
				lxfw_json_append(list, cell, failed);
			else
				json_object_put(cell);
		}
	}
	return list;
}

static struct json_object *months_json(const struct lxfw_yahyapour *experiment,
				       int table, bool *failed)
{
	static const char *const keys[] = {
		"makespan_s", "weighted_completion", "weighted_flow", "flow_s",
	};
	struct json_object *list = json_object_new_array();

	for (int i = 0; i < LXFW_P_ROWS; i++) {
		for (int j = 0; j < experiment->months; j++) {
			struct json_object *cell = json_object_new_object();

			lxfw_json_put(cell, "setting", json_object_new_string(
				lxfw_yahyapour_settings[i].name), failed);
			lxfw_json_put(cell, "month", json_object_new_string(
				experiment->month_names[j]), failed);
			for (int k = 0; k < LXFW_P_COLUMNS; k++)
				lxfw_cell_put_number(cell, keys[k], experiment->criteria[
					table - LXFW_YAHYAPOUR_128][i][j][k],
					failed);
			lxfw_json_append(list, cell, failed);
		}
	}
	return list;
}

static int print_json(const struct lxfw_yahyapour *experiment,
		      enum lxfw_format format, FILE *out)
{
	struct json_object *all = json_object_new_object();
	struct json_object *tables = json_object_new_object();
	struct lxfw_cell_claims claims = claims_of(experiment);
	bool failed = false;

	for (int i = 0; i < LXFW_YAHYAPOUR_TABLES; i++) {
		if (!experiment->wanted[i])
			continue;
		lxfw_json_put(tables, lxfw_yahyapour_table_names[i],
			      i < LXFW_YAHYAPOUR_128 ?
				      schedules_json(experiment, i, &failed) :
				      months_json(experiment, i, &failed),
			      &failed);
	}
	lxfw_json_put(all, "tables", tables, &failed);
	lxfw_json_put(all, "claims", lxfw_cell_claims_json(&claims, &failed), &failed);
	if (failed) {
		json_object_put(all);
		errno = ENOMEM;
		return -1;
	}
	return lxfw_json_out(all, format, out);
}

int lxfw_yahyapour_print(const struct lxfw_yahyapour *experiment,
			 enum lxfw_format format, FILE *out)
{
	struct lxfw_cell_claims claims = claims_of(experiment);

	if (format != LXFW_FORMAT_TABLE)
		return print_json(experiment, format, out);
	for (int i = 0; i < LXFW_YAHYAPOUR_128; i++) {
		if (experiment->wanted[i])
			print_schedules(experiment, i, out);
	}
	if (experiment->wanted[LXFW_YAHYAPOUR_128])
		print_strategies(experiment, out);
	for (int i = LXFW_YAHYAPOUR_128; i < LXFW_YAHYAPOUR_TABLES; i++) {
		if (!experiment->wanted[i])
			continue;
		print_settings(experiment, i, out);
		for (int j = 0; j < LXFW_P_COLUMNS; j++)
			print_months(experiment, i, j, out);
	}
	lxfw_cell_claims_print(&claims, out);
	return 0;
}
