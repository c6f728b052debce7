/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs that lxfw import has read, for files other than the trace. */
#ifndef LXFW_CMD_IMPORT_TRACE_H
#define LXFW_CMD_IMPORT_TRACE_H

#include "sim-frontend/trace/log.h"
#include "sim-frontend/trace/trace.h"

/* Sets *TRACE to the jobs of LOG, which is finished, or, if it is empty, of the trace at PATH, for
   OPTION, such as "--history". The caller clears *TRACE. Returns 0, or -1 after a message. */
int lxfw_import_trace(struct lxfw_trace *trace, const struct lxfw_log *log, const char *path,
		      const char *option);

#endif
