/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a trace as a workload of Batsim in JSON, with a profile of a delay for each run time.
 * The reader of such workloads gives the same jobs: number, submission, run time, limit,
 * processors. Nothing else is written. If numbers of jobs are not unique, jobs are counted from 1.
 */
#ifndef LXFW_TRACE_BATSIM_WRITE_H
#define LXFW_TRACE_BATSIM_WRITE_H

#include "sim-frontend/trace/trace.h"
#include "sim-frontend/util/output.h"

/* The types of profiles have other names since Batsim 5. */
enum lxfw_batsim_version {
	LXFW_BATSIM_4,			/* and earlier */
	LXFW_BATSIM_5,
};

/* The machine has the processors in the header of TRACE, otherwise those of the largest job.
   TRACE has at least one job. Returns 0, or -1 with errno ENOMEM. */
int lxfw_batsim_write(const struct lxfw_trace *trace, enum lxfw_batsim_version version,
		      struct lxfw_output *output);

#endif
