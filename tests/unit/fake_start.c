/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts of jobs, and accounting of the resources that they hold. */
#include "tests/unit/fake_ctld.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- the books ---------------------------------------------------------- */

static uint64_t gres_held(const job_record_t *job, int kind, uint32_t position)
{
	lxfw_slurm_iterator each;
	gres_state_t *gres;
	uint64_t count = 0;

	if (!job->gres_list_alloc)
		return 0;
	each = list_iterator_create(job->gres_list_alloc);
	while ((gres = list_next(each)) != NULL) {
		const gres_job_state_t *state = gres->gres_data;

		if (fake_kind(gres->plugin_id) == kind &&
		    position < state->node_cnt)
			count += state->gres_cnt_node_alloc[position];
	}
	list_iterator_destroy(each);
	return count;
}

/* Add the resources that JOB holds, or remove them. */
static void enter(struct fake_taken *taken, const job_record_t *job, bool procs,
		  bool rest, int sign)
{
	const job_resources_t *held = job->job_resrcs;
	uint32_t position = 0;

	if (!held)
		return;
	for (int i = 0; i < node_record_count; i++) {
		struct fake_taken *here = &taken[i];
		uint32_t at = position;

		if (!bit_test(held->node_bitmap, i))
			continue;
		position++;
		if (procs)
			here->procs += sign * held->cpus[at];
		if (!rest)
			continue;
		here->memory_mb += (uint64_t)sign * held->memory_allocated[at];
		here->jobs += (uint32_t)sign;
		for (int kind = 0; kind < FAKE_KINDS; kind++)
			here->gres[kind] += (uint64_t)sign *
					    gres_held(job, kind, at);
		here->whole = sign > 0 && (here->whole || held->whole_node);
	}
}

void fake_take_out(struct fake_taken *taken, const job_record_t *job)
{
	enter(taken, job, IS_JOB_RUNNING(job), true, -1);
}

#define SHIELD_MAX 256

static job_record_t *shield[SHIELD_MAX];
static size_t shield_count;

void fake_shield(job_record_t *stub, bool up)
{
	if (fake_find(stub->job_id) == stub) {
		/* for a job that is being resized */
		fake_counts.resizes += up;
		return;
	}
	for (size_t i = 0; i < shield_count; i++) {
		if (shield[i] == stub)
			shield[i--] = shield[--shield_count];
	}
	if (up && shield_count < SHIELD_MAX)
		shield[shield_count++] = stub;
}

/* Mark the cores of NODE that JOB has. Return false if one of them is marked already. */
static bool mark_cores(const job_record_t *job, int node, bool *cores)
{
	job_resources_t *held = job->job_resrcs;
	uint32_t position = 0;
	bool good = true;
	int first;

	if (!held || !bit_test(held->node_bitmap, node))
		return true;
	for (int i = 0; i < node; i++)
		position += bit_test(held->node_bitmap, i);
	first = get_job_resources_offset(held, position, 0, 0);
	for (int core = 0; core < node_record_table_ptr[node]->tot_cores;
	     core++) {
		if (!bit_test(held->core_bitmap, first + core))
			continue;
		good &= !cores[core];
		cores[core] = true;
	}
	return good;
}

/* Return the unavailable cores of NODE; the caller frees the result. */
static bool *busy_cores(int node)
{
	bool *cores = calloc(UINT16_MAX, sizeof(*cores));

	if (!cores)
		abort();
	for (size_t i = 0; i < fake_active_count; i++) {
		if (IS_JOB_RUNNING(fake_active[i]) &&
		    !mark_cores(fake_active[i], node, cores)) {
			printf("# a core of %s is given out twice\n",
			       node_record_table_ptr[node]->name);
			abort();
		}
	}
	for (size_t i = 0; i < shield_count; i++)
		(void)mark_cores(shield[i], node, cores);
	return cores;
}

/* Whole cores count, whatever number of processors the stub records contain. */
static void add_shield(struct fake_taken *taken)
{
	for (int i = 0; i < node_record_count; i++) {
		bool *cores = busy_cores(i);

		taken[i].procs = 0;
		for (int core = 0; core < node_record_table_ptr[i]->tot_cores;
		     core++)
			taken[i].procs += cores[core];
		free(cores);
	}
}

struct fake_taken *fake_taken(void)
{
	struct fake_taken *taken;

	taken = calloc((size_t)node_record_count, sizeof(*taken));
	if (!taken)
		abort();
	for (size_t i = 0; i < fake_active_count; i++)
		enter(taken, fake_active[i], IS_JOB_RUNNING(fake_active[i]),
		      true, 1);
	for (int i = 0; i < node_record_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (taken[i].procs <= node->cpus_efctv &&
		    taken[i].memory_mb <= node->real_memory)
			continue;
		printf("# %"PRId64" processors and %"PRIu64" MB of %s are given out\n",
		       taken[i].procs, taken[i].memory_mb, node->name);
		abort();
	}
	if (shield_count)
		add_shield(taken);
	return taken;
}

/* --- a start ------------------------------------------------------------ */

static void free_gres(void *item)
{
	gres_state_t *gres = item;
	gres_job_state_t *state = gres->gres_data;

	xfree(state->gres_cnt_node_alloc);
	xfree(state->type_name);
	xfree(state);
	xfree(gres->gres_name);
	xfree(gres);
}

static void hand_out_gres(job_record_t *job, const struct fake_place *place)
{
	lxfw_slurm_iterator each;
	gres_state_t *asked;

	FREE_NULL_LIST(job->gres_list_alloc);
	if (!job->gres_list_req)
		return;
	job->gres_list_alloc = list_create(free_gres);
	each = list_iterator_create(job->gres_list_req);
	while ((asked = list_next(each)) != NULL) {
		gres_state_t *gres = xmalloc(sizeof(*gres));
		gres_job_state_t *state = xmalloc(sizeof(*state));
		int kind = fake_kind(asked->plugin_id);
		uint32_t position = 0;

		gres->plugin_id = asked->plugin_id;
		gres->gres_name = xstrdup(asked->gres_name);
		gres->gres_data = state;
		state->node_cnt = place->count;
		state->gres_cnt_node_alloc =
			xcalloc(place->count, sizeof(uint64_t));
		for (int i = 0; kind >= 0 && i < node_record_count; i++) {
			if (bit_test(place->nodes, i))
				state->gres_cnt_node_alloc[position++] =
					place->gres[i][kind];
		}
		list_append(job->gres_list_alloc, gres);
	}
	list_iterator_destroy(each);
}

static void take_cores(job_resources_t *held, int first, int node, int64_t count)
{
	bool *busy = busy_cores(node);

	for (int core = 0; count > 0; core++) {
		if (core == node_record_table_ptr[node]->tot_cores)
			abort();
		if (busy[core])
			continue;
		bit_set(held->core_bitmap, first + core);
		count--;
	}
	free(busy);
}

static void hand_out(job_record_t *job, const struct fake_place *place)
{
	job_resources_t *held = create_job_resources();
	uint32_t position = 0;
	int core = 0;

	held->nhosts = place->count;
	held->node_bitmap = bit_copy(place->nodes);
	held->nodes = bitmap2node_name(place->nodes);
	held->cpus = xcalloc(place->count, sizeof(*held->cpus));
	held->cpus_used = xcalloc(place->count, sizeof(*held->cpus_used));
	held->memory_allocated = xcalloc(place->count, sizeof(uint64_t));
	held->memory_used = xcalloc(place->count, sizeof(uint64_t));
	held->whole_node = lxfw_compat_is_exclusive(job);
	if (build_job_resources(held) != SLURM_SUCCESS)
		abort();
	job->total_cpus = 0;
	for (int i = 0; i < node_record_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (!bit_test(place->nodes, i))
			continue;
		held->cpus[position] = (uint16_t)place->procs[i];
		held->memory_allocated[position] = place->memory_mb[i];
		held->ncpus += held->cpus[position];
		take_cores(held, core, i, place->procs[i]);
		core += node->tot_cores;
		position++;
	}
	free_job_resources(&job->job_resrcs);
	job->job_resrcs = held;
	job->total_cpus = held->ncpus;
	job->cpu_cnt = held->ncpus;
	job->node_cnt = place->count;
	job->total_nodes = place->count;
	FREE_NULL_BITMAP(job->node_bitmap);
	job->node_bitmap = bit_copy(place->nodes);
	xfree(job->nodes);
	job->nodes = xstrdup(held->nodes);
	hand_out_gres(job, place);
}

/* Give the job one more processor on its first node if one is free. */
static void give_more(const job_record_t *job, const struct fake_taken *taken,
		      struct fake_place *place)
{
	int first = bit_ffs(place->nodes);
	const node_record_t *node = node_record_table_ptr[first];

	if (taken[first].procs + place->procs[first] < node->cpus_efctv &&
	    !(job->details->pn_min_memory & MEM_PER_CPU))
		place->procs[first]++;
}

static lxfw_slurm_details *copy_details(const lxfw_slurm_details *details)
{
	lxfw_slurm_details *copy = xmalloc(sizeof(*copy));

	memcpy(copy, details, sizeof(*copy));
	copy->exc_nodes = xstrdup(details->exc_nodes);
	copy->req_nodes = xstrdup(details->req_nodes);
	copy->features = xstrdup(details->features);
	copy->prefer = NULL;
	copy->prefer_list = NULL;
	copy->features_use = copy->features;
	copy->feature_list_use = NULL;
	copy->feature_list = NULL;	/* arrays in the tests have none */
	copy->mc_ptr = NULL;
	if (details->exc_node_bitmap)
		copy->exc_node_bitmap = bit_copy(details->exc_node_bitmap);
	if (details->req_node_bitmap)
		copy->req_node_bitmap = bit_copy(details->req_node_bitmap);
	return copy;
}

/* The record of the array becomes the task that starts. The rest of the array gets a
   new record with the id of the array, as in Slurm. */
static void split_array(job_record_t *job, int task)
{
	job_array_struct_t *array = job->array_recs;
	job_record_t *rest;
	uint32_t id;

	job->array_job_id = job->job_id;
	job->array_task_id = (uint32_t)task;
	if (array->task_cnt <= 1) {
		array->task_cnt = 0;
		array->tot_run_tasks++;
		FREE_NULL_BITMAP(array->task_id_bitmap);
		return;
	}
	id = job->job_id;
	rest = fake_job(job->part_ptr->name, job->time_limit);
	rest->time_min = job->time_min;
	job->array_recs = NULL;
	fake_swap_ids(job, rest);
	xfree(rest->details);
	rest->details = copy_details(job->details);
	FREE_NULL_LIST(rest->part_ptr_list);
	if (job->part_ptr_list) {
		lxfw_slurm_iterator each =
			list_iterator_create(job->part_ptr_list);
		part_record_t *part;

		rest->part_ptr_list = list_create(NULL);
		while ((part = list_next(each)) != NULL)
			list_append(rest->part_ptr_list, part);
		list_iterator_destroy(each);
	}
	rest->priority = job->priority;
	rest->array_job_id = id;
	rest->array_recs = array;
	bit_clear(array->task_id_bitmap, task);
	array->task_cnt--;
	array->tot_run_tasks++;
}

static void begin(job_record_t *job)
{
	uint32_t minutes = job->time_limit;
	uint32_t most = job->part_ptr->max_time;

	if (minutes == NO_VAL)
		minutes = job->part_ptr->default_time != NO_VAL ?
			  job->part_ptr->default_time : most;
	if (most != INFINITE && minutes > most)
		minutes = most;
	job->time_limit = minutes;
	job->job_state = JOB_RUNNING;
	job->state_reason = WAIT_NO_REASON;
	job->start_time = time(NULL);
	job->end_time = job->start_time +
			(minutes == INFINITE ? (time_t)365 * 24 * 3600 :
			 minutes ? (time_t)minutes * 60 : 1);
	xfree(job->sched_nodes);
	xfree(job->state_desc);
	fake_activate(job);
	fake_limits_begin(job);
	fake_counts.starts++;
	last_job_update = time(NULL);
}

static int refuse(job_record_t *job, int error_code)
{
	fake_counts.refusals++;
	job->state_reason = error_code == ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE ?
		FAIL_BAD_CONSTRAINTS : WAIT_RESOURCES;
	return error_code;
}

/* Return the reason why the job does not start. */
static int why_not(const job_record_t *job)
{
	if (fake_fits_empty(job, true))
		return ESLURM_NODES_BUSY;
	return fake_fits_empty(job, false) ? ESLURM_NODE_NOT_AVAIL :
	       ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE;
}

int fake_select_nodes(job_record_t *job, bool test_only)
{
	struct fake_taken *taken;
	struct fake_place place;
	bitstr_t *nodes;
	int task = -1;
	bool fits;

	/* Only tests whether the job could ever run. */
	if (test_only)
		return fake_fits_empty(job, false) ? SLURM_SUCCESS :
		       ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE;
	fake_counts.selections++;
	fake_counts.choice = (uint32_t)node_record_count;
	if (job->details->exc_node_bitmap)
		fake_counts.choice -=
			(uint32_t)bit_set_count(job->details->exc_node_bitmap);
	if (fake_chance(fake_trouble.refuse))
		return refuse(job, ESLURM_NODES_BUSY);
	if (job->array_recs && job->array_recs->task_id_bitmap)
		task = bit_ffs(job->array_recs->task_id_bitmap);
	nodes = bit_copy(job->part_ptr->node_bitmap);
	bit_and(nodes, avail_node_bitmap);
	bit_and_not(nodes, cg_node_bitmap);
	if (fake_trouble.bad_node)
		bit_clear(nodes, fake_trouble.bad_node - 1);
	taken = fake_taken();
	fits = fake_place(job, nodes, taken, &place);
	if (!fits)
		(void)fake_preempt(job, nodes, taken);
	FREE_NULL_BITMAP(nodes);
	if (fits && fake_chance(fake_trouble.more))
		give_more(job, taken, &place);
	free(taken);
	if (!fits)
		return refuse(job, why_not(job));
	hand_out(job, &place);
	fake_place_clear(&place);
	if (task >= 0)
		split_array(job, task);
	begin(job);
	return SLURM_SUCCESS;
}

/* --- the test of select plugins ----------------------------------------- */

static int by_end(const void *one, const void *other)
{
	const job_record_t *a = *(job_record_t *const *)one;
	const job_record_t *b = *(job_record_t *const *)other;

	return a->end_time < b->end_time ? -1 : a->end_time > b->end_time;
}

/* Return the running jobs in the order of their ends; the caller frees the result. */
static job_record_t **running_jobs(size_t *count)
{
	job_record_t **jobs = calloc(fake_active_count + 1, sizeof(*jobs));

	*count = 0;
	if (!jobs)
		abort();
	for (size_t i = 0; i < fake_active_count; i++) {
		if (IS_JOB_RUNNING(fake_active[i]))
			jobs[(*count)++] = fake_active[i];
	}
	qsort(jobs, *count, sizeof(*jobs), by_end);
	return jobs;
}

/* Tests with all candidates gone, as Slurm does. */
static bool fits_without(job_record_t *job, const bitstr_t *nodes,
			 lxfw_slurm_list candidates, struct fake_place *place)
{
	struct fake_taken *taken = fake_taken();
	lxfw_slurm_iterator each = list_iterator_create(candidates);
	job_record_t *other;
	bool fits;

	while ((other = list_next(each)) != NULL)
		fake_take_out(taken, other);
	list_iterator_destroy(each);
	fits = fake_place(job, nodes, taken, place);
	free(taken);
	return fits;
}

time_t fake_would_start(job_record_t *job, bitstr_t *nodes, bool now_only,
			lxfw_slurm_list candidates)
{
	struct fake_taken *taken = fake_taken();
	size_t count;
	job_record_t **jobs = running_jobs(&count);
	struct fake_place place;
	time_t start = time(NULL);
	bool fits;

	fits = fake_place(job, nodes, taken, &place);
	if (!fits && candidates) {
		fake_place_clear(&place);
		fits = fits_without(job, nodes, candidates, &place);
	}
	for (size_t i = 0; !fits && !now_only && i < count; i++) {
		enter(taken, jobs[i], true, true, -1);
		if (jobs[i]->end_time > start)
			start = jobs[i]->end_time;
		fits = fake_place(job, nodes, taken, &place);
	}
	if (fits) {
		bit_clear_all(nodes);
		bit_or(nodes, place.nodes);
	}
	fake_place_clear(&place);
	free(jobs);
	free(taken);
	return fits ? start : 0;
}
