/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of lxfw tune as text or JSON. */
#ifndef LXFW_REPORT_TUNING_H
#define LXFW_REPORT_TUNING_H

#include <stdio.h>

#include "sim-frontend/metrics/verdict.h"
#include "sim-frontend/report/report.h"
#include "sim-frontend/report/tuning_advice.h"
#include "sim-frontend/tune/confirm.h"

struct lxfw_tuning_report {
	const char *path;		/* of the trace */
	int64_t warmup;			/* seconds */
	bool interrupted;		/* the search was stopped before its end */
	const struct lxfw_confirmation *confirmation;
	const struct lxfw_verdict *verdict;	/* on the simulation of the trace */
	const struct lxfw_tuning_advice *advice;	/* if a setting is recommended */
	bool quanta_searched;		/* the search included parameters of immediate
					   service */
};

void lxfw_tuning_print(const struct lxfw_tuning_report *report, FILE *out);

/* Prints the costs of each setting: jobs interrupted, work lost. */
void lxfw_tuning_print_cost(const struct lxfw_tuning_report *report, FILE *out);

/* Prints JSON or CSV, see util/json_out.h. Returns 0, or -1 with errno ENOMEM. */
int lxfw_tuning_print_json(const struct lxfw_tuning_report *report,
			   enum lxfw_format format, FILE *out);

#endif
