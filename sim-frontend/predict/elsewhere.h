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

/* Of machines whose earlier jobs were known. */
extern const struct lxfw_elsewhere lxfw_elsewhere_known;

/* Where nothing was known but the state at the moment: run times were expected to be any part of the
   requested time alike. */
extern const struct lxfw_elsewhere lxfw_elsewhere_unknown;

#endif
