/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scheduling by Slurm's own code in shadow mode (lxfw_shadow), and while the plugin's thread
 * is stalled or dead: Slurm's sched/backfill is loaded into the same controller. In the
 * second case jobs that were suspended for others are resumed as the file lxfw_quanta says,
 * unless the thread has ended because Slurm's records are not as expected. The state of the
 * thread is written to the file lxfw_let_go in StateSaveLocation.
 */
#ifndef LXFW_SCHED_FALL_BACK_H
#define LXFW_SCHED_FALL_BACK_H

#include "plugins/agent/loop.h"

/* Sets the time in seconds after which the thread is considered stalled (lxfw_let_go); 0:
   never. QUANTUM_SECONDS is the length of a quantum. METRICS are the first LENGTH bytes of
   the path of the metrics, or NULL. May be called by any thread. */
void lxfw_fall_back_set(unsigned int seconds, int64_t quantum_seconds, const char *metrics,
			int length);
unsigned int lxfw_fall_back_limit(void);

/* init() and fini() of the plugin call these. */
void lxfw_fall_back_open(void);
void lxfw_fall_back_close(void);

/* Shadow mode: while ON, Slurm's sched/backfill schedules although the thread is well. Each
   call tells it that the configuration has been read again. The thread calls it, without
   locks. */
void lxfw_fall_back_shadow(bool on, const char *own_name);

/* A step of struct lxfw_service. OWN_NAME is the plugin_name of this plugin. */
void lxfw_fall_back(enum lxfw_fall_back step, const struct lxfw_let_go *why,
		    const char *own_name);

#endif
