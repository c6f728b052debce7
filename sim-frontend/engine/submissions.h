/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The submissions to come, in the order of time: one of the world's own, taken when the
 * one before it is due, and those that were added.
 */
#ifndef LXFW_ENGINE_SUBMISSIONS_H
#define LXFW_ENGINE_SUBMISSIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/request.h"
#include "common/model/time.h"

struct lxfw_world;

/* lxfw_submissions_begin() makes one. */
struct lxfw_submissions {
	struct lxfw_submission {
		int64_t time;
		bool of_world;
		struct lxfw_request request;
	} *items;
	size_t first, count, size;	/* those from `first` on are to come */
	int64_t time;			/* of the first; LXFW_NEVER if there is none */
};

/* An empty one, or with the first of WORLD. 0, or -1 with errno. */
int lxfw_submissions_begin(struct lxfw_submissions *submissions,
			   const struct lxfw_world *world);

/* Add one behind those of the same time. 0, or -1 with errno ENOMEM. */
int lxfw_submissions_add(struct lxfw_submissions *submissions,
			 const struct lxfw_request *request, int64_t time);

/* The first, of which there is one. Valid until the next call. */
static inline const struct lxfw_request *
lxfw_submissions_first(const struct lxfw_submissions *submissions)
{
	return &submissions->items[submissions->first].request;
}

/* Drop the first; if it was the world's, take the world's next one. 0, or -1 with
   errno. */
int lxfw_submissions_drop(struct lxfw_submissions *submissions,
			  const struct lxfw_world *world);

/* Drop an added one by its job's id, if there is one. Whether there was. */
bool lxfw_submissions_remove(struct lxfw_submissions *submissions, uint64_t job);

void lxfw_submissions_clear(struct lxfw_submissions *submissions);

#endif
