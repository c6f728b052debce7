/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The characteristics of a workload as an HTML page. */
#ifndef LXFW_REPORT_DESCRIPTION_PAGE_H
#define LXFW_REPORT_DESCRIPTION_PAGE_H

#include "sim-frontend/report/description.h"
#include "sim-frontend/util/output.h"

/* TRACE is the trace described. Write errors are reported when OUTPUT is committed. */
void lxfw_description_page(const struct lxfw_description *description,
			   const struct lxfw_trace *trace,
			   struct lxfw_output *output);

#endif
