/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares a recorded run with its simulation. Shared by compare and replay. */
#ifndef LXFW_CMD_COMPARE_H
#define LXFW_CMD_COMPARE_H

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/engine/recorded.h"
#include "sim-frontend/infer/infer.h"
#include "sim-frontend/metrics/verdict.h"
#include "sim-frontend/report/report.h"

struct lxfw_comparison {
	/* Set by the caller. */
	struct lxfw_recorded *recorded;
	struct lxfw_params params;
	struct lxfw_overhead overhead;
	const struct lxfw_params *instead;	/* other parameters to be compared with
						   `params` in simulations; or NULL */
	const char *instead_text;		/* as given, with its policy */
	const struct lxfw_verdict *verdict;	/* on the simulation with the recorded
						   parameters, if others are printed;
						   or NULL */
	const char *assumed;	/* assumptions for display; or NULL */
	const char *report, *window;	/* path of a page and its window of the
					   schedules; or NULL */
	int copies;		/* perturbed copies of the run to simulate, see
				   engine/recorded_shake.h; -1: the usual number */
	int64_t bound;		/* of the bounded slowdown, seconds; 0: the default */
	double within;		/* the means agree if they differ by at most this
				   percentage; 0: not tested */
	/* What to infer from the log, LXFW_INFER_..., and the argument that requested
	   it; NULL: nothing is inferred or printed. */
	unsigned infer;
	const char *infer_asked;
	/* From records of the machine, see infer/infer.h. */
	const struct lxfw_outage *outages;
	size_t outage_count;
	int64_t outages_from, outages_until;
};

/*
 * Simulates and prints. OTHER_PARAMS: use the parameters given, otherwise the recorded
 * ones. Returns the exit status.
 */
int lxfw_compare(struct lxfw_comparison *comparison, const char *path,
		 bool other_params, enum lxfw_format format,
		 const char *jobs_out);

/* Parses the value of --cancelled. Returns 0, or -1 after a message. */
int lxfw_compare_cancelled(const struct lxfw_command *command, const char *text,
			   enum lxfw_cancelled *cancelled);

/* Prints the number of jobs that left before they started, and their treatment, to
   stderr. */
void lxfw_compare_note_cancelled(const char *path,
				 const struct lxfw_recorded *recorded);

/* Makes the verdict on a simulation with PARAMS, or with the recorded ones if NULL.
   RECORDED then holds this simulation. Returns 0, or -1 with errno and ERROR set. */
int lxfw_compare_judge(struct lxfw_recorded *recorded,
		       const struct lxfw_params *params,
		       const struct lxfw_overhead *overhead,
		       struct lxfw_verdict *verdict, struct lxfw_error *error);

#endif
