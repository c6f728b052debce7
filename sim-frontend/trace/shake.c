/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/shake.h"

#include <errno.h>
#include <math.h>

void lxfw_shake_begin(const struct lxfw_shake *shake, uint64_t number,
		      struct lxfw_random *random)
{
	/* the seed is "shake" and the number of the copy */
	lxfw_random_seed(random, shake->seed, UINT64_C(0x7368616b65) << 20 | number);
}

void lxfw_shake_job(const struct lxfw_shake *shake, struct lxfw_random *random,
		    int64_t first, struct lxfw_trace_job *job)
{
	int64_t width = 2 * shake->arrivals + 1;
	double factor;

	job->submit += (int64_t)lxfw_random_below(random, (uint64_t)width) -
		       shake->arrivals;
	if (job->submit < first)
		job->submit = first;
	factor = 1 + shake->runs * (2 * lxfw_random_uniform(random) - 1);
	if (shake->runs > 0) {
		bool kept = job->run <= job->limit;

		job->run = (int64_t)floor((double)job->run * factor + 0.5);
		if (job->run < 1)
			job->run = 1;
		if (kept && job->run > job->limit)
			job->run = job->limit;
	}
	job->wait = -1;
}

int lxfw_shake_copy(const struct lxfw_shake *shake, const struct lxfw_trace *trace,
		    uint64_t number, struct lxfw_trace *copy)
{
	struct lxfw_random random;
	int64_t first;

	if (lxfw_trace_copy(copy, trace))
		return -1;
	if (trace->count == 0)
		return 0;
	first = trace->jobs[lxfw_trace_at(trace, 0)].submit;
	lxfw_shake_begin(shake, number, &random);
	for (size_t i = 0; i < copy->count; i++)
		lxfw_shake_job(shake, &random, first, &copy->jobs[i]);
	if (lxfw_trace_sort(copy)) {
		lxfw_trace_clear(copy);
		errno = ENOMEM;
		return -1;
	}
	return 0;
}
