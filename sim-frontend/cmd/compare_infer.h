/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw compare: simulates again with the constraints that were inferred from the log. */
#ifndef LXFW_CMD_COMPARE_INFER_H
#define LXFW_CMD_COMPARE_INFER_H

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/compare.h"
#include "sim-frontend/infer/outages_file.h"
#include "sim-frontend/report/inference.h"

/* Parses "all", "none", or a list of outages, holds, limits. Returns 0, or -1 after a
   message. */
int lxfw_compare_infer_kinds(const struct lxfw_command *command, const char *text,
			     unsigned *kinds);

/*
 * Reads the machine's own records at PATH to OUTAGES, which must be {0} and is cleared by
 * the caller, and sets them in COMPARISON. Does nothing if PATH is NULL. A journal has
 * its own records, so that nothing is inferred from it. Returns 0, or -1 after a message.
 */
int lxfw_compare_outages(struct lxfw_comparison *comparison,
			 struct lxfw_outages *outages, const char *path,
			 const struct lxfw_cluster *cluster);

/*
 * Infers what COMPARISON requests, after the run was simulated with PARAMS. The caller releases
 * the inferred data in INFERENCE with lxfw_inferred_clear(). Returns 0, or -1 with errno and ERROR
 * set.
 */
int lxfw_compare_infer(struct lxfw_comparison *comparison,
		       const struct lxfw_params *params,
		       struct lxfw_inference *inference,
		       struct lxfw_error *error);

/* Applies what was inferred, which is not nothing, and simulates again. */
int lxfw_compare_apply(struct lxfw_comparison *comparison,
		       const struct lxfw_params *params,
		       struct lxfw_inference *inference,
		       struct lxfw_error *error);

#endif
