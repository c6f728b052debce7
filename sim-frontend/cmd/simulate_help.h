/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The help text of lxfw simulate, in three parts (struct lxfw_command). */
#ifndef LXFW_CMD_SIMULATE_HELP_H
#define LXFW_CMD_SIMULATE_HELP_H

extern const char lxfw_simulate_help[], lxfw_simulate_more_help[];
extern const char lxfw_simulate_last_help[];

#endif
