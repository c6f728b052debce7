/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Selects nodes for jobs. The library has one host for each node. The unallocated
 * resources of a node are reported as the host's total; no jobs are entered. They are
 * computed from Slurm's job records whenever these may have changed, so that they are
 * correct no matter who changed the records.
 */
#include "common/params/policy.h"
#include "plugins/slurm/select-lxfw/layer.h"

#include <stdlib.h>
#include <string.h>

#include "common/sched.h"
#include "plugins/slurm/bridge/overlap.h"
#include "plugins/slurm/bridge/shape.h"
#include "plugins/slurm/bridge/weight.h"

struct place_node {
	int64_t procs, memory_mb;	/* allocated to jobs */
	struct lxfw_resources told;	/* unallocated, as reported to the library */
	uint32_t told_sockets;		/* its unallocated GPUs by socket, as reported */
	uint8_t extras;			/* mask of those that it has, allocated or not */
};

static struct {
	struct lxfw_sched *sched;
	struct lxfw_extras extras;
	struct place_node *node;
	int32_t node_count;
	int32_t *members, *light;	/* scratch, one entry per node */
	bool counted;			/* the jobs' allocations are up to date */
	time_t counted_at;
	bool failed;			/* the error has been logged */
	struct lxfw_params params;
} place;

void lxfw_place_changed(void)
{
	place.counted = false;
}

void lxfw_place_destroy(void)
{
	lxfw_sched_destroy(place.sched);
	free(place.node);
	free(place.members);
	free(place.light);
	memset(&place, 0, sizeof(place));
}

/* --- unallocated resources -------------------------------------------------------- */

static void fail_once(const char *what)
{
	if (!place.failed)
		error(LXFW_SELECT_TYPE ": %s: nodes are chosen by select/cons_tres",
		      what);
	place.failed = true;
}

/* Reads the keys that say where jobs are placed from SchedulerParameters, whatever the
   scheduler is. */
static void read_params(void)
{
	struct lxfw_params params;
	struct lxfw_error why;

	lxfw_params_default(&place.params);
	lxfw_params_default(&params);
	if (lxfw_params_parse(&params, slurm_conf.sched_params, NULL, NULL, &why) < 0) {
		error(LXFW_SELECT_TYPE ": SchedulerParameters: %s: lxfw_placement and "
		      "lxfw_spare_gpus are not used", why.text);
		return;
	}
	place.params.spare_gpus = params.spare_gpus;
	if (params.placement < LXFW_PLACEMENTS_LIVE)
		place.params.placement = params.placement;
	else
		error(LXFW_SELECT_TYPE ": SchedulerParameters: this lxfw_placement is for "
		      "simulations: it is not used");
}

static bool make_books(void)
{
	lxfw_place_destroy();
	if (node_record_count <= 0)
		return false;
	read_params();
	place.sched = lxfw_sched_create(&place.params);
	place.node = calloc((size_t)node_record_count, sizeof(*place.node));
	place.members = calloc((size_t)node_record_count,
			       sizeof(*place.members));
	place.light = calloc((size_t)node_record_count, sizeof(*place.light));
	if (!place.sched || !place.node || !place.members || !place.light) {
		lxfw_place_destroy();
		fail_once("out of memory");
		return false;
	}
	for (int32_t i = 0; i < node_record_count; i++) {
		struct lxfw_event event = {
			.type = LXFW_EVENT_HOST,
			.host.index = i,
		};

		if (lxfw_sched_apply(place.sched, &event, NULL) < 0) {
			lxfw_place_destroy();
			fail_once("out of memory");
			return false;
		}
	}
	place.node_count = node_record_count;
	return true;
}

/* Converts a number of allocated cores of NODE to processors. */
static int64_t procs_of(const node_record_t *node, int cores)
{
	int64_t threads = node->tot_cores < node->cpus ? node->tpc : 1;

	return cores * (threads > 0 ? threads : 1);
}

static void count_job(const job_record_t *job)
{
	job_resources_t *held = job->job_resrcs;
	bool running = IS_JOB_RUNNING(job);
	uint32_t position = 0;

	if (job->magic != JOB_MAGIC || !held || !held->node_bitmap ||
	    (!running && !IS_JOB_SUSPENDED(job)))
		return;
	for (int32_t i = bit_ffs(held->node_bitmap);
	     i >= 0 && i < place.node_count && position < held->nhosts; i++) {
		const node_record_t *node = node_record_table_ptr[i];
		int count, first;

		if (!bit_test(held->node_bitmap, i))
			continue;
		/* not released yet */
		if (node && job->node_bitmap && bit_test(job->node_bitmap, i)) {
			if (held->memory_allocated)
				place.node[i].memory_mb += (int64_t)
					held->memory_allocated[position];
			first = lxfw_first_core(held, position, &count);
			if (running && held->core_bitmap && first >= 0)
				place.node[i].procs += procs_of(
					node, bit_set_count_range(
						held->core_bitmap, first,
						first + count));
		}
		position++;
	}
}

static void count_jobs(void)
{
	time_t now = time(NULL);
	lxfw_slurm_iterator each;
	const job_record_t *job;

	/* Allocations are counted again every second in case a change was missed. */
	if (place.counted && place.counted_at == now)
		return;
	for (int32_t i = 0; i < place.node_count; i++)
		place.node[i].procs = place.node[i].memory_mb = 0;
	each = list_iterator_create(job_list);
	while ((job = list_next(each)) != NULL)
		count_job(job);
	list_iterator_destroy(each);
	place.counted = true;
	place.counted_at = now;
}

/* Returns the GPUs of the node by socket that are not allocated. */
static uint32_t read_unallocated(const struct lxfw_job_test *test, int32_t index,
				 struct lxfw_resources *amount)
{
	const node_record_t *node = node_record_table_ptr[index];
	const struct place_node *held = &place.node[index];
	int64_t procs, memory;
	int excluded;

	memset(amount, 0, sizeof(*amount));
	excluded = lxfw_select_excluded_cores(test, index);
	if (excluded < 0)
		return 0;
	procs = node->cpus_efctv ? node->cpus_efctv : node->cpus;
	procs -= held->procs + procs_of(node, excluded);
	memory = -held->memory_mb;
	if (node->real_memory > node->mem_spec_limit)
		memory += (int64_t)(node->real_memory - node->mem_spec_limit);
	amount->procs = procs > 0 ? (int32_t)procs : 0;
	amount->memory_mb = memory > 0 ? memory : 0;
	return lxfw_extras_of_node(&place.extras, node, -1, true, amount);
}

/* Notes which extras a node has, if jobs without them use other nodes first. */
static void note_extras(int32_t index)
{
	struct lxfw_resources total = { 0 };

	place.node[index].extras = 0;
	if (place.params.spare_gpus != LXFW_SPARE_GPUS_ON &&
	    place.params.placement != LXFW_PLACEMENT_GPUS)
		return;
	(void)lxfw_extras_of_node(&place.extras, node_record_table_ptr[index], -1, false,
				  &total);
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		place.node[index].extras |= (uint8_t)((total.extras[i] > 0) << i);
}

static bool tell_node(const struct lxfw_job_test *test, int32_t index)
{
	struct lxfw_event event = {
		.type = LXFW_EVENT_HOST,
		.host = { .index = index, .up = true },
	};

	note_extras(index);
	event.host.sockets = read_unallocated(test, index, &event.host.total);
	event.host.gpus = place.extras.gpus;
	if (memcmp(&event.host.total, &place.node[index].told,
		   sizeof(event.host.total)) == 0 &&
	    event.host.sockets == place.node[index].told_sockets)
		return true;
	if (lxfw_sched_apply(place.sched, &event, NULL) < 0)
		return false;
	place.node[index].told = event.host.total;
	place.node[index].told_sockets = event.host.sockets;
	return true;
}

/* --- requests --------------------------------------------------------------------- */

/* Returns true if there is a choice between nodes and the library may make it. Settings
   of users and administrators that determine the choice take precedence. */
static bool is_ours(const struct lxfw_job_test *test)
{
	const job_record_t *job = test->job;
	const lxfw_slurm_details *details = job->details;

	if (lxfw_select_test_kind(test) == LXFW_TEST_OTHER)
		return false;
	if (!details || !job->part_ptr || !job_list || test->min_nodes == 0 ||
	    bit_set_count(test->nodes) <= (int)test->min_nodes)
		return false;
	/* some nodes are named, or the job takes as many as it can get */
	if (details->req_node_bitmap || test->wanted_nodes > test->min_nodes)
		return false;
	if (details->contiguous || job->req_switch ||
	    job->bit_flags & SPREAD_JOB || details->expanding_jobid)
		return false;
	if (details->core_spec != NO_VAL16 && details->core_spec != 0)
		return false;
	if (lxfw_compat_least_loaded(job) || lxfw_shares_processors(job))
		return false;
	return test->min_nodes == 1 || !lxfw_compat_topology(job);
}

/* Returns a mask of the extras whose nodes a job with this request uses last, all of them or
   GPUs. The library cannot see to this: its hosts have only what is not allocated. */
static unsigned spared_for(const struct lxfw_request *request)
{
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		if (request->unit.extras[i] || request->per_host.extras[i])
			return 0;
	}
	if (place.params.spare_gpus == LXFW_SPARE_GPUS_ON)
		return ~0U;
	return place.params.placement == LXFW_PLACEMENT_GPUS ? place.extras.gpus : 0;
}

/* Extras weigh more than any two weights differ. */
static int64_t weight_of(int32_t node, unsigned spared)
{
	int64_t weight = lxfw_node_weight(node_record_table_ptr[node]);

	return place.node[node].extras & spared ? weight + 2 * LXFW_HOST_WEIGHT_MAX + 1 :
						  weight;
}

/* Stores the nodes to choose from in place.members and sets *GROUND. Returns their
   number. */
static int32_t gather(const struct lxfw_job_test *test, const bitstr_t *refused,
		      struct lxfw_ground *ground)
{
	bool alone = lxfw_compat_is_exclusive(test->job) ||
		     (ground->memory_counts && lxfw_takes_all_memory(test->job));
	int32_t count = 0, size = (int32_t)bit_size(test->nodes);

	for (int32_t i = bit_ffs(test->nodes);
	     i >= 0 && i < size && i < place.node_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];
		int32_t procs;

		if (!bit_test(test->nodes, i) || !node ||
		    bit_test((bitstr_t *)refused, i))
			continue;
		if (!tell_node(test, i)) {
			fail_once("out of memory");
			return 0;
		}
		procs = node->cpus_efctv ? node->cpus_efctv : node->cpus;
		if (!ground->node) {
			ground->least_memory = INT64_MAX;
			ground->least_procs = procs;
		}
		ground->node = node;
		if (procs > ground->most_procs)
			ground->most_procs = procs;
		if (procs < ground->least_procs)
			ground->least_procs = procs;
		if ((int64_t)node->real_memory < ground->least_memory)
			ground->least_memory = (int64_t)node->real_memory;
		/* The host's total contains only its unallocated resources. */
		if (alone && (place.node[i].procs || place.node[i].memory_mb))
			continue;
		place.members[count++] = i;
	}
	return count;
}

/* Finds the smallest weight above *WEIGHT among the first COUNT members and stores it
   in *WEIGHT. Stores the members up to that weight in place.light. Returns their
   number. */
static int32_t lightest(int32_t count, unsigned spared, int64_t *weight)
{
	int32_t kept = 0;
	int64_t next = INT64_MAX;

	for (int32_t i = 0; i < count; i++) {
		int64_t one = weight_of(place.members[i], spared);

		if (one > *weight && one < next)
			next = one;
	}
	for (int32_t i = 0; i < count; i++) {
		if (weight_of(place.members[i], spared) <= next)
			place.light[kept++] = place.members[i];
	}
	*weight = next;
	return kept;
}

/* Selects shares on the first COUNT hosts of place.light. Returns the number of shares,
   or -1 if memory runs out. */
static int32_t ask(const struct lxfw_request *request, int32_t count,
		   const struct lxfw_share **shares)
{
	struct lxfw_event event = {
		.type = LXFW_EVENT_HOST_SET,
		.host_set = { .count = count, .hosts = place.light },
	};

	if (lxfw_sched_apply(place.sched, &event, NULL) < 0)
		return -1;
	return lxfw_sched_place(place.sched, request, shares);
}

bitstr_t *lxfw_place_choose(const struct lxfw_job_test *test,
			    const bitstr_t *refused)
{
	struct lxfw_ground ground = {
		.memory_counts = lxfw_compat_memory_counts(),
		.extras = &place.extras,
	};
	const struct lxfw_share *shares = NULL;
	struct lxfw_request request = { .estimate = 1, .host_set_count = 1 };
	int32_t count, lightest_count = 0, found = 0;
	int64_t weight = INT64_MIN;
	bitstr_t *chosen;

	if (!is_ours(test))
		return NULL;
	if (place.node_count != node_record_count && !make_books())
		return NULL;
	count_jobs();
	count = gather(test, refused, &ground);
	if (count < (int32_t)test->min_nodes ||
	    !lxfw_shape(test->job, &ground, &request))
		return NULL;
	/* Node weights take precedence, as in the stock plugin: heavier nodes are used
	   only if the lighter ones are not sufficient. */
	while (found == 0 && lightest_count < count) {
		lightest_count = lightest(count, spared_for(&request), &weight);
		found = ask(&request, lightest_count, &shares);
	}
	if (found < 0)
		fail_once("out of memory");
	if (found < (int32_t)test->min_nodes ||
	    (test->max_nodes && found > (int32_t)test->max_nodes) ||
	    (found > 1 && lxfw_compat_topology(test->job)))
		return NULL;
	chosen = bit_alloc(bit_size(test->nodes));
	for (int32_t i = 0; i < found; i++)
		bit_set(chosen, shares[i].host);
	return chosen;
}
