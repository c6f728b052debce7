/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The places in which a job may start: a partition with its priority and QOS for each of the
 * host sets of its request, in their order. Users choose the number of partitions, and Slurm
 * has no bound; the memory is proportional to it.
 */
#ifndef LXFW_BRIDGE_PLACES_H
#define LXFW_BRIDGE_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/request.h"

struct lxfw_alternative {
	const char *part;	/* from lxfw_sets_part() */
	uint32_t priority, qos, tier;
	int32_t set;		/* the library's number of its nodes */
	bool prefer;		/* on nodes with the features of --prefer, instead of
				   those of --constraint */
	bool preempts;		/* the job may preempt running jobs from there */
	bool unreserved;	/* the job gets no reservation there */
};

/* {0} is empty. */
struct lxfw_places {
	int32_t count;
	struct lxfw_alternative few[LXFW_HOST_SETS_MAX];	/* the first ones */
	struct lxfw_alternative *more;	/* those after them */
	size_t more_size;
};

/* Returns place INDEX, or the first one if there is no such place. */
static inline struct lxfw_alternative *lxfw_place(const struct lxfw_places *places,
						  int32_t index)
{
	struct lxfw_places *of = (struct lxfw_places *)places;

	if (index < LXFW_HOST_SETS_MAX)
		return &of->few[index > 0 ? index : 0];
	return index < of->count ? &of->more[index - LXFW_HOST_SETS_MAX] : &of->few[0];
}

/* Adds a place after the others. Returns false when memory runs out. */
bool lxfw_places_add(struct lxfw_places *places, const struct lxfw_alternative *place);

/* Sets TO, which was {0} or has been set, to the same places. When memory runs out, it returns
   false, and TO has the first places only. */
bool lxfw_places_copy(struct lxfw_places *to, const struct lxfw_places *from);

void lxfw_places_clear(struct lxfw_places *places);

#endif
