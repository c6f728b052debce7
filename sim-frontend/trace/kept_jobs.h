/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of a journal that wait without the scheduler: they are not eligible, or the workload
   manager is left to start them. */
#ifndef LXFW_TRACE_KEPT_JOBS_H
#define LXFW_TRACE_KEPT_JOBS_H

#include "common/model/event.h"
#include "common/util/id_map.h"

struct lxfw_kept_job {
	uint64_t id;		/* also that of an array, without a task */
	enum lxfw_reason reason;
};

/* {0} is empty; release with lxfw_kept_jobs_clear(). */
struct lxfw_kept_jobs {
	struct lxfw_kept_job *jobs;	/* in no order */
	size_t count, size;
	struct lxfw_id_map by_id;	/* index in `jobs` */
};

void lxfw_kept_jobs_clear(struct lxfw_kept_jobs *kept);

/* Takes an event. Returns 0, or -1 with errno ENOMEM. Clear before a new segment. */
int lxfw_kept_jobs_take(struct lxfw_kept_jobs *kept, const struct lxfw_event *event);

/* Returns why the job, or the array of a task, waits without the scheduler, or
   LXFW_REASON_NONE. */
enum lxfw_reason lxfw_kept_jobs_find(const struct lxfw_kept_jobs *kept, uint64_t id);

/* Returns the number of jobs of a part of the reasons. */
size_t lxfw_kept_jobs_count(const struct lxfw_kept_jobs *kept, enum lxfw_reason_part part);

#endif
