/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measured against simulated waits, as a table, JSON or CSV. */
#ifndef LXFW_REPORT_COMPARISON_H
#define LXFW_REPORT_COMPARISON_H

#include <stdio.h>

#include "sim-frontend/engine/recorded.h"
#include "sim-frontend/report/output.h"
#include "sim-frontend/report/report.h"

#define LXFW_LARGEST 5

struct lxfw_waits {
	double mean;
	int64_t median, p95, max;
};

struct lxfw_comparison_report {
	const char *policy;
	struct lxfw_overhead overhead;
	size_t jobs;			/* that started in both */
	size_t not_compared;		/* that did not */
	struct lxfw_waits measured, simulated;
	double mean_difference;		/* of the means, per cent of measured */
	/* per job: simulated minus measured wait */
	double mean_absolute;
	size_t equal;
	const struct lxfw_recorded_job *largest[LXFW_LARGEST];
	int largest_count;
};

/* 0, or -1 with errno ENOMEM. The report points into RECORDED. */
int lxfw_comparison_measure(const struct lxfw_recorded *recorded,
			    struct lxfw_comparison_report *report);

void lxfw_comparison_print(const struct lxfw_comparison_report *report,
			   enum lxfw_format format, FILE *out);

/* job_id,submit,measured_start,simulated_start,measured_wait,simulated_wait,
   difference */
void lxfw_comparison_jobs(const struct lxfw_recorded *recorded,
			  struct lxfw_output *output);

#endif
