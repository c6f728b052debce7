/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/workload/load.h"

#include <errno.h>
#include <math.h>

#include "sim-frontend/trace/swf.h"

static int64_t submit_at(const struct lxfw_trace *trace, size_t i)
{
	return trace->jobs[lxfw_trace_at(trace, i)].submit;
}

static int64_t span_of(const struct lxfw_trace *trace)
{
	return trace->count == 0 ? 0 : submit_at(trace, trace->count - 1) -
				       submit_at(trace, 0);
}

double lxfw_offered_load(const struct lxfw_trace *trace, int64_t procs)
{
	double work = 0, span = (double)span_of(trace);

	for (size_t i = 0; i < trace->count; i++)
		work += (double)trace->jobs[i].procs * (double)trace->jobs[i].run;
	return span > 0 ? work / ((double)procs * span) : 0;
}

int lxfw_load_scale(struct lxfw_trace *trace, int64_t procs, double load,
		    double *factor)
{
	double now = lxfw_offered_load(trace, procs);
	int64_t first;

	*factor = now / load;
	if (now == 0 || (double)span_of(trace) * *factor > LXFW_SWF_TIME_MAX) {
		errno = ERANGE;
		return -1;
	}
	first = submit_at(trace, 0);
	/* the order of submissions is unchanged, and `order` remains valid */
	for (size_t i = 0; i < trace->count; i++) {
		struct lxfw_trace_job *job = &trace->jobs[i];

		job->submit = first + (int64_t)floor(
			(double)(job->submit - first) * *factor + 0.5);
		job->wait = -1;
	}
	return 0;
}
