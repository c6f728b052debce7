/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What users write behind --adaptive, and admins in plugstack.conf. */
#ifndef LXFW_SPANK_OPTIONS_H
#define LXFW_SPANK_OPTIONS_H

#include "common/util/error.h"

/* Where jobs' folders are unless the admin says otherwise. */
#define LXFW_SPANK_FOLDER "/run/lxfw"
/* Seconds between questions to the controller. */
#define LXFW_SPANK_INTERVAL 3
#define LXFW_SPANK_INTERVAL_MAX 60

struct lxfw_spank_options {
	const char *folder;	/* folder=PATH, absolute */
	int interval;		/* interval=SECONDS */
	/* share_from=PATH, absolute: a folder with a file for each job that
	   says its share, in place of the controller. For tests. NULL: none. */
	const char *share_from;
};

/*
 * The least number of processors of a job: TEXT is what follows --adaptive=, NULL,
 * "" or Slurm's "(null)" where nothing does. 0 and *LEAST (1 or more), or -1 with
 * what is wrong.
 */
int lxfw_spank_adaptive(const char *text, unsigned *least,
			struct lxfw_error *error);

/* Read the arguments of the plugin's line; texts are not copied. 0, or -1 with
   what is wrong; *OPTIONS has the default for each bad one then. */
int lxfw_spank_options_read(struct lxfw_spank_options *options, int count,
			    char **arguments, struct lxfw_error *error);

#endif
