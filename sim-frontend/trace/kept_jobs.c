/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/kept_jobs.h"

#include <stdlib.h>

#include "common/util/grow.h"

void lxfw_kept_jobs_clear(struct lxfw_kept_jobs *kept)
{
	free(kept->jobs);
	lxfw_id_map_clear(&kept->by_id);
	*kept = (struct lxfw_kept_jobs){ 0 };
}

/* The last one takes its place. */
static void drop(struct lxfw_kept_jobs *kept, uint64_t id)
{
	int32_t index = lxfw_id_map_get(&kept->by_id, id);

	if (index < 0)
		return;
	lxfw_id_map_remove(&kept->by_id, id);
	kept->jobs[index] = kept->jobs[--kept->count];
	if ((size_t)index < kept->count)
		lxfw_id_map_set(&kept->by_id, kept->jobs[index].id, index);
}

static int enter(struct lxfw_kept_jobs *kept, uint64_t id, enum lxfw_reason reason)
{
	int32_t index = lxfw_id_map_get(&kept->by_id, id);

	if (index < 0) {
		index = (int32_t)kept->count;
		if (LXFW_GROW(kept->jobs, kept->size, kept->count + 1) ||
		    lxfw_id_map_add(&kept->by_id, id, index))
			return -1;
		kept->count++;
	}
	kept->jobs[index] = (struct lxfw_kept_job){ id, reason };
	return 0;
}

int lxfw_kept_jobs_take(struct lxfw_kept_jobs *kept, const struct lxfw_event *event)
{
	if (event->type == LXFW_EVENT_JOB_ASIDE && event->aside.reason)
		return enter(kept, event->aside.id, event->aside.reason);
	if (event->type == LXFW_EVENT_JOB_ASIDE || event->type == LXFW_EVENT_JOB_SUBMIT ||
	    event->type == LXFW_EVENT_JOB_RUN)
		drop(kept, lxfw_event_job(event));
	return 0;
}

enum lxfw_reason lxfw_kept_jobs_find(const struct lxfw_kept_jobs *kept, uint64_t id)
{
	int32_t index = lxfw_id_map_get(&kept->by_id, id);

	if (index < 0 && id >> 32)
		index = lxfw_id_map_get(&kept->by_id, id & UINT32_MAX);
	return index < 0 ? LXFW_REASON_NONE : kept->jobs[index].reason;
}

size_t lxfw_kept_jobs_count(const struct lxfw_kept_jobs *kept, enum lxfw_reason_part part)
{
	size_t count = 0;

	for (size_t i = 0; i < kept->count; i++)
		count += lxfw_reason_part((int)kept->jobs[i].reason) == part;
	return count;
}
