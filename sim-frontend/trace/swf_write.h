/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the Standard Workload Format. */
#ifndef LXFW_TRACE_SWF_WRITE_H
#define LXFW_TRACE_SWF_WRITE_H

#include "sim-frontend/trace/swf.h"
#include "sim-frontend/trace/trace.h"
#include "sim-frontend/util/output.h"

/* Writes a header comment "; KEY: value" with a printf() format, truncated to 200
   bytes. */
void lxfw_swf_write_header(struct lxfw_output *output, const char *key,
			   const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Writes a line of 18 integers. */
void lxfw_swf_write(struct lxfw_output *output,
		    const struct lxfw_swf_record *record);

/*
 * Makes a record from a job of a trace. Memory is in whole KB per processor, rounded
 * down; the status is 1; QUEUE is the user and the queue (-1: none).
 */
void lxfw_swf_record_of(struct lxfw_swf_record *record,
			const struct lxfw_trace_job *job, int queue);

#endif
