/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>

#include "sim-frontend/experiment/yahyapour_grid.h"
#include "sim-frontend/util/json_out.h"

static const char *const metrics[] = { "AWRT", "AWWT", "share of jobs", "share of work" };
static const char *const keys[] = { "awrt_s", "awwt_s", "several", "several_work" };

static const char *const about[] = {
	"wide jobs in parts of the own site", "wide jobs in parts of the largest site",
	"wide jobs in parts of 64 processors", "wide jobs unchanged",
};

/* "multi-site 25 %" */
static const char *row_name(int row, char text[32])
{
	static const char *const names[] = { "local", "sharing", "sharing, one queue" };

	if (row < LXFW_G_MULTI)
		snprintf(text, 32, "%s", names[row]);
	else
		snprintf(text, 32, "multi-site %d %%", 5 * (row - LXFW_G_MULTI));
	return text;
}

/* --- table ---------------------------------------------------------------------------- */

static void print_awrt(const struct lxfw_yahyapour_grid *experiment, int workload, int split,
		       FILE *out)
{
	char name[32];

	fprintf(out, "\n%s, %zu jobs, %s\nAWRT in s\n%-20s", lxfw_g_workloads[workload],
		experiment->counts[workload], about[split], "");
	for (int i = 0; i < LXFW_G_CONFIGS; i++)
		fprintf(out, "%9s", lxfw_g_configs[i].name);
	for (int i = 0; i < LXFW_G_ROWS; i++) {
		fprintf(out, "\n%-20s", row_name(i, name));
		for (int j = 0; j < LXFW_G_CONFIGS; j++) {
			double value = experiment->values[workload][split][i][j]
							 [LXFW_G_AWRT];

			if (isnan(value))
				fprintf(out, "%9s", "");
			else
				fprintf(out, "%9.0f", value);
		}
	}
	putc('\n', out);
}

static void print_thesis(const struct lxfw_yahyapour_grid *experiment, FILE *out)
{
	for (int table = 0; table < 2; table++) {
		fprintf(out, "\nTable 5.%d: jobs at several sites of m128, %s; in parentheses "
			"the thesis\n%-8s", 3 + table, table ? "% of the work" :
			"of 10,000", "");
		for (int i = 0; i < LXFW_G_WORKLOADS; i++)
			fprintf(out, "%18s", lxfw_g_workloads[i]);
		for (int i = 0; i < LXFW_G_OVERHEADS; i++) {
			fprintf(out, "\np=%d%%%*s", 5 * i, i < 2 ? 4 : 3, "");
			for (int j = 0; j < LXFW_G_WORKLOADS; j++) {
				const double *cell = experiment->values[j][LXFW_G_ORG]
						     [LXFW_G_MULTI + i][LXFW_G_M128];

				if (table)
					fprintf(out, "    %5.1f (%5.1f)", 100 *
						cell[LXFW_G_WORK],
						lxfw_g_thesis_work[i][j]);
				else
					fprintf(out, "     %5.0f (%4d)", LXFW_G_JOBS *
						cell[LXFW_G_SEVERAL],
						lxfw_g_thesis_several[i][j]);
			}
		}
		putc('\n', out);
	}
}

static double value(const void *results, const struct lxfw_cell *cell, int seed)
{
	const struct lxfw_yahyapour_grid *experiment = results;

	(void)seed;
	return experiment->values[cell->table / LXFW_G_SPLITS][cell->table % LXFW_G_SPLITS]
		[cell->row][cell->column / LXFW_G_METRICS][cell->column % LXFW_G_METRICS];
}

static void print_cell(const void *results, const struct lxfw_cell *cell, FILE *out)
{
	char name[32];

	(void)results;
	fprintf(out, "%s_%s, %s, %s, %s", lxfw_g_workloads[cell->table / LXFW_G_SPLITS],
		lxfw_g_splits[cell->table % LXFW_G_SPLITS],
		lxfw_g_configs[cell->column / LXFW_G_METRICS].name,
		row_name(cell->row, name), metrics[cell->column % LXFW_G_METRICS]);
}

static struct lxfw_cell_claims claims_of(const struct lxfw_yahyapour_grid *experiment)
{
	return (struct lxfw_cell_claims) {
		.claims = lxfw_g_claims, .count = lxfw_g_claim_count, .results = experiment,
		.value = value, .print_cell = print_cell, .seeds = 1,
	};
}

/* --- JSON ------------------------------------------------------------------------------- */

static struct json_object *cell_json(const struct lxfw_yahyapour_grid *experiment,
				     const int at[4], bool *failed)
{
	struct json_object *cell = json_object_new_object();
	char name[32];

	lxfw_json_put(cell, "workload", json_object_new_string(lxfw_g_workloads[at[0]]),
		      failed);
	lxfw_json_put(cell, "wide_jobs", json_object_new_string(lxfw_g_splits[at[1]]), failed);
	lxfw_json_put(cell, "scenario", json_object_new_string(row_name(at[2], name)), failed);
	lxfw_json_put(cell, "configuration",
		      json_object_new_string(lxfw_g_configs[at[3]].name), failed);
	for (int i = 0; i < LXFW_G_METRICS; i++)
		lxfw_cell_put_number(cell, keys[i],
				     experiment->values[at[0]][at[1]][at[2]][at[3]][i],
				     failed);
	return cell;
}

static int print_json(const struct lxfw_yahyapour_grid *experiment,
		      const struct lxfw_yahyapour_market *market, enum lxfw_format format,
		      FILE *out)
{
	struct json_object *all = json_object_new_object();
	struct json_object *list = json_object_new_array();
	struct lxfw_cell_claims claims = claims_of(experiment);
	const int cells = LXFW_G_WORKLOADS * LXFW_G_SPLITS * LXFW_G_ROWS * LXFW_G_CONFIGS;
	bool failed = false;

	for (int i = 0; i < cells; i++) {
		const int at[] = {
			i / (LXFW_G_SPLITS * LXFW_G_ROWS * LXFW_G_CONFIGS),
			i / (LXFW_G_ROWS * LXFW_G_CONFIGS) % LXFW_G_SPLITS,
			i / LXFW_G_CONFIGS % LXFW_G_ROWS, i % LXFW_G_CONFIGS,
		};

		if (!isnan(experiment->values[at[0]][at[1]][at[2]][at[3]][0]))
			lxfw_json_append(list, cell_json(experiment, at, &failed), &failed);
	}
	lxfw_json_put(all, "cells", list, &failed);
	lxfw_json_put(all, "claims", lxfw_cell_claims_json(&claims, &failed), &failed);
	lxfw_json_put(all, "market", lxfw_yahyapour_market_json(market, &failed), &failed);
	if (failed) {
		json_object_put(all);
		errno = ENOMEM;
		return -1;
	}
	return lxfw_json_out(all, format, out);
}

int lxfw_yahyapour_grid_print(const struct lxfw_yahyapour_grid *experiment,
			      const struct lxfw_yahyapour_market *market,
			      enum lxfw_format format, FILE *out)
{
	struct lxfw_cell_claims claims = claims_of(experiment);

	if (format != LXFW_FORMAT_TABLE)
		return print_json(experiment, market, format, out);
	for (int i = 0; i < LXFW_G_WORKLOADS; i++) {
		for (int j = 0; j < LXFW_G_SPLITS; j++)
			print_awrt(experiment, i, j, out);
	}
	print_thesis(experiment, out);
	lxfw_cell_claims_print(&claims, out);
	lxfw_yahyapour_market_print(market, out);
	return 0;
}
