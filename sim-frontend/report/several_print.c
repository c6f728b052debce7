/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "sim-frontend/report/several.h"

/* --- table ------------------------------------------------------------------------ */

static void print_value(const struct lxfw_report_item *item, FILE *out)
{
	switch (item->kind) {
	case LXFW_ITEM_NAME:
		fprintf(out, " %15s", item->name);
		break;
	case LXFW_ITEM_WHOLE:
		fprintf(out, " %15lld", (long long)item->whole);
		break;
	case LXFW_ITEM_FRACTION:
		fprintf(out, " %15.3f", item->fraction);
		break;
	}
}

static void print_figures(const struct lxfw_several *several, FILE *out)
{
	const struct lxfw_contest *contest = several->contest;

	fprintf(out, "%-30s", "");
	for (size_t i = 0; i < contest->count; i++)
		fprintf(out, " %15s", contest->contestants[i].name);
	putc('\n', out);
	for (int i = 0; i < several->each; i++) {
		const struct lxfw_report_item *item =
			&lxfw_several_at(several, 0, i)->item;
		char label[64];

		snprintf(label, sizeof(label), "%s%s%s", item->label,
			 *item->unit ? ", " : "", item->unit);
		fprintf(out, "%-30s", label);
		for (size_t j = 0; j < contest->count; j++)
			print_value(&lxfw_several_at(several, j, i)->item, out);
		putc('\n', out);
	}
}

/* Prints "-12.3 %" or "from -20.1 to -3.0 %". */
static void print_per_cent(double value, FILE *out)
{
	if (isnan(value))
		fprintf(out, " %10s", "-");
	else
		fprintf(out, " %+8.1f %%", value);
}

static void print_from_to(double low, double high, FILE *out)
{
	if (isnan(low))
		fprintf(out, " %22s", "-");
	else
		fprintf(out, "  %+8.1f to %+8.1f %%", low, high);
}

static void print_changes(const struct lxfw_several *several, size_t who, FILE *out)
{
	const struct lxfw_contest *contest = several->contest;
	bool weeks = contest->weeks >= LXFW_CONTEST_PERIODS;

	fprintf(out, "\n%s compared with %s\n%-30s %10s", contest->contestants[who].name,
		contest->contestants[0].name, "", "change");
	if (weeks)
		fprintf(out, " %22s", "95 % by period");
	if (contest->copies > 0)
		fprintf(out, " %10s %22s", "shaken", "95 % of copies");
	putc('\n', out);
	for (int i = 0; i < several->each; i++) {
		const struct lxfw_several_figure *figure =
			lxfw_several_at(several, who, i);

		if (!figure->compared)
			continue;
		fprintf(out, "%-30s", figure->item.label);
		print_per_cent(figure->change, out);
		if (weeks)
			print_from_to(figure->low, figure->high, out);
		if (contest->copies > 0) {
			print_per_cent(figure->shaken_change.mean, out);
			print_from_to(figure->shaken_change.low,
				      figure->shaken_change.high, out);
		}
		putc('\n', out);
	}
}

static void print_shaken(const struct lxfw_several *several, size_t who, FILE *out)
{
	const struct lxfw_contest *contest = several->contest;

	fprintf(out, "\n%s, perturbed copies\n%-30s %15s %15s %15s\n",
		contest->contestants[who].name, "", "mean", "95 % from", "to");
	for (int i = 0; i < several->each; i++) {
		const struct lxfw_several_figure *figure =
			lxfw_several_at(several, who, i);

		if (figure->compared && !isnan(figure->shaken.mean))
			fprintf(out, "%-30s %15.3f %15.3f %15.3f\n",
				figure->item.label, figure->shaken.mean,
				figure->shaken.low, figure->shaken.high);
	}
}

static void print_table(const struct lxfw_several *several, FILE *out)
{
	const struct lxfw_contest *contest = several->contest;
	double days = (double)contest->period / 86400;

	print_figures(several, out);
	if (contest->count > 1 && contest->weeks >= LXFW_CONTEST_PERIODS)
		fprintf(out, "\n%d periods of %.6g day%s; the 95 %% intervals are wider "
			"for few periods, see lxfw-simulate(1)\n", contest->weeks, days,
			days == 1 ? "" : "s");
	else if (contest->count > 1)
		fprintf(out, "\nno intervals: fewer than %d periods of %.6g day%s\n",
			LXFW_CONTEST_PERIODS, days, days == 1 ? "" : "s");
	if (contest->copies > 0)
		fprintf(out, "%s%zu perturbed copies of the log: arrivals by "
			"up to %lld s, run times by up to %.6g %%, seed %llu\n",
			contest->count > 1 ? "" : "\n", contest->copies,
			(long long)contest->shake.arrivals,
			100 * contest->shake.runs,
			(unsigned long long)contest->shake.seed);
	for (size_t i = 1; i < contest->count; i++)
		print_changes(several, i, out);
	for (size_t i = 0; i < contest->count && contest->copies > 0; i++)
		print_shaken(several, i, out);
}

/* --- CSV -------------------------------------------------------------------------- */

static void put_number(double value, FILE *out)
{
	char text[32];

	putc(',', out);
	if (!isnan(value))
		fputs(lxfw_format_double(value, text, sizeof(text)), out);
}

static void put_range(const struct lxfw_contest_range *range, FILE *out)
{
	put_number(range->mean, out);
	put_number(range->low, out);
	put_number(range->high, out);
}

/* Names contain no characters that require quotes. */
static void print_csv(const struct lxfw_several *several, FILE *out)
{
	fputs("contender,policy,figure,value,difference,change_percent,low_percent,"
	      "high_percent,shaken_mean,shaken_low,shaken_high,"
	      "shaken_change_percent,shaken_change_low_percent,"
	      "shaken_change_high_percent\n", out);
	for (size_t i = 0; i < several->contest->count; i++) {
		const struct lxfw_contestant *of = &several->contest->contestants[i];

		for (int j = 0; j < several->each; j++) {
			const struct lxfw_several_figure *figure =
				lxfw_several_at(several, i, j);

			if (figure->item.kind == LXFW_ITEM_NAME)
				continue;
			fprintf(out, "%s,%s,%s", of->name,
				lxfw_policy_name(of->options.params.policy),
				figure->item.key);
			put_number(lxfw_report_item_value(&figure->item), out);
			put_number(figure->difference, out);
			put_number(figure->change, out);
			put_number(figure->low, out);
			put_number(figure->high, out);
			put_range(&figure->shaken, out);
			put_range(&figure->shaken_change, out);
			putc('\n', out);
		}
	}
}

int lxfw_several_print(const struct lxfw_several *several, enum lxfw_format format,
		       FILE *out)
{
	if (format == LXFW_FORMAT_JSON)
		return lxfw_several_json(several, out);
	if (format == LXFW_FORMAT_CSV)
		print_csv(several, out);
	else
		print_table(several, out);
	return 0;
}
