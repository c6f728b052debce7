/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the controller of this cluster answers: `scontrol ping` in a process of its own, so
   that nothing waits for it. */
#ifndef LXFW_ROUTE_PING_H
#define LXFW_ROUTE_PING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* {.child = 0, .file = -1, .good = -1} before the first use. Times are of the monotonic
   clock, seconds. */
struct lxfw_route_ping {
	pid_t child;		/* that asks now; 0: none */
	int file;		/* its output */
	int64_t begun;		/* time of the last question */
	int64_t good;		/* time of the question that it answered; -1: none */
	char said[256];
	size_t length;
};

/* Takes the answer if there is one, and asks again EVERY seconds. Returns the descriptor to
   wait for, or -1. */
int lxfw_route_ping_tick(struct lxfw_route_ping *ping, int64_t now, int64_t every);

/* Ends the child. */
void lxfw_route_ping_end(struct lxfw_route_ping *ping);

#endif
