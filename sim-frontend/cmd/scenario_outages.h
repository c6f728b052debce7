/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Outages in the simulations of a scenario, as in `lxfw compare`. */
#ifndef LXFW_CMD_SCENARIO_OUTAGES_H
#define LXFW_CMD_SCENARIO_OUTAGES_H

#include "sim-frontend/cmd/scenario.h"
#include "sim-frontend/infer/outages_file.h"

/* Reads recorded outages from PATH with lxfw_outages_read(). Prints a note on ignored
   records, and on a file without records. Returns 0, or -1 after a message. */
int lxfw_cmd_outages(struct lxfw_outages *outages, const char *path,
		     const struct lxfw_cluster *cluster,
		     const struct lxfw_recorded *recorded);

/*
 * Infers the outages that SCENARIO requests from RECORDED, its recorded run, or reads
 * them, and adds them to its cluster as changes. Prints a summary. Returns 0, or -1 after
 * a message.
 */
int lxfw_scenario_outages(struct lxfw_scenario *scenario,
			  struct lxfw_recorded *recorded,
			  const struct lxfw_overhead *overhead);

#endif
