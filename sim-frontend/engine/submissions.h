/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Future submissions in order of time: one of the world, replaced by the next one when it
 * is due, and those that were added.
 */
#ifndef LXFW_ENGINE_SUBMISSIONS_H
#define LXFW_ENGINE_SUBMISSIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/request.h"
#include "common/model/time.h"

struct lxfw_world;

/* Initialize with lxfw_submissions_begin(). */
struct lxfw_submissions {
	struct lxfw_submission {
		int64_t time;
		bool of_world;
		struct lxfw_request request;
	} *items;
	size_t first, count, size;	/* future ones start at index `first` */
	int64_t time;			/* of the first; LXFW_NEVER if there is none */
};

/* Initializes the list, with the first submission of WORLD if it has any. Returns 0,
   or -1 with errno. */
int lxfw_submissions_begin(struct lxfw_submissions *submissions,
			   const struct lxfw_world *world);

/* Adds a submission after those of the same time. Returns 0, or -1 with errno ENOMEM. */
int lxfw_submissions_add(struct lxfw_submissions *submissions,
			 const struct lxfw_request *request, int64_t time);

/* Returns the first submission, which must exist. Valid until the next call. */
static inline struct lxfw_request *
lxfw_submissions_first(const struct lxfw_submissions *submissions)
{
	return &submissions->items[submissions->first].request;
}

/* Removes the first submission. If it came from the world, adds the world's next one.
   Returns 0, or -1 with errno. */
int lxfw_submissions_drop(struct lxfw_submissions *submissions,
			  const struct lxfw_world *world);

/* Returns the submission of the world to it, if there is one, and requests its next one. Returns
   0, or -1 with errno. */
int lxfw_submissions_renew(struct lxfw_submissions *submissions,
			   const struct lxfw_world *world);

/* Removes an added submission by its job id. Returns whether it existed. */
bool lxfw_submissions_remove(struct lxfw_submissions *submissions, uint64_t job);

void lxfw_submissions_clear(struct lxfw_submissions *submissions);

#endif
