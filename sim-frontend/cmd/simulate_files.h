/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The output files of `lxfw simulate`. */
#ifndef LXFW_CMD_SIMULATE_FILES_H
#define LXFW_CMD_SIMULATE_FILES_H

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/history.h"
#include "sim-frontend/cmd/priorities.h"
#include "sim-frontend/cmd/scenario.h"
#include "sim-frontend/cmd/study.h"
#include "sim-frontend/engine/journal_writer.h"
#include "sim-frontend/experiment/contest.h"
#include "sim-frontend/report/schedule_out.h"
#include "sim-frontend/report/several.h"
#include "sim-frontend/util/output.h"

/* Paths given by the user; NULL if not given. */
struct lxfw_simulate_paths {
	const char *jobs, *journal, *series, *users, *report;
	const char *schedule;		/* in the form below */
	enum lxfw_schedule_form schedule_form;
	const char *window;		/* of the schedules in the report, or NULL */
	int64_t series_step;		/* seconds; 0: a row for each change */
};

/* {0}: none is open. */
struct lxfw_simulate_files {
	struct lxfw_output *jobs, *journal, *series, *users, *report, *schedule;
	struct lxfw_journal_writer writer;
};

/* Checks that the files of PATHS differ from each other and from the inputs, which are those
   of SCENARIO, STUDY and PRIORITIES, and CLASSES, which may be NULL. Returns 0, or -1 after a
   message. */
int lxfw_simulate_files_apart(const struct lxfw_command *command,
			      const struct lxfw_simulate_paths *paths,
			      const struct lxfw_scenario *scenario,
			      const struct lxfw_study *study,
			      const struct lxfw_cmd_priorities *priorities,
			      const struct lxfw_cmd_history *history,
			      const char *classes);

/* Returns 0, or -1 after a message. */
int lxfw_simulate_files_open(struct lxfw_simulate_files *files,
			     const struct lxfw_simulate_paths *paths);

/* Writes the page about the log LOG if it was requested. The file is renamed by
   lxfw_simulate_files_write(). Returns 0, or -1 after a message. */
int lxfw_simulate_files_page(struct lxfw_simulate_files *files,
			     const struct lxfw_simulate_paths *paths,
			     const struct lxfw_several *several, const char *log);

/* Writes the results of CONTEST and renames the files. With SEVERAL, each row names
   its contender. Returns 0, or -1 after a message. */
int lxfw_simulate_files_write(struct lxfw_simulate_files *files,
			      const struct lxfw_simulate_paths *paths,
			      const struct lxfw_contest *contest, bool several);

/* Removes files that are incomplete. */
void lxfw_simulate_files_abort(struct lxfw_simulate_files *files);

#endif
