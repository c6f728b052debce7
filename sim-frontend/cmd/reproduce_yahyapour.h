/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw reproduce yahyapour2002 */
#ifndef LXFW_CMD_REPRODUCE_YAHYAPOUR_H
#define LXFW_CMD_REPRODUCE_YAHYAPOUR_H

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/engine/simulation.h"

struct lxfw_reproduce_yahyapour {
	const char *trace;	/* path of the log; NULL: not given */
	const char *tables;	/* comma-separated list; NULL: all */
	int64_t jobs;		/* 0: all */
	int64_t seed, threads;
	int64_t base;		/* of the ranges of time in table 2.6 */
	enum lxfw_overrun overrun;
	bool grid;		/* chapter 5 */
	enum lxfw_format format;
};

/* Returns the exit status, after a message if it failed. */
int lxfw_reproduce_yahyapour(const struct lxfw_command *command,
			     const struct lxfw_reproduce_yahyapour *arguments);

#endif
