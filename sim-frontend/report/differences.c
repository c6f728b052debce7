/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/differences.h"

#include <math.h>
#include <stdio.h>

#include "sim-frontend/report/page.h"
#include "sim-frontend/report/report.h"
#include "sim-frontend/report/svg.h"

#define WIDTH 120.0
#define HEIGHT 12.0

static void put_bar(struct lxfw_output *output, double difference, double most)
{
	double length = most > 0 ? fabs(difference) / most * WIDTH / 2 : 0;

	lxfw_output_format(output, "<td class=\"tip\"><svg viewBox=\"0 0 %g %g\" "
			   "aria-hidden=\"true\">", WIDTH, HEIGHT);
	if (length >= 0.1)
		lxfw_svg_box(output, difference < 0 ? WIDTH / 2 - length :
			     WIDTH / 2, 1, length, HEIGHT - 2,
			     difference < 0 ? "bar s2" : "bar s1");
	lxfw_svg_line(output, WIDTH / 2, 0, WIDTH / 2, HEIGHT, "axis");
	lxfw_output_text(output, "</svg></td>");
}

static void put_row(struct lxfw_output *output, const struct lxfw_difference *row,
		    double most)
{
	double difference = row->after - row->before;
	char before[32], after[32], text[32];

	lxfw_output_text(output, "<tr><td>");
	lxfw_html_text(output, row->name);
	lxfw_output_format(output, "</td><td>%zu</td><td class=\"s0\">%s</td>"
			   "<td class=\"s1\">%s</td><td>%s%s</td>", row->jobs,
			   lxfw_format_span(row->before, before, sizeof(before)),
			   lxfw_format_span(row->after, after, sizeof(after)),
			   difference < 0 ? "-" : "+",
			   lxfw_format_span(fabs(difference), text, sizeof(text)));
	put_bar(output, difference, most);
	lxfw_output_text(output, "</tr>\n");
}

void lxfw_differences(struct lxfw_output *output, const char *caption,
		      const char *title, const char *const names[2],
		      const struct lxfw_difference *rows, size_t count)
{
	double most = 0;

	for (size_t i = 0; i < count; i++)
		most = fmax(most, fabs(rows[i].after - rows[i].before));
	lxfw_page_table_begin(output, caption);
	lxfw_output_format(output, "<thead><tr><th>%s</th><th>jobs</th>"
			   "<th class=\"s0\">%s</th><th class=\"s1\">%s</th>"
			   "<th>difference</th><th class=\"tip\">shorter | "
			   "longer</th></tr></thead>\n<tbody>\n", title, names[0],
			   names[1]);
	for (size_t i = 0; i < count; i++)
		put_row(output, &rows[i], most);
	lxfw_output_text(output, "</tbody>");
	lxfw_page_table_end(output);
}
