/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Outages in simulations of a scenario, as `lxfw compare` has them. */
#ifndef LXFW_CMD_SCENARIO_OUTAGES_H
#define LXFW_CMD_SCENARIO_OUTAGES_H

#include "sim-frontend/cmd/scenario.h"
#include "sim-frontend/infer/outages_file.h"

/* Read the recorded outages of PATH, as lxfw_outages_read(). A message tells of records
   that are left out, and of a file without any. 0, or -1 after a message. */
int lxfw_cmd_outages(struct lxfw_outages *outages, const char *path,
		     const struct lxfw_cluster *cluster,
		     const struct lxfw_recorded *recorded);

/*
 * Infer the outages that SCENARIO asks for from RECORDED, which is of it, or read them;
 * its cluster has them as changes then. A message tells what came out. 0, or -1 after a
 * message.
 */
int lxfw_scenario_outages(struct lxfw_scenario *scenario,
			  struct lxfw_recorded *recorded,
			  const struct lxfw_overhead *overhead);

#endif
