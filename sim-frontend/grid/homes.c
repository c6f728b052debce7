/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/grid/homes.h"

#include <errno.h>
#include <stdlib.h>

#include "common/util/grow.h"

static int32_t number_of(const struct lxfw_trace_owner *owner, enum lxfw_homes how)
{
	switch (how) {
	case LXFW_HOMES_USER:
		return owner->user;
	case LXFW_HOMES_QUEUE:
		return owner->queue;
	default:
		return owner->partition;
	}
}

int32_t *lxfw_homes_choose(const struct lxfw_trace *trace, int32_t sites,
			   enum lxfw_homes how)
{
	int32_t *homes = calloc(trace->count + 1, sizeof(*homes));

	for (size_t i = 0; i < trace->count && homes; i++) {
		size_t position = lxfw_trace_at(trace, i);
		int32_t number;

		if (how == LXFW_HOMES_ROUND_ROBIN) {
			homes[position] = (int32_t)(i % (size_t)sites);
			continue;
		}
		number = trace->owners ? number_of(&trace->owners[position], how) : 0;
		homes[position] = number < 0 ? 0 : number % sites;
	}
	return homes;
}

/* Jobs and their sites. */
struct list {
	struct lxfw_trace_job *jobs;
	size_t count, size;
	int32_t *homes;
	size_t homes_size;
};

static int add(struct list *list, const struct lxfw_trace_job *job, int32_t home,
	       int32_t procs)
{
	if (LXFW_GROW(list->jobs, list->size, list->count + 1) ||
	    LXFW_GROW(list->homes, list->homes_size, list->count + 1))
		return -1;
	list->jobs[list->count] = *job;
	list->jobs[list->count].procs = procs;
	if (procs < job->procs)
		list->jobs[list->count].memory_kb = job->memory_kb / job->procs * procs;
	list->homes[list->count++] = home;
	return 0;
}

static int add_parts(struct list *list, const struct lxfw_trace_job *job, int32_t home,
		     int32_t most)
{
	for (int32_t left = job->procs; left > 0; left -= most) {
		if (add(list, job, home, left < most ? left : most))
			return -1;
	}
	return 0;
}

int lxfw_homes_split(struct lxfw_trace *trace, int32_t **homes, const int32_t *most,
		     size_t *split)
{
	struct list list = { 0 };
	int failed = 0;

	*split = 0;
	for (size_t i = 0; i < trace->count && !failed; i++) {
		size_t position = lxfw_trace_at(trace, i);
		const struct lxfw_trace_job *job = &trace->jobs[position];
		int32_t home = (*homes)[position];

		if (job->procs <= most[home]) {
			failed = add(&list, job, home, job->procs);
		} else {
			failed = add_parts(&list, job, home, most[home]);
			++*split;
		}
	}
	if (failed || *split == 0) {
		free(list.jobs);
		free(list.homes);
		return failed;
	}
	lxfw_trace_clear(trace);
	*trace = (struct lxfw_trace){
		.jobs = list.jobs, .count = list.count, .size = list.size,
	};
	free(*homes);
	*homes = list.homes;
	return 0;
}
