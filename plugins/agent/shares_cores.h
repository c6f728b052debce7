/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which cores of a node a job is to have when it gets more of them or fewer. */
#ifndef LXFW_AGENT_SHARES_CORES_H
#define LXFW_AGENT_SHARES_CORES_H

#include <stdbool.h>

/*
 * Change OWN, an entry for each of SOCKETS x CORES cores, socket by socket, to COUNT
 * of them, none that is TAKEN. What the job has it keeps where it can: first it
 * loses what is taken. What it gives up comes from the socket on which it has
 * fewest, what it gets from the one on which it has most, then from the one with
 * most to be had, so that its cores stay together. Returns how many it has then:
 * fewer than COUNT if there are no more.
 */
int lxfw_cores_fit(bool *own, const bool *taken, int sockets, int cores,
		   int count);

#endif
