/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>

#include "sim-frontend/report/page.h"
#include "sim-frontend/report/svg.h"
#include "sim-frontend/report/whatif.h"

#define TEXT 48

static void put_head(const struct lxfw_whatif_table *table,
		     const struct lxfw_whatif_figures *figures, struct lxfw_output *output)
{
	char text[128];

	lxfw_page_begin(output, "What if, from now", lxfw_page_base_name(table->path));
	lxfw_output_text(output, "<p class=\"soft head\">");
	lxfw_html_text(output, lxfw_page_base_name(table->path));
	lxfw_output_format(output, " &middot; state at %s &middot; %" PRId64 " processors up "
			   "on %zu nodes &middot; %zu jobs run, %zu wait</p>\n",
			   lxfw_whatif_time(table, table->whatif->file->state.now, text,
					    sizeof(text)), figures->procs, figures->hosts,
			   figures->running, table->result->count);
	lxfw_output_text(output, "<p>Run times: ");
	lxfw_html_text(output, lxfw_whatif_run_times(table, text, sizeof(text)));
	lxfw_output_text(output, "; ");
	lxfw_html_text(output, lxfw_whatif_submissions(table, text, sizeof(text)));
	lxfw_output_format(output, "; simulated for %.4g h.</p>\n",
			   (double)table->whatif->horizon / 3600);
	if (!table->change)
		return;
	lxfw_output_text(output, "<p>Change: ");
	lxfw_html_text(output, table->change);
	lxfw_output_text(output, "</p>\n");
}

/* A row of totals. */
static void put_total(const struct lxfw_whatif_table *table, struct lxfw_output *output,
		      const char *name, const char *now, const char *then,
		      const char *difference)
{
	lxfw_output_format(output, "<tr><th>%s</th><td>%s</td>", name, now);
	if (table->result->changed)
		lxfw_output_format(output, "<td>%s</td><td>%s</td>", then, difference);
	lxfw_output_text(output, "</tr>\n");
}

static void put_number(const struct lxfw_whatif_table *table, struct lxfw_output *output,
		       const char *name, int decimals, double now, double then)
{
	char text[3][TEXT];

	snprintf(text[0], TEXT, "%.*f", decimals, now);
	snprintf(text[1], TEXT, "%.*f", decimals, then);
	snprintf(text[2], TEXT, "%+.*f", decimals, then - now);
	put_total(table, output, name, text[0], text[1], text[2]);
}

/* The bounds of 90 % of the futures, a row below a figure. */
static void put_bounds(const struct lxfw_whatif_table *table, struct lxfw_output *output,
		       int decimals, const double *low, const double *high)
{
	char text[2][2 * TEXT];

	for (int side = 0; side < LXFW_WHATIF_SIDES; side++)
		snprintf(text[side], sizeof(text[side]), "%.*f-%.*f", decimals, low[side],
			 decimals, high[side]);
	if (table->result->futures > 1)
		put_total(table, output, "90 % of the futures", text[0], text[1], "");
}

static void put_wait_bounds(const struct lxfw_whatif_table *table,
			    const struct lxfw_whatif_figures *figures,
			    struct lxfw_output *output)
{
	char text[LXFW_WHATIF_SIDES][2 * TEXT], low[TEXT], high[TEXT];

	for (int side = 0; side < LXFW_WHATIF_SIDES; side++)
		snprintf(text[side], sizeof(text[side]), "%s-%s",
			 lxfw_format_span(figures->low_of[side].wait, low, TEXT),
			 lxfw_format_span(figures->high_of[side].wait, high, TEXT));
	if (table->result->futures > 1)
		put_total(table, output, "90 % of the futures", text[0], text[1], "");
}

/* The jobs that are submitted in the simulation. */
static void put_submitted(const struct lxfw_whatif_table *table,
			  const struct lxfw_whatif_figures *figures, struct lxfw_output *output)
{
	const double *wait = figures->submitted_wait;
	char name[64], text[3][TEXT];

	if (!table->whatif->submissions)
		return;
	snprintf(name, sizeof(name), "mean wait of %.0f later jobs", figures->submitted);
	put_total(table, output, name, lxfw_format_span(wait[LXFW_SIDE_NOW], text[0], TEXT),
		  lxfw_format_span(wait[LXFW_SIDE_THEN], text[1], TEXT),
		  lxfw_whatif_difference(wait[LXFW_SIDE_THEN] - wait[LXFW_SIDE_NOW], text[2],
					 TEXT));
}

static void put_direction(const struct lxfw_whatif_table *table,
			  const struct lxfw_whatif_figures *figures, struct lxfw_output *output)
{
	char text[256], low[TEXT], high[TEXT];

	if (!*lxfw_whatif_direction(table, figures, text, sizeof(text)))
		return;
	lxfw_output_text(output, "<p>");
	lxfw_html_text(output, text);
	lxfw_output_format(output, " The difference is from %s to %s with a probability of "
			   "90 %%.</p>\n",
			   lxfw_whatif_difference(figures->low, low, TEXT),
			   lxfw_whatif_difference(figures->high, high, TEXT));
}

static void put_totals(const struct lxfw_whatif_table *table,
		       const struct lxfw_whatif_figures *figures, struct lxfw_output *output)
{
	static const char *const within[] = {
		"jobs started within 1 h", "jobs started within 4 h",
		"jobs started within 24 h",
	};
	const struct lxfw_whatif_totals *now = &figures->of[LXFW_SIDE_NOW];
	const struct lxfw_whatif_totals *then = &figures->of[LXFW_SIDE_THEN];
	const struct lxfw_whatif_totals *low = figures->low_of, *high = figures->high_of;
	int decimals = table->result->futures > 1;
	char text[3][TEXT];

	lxfw_page_section(output, NULL, "Totals");
	lxfw_page_table_begin(output, NULL);
	lxfw_output_format(output, "<thead><tr><th></th><th>as is</th>%s</tr></thead>\n"
			   "<tbody>\n", table->result->changed ?
			   "<th>with the change</th><th>difference</th>" : "");
	put_total(table, output, now->late > 0 || then->late > 0 ? "mean wait, at least" :
		  "mean wait", lxfw_format_span(now->wait, text[0], TEXT),
		  lxfw_format_span(then->wait, text[1], TEXT),
		  lxfw_whatif_difference(then->wait - now->wait, text[2], TEXT));
	put_wait_bounds(table, figures, output);
	for (int i = 0; i < 3; i++) {
		put_number(table, output, within[i], decimals, now->started[i],
			   then->started[i]);
		put_bounds(table, output, 0, (double[]) { low[0].started[i], low[1].started[i] },
			   (double[]) { high[0].started[i], high[1].started[i] });
	}
	put_number(table, output, "jobs not started", decimals, now->late, then->late);
	put_bounds(table, output, 0, (double[]) { low[0].late, low[1].late },
		   (double[]) { high[0].late, high[1].late });
	put_number(table, output, "utilization", 3, now->utilization, then->utilization);
	put_bounds(table, output, 3, (double[]) { low[0].utilization, low[1].utilization },
		   (double[]) { high[0].utilization, high[1].utilization });
	put_submitted(table, figures, output);
	lxfw_output_text(output, "</tbody>\n");
	lxfw_page_table_end(output);
	put_direction(table, figures, output);
}

static void put_row(const struct lxfw_whatif_table *table,
		    const struct lxfw_whatif_row *row, struct lxfw_output *output)
{
	char text[6][TEXT];

	lxfw_output_text(output, "<tr><th>");
	lxfw_html_text(output, row->name);
	lxfw_output_format(output, "</th><td>%" PRId64 "</td><td>%s</td><td>%s</td><td>%s</td>",
			   row->procs, lxfw_format_span((double)row->limit, text[0], TEXT),
			   lxfw_format_span((double)row->waited, text[1], TEXT),
			   lxfw_whatif_time(table, row->start[LXFW_SIDE_NOW], text[2], TEXT));
	if (table->result->changed)
		lxfw_output_format(output, "<td>%s</td><td>%s</td>",
				   lxfw_whatif_time(table, row->start[LXFW_SIDE_THEN], text[3],
						    TEXT), row->comparable ?
				   lxfw_whatif_difference((double)row->difference, text[4],
							  TEXT) : "");
	lxfw_output_text(output, "</tr>\n");
}

static int put_jobs(const struct lxfw_whatif_table *table, struct lxfw_output *output)
{
	struct lxfw_whatif_row row;

	lxfw_page_section(output, NULL, "Waiting jobs");
	lxfw_page_table_begin(output, table->result->futures > 1 ?
			      "Starts and differences are medians of the futures." : NULL);
	lxfw_output_format(output, "<thead><tr><th>job</th><th>processors</th><th>limit</th>"
			   "<th>waited</th>%s</tr></thead>\n<tbody>\n",
			   table->result->changed ? "<th>start as is</th><th>with the change"
			   "</th><th>difference</th>" : "<th>start</th>");
	for (size_t i = 0; i < table->result->count; i++) {
		if (lxfw_whatif_row(table, i, &row))
			return -1;
		put_row(table, &row, output);
	}
	lxfw_output_text(output, "</tbody>\n");
	lxfw_page_table_end(output);
	return 0;
}

int lxfw_whatif_page(const struct lxfw_whatif_table *table, struct lxfw_output *output)
{
	struct lxfw_whatif_figures figures;

	if (lxfw_whatif_figures(table, &figures))
		return -1;
	put_head(table, &figures, output);
	put_totals(table, &figures, output);
	if (put_jobs(table, output))
		return -1;
	if (!table->whatif->submissions)
		lxfw_output_text(output, "<p class=\"soft\">The utilization falls to the end "
				 "because no job is submitted. With submissions, jobs of high "
				 "priority would delay these starts.</p>\n");
	lxfw_page_end(output);
	return 0;
}
