/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides whether a goal improves under another setting, or is kept, that is, not worse
 * by more than a margin (non-inferiority). Two one-sided tests must agree: the change
 * over all jobs, with blocks resampled (resample.h), and the signed ranks of the
 * differences of the blocks (Wilcoxon 1945), which no single block can dominate.
 */
#ifndef LXFW_TUNE_JUDGE_H
#define LXFW_TUNE_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

/* The probability of an error: a goal that is worse than the margin is judged as kept. */
#define LXFW_TUNE_CHANCE 0.05

/* A goal under another setting and under the current one, by block. */
struct lxfw_paired {
	int blocks;
	const double *now, *then;	/* values by block */
	const double *weights;		/* 0: no jobs of the class */
	double all_now, all_then;	/* over all blocks */
	const double *draws;		/* of lxfw_resample(); NULL: none */
	double margin;			/* fraction of the current value */
};

enum lxfw_change_verdict {
	LXFW_CHANGE_UNSURE,	/* not enough blocks for a decision */
	LXFW_CHANGE_KEPT,	/* not worse than the margin */
	LXFW_CHANGE_BETTER,	/* better than the current setting */
	LXFW_CHANGE_WORSE,	/* worse than the current setting: 95 % of the draws are */
};

struct lxfw_judgement {
	double now, then;	/* over all blocks */
	bool interval;
	double low, high;	/* of the change as a fraction of the current value;
				   each bound is exceeded with probability
				   LXFW_TUNE_CHANCE */
	int blocks, better, worse;	/* numbers of blocks with jobs of the class */
	double correlation;	/* between the signs of neighbours, 0 or more */
	double kept_p, better_p;	/* p-values of the signed ranks */
	double better_chance;	/* the larger p-value of the two tests; adjusted for
				   several goals by lxfw_judge_better() */
	enum lxfw_change_verdict verdict;
	/* Number of blocks with which such differences would be detected with a
	   probability of 95 %, for being kept and for being better. 0: those
	   available; INFINITY: no number, since the goal does not appear to improve. */
	double kept_blocks, better_blocks;
};

/* Decides whether the goal is kept. Does not set LXFW_CHANGE_BETTER. Returns 0, or -1
   with errno ENOMEM. */
int lxfw_judge(const struct lxfw_paired *paired, struct lxfw_judgement *judgement);

/*
 * Adjusts the p-values of COUNT goals, at most 32, of which one must improve (Hommel
 * 1988, Simes's test in a closed procedure, which is less strict than dividing the
 * probability by COUNT if several goals improve). Goals that are kept and improve become
 * LXFW_CHANGE_BETTER.
 */
void lxfw_judge_better(struct lxfw_judgement *judgements, int count);

/*
 * Returns the probability of signed ranks as low as those of COUNT differences, in order
 * of time and without zeros, if each difference were positive or negative with equal
 * probability. Exact for at most 60 differences. If neighbours often have the same sign,
 * which *CORRELATION measures, a smaller number of differences is assumed. Returns 0 if
 * all are 0, or -1 with errno ENOMEM.
 */
double lxfw_signed_rank(const double *differences, size_t count, double *correlation);

#endif
