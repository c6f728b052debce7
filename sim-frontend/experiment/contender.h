/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The policies compared in section 4 of Chiang and Vernon 2001, with the parameters of
 * the paper, and two additional ones.
 */
#ifndef LXFW_EXPERIMENT_CONTENDER_H
#define LXFW_EXPERIMENT_CONTENDER_H

#include <stdbool.h>

enum lxfw_contender {
	LXFW_NCSA_LSF,		/* section 2.1: NCSA-LSF* */
	LXFW_FCFS_BF,		/* 2.3 */
	LXFW_PRIORITY_BF,	/* 2.2 */
	LXFW_LXFW_BF,		/* 2.3: LXF&W-backfill */
	LXFW_SJF_BF,		/* 2.3 */
	LXFW_IMMEDIATE,		/* 2.4: LXF&W-backfill with an immediate quantum of one
				   minute */
	LXFW_SOON,		/* 4.3: the quantum without preemption */
	LXFW_EQ_5M,		/* 2.5: EQspatial, MinInterval 5 minutes */
	LXFW_EQ_0M,		/* 4.4: MinInterval 0 */
	LXFW_EQ_50H,		/* 4.4: EQspatial-5m/>50hr */
	LXFW_PRIORITY_4,	/* 2.2: four reservations */
	LXFW_IMMEDIATE_SUSPEND,	/* additional: the work done in the quantum is kept */
	LXFW_CONTENDERS,
};

struct lxfw_contender_text {
	const char *name;	/* "LXF&W-bf/immediate" */
	const char *key;	/* "lxfw_immediate", for JSON and files */
	const char *params;	/* in the syntax of SchedulerParameters */
	bool classes;		/* requires the job classes of the machine */
	bool one_host;		/* supports only jobs on one host */
};

const struct lxfw_contender_text *
lxfw_contender_text(enum lxfw_contender contender);

#endif
