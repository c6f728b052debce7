/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "sim-frontend/experiment/yahyapour_market.h"
#include "sim-frontend/util/json_out.h"

static const char *const metrics[LXFW_M_METRICS] = {
	"AWRT", "AWWT", "difference of work", "share of two sites", "most used", "second",
	"third", "least used",
};

static const char *const keys[LXFW_M_METRICS] = {
	"awrt_s", "awwt_s", "work_difference", "work_of_two", "used_1", "used_2", "used_3",
	"used_last",
};

static const char *const reading_keys[LXFW_M_READINGS] = {
	"exact", "exact_several", "requested", "requested_exchanged",
};

static bool is_simulated(const struct lxfw_yahyapour_market *experiment, int workload,
			 int reading, int row, int config)
{
	return !isnan(experiment->values[workload][reading][row][config][LXFW_M_AWRT]);
}

/* --- text ---------------------------------------------------------------------------------- */

static void print_row(const struct lxfw_yahyapour_market *experiment, int workload,
		      int reading, int row, FILE *out)
{
	bool any = false;

	for (int i = 0; i < LXFW_G_CONFIGS; i++)
		any |= is_simulated(experiment, workload, reading, row, i);
	if (!any || row == LXFW_M_BEST)
		return;
	fprintf(out, "\n%-20s", lxfw_m_row_name(row));
	for (int i = 0; i < LXFW_G_CONFIGS; i++) {
		if (is_simulated(experiment, workload, reading, row, i))
			fprintf(out, "%10.0f", experiment->values[workload][reading][row][i]
								 [LXFW_M_AWRT]);
		else
			fprintf(out, "%10s", "");
	}
}

static void print_awrt(const struct lxfw_yahyapour_market *experiment, int workload,
		       int reading, FILE *out)
{
	fprintf(out, "\nMarket, %s, %s\nAWRT in s\n%-20s", lxfw_g_workloads[workload],
		lxfw_m_readings[reading], "");
	for (int i = 0; i < LXFW_G_CONFIGS; i++)
		fprintf(out, "%10s", lxfw_g_configs[i].name);
	for (int i = 0; i < LXFW_M_ROWS; i++)
		print_row(experiment, workload, reading, i, out);
	putc('\n', out);
}

/* Figures 6.12 and 6.13. */
static void print_sites(const struct lxfw_yahyapour_market *experiment, FILE *out)
{
	static const int shown[] = {
		LXFW_M_MF1_UF1, LXFW_M_MF1_UF2, LXFW_M_MF2_UF2, LXFW_M_CONVENTIONAL,
	};

	fprintf(out, "\nMarket, syn, %s, sites of m128\n%-20s", lxfw_m_readings[0], "");
	for (int i = LXFW_M_SPREAD; i < LXFW_M_METRICS; i++)
		fprintf(out, "%20s", metrics[i]);
	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++) {
		fprintf(out, "\n%-20s", lxfw_m_row_name(shown[i]));
		for (int j = LXFW_M_SPREAD; j < LXFW_M_METRICS; j++)
			fprintf(out, "%20.3f",
				experiment->values[LXFW_G_SYN][LXFW_M_EXACT][shown[i]]
						  [LXFW_G_M128][j]);
	}
	putc('\n', out);
}

static double value(const void *results, const struct lxfw_cell *cell, int seed)
{
	const struct lxfw_yahyapour_market *experiment = results;

	(void)seed;
	return experiment->values[cell->table / LXFW_M_READINGS][cell->table % LXFW_M_READINGS]
		[cell->row][cell->column / LXFW_M_METRICS][cell->column % LXFW_M_METRICS];
}

static void print_cell(const void *results, const struct lxfw_cell *cell, FILE *out)
{
	(void)results;
	fprintf(out, "%s, %s, %s, %s, %s", lxfw_g_workloads[cell->table / LXFW_M_READINGS],
		reading_keys[cell->table % LXFW_M_READINGS],
		lxfw_g_configs[cell->column / LXFW_M_METRICS].name,
		lxfw_m_row_name(cell->row), metrics[cell->column % LXFW_M_METRICS]);
}

static struct lxfw_cell_claims claims_of(const struct lxfw_yahyapour_market *experiment)
{
	return (struct lxfw_cell_claims) {
		.claims = lxfw_m_claims, .count = lxfw_m_claim_count, .results = experiment,
		.value = value, .print_cell = print_cell, .seeds = 1,
	};
}

void lxfw_yahyapour_market_print(const struct lxfw_yahyapour_market *experiment, FILE *out)
{
	struct lxfw_cell_claims claims = claims_of(experiment);

	for (int i = 0; i < LXFW_G_WORKLOADS; i++) {
		for (int j = 0; j < LXFW_M_READINGS; j++)
			print_awrt(experiment, i, j, out);
	}
	print_sites(experiment, out);
	lxfw_cell_claims_print(&claims, out);
}

/* --- JSON ------------------------------------------------------------------------------------ */

static struct json_object *cell_json(const struct lxfw_yahyapour_market *experiment,
				     const int at[4], bool *failed)
{
	struct json_object *cell = json_object_new_object();

	lxfw_json_put(cell, "workload", json_object_new_string(lxfw_g_workloads[at[0]]),
		      failed);
	lxfw_json_put(cell, "reading", json_object_new_string(reading_keys[at[1]]), failed);
	lxfw_json_put(cell, "functions", json_object_new_string(lxfw_m_row_name(at[2])),
		      failed);
	lxfw_json_put(cell, "configuration",
		      json_object_new_string(lxfw_g_configs[at[3]].name), failed);
	for (int i = 0; i < LXFW_M_METRICS; i++)
		lxfw_cell_put_number(cell, keys[i],
				     experiment->values[at[0]][at[1]][at[2]][at[3]][i],
				     failed);
	return cell;
}

struct json_object *lxfw_yahyapour_market_json(const struct lxfw_yahyapour_market *experiment,
					       bool *failed)
{
	struct json_object *all = json_object_new_object();
	struct json_object *list = json_object_new_array();
	struct lxfw_cell_claims claims = claims_of(experiment);
	const int cells = LXFW_G_WORKLOADS * LXFW_M_READINGS * LXFW_M_BEST * LXFW_G_CONFIGS;

	for (int i = 0; i < cells; i++) {
		const int at[] = {
			i / (LXFW_M_READINGS * LXFW_M_BEST * LXFW_G_CONFIGS),
			i / (LXFW_M_BEST * LXFW_G_CONFIGS) % LXFW_M_READINGS,
			i / LXFW_G_CONFIGS % LXFW_M_BEST, i % LXFW_G_CONFIGS,
		};

		if (is_simulated(experiment, at[0], at[1], at[2], at[3]))
			lxfw_json_append(list, cell_json(experiment, at, failed), failed);
	}
	lxfw_json_put(all, "cells", list, failed);
	lxfw_json_put(all, "claims", lxfw_cell_claims_json(&claims, failed), failed);
	return all;
}
