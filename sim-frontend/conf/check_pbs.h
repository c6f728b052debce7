/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks the settings of a site of OpenPBS: with which of them lxfw-pbsd does not work, or
 * jobs wait that pbs_sched would start, which have no effect, and which it respects. Each
 * finding includes a command of qmgr, or a line, that corrects it.
 */
#ifndef LXFW_CONF_CHECK_PBS_H
#define LXFW_CONF_CHECK_PBS_H

#include "sim-frontend/conf/findings.h"
#include "sim-frontend/conf/pbs_conf.h"

/* Returns 0, or -1 with errno ENOMEM. The caller clears *FINDINGS in either case. */
int lxfw_check_pbs(const struct lxfw_pbs_conf *conf, const char *path,
		   struct lxfw_findings *findings);

/* --- groups of checks ------------------------------------------------------------- */

struct lxfw_pbs_checking {
	struct lxfw_checking base;
	const struct lxfw_pbs_conf *conf;
};

/* Whether the settings are those of Torque, on which lxfw-pbsd does not run: a finding. */
bool lxfw_check_pbs_torque(struct lxfw_pbs_checking *check);
/* Attributes and options that have no effect, and those that lxfw-pbsd respects. */
void lxfw_check_pbs_idle(struct lxfw_pbs_checking *check);
/* Resources of the site that lxfw-pbsd does not model. */
void lxfw_check_pbs_resources(struct lxfw_pbs_checking *check);
/* Hosts whose vnodes differ. */
void lxfw_check_pbs_nodes(struct lxfw_pbs_checking *check);
/* Run times, and the order of jobs. */
void lxfw_check_pbs_queues(struct lxfw_pbs_checking *check);

#endif
