/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recorded run beside its simulation, shared by compare and replay. */
#ifndef LXFW_CMD_COMPARE_H
#define LXFW_CMD_COMPARE_H

#include "sim-frontend/engine/recorded.h"
#include "sim-frontend/report/report.h"

struct lxfw_comparison {
	/* given */
	struct lxfw_recorded *recorded;
	struct lxfw_params params;
	struct lxfw_overhead overhead;
	const char *assumed;	/* what is taken for granted, for people; or NULL */
	const char *report, *window;	/* a page to write, and what of the
					   schedules it shows; or NULL */
	double within;		/* the means agree if they differ by no more
				   per cent; 0 = not judged */
};

/*
 * Simulate and print. OTHER_PARAMS: use the parameters given, else those that
 * the record has. The exit status.
 */
int lxfw_compare(struct lxfw_comparison *comparison, const char *path,
		 bool other_params, enum lxfw_format format,
		 const char *jobs_out);

#endif
