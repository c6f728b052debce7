/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The figures of Huang's tables 6 and 7, and its claims about them as tests with fixed bounds,
 * for both rules. Words are translated as in huang_table.c: greatly improved, a ratio of 0.50
 * or less; better or improved, 1 or less; the same figure, 0.80 to 1.25; and little influence,
 * 0.95 to 1.05.
 */
#include "sim-frontend/experiment/huang_grid.h"

static const double paper6[1 + LXFW_HG_ESTIMATES] = { 51163, 17381, 15953, 15956, 15953 };
static const double paper7[1 + LXFW_HG_ESTIMATES] = { 8562757, 20987, 19695, 19732, 19720 };
#define PAPER_BETTER 108

static int row_without_rule(int row)
{
	return row == LXFW_HG_LOCAL ? 0 : 1 + (row - 1) % LXFW_HG_ESTIMATES;
}

static double paper_value(const struct lxfw_cell *cell)
{
	int row = row_without_rule(cell->row);

	if (cell->table - LXFW_HG_PAPER == LXFW_HG_TABLE6)
		return paper6[row];
	return cell->table - LXFW_HG_PAPER == LXFW_HG_TABLE7 ? paper7[row] : PAPER_BETTER;
}

static double table6(const struct lxfw_huang_grid *experiment, int vector, int row, int seed)
{
	bool errors = row_without_rule(row) > 1 + LXFW_HG_EXACT;

	return errors ? experiment->worst[vector][row][seed] :
			experiment->cases[lxfw_hg_vectors[vector]][row];
}

double lxfw_huang_grid_value(const struct lxfw_huang_grid *experiment,
			     const struct lxfw_cell *cell, int seed)
{
	double sum = 0;

	if (cell->table >= LXFW_HG_PAPER)
		return paper_value(cell);
	if (cell->table == LXFW_HG_TABLE6)
		return table6(experiment, cell->column, cell->row, seed);
	for (int i = 0; i < LXFW_HG_CASES; i++) {
		const double *means = experiment->cases[i];

		sum += cell->table == LXFW_HG_TABLE7 ? means[cell->row] :
		       means[LXFW_HG_ROW(cell->row, LXFW_HG_EXACT)] <
		       means[LXFW_HG_ROW(cell->row, LXFW_HG_NONE)];
	}
	return cell->table == LXFW_HG_TABLE7 ? sum / LXFW_HG_CASES : sum;
}

/* --- claims ------------------------------------------------------------------------- */

/* Cells of a table, of a rule and estimates; of independent sites; of the paper. */
#define C(table, rule, estimates, column) \
	{ LXFW_HG_##table, LXFW_HG_ROW(LXFW_HG_##rule, LXFW_HG_##estimates), column }
#define L(table, column) { LXFW_HG_##table, LXFW_HG_LOCAL, column }
#define P(table, rule, estimates) \
	{ LXFW_HG_PAPER + LXFW_HG_##table, \
	  LXFW_HG_ROW(LXFW_HG_##rule, LXFW_HG_##estimates), 0 }
#define PL(table) { LXFW_HG_PAPER + LXFW_HG_##table, LXFW_HG_LOCAL, 0 }

#define BELOW_LOCAL(table, rule, estimates, column) \
	{ C(table, rule, estimates, column), L(table, column), 0, 0.5 }
#define HELPS(table, rule, estimates, column) \
	{ C(table, rule, estimates, column), C(table, rule, NONE, column), 0, 1 }
#define LITTLE(table, rule, estimates, column) \
	{ C(table, rule, estimates, column), C(table, rule, EXACT, column), 0.95, 1.05 }
#define MET(table, rule, estimates, column) \
	{ C(table, rule, estimates, column), P(table, rule, estimates), 0.8, 1.25 }

/* The claims about a table for a rule. */
#define CLAIMS(table, title, rule, name, column) \
	{ title, name "_greatly_better", \
	  "grids with adaptive allocation are greatly better than independent sites", \
	  .conditions = { \
		BELOW_LOCAL(table, rule, NONE, column), \
		BELOW_LOCAL(table, rule, EXACT, column), \
		BELOW_LOCAL(table, rule, UNIFORM, column), \
		BELOW_LOCAL(table, rule, NORMAL, column), \
	} }, \
	{ title, name "_estimates_help", "estimates improve it further", .conditions = { \
		HELPS(table, rule, EXACT, column), \
		HELPS(table, rule, UNIFORM, column), \
		HELPS(table, rule, NORMAL, column), \
	} }, \
	{ title, name "_errors_little", "errors of estimates have little influence", \
	  .conditions = { \
		LITTLE(table, rule, UNIFORM, column), \
		LITTLE(table, rule, NORMAL, column), \
	} }, \
	{ title, name "_met", "the figures with adaptive allocation", .conditions = { \
		MET(table, rule, NONE, column), \
		MET(table, rule, EXACT, column), \
		MET(table, rule, UNIFORM, column), \
		MET(table, rule, NORMAL, column), \
	} }

#define BETTER(rule, name) \
	{ "table 7", name "_better_108", \
	  "estimates are better in 108 of the 120 cases", .conditions = { \
		{ { LXFW_HG_BETTER, LXFW_HG_##rule, 0 }, \
		  { LXFW_HG_PAPER + LXFW_HG_BETTER, 0, 0 }, 0.8, 1.25 }, \
	} }

const struct lxfw_cell_claim lxfw_hg_claims[] = {
	{ "table 6", "independent_met", "the figure of independent sites", .conditions = {
		{ L(TABLE6, LXFW_HG_PRINTED), PL(TABLE6), 0.8, 1.25 },
	} },
	{ "table 7", "independent_mean_met", "the figure of independent sites", .conditions = {
		{ L(TABLE7, 0), PL(TABLE7), 0.8, 1.25 },
	} },
	CLAIMS(TABLE6, "table 6", POWER, "power_6", LXFW_HG_PRINTED),
	CLAIMS(TABLE7, "table 7", POWER, "power_7", 0),
	BETTER(POWER, "power"),
	CLAIMS(TABLE6, "table 6", PROCS, "procs_6", LXFW_HG_PRINTED),
	CLAIMS(TABLE7, "table 7", PROCS, "procs_7", 0),
	BETTER(PROCS, "procs"),
};

const int lxfw_hg_claim_count = sizeof(lxfw_hg_claims) / sizeof(*lxfw_hg_claims);
