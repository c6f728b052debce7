/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A round of settings divided among tasks that share nothing but a folder: a file with
 * the settings, and one from each task with the values of its part. A file is there
 * whole or not at all, so that nobody waits for a lock, which network file systems do
 * not keep.
 */
#ifndef LXFW_TUNE_PART_H
#define LXFW_TUNE_PART_H

#include "sim-frontend/tune/state.h"
#include "sim-frontend/tune/trial.h"

/* Of LXFW_PARTS_MAX parts counted from 1, the part tries every setting whose position is
   PART - 1 or so many times PARTS more. */
#define LXFW_PARTS_MAX 1000

struct lxfw_round {
	char **lines;
	size_t count;
	char mark[16];		/* of what the values depend on */
};

/* "ab12cd34" */
void lxfw_round_mark(const struct lxfw_tune_about *about, char *mark, size_t size);

/* FOLDER/settings. 0, or -1 with errno and ERROR set. */
int lxfw_round_write(const char *folder, const char *const *lines, size_t count,
		     const char *mark, struct lxfw_error *error);
int lxfw_round_read(struct lxfw_round *round, const char *folder,
		    struct lxfw_error *error);
void lxfw_round_clear(struct lxfw_round *round);

/* A task: try a part of the settings in FOLDER and write FOLDER/part-PART. The same. */
int lxfw_part_try(const struct lxfw_trials *trials, const char *folder, int part,
		  int parts, int threads, struct lxfw_error *error);

/*
 * Take the values of FOLDER/part-PART: for setting I of COUNT, its NUMBERS values to
 * VALUES[I * NUMBERS]. 1 if it was there, 0 if not, -1 with errno and ERROR set where it is
 * something else than a part of this round.
 */
int lxfw_part_take(const char *folder, int part, int parts, size_t count,
		   size_t numbers, const char *mark, double *values,
		   struct lxfw_error *error);

/* FOLDER/NAME, or FOLDER/NAME-NUMBER where NUMBER is above 0, to be freed; NULL with
   errno ENOMEM. */
char *lxfw_part_path(const char *folder, const char *name, int number);

#endif
