/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/predict_extent.h"

#include <math.h>
#include <stdlib.h>

#include "common/books/books.h"
#include "common/explain.h"
#include "sim-frontend/cmd/predict_past.h"
#include "sim-frontend/predict/live.h"

/* Processor time, estimated, beyond which there are fewer futures, but not less than
   FUTURES_LEAST; seconds. Of a look, for which a user waits, there are others. With 11 futures its intervals
   contain as many starts as with 15, within a point (ten-days.py). */
#define BUDGET 12.0
#define BUDGET_LOOK 1.5
#define FUTURES_LEAST 15
#define FUTURES_LEAST_LOOK 11

/* That many starts are predicted in any case: the tasks of an array cost less. */
#define STARTS_LEAST 1000

/* And this many times as many if jobs of the queue are named: mostly they start before. */
#define NAMED 10

/* A request, and what is tried in its place (add_alternatives() of predict_live.c). */
#define TRIED 6

/* Processor time of a start in a future, and of each reservation that is recomputed for it, on one host
   and on several; as measured with 10,000 unlike jobs and with tasks of arrays, seconds. */
#define START 1.5e-5
#define RESERVATION 2e-6
#define RESERVATION_WIDE 1.6e-5

/* Products of waiting jobs and hosts with reservations, and with the square of their number, up to
   which a future takes some tenths of a second. */
#define DEPTH_MOST 4e7
#define DEPTH_SQUARE_MOST 2e8

/* The starts that a look expects with 10 reservations differ from those with 39 by 0 to 11 per cent of the
   wait, in the median; with 4 by up to 21, with one by up to 51. */
#define DEPTH_LEAST_LOOK 10

static double budget_of(const struct lxfw_predict_extent *extent)
{
	return extent->look ? BUDGET_LOOK : BUDGET;
}

static int least_futures(const struct lxfw_predict_extent *extent)
{
	return extent->look ? FUTURES_LEAST_LOOK : FUTURES_LEAST;
}

/* Processor time of a reservation, seconds. */
static double cost_of_reservation(const struct lxfw_sched *sched, int64_t waiting)
{
	double wide = 0;

	for (size_t i = 0; i < sched->jobs_used; i++) {
		const struct lxfw_job *job = &sched->jobs[i];

		wide += job->state == LXFW_JOB_WAITING && job->request.count > 1;
	}
	return RESERVATION + (RESERVATION_WIDE - RESERVATION) * wide / (double)(waiting + 1);
}

/* The most reservations with which the starts of a look are within its budget. */
static double depth_of_look(const struct lxfw_predict_extent *extent, double reservation)
{
	double starts = (double)extent->waiting;

	if (!extent->deep && starts > STARTS_LEAST)
		starts = STARTS_LEAST;
	return fmax(DEPTH_LEAST_LOOK,
		    (BUDGET_LOOK / (FUTURES_LEAST_LOOK * (starts + 1)) - START) / reservation);
}

int lxfw_predict_extent_plan(struct lxfw_predict_extent *extent, struct lxfw_sched *sched)
{
	struct lxfw_params params = *lxfw_sched_params(sched);
	struct lxfw_event change = { .type = LXFW_EVENT_PARAMS, .params = &params };
	struct lxfw_live_machine machine;
	struct lxfw_queued *queue;
	double reservation, work, most;
	int limited = 0;

	lxfw_live_machine(sched, &machine);
	extent->waiting = lxfw_sched_queue(sched, machine.last, &queue);
	free(queue);
	if (extent->waiting < 0)
		return -1;
	extent->hosts = machine.hosts;
	reservation = cost_of_reservation(sched, extent->waiting);
	work = (double)(extent->waiting + 1) * (double)(machine.hosts + 1);
	most = fmin(DEPTH_MOST / work, sqrt(DEPTH_SQUARE_MOST / work));
	if (extent->look)
		most = fmin(most, depth_of_look(extent, reservation));
	if ((double)params.reservations > most && params.reservations > 1) {
		params.reservations = most > 1 ? (int32_t)most : 1;
		change.time = machine.last;
		if (lxfw_sched_apply(sched, &change, NULL))
			return -1;
		limited = most < (double)extent->waiting;
	}
	extent->reserved = params.reservations;
	extent->start = START + reservation * params.reservations;
	return limited;
}

/* Processor time of a future in which all jobs start. */
static double cost_of_future(const struct lxfw_predict_extent *extent)
{
	double cost = lxfw_predict_cost((double)extent->waiting + 1);
	double starts = (double)extent->waiting * extent->start;

	return extent->look && starts > cost ? starts : cost;
}

int lxfw_predict_extent_futures(const struct lxfw_predict_extent *extent, int futures)
{
	double predictions = extent->requests > 0 ? (double)(TRIED * extent->requests) : 1;
	double most = budget_of(extent) / predictions / cost_of_future(extent);

	if (most >= futures)
		return futures;
	if (most < least_futures(extent))
		most = least_futures(extent);
	return most < futures ? (int)most : futures;
}

size_t lxfw_predict_extent_starts(const struct lxfw_predict_extent *extent, int futures)
{
	double most = fmax(STARTS_LEAST, budget_of(extent) / (extent->start * futures));

	return (size_t)most * (extent->deep ? NAMED : 1);
}
