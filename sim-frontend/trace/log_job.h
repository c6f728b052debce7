/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A record of accounting as one of the trace, and what is counted of it (log.h). */
#ifndef LXFW_TRACE_LOG_JOB_H
#define LXFW_TRACE_LOG_JOB_H

#include "sim-frontend/trace/log.h"

enum lxfw_log_fact {
	LXFW_FACT_OVER = 1,
	LXFW_FACT_DELETED = 2,
	LXFW_FACT_PART = 4,
	LXFW_FACT_NEVER_STARTED = 8,
	LXFW_FACT_LATE = 16,
	LXFW_FACT_SUSPENDED = 32,
	LXFW_FACT_DISORDERED = 64,
	LXFW_FACT_NO_LIMIT = 128,
	LXFW_FACT_ROUNDED = 256,
	LXFW_FACT_LIMITED = 512,
	LXFW_FACT_PLANNED = 1024,
};

struct lxfw_log_job {
	int64_t facts;			/* of enum lxfw_log_fact */
	int32_t cluster;		/* index in the log's clusters; -1: none */
	struct lxfw_swf_record record;	/* of a job that is over; names are indices, times
					   are since 1970 */
};

/* Makes JOB of ACCOUNT, which is not a step, and adds the names of a job that is over to LOG.
   Counts nothing. Returns 0, or -1 with errno ENOMEM. */
int lxfw_log_job_make(struct lxfw_log *log, const struct lxfw_account *account,
		      struct lxfw_log_job *job);

/* Adds the memory of a step to the job before it. */
void lxfw_log_job_step(struct lxfw_swf_record *record, const struct lxfw_account *step);

/* Counts a job of the trace. Returns 0, or -1 with errno ENOMEM. */
int lxfw_log_job_count(struct lxfw_log *log, const struct lxfw_log_job *job);

/* Removes a record from the counts of its reader, which has counted it as one of a job. */
void lxfw_log_job_discount(struct lxfw_log *log, int64_t facts);

/* Counts what the record of a job is among those before, an enum lxfw_sight. Returns whether it
   is left out. */
bool lxfw_log_job_is_double(struct lxfw_log *log, int sight, int64_t facts);

/* Returns the facts that do not depend on the names. */
int64_t lxfw_log_job_facts(const struct lxfw_account *account);

#endif
