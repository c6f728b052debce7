/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/request.h"

#include <string.h>

#include "plugins/slurm/bridge/sets.h"

#define SECONDS_OF_YEAR (365 * 24 * 3600)

/* Several jobs on the same processors, or gang scheduling. */
static bool shares_processors(const job_record_t *job)
{
	uint16_t most = job->part_ptr->max_share;

	if ((most & ~SHARED_FORCE) <= 1)
		return false;
	return most & SHARED_FORCE || job->details->share_res == 1;
}

bool lxfw_request_known(const job_record_t *job)
{
	const lxfw_slurm_details *details = job->details;

	if (job->het_job_id || job->resv_name || job->resv_list)
		return false;
	if (job->burst_buffer || details->expanding_jobid)
		return false;
	if (details->core_spec != NO_VAL16 && details->core_spec != 0)
		return false;
	if (details->contiguous)
		return false;
	if (details->min_nodes == 0 && details->max_nodes == 0)
		return false;
	return true;
}

int64_t lxfw_request_submit(const job_record_t *job)
{
	const lxfw_slurm_details *details = job->details;

	return details->begin_time ? details->begin_time : details->submit_time;
}

int64_t lxfw_request_estimate(const job_record_t *job)
{
	const part_record_t *part = job->part_ptr;
	uint32_t most = part->max_time, minutes = job->time_limit;

	if (minutes == NO_VAL) {
		minutes = part->default_time;
		if (minutes == NO_VAL)
			minutes = most;
	}
	if (most != INFINITE && most != NO_VAL && minutes > most &&
	    job->limit_set.time != ADMIN_SET_LIMIT)
		minutes = most;
	if (minutes == INFINITE || minutes == NO_VAL)
		return SECONDS_OF_YEAR;
	return minutes ? (int64_t)minutes * 60 : 1;
}

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

/* Memory of one host's PROCS; ALL for a job that takes whatever there is. */
static int64_t memory_of(const struct lxfw_bridge *bridge,
			 const job_record_t *job, int64_t procs, int64_t all)
{
	uint64_t memory = job->details->pn_min_memory;

	if (!bridge->hosts.memory_counts)
		return 0;
	if (memory & MEM_PER_CPU)
		return (int64_t)(memory & ~MEM_PER_CPU) * procs;
	return memory ? (int64_t)memory : all;
}

static bool shape_hosts(const struct lxfw_bridge *bridge,
			const job_record_t *job,
			const struct lxfw_known_set *set,
			const struct numbers *numbers, int64_t hosts,
			struct lxfw_request *request)
{
	const node_record_t *node = node_record_table_ptr[set->first];
	int64_t procs = quotient_up(numbers->procs, hosts);

	procs = quotient_up(procs, numbers->per_task) * numbers->per_task;
	procs = larger(procs, numbers->procs_per_host);
	if (procs > INT32_MAX / 2 || hosts > INT32_MAX / 2)
		return false;
	request->shape = LXFW_SHAPE_HOSTS;
	request->count = (int32_t)hosts;
	request->unit.procs = lxfw_hosts_round(node, procs);
	request->unit.memory_mb = memory_of(bridge, job, request->unit.procs,
					    set->least_memory);
	return true;
}

static bool shape_anywhere(const struct lxfw_bridge *bridge,
			   const job_record_t *job,
			   const struct lxfw_known_set *set,
			   const struct numbers *numbers,
			   struct lxfw_request *request)
{
	const node_record_t *node = node_record_table_ptr[set->first];

	if (numbers->tasks > INT32_MAX / 2 || numbers->per_task > INT32_MAX / 2)
		return false;
	request->shape = LXFW_SHAPE_ANYWHERE;
	/* Slurm gives out whole cores: odd processors at a core's end are as
	   good as taken. */
	request->unit.procs = (int32_t)numbers->per_task;
	request->count = (int32_t)numbers->tasks;
	if (numbers->per_task == 1) {
		int32_t core = lxfw_hosts_round(node, 1);

		request->unit.procs = core;
		request->count = (int32_t)quotient_up(numbers->tasks, core);
	} else {
		request->unit.procs = lxfw_hosts_round(node, numbers->per_task);
	}
	request->max_hosts = (int32_t)numbers->hosts_most;
	request->unit.memory_mb =
		memory_of(bridge, job, request->unit.procs, 0);
	return true;
}

static bool shape(const struct lxfw_bridge *bridge, const job_record_t *job,
		  const struct lxfw_known_set *set, struct lxfw_request *request)
{
	const lxfw_slurm_details *details = job->details;
	const node_record_t *node = node_record_table_ptr[set->first];
	struct numbers numbers;
	int64_t hosts;
	bool per_host_memory;

	read_numbers(job, node, &numbers);
	hosts = numbers.hosts_least;
	if (numbers.hosts_most && numbers.hosts_most < hosts)
		return false;
	per_host_memory = bridge->hosts.memory_counts &&
			  !(details->pn_min_memory & MEM_PER_CPU);
	if (request->exclusive || details->ntasks_per_node ||
	    details->pn_min_cpus > details->cpus_per_task || per_host_memory) {
		/* What each host must have is known, how many hosts follows. */
		int64_t per_host = larger(set->most_procs, 1);

		if (details->ntasks_per_node && numbers.procs_per_host)
			per_host = numbers.procs_per_host;
		hosts = larger(hosts, quotient_up(numbers.procs, per_host));
		if (numbers.hosts_most && hosts > numbers.hosts_most)
			hosts = numbers.hosts_most;
		return shape_hosts(bridge, job, set, &numbers, hosts, request);
	}
	if (hosts > 1 || (details->max_nodes && numbers.hosts_most == hosts))
		return shape_hosts(bridge, job, set, &numbers, hosts, request);
	return shape_anywhere(bridge, job, set, &numbers, request);
}

/* Counted extras of the request; kinds that are not counted are Slurm's to
   judge. */
static void count_extras(const struct lxfw_bridge *bridge,
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
		extra = lxfw_hosts_extra(&bridge->hosts, gres->plugin_id,
					 NO_VAL);
		if (extra >= 0)
			request->unit.extras[extra] += (int32_t)amount;
		if (!state->type_name)
			continue;
		extra = lxfw_hosts_extra(&bridge->hosts, gres->plugin_id,
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

static void make_hosts_of_pieces(const struct lxfw_known_set *set,
				 struct lxfw_request *request)
{
	int64_t procs = (int64_t)request->unit.procs * request->count;
	int64_t hosts = quotient_up(procs, larger(set->most_procs, 1));
	int64_t pieces = quotient_up(request->count, hosts);

	request->shape = LXFW_SHAPE_HOSTS;
	request->unit.procs *= (int32_t)pieces;
	request->unit.memory_mb *= pieces;
	request->count = (int32_t)hosts;
	request->max_hosts = 0;
}

static bool same_amounts(const struct lxfw_request *one,
			 const struct lxfw_request *other)
{
	return one->shape == other->shape && one->count == other->count &&
	       one->exclusive == other->exclusive &&
	       memcmp(&one->unit, &other->unit, sizeof(one->unit)) == 0;
}

int lxfw_request_add(struct lxfw_bridge *bridge, job_record_t *job,
		     struct lxfw_request *request)
{
	struct lxfw_request ask;
	const struct lxfw_known_set *set;
	int32_t id, tier = job->part_ptr->priority_tier;

	/* Requests are compared byte by byte. */
	memset(&ask, 0, sizeof(ask));
	if (shares_processors(job))
		return 0;
	set = lxfw_sets_find(bridge, job, &id);
	if (!set)
		return -1;
	if (set->vague)
		return 0;
	if (job->details->req_node_bitmap &&
	    (uint32_t)set->count < job->details->min_nodes)
		return 0;	/* some nodes named, the others free to choose */
	if (set->count == 0)
		return 0;
	/* All the memory of a host (--mem=0, or no default) is had only where no
	   other job has any of it. */
	ask.exclusive = lxfw_compat_is_exclusive(job) ||
			(bridge->hosts.memory_counts &&
			 job->details->pn_min_memory == 0);
	ask.estimate = lxfw_request_estimate(job);
	if (!shape(bridge, job, set, &ask))
		return 0;
	if (wants_gres(job)) {
		if (ask.shape == LXFW_SHAPE_ANYWHERE)
			make_hosts_of_pieces(set, &ask);
		count_extras(bridge, job, &ask);
	}
	if (request->host_set_count == 0) {
		ask.tier = tier;
		ask.host_sets[ask.host_set_count++] = id;
		*request = ask;
		return 1;
	}
	if (request->host_set_count == LXFW_HOST_SETS_MAX ||
	    !same_amounts(request, &ask))
		return 1;	/* the alternatives so far will have to do */
	if (ask.estimate > request->estimate)
		request->estimate = ask.estimate;
	if (ask.max_hosts &&
	    (!request->max_hosts || ask.max_hosts < request->max_hosts))
		request->max_hosts = ask.max_hosts;
	if (tier > request->tier)
		request->tier = tier;
	request->host_sets[request->host_set_count++] = id;
	return 1;
}
