/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a goal is better under another setting, or kept: not worse by more than a
 * margin (non-inferiority). Two tests have to agree, each one-sided: what the goal
 * changes by over all jobs, by resampling blocks (resample.h), and the signed ranks of
 * the differences of the blocks (Wilcoxon 1945), which no single block can sway.
 */
#ifndef LXFW_TUNE_JUDGE_H
#define LXFW_TUNE_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

/* The chance to be wrong: that what is worse beyond the margin counts as kept. */
#define LXFW_TUNE_CHANCE 0.05

/* A goal of one setting against what the site has, block by block. */
struct lxfw_paired {
	int blocks;
	const double *now, *then;	/* values of each */
	const double *weights;		/* 0 = has no jobs of the class */
	double all_now, all_then;	/* over all blocks */
	const double *draws;		/* lxfw_resample(); NULL = none */
	double margin;			/* as a part of what it is now */
};

enum lxfw_change_verdict {
	LXFW_CHANGE_UNSURE,	/* not enough blocks to tell */
	LXFW_CHANGE_KEPT,	/* not worse beyond the margin */
	LXFW_CHANGE_BETTER,	/* and better than now */
	LXFW_CHANGE_WORSE,	/* worse than now, or beyond the margin over all */
};

struct lxfw_judgement {
	double now, then;	/* over all blocks */
	bool interval;
	double low, high;	/* of the change as a part of what it is now: each is
				   passed with the chance LXFW_TUNE_CHANCE */
	int blocks, better, worse;	/* those with jobs of the class */
	double correlation;	/* between the signs of neighbours, 0 or more */
	double kept_p, better_p;	/* of the signed ranks */
	double better_chance;	/* the greater one of both tests; after
				   lxfw_judge_better() for several goals */
	enum lxfw_change_verdict verdict;
	/* Blocks that it would take for 19 in 20 such differences to be seen: for
	   being kept, and for being better; 0 = those there are; INFINITY = no number
	   would, since it looks no better. */
	double kept_blocks, better_blocks;
};

/* Whether it is kept; the verdict is not yet LXFW_CHANGE_BETTER. 0, or -1 with errno
   ENOMEM. */
int lxfw_judge(const struct lxfw_paired *paired, struct lxfw_judgement *judgement);

/*
 * COUNT goals of which one is to be better, 32 at most: their chances become those for
 * several (Hommel 1988, which is Simes's test in a closed procedure: where goals are
 * better together, each needs less than a COUNTth of the chance), and those that are
 * kept and better are LXFW_CHANGE_BETTER.
 */
void lxfw_judge_better(struct lxfw_judgement *judgements, int count);

/*
 * The chance of signed ranks as low as those of COUNT differences in their order in
 * time, zeros left out, were each as likely above as below 0; exact up to 60 of them.
 * Where neighbours have the same sign often, by *CORRELATION, it is that of fewer. 0 where
 * all are 0. -1 with errno ENOMEM.
 */
double lxfw_signed_rank(const double *differences, size_t count, double *correlation);

#endif
