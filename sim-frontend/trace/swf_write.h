/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing the Standard Workload Format. */
#ifndef LXFW_TRACE_SWF_WRITE_H
#define LXFW_TRACE_SWF_WRITE_H

#include "sim-frontend/trace/swf.h"
#include "sim-frontend/trace/trace.h"
#include "sim-frontend/util/output.h"

/* A header comment, "; KEY: value" by a format, cut off at 200 bytes. */
void lxfw_swf_write_header(struct lxfw_output *output, const char *key,
			   const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* A line of 18 whole numbers. */
void lxfw_swf_write(struct lxfw_output *output,
		    const struct lxfw_swf_record *record);

/*
 * What a job of a trace tells of a record: memory in whole KB per processor
 * (of the requested memory what is left over is lost), status 1, QUEUE as user
 * and queue (-1 for none).
 */
void lxfw_swf_record_of(struct lxfw_swf_record *record,
			const struct lxfw_trace_job *job, int queue);

#endif
