/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/experiment/observer.h"

#include <errno.h>
#include <stdlib.h>

#include "common/model/event.h"
#include "common/util/grow.h"

int lxfw_observer_begin(struct lxfw_observer *observer,
			const struct lxfw_trace *trace,
			const struct lxfw_cluster *cluster)
{
	size_t jobs = trace->count + 1;

	*observer = (struct lxfw_observer) {
		.trace = trace,
		.at_once = calloc(jobs, sizeof(*observer->at_once)),
		.hosts = malloc(jobs * sizeof(*observer->hosts)),
		.reserved_on = malloc(jobs * sizeof(*observer->reserved_on)),
		.pending = calloc((size_t)cluster->count + 1,
				  sizeof(*observer->pending)),
	};
	if (!observer->at_once || !observer->hosts || !observer->reserved_on ||
	    !observer->pending) {
		errno = ENOMEM;
		return -1;
	}
	for (size_t i = 0; i < trace->count; i++)
		observer->hosts[i] = observer->reserved_on[i] = -1;
	return 0;
}

static void add_span(struct lxfw_observer *observer, int32_t host, int64_t to)
{
	if (observer->pending[host].since == to)
		return;
	if (LXFW_GROW(observer->spans, observer->span_size,
		      observer->span_count + 1)) {
		observer->failed = true;
		return;
	}
	observer->spans[observer->span_count++] = (struct lxfw_observed_span) {
		.from = observer->pending[host].since, .to = to, .host = host,
	};
}

static void reserve(struct lxfw_observer *observer, size_t job, int32_t host,
		    int64_t now)
{
	int32_t before = observer->reserved_on[job];

	if (before == host)
		return;
	if (before >= 0 && --observer->pending[before].count == 0)
		add_span(observer, before, now);
	observer->reserved_on[job] = host;
	if (host >= 0 && observer->pending[host].count++ == 0)
		observer->pending[host].since = now;
}

void lxfw_observer_see(void *context, int64_t now,
		       const struct lxfw_decision *decision)
{
	struct lxfw_observer *observer = context;

	for (size_t i = 0; i < decision->count; i++) {
		const struct lxfw_action *action = &decision->actions[i];
		size_t job = (size_t)action->job - 1;
		int32_t host = action->count > 0 ? action->shares[0].host : -1;

		switch (action->type) {
		case LXFW_ACTION_START:
			if (action->until == LXFW_NEVER &&
			    now - observer->trace->jobs[job].submit <=
			    observer->grace)
				observer->at_once[job] = true;
			observer->hosts[job] = host;
			reserve(observer, job, -1, now);
			break;
		case LXFW_ACTION_RESERVE:
			reserve(observer, job, host, now);
			break;
		case LXFW_ACTION_UNRESERVE:
			reserve(observer, job, -1, now);
			break;
		case LXFW_ACTION_SUSPEND:
		case LXFW_ACTION_REQUEUE:
		case LXFW_ACTION_RESUME:
		case LXFW_ACTION_RESIZE:
			break;
		}
	}
}

static int64_t overlap(int64_t from, int64_t to, int64_t other_from,
		       int64_t other_to)
{
	if (from < other_from)
		from = other_from;
	if (to > other_to)
		to = other_to;
	return to > from ? to - from : 0;
}

double lxfw_observer_held(const struct lxfw_observer *observer,
			  const struct lxfw_cluster *cluster,
			  const int64_t *starts, const int64_t *ends,
			  int64_t from, int64_t until)
{
	const struct lxfw_trace_job *jobs = observer->trace->jobs;
	int64_t idle = 0;

	for (size_t i = 0; i < observer->span_count; i++) {
		struct lxfw_observed_span span = observer->spans[i];

		if (span.from < from)
			span.from = from;
		if (span.to > until)
			span.to = until;
		if (span.to <= span.from)
			continue;
		idle += (span.to - span.from) *
			cluster->hosts[span.host].total.procs;
		for (size_t j = 0; j < observer->trace->count; j++) {
			if (observer->hosts[j] == span.host)
				idle -= overlap(starts[j], ends[j], span.from,
						span.to) * jobs[j].procs;
		}
	}
	return (double)idle / ((double)cluster->procs * (double)(until - from));
}

void lxfw_observer_end(struct lxfw_observer *observer)
{
	free(observer->at_once);
	free(observer->hosts);
	free(observer->reserved_on);
	free(observer->pending);
	free(observer->spans);
	*observer = (struct lxfw_observer) { 0 };
}
