/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The queue for subcommands that print it: as the site publishes it, or predicted now. */
#ifndef LXFW_CMD_QUEUE_FIND_H
#define LXFW_CMD_QUEUE_FIND_H

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/now.h"
#include "sim-frontend/publish/publication.h"

/* Where to look for which jobs. */
struct lxfw_cmd_queue {
	const char *journal, *site;	/* NULL: not given */
	enum lxfw_now_of of;		/* not LXFW_NOW_ANY: without what the site publishes */
	char *const *names;		/* jobs that are wanted, see lxfw_publication_choose() */
	int count;
};

struct lxfw_cmd_queue_found {
	bool published;	/* it is as the site publishes it */
	bool looked;	/* or is predicted from the look that the site publishes */
	bool silent;	/* what runs was needed, and does not answer */
	bool told;	/* of the jobs that it lacks it has been said that they are new */
};

/*
 * Fills *TO from the journal, or if that is NULL, from the folder of the site, or if that is NULL,
 * too, from the usual folder, or if that has nothing, or lacks a job that may have been submitted
 * since, from what runs, unless the next publication is near. Returns 0, or an exit status after a
 * message.
 */
int lxfw_cmd_queue_find(const struct lxfw_command *command, const struct lxfw_cmd_queue *queue,
			struct lxfw_publication *to, struct lxfw_cmd_queue_found *found);

#endif
