/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The queue for subcommands that print it: as the site publishes it, or predicted now. */
#ifndef LXFW_CMD_QUEUE_FIND_H
#define LXFW_CMD_QUEUE_FIND_H

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/publish/publication.h"

/*
 * Fills *TO from JOURNAL, or if that is NULL, from the folder SITE, or if that is NULL, too, from
 * the usual folder, or if that has nothing, from what runs. Returns 0, or an exit status after a
 * message.
 */
int lxfw_cmd_queue_find(const struct lxfw_command *command, const char *site,
			const char *journal, struct lxfw_publication *to);

#endif
