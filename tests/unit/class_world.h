/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A random world of hosts, job classes and jobs, with an independent implementation of
 * the rules of Chiang and Vernon 2001, section 2.1, job by job.
 */
#ifndef LXFW_TESTS_CLASS_WORLD_H
#define LXFW_TESTS_CLASS_WORLD_H

#include <string.h>

#include "common/sched.h"
#include "tests/unit/unit.h"

#define HOSTS 4
#define JOBS 40
#define TIMES 3
#define SIZES 3

enum state { FUTURE, WAITING, REFUSED, RUNNING, GONE };

struct job {
	struct lxfw_request request;
	enum state state;
	int64_t arrival, run, end, until;
	int32_t host;		/* while it runs */
	int32_t reserved;	/* the host of its reservation, or -1 */
};

struct host {
	bool up;
	struct lxfw_resources total, free;
	int32_t ended;		/* number of jobs ended since the last decision */
};

struct world {
	uint64_t random;
	struct lxfw_sched *sched;
	struct lxfw_job_classes classes;
	struct lxfw_host_rules rules[HOSTS];
	int32_t rules_of[HOSTS];
	struct host hosts[HOSTS];
	int32_t host_count;
	struct job jobs[JOBS];
	int32_t job_count;
	int64_t now;
	uint64_t digest;
	struct lxfw_decision decision;
};

/* Counts of cases, so that a check that never applies is detected. */
static struct {
	long starts, reserved, moved, lost, used, elsewhere, overdue;
} met;

static int64_t draw(struct world *world, int64_t low, int64_t high)
{
	return unit_between(&world->random, low, high);
}

static bool one_in(struct world *world, int64_t n)
{
	return draw(world, 1, n) == 1;
}

static void apply(struct world *world, struct lxfw_event *event)
{
	struct lxfw_error error;

	event->time = world->now;
	if (lxfw_sched_apply(world->sched, event, &error) < 0)
		fail_msg("%s", error.text);
}

/* --- making a world ----------------------------------------------------- */

static void make_classes(struct world *world)
{
	struct lxfw_job_classes *classes = &world->classes;
	int64_t limit = 0, memory_mb = 0;
	int32_t procs = 0;

	classes->time_count = (int32_t)draw(world, 1, TIMES);
	classes->size_count = (int32_t)draw(world, 1, SIZES);
	for (int32_t i = 0; i < classes->time_count; i++) {
		struct lxfw_time_class *class = &classes->times[i];

		strcpy(class->name, "t");
		limit += draw(world, 10, 60);
		if (i == classes->time_count - 1 && !one_in(world, 4))
			limit = INT64_MAX;
		class->cpu_per_proc = limit;
		class->run_time = one_in(world, 2) ? limit : INT64_MAX;
		if (i > 0 && class->run_time < classes->times[i - 1].run_time)
			class->run_time = classes->times[i - 1].run_time;
		class->reserve_wait = one_in(world, 4) ? INT64_MAX :
							 draw(world, 0, 80);
		class->running_most = one_in(world, 2) ? INT32_MAX :
					(int32_t)draw(world, 1, 4);
	}
	for (int32_t i = 0; i < classes->size_count; i++) {
		struct lxfw_size_class *class = &classes->sizes[i];

		strcpy(class->name, "s");
		procs += (int32_t)draw(world, 1, 3);
		memory_mb += draw(world, 5, 30);
		if (i == classes->size_count - 1 && !one_in(world, 4)) {
			procs = 8;
			memory_mb = 60;
		}
		class->procs = procs;
		class->memory_mb = memory_mb;
	}
}

static void make_rules(struct world *world, struct lxfw_host_rules *rules)
{
	int32_t sizes = world->classes.size_count;
	int32_t first = (int32_t)draw(world, 0, sizes - 1);
	int32_t step = sizes == 3 ? (int32_t)draw(world, 1, 2) : 1;

	memset(rules, 0, sizeof(*rules));
	rules->order_count = one_in(world, 4) ? (int32_t)draw(world, 1, sizes) :
						sizes;
	for (int32_t i = 0; i < sizes; i++) {
		rules->order[i] = (first + i * step) % sizes;
		rules->running_most[i] = one_in(world, 2) ? INT32_MAX :
					 (int32_t)draw(world, !one_in(world, 8),
						       3);
	}
	for (int32_t i = 0; i < world->classes.time_count; i++)
		rules->rank[i] = one_in(world, 16) ? -1 :
				 (int32_t)draw(world, 0, 1);
}

static void tell_classes(struct world *world)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_CLASSES };

	make_classes(world);
	world->classes.rules_count = HOSTS;
	world->classes.host_count = world->host_count;
	for (int32_t i = 0; i < HOSTS; i++) {
		make_rules(world, &world->rules[i]);
		world->rules_of[i] = one_in(world, 20) ? -1 : i;
	}
	world->classes.rules = world->rules;
	world->classes.rules_of = world->rules_of;
	event.job_classes = &world->classes;
	apply(world, &event);
	for (int32_t i = 0; i < world->job_count; i++)
		world->jobs[i].reserved = -1;
	for (int32_t i = 0; i < world->host_count; i++)
		world->hosts[i].ended = 0;
}

static void tell_host(struct world *world, int32_t index)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST };

	event.host.index = index;
	event.host.up = world->hosts[index].up;
	event.host.total = world->hosts[index].total;
	apply(world, &event);
}

static void make_request(struct world *world, struct lxfw_request *request)
{
	request->estimate = draw(world, 1, 120);
	request->shape = LXFW_SHAPE_HOSTS;
	request->count = 1;
	request->tier = one_in(world, 10);
	request->unit.procs = (int32_t)draw(world, 1, one_in(world, 2) ? 2 : 8);
	request->unit.memory_mb = draw(world, 0, one_in(world, 2) ? 20 : 60);
	if (!one_in(world, 4))
		return;
	request->shape = LXFW_SHAPE_ANYWHERE;
	request->count = request->unit.procs;
	request->unit.procs = 1;
	request->unit.memory_mb /= request->count;
}

static void make_jobs(struct world *world)
{
	int64_t time = 0;

	world->job_count = (int32_t)draw(world, 10, JOBS);
	for (int32_t i = 0; i < world->job_count; i++) {
		struct job *job = &world->jobs[i];

		time += one_in(world, 2) ? 0 : draw(world, 0, 15);
		*job = (struct job){ .arrival = time, .reserved = -1 };
		make_request(world, &job->request);
		job->request.id = (uint64_t)i + 1;
		job->request.submit = time;
		job->run = draw(world, 1, job->request.estimate +
					  (one_in(world, 5) ? 30 : 0));
	}
}

static void world_make(struct world *world, uint64_t seed)
{
	struct lxfw_params params;

	memset(world, 0, sizeof(*world));
	world->random = seed;
	lxfw_params_preset(&params, LXFW_POLICY_CLASSES);
	world->sched = lxfw_sched_create(&params);
	assert_non_null(world->sched);
	world->host_count = (int32_t)draw(world, 1, HOSTS);
	for (int32_t i = 0; i < world->host_count; i++) {
		world->hosts[i].up = true;
		world->hosts[i].total.procs = (int32_t)draw(world, 4, 8);
		world->hosts[i].total.memory_mb = draw(world, 30, 60);
		world->hosts[i].free = world->hosts[i].total;
		tell_host(world, i);
	}
	tell_classes(world);
	make_jobs(world);
}

/* --- what the rules say ------------------------------------------------- */

static struct lxfw_resources need(const struct job *job)
{
	return lxfw_resources_times(&job->request.unit, job->request.count);
}

static int32_t time_of(const struct world *world, const struct job *job)
{
	return lxfw_job_class_of(&world->classes, &job->request) /
	       world->classes.size_count;
}

static int32_t size_of(const struct world *world, const struct job *job)
{
	return lxfw_job_class_of(&world->classes, &job->request) %
	       world->classes.size_count;
}

/* True if the host, when empty, may run the job and has room for it. */
static bool could_run(const struct world *world, const struct job *job,
		      int32_t host)
{
	const struct lxfw_host_rules *rules = &world->rules[host];
	struct lxfw_resources all = need(job);
	bool named = false;

	if (lxfw_job_class_of(&world->classes, &job->request) < 0 ||
	    world->rules_of[host] < 0 || rules->rank[time_of(world, job)] < 0)
		return false;
	for (int32_t i = 0; i < rules->order_count; i++)
		named |= rules->order[i] == size_of(world, job);
	return named && lxfw_resources_fit(&all, &world->hosts[host].total);
}

static bool fits(const struct world *world, const struct job *job, int32_t host)
{
	struct lxfw_resources all = need(job);

	return lxfw_resources_fit(&all, &world->hosts[host].free);
}

/* True if the limits permit one more job of its size on the host. */
static bool size_open(const struct world *world, int32_t size, int32_t host)
{
	int32_t count = 0;

	for (int32_t i = 0; i < world->job_count; i++) {
		const struct job *job = &world->jobs[i];

		count += job->state == RUNNING && job->host == host &&
			 lxfw_job_class_of(&world->classes, &job->request) >= 0 &&
			 size_of(world, job) == size;
	}
	return count < world->rules[host].running_most[size];
}

/* True if the limit on all hosts permits THIS job, given the reservations of others. */
static bool time_open(const struct world *world, const struct job *this)
{
	int32_t time = time_of(world, this);
	int64_t count = 0;

	for (int32_t i = 0; i < world->job_count; i++) {
		const struct job *job = &world->jobs[i];

		count += job != this &&
			 (job->state == RUNNING || job->reserved >= 0) &&
			 lxfw_job_class_of(&world->classes, &job->request) >= 0 &&
			 time_of(world, job) == time;
	}
	return count < world->classes.times[time].running_most;
}

static int32_t place_in_order(const struct world *world, const struct job *job,
			      int32_t host)
{
	int32_t at = 0;

	while (world->rules[host].order[at] != size_of(world, job))
		at++;
	return at;
}

/* Compare jobs of the same size. */
static bool before(const struct world *world, const struct job *a,
		   const struct job *b, int32_t host)
{
	int32_t x = world->rules[host].rank[time_of(world, a)];
	int32_t y = world->rules[host].rank[time_of(world, b)];

	if (a->request.tier != b->request.tier)
		return a->request.tier > b->request.tier;
	if (x != y)
		return x < y;
	if (a->request.submit != b->request.submit)
		return a->request.submit < b->request.submit;
	return a->request.id < b->request.id;
}

static bool pending(const struct world *world, int32_t host)
{
	for (int32_t i = 0; i < world->job_count; i++) {
		if (world->jobs[i].reserved == host)
			return true;
	}
	return false;
}

/* Return the job to serve when a job has ended on the host, or NULL. */
static const struct job *first_overdue(const struct world *world, int32_t host)
{
	const struct job *best = NULL;

	for (int32_t i = 0; i < world->job_count; i++) {
		const struct job *job = &world->jobs[i];
		int64_t waited = world->now - job->request.submit;

		if (job->state != WAITING || job->reserved >= 0 ||
		    !could_run(world, job, host) ||
		    !size_open(world, size_of(world, job), host) ||
		    !time_open(world, job) ||
		    world->classes.times[time_of(world, job)].reserve_wait ==
			    INT64_MAX ||
		    waited < world->classes.times[time_of(world, job)]
				     .reserve_wait)
			continue;
		if (!best || place_in_order(world, job, host) <
				     place_in_order(world, best, host) ||
		    (size_of(world, job) == size_of(world, best) &&
		     before(world, job, best, host)))
			best = job;
	}
	return best;
}

/* Return the next job for the free resources of a host without a reservation, or NULL. */
static const struct job *next_for(const struct world *world, int32_t host)
{
	const struct lxfw_host_rules *rules = &world->rules[host];

	if (world->rules_of[host] < 0 || !world->hosts[host].up ||
	    pending(world, host))
		return NULL;
	for (int32_t at = 0; at < rules->order_count; at++) {
		const struct job *best = NULL;
		bool waits = false;

		if (!size_open(world, rules->order[at], host))
			continue;
		for (int32_t i = 0; i < world->job_count; i++) {
			const struct job *job = &world->jobs[i];

			if (job->state != WAITING || !could_run(world, job, host) ||
			    size_of(world, job) != rules->order[at] ||
			    !time_open(world, job))
				continue;
			waits = true;
			if (fits(world, job, host) &&
			    (!best || before(world, job, best, host)))
				best = job;
		}
		if (best)
			return best;
		if (waits)
			return NULL;
	}
	return NULL;
}

#endif
