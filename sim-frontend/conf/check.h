/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of a slurm.conf keeps lxfw's plugins from working, or makes them surprising,
 * each with the line that mends it. sched_lxfw(8) tells why.
 */
#ifndef LXFW_CONF_CHECK_H
#define LXFW_CONF_CHECK_H

#include "common/params/params.h"
#include "sim-frontend/conf/conf.h"
#include "sim-frontend/conf/findings.h"

/* 0, or -1 with errno ENOMEM. *FINDINGS is to be cleared in any case. */
int lxfw_check(const struct lxfw_conf *conf,
	       const struct lxfw_check_options *options,
	       struct lxfw_findings *findings);

/* --- its parts ------------------------------------------------------------------ */

/* SchedulerParameters; fills *PARAMS as the plugin would have them. */
void lxfw_check_parameters(struct lxfw_checking *check,
			   struct lxfw_params *params);
void lxfw_check_resources(struct lxfw_checking *check);
void lxfw_check_partitions(struct lxfw_checking *check);
void lxfw_check_files(struct lxfw_checking *check);

#endif
