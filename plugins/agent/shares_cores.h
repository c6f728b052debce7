/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Selects the cores of a node that a job uses after its share has changed. */
#ifndef LXFW_AGENT_SHARES_CORES_H
#define LXFW_AGENT_SHARES_CORES_H

#include <stdbool.h>

/*
 * Changes OWN to COUNT cores, none of which is TAKEN. Both arrays have one entry for
 * each of SOCKETS x CORES cores, ordered by socket. First the cores that are taken are
 * removed. The job then keeps as many of its cores as possible. Cores are removed from
 * the socket on which it has fewest. Cores are added on the socket on which it has
 * most, among equals on the one with most available. Returns the number of cores, which
 * is less than COUNT if no more are available.
 */
int lxfw_cores_fit(bool *own, const bool *taken, int sockets, int cores,
		   int count);

#endif
