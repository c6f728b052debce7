/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files that `lxfw grid` writes: all are there at the end, or none. */
#ifndef LXFW_CMD_GRID_OUTPUTS_H
#define LXFW_CMD_GRID_OUTPUTS_H

#include "sim-frontend/engine/journal_writer.h"
#include "sim-frontend/grid/sites.h"
#include "sim-frontend/util/output.h"

/* Files beside the journals of the sites. */
enum lxfw_grid_file {
	LXFW_GRID_FILE_JOBS,
	LXFW_GRID_FILE_PAGE,
	LXFW_GRID_FILE_DECISIONS,
	LXFW_GRID_FILES,
};

/* {0} is empty. */
struct lxfw_grid_outputs {
	struct lxfw_output **list;	/* of the sites, then the others; NULL: not written */
	size_t sites;
	struct lxfw_journal_writer *writers;	/* of each site; NULL: no journals */
};

/* The functions return 0, or LXFW_EXIT_BAD after a message. */

/* Opens FOLDER/SITE.journal for each site, unless FOLDER is NULL. */
int lxfw_grid_outputs_begin(struct lxfw_grid_outputs *outputs, const struct lxfw_sites *sites,
			    const struct lxfw_trace *trace, const char *folder);

/* Opens another file. Returns it, or NULL after a message. */
struct lxfw_output *lxfw_grid_outputs_open(struct lxfw_grid_outputs *outputs,
					   enum lxfw_grid_file file, const char *path);

int lxfw_grid_outputs_commit(struct lxfw_grid_outputs *outputs);

/* Gives up what is not committed. */
void lxfw_grid_outputs_clear(struct lxfw_grid_outputs *outputs);

#endif
