/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks a slurm.conf for settings with which lxfw's plugins do not work or behave
 * unexpectedly. Each finding includes a line that corrects it. Notes name the settings with
 * which they differ from sched/backfill, and the section of the manual page that says how.
 */
#ifndef LXFW_CONF_CHECK_H
#define LXFW_CONF_CHECK_H

#include "common/params/params.h"
#include "sim-frontend/conf/conf.h"
#include "sim-frontend/conf/findings.h"

/* Returns 0, or -1 with errno ENOMEM. The caller clears *FINDINGS in either case. */
int lxfw_check(struct lxfw_conf *conf,
	       const struct lxfw_check_options *options,
	       struct lxfw_findings *findings);

/* --- groups of checks ------------------------------------------------------------- */

/* Checks SchedulerParameters. Sets *PARAMS to the plugin's parameters. */
void lxfw_check_parameters(struct lxfw_checking *check,
			   struct lxfw_params *params);
/* Checks whether jobs without GPUs fill nodes with GPUs. Returns true if the corrected
   SchedulerParameters need lxfw_spare_gpus=on. */
bool lxfw_check_gpus(struct lxfw_checking *check, const struct lxfw_params *params);
/* Checks the selection of nodes, and memory. */
void lxfw_check_memory(struct lxfw_checking *check);
/* Checks the items of SelectTypeParameters. Returns whether they are right. */
bool lxfw_check_select_items(struct lxfw_checking *check);
/* Adds the change to FINDING that sets SchedulerParameters without a quantum, or with the
   policy `site`. Returns false, without a change, if they are not valid then. */
bool lxfw_check_without_quantum(struct lxfw_checking *check, struct lxfw_finding *finding);
bool lxfw_check_with_site(struct lxfw_checking *check, struct lxfw_finding *finding);
void lxfw_check_resources(struct lxfw_checking *check);
/* Checks that the release has the keys and plugins of the file. */
void lxfw_check_release(struct lxfw_checking *check);
void lxfw_check_partitions(struct lxfw_checking *check);
/* Adds notes: settings with which the plugins work, but not in every respect as
   sched/backfill. */
void lxfw_check_notes(struct lxfw_checking *check);
void lxfw_check_files(struct lxfw_checking *check);

#endif
