/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings tried by a job array of a Slurm cluster, a task a part (see part.h), in a
 * folder that all its nodes see.
 */
#ifndef LXFW_TUNE_ARRAY_H
#define LXFW_TUNE_ARRAY_H

#include <stdbool.h>

#include "sim-frontend/tune/part.h"

struct lxfw_tune_array {
	/* given */
	const char *folder;	/* there already */
	int tasks;		/* at most, 1 .. LXFW_PARTS_MAX */
	const char *sbatch;	/* further options of sbatch, blanks between; NULL */
	char *const *command;	/* what a task runs, NULL at the end; behind the second
				   word comes --part */
	size_t numbers;		/* values of a setting */
	char mark[16];
	bool (*stop)(void);	/* whether to cancel it */
	void (*note)(const char *format, ...)
		__attribute__((format(printf, 1, 2)));

	/* private */
	int round;
};

/*
 * Try COUNT settings; VALUES as for lxfw_part_take(). TRIED is called for each whose
 * values are known. Tasks that leave nothing are run again, twice at most. 0; 1 if
 * stopped before, with the array cancelled; -1 with errno and ERROR set, the tasks
 * named.
 */
int lxfw_tune_array_try(struct lxfw_tune_array *array, const char *const *lines,
			size_t count, double *values,
			void (*tried)(void *context, size_t i), void *context,
			struct lxfw_error *error);

/* Remove what the rounds left in the folder. */
void lxfw_tune_array_tidy(const struct lxfw_tune_array *array);

#endif
