/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw reproduce huang */
#ifndef LXFW_CMD_REPRODUCE_HUANG_H
#define LXFW_CMD_REPRODUCE_HUANG_H

#include "sim-frontend/cmd/cmd.h"

struct lxfw_reproduce_huang {
	const char *trace;	/* path of the log; NULL: not given */
	bool grid;		/* tables 6 and 7 instead */
	int64_t seeds, first_seed, threads;
	enum lxfw_format format;
};

/* Returns the exit status, after a message if it failed. */
int lxfw_reproduce_huang(const struct lxfw_command *command,
			 const struct lxfw_reproduce_huang *arguments);

#endif
