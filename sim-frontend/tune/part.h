/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A round of settings divided among tasks that share only a folder: one file with the
 * settings, and one from each task with the values of its part. A file is complete or
 * absent, so that no locks are needed, which network file systems support poorly.
 */
#ifndef LXFW_TUNE_PART_H
#define LXFW_TUNE_PART_H

#include "sim-frontend/tune/state.h"
#include "sim-frontend/tune/trial.h"

/* Parts are numbered from 1 to at most LXFW_PARTS_MAX. A part evaluates every PARTS-th
   setting, from position PART - 1 on. */
#define LXFW_PARTS_MAX 1000

struct lxfw_round {
	char **lines;
	size_t count;
	char mark[16];		/* digest of the inputs on which the values depend */
};

/* Formats the digest, such as "ab12cd34". */
void lxfw_round_mark(const struct lxfw_tune_about *about, char *mark, size_t size);

/* Writes FOLDER/settings. Returns 0, or -1 with errno and ERROR set. */
int lxfw_round_write(const char *folder, const char *const *lines, size_t count,
		     const char *mark, struct lxfw_error *error);
int lxfw_round_read(struct lxfw_round *round, const char *folder,
		    struct lxfw_error *error);
void lxfw_round_clear(struct lxfw_round *round);

/* Runs in a task: evaluates a part of the settings in FOLDER and writes
   FOLDER/part-PART. Returns 0, or -1 with errno and ERROR set. */
int lxfw_part_try(const struct lxfw_trials *trials, const char *folder, int part,
		  int parts, int threads, struct lxfw_error *error);

/*
 * Reads the values in FOLDER/part-PART: the NUMBERS values of setting I of COUNT are
 * stored at VALUES[I * NUMBERS]. Returns 1, 0 if the file does not exist, or -1 with
 * errno and ERROR set if it is not a part of this round.
 */
int lxfw_part_take(const char *folder, int part, int parts, size_t count,
		   size_t numbers, const char *mark, double *values,
		   struct lxfw_error *error);

/* Returns FOLDER/NAME, or FOLDER/NAME-NUMBER if NUMBER is above 0, which the caller
   frees, or NULL with errno ENOMEM. */
char *lxfw_part_path(const char *folder, const char *name, int number);

#endif
