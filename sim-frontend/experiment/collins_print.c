/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>

#include "sim-frontend/experiment/collins.h"
#include "sim-frontend/experiment/spread.h"
#include "sim-frontend/util/json_out.h"

static const char *const metrics[LXFW_C_METRICS] = {
	"mean job time in s", "share in parallel", "stops per job",
};
static const char *const columns[LXFW_C_COLUMNS] = {
	"OLB", "SJS", "PJS", "saved by PJS", "PJS / SJS",
};

/* --- values ----------------------------------------------------------------------------- */

static double light(const struct lxfw_collins *experiment, int row, int column)
{
	const double *values = experiment->light[row];

	if (column < LXFW_C_BROKERS)
		return values[column];
	return column == LXFW_C_SAVED ? 1 - values[LXFW_C_PJS] / values[LXFW_C_SJS] :
					values[LXFW_C_PJS] / values[LXFW_C_SJS];
}

static double light_most(const struct lxfw_collins *experiment, int column)
{
	double most = light(experiment, 0, column);

	for (int i = 1; i < LXFW_C_LIGHT; i++)
		most = fmax(most, light(experiment, i, column));
	return most;
}

static double priority_value(const struct lxfw_collins *experiment, int row, int count,
			     int column, int seed)
{
	const double (*values)[LXFW_C_LEVELS][LXFW_C_SEEDS] =
		experiment->priorities[row / LXFW_C_LEVELS][count];
	int level = row % LXFW_C_LEVELS;

	if (column < LXFW_C_BROKERS)
		return values[column][level][seed];
	return values[LXFW_C_PJS][level][seed] / values[LXFW_C_SJS][level][seed];
}

/* The mean over the numbers of jobs, or the largest value. */
static double priority_summary(const struct lxfw_collins *experiment,
			       const struct lxfw_cell *cell, int seed)
{
	int column = cell->column % LXFW_C_COLUMNS;
	double sum = 0, most = 0;

	for (int i = 0; i < LXFW_C_COUNTS; i++) {
		double value = priority_value(experiment, cell->row, i, column, seed);

		sum += value;
		most = fmax(most, value);
	}
	return cell->column / LXFW_C_COLUMNS == LXFW_C_COUNTS ? sum / LXFW_C_COUNTS : most;
}

static double plans(const struct lxfw_collins *experiment, int share, int count, int seed)
{
	double sum = 0;

	if (count < LXFW_C_PLANS)
		return experiment->plans[share][count][seed];
	for (int i = 0; i < LXFW_C_PLANS; i++)
		sum += experiment->plans[share][i][seed];
	return sum / LXFW_C_PLANS;
}

double lxfw_collins_value(const struct lxfw_collins *experiment, const struct lxfw_cell *cell,
			  int seed)
{
	switch (cell->table) {
	case LXFW_C_FIGURE4:
		return plans(experiment, cell->row, cell->column, seed);
	case LXFW_C_FIGURE5:
		return cell->row == LXFW_C_LIGHT ? light_most(experiment, cell->column) :
						   light(experiment, cell->row, cell->column);
	case LXFW_C_FIGURE6:
		if (cell->column / LXFW_C_COLUMNS >= LXFW_C_COUNTS)
			return priority_summary(experiment, cell, seed);
		return priority_value(experiment, cell->row, cell->column / LXFW_C_COLUMNS,
				      cell->column % LXFW_C_COLUMNS, seed);
	default:
		return experiment->arrivals[cell->row / LXFW_C_LEVELS]
			[cell->column / LXFW_C_METRICS][cell->row % LXFW_C_LEVELS]
			[cell->column % LXFW_C_METRICS][seed];
	}
}

/* The median over the seeds. */
static double median(const struct lxfw_collins *experiment, int table, int row, int column)
{
	const struct lxfw_cell cell = { table, row, column };
	double values[LXFW_C_SEEDS];

	for (int i = 0; i < experiment->seeds; i++)
		values[i] = lxfw_collins_value(experiment, &cell, i);
	return lxfw_spread_of(values, experiment->seeds).median;
}

/* --- claims ------------------------------------------------------------------------------ */

static double value(const void *results, const struct lxfw_cell *cell, int seed)
{
	return lxfw_collins_value(results, cell, seed);
}

static void print_cell(const void *results, const struct lxfw_cell *cell, FILE *out)
{
	int count;

	(void)results;
	if (cell->table == LXFW_C_FIGURE4) {
		fprintf(out, "%d %% may run in parallel", lxfw_c_shares[cell->row]);
	} else if (cell->table == LXFW_C_FIGURE5) {
		fputs(columns[cell->column], out);
		if (cell->row < LXFW_C_LIGHT)
			fprintf(out, ", %d jobs", 5 * (cell->row + 1));
		else
			fputs(", at most", out);
	} else {
		fprintf(out, "%s, %s, ", lxfw_c_mixes[cell->row / LXFW_C_LEVELS],
			lxfw_c_levels[cell->row % LXFW_C_LEVELS]);
		count = cell->column / LXFW_C_COLUMNS;
		if (cell->table == LXFW_C_FIGURE8)
			fprintf(out, "%d arrivals, %s", 1 << cell->column / LXFW_C_METRICS,
				metrics[cell->column % LXFW_C_METRICS]);
		else if (count < LXFW_C_COUNTS)
			fprintf(out, "%d jobs, %s", 20 * (count + 1),
				columns[cell->column % LXFW_C_COLUMNS]);
		else
			fprintf(out, "%s, %s", count == LXFW_C_COUNTS ? "mean" : "at most",
				columns[cell->column % LXFW_C_COLUMNS]);
	}
}

static struct lxfw_cell_claims claims_of(const struct lxfw_collins *experiment)
{
	return (struct lxfw_cell_claims) {
		.claims = lxfw_c_claims, .count = lxfw_c_claim_count, .results = experiment,
		.value = value, .print_cell = print_cell, .seeds = experiment->seeds,
	};
}

/* --- text ---------------------------------------------------------------------------------- */

static void print_plans(const struct lxfw_collins *experiment, FILE *out)
{
	fputs("Figure 4: sequential plans of PJS over those of SJS, 40 machines in part in 5 "
	      "clusters\njobs          ", out);
	for (int i = 0; i < LXFW_C_PLANS; i++)
		fprintf(out, "%8d", lxfw_c_plan_jobs[i]);
	fputs("    mean", out);
	for (int i = 0; i < LXFW_C_SHARES; i++) {
		fprintf(out, "\n%3d %% parallel", lxfw_c_shares[i]);
		for (int j = 0; j <= LXFW_C_PLANS; j++)
			fprintf(out, "%8.1f", median(experiment, LXFW_C_FIGURE4, i, j));
	}
	putc('\n', out);
}

static void print_light(const struct lxfw_collins *experiment, FILE *out)
{
	fputs("\nFigure 5: sum of job times in s, all jobs at time 0\n"
	      "  jobs       OLB       SJS       PJS   saved\n", out);
	for (int i = 0; i < LXFW_C_LIGHT; i++)
		fprintf(out, "%6d %9.0f %9.0f %9.0f %6.1f%%\n", 5 * (i + 1),
			light(experiment, i, LXFW_C_OLB), light(experiment, i, LXFW_C_SJS),
			light(experiment, i, LXFW_C_PJS),
			100 * light(experiment, i, LXFW_C_SAVED));
}

static void print_priorities(const struct lxfw_collins *experiment, FILE *out)
{
	fputs("\nFigure 6: sum of job times of PJS over that of SJS, all jobs at time 0\njobs  "
	      "            ", out);
	for (int i = 1; i < LXFW_C_COUNTS; i += 2)
		fprintf(out, "%6d", 20 * (i + 1));
	for (int mix = 0; mix < LXFW_C_MIXES; mix++) {
		for (int level = mix == LXFW_C_EQUAL ? LXFW_C_ALL : 0; level < LXFW_C_LEVELS;
		     level++) {
			fprintf(out, "\n%-9s %-8s", lxfw_c_mixes[mix], lxfw_c_levels[level]);
			for (int i = 1; i < LXFW_C_COUNTS; i += 2)
				fprintf(out, "%6.2f", median(experiment, LXFW_C_FIGURE6,
					mix * LXFW_C_LEVELS + level,
					i * LXFW_C_COLUMNS + LXFW_C_RATIO));
		}
	}
	fputs("\n\nFigure 7: sum of all job times in s, mean over 20 to 500 jobs\n"
	      "                SJS       PJS\n", out);
	for (int mix = 0; mix < LXFW_C_MIXES; mix++) {
		fprintf(out, "%-9s", lxfw_c_mixes[mix]);
		for (int i = LXFW_C_SJS; i <= LXFW_C_PJS; i++)
			fprintf(out, "%10.0f", median(experiment, LXFW_C_FIGURE6,
				mix * LXFW_C_LEVELS + LXFW_C_ALL,
				LXFW_C_COUNTS * LXFW_C_COLUMNS + i));
		putc('\n', out);
	}
}

static void print_arrivals(const struct lxfw_collins *experiment, int metric,
			   const char *title, double factor, FILE *out)
{
	fprintf(out, "\n%s\narrivals in 10 s  ", title);
	for (int i = 0; i < LXFW_C_RATES; i++)
		fprintf(out, "%8d", 1 << i);
	for (int mix = 0; mix < LXFW_C_MIXES; mix++) {
		for (int level = mix == LXFW_C_EQUAL ? LXFW_C_ALL : 0; level < LXFW_C_LEVELS;
		     level++) {
			fprintf(out, "\n%-9s %-8s", lxfw_c_mixes[mix], lxfw_c_levels[level]);
			for (int i = 0; i < LXFW_C_RATES; i++)
				fprintf(out, "%8.*f", metric == LXFW_C_STOPS ? 2 : 0,
					factor * median(experiment, LXFW_C_FIGURE8,
							mix * LXFW_C_LEVELS + level,
							i * LXFW_C_METRICS + metric));
		}
	}
	putc('\n', out);
}

/* --- JSON ------------------------------------------------------------------------------------ */

static struct json_object *row_json(const struct lxfw_collins *experiment, int mix, int level,
				    int rate, bool *failed)
{
	static const char *const keys[] = { "mean_job_time_s", "parallel", "stops" };
	struct json_object *row = json_object_new_object();

	lxfw_json_put(row, "mix", json_object_new_string(lxfw_c_mixes[mix]), failed);
	lxfw_json_put(row, "priority", json_object_new_string(lxfw_c_levels[level]), failed);
	lxfw_json_put(row, "arrivals", json_object_new_int(1 << rate), failed);
	for (int i = 0; i < LXFW_C_METRICS; i++)
		lxfw_cell_put_number(row, keys[i], median(experiment, LXFW_C_FIGURE8,
				     mix * LXFW_C_LEVELS + level, rate * LXFW_C_METRICS + i),
				     failed);
	return row;
}

static struct json_object *light_json(const struct lxfw_collins *experiment, bool *failed)
{
	static const char *const keys[] = { "olb_s", "sjs_s", "pjs_s" };
	struct json_object *list = json_object_new_array();

	for (int i = 0; i < LXFW_C_LIGHT; i++) {
		struct json_object *row = json_object_new_object();

		lxfw_json_put(row, "jobs", json_object_new_int(5 * (i + 1)), failed);
		for (int j = 0; j < LXFW_C_BROKERS; j++)
			lxfw_cell_put_number(row, keys[j], experiment->light[i][j], failed);
		lxfw_json_append(list, row, failed);
	}
	return list;
}

static int print_json(const struct lxfw_collins *experiment, enum lxfw_format format,
		      FILE *out)
{
	struct json_object *all = json_object_new_object();
	struct json_object *list = json_object_new_array();
	struct lxfw_cell_claims claims = claims_of(experiment);
	bool failed = false;

	lxfw_json_put(all, "figure_5", light_json(experiment, &failed), &failed);
	for (int mix = 0; mix < LXFW_C_MIXES; mix++) {
		for (int level = mix == LXFW_C_EQUAL ? LXFW_C_ALL : 0; level < LXFW_C_LEVELS;
		     level++) {
			for (int i = 0; i < LXFW_C_RATES; i++)
				lxfw_json_append(list, row_json(experiment, mix, level, i,
								&failed), &failed);
		}
	}
	lxfw_json_put(all, "arrivals", list, &failed);
	lxfw_json_put(all, "claims", lxfw_cell_claims_json(&claims, &failed), &failed);
	if (failed) {
		json_object_put(all);
		errno = ENOMEM;
		return -1;
	}
	return lxfw_json_out(all, format, out);
}

int lxfw_collins_print(const struct lxfw_collins *experiment, enum lxfw_format format,
		       FILE *out)
{
	struct lxfw_cell_claims claims = claims_of(experiment);

	if (format != LXFW_FORMAT_TABLE)
		return print_json(experiment, format, out);
	print_plans(experiment, out);
	print_light(experiment, out);
	print_priorities(experiment, out);
	print_arrivals(experiment, LXFW_C_TIME, "Figures 8 and 9 (a): mean job time in s, PJS "
		       "with preemption", 1, out);
	print_arrivals(experiment, LXFW_C_PARALLEL, "Figure 9 (b), table 1: % of jobs in "
		       "parallel", 100, out);
	print_arrivals(experiment, LXFW_C_STOPS, "Preemptions per job", 1, out);
	lxfw_cell_claims_print(&claims, out);
	return 0;
}
