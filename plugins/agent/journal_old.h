/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Old segments of a journal. They lie in the directory of the journal PATH and are
 * named by the time of their rotation in UTC: PATH.20261122T105016Z. The order of their
 * names is the order in which they were written, even if the clock was set back.
 *
 * Files with other names are not touched. The caller excludes other writers.
 */
#ifndef LXFW_AGENT_JOURNAL_OLD_H
#define LXFW_AGENT_JOURNAL_OLD_H

#include <stdint.h>

/* Renames the journal PATH (absolute) to an old segment with time stamp NOW. If a
   segment with that time stamp or a later one exists, the second after the latest one
   is used. Returns 0, or -1 with errno set and PATH unchanged. */
int lxfw_journal_old_add(const char *path, int64_t now);

/* Removes all old segments except the latest KEEP. Returns 0, or -1 with errno set if a
   segment could not be removed. */
int lxfw_journal_old_drop(const char *path, int64_t keep);

#endif
