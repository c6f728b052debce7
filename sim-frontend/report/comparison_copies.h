/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ranges of the simulated figures of a comparison over the log and its perturbed copies
 * (engine/recorded_shake.h). In a copy the jobs have the groups that they have in the log, so
 * that the range of a group is that of the same jobs.
 */
#ifndef LXFW_REPORT_COMPARISON_COPIES_H
#define LXFW_REPORT_COMPARISON_COPIES_H

#include "sim-frontend/report/comparison.h"

struct lxfw_comparison_copies {
	const struct lxfw_comparison_report *report;
	struct lxfw_recorded_job *jobs;	/* those of the log, with the starts of a copy */
	double *values;			/* by copy and figure; NAN: none */
	size_t figures;			/* of a copy */
	int count, most;		/* copies */
};

/* Prepares for at most MOST copies of the run of REPORT, which must outlive COPIES. Returns 0, or
   -1 with errno ENOMEM and *COPIES empty. */
int lxfw_comparison_copies_begin(struct lxfw_comparison_copies *copies,
				 const struct lxfw_comparison_report *report, int most);

/* Takes the figures of a copy: a look of lxfw_recorded_shake(), of which COPIES is the context. */
int lxfw_comparison_copies_look(void *copies, const struct lxfw_recorded *copy,
				const int64_t *waits);

/* Sets the ranges of REPORT and frees COPIES, which may be empty. */
void lxfw_comparison_copies_end(struct lxfw_comparison_copies *copies,
				struct lxfw_comparison_report *report);

#endif
