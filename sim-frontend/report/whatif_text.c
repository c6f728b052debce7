/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "sim-frontend/report/whatif.h"
#include "sim-frontend/util/json_out.h"
#include "sim-frontend/util/letters.h"

#define TEXT 48

static const char *const started_text[] = { "1 h", "4 h", "24 h" };
static const char *const started_key[] = { "started_1h", "started_4h", "started_24h" };

/* --- text -------------------------------------------------------------------------------- */

static void head_text(const struct lxfw_whatif_table *table,
		      const struct lxfw_whatif_figures *figures, FILE *out)
{
	char text[128];

	fprintf(out, "state at %s: %" PRId64 " processors up on %zu nodes, %zu jobs run, "
		"%zu wait\n", lxfw_whatif_time(table, table->whatif->file->state.now, text,
		sizeof(text)), figures->procs, figures->hosts, figures->running,
		table->result->count);
	fprintf(out, "run times: %s\n", lxfw_whatif_run_times(table, text, sizeof(text)));
	fprintf(out, "%s; simulated for %.4g h\n",
		lxfw_whatif_submissions(table, text, sizeof(text)),
		(double)table->whatif->horizon / 3600);
	if (table->change)
		fprintf(out, "change: %s\n", table->change);
	fputc('\n', out);
}

static void difference_text(const struct lxfw_whatif_table *table,
			    const struct lxfw_whatif_row *row, FILE *out)
{
	char text[3][TEXT];

	fprintf(out, " %11s", row->comparable ?
		lxfw_whatif_difference((double)row->difference, text[0], TEXT) : "");
	if (table->result->futures > 1)
		fprintf(out, " %9s %9s", row->comparable ?
			lxfw_whatif_difference((double)row->low, text[1], TEXT) : "",
			row->comparable ?
			lxfw_whatif_difference((double)row->high, text[2], TEXT) : "");
}

static void row_text(const struct lxfw_whatif_table *table,
		     const struct lxfw_whatif_row *row, int width, FILE *out)
{
	char text[4][TEXT];

	fprintf(out, "%-*s %9" PRId64 " %8s %8s %20s",
		lxfw_letters_width(row->name, INT_MAX, width), row->name, row->procs,
		lxfw_format_span((double)row->limit, text[0], TEXT),
		lxfw_format_span((double)row->waited, text[1], TEXT),
		lxfw_whatif_time(table, row->start[LXFW_SIDE_NOW], text[2], TEXT));
	if (table->result->changed) {
		fprintf(out, " %20s", lxfw_whatif_time(table, row->start[LXFW_SIDE_THEN],
						       text[3], TEXT));
		difference_text(table, row, out);
	}
	fputc('\n', out);
}

static int jobs_text(const struct lxfw_whatif_table *table, FILE *out)
{
	struct lxfw_whatif_row row;
	int width = 10;

	for (size_t i = 0; i < table->result->count; i++) {
		if (lxfw_whatif_row(table, i, &row))
			return -1;
		if (lxfw_letters_columns(row.name) > width)
			width = lxfw_letters_columns(row.name);
	}
	fprintf(out, "%-*s %9s %8s %8s %20s", width, "job", "procs", "limit", "waited",
		table->result->changed ? "start as is" : "start");
	if (table->result->changed)
		fprintf(out, " %20s %11s", "with the change", "difference");
	if (table->result->changed && table->result->futures > 1)
		fprintf(out, " %9s %9s", "90 % from", "to");
	fputc('\n', out);
	for (size_t i = 0; i < table->result->count; i++) {
		if (lxfw_whatif_row(table, i, &row))
			return -1;
		row_text(table, &row, width, out);
	}
	return 0;
}

static void total_text(const struct lxfw_whatif_table *table, const char *name,
		       int decimals, double now, double then, FILE *out)
{
	char text[TEXT];

	snprintf(text, sizeof(text), "%.*f", decimals, now);
	fprintf(out, "%-32s %14s", name, text);
	if (table->result->changed) {
		snprintf(text, sizeof(text), "%.*f", decimals, then);
		fprintf(out, " %16s", text);
		snprintf(text, sizeof(text), "%+.*f", decimals, then - now);
		fprintf(out, " %12s", text);
	}
	fputc('\n', out);
}

/* The bounds of 90 % of the futures, below a figure. */
static void bounds_text(const struct lxfw_whatif_table *table, int decimals, const double *low,
			const double *high, FILE *out)
{
	char text[TEXT];

	if (table->result->futures == 1)
		return;
	fprintf(out, "%-32s", "  90 % of the futures");
	for (int side = 0; side <= table->result->changed; side++) {
		snprintf(text, sizeof(text), "%.*f-%.*f", decimals, low[side], decimals,
			 high[side]);
		fprintf(out, " %*s", side ? 16 : 14, text);
	}
	fputc('\n', out);
}

static void wait_bounds_text(const struct lxfw_whatif_table *table,
			     const struct lxfw_whatif_figures *figures, FILE *out)
{
	char low[TEXT], high[TEXT], text[2 * TEXT];

	if (table->result->futures == 1)
		return;
	fprintf(out, "%-32s", "  90 % of the futures");
	for (int side = 0; side <= table->result->changed; side++) {
		snprintf(text, sizeof(text), "%s-%s",
			 lxfw_format_span(figures->low_of[side].wait, low, TEXT),
			 lxfw_format_span(figures->high_of[side].wait, high, TEXT));
		fprintf(out, " %*s", side ? 16 : 14, text);
	}
	fputc('\n', out);
}

static void wait_text(const struct lxfw_whatif_table *table,
		      const struct lxfw_whatif_figures *figures, FILE *out)
{
	const struct lxfw_whatif_totals *now = &figures->of[LXFW_SIDE_NOW];
	const struct lxfw_whatif_totals *then = &figures->of[LXFW_SIDE_THEN];
	bool at_least = now->late > 0 || then->late > 0;
	char text[3][TEXT];

	fprintf(out, "%-32s %14s", at_least ? "mean wait, at least" : "mean wait",
		lxfw_format_span(now->wait, text[0], TEXT));
	if (table->result->changed)
		fprintf(out, " %16s %12s", lxfw_format_span(then->wait, text[1], TEXT),
			lxfw_whatif_difference(then->wait - now->wait, text[2], TEXT));
	if (table->result->changed && table->result->futures > 1)
		fprintf(out, "  90 %% from %s to %s",
			lxfw_whatif_difference(figures->low, text[0], TEXT),
			lxfw_whatif_difference(figures->high, text[1], TEXT));
	fputc('\n', out);
	wait_bounds_text(table, figures, out);
}

/* The jobs that are submitted in the simulation. */
static void submitted_text(const struct lxfw_whatif_table *table,
			   const struct lxfw_whatif_figures *figures, FILE *out)
{
	const double *wait = figures->submitted_wait;
	char name[64], text[3][TEXT];

	snprintf(name, sizeof(name), "mean wait of %.0f later jobs", figures->submitted);
	fprintf(out, "%-32s %14s", name,
		lxfw_format_span(wait[LXFW_SIDE_NOW], text[0], TEXT));
	if (table->result->changed)
		fprintf(out, " %16s %12s", lxfw_format_span(wait[LXFW_SIDE_THEN], text[1], TEXT),
			lxfw_whatif_difference(wait[LXFW_SIDE_THEN] - wait[LXFW_SIDE_NOW],
					       text[2], TEXT));
	fputc('\n', out);
}

static void totals_text(const struct lxfw_whatif_table *table,
			const struct lxfw_whatif_figures *figures, FILE *out)
{
	const struct lxfw_whatif_totals *now = &figures->of[LXFW_SIDE_NOW];
	const struct lxfw_whatif_totals *then = &figures->of[LXFW_SIDE_THEN];
	const struct lxfw_whatif_totals *low = figures->low_of, *high = figures->high_of;
	int decimals = table->result->futures > 1;
	char name[64], direction[256];

	fputc('\n', out);
	if (table->result->changed)
		fprintf(out, "%-32s %14s %16s %12s\n", "", "as is", "with the change",
			"difference");
	wait_text(table, figures, out);
	for (int i = 0; i < 3; i++) {
		snprintf(name, sizeof(name), "jobs started within %s", started_text[i]);
		total_text(table, name, decimals, now->started[i], then->started[i], out);
		bounds_text(table, 0, (double[]) { low[0].started[i], low[1].started[i] },
			    (double[]) { high[0].started[i], high[1].started[i] }, out);
	}
	snprintf(name, sizeof(name), "jobs not started within %.4g h",
		 (double)table->whatif->horizon / 3600);
	total_text(table, name, decimals, now->late, then->late, out);
	bounds_text(table, 0, (double[]) { low[0].late, low[1].late },
		    (double[]) { high[0].late, high[1].late }, out);
	total_text(table, "utilization", 3, now->utilization, then->utilization, out);
	bounds_text(table, 3, (double[]) { low[0].utilization, low[1].utilization },
		    (double[]) { high[0].utilization, high[1].utilization }, out);
	if (table->whatif->submissions)
		submitted_text(table, figures, out);
	if (*lxfw_whatif_direction(table, figures, direction, sizeof(direction)))
		fprintf(out, "\n%s\n", direction);
	if (!table->whatif->submissions)
		fputs("\nThe utilization falls to the end because no job is submitted. With "
		      "submissions, jobs\nof high priority would delay the starts above.\n",
		      out);
}

int lxfw_whatif_text(const struct lxfw_whatif_table *table, FILE *out)
{
	struct lxfw_whatif_figures figures;

	if (lxfw_whatif_figures(table, &figures))
		return -1;
	head_text(table, &figures, out);
	if (table->result->count == 0) {
		fputs("No job waits.\n", out);
		return 0;
	}
	if (jobs_text(table, out))
		return -1;
	totals_text(table, &figures, out);
	return 0;
}

/* --- JSON -------------------------------------------------------------------------------- */

static struct json_object *number(double value)
{
	char text[32];

	return json_object_new_double_s(value, lxfw_format_double(value, text,
								   sizeof(text)));
}

static void put_integer(struct json_object *to, const char *key, int64_t value, bool *failed)
{
	if (value != LXFW_NEVER)
		lxfw_json_put(to, key, json_object_new_int64(value), failed);
}

static struct json_object *row_json(const struct lxfw_whatif_table *table,
				    const struct lxfw_whatif_row *row, bool *failed)
{
	struct json_object *one = json_object_new_object();

	lxfw_json_put(one, "job", json_object_new_string(row->name), failed);
	put_integer(one, "procs", row->procs, failed);
	put_integer(one, "limit", row->limit, failed);
	put_integer(one, "waited", row->waited, failed);
	put_integer(one, "start", row->start[LXFW_SIDE_NOW], failed);
	if (!table->result->changed)
		return one;
	put_integer(one, "changed_start", row->start[LXFW_SIDE_THEN], failed);
	if (!row->comparable)
		return one;
	put_integer(one, "difference", row->difference, failed);
	if (table->result->futures > 1) {
		put_integer(one, "difference_low90", row->low, failed);
		put_integer(one, "difference_high90", row->high, failed);
	}
	return one;
}

static void put_totals(struct json_object *one, const struct lxfw_whatif_totals *totals,
		       bool at_least, bool *failed)
{
	lxfw_json_put(one, at_least ? "mean_wait_at_least" : "mean_wait",
		      number(totals->wait), failed);
	for (int i = 0; i < 3; i++)
		lxfw_json_put(one, started_key[i], number(totals->started[i]), failed);
	lxfw_json_put(one, "not_started", number(totals->late), failed);
	lxfw_json_put(one, "utilization", number(totals->utilization), failed);
}

/* The totals of a side, with the bounds of 90 % of several futures. */
static struct json_object *totals_json(const struct lxfw_whatif_table *table,
				       const struct lxfw_whatif_figures *figures, int side,
				       bool *failed)
{
	struct json_object *one = json_object_new_object();

	bool at_least = figures->of[side].late > 0;

	put_totals(one, &figures->of[side], at_least, failed);
	if (table->whatif->submissions) {
		lxfw_json_put(one, "submitted", number(figures->submitted), failed);
		lxfw_json_put(one, "submitted_mean_wait",
			      number(figures->submitted_wait[side]), failed);
	}
	for (int high = 0; high < 2 && table->result->futures > 1; high++) {
		struct json_object *bounds = json_object_new_object();

		put_totals(bounds, high ? &figures->high_of[side] : &figures->low_of[side],
			   at_least, failed);
		lxfw_json_put(one, high ? "high90" : "low90", bounds, failed);
	}
	return one;
}

static void put_head(struct json_object *top, const struct lxfw_whatif_table *table,
		     const struct lxfw_whatif_figures *figures, bool *failed)
{
	static const char *const run_times[] = { "limits", "predicted", "known" };
	const struct lxfw_whatif *whatif = table->whatif;

	put_integer(top, "time", whatif->file->state.now, failed);
	put_integer(top, "processors", figures->procs, failed);
	put_integer(top, "nodes", (int64_t)figures->hosts, failed);
	put_integer(top, "running", (int64_t)figures->running, failed);
	put_integer(top, "waiting", (int64_t)table->result->count, failed);
	put_integer(top, "seconds", whatif->horizon, failed);
	lxfw_json_put(top, "run_times", json_object_new_string(
		      run_times[whatif->run_times]), failed);
	put_integer(top, "futures", whatif->futures, failed);
	lxfw_json_put(top, "submissions", json_object_new_boolean(whatif->submissions), failed);
	if (table->change)
		lxfw_json_put(top, "change", json_object_new_string(table->change), failed);
}

/* The change of the mean wait, with the bounds of 90 %. */
static struct json_object *difference_json(const struct lxfw_whatif_table *table,
					   const struct lxfw_whatif_figures *figures,
					   bool *failed)
{
	struct json_object *one = json_object_new_object();

	lxfw_json_put(one, "mean_wait", number(figures->of[LXFW_SIDE_THEN].wait -
					       figures->of[LXFW_SIDE_NOW].wait), failed);
	if (table->result->futures > 1) {
		lxfw_json_put(one, "low90", number(figures->low), failed);
		lxfw_json_put(one, "high90", number(figures->high), failed);
		put_integer(one, "futures_shorter", (int64_t)figures->shorter, failed);
		put_integer(one, "futures_longer", (int64_t)figures->longer, failed);
	}
	return one;
}

int lxfw_whatif_json(const struct lxfw_whatif_table *table, enum lxfw_format format,
		     FILE *out)
{
	struct json_object *top = json_object_new_object();
	struct json_object *jobs = json_object_new_array();
	struct lxfw_whatif_figures figures;
	struct lxfw_whatif_row row;
	bool failed = lxfw_whatif_figures(table, &figures) != 0;

	put_head(top, table, &figures, &failed);
	lxfw_json_put(top, "as_is", totals_json(table, &figures, LXFW_SIDE_NOW, &failed),
		      &failed);
	if (table->result->changed)
		lxfw_json_put(top, "changed", totals_json(table, &figures, LXFW_SIDE_THEN,
							  &failed), &failed);
	if (table->result->changed)
		lxfw_json_put(top, "difference", difference_json(table, &figures, &failed),
			      &failed);
	for (size_t i = 0; i < table->result->count && !failed; i++) {
		failed = lxfw_whatif_row(table, i, &row) != 0;
		if (!failed)
			lxfw_json_append(jobs, row_json(table, &row, &failed), &failed);
	}
	lxfw_json_put(top, "jobs", jobs, &failed);
	if (failed) {
		json_object_put(top);
		top = NULL;
	}
	return lxfw_json_out(top, format, out);
}
