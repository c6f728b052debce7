/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What lxfw tune says where it recommends nothing: the setting that promises most for other
   weeks, and whether it is worth a trial. */
#ifndef LXFW_REPORT_TUNING_TRIAL_H
#define LXFW_REPORT_TUNING_TRIAL_H

#include <stdio.h>

#include "sim-frontend/tune/confirm.h"
#include "sim-frontend/util/output.h"

/* Write it as text, and as a part of the page. They write nothing if a setting is
   recommended, or if there is none to speak of. */
void lxfw_tuning_trial_print(const struct lxfw_confirmation *confirmation, FILE *out);
void lxfw_tuning_trial_page(const struct lxfw_confirmation *confirmation,
			    struct lxfw_output *output);

#endif
