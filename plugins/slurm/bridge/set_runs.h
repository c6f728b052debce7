/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs of host sets: copies of some sets, with consecutive numbers, for the jobs that may run
 * on more sets than a request names one by one (more_sets in common/model/request.h). A run is
 * known by the numbers of the sets that were copied.
 */
#ifndef LXFW_BRIDGE_SET_RUNS_H
#define LXFW_BRIDGE_SET_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lxfw_set_run {
	int32_t *ids;		/* of the sets that were copied */
	int32_t count, first;	/* its numbers are FIRST, FIRST + 1, ... */
	uint64_t hash;
	int32_t next;		/* next in the same chain; -1: none */
};

#define LXFW_SET_RUN_CHAINS 1024

/* {0} is empty. */
struct lxfw_set_runs {
	struct lxfw_set_run *run;
	int32_t count;
	size_t size;
	int32_t *chains;	/* LXFW_SET_RUN_CHAINS hash chains */
};

/* Returns the first number of the run of the COUNT sets IDS, or -1 if there is none. */
int32_t lxfw_set_runs_find(const struct lxfw_set_runs *runs, const int32_t *ids, int32_t count);

/* Adds a run, which is not known yet. Returns false when memory runs out. */
bool lxfw_set_runs_add(struct lxfw_set_runs *runs, const int32_t *ids, int32_t count,
		       int32_t first);

/* Removes run INDEX. The last one takes its place. */
void lxfw_set_runs_remove(struct lxfw_set_runs *runs, int32_t index);

void lxfw_set_runs_clear(struct lxfw_set_runs *runs);

#endif
