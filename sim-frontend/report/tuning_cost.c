/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Costs of the settings of lxfw tune, reported whether they are goals or not. */
#include "sim-frontend/report/tuning.h"
#include "sim-frontend/report/tuning_text.h"

/* Decides by parameters, not by events: a quantum may not have preempted any job. */
static bool serves(const struct lxfw_choice *choice)
{
	return lxfw_params_serve(&choice->params);
}

static void print_search(const struct lxfw_tuning_report *report, FILE *out)
{
	const struct lxfw_choice *now = &report->confirmation->choices[0];

	if (!report->quanta_searched && !serves(now))
		fputs("\nQuanta of immediate service were not searched (see "
		      "--quantum).\n", out);
	else if (report->quanta_searched && serves(now))
		fputs("\nThe current setting has a quantum, so quanta were "
		      "searched (--vary lxfw_quantum=0 prevents this).\n", out);
}

/* Prints a row of costs, unless it is zero for all settings. */
static void print_row(const struct lxfw_confirmation *confirmation, size_t row,
		      FILE *out)
{
	const struct lxfw_tuning_cost *cost = lxfw_tuning_cost(row);
	bool any = false;
	char text[LXFW_TUNING_TEXT];

	for (int i = 0; i < confirmation->count; i++)
		any |= lxfw_tune_value(&confirmation->choices[i].whole,
				       cost->measure) > 0;
	if (!any)
		return;
	fprintf(out, "  %-25s", cost->name);
	for (int i = 0; i < confirmation->count; i++)
		fprintf(out, " %*s", i ? 8 : 9,
			lxfw_tuning_cost_text(&confirmation->choices[i], row, text));
	putc('\n', out);
}

void lxfw_tuning_print_cost(const struct lxfw_tuning_report *report, FILE *out)
{
	const struct lxfw_confirmation *confirmation = report->confirmation;
	char name[LXFW_TUNING_TEXT];

	fprintf(out, "\nCost in the whole log after the warm-up:\n\n%-26s %10s", "", "now");
	for (int i = 1; i < confirmation->count; i++)
		fprintf(out, " %8s", lxfw_tuning_name(i, name));
	putc('\n', out);
	for (size_t i = 0; lxfw_tuning_cost(i); i++)
		print_row(confirmation, i, out);
	print_search(report, out);
}
