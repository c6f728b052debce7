/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How good predictions were, as text, JSON or CSV, and one line per job. */
#ifndef LXFW_REPORT_PREDICTIONS_H
#define LXFW_REPORT_PREDICTIONS_H

#include <stdio.h>

#include "sim-frontend/predict/score.h"
#include "sim-frontend/util/format.h"
#include "sim-frontend/util/output.h"

void lxfw_predictions_text(const struct lxfw_walk *walk, const struct lxfw_scores *scores,
			   FILE *out);

/* Prints JSON or CSV, see util/json_out.h. Returns 0, or -1 with errno ENOMEM. */
int lxfw_predictions_json(const struct lxfw_walk *walk, const struct lxfw_scores *scores,
			  enum lxfw_format format, FILE *out);

/* Writes one line of CSV per prediction, with a head. */
void lxfw_predictions_cases(const struct lxfw_walk *walk, struct lxfw_output *out);

#endif
