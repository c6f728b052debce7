/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A history of run times (common/grid/history.h) in an SQLite file:
 *
 *   CREATE TABLE times (kind, place, known, count, mean, squares)
 *
 * with the names of places. A write is one transaction: after a crash in the middle of it, the
 * file is as before.
 */
#ifndef LXFW_GRID_HISTORY_FILE_H
#define LXFW_GRID_HISTORY_FILE_H

#include "common/grid/history.h"
#include "sim-frontend/grid/sites.h"

/*
 * Adds the entries of the file at PATH for SITES; a file that does not exist has none. Entries
 * for other places are ignored.
 *
 * Both return 0, or -1 with errno and ERROR set, the file unchanged: EINVAL if it is damaged, of
 * another program or version, EBUSY if another process changes it, EROFS if it cannot be written,
 * ENOTSUP if the command was built without SQLite.
 */
int lxfw_history_file_read(struct lxfw_grid_history *history, const char *path,
			   const struct lxfw_sites *sites, struct lxfw_error *error);

/* Replaces the entries of the file that HISTORY has, and adds the others. */
int lxfw_history_file_write(const struct lxfw_grid_history *history, const char *path,
			    const struct lxfw_sites *sites, struct lxfw_error *error);

#endif
