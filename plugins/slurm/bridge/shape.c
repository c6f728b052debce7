/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/shape.h"

#include <string.h>

static int64_t larger(int64_t one, int64_t other)
{
	return one > other ? one : other;
}

static int64_t quotient_up(int64_t amount, int64_t by)
{
	return (amount + by - 1) / by;
}

/* One thread a core only: the job takes the cores' other threads with it. */
static int32_t threads_taken(const job_record_t *job, const node_record_t *node)
{
	const multi_core_data_t *cores = job->details->mc_ptr;

	if (node->tpc > 1 && cores && cores->threads_per_core == 1)
		return node->tpc;
	return 1;
}

/* Numbers that a request is made of, before it has a shape. */
struct numbers {
	int64_t tasks, per_task;	/* per_task processors each */
	int64_t procs;			/* in all */
	int64_t hosts_least, hosts_most;	/* most: 0 = as many as needed */
	int64_t procs_per_host;		/* at least */
};

static void read_numbers(const job_record_t *job, const node_record_t *node,
			 struct numbers *numbers)
{
	const lxfw_slurm_details *details = job->details;
	const part_record_t *part = job->part_ptr;
	int32_t threads = threads_taken(job, node);

	memset(numbers, 0, sizeof(*numbers));
	numbers->per_task = larger(details->cpus_per_task, 1);
	numbers->procs = larger(details->min_cpus, 1);
	numbers->hosts_least = larger(larger(details->min_nodes, 1),
				      part->min_nodes == NO_VAL ||
				      part->min_nodes == INFINITE ?
				      0 : part->min_nodes);
	numbers->hosts_most = details->max_nodes;
	if (part->max_nodes != INFINITE && part->max_nodes != NO_VAL &&
	    (!numbers->hosts_most || part->max_nodes < numbers->hosts_most))
		numbers->hosts_most = part->max_nodes;
	numbers->procs_per_host = details->pn_min_cpus;
	if (details->ntasks_per_node)
		numbers->procs_per_host =
			larger(numbers->procs_per_host,
			       details->overcommit ? 1 :
			       details->ntasks_per_node * numbers->per_task);
	if (numbers->per_task > numbers->procs)
		numbers->per_task = numbers->procs;
	numbers->per_task *= threads;
	numbers->procs *= threads;
	numbers->procs_per_host *= threads;
	numbers->tasks = quotient_up(numbers->procs, numbers->per_task);
}

/* PROCS rounded up to what the node gives out at once. */
static int32_t round_up(const node_record_t *node, int64_t procs)
{
	int32_t unit = 1;

	if (!lxfw_compat_gives_threads() && node->tpc > 1)
		unit = node->tpc;
	if (lxfw_compat_gives_sockets() && node->cores > 1)
		unit *= node->cores;
	procs = (procs + unit - 1) / unit * unit;
	return procs > INT32_MAX ? INT32_MAX : (int32_t)procs;
}

/* Memory of one host's PROCS; ALL for a job that takes whatever there is. */
static int64_t memory_of(const struct lxfw_ground *ground,
			 const job_record_t *job, int64_t procs, int64_t all)
{
	uint64_t memory = job->details->pn_min_memory;

	if (!ground->memory_counts)
		return 0;
	if (memory & MEM_PER_CPU)
		return (int64_t)(memory & ~MEM_PER_CPU) * procs;
	return memory ? (int64_t)memory : all;
}

static bool shape_hosts(const struct lxfw_ground *ground,
			const job_record_t *job,
			const struct numbers *numbers, int64_t hosts,
			struct lxfw_request *request)
{
	const node_record_t *node = ground->node;
	int64_t procs = quotient_up(numbers->procs, hosts);

	procs = quotient_up(procs, numbers->per_task) * numbers->per_task;
	procs = larger(procs, numbers->procs_per_host);
	if (procs > INT32_MAX / 2 || hosts > INT32_MAX / 2)
		return false;
	request->shape = LXFW_SHAPE_HOSTS;
	request->count = (int32_t)hosts;
	request->unit.procs = round_up(node, procs);
	request->unit.memory_mb = memory_of(ground, job, request->unit.procs,
					    ground->least_memory);
	return true;
}

static bool shape_anywhere(const struct lxfw_ground *ground,
			   const job_record_t *job,
			   const struct numbers *numbers,
			   struct lxfw_request *request)
{
	const node_record_t *node = ground->node;

	if (numbers->tasks > INT32_MAX / 2 || numbers->per_task > INT32_MAX / 2)
		return false;
	request->shape = LXFW_SHAPE_ANYWHERE;
	/* Slurm gives out whole cores: odd processors at a core's end are as
	   good as taken. */
	request->unit.procs = (int32_t)numbers->per_task;
	request->count = (int32_t)numbers->tasks;
	if (numbers->per_task == 1) {
		int32_t core = round_up(node, 1);

		request->unit.procs = core;
		request->count = (int32_t)quotient_up(numbers->tasks, core);
	} else {
		request->unit.procs = round_up(node, numbers->per_task);
	}
	request->max_hosts = (int32_t)numbers->hosts_most;
	request->unit.memory_mb =
		memory_of(ground, job, request->unit.procs, 0);
	return true;
}

static bool amounts(const struct lxfw_ground *ground, const job_record_t *job,
		    struct lxfw_request *request)
{
	const lxfw_slurm_details *details = job->details;
	const node_record_t *node = ground->node;
	struct numbers numbers;
	int64_t hosts;
	bool per_host_memory;

	read_numbers(job, node, &numbers);
	hosts = numbers.hosts_least;
	if (numbers.hosts_most && numbers.hosts_most < hosts)
		return false;
	per_host_memory = ground->memory_counts &&
			  !(details->pn_min_memory & MEM_PER_CPU);
	if (request->exclusive || details->ntasks_per_node ||
	    details->pn_min_cpus > details->cpus_per_task || per_host_memory) {
		/* What each host must have is known, how many hosts follows. */
		int64_t per_host = larger(ground->most_procs, 1);

		if (details->ntasks_per_node && numbers.procs_per_host)
			per_host = numbers.procs_per_host;
		hosts = larger(hosts, quotient_up(numbers.procs, per_host));
		if (numbers.hosts_most && hosts > numbers.hosts_most)
			hosts = numbers.hosts_most;
		return shape_hosts(ground, job, &numbers, hosts, request);
	}
	if (hosts > 1 || (details->max_nodes && numbers.hosts_most == hosts))
		return shape_hosts(ground, job, &numbers, hosts, request);
	return shape_anywhere(ground, job, &numbers, request);
}

/* Counted extras of the request; kinds that are not counted are Slurm's to
   judge. */
static void count_extras(const struct lxfw_ground *ground,
			 const job_record_t *job, struct lxfw_request *request)
{
	lxfw_slurm_iterator each;
	gres_state_t *gres;

	if (!job->gres_list_req || list_count(job->gres_list_req) == 0)
		return;
	each = list_iterator_create(job->gres_list_req);
	while ((gres = list_next(each)) != NULL) {
		const gres_job_state_t *state = gres->gres_data;
		int64_t amount, pieces = request->count;
		int extra;

		amount = (int64_t)state->gres_per_node;
		if (!amount && state->gres_per_task)
			amount = (int64_t)state->gres_per_task *
				 quotient_up(larger(job->details->num_tasks, 1),
					     pieces);
		if (!amount && state->gres_per_job)
			amount = quotient_up((int64_t)state->gres_per_job,
					     pieces);
		if (!amount)
			amount = (int64_t)state->gres_per_socket;
		if (amount > INT32_MAX / 4)
			amount = INT32_MAX / 4;
		extra = lxfw_extras_find(ground->extras, gres->plugin_id,
					 NO_VAL);
		if (extra >= 0)
			request->unit.extras[extra] += (int32_t)amount;
		if (!state->type_name)
			continue;
		extra = lxfw_extras_find(ground->extras, gres->plugin_id,
					 state->type_id);
		if (extra >= 0)
			request->unit.extras[extra] += (int32_t)amount;
	}
	list_iterator_destroy(each);
}

/* GRES belong to hosts; pieces that may share a host cannot ask for "two on
   each host". One host, or hosts, can. */
static bool wants_gres(const job_record_t *job)
{
	return job->gres_list_req && list_count(job->gres_list_req) > 0;
}

static void make_hosts_of_pieces(const struct lxfw_ground *ground,
				 struct lxfw_request *request)
{
	int64_t procs = (int64_t)request->unit.procs * request->count;
	int64_t hosts = quotient_up(procs, larger(ground->most_procs, 1));
	int64_t pieces = quotient_up(request->count, hosts);

	request->shape = LXFW_SHAPE_HOSTS;
	request->unit.procs *= (int32_t)pieces;
	request->unit.memory_mb *= pieces;
	request->count = (int32_t)hosts;
	request->max_hosts = 0;
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
	/* All the memory of a host (--mem=0, or no default) is had only where no
	   other job has any of it. */
	request->exclusive = lxfw_compat_is_exclusive(job) ||
			     (ground->memory_counts &&
			      job->details->pn_min_memory == 0);
	if (!amounts(ground, job, request))
		return false;
	if (wants_gres(job)) {
		if (request->shape == LXFW_SHAPE_ANYWHERE)
			make_hosts_of_pieces(ground, request);
		count_extras(ground, job, request);
	}
	return true;
}
