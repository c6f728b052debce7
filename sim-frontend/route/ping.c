/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/route/ping.h"

#include <string.h>

#include "sim-frontend/predict/squeue.h"

void lxfw_route_ping_end(struct lxfw_route_ping *ping)
{
	lxfw_route_child_end(&ping->child);
}

void lxfw_route_ping_tick(struct lxfw_route_ping *ping, int64_t now, int64_t every)
{
	char *const scontrol[] = { LXFW_SLURM_PLAINLY, "timeout", "-k", "1", "60",
				   "scontrol", "ping", NULL };

	if (ping->child.process > 0 && lxfw_route_child_read(&ping->child) >= 0) {
		/* "Slurmctld(primary) at host is UP", one line per controller */
		if (strstr(ping->child.text, " is UP"))
			ping->good = ping->begun;
		lxfw_route_child_end(&ping->child);
	}
	if (ping->child.process == 0 && now >= ping->begun + every) {
		ping->begun = now;
		/* If it cannot be started, the controller is one that has not answered. */
		(void)lxfw_route_child_start(&ping->child, scontrol);
	}
}
