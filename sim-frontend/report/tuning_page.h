/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of lxfw tune as an HTML page. */
#ifndef LXFW_REPORT_TUNING_PAGE_H
#define LXFW_REPORT_TUNING_PAGE_H

#include "sim-frontend/report/tuning.h"
#include "sim-frontend/report/tuning_text.h"
#include "sim-frontend/util/output.h"

/* Write errors are reported when OUTPUT is committed. */
void lxfw_tuning_page(const struct lxfw_tuning_report *report,
		      struct lxfw_output *output);

/* Called by lxfw_tuning_page(). Draws each pair of objectives as a scatter chart of
   all settings, and the intervals of the changes. */
void lxfw_tuning_fronts(const struct lxfw_confirmation *confirmation,
			struct lxfw_output *output);
void lxfw_tuning_intervals(const struct lxfw_confirmation *confirmation,
			   struct lxfw_output *output);

#endif
