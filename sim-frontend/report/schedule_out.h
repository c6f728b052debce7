/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A simulated schedule as other tools read it, one job per line in the order of the trace:
 *
 *   swf     Standard Workload Format 2.2, with the names in the header of the log. The wait
 *           is all time in which the job did not run;
 *   batsim  the CSV of jobs that Batsim writes and evalys reads. Resources are hosts, or the
 *           processors of a machine of one host; these are the lowest free ones when a job
 *           starts, and none are named if jobs share processors (suspended or adaptive jobs);
 *   sacct   the text of sacct --parsable2, with times in UTC. A log without dates begins on
 *           2000-01-01. If numbers of jobs are not unique, jobs are counted from 1.
 *
 * Jobs must keep the processors that they request: no format has another number for a time.
 */
#ifndef LXFW_REPORT_SCHEDULE_OUT_H
#define LXFW_REPORT_SCHEDULE_OUT_H

#include "sim-frontend/engine/simulation.h"
#include "sim-frontend/util/output.h"

enum lxfw_schedule_form {
	LXFW_SCHEDULE_SWF,
	LXFW_SCHEDULE_BATSIM,
	LXFW_SCHEDULE_SACCT,
};

#define LXFW_SCHEDULE_FORMS "swf|batsim|sacct"

/* Writes the schedule of SIMULATION, which has kept the hosts of jobs, under the policy
   NAME. Returns 0, or -1 with errno ENOMEM. */
int lxfw_schedule_write(const struct lxfw_simulation *simulation,
			enum lxfw_schedule_form form, const char *name,
			struct lxfw_output *output);

#endif
