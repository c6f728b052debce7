/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/pass/mold.h"

#include "common/books/run.h"
#include "common/place/place.h"
#include "common/profile/duration.h"

static bool is_moldable(const struct lxfw_job *job)
{
	const struct lxfw_request *request = &job->request;

	if (job->group >= 0 || job->kept || request->rigid || request->exclusive ||
	    request->min_estimate || lxfw_request_has_hosts(request) ||
	    request->max_hosts)
		return false;
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		if (request->unit.extras[i])
			return false;
	}
	return request->shape == LXFW_SHAPE_ANYWHERE ? request->unit.procs == 1 :
						       request->count == 1;
}

static int32_t asked(const struct lxfw_request *request)
{
	return request->unit.procs * request->count;
}

/* The request with PROCS processors, min_procs or more, and the run time that is expected on
   them. */
static struct lxfw_request mold(const struct lxfw_request *request, int32_t procs)
{
	struct lxfw_request molded = *request;
	int64_t memory_mb = request->unit.memory_mb * request->count;

	molded.estimate = lxfw_time_scale(request->estimate, asked(request), procs);
	if (request->shape == LXFW_SHAPE_ANYWHERE) {
		molded.count = procs;
		molded.unit.memory_mb = (memory_mb + procs - 1) / procs;
	} else {
		molded.unit.procs = procs;
	}
	return molded;
}

/* Start the job on as many processors as possible, from MOST down to LEAST. */
static int32_t start(struct lxfw_sched *sched, int32_t index, int32_t most,
		     int32_t least)
{
	for (int32_t procs = most; procs >= least; procs--) {
		const struct lxfw_request molded =
			mold(&sched->jobs[index].request, procs);
		int32_t host_set, count = lxfw_place_now(sched, &molded, &host_set);

		if (count < 0)
			return -1;
		if (count > 0)
			return lxfw_job_start(sched, index, count, host_set,
					      LXFW_NEVER) < 0 ? -1 : 1;
	}
	return 0;
}

/* The most processors, at most MOST, that are free. */
static int32_t bound(const struct lxfw_sched *sched, int32_t most)
{
	return sched->profile.free.procs < most ? (int32_t)sched->profile.free.procs :
						  most;
}

/* Whether it is better to start now on PROCS processors than to wait. Returns 1, 0, or -1
   with errno ENOMEM. */
static int is_better(struct lxfw_sched *sched, const struct lxfw_request *request,
		     int32_t procs)
{
	const struct lxfw_request molded = mold(request, procs);
	int64_t down, waits, from;
	int32_t host_set, count;

	if (sched->params.mold_threshold == 0)
		return 1;
	count = lxfw_place_earliest(sched, request, &from, &host_set);
	if (count <= 0)
		return count < 0 ? -1 : 1;
	down = lxfw_time_add(sched->now, molded.estimate) - request->submit;
	waits = lxfw_time_add(from, request->estimate) - request->submit;
	return (double)down * 100 < (double)waits *
				    (double)sched->params.mold_threshold;
}

int32_t lxfw_mold_down(struct lxfw_sched *sched, int32_t index, bool due)
{
	const struct lxfw_job *job = &sched->jobs[index];
	const struct lxfw_request *request = &job->request;
	int32_t least = request->min_procs > 0 ? request->min_procs : 1;
	int32_t most = bound(sched, asked(request) - 1);

	(void)due;
	if (most < least || !is_moldable(job))
		return 0;
	while (most >= least) {
		const struct lxfw_request molded = mold(request, most);
		int32_t host_set, count = lxfw_place_now(sched, &molded, &host_set);
		int better;

		if (count < 0)
			return -1;
		if (count == 0) {
			most--;
			continue;
		}
		better = is_better(sched, request, most);
		return better <= 0 ? better : start(sched, index, most, most);
	}
	return 0;
}

int32_t lxfw_mold_up(struct lxfw_sched *sched, int32_t index)
{
	const struct lxfw_job *job = &sched->jobs[index];
	const struct lxfw_request *request = &job->request;

	if (sched->params.mold != LXFW_MOLD_BOTH || sched->waiting != 1 ||
	    !is_moldable(job))
		return 0;
	return start(sched, index, bound(sched, INT32_MAX), asked(request) + 1);
}
