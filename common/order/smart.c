/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SMART: jobs of similar length on shelves (Turek et al.; Schwiegelshohn et al. 1999;
   Yahyapour 2002, section 2.5, gamma 2). */
#include "common/order/list.h"

#include <stdbool.h>
#include <stdlib.h>

struct shelf {
	int64_t free;		/* processors */
	int64_t weight, longest;
	int32_t number;		/* in the order in which shelves are made */
};

/* The first one first by Smith's rule, weight divided by time. Equal ratios of integers
   below 2^53 are equal as doubles. */
static int compare_shelves(const void *one, const void *other)
{
	const struct shelf *a = one, *b = other;
	double ratio_a = (double)a->weight / (double)a->longest;
	double ratio_b = (double)b->weight / (double)b->longest;

	if (ratio_a != ratio_b)
		return ratio_a > ratio_b ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static void put(struct shelf *shelf, const struct lxfw_listed *job,
		enum lxfw_job_weight weight)
{
	int64_t add = weight == LXFW_JOB_WEIGHT_WORK ?
		      lxfw_list_work(job->procs, job->estimate) : 1;

	shelf->free -= job->procs;
	shelf->weight = shelf->weight > INT64_MAX - add ? INT64_MAX :
							  shelf->weight + add;
	if (shelf->longest < job->estimate)
		shelf->longest = job->estimate;
}

/* Put the jobs, which are sorted by bin, on shelves, and set their `key` to the number of
   the shelf. FIRST: a job is put on the first shelf of its bin that has room, otherwise on
   the last one if it has room. Returns the number of shelves. */
static int32_t fill(struct shelf *shelves, struct lxfw_listed *jobs, size_t count,
		    int64_t procs, enum lxfw_job_weight weight, bool first)
{
	int32_t made = 0, begin = 0;

	for (size_t i = 0; i < count; i++) {
		struct lxfw_listed *job = &jobs[i];
		int32_t at;

		if (i == 0 || job->bin != jobs[i - 1].bin)
			begin = made;
		at = first || begin == made ? begin : made - 1;
		while (at < made && shelves[at].free < job->procs)
			at++;
		if (at == made)
			shelves[made++] = (struct shelf){
				.free = procs, .number = at,
			};
		put(&shelves[at], job, weight);
		job->key = at;
	}
	return made;
}

/* Order the jobs, which are sorted by bin, by their shelves. Returns 0, or -1 with errno
   ENOMEM. */
static int by_shelves(struct lxfw_listed *jobs, size_t count, int64_t procs,
		      enum lxfw_job_weight weight, bool first)
{
	struct shelf *shelves = malloc((count + 1) * sizeof(*shelves));
	int32_t *rank = malloc((count + 1) * sizeof(*rank)), made;

	if (!shelves || !rank) {
		free(shelves);
		free(rank);
		return -1;
	}
	made = fill(shelves, jobs, count, procs, weight, first);
	qsort(shelves, (size_t)made, sizeof(*shelves), compare_shelves);
	for (int32_t i = 0; i < made; i++)
		rank[shelves[i].number] = i;
	for (size_t i = 0; i < count; i++) {
		jobs[i].bin = rank[jobs[i].key];
		jobs[i].key = (int64_t)i;
	}
	lxfw_list_sort(jobs, count);
	free(shelves);
	free(rank);
	return 0;
}

int lxfw_list_ffia(struct lxfw_listed *jobs, size_t count, int64_t procs,
		   enum lxfw_job_weight weight)
{
	for (size_t i = 0; i < count; i++) {
		jobs[i].bin = lxfw_list_bin(jobs[i].estimate, 1);
		jobs[i].key = lxfw_list_work(jobs[i].procs, jobs[i].estimate);
	}
	lxfw_list_sort(jobs, count);
	return by_shelves(jobs, count, procs, weight, true);
}

int lxfw_list_nfiw(struct lxfw_listed *jobs, size_t count, int64_t procs,
		   enum lxfw_job_weight weight)
{
	for (size_t i = 0; i < count; i++) {
		jobs[i].bin = lxfw_list_bin(jobs[i].estimate, 1);
		/* processors / (processors * estimate): the longest first */
		jobs[i].key = weight == LXFW_JOB_WEIGHT_WORK ? -jobs[i].estimate :
							       jobs[i].procs;
	}
	lxfw_list_sort(jobs, count);
	return by_shelves(jobs, count, procs, weight, false);
}
