/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/simulation_schedules.h"
#include "sim-frontend/trace/trace_calendar.h"

#include <errno.h>
#include <stdlib.h>

#define WEEK INT64_C(604800)

bool lxfw_schedules_count(const struct lxfw_schedules *schedules, size_t position)
{
	const struct lxfw_contest *contest = schedules->contest;
	int64_t submit = contest->trace->jobs[position].submit;

	if (submit < schedules->from || submit > schedules->until)
		return false;
	for (int i = 0; i < schedules->count; i++) {
		if (contest->contestants[i].sim.ends[position] == LXFW_NEVER)
			return false;
	}
	return true;
}

double lxfw_schedules_wait(const struct lxfw_schedules *schedules, int schedule,
			   size_t position)
{
	const struct lxfw_outcome outcome = lxfw_simulation_outcome(
		&schedules->contest->contestants[schedule].sim, position);

	return (double)(outcome.end - outcome.submit - outcome.run);
}

/* --- over time ------------------------------------------------------------------ */

static int make_timeline(struct lxfw_schedules *schedules, int schedule)
{
	const struct lxfw_simulation *sim =
		&schedules->contest->contestants[schedule].sim;
	const struct lxfw_trace *trace = sim->trace;
	struct lxfw_stay *stays = calloc(trace->count + 1, sizeof(*stays));
	size_t count = 0;
	int result;

	if (!stays)
		return -1;
	for (size_t i = 0; i < trace->count; i++) {
		const struct lxfw_trace_job *job = &trace->jobs[i];

		if (sim->starts[i] == LXFW_NEVER || sim->ends[i] == LXFW_NEVER)
			continue;
		stays[count++] = (struct lxfw_stay) {
			.submit = lxfw_simulation_submit(sim, i), .start = sim->starts[i],
			.end = sim->ends[i], .procs = job->procs,
			.user = -1, .queue = -1, .limit = job->limit,
		};
		if (job->submit < schedules->begin)
			schedules->begin = job->submit;
		if (sim->ends[i] > schedules->end)
			schedules->end = sim->ends[i];
	}
	result = lxfw_timeline_make(&schedules->timelines[schedule], stays, count);
	free(stays);
	return result;
}

/* --- groups --------------------------------------------------------------------- */

static size_t group_of(const struct lxfw_schedules *schedules,
		       enum lxfw_schedules_by by, const struct lxfw_trace_job *job,
		       int64_t run)
{
	switch (by) {
	case LXFW_SCHEDULES_RUN:
		return (size_t)lxfw_run_bin(run);
	case LXFW_SCHEDULES_SIZE:
		return (size_t)lxfw_size_class(job->procs);
	case LXFW_SCHEDULES_WEEK:
	case LXFW_SCHEDULES_BYS:
		break;
	}
	return (size_t)((job->submit - schedules->begin) / WEEK);
}

static int measure(struct lxfw_schedules *schedules, enum lxfw_schedules_by by,
		   int schedule)
{
	const struct lxfw_contest *contest = schedules->contest;
	const struct lxfw_simulation *sim = &contest->contestants[schedule].sim;
	struct lxfw_groups groups = { .bound = contest->counting.bound };

	for (size_t i = 0; i < sim->trace->count; i++) {
		struct lxfw_outcome outcome;

		if (!lxfw_schedules_count(schedules, i))
			continue;
		outcome = lxfw_simulation_outcome(sim, i);
		if (lxfw_groups_add(&groups, group_of(schedules, by,
				    &sim->trace->jobs[i], outcome.run), &outcome)) {
			lxfw_groups_clear(&groups);
			return -1;
		}
	}
	lxfw_groups_end(&groups, schedules->groups[by], schedules->metrics[by] +
			(size_t)schedule * schedules->groups[by]);
	return 0;
}

static int measure_all(struct lxfw_schedules *schedules)
{
	for (int by = 0; by < LXFW_SCHEDULES_BYS; by++) {
		schedules->metrics[by] = calloc((size_t)schedules->count *
						schedules->groups[by],
						sizeof(struct lxfw_metrics));
		if (!schedules->metrics[by])
			return -1;
		for (int i = 0; i < schedules->count; i++) {
			if (measure(schedules, (enum lxfw_schedules_by)by, i))
				return -1;
		}
	}
	return 0;
}

int lxfw_schedules_make(struct lxfw_schedules *schedules,
			const struct lxfw_contest *contest)
{
	const struct lxfw_trace *trace = contest->trace;
	int64_t last = trace->count ? trace->jobs[lxfw_trace_at(trace,
					trace->count - 1)].submit : 0;
	int result = 0;

	*schedules = (struct lxfw_schedules) {
		.contest = contest, .begin = INT64_MAX, .end = INT64_MIN,
		.count = contest->count < LXFW_SCHEDULES_SHOWN ?
			 (int)contest->count : LXFW_SCHEDULES_SHOWN,
	};
	lxfw_trace_calendar(trace, &schedules->calendar);
	lxfw_counting_window(&contest->counting, trace, &schedules->from,
			     &schedules->until);
	for (int i = 0; i < schedules->count && result == 0; i++) {
		schedules->names[i] = contest->contestants[i].name;
		result = make_timeline(schedules, i);
	}
	schedules->groups[LXFW_SCHEDULES_RUN] = LXFW_RUN_BINS;
	schedules->groups[LXFW_SCHEDULES_SIZE] = LXFW_SIZE_CLASSES;
	schedules->groups[LXFW_SCHEDULES_WEEK] = last < schedules->begin ? 1 :
		(size_t)((last - schedules->begin) / WEEK) + 1;
	if (result == 0)
		result = measure_all(schedules);
	if (result)
		errno = ENOMEM;
	return result;
}

void lxfw_schedules_clear(struct lxfw_schedules *schedules)
{
	for (int i = 0; i < schedules->count; i++)
		lxfw_timeline_clear(&schedules->timelines[i]);
	for (int by = 0; by < LXFW_SCHEDULES_BYS; by++)
		free(schedules->metrics[by]);
}
