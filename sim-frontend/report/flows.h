/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of a page that shows who ran whose jobs. */
#ifndef LXFW_REPORT_FLOWS_H
#define LXFW_REPORT_FLOWS_H

#include "sim-frontend/grid/sites.h"
#include "sim-frontend/util/output.h"

/* FLOWS has the numbers by home and site: flows[home * sites->count + site]. */
void lxfw_page_flows(const struct lxfw_sites *sites, const size_t *flows, const char *caption,
		     struct lxfw_output *output);

#endif
