/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the controller of this cluster answers: `scontrol ping` in a process of its own, so
   that nothing waits for it. */
#ifndef LXFW_ROUTE_PING_H
#define LXFW_ROUTE_PING_H

#include <stdint.h>

#include "sim-frontend/route/child.h"

/* {.child.file = -1, .good = -1} before the first use. Times are of the monotonic clock, seconds. */
struct lxfw_route_ping {
	struct lxfw_route_child child;	/* that asks now */
	int64_t begun;		/* time of the last question */
	int64_t good;		/* time of the question that it answered; -1: none */
};

/* Takes the answer if there is one, and asks again EVERY seconds. */
void lxfw_route_ping_tick(struct lxfw_route_ping *ping, int64_t now, int64_t every);

/* Ends the child. */
void lxfw_route_ping_end(struct lxfw_route_ping *ping);

#endif
