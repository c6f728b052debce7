/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw import --workload-out: writes the jobs of logs as a workload of another simulator. */
#ifndef LXFW_CMD_IMPORT_WORKLOAD_H
#define LXFW_CMD_IMPORT_WORKLOAD_H

#include "sim-frontend/trace/batsim_write.h"
#include "sim-frontend/trace/log.h"
#include "sim-frontend/util/output.h"

/* The value of the option. */
struct lxfw_import_workload {
	const char *path;		/* NULL: not given */
	enum lxfw_batsim_version version;
};

/* Parses "batsim:FILE" or "batsim5:FILE". Returns whether TEXT is one of them. */
bool lxfw_import_workload_parse(const char *text, struct lxfw_import_workload *workload);

/* Writes the jobs of LOG, which is finished, or, if it is empty, of the trace at PATH, and
   reports the jobs that cannot be written. Returns 0, or -1 after a message. */
int lxfw_import_workload(const struct lxfw_import_workload *workload, const struct lxfw_log *log,
			 const char *path, struct lxfw_output *output);

#endif
