/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw tune: a search, from reading the trace to printing the results. */
#ifndef LXFW_CMD_TUNE_RUN_H
#define LXFW_CMD_TUNE_RUN_H

#include "sim-frontend/cmd/priorities.h"
#include "sim-frontend/cmd/scenario.h"
#include "sim-frontend/metrics/verdict.h"
#include "sim-frontend/tune/tuning.h"
#include "sim-frontend/util/output.h"

struct lxfw_tune {
	/* Set by the caller from the options of the command. NULL or 0 if an option
	   was not given and has no default. */
	const char *current, *state_path, *page_path;
	const char *vary[LXFW_GENES_MAX];
	int vary_count;
	int64_t settings, seed, round, threads, choices;
	int64_t warmup, period;	/* seconds */
	int64_t folds, copies;
	int64_t bound;		/* of the bounded slowdown, seconds */
	double margin;		/* as a fraction of 1 */
	bool despite_verdict, quantum;
	bool pbs_formula;	/* print the recommended order as job_sort_formula */
	enum lxfw_format format;
	bool slurm;
	int64_t tasks;
	const char *sbatch, *folder, *part;
	char **words;		/* the command of a task, ends with NULL */
	struct lxfw_scenario scenario;
	struct lxfw_goals goals;
	struct lxfw_cmd_priorities priorities;

	/* Private. */
	char *site;
	struct lxfw_verdict verdict;
	struct lxfw_tune_space space;
	struct lxfw_trials trials;
	struct lxfw_search search;
	struct lxfw_tune_state *state;
	struct lxfw_output *page;
};

/* Searches, evaluates the results and prints them. Returns the exit status;
   LXFW_EXIT_BAD follows a message. COMMAND is used in messages about options. */
int lxfw_tune_search(const struct lxfw_command *command, struct lxfw_tune *tune);

/* Prints the order of `current`, or of LXF&W, as job_sort_formula; no trace is read. Returns
   the exit status; LXFW_EXIT_BAD follows a message. */
int lxfw_tune_formula(const struct lxfw_command *command, struct lxfw_tune *tune);

/* Runs the task of an array given by `part`, I/N:DIR. Returns the exit status;
   LXFW_EXIT_BAD follows a message. */
int lxfw_tune_task(const struct lxfw_command *command, struct lxfw_tune *tune);

/* Frees loaded data and removes incomplete output files. */
void lxfw_tune_clear(struct lxfw_tune *tune);

#endif
