/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/grid/grid.h"

#include <errno.h>
#include <math.h>

#include "common/model/time.h"
#include "common/profile/duration.h"

int lxfw_grid_begin(struct lxfw_grid *grid)
{
	grid->state = NULL;
	grid->now = -LXFW_TIME_MAX;
	return grid->broker->begin ? grid->broker->begin(grid) : 0;
}

void lxfw_grid_end(struct lxfw_grid *grid)
{
	int saved = errno;

	if (grid->broker->end)
		grid->broker->end(grid);
	grid->state = NULL;
	errno = saved;
}

int lxfw_grid_submitted(struct lxfw_grid *grid, const struct lxfw_grid_job *job, int64_t now)
{
	grid->now = now;
	return grid->broker->submitted(grid, job);
}

int lxfw_grid_ended(struct lxfw_grid *grid, int32_t site, uint64_t job, int64_t now)
{
	grid->now = now;
	return grid->broker->ended ? grid->broker->ended(grid, site, job) : 0;
}

int lxfw_grid_decide(struct lxfw_grid *grid, int64_t now)
{
	grid->now = now;
	return grid->broker->decide ? grid->broker->decide(grid) : 0;
}

int64_t lxfw_grid_wake(struct lxfw_grid *grid)
{
	return grid->broker->wake ? grid->broker->wake(grid) : LXFW_NEVER;
}

int64_t lxfw_grid_seconds(int64_t run, int32_t speed, int32_t overhead)
{
	int64_t factor = LXFW_GRID_SPEED + (int64_t)overhead, seconds;

	if (run > (INT64_MAX - speed) / factor)
		return LXFW_TIME_MAX;
	seconds = (run * factor + speed - 1) / speed;
	return seconds < LXFW_TIME_MAX ? seconds : LXFW_TIME_MAX;
}

int64_t lxfw_grid_part_seconds(const struct lxfw_grid *grid, int64_t run, int32_t procs,
			       const struct lxfw_grid_part *part, int32_t overhead)
{
	if (grid->broker->molds)
		run = lxfw_time_scale(run, procs, part->procs);
	return lxfw_grid_seconds(run, grid->sites[part->site].speed, overhead);
}

int64_t lxfw_grid_estimate(const struct lxfw_grid *grid, const struct lxfw_grid_job *job,
			   const struct lxfw_grid_part *part)
{
	if (!grid->world->estimate || part->procs != job->procs)
		return job->estimate;
	return grid->world->estimate(grid->world->context, job->id, part->site);
}

static bool make_request(const struct lxfw_grid *grid, const struct lxfw_grid_job *job,
			 const struct lxfw_grid_part *part, int32_t overhead,
			 struct lxfw_request *request)
{
	int64_t seconds = lxfw_grid_part_seconds(grid, lxfw_grid_estimate(grid, job, part),
						 job->procs, part, overhead);

	return grid->world->request(grid->world->context, job->id, part, seconds, request);
}

int lxfw_grid_starts_now(struct lxfw_grid *grid, const struct lxfw_grid_job *job,
			 const struct lxfw_grid_part *part, int32_t overhead)
{
	struct lxfw_sched *sched = grid->sites[part->site].sched;
	const struct lxfw_share *shares;
	struct lxfw_request request;
	int32_t found;

	if (!make_request(grid, job, part, overhead, &request))
		return 0;
	lxfw_sched_advance(sched, grid->now);
	found = lxfw_sched_place(sched, &request, &shares);
	return found < 0 ? -1 : found > 0;
}

int lxfw_grid_forecast(struct lxfw_grid *grid, const struct lxfw_grid_job *job, int32_t site,
		       int64_t *start)
{
	const struct lxfw_grid_part part = { site, job->procs };
	struct lxfw_sched *sched = grid->sites[site].sched;
	const struct lxfw_share *shares;
	struct lxfw_request request;
	int32_t found;

	*start = LXFW_NEVER;
	if (!make_request(grid, job, &part, 0, &request))
		return 0;
	lxfw_sched_advance(sched, grid->now);
	found = lxfw_sched_forecast(sched, &request, start, &shares);
	if (found == 0)
		*start = LXFW_NEVER;
	return found < 0 ? -1 : 0;
}

int64_t lxfw_grid_expected(const struct lxfw_grid *grid, const struct lxfw_grid_job *job,
			   int32_t place)
{
	const struct lxfw_grid_part part = { place, job->procs };
	struct lxfw_expected expected = { 0 };
	struct lxfw_request request;
	double seconds;

	if (grid->history)
		expected = lxfw_grid_history_expect(grid->history, job->kind, place);
	if (place < grid->site_count) {
		if (job->procs > grid->sites[place].procs ||
		    !make_request(grid, job, &part, 0, &request))
			return LXFW_NEVER;
		seconds = expected.confidence * expected.mean + (1 - expected.confidence) *
			(double)lxfw_grid_seconds(lxfw_grid_estimate(grid, job, &part),
						  grid->sites[place].speed, 0);
	} else {
		if (expected.confidence == 0)
			return LXFW_NEVER;
		seconds = expected.mean;
	}
	if (seconds >= (double)LXFW_TIME_MAX)
		return LXFW_TIME_MAX;
	return seconds > 1 ? (int64_t)ceil(seconds) : 1;
}

int lxfw_grid_send(struct lxfw_grid *grid, const struct lxfw_grid_job *job, int32_t site)
{
	const struct lxfw_grid_part part = { site, job->procs };

	return grid->world->send(grid->world->context, job->id, &part, 1, 0);
}
