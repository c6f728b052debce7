/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run of sbatch, of which it is known afterwards whether the job can have been submitted. */
#ifndef LXFW_CMD_ROUTE_SBATCH_H
#define LXFW_CMD_ROUTE_SBATCH_H

#include <signal.h>
#include <stdbool.h>

/* Most of what sbatch says to standard error and is kept. */
#define LXFW_SBATCH_SAID 4096

struct lxfw_sbatch {
	int status;		/* exit status, or -1 if it was not run */
	bool submitted;		/* according to its standard output */
	char said[LXFW_SBATCH_SAID];	/* the end of its standard error, not yet passed on */
};

/*
 * Runs WORDS, which ends with NULL, with standard input from INPUT; a negative one is left
 * alone. What it says is passed on, but the end of its standard error stays in run->said until
 * it has said that the job was submitted. Standard output is followed unless it is a terminal,
 * on which sbatch --wait would then print nothing until the job has ended.
 */
void lxfw_sbatch_run(struct lxfw_sbatch *run, char *const *words, int input);

/* Whether the job certainly was not submitted, because the cluster could not be reached or does
   not take jobs of this account. */
bool lxfw_sbatch_was_not_sent(const struct lxfw_sbatch *run);

/* From the first call on, signals that end a process end sbatch. Returns the one that has come,
   or 0. */
int lxfw_sbatch_signal(void);

/* Ends this process by the signal. */
void lxfw_sbatch_end_by(int signal);

#endif
