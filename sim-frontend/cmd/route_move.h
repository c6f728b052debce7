/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of one user that move, and those that may. */
#ifndef LXFW_CMD_ROUTE_MOVE_H
#define LXFW_CMD_ROUTE_MOVE_H

#include "sim-frontend/cmd/route.h"

/* Continues the moves of the jobs of this user, and begins new ones. Prints what it does.
   Returns an exit status. */
int lxfw_route_move_jobs(const struct lxfw_route_arguments *arguments,
			 const struct lxfw_route_conf *conf);

#endif
