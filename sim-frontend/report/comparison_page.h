/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A comparison as a page for a person: one HTML file without scripts that needs
 * nothing else.
 */
#ifndef LXFW_REPORT_COMPARISON_PAGE_H
#define LXFW_REPORT_COMPARISON_PAGE_H

#include "sim-frontend/report/comparison.h"
#include "sim-frontend/report/window.h"
#include "sim-frontend/util/output.h"

/* What a window of the schedules is a window of. */
struct lxfw_window_of
lxfw_comparison_window_of(const struct lxfw_comparison_report *report);

/* 0, or -1 with errno ENOMEM; whether OUTPUT took it is for its commit to tell. */
int lxfw_comparison_page(const struct lxfw_comparison_report *report,
			 const struct lxfw_window *window,
			 struct lxfw_output *output);

/* The parts of it. Those that return an int: 0, or -1 with errno ENOMEM. */
int lxfw_page_figures(const struct lxfw_comparison_report *report,
		      struct lxfw_output *output);
int lxfw_page_times(const struct lxfw_comparison_report *report,
		    struct lxfw_output *output);
void lxfw_page_parts(const struct lxfw_comparison_report *report,
		     struct lxfw_output *output);
int lxfw_page_schedules(const struct lxfw_comparison_report *report,
			const struct lxfw_window *window,
			struct lxfw_output *output);
/* Who waits longer and who shorter: users and classes. */
int lxfw_page_who(const struct lxfw_comparison_report *report,
		  struct lxfw_output *output);

/* For these: measured and simulated figures of groups of jobs. */
extern const char *const lxfw_page_sides[LXFW_SIDES];

enum lxfw_page_measure { LXFW_PAGE_MEAN, LXFW_PAGE_P95, LXFW_PAGE_SLOWDOWN };

/* [side * count + row], to be freed; NULL with errno ENOMEM. */
double *lxfw_page_values(const struct lxfw_comparison_rows *rows,
			 enum lxfw_page_measure measure);

#endif
