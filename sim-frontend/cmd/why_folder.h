/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lxfw why --waiting: a file of text for each job that waits at the end of the journals, for
 * its user, without the numbers of other jobs.
 */
#ifndef LXFW_CMD_WHY_FOLDER_H
#define LXFW_CMD_WHY_FOLDER_H

#include "sim-frontend/cmd/journals.h"
#include "sim-frontend/cmd/replayer.h"

struct lxfw_why_folder {
	const char *path;	/* an existing folder */
	size_t changes;		/* jobs for which other requests are tried */
	bool dates;		/* local dates instead of seconds */
	int64_t until;		/* as in struct lxfw_replayer */
	const struct lxfw_script *script;	/* may be NULL */
};

/* Replaces the files of the folder: NAME.why for the job NAME. Files with such names of jobs
   that do not wait any more are removed. Returns an exit status. */
int lxfw_why_folder(const struct lxfw_why_folder *folder,
		    const struct lxfw_journals *journals);

#endif
