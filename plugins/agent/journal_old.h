/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The old segments of a journal: beside the journal PATH, with the time of their
 * rotation in UTC, PATH.20261122T105016Z. The order of their names is the order in
 * which they were written, also where the clock was set back.
 *
 * A file of another name is never touched. The caller keeps other writers away.
 */
#ifndef LXFW_AGENT_JOURNAL_OLD_H
#define LXFW_AGENT_JOURNAL_OLD_H

#include <stdint.h>

/* Rename the journal PATH (absolute) to the name of an old segment, of the second
   NOW or, if there are such names as late as that, of the second after the latest.
   0, or -1 with errno and PATH as it was. */
int lxfw_journal_old_add(const char *path, int64_t now);

/* Remove all old segments but the latest KEEP. 0, or -1 with errno where one could
   not be removed. */
int lxfw_journal_old_drop(const char *path, int64_t keep);

#endif
