/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A comparison as a page for a person: one HTML file without scripts that needs
 * nothing else.
 */
#ifndef LXFW_REPORT_COMPARISON_PAGE_H
#define LXFW_REPORT_COMPARISON_PAGE_H

#include "sim-frontend/report/comparison.h"
#include "sim-frontend/report/output.h"

/* A window of time, in that of the log. */
struct lxfw_window {
	int64_t from, until;
};

/*
 * Read "FROM,TO", each a date (2026-01-31, with T12:00 or T12:00:30 behind it) where the
 * log's calendar is known, or a span of time from the first submission ("36h"). 0, or
 * -1 with errno EINVAL and ERROR set.
 */
int lxfw_window_parse(const struct lxfw_comparison_report *report,
		      const char *text, struct lxfw_window *window,
		      struct lxfw_error *error);

/* Of the days of the measured run on which the machine was as full as on the fullest,
   or within 5 % of it, the one on which most jobs were started. */
void lxfw_window_busiest(const struct lxfw_comparison_report *report,
			 struct lxfw_window *window);

/* 0, or -1 with errno ENOMEM; whether OUTPUT took it is for its commit to tell. */
int lxfw_comparison_page(const struct lxfw_comparison_report *report,
			 const struct lxfw_window *window,
			 struct lxfw_output *output);

/* The parts of it: figures, and the schedules in the window. */
void lxfw_page_figures(const struct lxfw_comparison_report *report,
		       struct lxfw_output *output);
void lxfw_page_parts(const struct lxfw_comparison_report *report,
		     struct lxfw_output *output);
int lxfw_page_gantt(const struct lxfw_comparison_report *report,
		    const struct lxfw_window *window,
		    struct lxfw_output *output);

/* What stands in the <style> of the page. */
void lxfw_page_style(struct lxfw_output *output);

#endif
