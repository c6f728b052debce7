/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Predictions at past moments and the starts of their jobs, as text, JSON or CSV, and one line
   per prediction. */
#ifndef LXFW_REPORT_PROMISES_H
#define LXFW_REPORT_PROMISES_H

#include <stdio.h>

#include "sim-frontend/predict/kept.h"
#include "sim-frontend/predict/moments.h"
#include "sim-frontend/trace/job_names.h"
#include "sim-frontend/util/format.h"
#include "sim-frontend/util/output.h"

void lxfw_promises_text(const struct lxfw_moments *moments, const struct lxfw_kept *kept,
			FILE *out);

/* Prints JSON or CSV, see util/json_out.h. Returns 0, or -1 with errno ENOMEM. */
int lxfw_promises_json(const struct lxfw_moments *moments, const struct lxfw_kept *kept,
		       enum lxfw_format format, FILE *out);

/* Writes one line of CSV per prediction, with a head. */
void lxfw_promises_cases(const struct lxfw_promises *promises, const struct lxfw_kept *kept,
			 const struct lxfw_job_names *names, struct lxfw_output *out);

#endif
