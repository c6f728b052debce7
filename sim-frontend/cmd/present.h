/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scheduler that a site has at present, as it is simulated if the user names no policy.
 * Shared by the subcommands that compare it with others.
 */
#ifndef LXFW_CMD_PRESENT_H
#define LXFW_CMD_PRESENT_H

#include "sim-frontend/trace/cluster.h"

/* Whether the parameters of a slurm.conf are those of sched/lxfw. */
bool lxfw_present_is_lxfw(const struct lxfw_cluster *cluster);

/*
 * Whether the site has Slurm's sched/backfill, which policy slurm models: its slurm.conf
 * names it or has no SchedulerType; or the machine is given without a scheduler, and LOG is a log of
 * Slurm. LOG may be NULL.
 */
bool lxfw_present_is_backfill(const struct lxfw_cluster *cluster, const char *log);

/*
 * Returns the items of SchedulerParameters, which may be NULL, with policy slurm and its lxfw_*
 * keys for those that the policy models: "bf_interval=60,lxfw_policy=slurm,
 * lxfw_backfill_interval=60". An item that Slurm refuses has Slurm's default. The caller frees
 * the text. NULL: out of memory.
 */
char *lxfw_present_line(const char *parameters);

/* Calls NOTE for each item of CLUSTER's SchedulerParameters that simulations do not model, with
   what they do instead. CONF is the name of its file. */
void lxfw_present_note(const struct lxfw_cluster *cluster,
		       void (*note)(const char *conf, const char *item, const char *instead),
		       const char *conf);

#endif
