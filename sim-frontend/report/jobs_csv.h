/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The jobs of a simulation as CSV, a row each, in the order of the trace. Columns:
 * job_id,submit,start,end,wait,run,procs,memory_mb,hosts,preemptions,requeues, where jobs
 * are adaptive or not also least, then
 * user,group,queue,estimate,status,slowdown,bounded_slowdown,priority, and contender where
 * there are several. What is not known is empty.
 */
#ifndef LXFW_REPORT_JOBS_CSV_H
#define LXFW_REPORT_JOBS_CSV_H

#include <stdbool.h>

#include "sim-frontend/engine/simulation.h"
#include "sim-frontend/util/output.h"

/* The line of names. MIXED: with least; SEVERAL: with contender. */
void lxfw_jobs_csv_header(struct lxfw_output *output, bool mixed, bool several);

/* The rows. BOUND of the bounded slowdown in s; CONTENDER NULL: no such column. 0, or -1
   with errno ENOMEM. */
int lxfw_jobs_csv_rows(const struct lxfw_simulation *simulation, bool mixed,
		       int64_t bound, const char *contender,
		       struct lxfw_output *output);

/*
 * The priority of the job at POSITION when it was decided to start it, by the weights of
 * lxfw-params(5). False where the policy has none for it: jobs go by submission or by
 * estimate, it shares its host, or lxfw_wbypass counts, of which only the scheduler knows.
 */
bool lxfw_start_priority(const struct lxfw_simulation *simulation, size_t position,
			 double *priority);

#endif
