/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/select-lxfw/layer.h"

#include <string.h>

#include "plugins/slurm/bridge/sanity.h"

/* Number of nodes selected by the library that are tried before the stock plugin
   chooses from all nodes. The stock plugin may refuse a node for reasons that the
   library does not know, such as sockets, partly used cores, or GRES bound to cores. */
#define TRIES 4

/* Fields of the job's record that a refused test leaves changed. */
struct before {
	uint64_t memory;
	uint64_t flags;
	time_t start;
};

static struct before remember(const job_record_t *job)
{
	return (struct before){
		.memory = job->details->pn_min_memory,
		.flags = job->bit_flags & TEST_NOW_ONLY,
		.start = job->start_time,
	};
}

static void restore(job_record_t *job, const struct before *before)
{
	job->details->pn_min_memory = before->memory;
	job->start_time = before->start;
}

/* Returns true if the stock plugin accepts CHOSEN for the job without preemption and
   with a start now. */
static bool fits(const struct lxfw_job_test *test, bitstr_t *chosen)
{
	struct lxfw_job_test narrow = *test;
	job_record_t *job = test->job;
	bool will_run = lxfw_select_test_kind(test) == LXFW_TEST_WILL_RUN;
	struct before before = remember(job);
	int error_code;

	narrow.nodes = chosen;
	narrow.candidates = NULL;
	job->bit_flags |= will_run ? TEST_NOW_ONLY : 0;
	error_code = lxfw_stock_job_test(&narrow);
	job->bit_flags = (job->bit_flags & ~(uint64_t)TEST_NOW_ONLY) |
			 before.flags;
	if (error_code == SLURM_SUCCESS &&
	    (!will_run || job->start_time <= time(NULL)))
		return true;
	restore(job, &before);
	return false;
}

/* Returns true if Slurm's records have the layout of the headers. The check is made
   once, when there are records. */
static bool makes_sense(void)
{
	static enum { UNKNOWN, YES, NO } tables, jobs;
	const job_record_t *job;

	if (!job_list || !part_list)
		return false;
	if (tables == UNKNOWN)
		tables = lxfw_sanity_check(LXFW_SELECT_TYPE,
					   slurm_conf.select_type,
					   LXFW_SELECT_TYPE) ? YES : NO;
	job = jobs == UNKNOWN && tables == YES ? list_peek(job_list) : NULL;
	if (job)
		jobs = lxfw_sanity_check_job(LXFW_SELECT_TYPE, job) ? YES : NO;
	return tables == YES && jobs != NO;
}

/* Reduces TEST's nodes to those that the library selects. Returns false if the stock
   plugin refuses the library's selections. */
static bool choose(const struct lxfw_job_test *test)
{
	bitstr_t *refused = bit_alloc(bit_size(test->nodes));
	bool good = false, again = true;

	for (int i = 0; i < TRIES && again && !good; i++) {
		bitstr_t *chosen = lxfw_place_choose(test, refused);

		if (!chosen)
			break;
		/* Of several nodes, the one that caused the refusal is unknown. */
		again = bit_set_count(chosen) == 1;
		bit_set(refused, bit_ffs(chosen));
		good = fits(test, chosen);
		if (good)
			bit_and(test->nodes, chosen);
		FREE_NULL_BITMAP(chosen);
	}
	FREE_NULL_BITMAP(refused);
	return good;
}

int lxfw_layer_job_test(const struct lxfw_job_test *test)
{
	if (!makes_sense())
		return lxfw_stock_job_test(test);
	if (lxfw_overbooked_stale())
		(void)lxfw_layer_reconfigure();
	return choose(test) ? SLURM_SUCCESS : lxfw_stock_job_test(test);
}

int lxfw_layer_job_fini(job_record_t *job)
{
	lxfw_place_changed();
	lxfw_guard_forget(job);
	lxfw_overbooked_left(job);
	return lxfw_stock_job_fini(job);
}

int lxfw_layer_job_suspend(job_record_t *job, bool indf_susp)
{
	lxfw_place_changed();
	lxfw_overbooked_left(job);
	return lxfw_stock_job_suspend(job, indf_susp);
}

/* A resumption that is not indefinite belongs to gang scheduling, which keeps its own
   records. Resuming a running job adds its allocation to the records again. */
int lxfw_layer_job_resume(job_record_t *job, bool indf_susp)
{
	if (indf_susp && IS_JOB_SUSPENDED(job) && makes_sense() &&
	    lxfw_guard_refuses(job))
		return ESLURM_NODES_BUSY;
	lxfw_guard_forget(job);
	lxfw_place_changed();
	return lxfw_stock_job_resume(job, indf_susp);
}

int lxfw_layer_reconfigure(void)
{
	int error_code;

	lxfw_place_destroy();
	error_code = lxfw_stock_reconfigure();
	lxfw_overbooked_forget();
	if (error_code == SLURM_SUCCESS && makes_sense())
		lxfw_overbooked_find();
	return error_code;
}

void lxfw_layer_changed(void)
{
	lxfw_place_changed();
}
