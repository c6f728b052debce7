/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One simulated schedule of a log or several, side by side, as a page for a person. */
#ifndef LXFW_REPORT_SIMULATION_PAGE_H
#define LXFW_REPORT_SIMULATION_PAGE_H

#include "sim-frontend/report/several.h"

struct lxfw_simulation_page {
	const struct lxfw_several *several;
	const char *log;	/* its path */
	const char *window;	/* as the user gave it; NULL = the busiest day */
};

/* 0, or -1 with errno and ERROR set: EINVAL for the window, or ENOMEM. Whether OUTPUT took
   it is for its commit to tell. */
int lxfw_simulation_page(const struct lxfw_simulation_page *page,
			 struct lxfw_output *output, struct lxfw_error *error);

#endif
