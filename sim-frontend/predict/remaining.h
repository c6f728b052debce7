/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Intervals for what remains of the waits of jobs that have waited for some time. Predictions
 * at earlier moments whose truth is known correct those of a moment (conformalized quantile
 * regression, as in calibrate.h):
 *
 *   - A prediction counts the more, the more alike its job is: in the time it has waited, in
 *     the time it is expected to wait, and in its requested time (a Gaussian kernel of the
 *     logarithms). If the alike ones are too few, all others count too, as little as is
 *     needed.
 *   - All jobs of a moment count as much as one, since they err together: a share of the
 *     truths is one of moments. The moment of the prediction is one more, whose truth is
 *     unknown (hierarchical conformal prediction: Lee, Barber and Willett 2023): with N
 *     moments, a share S of them must be within a bound where S N / (N + 1) is stated. With
 *     fewer than 19 moments there is no such bound for 95 %, and a bound is the moment itself
 *     or the horizon.
 *   - A moment that is nearer to the one before it than jobs wait on average counts as a part of
 *     a separate one, and there is one for three other jobs at most.
 *   - Recent moments count more.
 *   - As long as fewer than 40 separate moments are known, moments of other machines make up the
 *     difference (elsewhere.h).
 *   - A job that still waits has at least waited until now.
 */
#ifndef LXFW_PREDICT_REMAINING_H
#define LXFW_PREDICT_REMAINING_H

#include "sim-frontend/predict/calibrate.h"

struct lxfw_elsewhere;

/* What the correction of a prediction depends on. Seconds. */
struct lxfw_standing {
	int64_t age;		/* time that the job has waited */
	int64_t expected;	/* time that it is expected to wait from now on */
	int64_t limit;		/* requested time */
};

/* The intervals that are stated. */
enum { LXFW_HALF, LXFW_MOST, LXFW_STATED };	/* 50 and 90 % */

struct lxfw_bounds {
	struct lxfw_interval of[LXFW_STATED];	/* waits, seconds */
};

/* What some futures tell of a job. */
struct lxfw_view {
	struct lxfw_standing standing;
	struct lxfw_bounds raw;	/* quantiles of the waits from the moment on */
	bool sure;		/* the start is the same in all of them */
};

/* Number of futures of each past moment that teach. The levels of their quantiles are nearly those
   of 50 futures. */
#define LXFW_LEARN_FUTURES 15

/* A prediction at a moment, and the later start of its job. */
struct lxfw_promise {
	int64_t time;		/* the moment */
	uint64_t job;		/* id in the journal, or another one for each job; 0: not known */
	struct lxfw_view said;	/* by all futures */
	struct lxfw_view view;	/* by those of which is learned */
	double weight;		/* number of waiting jobs that it stands for */
	int64_t start;		/* LXFW_NEVER: not known */
	int64_t gone;		/* it has left without a start; LXFW_NEVER: it has not */
};

/* {0} is empty. */
struct lxfw_promises {
	struct lxfw_promise *list;	/* in order of time */
	size_t count, size;
};

void lxfw_promises_clear(struct lxfw_promises *promises);

/* Returns 0, or -1 with errno ENOMEM. */
int lxfw_promises_add(struct lxfw_promises *promises, const struct lxfw_promise *promise);

/* What PROMISES teach at a time. */
struct lxfw_remaining;

/* Learns from the promises before NOW, of which only what was known at NOW is used. They are not
   needed afterwards. ELSEWHERE: of other machines; NULL: nothing. Returns NULL with errno ENOMEM. */
struct lxfw_remaining *lxfw_remaining_learn(const struct lxfw_promises *promises, int64_t now,
					    const struct lxfw_elsewhere *elsewhere);
void lxfw_remaining_free(struct lxfw_remaining *remaining);

/* Number of predictions and of moments that it was learned from, without those of other machines. */
size_t lxfw_remaining_jobs(const struct lxfw_remaining *remaining);
size_t lxfw_remaining_moments(const struct lxfw_remaining *remaining);

/* Number of equal moments apart from each other that would teach as much: of this machine, and of
   others. */
double lxfw_remaining_number(const struct lxfw_remaining *remaining);
double lxfw_remaining_elsewhere(const struct lxfw_remaining *remaining);

/* Whether that is enough for an interval: LXFW_HALF or LXFW_MOST. */
bool lxfw_remaining_states(const struct lxfw_remaining *remaining, int interval);

/*
 * Corrects the bounds of a prediction; those of an interval that cannot be stated become 0 and
 * HORIZON. Returns 0, or -1 with errno ENOMEM.
 */
int lxfw_remaining_correct(struct lxfw_remaining *remaining,
			   const struct lxfw_standing *standing, int64_t horizon,
			   struct lxfw_bounds *bounds);

#endif
