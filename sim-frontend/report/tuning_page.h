/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What lxfw tune found, as a page for a person. */
#ifndef LXFW_REPORT_TUNING_PAGE_H
#define LXFW_REPORT_TUNING_PAGE_H

#include "sim-frontend/report/tuning.h"
#include "sim-frontend/report/tuning_text.h"
#include "sim-frontend/util/output.h"

/* Whether OUTPUT took it is for its commit to tell. */
void lxfw_tuning_page(const struct lxfw_tuning_report *report,
		      struct lxfw_output *output);

/* Called by it: each pair of objectives as a scatter of all settings that were tried, and
   the intervals of the changes. */
void lxfw_tuning_fronts(const struct lxfw_confirmation *confirmation,
			struct lxfw_output *output);
void lxfw_tuning_intervals(const struct lxfw_confirmation *confirmation,
			   struct lxfw_output *output);

#endif
