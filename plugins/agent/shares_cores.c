/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/agent/shares_cores.h"

static int owned(const bool *own, int cores)
{
	int count = 0;

	for (int i = 0; i < cores; i++)
		count += own[i];
	return count;
}

static int available(const bool *own, const bool *taken, int cores)
{
	int count = 0;

	for (int i = 0; i < cores; i++)
		count += !own[i] && !taken[i];
	return count;
}

/* Removes the last core of the socket on which the job has fewest; among equals, of the
   last socket. */
static void give_up(bool *own, int sockets, int cores)
{
	int from = -1, fewest = 0, core = cores;

	for (int i = 0; i < sockets; i++) {
		int here = owned(own + i * cores, cores);

		if (here > 0 && (from < 0 || here <= fewest)) {
			from = i;
			fewest = here;
		}
	}
	while (!own[from * cores + --core])
		;
	own[from * cores + core] = false;
}

/* Adds the first available core of the preferred socket. Returns false if there is
   none. */
static bool take(bool *own, const bool *taken, int sockets, int cores)
{
	int to = -1, most = 0, room = 0, core = 0;

	for (int i = 0; i < sockets; i++) {
		const bool *mine = own + i * cores, *theirs = taken + i * cores;
		int there = available(mine, theirs, cores);
		int here = owned(mine, cores);

		if (there > 0 && (to < 0 || here > most ||
				  (here == most && there > room))) {
			to = i;
			most = here;
			room = there;
		}
	}
	if (to < 0)
		return false;
	while (own[to * cores + core] || taken[to * cores + core])
		core++;
	own[to * cores + core] = true;
	return true;
}

int lxfw_cores_fit(bool *own, const bool *taken, int sockets, int cores,
		   int count)
{
	int has;

	for (int i = 0; i < sockets * cores; i++)
		own[i] = own[i] && !taken[i];
	has = owned(own, sockets * cores);
	for (; has > count; has--)
		give_up(own, sockets, cores);
	while (has < count && take(own, taken, sockets, cores))
		has++;
	return has;
}
