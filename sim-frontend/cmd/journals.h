/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of a journal. When the plugin or another program rotates the journal, old
 * files remain beside it. Together they are the record of one scheduler:
 *
 *   PATH.20261122T105016Z	by the plugin
 *   PATH.1, PATH-20261122	by logrotate; each may end with .gz
 */
#ifndef LXFW_CMD_JOURNALS_H
#define LXFW_CMD_JOURNALS_H

#include <stdbool.h>
#include <stddef.h>

#include "sim-frontend/trace/journal_read.h"

struct lxfw_journals {
	char **paths;		/* in the order in which they were written */
	size_t count, size;
};

/*
 * Finds the files GIVEN and, for a single one, its rotated files unless ALONE is set.
 * Files that are not journals in spite of their names are left out, as are empty files
 * beside others, with a note. Returns 0, or -1 after a message. Call
 * lxfw_journals_clear() in either case.
 */
int lxfw_journals_find(struct lxfw_journals *journals, char *const *given,
		       int count, bool alone);
void lxfw_journals_clear(struct lxfw_journals *journals);

/* Prints a note on parts of the file at PATH that were not read. */
void lxfw_journals_note(const char *path,
			const struct lxfw_journal_reach *reach);

#endif
