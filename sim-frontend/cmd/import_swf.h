/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies a trace in the Standard Workload Format, for `lxfw import`. */
#ifndef LXFW_CMD_IMPORT_SWF_H
#define LXFW_CMD_IMPORT_SWF_H

#include "sim-frontend/trace/input.h"
#include "sim-frontend/trace/log.h"
#include "sim-frontend/util/output.h"

/*
 * Writes INPUT to OUTPUT, unless it is NULL, and counts its jobs in LOG. All jobs are read before
 * the first is written; they use about MEMORY bytes, the rest is in a temporary file. TELL prints
 * their number. Returns 0, or -1 with errno and ERROR set.
 */
int lxfw_import_swf(struct lxfw_input *input, struct lxfw_log *log, size_t memory,
		    struct lxfw_output *output, bool tell, struct lxfw_error *error);

#endif
