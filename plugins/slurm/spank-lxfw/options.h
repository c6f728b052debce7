/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses the value of --adaptive and the arguments in plugstack.conf. */
#ifndef LXFW_SPANK_OPTIONS_H
#define LXFW_SPANK_OPTIONS_H

#include "common/util/error.h"

/* Default directory of the jobs' folders. */
#define LXFW_SPANK_FOLDER "/run/lxfw"
/* Default seconds between requests to the controller. */
#define LXFW_SPANK_INTERVAL 3
#define LXFW_SPANK_INTERVAL_MAX 60

struct lxfw_spank_options {
	const char *folder;	/* folder=PATH, absolute */
	int interval;		/* interval=SECONDS */
	/* share_from=PATH, absolute: a directory with a file for each job that contains
	   its share, used instead of the controller. For tests. NULL: none. */
	const char *share_from;
};

/*
 * Parses the minimum number of processors of a job. TEXT is the value of --adaptive, or
 * NULL, "" or Slurm's "(null)" if there is none. Returns 0 and sets *LEAST (1 or more),
 * or returns -1 and sets *ERROR.
 */
int lxfw_spank_adaptive(const char *text, unsigned *min_procs,
			struct lxfw_error *error);

/* Parses the arguments of the plugin's line. Strings are not copied. Returns 0, or -1
   with *ERROR set; *OPTIONS then has the default for each invalid argument. */
int lxfw_spank_options_read(struct lxfw_spank_options *options, int count,
			    char **arguments, struct lxfw_error *error);

#endif
