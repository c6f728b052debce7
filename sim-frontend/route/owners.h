/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose job it is that waits, from squeue(1): the journal of the plugin names no users. */
#ifndef LXFW_ROUTE_OWNERS_H
#define LXFW_ROUTE_OWNERS_H

#include <stdint.h>
#include <sys/types.h>

#include "sim-frontend/route/child.h"

struct lxfw_route_owner {
	uint64_t job;
	uid_t user;
};

/* {.child.file = -1, .read = INT64_MIN} is empty. */
struct lxfw_route_owners {
	struct lxfw_route_child child;	/* squeue */
	struct lxfw_route_owner *list;	/* by job */
	size_t count, size;
	int64_t read;			/* second in which squeue ended */
};

/* Finds the user of a job at NOW, a second of the monotonic clock. Returns 1, 0 if squeue shows no
   such job, or -1 while squeue runs. */
int lxfw_route_owners_find(struct lxfw_route_owners *owners, uint64_t job, int64_t now,
			   uid_t *user);

/* Reads what squeue says. Call it while child.process is not 0. */
void lxfw_route_owners_tick(struct lxfw_route_owners *owners, int64_t now);

/* Takes lines "JOB USER", with numbers; others are left out. Returns 0, or -1 with errno ENOMEM. */
int lxfw_route_owners_take(struct lxfw_route_owners *owners, char *text);

void lxfw_route_owners_clear(struct lxfw_route_owners *owners);

#endif
