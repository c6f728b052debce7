/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/route/forecast.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/books/books.h"
#include "common/copy.h"
#include "common/outlook.h"
#include "common/util/grow.h"
#include "plugins/slurm/parameters/parameters.h"
#include "sim-frontend/trace/hostlist.h"

/* Ids of jobs that are not submitted, above those of Slurm: they are last among equal
   ones. */
#define FIRST_ID (UINT32_MAX - 1024)
#define OWN_ID (UINT32_MAX - 1)

/* A copy is used for this time, seconds: jobs that exceed their limits end later. */
#define COPY_AGE 10

/* A look into the future ends after this processor time, seconds; the job then starts at the
   time that was reached, at the earliest. */
#define LOOK_TIME 0.3

/* A job that was routed AGE seconds ago was submitted at most this much earlier by the clock
   of the cluster, seconds. */
#define SKEW 2

struct set {
	int32_t id;		/* -1: no hosts */
	int64_t procs;		/* of its hosts that are up */
	int64_t memory;		/* per processor, of jobs that request none, MB */
};

struct start {
	uint64_t job;
	int64_t time;
};

struct lxfw_route_forecast {
	struct lxfw_sched *copy;	/* NULL: make one */
	int64_t made;
	struct set *sets;		/* of the partitions */
	size_t sets_size;
	struct start *starts;		/* of waiting jobs */
	size_t start_count, starts_size;
	bool looked;			/* `starts` are those of `copy` */
	int64_t looked_to;		/* jobs without a start begin after this */
};

struct lxfw_route_forecast *lxfw_route_forecast_create(void)
{
	return calloc(1, sizeof(struct lxfw_route_forecast));
}

void lxfw_route_forecast_changed(struct lxfw_route_forecast *forecast)
{
	lxfw_sched_destroy(forecast->copy);
	forecast->copy = NULL;
	forecast->looked = false;
}

void lxfw_route_forecast_destroy(struct lxfw_route_forecast *forecast)
{
	if (!forecast)
		return;
	lxfw_route_forecast_changed(forecast);
	free(forecast->sets);
	free(forecast->starts);
	free(forecast);
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
		    struct set *set)
{
	struct members members = { .known = known, .host_count = copy->profile.host_count };
	struct lxfw_event event = { .type = LXFW_EVENT_HOST_SET, .time = copy->now };
	int result = 0;

	*set = (struct set) { .id = -1 };
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

static int make_copy(struct lxfw_route_forecast *forecast, const struct lxfw_sched *sched,
		     const struct lxfw_known_hosts *hosts,
		     const struct lxfw_slurm_partitions *partitions, int64_t now)
{
	struct lxfw_decision decision;

	if (forecast->copy && now < forecast->made + COPY_AGE)
		return 0;
	lxfw_route_forecast_changed(forecast);
	if (LXFW_GROW(forecast->sets, forecast->sets_size, partitions->count + 1))
		return -1;
	forecast->copy = lxfw_sched_copy(sched);
	if (!forecast->copy)
		return -1;
	for (size_t i = 0; i < partitions->count; i++) {
		if (make_set(forecast->copy, hosts, &partitions->list[i], partitions->memory,
			     &forecast->sets[i])) {
			lxfw_route_forecast_changed(forecast);
			return -1;
		}
	}
	forecast->made = now;
	/* What the next pass would start has started. */
	return lxfw_sched_decide(forecast->copy, now, &decision);
}

/* --- requests --------------------------------------------------------------------- */

static int cannot(struct lxfw_route_answer *answer, const char *reason)
{
	answer->can = false;
	snprintf(answer->reason, sizeof(answer->reason), "%.110s", reason);
	return 0;
}

static int find_partition(const struct lxfw_slurm_partitions *partitions, const char *name)
{
	for (size_t i = 0; i < partitions->count; i++) {
		const struct lxfw_slurm_partition *partition = &partitions->list[i];

		if (*name ? strcmp(partition->name, name) == 0 : partition->is_default)
			return (int)i;
	}
	return -1;
}

/* Makes a request for the copy. Returns false with the reason in ANSWER. */
static bool make_request(const struct lxfw_route_forecast *forecast,
			 const struct lxfw_slurm_partitions *partitions,
			 const struct lxfw_request_text *from, int64_t now,
			 struct lxfw_request *request, struct lxfw_route_answer *answer)
{
	int index = find_partition(partitions, from->partition);
	const struct lxfw_slurm_partition *partition =
		index < 0 ? NULL : &partitions->list[index];
	struct lxfw_request_text text = *from;
	const struct set *set;
	struct lxfw_error error;

	if (!partition || forecast->sets[index].id < 0) {
		cannot(answer, "no such partition");
		return false;
	}
	set = &forecast->sets[index];
	if (text.limit == 0)
		text.limit = partition->default_time > 0 ? partition->default_time :
							    partition->max_time;
	if (text.limit == 0 || (partition->max_time > 0 && text.limit > partition->max_time)) {
		cannot(answer, "the time limit is not within that of the partition");
		return false;
	}
	if (text.memory == 0 && text.memory_per_cpu == 0)
		text.memory_per_cpu = set->memory;
	if (text.nodes > 0)	/* the largest node */
		text.tasks = (text.tasks + text.nodes - 1) / text.nodes * text.nodes;
	text.host_set = set->id;
	text.exclusive |= partition->exclusive;
	if (lxfw_request_make(&text, request, &error)) {
		cannot(answer, error.text);
		return false;
	}
	request->submit = now;
	request->tier = (int32_t)(LXFW_PARAMETERS_TIERS * partition->tier);
	answer->limit = text.limit;
	answer->procs = set->procs;
	return true;
}

/* Submits a job of the copy. Returns 0, or -1 with errno. */
static int submit(struct lxfw_sched *copy, struct lxfw_request *request, uint64_t id, int64_t now)
{
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_SUBMIT, .time = now, .request = request,
	};

	request->id = id;
	return lxfw_sched_apply(copy, &event, NULL);
}

/* --- jobs that the cluster does not know yet --------------------------------------- */

/* Whether a job of the cluster is one that was routed: of the same size, and not submitted before.
   Each one counts once: its place in USED. A copy has no requests of jobs that run. */
static bool is_known(const struct lxfw_sched *sched, const struct lxfw_request *request,
		     int64_t since, unsigned char *used)
{
	int32_t procs = lxfw_request_sum(request).procs;

	for (size_t i = 0; i < sched->jobs_used; i++) {
		const struct lxfw_job *job = &sched->jobs[i];

		if (job->state == LXFW_JOB_FREE || used[i] || job->request.submit < since ||
		    lxfw_request_sum(&job->request).procs != procs)
			continue;
		used[i] = 1;
		return true;
	}
	return false;
}

/* Submits the jobs that were routed and are not known by SCHED to the copy. Returns their number,
   or -1. */
static int submit_routed(struct lxfw_sched *copy, const struct lxfw_sched *sched,
			 const struct lxfw_route_forecast *forecast,
			 const struct lxfw_slurm_partitions *partitions, int64_t now,
			 const struct lxfw_route_question *question)
{
	unsigned char *used = calloc(sched->jobs_used + 1, 1);
	int count = 0, result = used ? 0 : -1;

	for (int i = 0; i < question->routed_count && result == 0; i++) {
		const struct lxfw_route_routed *routed = &question->routed[i];
		struct lxfw_route_answer unused = { 0 };
		struct lxfw_request request;

		if (!make_request(forecast, partitions, &routed->request, now, &request, &unused))
			continue;
		if (is_known(sched, &request, now - routed->age - SKEW, used))
			continue;
		if (submit(copy, &request, FIRST_ID + (uint64_t)i, now) == 0)
			count++;
		else if (errno == ENOMEM)
			result = -1;
	}
	free(used);
	return result ? -1 : count;
}

/* --- starts ----------------------------------------------------------------------- */

/* Looks for the start of JOB in the future of COPY, and keeps all starts before it if KEEP is
   not NULL. Sets *START to its start, or to the time that was reached. */
static int look(const struct lxfw_sched *copy, uint64_t job, struct lxfw_route_forecast *keep,
		int64_t *start)
{
	struct lxfw_outlook *outlook = lxfw_outlook_begin(copy);
	clock_t end = clock() + (clock_t)(LOOK_TIME * CLOCKS_PER_SEC);
	struct lxfw_decision decision;
	bool found = false;
	int result = outlook ? 1 : -1;

	*start = LXFW_NEVER;
	while (result > 0 && !found) {
		result = lxfw_outlook_next(outlook, start, &decision);
		if (result == 0)
			*start = LXFW_NEVER;
		for (size_t i = 0; i < decision.count && result > 0; i++) {
			const struct lxfw_action *action = &decision.actions[i];

			if (action->type != LXFW_ACTION_START)
				continue;
			found |= action->job == job;
			if (!keep)
				continue;
			if (LXFW_GROW(keep->starts, keep->starts_size, keep->start_count + 1))
				result = -1;
			else
				keep->starts[keep->start_count++] =
					(struct start) { action->job, *start };
		}
		if (clock() > end)
			break;
	}
	lxfw_outlook_end(outlook);
	return result < 0 ? -1 : 0;
}

/* The earliest start beside the jobs that run or have a reservation. */
static int beside(struct lxfw_sched *copy, const struct lxfw_request *request, int64_t now,
		  int64_t *start)
{
	const struct lxfw_share *shares;
	int32_t found;

	lxfw_sched_advance(copy, now);
	found = lxfw_sched_forecast(copy, request, start, &shares);
	if (found < 0 && errno == ENOMEM)
		return -1;
	if (found <= 0)
		*start = LXFW_NEVER;
	return 0;
}

static int find_start(struct lxfw_route_forecast *forecast, const struct lxfw_sched *sched,
		      const struct lxfw_slurm_partitions *partitions, int64_t now,
		      const struct lxfw_route_question *question, struct lxfw_request *request,
		      int64_t *start)
{
	struct lxfw_sched *copy = forecast->copy, *own = NULL;
	struct lxfw_decision decision;
	int routed = 0, result;

	if (question->routed_count > 0) {
		own = lxfw_sched_copy(copy);
		if (!own)
			return -1;
		copy = own;
		routed = submit_routed(own, sched, forecast, partitions, now, question);
	}
	result = routed < 0 || (routed > 0 && lxfw_sched_decide(own, now, &decision)) ? -1 :
		 beside(copy, request, now, start);
	/* A job that can start at once is not behind those that cannot. */
	if (result == 0 && question->queue && *start > now && *start != LXFW_NEVER) {
		struct lxfw_event end = {
			.type = LXFW_EVENT_JOB_END, .time = copy->now, .end.id = OWN_ID,
		};

		result = submit(copy, request, OWN_ID, copy->now);
		if (result == 0)
			result = look(copy, OWN_ID, NULL, start);
		lxfw_sched_apply(copy, &end, NULL);
	}
	lxfw_sched_destroy(own);
	return result;
}

static int answer_request(struct lxfw_route_forecast *forecast, const struct lxfw_sched *sched,
			  const struct lxfw_slurm_partitions *partitions, int64_t now,
			  const struct lxfw_route_question *question,
			  struct lxfw_route_answer *answer)
{
	struct lxfw_request request;
	int64_t start;

	if (!make_request(forecast, partitions, &question->request, now, &request, answer))
		return 0;
	if (find_start(forecast, sched, partitions, now, question, &request, &start))
		return -1;
	if (start == LXFW_NEVER)
		return cannot(answer, "the job fits on no hosts");
	answer->can = true;
	answer->wait = start > now ? start - now : 0;
	return 0;
}

/* --- waiting jobs ----------------------------------------------------------------- */

static int by_job(const void *left, const void *right)
{
	const struct start *a = left, *b = right;

	return (a->job > b->job) - (a->job < b->job);
}

static int answer_job(struct lxfw_route_forecast *forecast, const struct lxfw_sched *sched,
		      int64_t now, uint64_t id, struct lxfw_route_answer *answer)
{
	int32_t index = lxfw_id_map_get(&sched->job_by_id, id);
	const struct lxfw_job *job = index < 0 ? NULL : &sched->jobs[index];
	struct start wanted = { .job = id };
	const struct start *found;

	if (!job || job->state == LXFW_JOB_FREE || job->state == LXFW_JOB_RUNNING)
		return cannot(answer, "no such job waits");
	if (!forecast->looked) {
		forecast->start_count = 0;
		if (look(forecast->copy, 0, forecast, &forecast->looked_to))
			return -1;
		qsort(forecast->starts, forecast->start_count, sizeof(*forecast->starts), by_job);
		forecast->looked = true;
	}
	found = forecast->start_count == 0 ? NULL :
		bsearch(&wanted, forecast->starts, forecast->start_count,
			sizeof(*forecast->starts), by_job);
	/* A job that the next pass starts is not in the future of the copy. */
	index = lxfw_id_map_get(&forecast->copy->job_by_id, id);
	if (index >= 0 && forecast->copy->jobs[index].state == LXFW_JOB_RUNNING)
		answer->wait = 0;
	else if (found || forecast->looked_to != LXFW_NEVER)
		answer->wait = (found ? found->time : forecast->looked_to) - now;
	else
		return cannot(answer, "the job does not start");
	answer->wait = answer->wait < 0 ? 0 : answer->wait;
	answer->limit = job->request.estimate;
	answer->can = true;
	return 0;
}

int lxfw_route_forecast_answer(struct lxfw_route_forecast *forecast,
			       const struct lxfw_sched *sched,
			       const struct lxfw_known_hosts *hosts,
			       const struct lxfw_slurm_partitions *partitions, int64_t now,
			       const struct lxfw_route_question *question,
			       struct lxfw_route_answer *answer)
{
	struct lxfw_sched_state state;
	int result;

	*answer = (struct lxfw_route_answer) { 0 };
	if (now < sched->now)
		now = sched->now;
	if (make_copy(forecast, sched, hosts, partitions, now))
		return -1;
	if (now < forecast->copy->now)
		now = forecast->copy->now;
	lxfw_sched_state(forecast->copy, &state);
	answer->free = state.free;
	answer->procs = state.procs;
	answer->work = state.waiting_work;
	result = question->job ?
		 answer_job(forecast, sched, now, question->job, answer) :
		 answer_request(forecast, sched, partitions, now, question, answer);
	return result;
}
