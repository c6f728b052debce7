/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SchedulerParameters max_rpc_cnt: no pass begins while the controller processes that many
 * remote procedure calls, until their number has decreased to bf_yield_rpc_cnt. Both
 * functions are called by the plugin's thread only, without locks.
 */
#ifndef LXFW_SCHED_LXFW_RPCS_H
#define LXFW_SCHED_LXFW_RPCS_H

#include <stdbool.h>

/* Reads SchedulerParameters in TEXT. */
void lxfw_rpcs_set(const char *text);

/* Returns true if passes must wait. */
bool lxfw_rpcs_many(void);

#endif
