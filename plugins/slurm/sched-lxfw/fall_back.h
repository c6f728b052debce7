/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scheduling by Slurm's own code while the plugin's thread is stalled or dead: Slurm's
 * sched/backfill is loaded into the same controller. Jobs that were suspended for others
 * are resumed by what the file lxfw_quanta says.
 */
#ifndef LXFW_SCHED_FALL_BACK_H
#define LXFW_SCHED_FALL_BACK_H

#include "plugins/agent/loop.h"

/* Sets and returns the time in seconds after which the thread is taken for stalled
   (lxfw_let_go); 0: never. */
void lxfw_fall_back_set_limit(unsigned int seconds);
unsigned int lxfw_fall_back_limit(void);

/* A step of struct lxfw_service. TYPE is the type of this plugin: under the name of
   sched/backfill, Slurm's own is not loaded, because it is not there. */
void lxfw_fall_back(enum lxfw_fall_back step, const char *type);

#endif
