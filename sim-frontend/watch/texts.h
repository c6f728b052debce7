/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an ordinary user may ask the Slurm that runs, a question for each table. */
#ifndef LXFW_WATCH_TEXTS_H
#define LXFW_WATCH_TEXTS_H

#include <stdbool.h>

#include "common/util/error.h"

/* The output of programs of Slurm. {0} is empty. */
struct lxfw_watch_texts {
	bool cut;		/* squeue printed more than is read: the last jobs are missing */
	char *config;		/* `scontrol show config`; NULL: as if it said nothing */
	char *nodes;		/* `scontrol -o show node` */
	char *partitions;	/* `scontrol -o show partition` */
	char *reservations;	/* `scontrol -o show reservation` */
	char *jobs;		/* squeue, see job_line.h; an array that waits is one line */
	char *licenses;		/* `scontrol -o show license` */
	char *excluded;		/* squeue: the nodes that each job excludes, its licenses and
				   dependencies */
};

/* Asks. Returns 0, or -1 with errno and ERROR set if the controller does not answer; TEXTS are
   empty then. */
int lxfw_watch_ask(struct lxfw_watch_texts *texts, struct lxfw_error *error);

void lxfw_watch_texts_clear(struct lxfw_watch_texts *texts);

#endif
