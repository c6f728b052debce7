/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of lxfw grid. */
#ifndef LXFW_CMD_GRID_OPTIONS_H
#define LXFW_CMD_GRID_OPTIONS_H

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/grid_kinds.h"
#include "sim-frontend/cmd/grid_market.h"
#include "sim-frontend/cmd/grid_neighbours.h"
#include "sim-frontend/grid/homes.h"

#define LXFW_GRID_BROKERS_MOST 16

struct lxfw_grid_arguments {
	enum lxfw_format format;
	const char *sites, *split_wide, *jobs_out, *journals, *decisions, *report,
		   *trace;
	const struct lxfw_broker *brokers[LXFW_GRID_BROKERS_MOST];
	size_t broker_count;
	enum lxfw_homes home;
	struct lxfw_cmd_kinds kinds;
	struct lxfw_cmd_market market;
	double overhead;	/* per cent */
	int64_t mold_threshold;
	struct lxfw_simulation_options options;
	struct lxfw_grid_neighbours neighbours;
	const char *of_brokers, *of_neighbours;	/* an option that is given; NULL: none */
};

extern const char lxfw_grid_help[], lxfw_grid_more_help[];

/* Sets *TO from the command line. Returns an exit status, or -1 if the command is to run. */
int lxfw_grid_options(const struct lxfw_command *command, int argc, char **argv,
		      struct lxfw_grid_arguments *to);

/* Whether --sites has numbers of processors. */
bool lxfw_grid_sites_are_numbers(const char *text);

#endif
