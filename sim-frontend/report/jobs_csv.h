/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The jobs of a simulation as CSV, one row per job, in the order of the trace. Columns:
 * job_id,submit,start,end,wait,run,procs,memory_mb,hosts,preemptions,requeues; least (the
 * minimum of processors) if some jobs are adaptive;
 * user,group,queue,estimate,status,slowdown,bounded_slowdown,priority; contender if there
 * are several. Unknown values are empty.
 */
#ifndef LXFW_REPORT_JOBS_CSV_H
#define LXFW_REPORT_JOBS_CSV_H

#include <stdbool.h>

#include "sim-frontend/engine/simulation.h"
#include "sim-frontend/util/output.h"

/* Writes the header line. MIXED: with least. SEVERAL: with contender. */
void lxfw_jobs_csv_header(struct lxfw_output *output, bool mixed, bool several);

/* Writes the rows. BOUND is that of the bounded slowdown in seconds. CONTENDER NULL:
   no such column. Returns 0, or -1 with errno ENOMEM. */
int lxfw_jobs_csv_rows(const struct lxfw_simulation *simulation, bool mixed,
		       int64_t bound, const char *contender,
		       struct lxfw_output *output);

/*
 * Computes the priority of the job at POSITION when its start was decided, with the
 * weights of lxfw-params(5). Returns false if it has none: the policy orders jobs by
 * submission or estimate, the job shares its host, or lxfw_wbypass is in use, whose
 * counts only the scheduler has.
 */
bool lxfw_start_priority(const struct lxfw_simulation *simulation, size_t position,
			 double *priority);

#endif
