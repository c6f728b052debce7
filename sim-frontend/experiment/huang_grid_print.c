/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <json-c/json.h>

#include "sim-frontend/experiment/huang_grid.h"
#include "sim-frontend/util/json_out.h"

static const char *const rules[LXFW_HG_RULES] = { "adaptive", "adaptive_procs" };
static const char *const estimates[LXFW_HG_ESTIMATES] = {
	"no estimates", "exact", "uniform errors", "normal errors",
};

/* "adaptive, exact" */
static const char *row_name(int row, char text[40])
{
	if (row == LXFW_HG_LOCAL)
		snprintf(text, 40, "independent sites");
	else
		snprintf(text, 40, "%s, %s", rules[(row - 1) / LXFW_HG_ESTIMATES],
			 estimates[(row - 1) % LXFW_HG_ESTIMATES]);
	return text;
}

static const char *speeds_text(int number, char text[20])
{
	int speeds[LXFW_HG_SITES];

	lxfw_hg_speeds(number, speeds);
	snprintf(text, 20, "%d,%d,%d,%d,%d", speeds[0] % 10, speeds[1] % 10, speeds[2] % 10,
		 speeds[3] % 10, speeds[4] % 10);
	return text;
}

/* --- cells ---------------------------------------------------------------------------- */

static double value(const void *results, const struct lxfw_cell *cell, int seed)
{
	return lxfw_huang_grid_value(results, cell, seed);
}

static double paper(int table, int row)
{
	const struct lxfw_cell cell = { LXFW_HG_PAPER + table, row, 0 };

	return lxfw_huang_grid_value(NULL, &cell, 0);
}

static void print_cell(const void *results, const struct lxfw_cell *cell, FILE *out)
{
	char name[40];

	(void)results;
	if (cell->table >= LXFW_HG_PAPER)
		fputs("paper", out);
	else if (cell->table == LXFW_HG_BETTER)
		fprintf(out, "%s, cases", rules[cell->row]);
	else
		fputs(row_name(cell->row, name), out);
}

static struct lxfw_cell_claims claims_of(const struct lxfw_huang_grid *experiment)
{
	return (struct lxfw_cell_claims) {
		.claims = lxfw_hg_claims, .count = lxfw_hg_claim_count,
		.results = experiment, .value = value, .print_cell = print_cell,
		.seeds = experiment->seeds,
	};
}

static double median(const struct lxfw_huang_grid *experiment, int table, int row, int column)
{
	struct lxfw_cell_claims claims = claims_of(experiment);

	return lxfw_cell_spread(&claims, table, row, column).median;
}

/* --- table ---------------------------------------------------------------------------- */

static void print_tables(const void *results, FILE *out)
{
	const struct lxfw_huang_grid *experiment = results;
	char name[40], text[20];

	fprintf(out, "\n%zu jobs; mean turnaround times in s\n\nTable 6: speeds of the sites; "
		"with errors the worst of ten ranges, median of %d seed%s\n%-32s",
		experiment->log->count, experiment->seeds, experiment->seeds == 1 ? "" : "s",
		"");
	for (int i = 0; i < LXFW_HG_VECTORS; i++)
		fprintf(out, "%12s", speeds_text(lxfw_hg_vectors[i], text));
	fprintf(out, "%12s\n", "paper");
	for (int row = 0; row < LXFW_HG_ROWS; row++) {
		fprintf(out, "%-32s", row_name(row, name));
		for (int i = 0; i < LXFW_HG_VECTORS; i++)
			fprintf(out, "%12.0f", median(experiment, LXFW_HG_TABLE6, row, i));
		fprintf(out, "%12.0f\n", paper(LXFW_HG_TABLE6, row));
	}
	fprintf(out, "\nTable 7: mean of all %d orders of the speeds; errors of up to 100 %%\n",
		LXFW_HG_CASES);
	for (int row = 0; row < LXFW_HG_ROWS; row++)
		fprintf(out, "%-32s%24.0f%12.0f\n", row_name(row, name),
			median(experiment, LXFW_HG_TABLE7, row, 0), paper(LXFW_HG_TABLE7, row));
	fputs("\nOrders in which exact estimates are better than none\n", out);
	for (int i = 0; i < LXFW_HG_RULES; i++)
		fprintf(out, "%-32s%24.0f%12.0f\n", rules[i],
			median(experiment, LXFW_HG_BETTER, i, 0), paper(LXFW_HG_BETTER, 0));
}

/* --- JSON --------------------------------------------------------------------------- */

static struct json_object *row_json(int row, bool *failed)
{
	struct json_object *object = json_object_new_object();
	char name[40];

	lxfw_json_put(object, "policy", json_object_new_string(row_name(row, name)), failed);
	return object;
}

static struct json_object *table6_json(const struct lxfw_huang_grid *experiment, bool *failed)
{
	struct json_object *list = json_object_new_array();
	char text[20];

	for (int i = 0; i < LXFW_HG_VECTORS * LXFW_HG_ROWS; i++) {
		int vector = i / LXFW_HG_ROWS, row = i % LXFW_HG_ROWS;
		struct json_object *object = row_json(row, failed);

		lxfw_json_put(object, "speeds", json_object_new_string(
			speeds_text(lxfw_hg_vectors[vector], text)), failed);
		lxfw_cell_put_number(object, "mean_turnaround_s",
				     median(experiment, LXFW_HG_TABLE6, row, vector), failed);
		lxfw_cell_put_number(object, "paper_s", paper(LXFW_HG_TABLE6, row), failed);
		lxfw_json_append(list, object, failed);
	}
	return list;
}

static struct json_object *table7_json(const struct lxfw_huang_grid *experiment, bool *failed)
{
	struct json_object *list = json_object_new_array();

	for (int row = 0; row < LXFW_HG_ROWS; row++) {
		struct json_object *object = row_json(row, failed);

		lxfw_cell_put_number(object, "mean_turnaround_s",
				     median(experiment, LXFW_HG_TABLE7, row, 0), failed);
		lxfw_cell_put_number(object, "paper_s", paper(LXFW_HG_TABLE7, row), failed);
		lxfw_json_append(list, object, failed);
	}
	return list;
}

static struct json_object *cases_json(const struct lxfw_huang_grid *experiment, bool *failed)
{
	struct json_object *list = json_object_new_array();
	char text[20];

	for (int i = 0; i < LXFW_HG_CASES * LXFW_HG_ROWS; i++) {
		int number = i / LXFW_HG_ROWS, row = i % LXFW_HG_ROWS;
		struct json_object *object = row_json(row, failed);

		lxfw_json_put(object, "speeds",
			      json_object_new_string(speeds_text(number, text)), failed);
		lxfw_cell_put_number(object, "mean_turnaround_s",
				     experiment->cases[number][row], failed);
		lxfw_json_append(list, object, failed);
	}
	return list;
}

static void put_tables(const void *results, struct json_object *to, bool *failed)
{
	lxfw_json_put(to, "table_6", table6_json(results, failed), failed);
	lxfw_json_put(to, "table_7", table7_json(results, failed), failed);
	lxfw_json_put(to, "orders", cases_json(results, failed), failed);
}

int lxfw_huang_grid_print(const struct lxfw_huang_grid *experiment, enum lxfw_format format,
			  FILE *out)
{
	const struct lxfw_cell_report report = {
		.claims = claims_of(experiment), .jobs = experiment->log->count,
		.first_seed = (int64_t)experiment->first_seed,
		.print_tables = print_tables, .put_tables = put_tables,
	};

	return lxfw_cell_report_print(&report, format, out);
}
