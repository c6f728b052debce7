/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recorded run beside its simulation, shared by compare and replay. */
#ifndef LXFW_CMD_COMPARE_H
#define LXFW_CMD_COMPARE_H

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/engine/recorded.h"
#include "sim-frontend/infer/infer.h"
#include "sim-frontend/metrics/verdict.h"
#include "sim-frontend/report/report.h"

struct lxfw_comparison {
	/* given */
	struct lxfw_recorded *recorded;
	struct lxfw_params params;
	struct lxfw_overhead overhead;
	const struct lxfw_verdict *verdict;	/* on the simulation with the
						   recorded parameters, where
						   others are shown; or NULL */
	const char *assumed;	/* what is taken for granted, for people; or NULL */
	const char *report, *window;	/* a page to write, and what of the
					   schedules it shows; or NULL */
	double within;		/* the means agree if they differ by no more
				   per cent; 0 = not judged */
	/* What to infer from the log, LXFW_INFER_..., and how that was asked for; NULL:
	   nothing is inferred nor printed of it. */
	unsigned infer;
	const char *infer_asked;
	/* By records of the machine, as infer/infer.h takes them. */
	const struct lxfw_outage *outages;
	size_t outage_count;
	int64_t outages_from, outages_until;
};

/*
 * Simulate and print. OTHER_PARAMS: use the parameters given, else those that
 * the record has. The exit status.
 */
int lxfw_compare(struct lxfw_comparison *comparison, const char *path,
		 bool other_params, enum lxfw_format format,
		 const char *jobs_out);

/* The value of --cancelled. 0, or -1 after a message. */
int lxfw_compare_cancelled(const struct lxfw_command *command, const char *text,
			   enum lxfw_cancelled *cancelled);

/* Say on stderr how many jobs left before they started, and what becomes of them. */
void lxfw_compare_note_cancelled(const char *path,
				 const struct lxfw_recorded *recorded);

/* The verdict on a simulation with PARAMS, or with the recorded ones if NULL. It is what
   RECORDED holds then. 0, or -1 with errno and ERROR set. */
int lxfw_compare_judge(struct lxfw_recorded *recorded,
		       const struct lxfw_params *params,
		       const struct lxfw_overhead *overhead,
		       struct lxfw_verdict *verdict, struct lxfw_error *error);

#endif
