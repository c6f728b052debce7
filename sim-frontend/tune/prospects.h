/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What settings promise for other weeks. The current setting and some others are simulated
 * on rearranged copies of the log (trace/rearrange.h): other weeks of the same users. From
 * one copy to the next, a change varies as much as from one log of the site to the next.
 * The mean over the copies is therefore known better than the change on the log itself,
 * and a longest wait, which a single job decides, can be estimated at all.
 *
 * The copies are as alike as the weeks of one log. What happens once in a log, or changes
 * from month to month, is not among the differences between them.
 */
#ifndef LXFW_TUNE_PROSPECTS_H
#define LXFW_TUNE_PROSPECTS_H

#include "sim-frontend/trace/rearrange.h"
#include "sim-frontend/tune/judge.h"
#include "sim-frontend/tune/search.h"
#include "sim-frontend/tune/trial.h"

/* Number of rearranged copies for each perturbed copy (finals.h). */
#define LXFW_PROSPECTS_EACH 4

/* A setting is worth a trial if each goal is worse by more than the margin with at most
   this probability, and one objective better by more than it with at least the opposite
   probability. */
#define LXFW_PROSPECTS_RISK 0.2

/* A goal under a setting, compared with the current one. */
struct lxfw_prospect {
	double now, then;	/* means over the copies */
	int copies, lower, higher;	/* numbers of copies: all, and those in which the
					   goal has a lower or a higher value */
	double change;		/* expected, as a fraction of the current value */
	double low, high;	/* of it; each is exceeded with probability
				   LXFW_TUNE_CHANCE */
	double worse;		/* probability that the goal becomes worse */
	double beyond;		/* and worse by more than the margin */
	double better;		/* probability that it improves by more than the margin */
	double error;		/* standard error of the logarithm of the change */
	double spread;		/* standard deviation of the logarithm of the change
				   between logs of this length */
};

struct lxfw_prospects {
	/* Set by the caller. */
	const struct lxfw_trials *trials;
	const struct lxfw_search *search;
	const size_t *finals;	/* positions in the search of settings to examine */
	size_t final_count;
	const size_t *shown;	/* positions of settings to simulate on all copies */
	size_t shown_count;
	int threads;
	uint64_t seed;
	size_t wanted;		/* number of copies; 0: none, and no result */
	bool (*stop)(void);	/* may be NULL */
	/* Called after each simulation with the numbers of those done and of all in this
	   step; may be NULL. */
	void (*progress)(size_t done, size_t all);

	/* Results. */
	size_t *positions;	/* in the search, of the settings that were simulated on all
				   copies; the first is the current setting */
	size_t count;
	size_t copies;		/* on which they are judged */
	size_t best;		/* index of the best one; 0: none keeps the limits and
				   promises a gain */

	/* Private. */
	struct lxfw_sessions sessions;
	double *values;		/* of the goals, [setting][copy][goal] */
	double *again;		/* of the current setting and the best one, on further copies
				   by which the best one was not chosen; NULL: none */
	size_t first;		/* number of the first copy */
	size_t done;		/* number of simulations in this step */
};

/*
 * Simulates the settings in FINALS, and others that look best on the log, on some copies,
 * and the best of these on other copies. The best one there is simulated on further copies,
 * which decide on it: the values by which one of several was chosen are too good. Returns 0, 1 if stopped, or -1 with
 * errno and ERROR set. The caller clears PROSPECTS in any case.
 */
int lxfw_prospects_run(struct lxfw_prospects *prospects, struct lxfw_error *error);

/* Returns the index in `positions` of a setting that was simulated on all copies. */
size_t lxfw_prospects_find(const struct lxfw_prospects *prospects, size_t position);

/* Returns what is added to values of a measure before the logarithm, so that 0 has one: a second, or
   for what is no time, and may be below 1, a thousandth of the larger of two values. */
double lxfw_prospect_least(enum lxfw_tune_measure measure, double now, double then);

/* Computes the prospect of a goal under COUNT settings AT, indices of `positions`: of the
   mean of their values. That of the best one alone is by `again`. */
void lxfw_prospects_goal(const struct lxfw_prospects *prospects, const size_t *at,
			   size_t count, int goal, struct lxfw_prospect *prospect);

/* Judges a goal by its prospect alone. The numbers of blocks that would suffice are
   computed from the length of the log. Blocks that are better or worse are copies. */
void lxfw_prospects_judge(const struct lxfw_prospects *prospects, const struct lxfw_prospect *of,
			struct lxfw_judgement *judgement);

/* Returns whether the means over the copies keep all limits. */
bool lxfw_prospects_keeps_limits(const struct lxfw_prospects *prospects, size_t at);

/* Returns whether the setting AT is worth a trial (LXFW_PROSPECTS_RISK), and keeps all
   limits. */
bool lxfw_prospects_worth(const struct lxfw_prospects *prospects, size_t at);

/* Returns the length in seconds of a log of the site that would show the change under the
   setting AT by itself: that all goals are kept and one improves. INFINITY: no length. */
double lxfw_prospects_length(const struct lxfw_prospects *prospects, size_t at);

void lxfw_prospects_clear(struct lxfw_prospects *prospects);

#endif
