/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks of large arrays that enter a future late. sched/backfill reserves for the first tasks of an
 * array only (bf_max_job_array_resv), and for the jobs behind them. The other tasks, which request
 * the same, are submitted one by one as those before them start: a scheduler with thousands of
 * equal jobs would take seconds for each future.
 */
#ifndef LXFW_PREDICT_ARRAY_REST_H
#define LXFW_PREDICT_ARRAY_REST_H

#include <stddef.h>
#include <stdint.h>

#include "common/sched.h"
#include "common/util/id_map.h"

/* Tasks of an array that sched/backfill reserves for by default. */
#define LXFW_ARRAY_TASKS 20

/* {0} is empty. */
struct lxfw_array_rest {
	struct lxfw_request *requests;	/* of an array, in the order of its tasks */
	size_t count;
	struct lxfw_array_part {
		size_t first, end;	/* in `requests` */
	} *parts;
	size_t part_count, parts_size;
	struct lxfw_id_map by_array;	/* index of its part */
};

/* Finds the waiting tasks of each array after the first MOST, or after as many as its pools let run at
   once. Ids are those of request.h. Returns 0,
   or -1 with errno ENOMEM. */
int lxfw_array_rest_find(struct lxfw_array_rest *rest, const struct lxfw_sched *sched, int most);

/* Returns a copy of the scheduler without these tasks, or NULL with errno ENOMEM. */
struct lxfw_sched *lxfw_array_rest_leave(const struct lxfw_array_rest *rest,
					 const struct lxfw_sched *sched);

/* The part of the array to which a job belongs, or -1. */
int32_t lxfw_array_rest_part(const struct lxfw_array_rest *rest, uint64_t job);

void lxfw_array_rest_clear(struct lxfw_array_rest *rest);

#endif
