/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Job sharing: the broker chooses a site for a job when it is submitted, and the job waits in
 * the queue of that site.
 *
 * BestFit (Yahyapour 2002, 5.6.2) takes the site on which the job leaves the fewest
 * processors free if it is started. The thesis does not state which site it takes if none
 * can start the job now; here it is the one with the least work in its queue per processor,
 * and of those the one with the earliest start beside the jobs that run.
 */
#include <errno.h>

#include "common/grid/brokers.h"
#include "common/model/time.h"
#include "common/profile/duration.h"

/* What is known of a site when a job is submitted. */
struct option {
	int32_t site;
	bool now;		/* the job would start now */
	int64_t free;		/* processors, before it starts */
	int64_t work;		/* of waiting jobs, seconds per processor at the usual speed */
	int64_t start;		/* earliest; LXFW_NEVER: none */
	int64_t run;		/* expected run time */
};

/* Whether option A is better than B; equal ones are decided by the site's index. */
typedef bool better_function(const struct option *a, const struct option *b);

static bool better_to_wait(const struct option *a, const struct option *b)
{
	return a->work != b->work ? a->work < b->work : a->start < b->start;
}

static bool best_fit(const struct option *a, const struct option *b)
{
	if (a->now != b->now)
		return a->now;
	return a->now ? a->free < b->free : better_to_wait(a, b);
}

static bool most_free(const struct option *a, const struct option *b)
{
	if (a->now != b->now)
		return a->now;
	return a->now ? a->free > b->free : better_to_wait(a, b);
}

static bool least_work(const struct option *a, const struct option *b)
{
	return better_to_wait(a, b);
}

static bool earliest(const struct option *a, const struct option *b)
{
	return a->start != b->start ? a->start < b->start : a->work < b->work;
}

static int64_t end_of(const struct option *option)
{
	return lxfw_time_add(option->start, option->run);
}

static bool earliest_end(const struct option *a, const struct option *b)
{
	return end_of(a) != end_of(b) ? end_of(a) < end_of(b) : earliest(a, b);
}

/* Sets the reason of the grid: what the best option has, and the next best. */
static void explain(struct lxfw_grid *grid, better_function *better, const struct option *best,
		    const struct option *next)
{
	struct lxfw_grid_reason *reason = &grid->reason;

	if (better == earliest)
		*reason = (struct lxfw_grid_reason){
			.rule = "earliest start", .unit = "time", .value = best->start,
			.other_value = next->start,
		};
	else if (better == earliest_end)
		*reason = (struct lxfw_grid_reason){
			.rule = "earliest end", .unit = "time", .value = end_of(best),
			.other_value = end_of(next),
		};
	else if (better != least_work && best->now)
		*reason = (struct lxfw_grid_reason){
			.rule = better == best_fit ? "starts now, fewest free processors" :
						     "starts now, most free processors",
			.unit = "processors", .value = best->free, .other_value = next->free,
		};
	else
		*reason = (struct lxfw_grid_reason){
			.rule = "least work in the queue", .unit = "seconds per processor",
			.value = best->work, .other_value = next->work,
		};
	reason->other = next->site;
}

/* Returns 1 if the job fits at the site at some time, 0 if not, or -1 with errno ENOMEM. */
static int look(struct lxfw_grid *grid, const struct lxfw_grid_job *job, int32_t index,
		struct option *option)
{
	const struct lxfw_grid_site *site = &grid->sites[index];
	struct lxfw_sched_state state;

	if (job->procs > site->procs)
		return 0;
	if (lxfw_grid_forecast(grid, job, index, &option->start))
		return -1;
	if (option->start == LXFW_NEVER)
		return 0;
	lxfw_sched_state(site->sched, &state);
	option->site = index;
	option->now = option->start <= grid->now;
	option->free = state.free;
	option->work = state.waiting_work / site->procs;
	option->run = lxfw_grid_expected(grid, job, index);
	return 1;
}

static int send_to_best(struct lxfw_grid *grid, const struct lxfw_grid_job *job,
			better_function *better)
{
	struct option best = { .site = -1 }, next = { .site = -1 }, option;

	for (int32_t i = 0; i < grid->site_count; i++) {
		int fits = look(grid, job, i, &option);

		if (fits < 0)
			return -1;
		if (!fits)
			continue;
		if (best.site < 0 || better(&option, &best)) {
			next = best;
			best = option;
		} else if (next.site < 0 || better(&option, &next)) {
			next = option;
		}
	}
	if (best.site >= 0) {
		explain(grid, better, &best, &next);
		return lxfw_grid_send(grid, job, best.site);
	}
	errno = EINVAL;
	return -1;
}

static int send_home(struct lxfw_grid *grid, const struct lxfw_grid_job *job)
{
	grid->reason = (struct lxfw_grid_reason){
		.rule = "its own site", .unit = "", .other = -1,
	};
	return lxfw_grid_send(grid, job, job->home);
}

static int send_by_best_fit(struct lxfw_grid *grid, const struct lxfw_grid_job *job)
{
	return send_to_best(grid, job, best_fit);
}

static int send_to_most_free(struct lxfw_grid *grid, const struct lxfw_grid_job *job)
{
	return send_to_best(grid, job, most_free);
}

static int send_to_least_work(struct lxfw_grid *grid, const struct lxfw_grid_job *job)
{
	return send_to_best(grid, job, least_work);
}

static int send_to_earliest(struct lxfw_grid *grid, const struct lxfw_grid_job *job)
{
	return send_to_best(grid, job, earliest);
}

static int send_to_earliest_end(struct lxfw_grid *grid, const struct lxfw_grid_job *job)
{
	return send_to_best(grid, job, earliest_end);
}

const struct lxfw_broker lxfw_broker_local = {
	.name = "local",
	.summary = "every job runs at its own site",
	.blind = true, .submitted = send_home,
};

const struct lxfw_broker lxfw_broker_best_fit = {
	.name = "best_fit",
	.summary = "the site on which the job leaves the fewest processors free",
	.submitted = send_by_best_fit,
};

const struct lxfw_broker lxfw_broker_most_free = {
	.name = "most_free",
	.summary = "the site with the most free processors",
	.submitted = send_to_most_free,
};

const struct lxfw_broker lxfw_broker_least_work = {
	.name = "least_work",
	.summary = "the site with the least work in its queue per processor",
	.submitted = send_to_least_work,
};

const struct lxfw_broker lxfw_broker_earliest = {
	.name = "earliest",
	.summary = "the site with the earliest start beside the jobs that run",
	.submitted = send_to_earliest,
};

const struct lxfw_broker lxfw_broker_earliest_end = {
	.name = "earliest_end",
	.summary = "the site with the earliest end: the start, and the expected run time",
	.submitted = send_to_earliest_end,
};
