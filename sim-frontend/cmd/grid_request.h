/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw grid request: the offers for a request in the language of NWIRE. */
#ifndef LXFW_CMD_GRID_REQUEST_H
#define LXFW_CMD_GRID_REQUEST_H

#include "sim-frontend/cmd/cmd.h"

/* ARGV[0] is "request". Returns an exit status. */
int lxfw_grid_request_command(const struct lxfw_command *command, int argc, char **argv);

#endif
