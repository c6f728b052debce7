/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Predictions at moments of other machines, and what happened: what is expected of the errors of
 * predictions on a machine of which little is known yet (remaining.h). They are drawn from
 * simulated parts of public logs by tests/bench/elsewhere.py.
 */
#ifndef LXFW_PREDICT_ELSEWHERE_H
#define LXFW_PREDICT_ELSEWHERE_H

#include <stddef.h>
#include <stdint.h>

/* A job that waited at a moment; seconds. */
struct lxfw_elsewhere_job {
	int32_t moment;
	int32_t expected, age, limit;	/* as in struct lxfw_standing */
	int32_t low50, high50, low90, high90;	/* the bounds, not corrected */
	int32_t wait;		/* from the moment to the start */
};

struct lxfw_elsewhere {
	const struct lxfw_elsewhere_job *jobs;	/* those of a moment one after the other */
	size_t count, moments;
};

/* An error is the logarithm of a wait, 60 s added, without that of the expected wait. */
double lxfw_elsewhere_error(const struct lxfw_elsewhere_job *job);

struct lxfw_weighted {
	double value, weight;	/* the weight is above 0 */
};

/* Errors of other machines, as they would be on this one: around the same middle, and larger or smaller in
   one ratio. */
struct lxfw_elsewhere_size {
	double middle, ratio;
};

/*
 * From the COUNT errors OWN of this machine, which NUMBER equal moments would teach, too. They are sorted.
 * Returns 0, or -1 with errno ENOMEM.
 */
int lxfw_elsewhere_measure(const struct lxfw_elsewhere *elsewhere, struct lxfw_weighted *own,
			   size_t count, double number, struct lxfw_elsewhere_size *measure);

/* Of machines whose earlier jobs were known. */
extern const struct lxfw_elsewhere lxfw_elsewhere_known;

/* Where nothing was known but the state at the moment: run times were expected to be any part of the
   requested time alike, or by ages.h. */
extern const struct lxfw_elsewhere lxfw_elsewhere_unknown;

#endif
