/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evaluates settings by a job array of a Slurm cluster, one part (see part.h) per task.
 * All nodes must have access to the folder.
 */
#ifndef LXFW_TUNE_ARRAY_H
#define LXFW_TUNE_ARRAY_H

#include <stdbool.h>

#include "sim-frontend/tune/part.h"

struct lxfw_tune_array {
	/* Set by the caller. */
	const char *folder;	/* an existing folder */
	int tasks;		/* maximum number of tasks, 1 to LXFW_PARTS_MAX */
	const char *sbatch;	/* further options of sbatch, separated by blanks;
				   NULL: none */
	char *const *command;	/* command of a task, ends with NULL; --part is
				   inserted after the second word */
	size_t numbers;		/* number of values of a setting */
	char mark[16];
	bool (*stop)(void);	/* returns whether to cancel the array */
	void (*note)(const char *format, ...)
		__attribute__((format(printf, 1, 2)));

	/* Private. */
	int round;
};

/*
 * Evaluates COUNT settings. VALUES are as for lxfw_part_take(). TRIED is called for each
 * setting whose values are known. Tasks without a result are repeated at most twice.
 * Returns 0, 1 if stopped, with the array cancelled, or -1 with errno and ERROR set,
 * which names the tasks.
 */
int lxfw_tune_array_try(struct lxfw_tune_array *array, const char *const *lines,
			size_t count, double *values,
			void (*tried)(void *context, size_t i), void *context,
			struct lxfw_error *error);

/* Removes the files of the rounds from the folder. */
void lxfw_tune_array_tidy(const struct lxfw_tune_array *array);

#endif
