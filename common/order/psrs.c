/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PSRS: preemptive Smith ratio scheduling (Schwiegelshohn; Yahyapour 2002, section 2.5).
 * The schedule with preemption follows the thesis' own version of the algorithm (PFCFS,
 * table 3.1), with the job's estimate as the period t, and with the Smith ratio as the
 * order.
 */
#include "common/order/list.h"

#include <stdbool.h>
#include <stdlib.h>

#include "common/model/time.h"
#include "common/profile/duration.h"
#include "common/util/heap.h"

/* A job that runs in the schedule. */
struct run {
	int64_t end;		/* time without suspensions */
	int32_t procs;
	size_t at;		/* index of the job */
};

static bool ends_before(const void *of, const struct run *a, const struct run *b)
{
	(void)of;
	return a->end != b->end ? a->end < b->end : a->at < b->at;
}

LXFW_HEAP(runs, struct run, void, ends_before)

/* The schedule. `clock` stands still while jobs are suspended, which they all are at the
   same time. */
struct schedule {
	struct lxfw_listed *jobs;
	struct run *runs;	/* heap */
	size_t count;
	int64_t free;		/* processors */
	int64_t clock, suspended;	/* seconds; their sum is the time */
};

/* The job AT is complete at the present time. Its place in the list is kept in `key`. */
static void complete(struct schedule *schedule, size_t at, bool suspends)
{
	struct lxfw_listed *job = &schedule->jobs[at];
	int64_t time = lxfw_time_add(schedule->clock, schedule->suspended);

	/* Twice the time, since bounds are 1, 1.5, 2, 3, 4, 6, ... */
	time = lxfw_time_add(time, time);
	job->bin = suspends ? 2 * lxfw_list_bin(time, 3) + 1 :
			      2 * lxfw_list_bin(time, 2);
	job->key = (int64_t)at;
}

static void end_first(struct schedule *schedule)
{
	struct run first = schedule->runs[0];

	schedule->runs[0] = schedule->runs[--schedule->count];
	if (schedule->count > 0)
		runs_sift(schedule->runs, schedule->count, 0, NULL);
	schedule->clock = first.end;
	schedule->free += first.procs;
	complete(schedule, first.at, false);
}

static void start(struct schedule *schedule, size_t at, int32_t procs)
{
	struct run new = {
		.end = lxfw_time_add(schedule->clock, schedule->jobs[at].estimate),
		.procs = procs,
		.at = at,
	};

	runs_push(schedule->runs, schedule->count++, new, NULL);
	schedule->free -= procs;
}

/* A job wider than half of the machine, which has TOTAL processors. */
static void start_wide(struct schedule *schedule, size_t at, int32_t procs,
		       int64_t total)
{
	int64_t estimate = schedule->jobs[at].estimate, limit;

	while (2 * schedule->free < total)
		end_first(schedule);
	limit = lxfw_time_add(schedule->clock, estimate);
	while (schedule->free < procs && schedule->runs[0].end <= limit)
		end_first(schedule);
	if (schedule->free >= procs) {
		start(schedule, at, procs);
		return;
	}
	schedule->clock = limit;
	schedule->suspended = lxfw_time_add(schedule->suspended, estimate);
	complete(schedule, at, true);
}

static void run_all(struct schedule *schedule, size_t count, int64_t total)
{
	for (size_t i = 0; i < count; i++) {
		int32_t procs = schedule->jobs[i].procs;

		if (procs > total)	/* it waits for hosts that are down */
			procs = (int32_t)total;
		if (2 * (int64_t)procs > total) {
			start_wide(schedule, i, procs, total);
			continue;
		}
		while (schedule->free < procs)
			end_first(schedule);
		start(schedule, i, procs);
	}
	while (schedule->count > 0)
		end_first(schedule);
}

int lxfw_list_psrs(struct lxfw_listed *jobs, size_t count, int64_t procs,
		   enum lxfw_job_weight weight)
{
	struct schedule schedule = { .jobs = jobs, .free = procs };

	for (size_t i = 0; i < count; i++) {
		jobs[i].bin = 0;
		/* The ratio of weight to work: 1 / work, or 1 for all. */
		jobs[i].key = weight == LXFW_JOB_WEIGHT_WORK ? 0 :
			      lxfw_list_work(jobs[i].procs, jobs[i].estimate);
	}
	lxfw_list_sort(jobs, count);
	schedule.runs = malloc((count + 1) * sizeof(*schedule.runs));
	if (!schedule.runs)
		return -1;
	run_all(&schedule, count, procs);
	free(schedule.runs);
	lxfw_list_sort(jobs, count);
	return 0;
}
