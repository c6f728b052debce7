/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/fake_ctld.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

job_record_t **fake_active;
size_t fake_active_count;

static size_t active_size;
static uint32_t next_id;
static job_record_t **by_id;
static size_t by_id_size;

/* --- records ------------------------------------------------------------ */

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

static void free_feature(void *item)
{
	job_feature_t *feature = item;

	xfree(feature->name);
	xfree(feature);
}

static void free_details(lxfw_slurm_details *details)
{
	FREE_NULL_BITMAP(details->exc_node_bitmap);
	FREE_NULL_BITMAP(details->req_node_bitmap);
	FREE_NULL_LIST(details->feature_list);
	FREE_NULL_LIST(details->prefer_list);
	xfree(details->prefer);
	xfree(details->exc_nodes);
	xfree(details->req_nodes);
	xfree(details->features);
	xfree(details->mc_ptr);
	xfree(details);
}

static void free_array(job_record_t *job)
{
	if (!job->array_recs)
		return;
	FREE_NULL_BITMAP(job->array_recs->task_id_bitmap);
	xfree(job->array_recs);
}

static void free_job(void *item)
{
	job_record_t *job = item;

	if (job->job_id < by_id_size && by_id[job->job_id] == job)
		by_id[job->job_id] = NULL;
	if (job->details)
		free_details(job->details);
	free_array(job);
	free_job_resources(&job->job_resrcs);
	FREE_NULL_LIST(job->part_ptr_list);
	FREE_NULL_LIST(job->step_list);
	FREE_NULL_LIST(job->gres_list_req);
	FREE_NULL_LIST(job->gres_list_alloc);
	FREE_NULL_LIST(job->het_job_list);
	FREE_NULL_BITMAP(job->node_bitmap);
	xfree(job->nodes);
	xfree(job->tres_req_cnt);
	xfree(job->sched_nodes);
	xfree(job->state_desc);
	xfree(job->name);
	xfree(job->comment);
	xfree(job->system_comment);
	xfree(job->partition);
	job->magic = 0;
	xfree(job);
}

void fake_jobs_start(void)
{
	next_id = 1;
	job_list = list_create(free_job);
}

void fake_jobs_stop(void)
{
	FREE_NULL_LIST(job_list);
	free(by_id);
	by_id = NULL;
	by_id_size = 0;
	free(fake_active);
	fake_active = NULL;
	fake_active_count = 0;
	active_size = 0;
}

void fake_activate(job_record_t *job)
{
	if (fake_active_count == active_size) {
		active_size = 2 * active_size + 64;
		fake_active = realloc(fake_active,
				      active_size * sizeof(*fake_active));
		if (!fake_active)
			abort();
	}
	fake_active[fake_active_count++] = job;
	fake_licenses_count();
}

static void deactivate(const job_record_t *job)
{
	for (size_t i = 0; i < fake_active_count; i++) {
		if (fake_active[i] != job)
			continue;
		fake_active[i] = fake_active[--fake_active_count];
		break;
	}
	last_job_update = time(NULL);
}

/* Number of suspensions of each job since its start, indexed by job id. */
#define COUNTED 65536
static uint32_t times_suspended[COUNTED];

static void give_id(job_record_t *job, uint32_t id)
{
	if (id >= by_id_size) {
		size_t size = 2 * (size_t)id + 64;

		by_id = realloc(by_id, size * sizeof(*by_id));
		if (!by_id)
			abort();
		memset(by_id + by_id_size, 0,
		       (size - by_id_size) * sizeof(*by_id));
		by_id_size = size;
	}
	job->job_id = id;
	times_suspended[id % COUNTED] = 0;
	by_id[id] = job;
}

void fake_swap_ids(job_record_t *one, job_record_t *other)
{
	uint32_t id = one->job_id;

	give_id(one, other->job_id);
	give_id(other, id);
}

job_record_t *find_job_record(uint32_t job_id)
{
	return job_id < by_id_size ? by_id[job_id] : NULL;
}

job_record_t *fake_find(uint32_t job_id)
{
	return find_job_record(job_id);
}

job_record_t *fake_task(uint32_t array_job_id, uint32_t task)
{
	for (size_t i = 0; i < by_id_size; i++) {
		if (by_id[i] && by_id[i]->array_job_id == array_job_id &&
		    by_id[i]->array_task_id == task)
			return by_id[i];
	}
	return NULL;
}

/* Of a whole array, the record of its pending tasks, or the first one that has not ended. */
job_record_t *find_job_array_rec(uint32_t array_job_id, uint32_t task)
{
	job_record_t *base = find_job_record(array_job_id), *found;

	if (task == NO_VAL || (task == INFINITE && base && base->array_recs))
		return base;
	if (task != INFINITE) {
		found = fake_task(array_job_id, task);
		return found || !base || !base->array_recs ? found : base;
	}
	for (size_t i = 0; i < by_id_size; i++) {
		if (by_id[i] && by_id[i]->array_job_id == array_job_id)
			return by_id[i];
	}
	return NULL;
}

job_record_t *fake_any_job(void)
{
	uint32_t from = next_id > 1 ? (uint32_t)(fake_random() % next_id) : 0;

	for (uint32_t i = 0; i < next_id; i++) {
		job_record_t *job = find_job_record((from + i) % next_id);

		if (job)
			return job;
	}
	return NULL;
}

static uint32_t count_jobs(bool running)
{
	uint32_t count = 0;

	for (size_t i = 0; i < by_id_size; i++) {
		if (by_id[i] && (running ? IS_JOB_RUNNING(by_id[i]) :
					   IS_JOB_PENDING(by_id[i])))
			count++;
	}
	return count;
}

uint32_t fake_running(void)
{
	return count_jobs(true);
}

uint32_t fake_waiting(void)
{
	return count_jobs(false);
}

void fake_describe(const job_record_t *job)
{
	const lxfw_slurm_details *details = job->details;
	const gres_state_t *gres;

	printf("# JobId=%u -p %s -N %u-%u -n %u -c %u, %u processors, memory %"PRIu64" MB per %s%s%s, state %u, reason %u",
	       job->job_id, job->partition, details->min_nodes,
	       details->max_nodes, details->num_tasks, details->cpus_per_task,
	       details->min_cpus, details->pn_min_memory & ~MEM_PER_CPU,
	       details->pn_min_memory & MEM_PER_CPU ? "processor" : "node",
	       lxfw_compat_is_exclusive(job) ? ", exclusive" : "",
	       details->contiguous ? ", contiguous" : "", job->job_state,
	       job->state_reason);
	gres = job->gres_list_req ? list_peek(job->gres_list_req) : NULL;
	if (gres) {
		const gres_job_state_t *state = gres->gres_data;

		printf(", %s %"PRIu64" per job, %"PRIu64" per node, %"PRIu64" per task",
		       gres->gres_name, state->gres_per_job,
		       state->gres_per_node, state->gres_per_task);
	}
	if (job->end_time)
		printf(", ends in %"PRId64" s", (int64_t)(job->end_time - time(NULL)));
	printf("\n");
	fflush(stdout);
}

/* --- submission --------------------------------------------------------- */

static void find_parts(job_record_t *job, const char *names)
{
	char *copy = strdup(names), *rest = copy, *name;

	while (copy && (name = strsep(&rest, ",")) != NULL) {
		part_record_t *part = find_part_record(name);

		if (!part)
			abort();
		if (!job->part_ptr)
			job->part_ptr = part;
		if (!job->part_ptr_list && rest)
			job->part_ptr_list = list_create(NULL);
		if (job->part_ptr_list)
			list_append(job->part_ptr_list, part);
	}
	free(copy);
}

job_record_t *fake_job(const char *part, uint32_t minutes)
{
	job_record_t *job = xmalloc(sizeof(*job));
	lxfw_slurm_details *details = xmalloc(sizeof(*details));

	job->magic = JOB_MAGIC;
	job->details = details;
	details->magic = DETAILS_MAGIC;
	job->job_state = JOB_PENDING;
	job->state_reason = WAIT_NO_REASON;
	job->partition = xstrdup(part);
	find_parts(job, part);
	job->time_limit = minutes;
	job->priority = 1000;
	job->batch_flag = 1;
	job->array_task_id = NO_VAL;
	job->user_id = 1000;
	job->step_list = list_create(NULL);
	details->submit_time = time(NULL);
	details->begin_time = time(NULL);
	details->min_nodes = 1;
	details->min_cpus = 1;
	details->orig_min_cpus = 1;
	details->num_tasks = 1;
	details->cpus_per_task = 1;
	details->orig_cpus_per_task = 1;
	details->max_cpus = NO_VAL;
	details->orig_max_cpus = NO_VAL;
	details->pn_min_cpus = 1;
	details->orig_pn_min_cpus = 1;
	details->core_spec = NO_VAL16;
	details->requeue = 1;
	details->share_res = NO_VAL8;
	details->nice = NICE_OFFSET;
	details->pn_min_memory = 100 | MEM_PER_CPU;
	details->orig_pn_min_memory = details->pn_min_memory;
	give_id(job, next_id++);
	list_append(job_list, job);
	last_job_update = time(NULL);
	return job;
}

void fake_tasks(job_record_t *job, uint32_t tasks, uint16_t cpus_per_task)
{
	lxfw_slurm_details *details = job->details;

	details->num_tasks = tasks;
	details->cpus_per_task = cpus_per_task;
	details->orig_cpus_per_task = cpus_per_task;
	details->min_cpus = tasks * cpus_per_task;
	details->orig_min_cpus = details->min_cpus;
	details->pn_min_cpus = cpus_per_task;
	details->orig_pn_min_cpus = cpus_per_task;
}

void fake_node_count(job_record_t *job, uint32_t least, uint32_t most)
{
	lxfw_slurm_details *details = job->details;

	details->min_nodes = least;
	details->max_nodes = most;
	if (details->num_tasks < least)
		fake_tasks(job, least, details->cpus_per_task);
}

void fake_memory(job_record_t *job, uint64_t mb)
{
	job->details->pn_min_memory = mb;
	job->details->orig_pn_min_memory = mb;
}

void fake_memory_per_cpu(job_record_t *job, uint64_t mb)
{
	fake_memory(job, mb | MEM_PER_CPU);
}

void fake_exclusive(job_record_t *job)
{
	job->details->whole_node = WHOLE_NODE_REQUIRED;
	job->details->share_res = 0;
}

void fake_adaptive(job_record_t *job, uint32_t least)
{
	xstrfmtcat(job->comment, "lxfw:adaptive=%u", least);
}

void fake_exclude(job_record_t *job, const char *name, int node)
{
	lxfw_slurm_details *details = job->details;

	if (!details->exc_node_bitmap)
		details->exc_node_bitmap = bit_alloc(node_record_count);
	bit_set(details->exc_node_bitmap, node);
	xfree(details->exc_nodes);
	details->exc_nodes = xstrdup(name);
}

void fake_require(job_record_t *job, const char *name, int node)
{
	lxfw_slurm_details *details = job->details;

	if (!details->req_node_bitmap)
		details->req_node_bitmap = bit_alloc(node_record_count);
	bit_set(details->req_node_bitmap, node);
	xfree(details->req_nodes);
	details->req_nodes = xstrdup(name);
}

void fake_features(job_record_t *job, const char *feature, uint16_t count)
{
	lxfw_slurm_details *details = job->details;
	job_feature_t *entry = xmalloc(sizeof(*entry));

	FREE_NULL_LIST(details->feature_list);
	xfree(details->features);
	details->features = xstrdup(feature);
	details->feature_list = list_create(free_feature);
	entry->name = xstrdup(feature);
	entry->count = count;
	entry->op_code = FEATURE_OP_END;
	list_append(details->feature_list, entry);
}

void fake_prefer(job_record_t *job, const char *feature)
{
	lxfw_slurm_details *details = job->details;
	job_feature_t *entry = xmalloc(sizeof(*entry));

	details->prefer = xstrdup(feature);
	details->prefer_list = list_create(free_feature);
	entry->name = xstrdup(feature);
	entry->op_code = FEATURE_OP_END;
	list_append(details->prefer_list, entry);
}

bool fake_deadline_ok(job_record_t *job)
{
	uint32_t minutes = job->time_min ? job->time_min : job->time_limit;

	/* Slurm multiplies in 32 bits. */
	if (minutes == NO_VAL || minutes == INFINITE ||
	    job->deadline >= time(NULL) + minutes * 60)
		return true;
	job->job_state = JOB_DEADLINE;
	job->state_reason = FAIL_DEADLINE;
	last_job_update = time(NULL);
	return false;
}

void fake_array(job_record_t *job, int first, int last, uint32_t most)
{
	job_array_struct_t *array = xmalloc(sizeof(*array));

	array->task_id_bitmap = bit_alloc(last + 1);
	bit_nset(array->task_id_bitmap, first, last);
	array->task_cnt = (uint32_t)(last - first + 1);
	array->max_run_tasks = most;
	job->array_recs = array;
	job->array_job_id = job->job_id;
}

gres_job_state_t *fake_gres(job_record_t *job, const char *name)
{
	gres_state_t *gres = xmalloc(sizeof(*gres));
	gres_job_state_t *state = xmalloc(sizeof(*state));

	if (!job->gres_list_req)
		job->gres_list_req = list_create(free_gres);
	gres->plugin_id = gres_build_id((char *)name);
	gres->gres_name = xstrdup(name);
	gres->gres_data = state;
	list_append(job->gres_list_req, gres);
	return state;
}

void fake_component(job_record_t *leader, job_record_t *job)
{
	if (!leader->het_job_list) {
		leader->het_job_list = list_create(NULL);
		leader->het_job_id = leader->job_id;
		list_append(leader->het_job_list, leader);
	}
	job->het_job_id = leader->job_id;
	job->het_job_offset = (uint32_t)list_count(leader->het_job_list);
	list_append(leader->het_job_list, job);
}

/* --- ends --------------------------------------------------------------- */

static void count_array_end(const job_record_t *job)
{
	job_record_t *base = NULL;

	if (job->array_job_id)
		base = find_job_record(job->array_job_id);
	if (base && base->array_recs && base->array_recs->tot_run_tasks)
		base->array_recs->tot_run_tasks--;
}

/* Release all resources of the job. */
static void give_back(job_record_t *job)
{
	if (IS_JOB_RUNNING(job))
		count_array_end(job);
	deactivate(job);
}

void fake_end(job_record_t *job)
{
	give_back(job);
	job->job_state = JOB_COMPLETE;
	job->end_time = time(NULL);
	free_job_resources(&job->job_resrcs);
	fake_licenses_count();
}

void fake_vanish(job_record_t *job)
{
	job_record_t *leader = find_job_record(job->het_job_id);

	give_back(job);
	if (job->het_job_id && leader && leader->het_job_list)
		list_delete_ptr(leader->het_job_list, job);
	list_delete_ptr(job_list, job);
	fake_licenses_count();
}

void fake_end_overdue(void)
{
	for (size_t i = 0; i < by_id_size; i++) {
		if (!by_id[i] || !IS_JOB_RUNNING(by_id[i]) ||
		    by_id[i]->end_time > time(NULL))
			continue;
		if (by_id[i]->preempt_time)	/* its grace time is over */
			fake_requeue(by_id[i]);
		else
			fake_end(by_id[i]);
	}
}

void fake_requeue(job_record_t *job)
{
	give_back(job);
	fake_counts.requeues++;
	job->job_state = JOB_PENDING;
	job->start_time = 0;
	job->end_time = 0;
	job->preempt_time = 0;
	job->pre_sus_time = job->tot_sus_time = job->suspend_time = 0;
	times_suspended[job->job_id % COUNTED] = 0;
	job->restart_cnt++;
	job->details->begin_time = time(NULL) + 1;
	free_job_resources(&job->job_resrcs);
	FREE_NULL_LIST(job->gres_list_alloc);
	FREE_NULL_BITMAP(job->node_bitmap);
	xfree(job->nodes);
}

static void count_suspension(const job_record_t *job)
{
	uint32_t *times = &times_suspended[job->job_id % COUNTED];

	fake_counts.suspensions++;
	if (++*times > fake_counts.most_suspensions)
		fake_counts.most_suspensions = *times;
}

void fake_suspend(job_record_t *job, bool suspend)
{
	time_t since = job->suspend_time ? job->suspend_time : job->start_time;

	if (suspend) {
		count_suspension(job);
		job->job_state = JOB_SUSPENDED;
		job->priority = 0;
		job->pre_sus_time += time(NULL) - since;
	} else {
		job->job_state = JOB_RUNNING;
		if (job->priority == 0)		/* as Slurm does */
			job->priority = 1000;
		if (job->time_limit != INFINITE)
			job->end_time += time(NULL) - job->suspend_time;
		job->tot_sus_time += time(NULL) - since;
	}
	job->suspend_time = time(NULL);
	last_job_update = time(NULL);
}
