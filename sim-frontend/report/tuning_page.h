/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What lxfw tune found, as a page for a person. */
#ifndef LXFW_REPORT_TUNING_PAGE_H
#define LXFW_REPORT_TUNING_PAGE_H

#include "sim-frontend/report/tuning.h"
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

/* "now", "A", "B"; TEXT has 8 bytes. */
const char *lxfw_tuning_name(int choice, char *text);

/* A value of a goal for people: a span of time, or a number; TEXT has 32 bytes. */
const char *lxfw_tuning_value(double value, enum lxfw_tune_measure measure,
			      char *text);

#endif
