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
#include "plugins/slurm/parameters/parameters.h"
#include "sim-frontend/route/table.h"

/* A table is used for this time, seconds: jobs that exceed their limits end later. */
#define TABLE_AGE 10

/* One that is older than this is not used while the next one is computed, seconds. */
#define TABLE_OLD 15

/* Without questions for this time no tables are computed, seconds. */
#define ASKED_AGE 60

/* A job that was routed AGE seconds ago was submitted at most this much earlier by the clock
   of the cluster, seconds. */
#define SKEW 2

/* Ids of jobs that are not submitted, above those of Slurm: they are last among equal
   ones. */
#define FIRST_ID (UINT32_MAX - 1024)
#define OWN_ID (UINT32_MAX - 1)

/* A simulation for one question takes this processor time at most, seconds; all of them together this
   part of the time that passes, of which this much can be saved. Copies of more waiting jobs take too
   much of it. */
#define LOOK_TIME 0.01
#define LOOK_PART 0.2
#define LOOK_SAVED 0.02
#define LOOK_JOBS 2000

struct lxfw_route_forecast {
	struct lxfw_route_table *table;	/* NULL: none */
	struct lxfw_route_table *next;	/* is computed; NULL: none */
	bool changed;			/* since the newer of them was begun */
	int64_t asked;			/* time of the last question */
	double saved, at;		/* seconds for simulations, at this second */
};

struct lxfw_route_forecast *lxfw_route_forecast_create(void)
{
	struct lxfw_route_forecast *forecast = calloc(1, sizeof(*forecast));

	if (forecast)
		forecast->asked = INT64_MIN;
	return forecast;
}

void lxfw_route_forecast_changed(struct lxfw_route_forecast *forecast)
{
	forecast->changed = true;
}

void lxfw_route_forecast_forget(struct lxfw_route_forecast *forecast)
{
	lxfw_route_table_free(forecast->table);
	lxfw_route_table_free(forecast->next);
	forecast->table = forecast->next = NULL;
}

void lxfw_route_forecast_destroy(struct lxfw_route_forecast *forecast)
{
	if (!forecast)
		return;
	lxfw_route_forecast_forget(forecast);
	free(forecast);
}

/* --- tables ----------------------------------------------------------------------- */

static bool is_due(const struct lxfw_route_forecast *forecast, int64_t now)
{
	return !forecast->table || forecast->changed || now >= forecast->table->made + TABLE_AGE;
}

int lxfw_route_forecast_work(struct lxfw_route_forecast *forecast,
			     const struct lxfw_sched *sched, const struct lxfw_known_hosts *hosts,
			     const struct lxfw_slurm_partitions *partitions, int64_t now,
			     double seconds)
{
	int result;

	if (now < sched->now)
		now = sched->now;
	if (!forecast->next) {
		if (!is_due(forecast, now) || forecast->asked < now - ASKED_AGE)
			return 0;
		forecast->next = lxfw_route_table_begin(sched, hosts, partitions, now);
		if (!forecast->next)
			return -1;
		forecast->changed = false;
	}
	result = lxfw_route_table_work(forecast->next, seconds);
	if (result > 0)
		return 1;
	if (result < 0) {
		lxfw_route_table_free(forecast->next);
	} else {
		lxfw_route_table_free(forecast->table);
		forecast->table = forecast->next;
	}
	forecast->next = NULL;
	return result;
}

/* Sees to it that there is a table, and not one that is too old. */
static int make_table(struct lxfw_route_forecast *forecast, const struct lxfw_sched *sched,
		      const struct lxfw_known_hosts *hosts,
		      const struct lxfw_slurm_partitions *partitions, int64_t now)
{
	bool idle = forecast->asked < now - ASKED_AGE;
	int result = 1;

	forecast->asked = now;
	if (forecast->table && now < forecast->table->made + TABLE_OLD &&
	    !(idle && is_due(forecast, now)))
		return 0;
	while (result > 0)
		result = lxfw_route_forecast_work(forecast, sched, hosts, partitions, now, 1);
	return result;
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
static bool make_request(const struct lxfw_route_table *table,
			 const struct lxfw_slurm_partitions *partitions,
			 const struct lxfw_request_text *from, int64_t now,
			 struct lxfw_request *request, struct lxfw_route_answer *answer)
{
	int index = find_partition(partitions, from->partition);
	const struct lxfw_slurm_partition *partition =
		index < 0 ? NULL : &partitions->list[index];
	struct lxfw_request_text text = *from;
	const struct lxfw_route_set *set;
	struct lxfw_error error;

	if (!partition || table->sets[index].id < 0) {
		cannot(answer, "no such partition");
		return false;
	}
	set = &table->sets[index];
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

/* --- jobs that the cluster does not know yet --------------------------------------- */

/* Makes requests of the jobs that were routed and are not known by the cluster. Each job that it
   knows counts once. Returns their number. */
static int make_routed(const struct lxfw_route_table *table,
		       const struct lxfw_slurm_partitions *partitions, int64_t now,
		       const struct lxfw_route_question *question,
		       struct lxfw_request requests[LXFW_ROUTE_ROUTED])
{
	unsigned char used[LXFW_ROUTE_KNOWN] = { 0 };
	int count = 0;

	for (int i = 0; i < question->routed_count; i++) {
		const struct lxfw_route_routed *routed = &question->routed[i];
		struct lxfw_request *to = &requests[count];
		struct lxfw_route_answer unused = { 0 };

		if (make_request(table, partitions, &routed->request, now, to, &unused) &&
		    !lxfw_route_table_knows(table, lxfw_request_sum(to).procs,
					    now - routed->age - SKEW, used))
			count++;
	}
	return count;
}

/* --- starts ----------------------------------------------------------------------- */

/* The earliest start in a place behind those that were routed; LXFW_NEVER: none. */
static int find_in(struct lxfw_route_place *place, const struct lxfw_request *request,
		   const struct lxfw_request *routed, int count, int64_t now, int64_t *start)
{
	const struct lxfw_share *shares;
	int32_t found;

	if (!place || lxfw_route_place_hold(place, routed, count, now))
		return -1;
	found = lxfw_sched_forecast(lxfw_route_place_sched(place), request, start, &shares);
	if (found < 0 && errno == ENOMEM)
		return -1;
	if (found <= 0)
		*start = LXFW_NEVER;
	return 0;
}

/* Submits jobs to a copy and looks for the start of the last one. Returns 1, or 0 if it was not found
   in time, or -1 with errno ENOMEM. */
static int look(struct lxfw_sched *copy, struct lxfw_request *requests, int count, int64_t now,
		clock_t end, int64_t *start)
{
	struct lxfw_decision decision;
	struct lxfw_outlook *outlook;
	int found = 0, result = 1;
	int64_t time;

	lxfw_sched_advance(copy, now);
	for (int i = 0; i < count; i++) {
		struct lxfw_event event = {
			.type = LXFW_EVENT_JOB_SUBMIT, .time = copy->now, .request = &requests[i],
		};

		requests[i].id = i == count - 1 ? OWN_ID : FIRST_ID + (uint64_t)i;
		if (lxfw_sched_apply(copy, &event, NULL) && (errno == ENOMEM || i == count - 1))
			return errno == ENOMEM ? -1 : 0;
	}
	outlook = lxfw_outlook_begin(copy);
	if (!outlook)
		return -1;
	while (result > 0 && !found && clock() < end) {
		result = lxfw_outlook_next(outlook, &time, &decision);
		for (size_t i = 0; result > 0 && i < decision.count; i++) {
			if (decision.actions[i].type == LXFW_ACTION_START &&
			    decision.actions[i].job == OWN_ID)
				found = 1;
		}
	}
	lxfw_outlook_end(outlook);
	if (found)
		*start = time;
	return result < 0 ? -1 : found;
}

/* A table does not know what the order of the policy makes of a new job. A simulation does, and
   replaces its answer as long as all questions together do not need too much time for it. */
static int look_ahead(struct lxfw_route_forecast *forecast, const struct lxfw_request *request,
		      const struct lxfw_request *routed, int count, int64_t now, int64_t *start)
{
	const struct lxfw_route_table *table = forecast->table;
	struct lxfw_request requests[LXFW_ROUTE_ROUTED + 1];
	clock_t begun = clock();
	struct lxfw_sched *copy;
	struct timespec time;
	double second;
	int result;

	clock_gettime(CLOCK_MONOTONIC, &time);
	second = (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
	forecast->saved += LOOK_PART * (second - forecast->at);
	if (forecast->saved > LOOK_SAVED)
		forecast->saved = LOOK_SAVED;
	forecast->at = second;
	if (forecast->saved < LOOK_TIME || table->state.waiting > LOOK_JOBS)
		return 0;
	copy = lxfw_sched_copy(table->copy);
	if (!copy)
		return -1;
	memcpy(requests, routed, (size_t)count * sizeof(*routed));
	requests[count] = *request;
	result = look(copy, requests, count + 1, now,
		      begun + (clock_t)(LOOK_TIME * CLOCKS_PER_SEC), start);
	lxfw_sched_destroy(copy);
	forecast->saved -= (double)(clock() - begun) / CLOCKS_PER_SEC;
	return result < 0 ? -1 : 0;
}

static int answer_request(struct lxfw_route_forecast *forecast,
			  const struct lxfw_slurm_partitions *partitions, int64_t now,
			  const struct lxfw_route_question *question,
			  struct lxfw_route_answer *answer)
{
	struct lxfw_route_table *table = forecast->table;
	struct lxfw_request request, routed[LXFW_ROUTE_ROUTED];
	int64_t start;
	int count;

	if (!make_request(table, partitions, &question->request, now, &request, answer))
		return 0;
	count = make_routed(table, partitions, now, question, routed);
	/* A job that can start at once is not behind those that cannot. */
	if (find_in(lxfw_route_table_place(table, false, 0), &request, routed, count, now, &start))
		return -1;
	if (question->queue && start > now && start != LXFW_NEVER &&
	    (find_in(lxfw_route_table_place(table, true, request.tier), &request, routed, count,
		     now, &start) ||
	     look_ahead(forecast, &request, routed, count, now, &start)))
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
	const struct lxfw_route_start *a = left, *b = right;

	return (a->job > b->job) - (a->job < b->job);
}

static int answer_job(const struct lxfw_route_table *table, const struct lxfw_sched *sched,
		      int64_t now, uint64_t id, struct lxfw_route_answer *answer)
{
	int32_t index = lxfw_id_map_get(&sched->job_by_id, id);
	const struct lxfw_job *job = index < 0 ? NULL : &sched->jobs[index];
	struct lxfw_route_start wanted = { .job = id };
	const struct lxfw_route_start *found;

	index = lxfw_id_map_get(&table->copy->job_by_id, id);
	if (!job || job->state == LXFW_JOB_FREE || job->state == LXFW_JOB_RUNNING || index < 0)
		return cannot(answer, LXFW_ROUTE_NO_JOB);
	found = table->start_count == 0 ? NULL :
		bsearch(&wanted, table->starts, table->start_count, sizeof(*table->starts),
			by_job);
	/* A job that the next pass starts is not in the future of the copy. */
	if (table->copy->jobs[index].state == LXFW_JOB_RUNNING)
		answer->wait = 0;
	else if (found || table->looked_to != LXFW_NEVER)
		answer->wait = (found ? found->time : table->looked_to) - now;
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
	struct lxfw_route_table *table;

	*answer = (struct lxfw_route_answer) { 0 };
	if (now < sched->now)
		now = sched->now;
	if (make_table(forecast, sched, hosts, partitions, now))
		return -1;
	table = forecast->table;
	if (now < table->copy->now)
		now = table->copy->now;
	answer->free = table->state.free;
	answer->procs = table->state.procs;
	answer->work = table->state.waiting_work;
	return question->job ? answer_job(table, sched, now, question->job, answer) :
			       answer_request(forecast, partitions, now, question, answer);
}
