/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of a journal. Rotation, by the plugin or by others, leaves old ones beside
 * it, which together with it are the record of one scheduler:
 *
 *   PATH.20261122T105016Z	the plugin's
 *   PATH.1, PATH-20261122	logrotate's; each may end with .gz
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
 * The files GIVEN, and the old ones of a single one unless it is to be read ALONE. What
 * looks like an old one and is no journal is left out, and so is an empty file beside
 * others; a note says so. 0, or -1 after a message. lxfw_journals_clear() either way.
 */
int lxfw_journals_find(struct lxfw_journals *journals, char *const *given,
		       int count, bool alone);
void lxfw_journals_clear(struct lxfw_journals *journals);

/* A note on what of the file at PATH was not read. */
void lxfw_journals_note(const char *path,
			const struct lxfw_journal_reach *reach);

#endif
