/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A comparison as an HTML page: one self-contained file without scripts. */
#ifndef LXFW_REPORT_COMPARISON_PAGE_H
#define LXFW_REPORT_COMPARISON_PAGE_H

#include "sim-frontend/report/comparison.h"
#include "sim-frontend/report/window.h"
#include "sim-frontend/util/output.h"

/* Returns the schedules of which a page shows a window. */
struct lxfw_window_of
lxfw_comparison_window_of(const struct lxfw_comparison_report *report);

/* Writes the page. Returns 0, or -1 with errno ENOMEM. Write errors are reported when
   OUTPUT is committed. */
int lxfw_comparison_page(const struct lxfw_comparison_report *report,
			 const struct lxfw_window *window,
			 struct lxfw_output *output);

/* Sections of the page. Functions that return int return 0, or -1 with errno ENOMEM. */
int lxfw_page_figures(const struct lxfw_comparison_report *report,
		      struct lxfw_output *output);
int lxfw_page_times(const struct lxfw_comparison_report *report,
		    struct lxfw_output *output);
/* Returns the number of the colour of a cause of waits, p0 to p10. */
int lxfw_page_part_colour(enum lxfw_wait_part part);
void lxfw_page_parts(const struct lxfw_comparison_report *report,
		     struct lxfw_output *output);
int lxfw_page_schedules(const struct lxfw_comparison_report *report,
			const struct lxfw_window *window,
			struct lxfw_output *output);
/* Writes which users and classes wait longer and shorter. */
int lxfw_page_who(const struct lxfw_comparison_report *report,
		  struct lxfw_output *output);

/* For the sections: measured and simulated values of groups of jobs. */
extern const char *const lxfw_page_sides[LXFW_SIDES];

enum lxfw_page_measure { LXFW_PAGE_MEAN, LXFW_PAGE_P95, LXFW_PAGE_SLOWDOWN };

/* Returns an array [side * count + row], which the caller frees, or NULL with errno
   ENOMEM. */
double *lxfw_page_values(const struct lxfw_comparison_rows *rows,
			 enum lxfw_page_measure measure);

#endif
