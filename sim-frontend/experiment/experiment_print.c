/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/experiment/experiment_print.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "sim-frontend/experiment/spread.h"

/* Maximum number of months side by side. */
#define COLUMNS_MAX 8
#define COLUMN 13
#define LABEL 27

/* Measures of all jobs that are printed for every policy. */
static const enum lxfw_tally_measure shown[] = {
	LXFW_TALLY_MEAN, LXFW_TALLY_P95, LXFW_TALLY_MAX, LXFW_TALLY_SLOWDOWN,
	LXFW_TALLY_BOUNDED, LXFW_TALLY_AT_ONCE,
};

const char *lxfw_experiment_number(double value, char *text, size_t size)
{
	double magnitude = fabs(value);
	int digits = magnitude < 1 ? 3 : magnitude < 10 ? 2 :
		     magnitude < 100 ? 1 : 0;

	if (isnan(value))
		snprintf(text, size, "-");
	else
		snprintf(text, size, "%.*f", digits, value);
	return text;
}

double lxfw_experiment_median(const struct lxfw_experiment *experiment, int month,
			    enum lxfw_contender contender,
			    enum lxfw_tally_group group,
			    enum lxfw_tally_measure measure)
{
	double values[LXFW_SEEDS_MAX];

	for (int i = 0; i < experiment->seeds; i++)
		values[i] = experiment->tallies[lxfw_experiment_at(experiment,
			month, i, contender)].values[group][measure];
	return lxfw_spread_of(values, experiment->seeds).median;
}

/* ---- table ------------------------------------------------------------------- */

struct table {
	const struct lxfw_experiment *experiment;
	double *values;			/* one value per month */
	FILE *out;
};

static bool by_month(const struct table *table)
{
	return table->experiment->month_count <= COLUMNS_MAX;
}

static void print_heads(const struct table *table, const char *label)
{
	const struct lxfw_experiment *experiment = table->experiment;

	fprintf(table->out, "\n%-*s", LABEL, label);
	if (by_month(table)) {
		for (int i = 0; i < experiment->month_count; i++)
			fprintf(table->out, "%*s", COLUMN,
				experiment->months[i].name);
	} else {
		fprintf(table->out, "%*s%*s%*s  of %d months", COLUMN, "least",
			COLUMN, "median", COLUMN, "most",
			experiment->month_count);
	}
	putc('\n', table->out);
}

/* Prints table->values on one line. */
static void print_values(const struct table *table)
{
	int count = table->experiment->month_count;
	double three[3], *values = table->values;
	char text[32];

	if (!by_month(table)) {
		struct lxfw_spread spread = lxfw_spread_of(values, count);

		three[0] = spread.least;
		three[1] = spread.median;
		three[2] = spread.most;
		values = three;
		count = 3;
	}
	for (int i = 0; i < count; i++)
		fprintf(table->out, "%*s", COLUMN,
			lxfw_experiment_number(values[i], text, sizeof(text)));
	putc('\n', table->out);
}

static void print_measure(const struct table *table,
			  enum lxfw_tally_group group,
			  enum lxfw_tally_measure measure)
{
	const struct lxfw_experiment *experiment = table->experiment;
	char label[64];

	snprintf(label, sizeof(label), "%s%s%s",
		 lxfw_tally_measure_name(measure),
		 group == LXFW_GROUP_ALL ? "" : ", ",
		 group == LXFW_GROUP_ALL ? "" : lxfw_tally_group_name(group));
	print_heads(table, label);
	for (int i = 0; i < LXFW_CONTENDERS; i++) {
		enum lxfw_contender contender = (enum lxfw_contender)i;

		if (!experiment->takes_part[i])
			continue;
		fprintf(table->out, "  %-*s", LABEL - 2,
			lxfw_contender_text(contender)->name);
		for (int j = 0; j < experiment->month_count; j++)
			table->values[j] = lxfw_experiment_median(experiment, j,
						contender, group, measure);
		print_values(table);
	}
}

/* Prints the medians, marked '!' if out of bounds, and below them the range over the
   seeds. */
static void print_figures(const struct table *table,
			  const struct lxfw_claim_result *outcome, int condition)
{
	const struct lxfw_figure *figures =
		&outcome->figures[condition * outcome->figure_months];
	char low[32], high[32], text[72];

	fprintf(table->out, "%*s", LABEL, "");
	for (int i = 0; i < outcome->figure_months; i++) {
		bool counts = outcome->month_counts[i];

		lxfw_experiment_number(figures[i].median, low, sizeof(low));
		if (counts || isnan(figures[i].median))
			snprintf(text, sizeof(text), "%s%s", low,
				 figures[i].within ? "" : "!");
		else
			snprintf(text, sizeof(text), "(%s)", low);
		fprintf(table->out, "%*s", COLUMN, text);
	}
	putc('\n', table->out);
	if (table->experiment->seeds == 1)
		return;
	fprintf(table->out, "%*s", LABEL, "seeds from to");
	for (int i = 0; i < outcome->figure_months; i++) {
		snprintf(text, sizeof(text), "%s-%s",
			 lxfw_experiment_number(figures[i].least, low,
					      sizeof(low)),
			 lxfw_experiment_number(figures[i].most, high,
					      sizeof(high)));
		fprintf(table->out, "%*s", COLUMN, text);
	}
	putc('\n', table->out);
}

/* Prints a summary for many months: how many are within bounds, and the range of the
   figures. */
static void print_summary(const struct table *table,
			  const struct lxfw_claim_result *outcome, int condition)
{
	int within = 0, of = 0;

	for (int i = 0; i < outcome->figure_months; i++) {
		const struct lxfw_figure *figure =
			&outcome->figures[condition * outcome->figure_months +
					  i];

		table->values[i] = figure->median;
		if (isnan(figure->median))
			continue;
		of++;
		within += figure->within;
	}
	fprintf(table->out, "%*s%*d of %-3d", LABEL - 16, "", 9, within, of);
	print_values(table);
}

static void print_claim(const struct table *table,
			  const struct lxfw_claim_result *outcome)
{
	const struct lxfw_claim *claim = outcome->claim;
	char text[256];

	lxfw_claim_result_text(outcome, text, sizeof(text));
	fprintf(table->out, "\n[%s] %s: %s\n", claim->section, claim->text,
		text);
	if (outcome->seeds > 1)
		fprintf(table->out, "    each seed alone: holds with %d of %d "
			"seeds, in %d of %d %s\n", outcome->seeds_confirmed,
			outcome->seeds, outcome->seeds_holds, outcome->seeds_of,
			claim->most_cases ? "cases" :
			claim->statistic == LXFW_BY_MONTH ? "months" :
							    "comparisons");
	for (int i = 0; i < claim->condition_count; i++) {
		lxfw_condition_text(claim, &claim->conditions[i], text,
				    sizeof(text));
		fprintf(table->out, "    %s\n", text);
		if (by_month(table) || outcome->figure_months == 1)
			print_figures(table, outcome, i);
		else
			print_summary(table, outcome, i);
	}
}

static void print_head(const struct table *table)
{
	const struct lxfw_experiment *experiment = table->experiment;
	int policies = 0;

	for (int i = 0; i < LXFW_CONTENDERS; i++)
		policies += experiment->takes_part[i];
	fprintf(table->out, "%s: %d %s, %d policies", experiment->workload,
		experiment->month_count,
		experiment->month_count == 1 ? "month" : "months", policies);
	if (experiment->synthetic)
		fprintf(table->out, ", %d %s from %llu on", experiment->seeds,
			experiment->seeds == 1 ? "seed" : "seeds",
			(unsigned long long)experiment->first_seed);
	putc('\n', table->out);
	if (experiment->seeds > 1)
		fputs("Figures are medians over the seeds.\n", table->out);
}

static void print_table(const struct table *table,
			const struct lxfw_claim_result *outcomes, int count)
{
	int hold = 0, partly = 0;

	print_head(table);
	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++)
		print_measure(table, LXFW_GROUP_ALL, shown[i]);
	print_measure(table, LXFW_GROUP_TO_1M, LXFW_TALLY_MEAN);
	print_measure(table, LXFW_GROUP_OVER_1M, LXFW_TALLY_P95);
	fputs("\nClaims; '!' marks values out of bounds, parentheses values "
	      "that the claim does not concern.\n", table->out);
	for (int i = 0; i < count; i++) {
		print_claim(table, &outcomes[i]);
		hold += outcomes[i].confirmed;
		partly += !outcomes[i].confirmed && outcomes[i].holds > 0;
	}
	fprintf(table->out, "\n%d claims: %d hold, %d hold in some months only, "
		"%d do not\n", count, hold, partly, count - hold - partly);
}

/* --- the report ------------------------------------------------------------------- */

static int make_all(const struct lxfw_experiment *experiment,
		    struct lxfw_claim_result *outcomes)
{
	int count = 0;

	for (int i = 0; i < lxfw_claim_count; i++) {
		if (!lxfw_claim_applies(experiment, &lxfw_claims[i]))
			continue;
		if (lxfw_claim_test(&outcomes[count], experiment,
				      &lxfw_claims[i]))
			return -1;
		count++;
	}
	return count;
}

int lxfw_experiment_print(const struct lxfw_experiment *experiment,
			enum lxfw_format format, FILE *out)
{
	struct lxfw_claim_result *outcomes = calloc((size_t)lxfw_claim_count,
					       sizeof(*outcomes));
	struct table table = {
		.experiment = experiment, .out = out,
		.values = calloc((size_t)experiment->month_count + 1,
				 sizeof(*table.values)),
	};
	int count = -1, result = 0;

	if (outcomes && table.values)
		count = make_all(experiment, outcomes);
	if (count < 0) {
		errno = ENOMEM;
		result = -1;
	} else if (format != LXFW_FORMAT_TABLE) {
		result = lxfw_experiment_json(experiment, outcomes, count, format,
					    out);
	} else {
		print_table(&table, outcomes, count);
	}
	for (int i = 0; outcomes && i < lxfw_claim_count; i++)
		lxfw_claim_result_clear(&outcomes[i]);
	free(outcomes);
	free(table.values);
	return result;
}
