/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What lxfw tune's settings cost: beside the goals, and whether they are goals or not. */
#include "sim-frontend/report/report.h"
#include "sim-frontend/report/tuning.h"

#define TEXT 48

enum shape { NUMBER, HOURS, SHARE, SPAN };

static const struct {
	const char *name;
	enum lxfw_tune_measure measure;
	enum shape shape;
} costs[] = {
	{ "suspensions", LXFW_TUNE_PREEMPTIONS, NUMBER },
	{ "  most of one job", LXFW_TUNE_MOST_SUSPENSIONS, NUMBER },
	{ "  most of a job's time", LXFW_TUNE_MOST_SUSPENDED, SHARE },
	{ "requeues", LXFW_TUNE_REQUEUES, NUMBER },
	{ "  processor-hours lost", LXFW_TUNE_LOST_HOURS, HOURS },
	{ "weighted response (AWRT)", LXFW_TUNE_AWRT, SPAN },
};

static const char *text_of(double value, enum shape shape, char *text)
{
	switch (shape) {
	case NUMBER:
		snprintf(text, TEXT, "%.0f", value);
		break;
	case HOURS:
		snprintf(text, TEXT, value < 100 ? "%.1f" : "%.0f", value);
		break;
	case SHARE:
		snprintf(text, TEXT, "%.0f %%", 100 * value);
		break;
	case SPAN:
		lxfw_format_span(value, text, TEXT);
		break;
	}
	return text;
}

/* By the parameters, not by what happened: a quantum may have found no victim. */
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

/* A row of what the settings cost, unless it is nothing for all of them. */
static void print_row(const struct lxfw_confirmation *confirmation, size_t row,
		      FILE *out)
{
	bool any = false;
	char text[TEXT];

	for (int i = 0; i < confirmation->count; i++)
		any |= lxfw_tune_value(&confirmation->choices[i].whole,
				       costs[row].measure) > 0;
	if (!any)
		return;
	fprintf(out, "  %-24s", costs[row].name);
	for (int i = 0; i < confirmation->count; i++) {
		double value = lxfw_tune_value(&confirmation->choices[i].whole,
					       costs[row].measure);

		fprintf(out, " %*s", i ? 8 : 10,
			text_of(value, costs[row].shape, text));
	}
	putc('\n', out);
}

void lxfw_tuning_print_cost(const struct lxfw_tuning_report *report, FILE *out)
{
	const struct lxfw_confirmation *confirmation = report->confirmation;

	fprintf(out, "\nCost in the whole log after the warm-up:\n\n%-26s %10s", "", "now");
	for (int i = 1; i < confirmation->count; i++)
		fprintf(out, " %8c", 'A' + i - 1);
	putc('\n', out);
	for (size_t i = 0; i < sizeof(costs) / sizeof(*costs); i++)
		print_row(confirmation, i, out);
	print_search(report, out);
}
