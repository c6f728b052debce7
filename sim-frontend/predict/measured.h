/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a machine at a moment of its log, as measured. */
#ifndef LXFW_PREDICT_MEASURED_H
#define LXFW_PREDICT_MEASURED_H

#include "sim-frontend/predict/walk.h"

/* The request of the job at POSITION. */
void lxfw_walk_request(const struct lxfw_walk *walk, size_t position,
		       struct lxfw_request *request);

/*
 * Returns a scheduler with the jobs that waited and ran when the job at POSITION was
 * submitted; that job waits. The hosts of running jobs are chosen by the policy.
 * MODEL is a run of the options' priorities up to that time; NULL: there is none.
 * *NOT_PLACED is increased by the number of running jobs for which there was no room. NULL
 * with errno and ERROR set on failure.
 */
struct lxfw_sched *lxfw_measured_state(const struct lxfw_walk *walk, size_t position,
				       const void *model, size_t *not_placed,
				       struct lxfw_error *error);

#endif
