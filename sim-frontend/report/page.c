/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim-frontend/report/svg.h"

const char *lxfw_page_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

const char *lxfw_page_moment(const struct lxfw_calendar *calendar, int64_t time,
			     char *text, size_t size)
{
	struct lxfw_moment moment;
	char day[32];

	lxfw_calendar_moment(calendar, time, &moment);
	snprintf(text, size, "%s %02d:%02d",
		 lxfw_calendar_day_name(calendar, moment.day, day, sizeof(day)),
		 (int)(moment.second / 3600), (int)(moment.second / 60 % 60));
	return text;
}

void lxfw_page_begin(struct lxfw_output *output, const char *heading,
		     const char *subject)
{
	lxfw_output_format(output, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
		"<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
		"content=\"width=device-width,initial-scale=1\">\n"
		"<meta name=\"generator\" content=\"lxfw " PACKAGE_VERSION
		"\">\n<title>%s: ", heading);
	lxfw_html_text(output, subject);
	lxfw_output_text(output, "</title>\n<style>\n");
	lxfw_page_style(output);
	lxfw_output_format(output, "</style>\n</head>\n<body>\n<h1>%s</h1>\n",
			   heading);
}

void lxfw_page_end(struct lxfw_output *output)
{
	lxfw_output_text(output, "</body>\n</html>\n");
}

void lxfw_page_section(struct lxfw_output *output, const char *id,
		       const char *heading)
{
	if (id)
		lxfw_output_format(output, "<h2 id=\"%s\">%s</h2>\n", id, heading);
	else
		lxfw_output_format(output, "<h2>%s</h2>\n", heading);
}

/* tabindex makes the scrolling region accessible by the keyboard. */
void lxfw_page_table_begin(struct lxfw_output *output, const char *caption)
{
	lxfw_output_text(output, "<div class=\"scroll\" tabindex=\"0\"><table>\n");
	if (caption)
		lxfw_output_format(output, "<caption>%s</caption>\n", caption);
}

void lxfw_page_table_end(struct lxfw_output *output)
{
	lxfw_output_text(output, "</table></div>\n");
}

void lxfw_page_figures_begin(struct lxfw_output *output)
{
	lxfw_output_text(output, "<div class=\"figures\">\n");
}

void lxfw_page_figures_end(struct lxfw_output *output)
{
	lxfw_output_text(output, "</div>\n");
}

void lxfw_page_cards_begin(struct lxfw_output *output)
{
	lxfw_output_text(output, "<div class=\"cards\">\n");
}

void lxfw_page_cards_end(struct lxfw_output *output)
{
	lxfw_output_text(output, "</div>\n");
}

void lxfw_page_card_begin(struct lxfw_output *output, const char *title)
{
	lxfw_output_format(output, "<div class=\"card\"><h3>%s</h3>\n", title);
}

void lxfw_page_card_end(struct lxfw_output *output)
{
	lxfw_output_text(output, "</div>\n");
}

void lxfw_page_change(struct lxfw_output *output, double change, const char *what)
{
	if (isfinite(change) && change >= 900)
		lxfw_output_format(output, "%.0f times", 1 + change / 100);
	else if (isfinite(change))
		lxfw_output_format(output, "%+.*f %s",
				   fabs(change) < 9.95 ? 1 : 0, change, what);
	else
		lxfw_output_text(output, "&nbsp;");
}

double lxfw_page_change_of(double before, double after)
{
	if (before == after)
		return 0;
	return before > 0 ? 100 * (after - before) / before : INFINITY;
}

void lxfw_page_copy_line(struct lxfw_output *output, const char *text)
{
	lxfw_output_text(output, "<pre class=\"copy\" tabindex=\"0\"><code>");
	lxfw_html_text(output, text);
	lxfw_output_text(output, "</code></pre>\n");
}
