/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The policies that Chiang and Vernon 2001 compare in section 4, with the
 * parameters that they give, and two more of ours.
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
	LXFW_IMMEDIATE,		/* 2.4: LXF&W-backfill, a minute at once */
	LXFW_SOON,		/* 4.3: the minute without preemption */
	LXFW_EQ_5M,		/* 2.5: EQspatial, MinInterval 5 minutes */
	LXFW_EQ_0M,		/* 4.4: MinInterval 0 */
	LXFW_EQ_50H,		/* 4.4: EQspatial-5m/>50hr */
	LXFW_PRIORITY_4,	/* 2.2: four reservations */
	LXFW_IMMEDIATE_SUSPEND,	/* ours: work is kept beyond the quantum */
	LXFW_CONTENDERS,
};

struct lxfw_contender_text {
	const char *name;	/* "LXF&W-bf/immediate" */
	const char *key;	/* "lxfw_immediate", for JSON and files */
	const char *params;	/* as in SchedulerParameters */
	bool classes;		/* needs the job classes of the machine */
	bool one_host;		/* runs jobs of one host only */
};

const struct lxfw_contender_text *
lxfw_contender_text(enum lxfw_contender contender);

#endif
