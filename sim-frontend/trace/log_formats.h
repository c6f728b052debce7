/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of log formats: which there are, their names, and which one a file is in. */
#ifndef LXFW_TRACE_LOG_FORMATS_H
#define LXFW_TRACE_LOG_FORMATS_H

#include <stddef.h>

#include "common/util/error.h"
#include "sim-frontend/trace/account.h"
#include "sim-frontend/trace/input.h"

/* Each is defined beside its reader. */
extern const struct lxfw_log_format lxfw_log_slurm_json; /* slurmrestd, sacct --json */
extern const struct lxfw_log_format lxfw_log_lsf;	/* lsb.acct */
extern const struct lxfw_log_format lxfw_log_pbs;	/* OpenPBS, PBS Pro, Torque */
extern const struct lxfw_log_format lxfw_log_sge;	/* Grid Engine */
extern const struct lxfw_log_format lxfw_log_sacct;	/* sacct --parsable2, --parsable */

/* A trace, and a journal of a live scheduler: no accounting records, no reader here. */
extern const struct lxfw_log_format lxfw_log_swf;
extern const struct lxfw_log_format lxfw_log_journal;

/* The format of INPUT by its first line, which is not consumed; SWF if no format
   recognizes it. 0, or -1 with errno and ERROR set. */
int lxfw_log_recognize(struct lxfw_input *input,
		       const struct lxfw_log_format **format,
		       struct lxfw_error *error);

/* The format of that name, no journal; NULL if there is none. */
const struct lxfw_log_format *lxfw_log_format_find(const char *name);

/* All names that lxfw_log_format_find() takes, "swf|pbs". SIZE 80 is enough. Returns
   NAMES. */
const char *lxfw_log_format_names(char *names, size_t size);

#endif
