/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LXFW_CMD_TUNE_ADVICE_H
#define LXFW_CMD_TUNE_ADVICE_H

#include "sim-frontend/report/tuning_advice.h"
#include "sim-frontend/trace/cluster.h"
#include "sim-frontend/tune/confirm.h"

/*
 * Determines what to do to use CHOICE at the site of CLUSTER. MACHINE is its description, and
 * may be NULL; LOG is the path of the log. The changes of a slurm.conf are those of 'lxfw
 * check-conf' after its setting was replaced, without the files of this machine; if it has
 * sched/lxfw already, those of the setting alone. Returns 0, or
 * -1 with errno and ERROR set. The caller clears ADVICE in either case.
 */
int lxfw_tune_advice(struct lxfw_tuning_advice *advice, const struct lxfw_choice *choice,
		     const struct lxfw_cluster *cluster, const char *machine,
		     const char *log, struct lxfw_error *error);

#endif
