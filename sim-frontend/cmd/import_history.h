/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw import --history: adds the jobs of logs to a data base of run times. */
#ifndef LXFW_CMD_IMPORT_HISTORY_H
#define LXFW_CMD_IMPORT_HISTORY_H

#include "sim-frontend/cmd/history.h"
#include "sim-frontend/report/import_summary.h"
#include "sim-frontend/trace/log.h"

struct lxfw_import_history {
	struct lxfw_cmd_history to;	/* `path` NULL: not given */
	double speed;			/* 0: not given */
	struct lxfw_import_learned learned;	/* result */
};

/* Adds the jobs of LOG, which is finished, or, if it is empty, of the trace at PATH. Returns
   0, or -1 after a message with the file unchanged. */
int lxfw_import_history(struct lxfw_import_history *history, const struct lxfw_log *log,
			const char *path);

/* Prints what was added as text. */
void lxfw_import_history_print(const struct lxfw_import_history *history, FILE *out);

#endif
