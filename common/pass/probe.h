/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probes: jobs that only ask when they would start. A pass considers a probe in its turn, beside
 * what is reserved then, but it neither starts nor gets a reservation, so that all other jobs are
 * scheduled as without it, and several probes do not know of each other. Until one would start or
 * get a reservation, all is as if it were a job.
 */
#ifndef LXFW_PASS_PROBE_H
#define LXFW_PASS_PROBE_H

#include "common/books/books.h"
#include "common/pass/consider.h"

/* What the last decisions would have done with a probe. */
enum lxfw_probed {
	LXFW_PROBED_WAITS,
	LXFW_PROBED_STARTS,
	LXFW_PROBED_RESERVES,	/* it might have got a reservation, or started in place of one */
};

/* Whether probes are as jobs under the parameters of SCHED and its present state. */
bool lxfw_probe_is_possible(const struct lxfw_sched *sched);

/* Whether a request may be that of a probe. */
bool lxfw_probe_may_ask(const struct lxfw_request *request);

/* As lxfw_consider(), for a probe that MAY_RESERVE in this place. */
enum lxfw_outcome lxfw_probe_consider(struct lxfw_sched *sched, int32_t index, bool may_reserve);

#endif
