/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run times of earlier jobs on the Slurm that runs, for predictions of users without options. */
#ifndef LXFW_CMD_NOW_RUNS_H
#define LXFW_CMD_NOW_RUNS_H

#include "sim-frontend/history/ran.h"

/* The data base of run times that the site has for its users: the value of LXFW_HISTORY, which a
   module sets, if the file can be read; otherwise NULL. */
const char *lxfw_now_history(void);

/* Adds the jobs of this user that ended in the last 30 days, from sacct, as `own`. A note says why
   they are not known. Returns 0, or an exit status after a message. */
int lxfw_now_runs(struct lxfw_rans *rans);

#endif
