/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw compare: simulate once more, with what the log tells. */
#ifndef LXFW_CMD_COMPARE_INFER_H
#define LXFW_CMD_COMPARE_INFER_H

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/compare.h"
#include "sim-frontend/infer/outages_file.h"
#include "sim-frontend/report/inference.h"

/* "all", "none", or a list of outages, holds, limits. 0, or -1 after a message. */
int lxfw_compare_infer_kinds(const struct lxfw_command *command, const char *text,
			     unsigned *kinds);

/* Read the machine's own records, PATH, to OUTAGES, which is {0} and to be cleared, and
   have COMPARISON take them; nothing is done where PATH is NULL. A journal has records
   of its own: from it nothing is inferred. 0, or -1 after a message. */
int lxfw_compare_outages(struct lxfw_comparison *comparison,
			 struct lxfw_outages *outages, const char *path,
			 const struct lxfw_cluster *cluster);

/*
 * The run was simulated with PARAMS: infer what COMPARISON asks for, and simulate
 * again with it. INFERENCE is to be cleared by lxfw_inferred_clear() of what was
 * inferred. 0, or -1 with errno and ERROR set.
 */
int lxfw_compare_infer(struct lxfw_comparison *comparison,
		       const struct lxfw_params *params,
		       struct lxfw_inference *inference,
		       struct lxfw_error *error);

#endif
