/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files that `lxfw simulate` writes. */
#ifndef LXFW_CMD_SIMULATE_FILES_H
#define LXFW_CMD_SIMULATE_FILES_H

#include "sim-frontend/engine/journal_writer.h"
#include "sim-frontend/experiment/contest.h"
#include "sim-frontend/report/several.h"
#include "sim-frontend/util/output.h"

/* What the user asked for; NULL where not. */
struct lxfw_simulate_paths {
	const char *jobs, *journal, *series, *users, *report;
	const char *window;		/* of the report's schedules, or NULL */
	int64_t series_step;		/* s; 0: a row for each change */
};

/* {0} has none open. */
struct lxfw_simulate_files {
	struct lxfw_output *jobs, *journal, *series, *users, *report;
	struct lxfw_journal_writer writer;
};

/* 0, or -1 after a message. */
int lxfw_simulate_files_open(struct lxfw_simulate_files *files,
			     const struct lxfw_simulate_paths *paths);

/* Write the page, of the log LOG, where it was asked for; it has no name until
   lxfw_simulate_files_write(). Likewise. */
int lxfw_simulate_files_page(struct lxfw_simulate_files *files,
			     const struct lxfw_simulate_paths *paths,
			     const struct lxfw_several *several, const char *log);

/* Write what CONTEST has come to and give the files their names; with SEVERAL each row
   tells whose it is. Likewise. */
int lxfw_simulate_files_write(struct lxfw_simulate_files *files,
			      const struct lxfw_simulate_paths *paths,
			      const struct lxfw_contest *contest, bool several);

/* Leave nothing behind of what was not written. */
void lxfw_simulate_files_abort(struct lxfw_simulate_files *files);

#endif
