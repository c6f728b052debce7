/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One visit of a user by root: a process that has the identity of the user, or a unit of systemd
 * (route_unit.h), and beside it this process of root, which passes its output on and ends what it
 * leaves behind. The user may take over the former by a debugger, so it has nothing of root's: no
 * terminal, descriptor, keyring or input.
 */
#ifndef LXFW_CMD_ROUTE_VISIT_H
#define LXFW_CMD_ROUTE_VISIT_H

#include "sim-frontend/cmd/route.h"

struct lxfw_route_visit {
	const struct lxfw_route_arguments *arguments;
	const struct lxfw_route_conf *conf;
	const char *path;	/* file of CONF */
	const char *self;	/* this program, for a unit */
	unsigned uid;
};

/* Visits the user in arguments->visit seconds, and a minute more for a unit to be ended. Called in a
   process that has no children. Prints what the visit prints, at most 64 KB, in lines that name the
   user. Returns its exit status. */
int lxfw_route_visit(const struct lxfw_route_visit *visit);

#endif
