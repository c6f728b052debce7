/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The visit of a user as a transient unit of systemd: with a PAM session, in the slice of the user,
 * with limits of its own, and ended as a control group. No process of the user is then one of root's
 * service, not even if the user takes it over by a debugger.
 */
#ifndef LXFW_CMD_ROUTE_UNIT_H
#define LXFW_CMD_ROUTE_UNIT_H

#include "sim-frontend/cmd/route.h"

/* Whether visits are units: as the arguments say, or if systemd runs this machine. */
bool lxfw_route_unit_is_used(const struct lxfw_route_arguments *arguments);

/* Whether there is the PAM service. Returns 0, or an exit status after a message. */
int lxfw_route_unit_check(const struct lxfw_route_arguments *arguments);

/* Replaces this process by one that starts the unit and waits for its end; its exit status is that of
   the visit. CONF is the file of the clusters, SELF this program. Returns only after a failure, with
   errno. */
void lxfw_route_unit_become(const struct lxfw_route_arguments *arguments, const char *conf,
			    const char *self, unsigned uid);

#endif
