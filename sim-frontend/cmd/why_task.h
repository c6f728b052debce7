/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks of an array that is named as a whole. */
#ifndef LXFW_CMD_WHY_TASK_H
#define LXFW_CMD_WHY_TASK_H

#include <stdint.h>

struct lxfw_sched;

/* The id of the first task of ARRAY that runs; 0: none does, or it is a task itself. */
uint64_t lxfw_why_running_task(const struct lxfw_sched *sched, uint64_t array);

#endif
