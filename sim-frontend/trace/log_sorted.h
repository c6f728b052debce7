/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The jobs of a log in bounded memory: they are sorted by what identifies them, to find those
 * that occur more than once, then by submission, as lxfw_log_finish() does it in memory. Names
 * stay in memory, and so do the runs of one job. If a job states dependencies, all jobs are loaded
 * into the log's records, where the jobs before it are found.
 */
#ifndef LXFW_TRACE_LOG_SORTED_H
#define LXFW_TRACE_LOG_SORTED_H

#include "sim-frontend/trace/log.h"
#include "sim-frontend/trace/log_job.h"

struct lxfw_log_sorted;

/* Uses about MEMORY bytes at a time. Returns NULL with errno ENOMEM. */
struct lxfw_log_sorted *lxfw_log_sorted_open(size_t memory);
void lxfw_log_sorted_close(struct lxfw_log_sorted *sorted);

/* Adds JOB, which was made of ACCOUNT. Counts nothing. This function and the next ones return 0,
   or -1 with errno and ERROR set. */
int lxfw_log_sorted_add(struct lxfw_log_sorted *sorted, const struct lxfw_account *account,
			const struct lxfw_log_job *job, struct lxfw_error *error);

/* Adds the memory of a step to the job that was added last, if it is that job's. */
void lxfw_log_sorted_step(struct lxfw_log_sorted *sorted, const struct lxfw_account *step);

/* The same as lxfw_log_finish(). Sets the counts of LOG, and keeps the names of its jobs only. */
int lxfw_log_sorted_finish(struct lxfw_log_sorted *sorted, struct lxfw_log *log,
			   struct lxfw_error *error);

/* The same as lxfw_log_each(). */
int lxfw_log_sorted_each(struct lxfw_log_sorted *sorted, const struct lxfw_log *log,
			 lxfw_log_record_fn *record, void *context, struct lxfw_error *error);

#endif
