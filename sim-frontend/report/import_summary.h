/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A summary of an imported log as JSON or CSV. lxfw_log_tell() returns it as text. */
#ifndef LXFW_REPORT_IMPORT_SUMMARY_H
#define LXFW_REPORT_IMPORT_SUMMARY_H

#include <stdio.h>

#include "sim-frontend/trace/log.h"
#include "sim-frontend/util/format.h"

/* What was added to a data base of run times. */
struct lxfw_import_learned {
	const char *machine;
	size_t jobs, new_jobs;	/* of the machine in the data base; that were added */
	size_t no_limit;	/* left out: without a requested time */
};

/* LEARNED may be NULL. LOG is finished, or has the unchanged records of a trace (SWF). FORMAT is JSON or
   CSV. Returns 0, or -1 with errno ENOMEM. The caller checks OUT for write errors. */
int lxfw_import_summary_print(const struct lxfw_log *log, const struct lxfw_import_learned *learned,
			      enum lxfw_format format, FILE *out);

#endif
