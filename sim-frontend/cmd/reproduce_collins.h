/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw reproduce collins2001 */
#ifndef LXFW_CMD_REPRODUCE_COLLINS_H
#define LXFW_CMD_REPRODUCE_COLLINS_H

#include "sim-frontend/cmd/cmd.h"

/* Returns the exit status, after a message if it failed. */
int lxfw_reproduce_collins(int64_t seeds, int64_t first_seed, int64_t threads,
			   enum lxfw_format format);

#endif
