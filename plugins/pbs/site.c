/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/pbs/plain.h"
#include "plugins/pbs/select.h"
#include "plugins/pbs/text.h"

/* --- objects ------------------------------------------------------------------------ */

static void clear_vnode(struct lxfw_pbs_vnode *vnode)
{
	lxfw_pbs_properties_clear(vnode->property, vnode->property_count);
	free(vnode->name);
	free(vnode->host);
	free(vnode->queue);
	free(vnode->partition);
	free(vnode->sharing);
	free(vnode->state);
}

static void clear_old_resvs(struct lxfw_pbs_site *site)
{
	for (size_t i = 0; i < site->old_resv_count; i++)
		lxfw_pbs_resv_clear(&site->old_resv[i]);
	site->old_resv_count = 0;
}

/* Those of the last look become old ones. */
static void keep_resvs(struct lxfw_pbs_site *site)
{
	struct lxfw_pbs_resv *resv = site->old_resv;
	size_t size = site->old_resv_size;

	clear_old_resvs(site);
	site->old_resv = site->resv;
	site->old_resv_count = site->resv_count;
	site->old_resv_size = site->resv_size;
	site->resv = resv;
	site->resv_size = size;
	site->resv_count = 0;
}

void lxfw_pbs_site_begin(struct lxfw_pbs_site *site)
{
	for (size_t i = 0; i < site->vnode_count; i++)
		clear_vnode(&site->vnode[i]);
	for (size_t i = 0; i < site->queue_count; i++) {
		free(site->queue[i].name);
		free(site->queue[i].partition);
		free(site->queue[i].node_group_key);
		lxfw_pbs_limits_clear(&site->queue[i].limits);
		lxfw_pbs_properties_clear(site->queue[i].chunk, site->queue[i].chunk_count);
	}
	keep_resvs(site);
	for (size_t i = 0; i < site->job_count; i++)
		lxfw_pbs_job_clear(&site->job[i]);
	lxfw_pbs_properties_clear(site->chunk, site->chunk_count);
	site->chunk = NULL;
	site->chunk_count = site->chunk_size = 0;
	lxfw_pbs_limits_clear(&site->limits);
	lxfw_pbs_sums_clear(&site->sums);
	lxfw_pbs_pools_clear(&site->pools);
	free(site->node_group_key);
	free(site->formula);
	site->node_group_key = site->formula = NULL;
	site->node_group_enable = false;
	site->vnode_count = site->queue_count = site->job_count = 0;
	lxfw_id_map_clear(&site->by_record);
	free(site->by_name);
	free(site->by_host);
	free(site->host);
	site->by_name = site->by_host = NULL;
	site->host = NULL;
	site->host_count = 0;
	site->failed = site->keeps_procs = site->has_runjob_hook = false;
	site->counts_eligible = site->binds_vnodes = site->hides_jobs = false;
	site->depth = -1;
	lxfw_pbs_above_begin(&site->above);
}

void lxfw_pbs_site_clear(struct lxfw_pbs_site *site)
{
	lxfw_pbs_site_begin(site);
	clear_old_resvs(site);
	free(site->old_resv);
	free(site->vnode);
	free(site->queue);
	free(site->resv);
	free(site->job);
	lxfw_pbs_kinds_clear(&site->kinds);
	lxfw_pbs_records_clear(&site->records);
	lxfw_pbs_book_clear(&site->book);
	lxfw_pbs_bars_clear(&site->bars);
	lxfw_pbs_above_clear(&site->above);
	lxfw_pbs_sched_clear(&site->sched);
	memset(site, 0, sizeof(*site));
}

static char *copy(struct lxfw_pbs_site *site, const char *text)
{
	char *made = strdup(text);

	site->failed |= !made;
	return made;
}

static void replace(struct lxfw_pbs_site *site, char **text, const char *value)
{
	free(*text);
	*text = copy(site, value);
}

struct lxfw_pbs_vnode *lxfw_pbs_site_vnode(struct lxfw_pbs_site *site, const char *name)
{
	struct lxfw_pbs_vnode *vnode;

	if (LXFW_GROW(site->vnode, site->vnode_size, site->vnode_count + 1)) {
		site->failed = true;
		return NULL;
	}
	vnode = &site->vnode[site->vnode_count++];
	*vnode = (struct lxfw_pbs_vnode){ .name = copy(site, name), .in = -1 };
	return vnode;
}

struct lxfw_pbs_queue *lxfw_pbs_site_queue(struct lxfw_pbs_site *site, const char *name)
{
	struct lxfw_pbs_queue *queue;

	if (LXFW_GROW(site->queue, site->queue_size, site->queue_count + 1)) {
		site->failed = true;
		return NULL;
	}
	queue = &site->queue[site->queue_count++];
	*queue = (struct lxfw_pbs_queue){ .name = copy(site, name) };
	return queue;
}

struct lxfw_pbs_resv *lxfw_pbs_site_resv(struct lxfw_pbs_site *site, const char *name)
{
	struct lxfw_pbs_resv *resv;

	if (LXFW_GROW(site->resv, site->resv_size, site->resv_count + 1)) {
		site->failed = true;
		return NULL;
	}
	resv = &site->resv[site->resv_count++];
	*resv = (struct lxfw_pbs_resv){ .name = copy(site, name) };
	return resv;
}

struct lxfw_pbs_job *lxfw_pbs_site_job(struct lxfw_pbs_site *site, const char *id)
{
	struct lxfw_pbs_job *job;

	if (LXFW_GROW(site->job, site->job_size, site->job_count + 1)) {
		site->failed = true;
		return NULL;
	}
	job = &site->job[site->job_count++];
	lxfw_pbs_job_begin(job, id);
	return job;
}

/* --- attributes --------------------------------------------------------------------- */

static void set_available(struct lxfw_pbs_site *site, struct lxfw_pbs_vnode *vnode,
			  const char *resource, const char *value)
{
	const struct lxfw_pbs_kind *kind = lxfw_pbs_kind(&site->kinds, resource);

	if (strcmp(resource, "host") == 0)
		replace(site, &vnode->host, value);
	if (!kind || kind->place == LXFW_PBS_UNKNOWN || kind->place == LXFW_PBS_IGNORED ||
	    kind->place == LXFW_PBS_POOLED)
		return;
	if (kind->place != LXFW_PBS_UNCOUNTED) {
		if (lxfw_pbs_is_above(kind, value, false))
			lxfw_pbs_above_note(&site->above, "vnode", vnode->name, resource, value,
					    lxfw_pbs_bound(kind), lxfw_pbs_unit(kind));
		(void)lxfw_pbs_count(kind, value, false, &vnode->total);
		return;
	}
	if (!lxfw_pbs_property_add(&vnode->property, &vnode->property_count,
				   &vnode->property_size, resource, value))
		site->failed = true;
}

const char *const lxfw_pbs_vnode_attributes[] = {
	"resources_assigned", "resources_available", "state", "queue", "partition", "sharing", NULL
};

static void set_assigned(struct lxfw_pbs_site *site, struct lxfw_pbs_vnode *vnode,
			 const char *resource, const char *value)
{
	const struct lxfw_pbs_kind *kind = lxfw_pbs_kind(&site->kinds, resource);

	if (kind && kind->place >= LXFW_PBS_MEMORY)
		(void)lxfw_pbs_count(kind, value, false, &vnode->assigned);
}

void lxfw_pbs_vnode_set(struct lxfw_pbs_site *site, struct lxfw_pbs_vnode *vnode,
			const char *name, const char *resource, const char *value)
{
	if (strcmp(name, "resources_available") == 0 && resource) {
		set_available(site, vnode, resource, value);
	} else if (strcmp(name, "resources_assigned") == 0 && resource) {
		set_assigned(site, vnode, resource, value);
	} else if (strcmp(name, "state") == 0) {
		replace(site, &vnode->state, value);
	} else if (strcmp(name, "queue") == 0) {
		replace(site, &vnode->queue, value);
		site->binds_vnodes |= *value != '\0';
	} else if (strcmp(name, "partition") == 0) {
		replace(site, &vnode->partition, value);
	} else if (strcmp(name, "sharing") == 0) {
		replace(site, &vnode->sharing, value);
	}
}

/* An item of default_chunk. */
static void add_chunk(struct lxfw_pbs_site *site, struct lxfw_pbs_property **list, size_t *count,
		      size_t *size, const char *resource, const char *value)
{
	if (!lxfw_pbs_property_add(list, count, size, resource, value))
		site->failed = true;
}

/* A resource of the queue; NULL: of the server. */
static void set_pool(struct lxfw_pbs_site *site, const char *queue, const char *resource,
		     const char *value)
{
	const char *unit;

	if (lxfw_pbs_pools_above(&site->kinds, resource, value, &unit))
		lxfw_pbs_above_note(&site->above, queue ? "queue" : "the", queue ? queue : "server",
				    resource, value, INT32_MAX, unit);
	if (!lxfw_pbs_pools_set(&site->pools, &site->kinds, queue, resource, value))
		site->failed = true;
}

void lxfw_pbs_queue_set(struct lxfw_pbs_site *site, struct lxfw_pbs_queue *queue,
			const char *name, const char *resource, const char *value)
{
	if (strcmp(name, "queue_type") == 0)
		queue->execution = *value == 'E' || *value == 'e';
	else if (strcmp(name, "started") == 0)
		(void)lxfw_pbs_truth(value, &queue->started);
	else if (strcmp(name, "hasnodes") == 0)
		(void)lxfw_pbs_truth(value, &queue->has_nodes);
	else if (strcmp(name, "Priority") == 0)
		(void)lxfw_pbs_integer(value, &queue->priority);
	else if (strcmp(name, "partition") == 0)
		replace(site, &queue->partition, value);
	else if (strcmp(name, "node_group_key") == 0)
		replace(site, &queue->node_group_key, value);
	else if (strcmp(name, "resources_available") == 0 && resource)
		set_pool(site, queue->name, resource, value);
	else if (strcmp(name, "default_chunk") == 0 && resource)
		add_chunk(site, &queue->chunk, &queue->chunk_count, &queue->chunk_size, resource,
			  value);
	else if (!lxfw_pbs_limits_set(&queue->limits, name, resource, value))
		site->failed = true;
}

void lxfw_pbs_server_set(struct lxfw_pbs_site *site, const char *name, const char *resource,
			 const char *value)
{
	bool shown;

	if (strcmp(name, "restrict_res_to_release_on_suspend") == 0)
		site->keeps_procs = *value && !lxfw_pbs_listed(value, "ncpus");
	else if (strcmp(name, "eligible_time_enable") == 0)
		(void)lxfw_pbs_truth(value, &site->counts_eligible);
	else if (strcmp(name, "has_runjob_hook") == 0)
		(void)lxfw_pbs_truth(value, &site->has_runjob_hook);
	else if (strcmp(name, "query_other_jobs") == 0)
		site->hides_jobs = lxfw_pbs_truth(value, &shown) && !shown;
	else if (strcmp(name, "backfill_depth") == 0)
		(void)lxfw_pbs_number(value, &site->depth);
	else if (strcmp(name, "default_chunk") == 0 && resource)
		add_chunk(site, &site->chunk, &site->chunk_count, &site->chunk_size, resource,
			  value);
	else if (strcmp(name, "node_group_enable") == 0)
		(void)lxfw_pbs_truth(value, &site->node_group_enable);
	else if (strcmp(name, "node_group_key") == 0)
		replace(site, &site->node_group_key, value);
	else if (strcmp(name, "job_sort_formula") == 0 && *value)
		replace(site, &site->formula, value);
	else if (strcmp(name, "resources_available") == 0 && resource)
		set_pool(site, NULL, resource, value);
	else if (!lxfw_pbs_limits_set(&site->limits, name, resource, value))
		site->failed = true;
}

/* --- finding ------------------------------------------------------------------------ */

struct lxfw_pbs_vnode *lxfw_pbs_site_find_vnode(const struct lxfw_pbs_site *site,
						const char *name)
{
	size_t low = 0, high = site->by_name ? site->vnode_count : 0;

	while (low < high) {
		size_t middle = (low + high) / 2;
		struct lxfw_pbs_vnode *vnode = &site->vnode[site->by_name[middle]];
		int order = strcmp(name, vnode->name);

		if (order == 0)
			return vnode;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

struct lxfw_pbs_queue *lxfw_pbs_site_find_queue(const struct lxfw_pbs_site *site,
						const char *name)
{
	for (size_t i = 0; name && i < site->queue_count; i++) {
		if (strcmp(site->queue[i].name, name) == 0)
			return &site->queue[i];
	}
	return NULL;
}

struct lxfw_pbs_job *lxfw_pbs_site_find_job(const struct lxfw_pbs_site *site,
					    uint32_t record)
{
	int32_t index = record ? lxfw_id_map_get(&site->by_record, record) : -1;

	return index < 0 ? NULL : &site->job[index];
}

struct lxfw_pbs_job *lxfw_pbs_site_find_id(const struct lxfw_pbs_site *site, const char *id)
{
	for (size_t i = 0; i < site->job_count; i++) {
		if (strcmp(site->job[i].id, id) == 0)
			return &site->job[i];
	}
	return NULL;
}

struct lxfw_pbs_resv *lxfw_pbs_site_find_resv_of(const struct lxfw_pbs_site *site,
						 const char *queue)
{
	for (size_t i = 0; queue && i < site->resv_count; i++) {
		if (site->resv[i].queue && strcmp(site->resv[i].queue, queue) == 0)
			return &site->resv[i];
	}
	return NULL;
}

/* --- hosts -------------------------------------------------------------------------- */

struct named {
	const char *name, *host;
	int32_t index;
};

static int by_name(const void *a, const void *b)
{
	const struct named *one = a, *other = b;
	int order = strcmp(one->name, other->name);

	return order ? order : (one->index > other->index) - (one->index < other->index);
}

static int by_host(const void *a, const void *b)
{
	const struct named *one = a, *other = b;
	int order = strcmp(one->host, other->host);

	return order ? order : (one->index > other->index) - (one->index < other->index);
}

static bool is_mine(const struct lxfw_pbs_site *site, const char *partition)
{
	if (!site->sched.partition)
		return !partition || !*partition;
	return partition && lxfw_pbs_listed(partition, site->sched.partition);
}

/* The states in which jobs may start on a vnode. */
static bool is_up(const char *state)
{
	static const char *const good[] = {
		"free", "job-busy", "job-exclusive", "job-sharing", "resv-exclusive", "<various>"
	};
	char word[64];

	if (!state || !*state)
		return false;
	while (*state) {
		size_t length, i;

		state += strspn(state, " ,");
		length = strcspn(state, ",");
		if (length >= sizeof(word))
			return false;
		memcpy(word, state, length);
		word[length] = '\0';
		for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
			if (strcmp(word, good[i]) == 0)
				break;
		}
		if (length && i == sizeof(good) / sizeof(good[0]))
			return false;
		state += length;
	}
	return true;
}

static enum lxfw_pbs_exclusion demanded(const char *sharing)
{
	if (!sharing)
		return LXFW_PBS_SHARED;
	if (strcmp(sharing, "force_exclhost") == 0 || strcmp(sharing, "default_exclhost") == 0)
		return LXFW_PBS_HOSTS;
	if (strcmp(sharing, "force_excl") == 0 || strcmp(sharing, "default_excl") == 0)
		return LXFW_PBS_VNODES;
	return LXFW_PBS_SHARED;
}

/* Makes a host of each group of vnodes with the same `host`. Hosts without processors, and
   vnodes of other schedulers, have none. */
static void make_hosts(struct lxfw_pbs_site *site, const struct named *named)
{
	struct lxfw_pbs_host *host = NULL;
	int32_t count = 0;

	for (size_t i = 0; i < site->vnode_count; i++) {
		struct lxfw_pbs_vnode *vnode = &site->vnode[named[i].index];

		vnode->up = is_up(vnode->state);
		vnode->excludes = demanded(vnode->sharing);
		vnode->forces = vnode->sharing && strncmp(vnode->sharing, "force_", 6) == 0;
		vnode->ignores = vnode->sharing && strcmp(vnode->sharing, "ignore_excl") == 0;
		vnode->in = -1;
		if (!is_mine(site, vnode->partition))
			continue;
		if (!host || strcmp(host->name, named[i].host) != 0) {
			if (host && host->total.procs == 0)
				count -= host->count;	/* it has no processors */
			else if (host)
				site->host_count++;
			host = &site->host[site->host_count];
			*host = (struct lxfw_pbs_host){
				.name = named[i].host, .first = count
			};
		}
		site->by_host[count++] = named[i].index;
		host->count++;
		lxfw_pbs_add_vnode(&host->total, &vnode->total);
	}
	if (host && host->total.procs > 0)
		site->host_count++;
	for (int32_t i = 0; i < site->host_count; i++) {
		for (int32_t j = 0; j < site->host[i].count; j++)
			site->vnode[site->by_host[site->host[i].first + j]].in = i;
	}
}

static bool find_hosts(struct lxfw_pbs_site *site)
{
	size_t count = site->vnode_count;
	struct named *named = calloc(count + 1, sizeof(*named));

	site->by_name = calloc(count + 1, sizeof(*site->by_name));
	site->by_host = calloc(count + 1, sizeof(*site->by_host));
	site->host = calloc(count + 1, sizeof(*site->host));
	if (!named || !site->by_name || !site->by_host || !site->host) {
		free(named);
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		const struct lxfw_pbs_vnode *vnode = &site->vnode[i];

		named[i] = (struct named){
			.name = vnode->name, .index = (int32_t)i,
			.host = vnode->host ? vnode->host : vnode->name,
		};
	}
	qsort(named, count, sizeof(*named), by_name);
	for (size_t i = 0; i < count; i++)
		site->by_name[i] = named[i].index;
	qsort(named, count, sizeof(*named), by_host);
	make_hosts(site, named);
	free(named);
	return true;
}

/* --- queues ------------------------------------------------------------------------- */

/* Those of reservations come and go, and their jobs have no order. */
static bool is_ordered(const struct lxfw_pbs_site *site, const struct lxfw_pbs_queue *queue)
{
	return queue->execution && !lxfw_pbs_site_find_resv_of(site, queue->name);
}

static void order_queues(struct lxfw_pbs_site *site)
{
	for (size_t i = 0; i < site->queue_count; i++) {
		const struct lxfw_pbs_queue *queue = &site->queue[i];

		/* Users make many queues of reservations. */
		if (!is_ordered(site, queue))
			continue;
		for (size_t j = 0; j < site->queue_count; j++) {
			struct lxfw_pbs_queue *other = &site->queue[j];

			if (other->priority > queue->priority ||
			    (other->priority == queue->priority && j < i))
				other->later++;
		}
	}
}

/* --- jobs --------------------------------------------------------------------------- */

/* Tasks of the array that are not waiting. */
static int64_t busy_tasks(const struct lxfw_pbs_site *site, uint64_t number)
{
	uint64_t other;
	int64_t task, count = 0;
	bool array;

	for (size_t i = 0; i < site->job_count; i++)
		count += lxfw_pbs_holds(&site->job[i]) &&
			 lxfw_pbs_job_id(site->job[i].id, &other, &task, &array) &&
			 other == number && task >= 0;
	return count;
}

static char *copy_or_none(struct lxfw_pbs_site *site, const char *text)
{
	return text ? copy(site, text) : NULL;
}

/* Adds a task of the array AT as a waiting job. */
static bool add_task(struct lxfw_pbs_site *site, size_t at, uint64_t number, int64_t task)
{
	const char *rest = strchr(site->job[at].id, ']');
	const struct lxfw_pbs_job *array;
	struct lxfw_pbs_job *job;
	char id[512];
	int length = snprintf(id, sizeof(id), "%llu[%lld%s", (unsigned long long)number,
			      (long long)task, rest);

	if (length < 0 || (size_t)length >= sizeof(id))
		return true;
	job = lxfw_pbs_site_job(site, id);
	if (!job)
		return false;
	array = &site->job[at];
	job->queue = copy_or_none(site, array->queue);
	job->select = copy_or_none(site, array->select);
	job->parsed = array->parsed;
	job->place = copy_or_none(site, array->place);
	job->group = copy_or_none(site, array->group);
	job->project = copy_or_none(site, array->project);
	job->account = copy_or_none(site, array->account);
	for (size_t i = 0; i < array->wide_count; i++)
		site->failed |= !lxfw_pbs_property_add(&job->wide, &job->wide_count,
						       &job->wide_size, array->wide[i].name,
						       array->wide[i].value);
	job->owner = copy_or_none(site, array->owner);
	job->user = copy_or_none(site, array->user);
	job->state = 'Q';
	job->eligible = array->eligible;
	job->queued = array->queued;
	job->rank = array->rank;
	job->priority = array->priority;
	job->eligible_time = array->eligible_time;
	job->accrue_type = array->accrue_type;
	job->walltime = array->walltime;
	job->walltime_min = array->walltime_min;
	job->walltime_max = array->walltime_max;
	job->rerunable = array->rerunable;
	job->expanded = true;
	job->of = (int32_t)at;
	return !site->failed;
}

/* Adds the first waiting tasks of each array. */
static bool expand_arrays(struct lxfw_pbs_site *site)
{
	size_t count = site->job_count;

	for (size_t i = 0; i < count; i++) {
		int64_t task, last = -1, most = LXFW_PBS_TASKS_MAX;
		uint64_t number;
		bool array;
		const char *at = site->job[i].remaining;

		if (!at || (site->job[i].state != 'Q' && site->job[i].state != 'B') ||
		    !lxfw_pbs_job_id(site->job[i].id, &number, &task, &array) || !array)
			continue;
		site->job[i].array = true;
		if (site->job[i].most_tasks > 0) {
			most = site->job[i].most_tasks - busy_tasks(site, number);
			if (most > LXFW_PBS_TASKS_MAX)
				most = LXFW_PBS_TASKS_MAX;
		}
		while (most-- > 0 && (task = lxfw_pbs_next_task(&at, &last)) >= 0) {
			if (!add_task(site, i, number, task))
				return false;
		}
	}
	return true;
}

/* A task with one of the last indices. */
static void note_unnumbered(struct lxfw_pbs_job *job)
{
	if (job->task >= 0 && lxfw_pbs_id(job->number, job->task) == 0 && !job->odd)
		job->odd = strdup("the index of a task is too large");
}

/* Numbers the jobs. A job with the number of another one has no record: it came from another
   server. */
static bool number_jobs(struct lxfw_pbs_site *site)
{
	for (size_t i = 0; i < site->job_count; i++) {
		struct lxfw_pbs_job *job = &site->job[i];
		bool array;

		if (job->failed)
			return false;
		if (!lxfw_pbs_job_id(job->id, &job->number, &job->task, &array))
			continue;
		job->array |= array;
		if (job->array)
			continue;
		job->record = lxfw_pbs_record(&site->records, job->number, job->task);
		if (!job->record) {
			note_unnumbered(job);
			continue;
		}
		if (lxfw_id_map_get(&site->by_record, job->record) >= 0)
			job->record = 0;
		else if (lxfw_id_map_add(&site->by_record, job->record, (int32_t)i))
			return false;
	}
	return true;
}

/* Finds the occurrences of a reservation, or takes them from the look before. */
static bool unroll(struct lxfw_pbs_site *site, struct lxfw_pbs_resv *resv)
{
	for (size_t i = 0; i < site->old_resv_count; i++) {
		if (lxfw_pbs_resv_take(resv, &site->old_resv[i]))
			return true;
	}
	return lxfw_pbs_resv_unroll(resv);
}

static bool unroll_resvs(struct lxfw_pbs_site *site)
{
	bool good = true;

	for (size_t i = 0; i < site->resv_count && good; i++)
		good = unroll(site, &site->resv[i]);
	clear_old_resvs(site);
	return good;
}

struct above_of {
	struct lxfw_pbs_site *site;
	const struct lxfw_pbs_job *job;
};

static void note_above(void *context, const struct lxfw_pbs_kind *kind, const char *value)
{
	const struct above_of *of = context;

	lxfw_pbs_above_note(&of->site->above, "job", of->job->id, kind->name, value,
			    lxfw_pbs_bound(kind), lxfw_pbs_unit(kind));
}

/* What a job has, if another scheduler started it, or its run time. */
static void note_jobs_above(struct lxfw_pbs_site *site)
{
	for (size_t i = 0; i < site->job_count; i++) {
		struct above_of of = { site, &site->job[i] };

		if (of.job->endless && !of.job->expanded)
			lxfw_pbs_above_note(&site->above, "job", of.job->id, "walltime",
					    of.job->endless, LXFW_PBS_FOREVER, "s");
		if (lxfw_pbs_holds(of.job) && of.job->vnodes)
			lxfw_pbs_vnodes_above(of.job->vnodes, &site->kinds, note_above, &of);
	}
	lxfw_pbs_above_end(&site->above);
}

bool lxfw_pbs_site_end(struct lxfw_pbs_site *site)
{
	if (site->failed || !lxfw_pbs_complete_jobs(site) || !find_hosts(site) ||
	    !expand_arrays(site) ||
	    !number_jobs(site) || !unroll_resvs(site)) {
		site->failed = true;
		return false;
	}
	order_queues(site);
	lxfw_pbs_records_sweep(&site->records);
	for (size_t i = 0; i < site->job_count; i++) {
		if (!lxfw_pbs_holds(&site->job[i]))
			continue;
		lxfw_pbs_use(site, &site->job[i], 1, lxfw_pbs_has_procs(site, &site->job[i]));
		lxfw_pbs_pools_use(&site->pools, &site->job[i]);
	}
	note_jobs_above(site);
	return true;
}
