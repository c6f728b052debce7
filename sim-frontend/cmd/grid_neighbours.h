/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw grid --graph: sites that exchange jobs with their neighbours. */
#ifndef LXFW_CMD_GRID_NEIGHBOURS_H
#define LXFW_CMD_GRID_NEIGHBOURS_H

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/grid_outputs.h"
#include "sim-frontend/engine/simulation.h"
#include "sim-frontend/grid/exchange.h"
#include "sim-frontend/grid/sites.h"

#define LXFW_GRID_MOVES_MOST 8

struct lxfw_grid_moves {
	bool push, pull, balance;
};

struct lxfw_grid_neighbours {
	/* Options. */
	const char *graph;	/* NULL: none is given */
	struct lxfw_grid_moves moves[LXFW_GRID_MOVES_MOST];
	size_t move_count;	/* 0: push+pull */
	int64_t delay, seed;
	int32_t loss;		/* of 10,000 messages */
	bool stay, delayed;	/* DELAYED: a delay is given */

	/* What is simulated. */
	const struct lxfw_command *command;
	struct lxfw_sites *sites;
	const struct lxfw_trace *trace;
	int32_t *homes;		/* changed where a job does not fit */
	const struct lxfw_simulation_options *options;
	const char *path, *jobs_out, *report;
	struct lxfw_grid_outputs *outputs;
	enum lxfw_format format;
};

/* Reads "none,push+pull". Returns 0, or -1 after a message. */
int lxfw_grid_neighbours_moves(const struct lxfw_command *command, const char *text,
			       struct lxfw_grid_neighbours *to);

/* Returns an exit status. */
int lxfw_grid_neighbours_run(struct lxfw_grid_neighbours *neighbours);

#endif
