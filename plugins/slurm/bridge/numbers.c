/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/numbers.h"

#include <string.h>

static int64_t bounded(uint64_t number)
{
	return number < (uint64_t)LXFW_NUMBER_MOST ? (int64_t)number :
						     LXFW_NUMBER_MOST;
}

static int64_t product(int64_t one, int64_t other)
{
	return bounded((uint64_t)(one * other));
}

static int64_t bounded_memory(uint64_t memory_mb)
{
	return memory_mb < (uint64_t)LXFW_MEMORY_UNLIMITED ?
		       (int64_t)memory_mb : LXFW_MEMORY_UNLIMITED;
}

/* Returns the number of processors used per requested one: all threads of a core if the
   job uses only one thread per core. */
static int64_t threads_taken(const job_record_t *job, const node_record_t *node)
{
	const multi_core_data_t *cores = job->details->mc_ptr;

	if (node->tpc > 1 && cores && cores->threads_per_core == 1)
		return node->tpc;
	return 1;
}

static bool is_number(uint32_t number)
{
	return number != NO_VAL && number != INFINITE;
}

static bool read_hosts(const job_record_t *job, struct lxfw_numbers *numbers)
{
	const lxfw_slurm_details *details = job->details;
	const part_record_t *part = job->part_ptr;
	const uint32_t most = lxfw_compat_max_nodes(job);

	numbers->min_hosts = lxfw_larger(bounded(details->min_nodes), 1);
	if (is_number(part->min_nodes))
		numbers->min_hosts = lxfw_larger(numbers->min_hosts,
						 bounded(part->min_nodes));
	if (is_number(most))
		numbers->max_hosts = bounded(most);
	if (is_number(part->max_nodes) &&
	    (!numbers->max_hosts || part->max_nodes < numbers->max_hosts))
		numbers->max_hosts = bounded(part->max_nodes);
	return !numbers->max_hosts || numbers->min_hosts <= numbers->max_hosts;
}

static void read_procs(const job_record_t *job, const node_record_t *node,
		       struct lxfw_numbers *numbers)
{
	const lxfw_slurm_details *details = job->details;
	int64_t threads = threads_taken(job, node);

	numbers->per_task = lxfw_larger(bounded(details->cpus_per_task), 1);
	numbers->procs = lxfw_larger(bounded(details->min_cpus), 1);
	/* --mincpus; Slurm has raised it to the number of tasks per node. */
	if (bounded(details->pn_min_cpus) > numbers->per_task)
		numbers->procs_per_host = bounded(details->pn_min_cpus);
	numbers->tasks_per_host = details->ntasks_per_node;
	if (numbers->per_task > numbers->procs)
		numbers->per_task = numbers->procs;
	numbers->per_task = product(numbers->per_task, threads);
	numbers->procs = product(numbers->procs, threads);
	numbers->procs_per_host = product(numbers->procs_per_host, threads);
	numbers->tasks = lxfw_quotient_up(numbers->procs, numbers->per_task);
}

/* --- GRES ------------------------------------------------------------------------- */

/* Adds COUNT of a kind of GRES to AMOUNT. Returns false if the kind is not counted. */
static bool add_kind(const struct lxfw_extras *extras, uint32_t plugin_id,
		     uint32_t type_id, int64_t count,
		     struct lxfw_resources *amount)
{
	int index = lxfw_extras_find(extras, plugin_id, type_id);

	lxfw_extras_add(amount, index, (uint64_t)count);
	return index >= 0;
}

/* Adds COUNT of the GRES, each with MEMORY_MB, to AMOUNT. */
static bool add_gres(const struct lxfw_ground *ground, const gres_state_t *gres,
		     int64_t count, int64_t memory_mb,
		     struct lxfw_resources *amount)
{
	const gres_job_state_t *state = gres->gres_data;

	amount->memory_mb += lxfw_memory_times(memory_mb, count);
	if (amount->memory_mb > LXFW_MEMORY_UNLIMITED)
		amount->memory_mb = LXFW_MEMORY_UNLIMITED;
	return add_kind(ground->extras, gres->plugin_id, NO_VAL, count,
			amount) &&
	       (!state->type_name ||
		add_kind(ground->extras, gres->plugin_id, state->type_id,
			 count, amount));
}

/* Returns true if fractions of a device can be allocated. */
static bool is_shared(const gres_state_t *gres)
{
	return gres->gres_name && (strcmp(gres->gres_name, "shard") == 0 ||
				   strcmp(gres->gres_name, "mps") == 0);
}

static int64_t procs_of_gres(const gres_job_state_t *state,
			     const struct lxfw_numbers *numbers)
{
	if (state->cpus_per_gres)
		return state->cpus_per_gres;
	if (state->ntasks_per_gres && state->ntasks_per_gres != NO_VAL16)
		return product(state->ntasks_per_gres, numbers->per_task);
	return state->def_cpus_per_gres;
}

static bool read_one_gres(const job_record_t *job,
			  const struct lxfw_ground *ground,
			  const gres_state_t *gres, struct lxfw_numbers *numbers)
{
	const gres_job_state_t *state = gres->gres_data;
	int64_t procs, memory, count;

	if (!state || state->gres_per_socket || is_shared(gres))
		return false;
	procs = procs_of_gres(state, numbers);
	memory = bounded_memory(state->mem_per_gres ? state->mem_per_gres :
						      state->def_mem_per_gres);
	if (!ground->memory_counts)
		memory = 0;
	if (state->gres_per_node) {
		count = bounded(state->gres_per_node);
		numbers->procs_per_host = lxfw_larger(numbers->procs_per_host,
						      product(procs, count));
		return add_gres(ground, gres, count, memory,
				&numbers->of_host);
	}
	if (state->gres_per_task) {
		count = bounded(state->gres_per_task);
		if (job->details->overcommit || product(procs, count) >
						numbers->per_task)
			return false;
		return add_gres(ground, gres, count, memory,
				&numbers->of_task);
	}
	if (!state->gres_per_job)
		return true;
	if (numbers->pieces)
		return false;	/* a request has only one kind of piece */
	numbers->pieces = bounded(state->gres_per_job);
	numbers->procs_per_piece = procs;
	return add_gres(ground, gres, 1, memory, &numbers->of_piece);
}

static bool read_gres(const job_record_t *job, const struct lxfw_ground *ground,
		      struct lxfw_numbers *numbers)
{
	lxfw_slurm_iterator each;
	gres_state_t *gres;
	bool good = true;

	if (!job->gres_list_req)
		return true;
	each = list_iterator_create(job->gres_list_req);
	while (good && (gres = list_next(each)) != NULL)
		good = read_one_gres(job, ground, gres, numbers);
	list_iterator_destroy(each);
	return good;
}

static bool has_memory_of_gres(const job_record_t *job)
{
	lxfw_slurm_iterator each;
	gres_state_t *gres;
	bool has = false;

	if (!job->gres_list_req)
		return false;
	each = list_iterator_create(job->gres_list_req);
	while (!has && (gres = list_next(each)) != NULL) {
		const gres_job_state_t *state = gres->gres_data;

		has = state && (state->mem_per_gres || state->def_mem_per_gres);
	}
	list_iterator_destroy(each);
	return has;
}

/* --- memory ----------------------------------------------------------------------- */

bool lxfw_takes_all_memory(const job_record_t *job)
{
	return job->details->pn_min_memory == 0 && !has_memory_of_gres(job);
}

static void read_memory(const job_record_t *job,
			const struct lxfw_ground *ground,
			struct lxfw_numbers *numbers)
{
	uint64_t memory = job->details->pn_min_memory;

	if (!ground->memory_counts || has_memory_of_gres(job))
		return;
	if (memory & MEM_PER_CPU)
		numbers->memory_per_proc = bounded_memory(memory & ~MEM_PER_CPU);
	else if (memory)
		numbers->memory_per_host = bounded_memory(memory);
	else
		numbers->memory_per_host = ground->least_memory;
}

bool lxfw_numbers_read(const job_record_t *job, const struct lxfw_ground *ground,
		       struct lxfw_numbers *numbers)
{
	memset(numbers, 0, sizeof(*numbers));
	if (!read_hosts(job, numbers))
		return false;
	read_procs(job, ground->node, numbers);
	read_memory(job, ground, numbers);
	return read_gres(job, ground, numbers);
}
