/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The character of a workload as a page for a person. */
#ifndef LXFW_REPORT_DESCRIPTION_PAGE_H
#define LXFW_REPORT_DESCRIPTION_PAGE_H

#include "sim-frontend/report/description.h"
#include "sim-frontend/util/output.h"

/* TRACE is what was described. Whether OUTPUT took it is for its commit to tell. */
void lxfw_description_page(const struct lxfw_description *description,
			   const struct lxfw_trace *trace,
			   struct lxfw_output *output);

#endif
