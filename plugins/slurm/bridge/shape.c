/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/shape.h"

#include "plugins/slurm/bridge/numbers.h"

/* Rounds PROCS up to the node's unit of allocation. */
static int64_t round_up(const node_record_t *node, int64_t procs)
{
	int64_t unit = 1;

	if (!lxfw_compat_gives_threads() && node->tpc > 1)
		unit = node->tpc;
	if (lxfw_compat_gives_sockets() && node->cores > 1)
		unit *= node->cores;
	return lxfw_quotient_up(procs, unit) * unit;
}

static int32_t extra_times(int32_t one, int64_t count)
{
	int64_t product = one * count;

	return product < INT32_MAX ? (int32_t)product : INT32_MAX;
}

/* Adds COUNT times ONE to SUM. Sums are limited to values that are too large for any
   host. */
static void add_times(struct lxfw_resources *sum,
		      const struct lxfw_resources *one, int64_t count)
{
	sum->memory_mb += lxfw_memory_times(one->memory_mb, count);
	if (sum->memory_mb > LXFW_MEMORY_UNLIMITED)
		sum->memory_mb = LXFW_MEMORY_UNLIMITED;
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		int64_t extra = (int64_t)sum->extras[i] +
				extra_times(one->extras[i], count);

		sum->extras[i] = extra < INT32_MAX ? (int32_t)extra : INT32_MAX;
	}
}

static bool is_any(const struct lxfw_resources *amount)
{
	bool any = amount->memory_mb;

	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		any = any || amount->extras[i];
	return any;
}

/* Sets COUNT units of PROCS processors each. Returns false if a request cannot
   represent that. */
static bool enter(struct lxfw_request *request, int64_t count, int64_t procs)
{
	if (count > INT32_MAX || procs > INT32_MAX)
		return false;
	request->count = (int32_t)count;
	request->unit.procs = (int32_t)procs;
	return true;
}

/*
 * Returns the number of hosts if each must have a number of processors or tasks, or 0
 * if it depends on the choice of hosts.
 */
static int64_t count_hosts(const struct lxfw_ground *ground,
			   const struct lxfw_numbers *numbers)
{
	int64_t hosts = numbers->min_hosts;

	if (numbers->min_hosts == numbers->max_hosts)
		return hosts;
	if (numbers->tasks_per_host)
		hosts = lxfw_larger(hosts,
				    lxfw_quotient_up(numbers->tasks,
						     numbers->tasks_per_host));
	else if (numbers->procs > numbers->procs_per_host * hosts) {
		if (ground->least_procs != ground->most_procs ||
		    ground->most_procs < 1)
			return 0;
		hosts = lxfw_larger(hosts,
				    lxfw_quotient_up(numbers->procs,
						     ground->most_procs));
	}
	if (numbers->max_hosts && hosts > numbers->max_hosts)
		return 0;
	return hosts;
}

static bool shape_hosts(const struct lxfw_ground *ground,
			const struct lxfw_numbers *numbers,
			struct lxfw_request *request)
{
	int64_t hosts = count_hosts(ground, numbers), procs;

	if (hosts == 0)
		return false;
	procs = lxfw_quotient_up(numbers->procs, hosts);
	procs = lxfw_quotient_up(procs, numbers->per_task) * numbers->per_task;
	procs = round_up(ground->node,
			 lxfw_larger(procs, numbers->procs_per_host));
	request->shape = LXFW_SHAPE_HOSTS;
	if (!enter(request, hosts, procs))
		return false;
	request->unit.memory_mb =
		lxfw_memory_times(numbers->memory_per_proc, procs);
	add_times(&request->unit, &numbers->of_host, 1);
	add_times(&request->unit, &numbers->of_task,
		  lxfw_quotient_up(numbers->tasks, hosts));
	add_times(&request->unit, &numbers->of_piece,
		  lxfw_quotient_up(numbers->pieces, hosts));
	request->unit.memory_mb += numbers->memory_per_host;
	return true;
}

/* Computes the number of pieces and the processors of each. */
static void divide(const struct lxfw_ground *ground,
		   const struct lxfw_numbers *numbers, int64_t *count,
		   int64_t *procs)
{
	int64_t core = round_up(ground->node, 1);

	if (numbers->pieces) {
		*count = numbers->pieces;
		*procs = lxfw_larger(numbers->procs_per_piece,
				     lxfw_quotient_up(numbers->procs, *count));
		*procs = round_up(ground->node, *procs);
	} else if (numbers->per_task > 1 || is_any(&numbers->of_task)) {
		*count = numbers->tasks;
		*procs = round_up(ground->node, numbers->per_task);
	} else {
		/* Slurm allocates whole cores. */
		*count = lxfw_quotient_up(numbers->procs, core);
		*procs = core;
	}
}

static bool shape_anywhere(const struct lxfw_ground *ground,
			   const struct lxfw_numbers *numbers,
			   struct lxfw_request *request)
{
	int64_t count, procs;

	if (numbers->pieces && is_any(&numbers->of_task))
		return false;
	divide(ground, numbers, &count, &procs);
	/* Each host has at least one processor of the job. */
	count = lxfw_larger(count, numbers->min_hosts);
	request->shape = LXFW_SHAPE_ANYWHERE;
	if (!enter(request, count, procs))
		return false;
	request->unit.memory_mb =
		lxfw_memory_times(numbers->memory_per_proc, procs);
	add_times(&request->unit, numbers->pieces ? &numbers->of_piece :
						    &numbers->of_task, 1);
	request->per_host = numbers->of_host;
	request->per_host.memory_mb += numbers->memory_per_host;
	request->min_hosts =
		numbers->min_hosts > 1 ? (int32_t)numbers->min_hosts : 0;
	request->max_hosts = numbers->max_hosts < INT32_MAX ?
				     (int32_t)numbers->max_hosts : 0;
	return true;
}

bool lxfw_shares_processors(const job_record_t *job)
{
	uint16_t most = job->part_ptr->max_share;

	if ((most & ~SHARED_FORCE) <= 1)
		return false;
	return most & SHARED_FORCE || job->details->share_res == 1;
}

bool lxfw_shape(const job_record_t *job, const struct lxfw_ground *ground,
		struct lxfw_request *request)
{
	struct lxfw_numbers numbers;

	/* All the memory of a host (--mem=0, or no default) requires that no other job
	   uses any of it. */
	request->exclusive =
		lxfw_compat_is_exclusive(job) ||
		(ground->memory_counts && lxfw_takes_all_memory(job));
	if (!lxfw_numbers_read(job, ground, &numbers))
		return false;
	if (numbers.procs_per_host || numbers.tasks_per_host)
		return shape_hosts(ground, &numbers, request);
	return shape_anywhere(ground, &numbers, request);
}
