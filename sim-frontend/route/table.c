/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/route/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/books/books.h"
#include "common/copy.h"
#include "common/outlook.h"
#include "common/util/grow.h"
#include "sim-frontend/trace/hostlist.h"

/* The look into the future ends after this processor time, seconds. */
#define LOOK_TIME 0.3

/* A job that is expected to start, with its part of `shares`. */
struct planned {
	int64_t start, end;
	int32_t tier;
	int32_t count;
	size_t first;
};

struct known {
	int64_t submit, procs;
};

struct lxfw_route_place {
	struct lxfw_route_place *next;
	bool queue;
	int32_t tier;
	struct lxfw_sched *sched;	/* without `queue`: the copy of the table */
	struct lxfw_request held[LXFW_ROUTE_ROUTED];
	int32_t claims[LXFW_ROUTE_ROUTED];
	int count;
};

struct lxfw_route_work {
	struct lxfw_outlook *outlook;	/* NULL: complete */
	double spent;			/* seconds of processor time */
	size_t starts_size;
	struct planned *planned;	/* as the starts, in their order */
	size_t planned_count, planned_size;
	struct lxfw_share *shares;
	size_t share_count, shares_size;
	struct known known[LXFW_ROUTE_KNOWN];	/* submitted last */
	int known_count;
	struct lxfw_route_place *places;
};

static void free_place(struct lxfw_route_place *place)
{
	if (place->queue)
		lxfw_sched_destroy(place->sched);
	free(place);
}

void lxfw_route_table_free(struct lxfw_route_table *table)
{
	struct lxfw_route_work *work = table ? table->work : NULL;

	while (work && work->places) {
		struct lxfw_route_place *place = work->places;

		work->places = place->next;
		free_place(place);
	}
	if (work) {
		lxfw_outlook_end(work->outlook);
		free(work->planned);
		free(work->shares);
		free(work);
	}
	if (table) {
		lxfw_sched_destroy(table->copy);
		free(table->sets);
		free(table->starts);
		free(table);
	}
}

/* --- partitions ------------------------------------------------------------------- */

struct members {
	const struct lxfw_known_hosts *known;
	int32_t host_count;
	int32_t *hosts;
	size_t count, size;
};

static int take_host(void *context, const char *name)
{
	struct members *to = context;
	int32_t found = lxfw_names_find(&to->known->names, name, strlen(name));

	/* A node that the plugin does not know has no jobs. */
	if (found < 0 || to->known->indices[found] >= to->host_count)
		return 0;
	if (LXFW_GROW(to->hosts, to->size, to->count + 1))
		return -1;
	to->hosts[to->count++] = to->known->indices[found];
	return 0;
}

static int ascending(const void *left, const void *right)
{
	int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;

	return (a > b) - (a < b);
}

static void sort(struct members *members)
{
	size_t kept = 0;

	qsort(members->hosts, members->count, sizeof(*members->hosts), ascending);
	for (size_t i = 0; i < members->count; i++) {
		if (i == 0 || members->hosts[i] != members->hosts[i - 1])
			members->hosts[kept++] = members->hosts[i];
	}
	members->count = kept;
}

/* The memory per processor that a job without a request for memory gets: that of its
   partition, or else its part of a node. */
static int64_t usual_memory(const struct lxfw_sched *sched, const struct members *members,
			    const struct lxfw_slurm_partition *partition)
{
	int64_t least = 0;

	if (partition->memory > 0)
		return partition->memory;
	for (size_t i = 0; i < members->count; i++) {
		const struct lxfw_resources *total = &sched->profile.hosts[members->hosts[i]].total;
		int64_t memory = total->procs > 0 ? total->memory_mb / total->procs : 0;

		if (least == 0 || (memory > 0 && memory < least))
			least = memory;
	}
	return least;
}

/* Makes a host set of the copy for a partition. */
static int make_set(struct lxfw_sched *copy, const struct lxfw_known_hosts *known,
		    const struct lxfw_slurm_partition *partition, bool consumable,
		    struct lxfw_route_set *set)
{
	struct members members = { .known = known, .host_count = copy->profile.host_count };
	struct lxfw_event event = { .type = LXFW_EVENT_HOST_SET, .time = copy->now };
	int result = 0;

	*set = (struct lxfw_route_set) { .id = -1 };
	/* A list that cannot be read has no hosts. */
	if (*partition->nodes && lxfw_hostlist_expand(partition->nodes, strlen(partition->nodes),
						      take_host, &members, NULL))
		result = errno == ENOMEM ? -1 : 0;
	else if (members.count > 0) {
		sort(&members);
		set->id = (int32_t)copy->host_set_count;
		event.host_set.id = set->id;
		event.host_set.count = (int32_t)members.count;
		event.host_set.hosts = members.hosts;
		result = lxfw_sched_apply(copy, &event, NULL);
		for (size_t i = 0; i < members.count; i++) {
			const struct lxfw_host *host = &copy->profile.hosts[members.hosts[i]];

			set->procs += host->up ? host->total.procs : 0;
		}
		set->memory = consumable ? usual_memory(copy, &members, partition) : 0;
	}
	free(members.hosts);
	return result;
}

/* --- jobs that the cluster knows ---------------------------------------------------- */

static int latest_first(const void *left, const void *right)
{
	const struct known *a = left, *b = right;

	return (a->submit < b->submit) - (a->submit > b->submit);
}

/* Notes the jobs that were submitted last. */
static int note_known(struct lxfw_route_work *work, const struct lxfw_sched *sched)
{
	struct known *all = calloc(sched->jobs_used + 1, sizeof(*all));
	size_t count = 0;

	if (!all)
		return -1;
	for (size_t i = 0; i < sched->jobs_used; i++) {
		const struct lxfw_job *job = &sched->jobs[i];

		if (job->state != LXFW_JOB_FREE)
			all[count++] = (struct known) {
				job->request.submit, lxfw_request_sum(&job->request).procs,
			};
	}
	qsort(all, count, sizeof(*all), latest_first);
	work->known_count = count < LXFW_ROUTE_KNOWN ? (int)count : LXFW_ROUTE_KNOWN;
	memcpy(work->known, all, (size_t)work->known_count * sizeof(*all));
	free(all);
	return 0;
}

bool lxfw_route_table_knows(const struct lxfw_route_table *table, int64_t procs, int64_t since,
			    unsigned char used[LXFW_ROUTE_KNOWN])
{
	const struct lxfw_route_work *work = table->work;

	for (int i = 0; i < work->known_count && work->known[i].submit >= since; i++) {
		if (used[i] || work->known[i].procs != procs)
			continue;
		used[i] = 1;
		return true;
	}
	return false;
}

/* --- the future --------------------------------------------------------------------- */

static int begin(struct lxfw_route_table *table, const struct lxfw_sched *sched,
		 const struct lxfw_known_hosts *hosts,
		 const struct lxfw_slurm_partitions *partitions)
{
	struct lxfw_decision decision;
	int64_t now = table->made;

	table->work = calloc(1, sizeof(*table->work));
	/* Requests of jobs that run are not in a copy. */
	if (!table->work || note_known(table->work, sched) ||
	    LXFW_GROW(table->sets, table->sets_size, partitions->count + 1))
		return -1;
	table->copy = lxfw_sched_copy(sched);
	if (!table->copy)
		return -1;
	for (size_t i = 0; i < partitions->count; i++) {
		if (make_set(table->copy, hosts, &partitions->list[i], partitions->memory,
			     &table->sets[i]))
			return -1;
	}
	/* What the next pass would start has started. */
	if (lxfw_sched_decide(table->copy, now > sched->now ? now : sched->now, &decision))
		return -1;
	lxfw_sched_state(table->copy, &table->state);
	table->work->outlook = lxfw_outlook_begin(table->copy);
	return table->work->outlook ? 0 : -1;
}

struct lxfw_route_table *lxfw_route_table_begin(const struct lxfw_sched *sched,
						const struct lxfw_known_hosts *hosts,
						const struct lxfw_slurm_partitions *partitions,
						int64_t now)
{
	struct lxfw_route_table *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	table->made = now;
	table->looked_to = LXFW_NEVER;
	if (begin(table, sched, hosts, partitions)) {
		lxfw_route_table_free(table);
		errno = ENOMEM;
		return NULL;
	}
	return table;
}

/* Notes a start. */
static int plan(struct lxfw_route_table *table, const struct lxfw_action *action)
{
	struct lxfw_route_work *work = table->work;
	int32_t index = lxfw_id_map_get(&table->copy->job_by_id, action->job);
	const struct lxfw_request *request = index < 0 ? NULL : &table->copy->jobs[index].request;
	int64_t length = action->limit || !request ? action->limit : request->estimate;
	struct planned *planned;

	if (LXFW_GROW(table->starts, work->starts_size, table->start_count + 1) ||
	    LXFW_GROW(work->planned, work->planned_size, work->planned_count + 1) ||
	    LXFW_GROW(work->shares, work->shares_size,
		      work->share_count + (size_t)action->count))
		return -1;
	table->starts[table->start_count++] =
		(struct lxfw_route_start) { action->job, action->start };
	if (action->count == 0 || length <= 0)
		return 0;
	planned = &work->planned[work->planned_count++];
	*planned = (struct planned) {
		.start = action->start, .end = action->start + length,
		.tier = request ? request->tier : 0,
		.first = work->share_count, .count = action->count,
	};
	memcpy(work->shares + work->share_count, action->shares,
	       (size_t)action->count * sizeof(*work->shares));
	work->share_count += (size_t)action->count;
	return 0;
}

static int by_job(const void *left, const void *right)
{
	const struct lxfw_route_start *a = left, *b = right;

	return (a->job > b->job) - (a->job < b->job);
}

static double processor_time(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

int lxfw_route_table_work(struct lxfw_route_table *table, double seconds)
{
	struct lxfw_route_work *work = table->work;
	double begun = processor_time(), passed = 0;
	struct lxfw_decision decision;
	int64_t time = LXFW_NEVER;
	int result = 1;

	if (!work->outlook)
		return 0;
	do {
		result = lxfw_outlook_next(work->outlook, &time, &decision);
		for (size_t i = 0; result > 0 && i < decision.count; i++) {
			if (decision.actions[i].type == LXFW_ACTION_START &&
			    plan(table, &decision.actions[i]))
				result = -1;
		}
		if (result > 0)
			table->looked_to = time;
		passed = processor_time() - begun;
	} while (result > 0 && passed < seconds && work->spent + passed < LOOK_TIME);
	work->spent += passed;
	if (result > 0 && work->spent < LOOK_TIME)
		return 1;
	if (result == 0)
		table->looked_to = LXFW_NEVER;
	lxfw_outlook_end(work->outlook);
	work->outlook = NULL;
	if (table->start_count > 0)
		qsort(table->starts, table->start_count, sizeof(*table->starts), by_job);
	return result < 0 ? -1 : 0;
}

/* --- places --------------------------------------------------------------------------- */

/* The jobs that wait have what they are expected to get. */
static int hold_planned(struct lxfw_route_place *place, const struct lxfw_route_work *work)
{
	struct lxfw_profile *profile = &place->sched->profile;

	for (size_t i = 0; i < work->planned_count; i++) {
		const struct planned *planned = &work->planned[i];

		if (planned->tier < place->tier)
			continue;
		if (lxfw_profile_ready_hold(profile, planned->count))
			return -1;
		(void)lxfw_profile_hold(profile, work->shares + planned->first, planned->count,
					planned->start, planned->end);
	}
	return 0;
}

struct lxfw_route_place *lxfw_route_table_place(struct lxfw_route_table *table, bool queue,
						int32_t tier)
{
	struct lxfw_route_place *place = table->work->places;

	while (place && (place->queue != queue || (queue && place->tier != tier)))
		place = place->next;
	if (place)
		return place;
	place = calloc(1, sizeof(*place));
	if (!place)
		return NULL;
	place->queue = queue;
	place->tier = tier;
	/* A fresh copy has no reservations: these jobs are among the planned ones. */
	place->sched = queue ? lxfw_sched_copy(table->copy) : table->copy;
	if (!place->sched || (queue && hold_planned(place, table->work))) {
		free_place(place);
		errno = ENOMEM;
		return NULL;
	}
	place->next = table->work->places;
	table->work->places = place;
	return place;
}

struct lxfw_sched *lxfw_route_place_sched(struct lxfw_route_place *place)
{
	return place->sched;
}

static bool same(const struct lxfw_request *a, const struct lxfw_request *b)
{
	return a->estimate == b->estimate && a->count == b->count && a->shape == b->shape &&
	       a->exclusive == b->exclusive && a->unit.procs == b->unit.procs &&
	       a->unit.memory_mb == b->unit.memory_mb && a->host_set_count == b->host_set_count &&
	       a->host_sets[0] == b->host_sets[0];
}

/* Places one more request, if there is room for it at some time. */
static int hold_one(struct lxfw_route_place *place, const struct lxfw_request *request)
{
	struct lxfw_sched *sched = place->sched;
	const struct lxfw_share *shares;
	int64_t start;
	int32_t found = lxfw_sched_forecast(sched, request, &start, &shares);

	if (found < 0 && errno == ENOMEM)
		return -1;
	place->claims[place->count] = -1;
	if (found > 0) {
		if (lxfw_profile_ready_hold(&sched->profile, found))
			return -1;
		place->claims[place->count] =
			lxfw_profile_hold(&sched->profile, shares, found, start,
					  start + request->estimate);
	}
	place->held[place->count++] = *request;
	return 0;
}

int lxfw_route_place_hold(struct lxfw_route_place *place, const struct lxfw_request *requests,
			  int count, int64_t now)
{
	int kept = 0;

	lxfw_sched_advance(place->sched, now);
	while (kept < count && kept < place->count && same(&place->held[kept], &requests[kept]))
		kept++;
	while (place->count > kept) {
		int32_t claim = place->claims[--place->count];

		if (claim >= 0)
			lxfw_profile_unhold(&place->sched->profile, claim);
	}
	while (place->count < count) {
		if (hold_one(place, &requests[place->count]))
			return -1;
	}
	return 0;
}
