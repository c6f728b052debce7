/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests in the form of qsub's option -l, beside those of request_text.h:
 *
 *   select=N:ncpus=C:mem=SIZE	N chunks: tasks of C processors with memory of their own
 *   walltime=T			seconds, M:S or H:M:S
 *   place=free|pack|scatter	pack: on one host; scatter: each chunk on a host of its own
 *   place=...:excl		on hosts without other jobs
 *
 * Several are separated by commas.
 */
#ifndef LXFW_PREDICT_REQUEST_PBS_H
#define LXFW_PREDICT_REQUEST_PBS_H

#include "common/util/error.h"
#include "sim-frontend/predict/request_text.h"

/* Takes the value of an option -l, which is changed. Returns 0, or -1 with errno EINVAL and ERROR
   set. */
int lxfw_request_pbs_take(struct lxfw_request_text *to, char *list, struct lxfw_error *error);

/* Sets the nodes by the place, after the last option. */
void lxfw_request_pbs_end(struct lxfw_request_text *to);

#endif
