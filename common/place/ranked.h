/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ranked hosts of a search (sched->ranked): each stands for all hosts of its kind, or for
   itself where a search may not examine kinds. */
#ifndef LXFW_PLACE_RANKED_H
#define LXFW_PLACE_RANKED_H

#include <stdbool.h>
#include <stdint.h>

#include "common/place/placing.h"
#include "common/util/heap.h"

/* Enter the hosts into sched->ranked that are up, in the set, and have room for a piece when
   they are empty. Returns the number of entries. */
int32_t lxfw_rank_eligible(const struct lxfw_placing *placing);

/* Whether there is such a host. */
bool lxfw_any_eligible(const struct lxfw_placing *placing);

/* Number of hosts for which the first COUNT entries stand. */
int64_t lxfw_ranked_hosts(const struct lxfw_sched *sched, int32_t count);

/* Replace COUNT kinds in sched->ranked by their hosts. Returns the number of these. */
int32_t lxfw_rank_hosts(struct lxfw_sched *sched, int32_t count);

/* Choose among the COUNT ranked hosts, those with room, by their resources at the start. */
int32_t lxfw_place_ranked(struct lxfw_placing *placing, int32_t count);

/* Rank the hosts for a start now, and choose among them: for a placement rule with levels. */
int32_t lxfw_place_ranked_now(struct lxfw_placing *placing);

/* The level of a host (rule.h) at the start. */
int32_t lxfw_ranked_level(const struct lxfw_placing *placing, int32_t host);

/* Compares two entries: by level, then processors, memory, and host. */
int lxfw_by_placement(const void *a, const void *b);

/* A heap of ranked hosts by time. */

static inline bool lxfw_step_before(const void *of, const struct lxfw_host_change *a,
				    const struct lxfw_host_change *b)
{
	(void)of;
	return a->time < b->time || (a->time == b->time && a->rank < b->rank);
}

LXFW_HEAP(lxfw_step, struct lxfw_host_change, void, lxfw_step_before)

#endif
