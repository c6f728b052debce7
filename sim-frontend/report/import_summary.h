/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What became of the records of a log, for programs; for people see lxfw_log_tell(). */
#ifndef LXFW_REPORT_IMPORT_SUMMARY_H
#define LXFW_REPORT_IMPORT_SUMMARY_H

#include <stdio.h>

#include "sim-frontend/trace/log.h"
#include "sim-frontend/util/format.h"

/* LOG is finished, or has the records of a trace (SWF) as they are. FORMAT is JSON or CSV.
   0, or -1 with errno ENOMEM; whether OUT took it is for the caller to see. */
int lxfw_import_summary_print(const struct lxfw_log *log, enum lxfw_format format,
			      FILE *out);

#endif
