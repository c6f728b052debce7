/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What lxfw tune found, as a table or JSON. */
#ifndef LXFW_REPORT_TUNING_H
#define LXFW_REPORT_TUNING_H

#include <stdio.h>

#include "sim-frontend/metrics/verdict.h"
#include "sim-frontend/report/report.h"
#include "sim-frontend/tune/confirm.h"

struct lxfw_tuning_report {
	const char *path;		/* of the trace */
	int64_t warmup;			/* s */
	bool interrupted;		/* the search was, before its end */
	const struct lxfw_confirmation *confirmation;
	const struct lxfw_verdict *verdict;	/* on the simulation of the trace */
	bool quanta_searched;		/* of immediate service */
};

void lxfw_tuning_print(const struct lxfw_tuning_report *report, FILE *out);

/* The part of it that says what each setting costs: jobs interrupted, work lost. */
void lxfw_tuning_print_cost(const struct lxfw_tuning_report *report, FILE *out);

/* As JSON, or as CSV, see util/json_out.h. 0, or -1 with errno ENOMEM. */
int lxfw_tuning_print_json(const struct lxfw_tuning_report *report,
			   enum lxfw_format format, FILE *out);

#endif
