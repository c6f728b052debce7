/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/depth.h"

#include <stdlib.h>

#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/parameters/parameters.h"

#define LIMIT_MAX 1000000

static int64_t limit_of(const char *text, const char *name)
{
	int64_t limit = lxfw_parameters_number(text, name, 0);

	return limit < LIMIT_MAX ? limit : LIMIT_MAX;
}

void lxfw_depth_set(struct lxfw_depth *depth, const char *text)
{
	depth->of_user = limit_of(text, "bf_max_job_user");
	depth->of_assoc = limit_of(text, "bf_max_job_assoc");
	depth->of_part = limit_of(text, "bf_max_job_part");
	depth->of_user_part = limit_of(text, "bf_max_job_user_part");
	depth->completing_parts = lxfw_parameters_has(text, "reduce_completing_frag");
}

void lxfw_depth_clear(struct lxfw_depth *depth)
{
	lxfw_id_map_clear(&depth->tasks);
}

bool lxfw_depth_waits(const struct lxfw_depth *depth)
{
	return slurm_conf.complete_wait != 0 && !depth->completing_parts &&
	       job_is_completing(NULL);
}

/* --- the order -------------------------------------------------------------------- */

/* A record, and what Slurm sorts records by. */
struct place {
	job_queue_rec_t *record;
	bool reserved;
	uint32_t tier, priority, job, task;
};

static int compare(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int by_place(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	int order = compare(b->reserved, a->reserved);

	if (!order)
		order = compare(b->tier, a->tier);
	if (!order)
		order = compare(b->priority, a->priority);
	if (!order)
		order = compare(a->job, b->job);
	return order ? order : compare(a->task, b->task);
}

/* Returns the records in Slurm's order and their number, or NULL if memory runs out. */
static struct place *sorted(lxfw_slurm_list queue, size_t *count)
{
	struct place *places = calloc((size_t)list_count(queue) + 1, sizeof(*places));
	lxfw_slurm_iterator each;
	job_queue_rec_t *record;

	*count = 0;
	if (!places)
		return NULL;
	each = list_iterator_create(queue);
	while ((record = list_next(each)) != NULL) {
		const job_record_t *job = record->job_ptr;
		bool task = record->array_task_id != NO_VAL;

		if (job->magic != JOB_MAGIC || !record->part_ptr || !job->details)
			continue;
		places[(*count)++] = (struct place){
			.record = record,
			.reserved = job->resv_id != 0 || record->resv_ptr,
			.tier = record->part_ptr->priority_tier,
			.priority = record->priority,
			.job = task ? job->array_job_id : job->job_id,
			.task = record->array_task_id,
		};
	}
	list_iterator_destroy(each);
	qsort(places, *count, sizeof(*places), by_place);
	return places;
}

/* --- counting --------------------------------------------------------------------- */

/* The counts of one look. */
struct counting {
	struct lxfw_depth *depth;
	struct lxfw_id_map parts;	/* number of a partition, by address */
	struct lxfw_id_map users, assocs, part_counts, user_parts;
	bitstr_t *completing;		/* nodes of partitions with completing jobs */
	bool failed;			/* memory ran out */
};

static void put(struct counting *counting, struct lxfw_id_map *map, uint64_t id,
		int32_t value)
{
	if (lxfw_id_map_get(map, id) >= 0)
		lxfw_id_map_set(map, id, value);
	else if (lxfw_id_map_add(map, id, value) < 0)
		counting->failed = true;
}

/* Returns the number of a partition, from 1 on. */
static uint64_t number_of(struct counting *counting, const part_record_t *part)
{
	uint64_t address = (uint64_t)(uintptr_t)part;
	int32_t number = lxfw_id_map_get(&counting->parts, address);

	if (number < 0) {
		number = (int32_t)counting->parts.count + 1;
		put(counting, &counting->parts, address, number);
	}
	return (uint64_t)number;
}

/* Number of records that one limit permits in addition, at most MOST. */
static uint32_t rest(const struct lxfw_id_map *map, uint64_t id, int64_t limit,
		     uint32_t most)
{
	int64_t used = lxfw_id_map_get(map, id);

	if (limit <= 0)
		return most;
	if (used < 0)
		used = 0;
	return limit <= used ? 0 : limit - used < most ? (uint32_t)(limit - used) : most;
}

static void count(struct counting *counting, struct lxfw_id_map *map, uint64_t id,
		  int64_t limit, uint32_t number)
{
	int32_t used = lxfw_id_map_get(map, id);

	if (limit > 0)
		put(counting, map, id, (used < 0 ? 0 : used) + (int32_t)number);
}

/* Counts WANTED records, or as many as the limits permit. Returns their number. */
static uint32_t grant(struct counting *counting, const job_queue_rec_t *record,
		      uint32_t wanted)
{
	const struct lxfw_depth *depth = counting->depth;
	const job_record_t *job = record->job_ptr;
	uint64_t part = number_of(counting, record->part_ptr);
	uint64_t user = (uint64_t)job->user_id + 1, assoc = job->assoc_id;
	uint64_t both = user << 32 | part;
	int64_t of_assoc = job->assoc_ptr ? depth->of_assoc : 0;

	wanted = rest(&counting->users, user, depth->of_user, wanted);
	wanted = rest(&counting->assocs, assoc, of_assoc, wanted);
	wanted = rest(&counting->part_counts, part, depth->of_part, wanted);
	wanted = rest(&counting->user_parts, both, depth->of_user_part, wanted);
	if (wanted == 0 || record->resv_ptr)	/* a magnetic reservation */
		return wanted;
	count(counting, &counting->users, user, depth->of_user, wanted);
	count(counting, &counting->assocs, assoc, of_assoc, wanted);
	count(counting, &counting->part_counts, part, depth->of_part, wanted);
	count(counting, &counting->user_parts, both, depth->of_user_part, wanted);
	return wanted;
}

/* Returns the number of pending tasks of an array, or 1 for other jobs. */
static uint32_t tasks_of(const job_record_t *job)
{
	const job_array_struct_t *array = job->array_recs;

	if (!array || job->array_task_id != NO_VAL || !array->task_id_bitmap)
		return 1;
	return (uint32_t)bit_set_count(array->task_id_bitmap);
}

/* Returns true if the look considers RECORD. */
static bool considers(struct counting *counting, const job_queue_rec_t *record)
{
	const part_record_t *part = record->part_ptr;
	job_record_t *job = record->job_ptr;
	uint32_t tasks = tasks_of(job), granted;
	int32_t before;

	if (counting->completing && part->node_bitmap &&
	    bit_overlap(part->node_bitmap, counting->completing) > 0)
		return false;
	lxfw_compat_take_record(record);
	if (!acct_policy_job_runnable_pre_select(job, false))
		return false;
	granted = grant(counting, record, tasks);
	before = lxfw_id_map_get(&counting->depth->tasks, job->job_id);
	if (tasks > 1 && before < (int32_t)granted)
		put(counting, &counting->depth->tasks, job->job_id, (int32_t)granted);
	return granted > 0;
}

static bool has_limits(const struct lxfw_depth *depth)
{
	return depth->of_user || depth->of_assoc || depth->of_part ||
	       depth->of_user_part;
}

bool lxfw_depth_needs_all(const struct lxfw_depth *depth)
{
	return has_limits(depth) ||
	       (depth->completing_parts && slurm_conf.complete_wait != 0);
}

/* Returns the nodes of partitions with completing jobs, or NULL if none are to be
   avoided. */
static bitstr_t *completing_nodes(const struct lxfw_depth *depth)
{
	bitstr_t *nodes;

	if (!depth->completing_parts || slurm_conf.complete_wait == 0)
		return NULL;
	nodes = bit_alloc(node_record_count);
	(void)job_is_completing(nodes);
	return nodes;
}

void lxfw_depth_apply(struct lxfw_bridge *bridge, lxfw_slurm_list queue)
{
	struct counting counting = {
		.depth = &bridge->depth,
		.completing = completing_nodes(&bridge->depth),
	};
	struct place *places;
	size_t count = 0;

	lxfw_id_map_clear(&bridge->depth.tasks);
	if (!counting.completing && !has_limits(&bridge->depth))
		return;
	places = sorted(queue, &count);
	for (size_t i = 0; i < count; i++) {
		if (!considers(&counting, places[i].record))
			places[i].record->part_ptr = NULL;
	}
	if (!places || counting.failed)
		bridge->agent.events.failed = true;
	free(places);
	FREE_NULL_BITMAP(counting.completing);
	lxfw_id_map_clear(&counting.parts);
	lxfw_id_map_clear(&counting.users);
	lxfw_id_map_clear(&counting.assocs);
	lxfw_id_map_clear(&counting.part_counts);
	lxfw_id_map_clear(&counting.user_parts);
}

uint32_t lxfw_depth_tasks(const struct lxfw_depth *depth, const job_record_t *array,
			  uint32_t most)
{
	int32_t granted = lxfw_id_map_get(&depth->tasks, array->job_id);

	return granted >= 0 && (uint32_t)granted < most ? (uint32_t)granted : most;
}
