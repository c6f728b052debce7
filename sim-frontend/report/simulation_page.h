/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One or more simulated schedules of a log as an HTML page. */
#ifndef LXFW_REPORT_SIMULATION_PAGE_H
#define LXFW_REPORT_SIMULATION_PAGE_H

#include "sim-frontend/report/several.h"

struct lxfw_simulation_page {
	const struct lxfw_several *several;
	const char *log;	/* path of the log */
	const char *window;	/* as given by the user; NULL: the busiest day */
};

/* Writes the page. Returns 0, or -1 with errno and ERROR set: EINVAL for the window,
   or ENOMEM. Write errors are reported when OUTPUT is committed. */
int lxfw_simulation_page(const struct lxfw_simulation_page *page,
			 struct lxfw_output *output, struct lxfw_error *error);

#endif
