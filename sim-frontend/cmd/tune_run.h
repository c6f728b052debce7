/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw tune: one search, from the trace to what is printed. */
#ifndef LXFW_CMD_TUNE_RUN_H
#define LXFW_CMD_TUNE_RUN_H

#include "sim-frontend/cmd/scenario.h"
#include "sim-frontend/metrics/verdict.h"
#include "sim-frontend/tune/tuning.h"
#include "sim-frontend/util/output.h"

struct lxfw_tune {
	/* Given: the options of the command. NULL, or 0, where an option was not given and
	   has no default. */
	const char *current, *state_path, *page_path;
	const char *vary[LXFW_GENES_MAX];
	int vary_count;
	int64_t settings, seed, round, threads, choices;
	int64_t warmup, period;	/* s */
	int64_t folds, copies;
	double margin;		/* a fraction of 1 */
	bool despite_verdict, quantum;
	enum lxfw_format format;
	bool slurm;
	int64_t tasks;
	const char *sbatch, *folder, *part;
	char **words;		/* the command for a task, NULL at the end */
	struct lxfw_scenario scenario;
	struct lxfw_goals goals;

	/* private */
	char *site;
	struct lxfw_verdict verdict;
	struct lxfw_tune_space space;
	struct lxfw_trials trials;
	struct lxfw_search search;
	struct lxfw_tune_state *state;
	struct lxfw_output *page;
};

/* Search, evaluate what was found, print. The exit status, after a message where it is
   LXFW_EXIT_BAD. COMMAND is for messages about the options. */
int lxfw_tune_search(const struct lxfw_command *command, struct lxfw_tune *tune);

/* Run the task of an array that `part` names, I/N:DIR. Likewise. */
int lxfw_tune_task(const struct lxfw_command *command, struct lxfw_tune *tune);

/* Free what was loaded, and remove output files that are not complete. */
void lxfw_tune_clear(struct lxfw_tune *tune);

#endif
