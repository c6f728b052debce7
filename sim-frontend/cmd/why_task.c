/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/why_task.h"

#include "common/books/books.h"

uint64_t lxfw_why_running_task(const struct lxfw_sched *sched, uint64_t array)
{
	uint64_t first = 0;

	for (size_t i = 0; i < sched->jobs_used; i++) {
		uint64_t id = sched->jobs[i].request.id;

		if (sched->jobs[i].state == LXFW_JOB_RUNNING && id > UINT32_MAX &&
		    (id & UINT32_MAX) == array && (first == 0 || id < first))
			first = id;
	}
	return first;
}
