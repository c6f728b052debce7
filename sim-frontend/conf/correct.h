/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Corrects a slurm.conf in memory. The changes of all findings are made, the result is checked
 * again, and so on until no finding is left that a change corrects: what is right for one
 * setting may be wrong for another. Changes of the same line that differ are made in different
 * rounds.
 */
#ifndef LXFW_CONF_CORRECT_H
#define LXFW_CONF_CORRECT_H

#include <stdio.h>

#include "sim-frontend/conf/check.h"

/*
 * Checks and corrects CONF, whose files->items[].now are the corrected texts then. *FINDINGS
 * are those of the file as it was, then those of later rounds, which have no line. Notes are
 * those of the corrected file. The caller clears *FINDINGS in either case. Returns 0, or -1
 * with errno and ERROR set.
 */
int lxfw_conf_correct(struct lxfw_conf *conf, const struct lxfw_check_options *options,
		 struct lxfw_findings *findings, struct lxfw_error *error);

/* Sets KEY outside of nodes and partitions to VALUE in memory, or adds it. Returns 0, or -1 with
   errno and ERROR set. */
int lxfw_conf_change(struct lxfw_conf *conf, const char *key, const char *value,
		     struct lxfw_error *error);

/* Prints the changes of all files as a unified diff. Returns 0, or -1 with errno set. */
int lxfw_conf_diff(const struct lxfw_conf *conf, FILE *out);

/*
 * Returns the corrected slurm.conf, which the caller frees. Included files that were changed
 * are in the place of their Include lines. Returns NULL with errno and ERROR set.
 */
char *lxfw_conf_whole(const struct lxfw_conf *conf, struct lxfw_error *error);

#endif
