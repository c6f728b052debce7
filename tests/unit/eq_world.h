/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A random world of hosts and jobs under EQspatial. It computes allocations and work
 * from the actions alone.
 */
#ifndef LXFW_TESTS_EQ_WORLD_H
#define LXFW_TESTS_EQ_WORLD_H

#include "common/sched.h"
#include "tests/unit/unit.h"

#define HOSTS 4
#define JOBS 40

enum state { FUTURE, WAITING, RUNNING, ENDED };

struct job {
	struct lxfw_request request;
	enum state state;
	int64_t work;		/* processor-seconds in total */
	int64_t left;		/* remaining processor-seconds; negative in the last
	             		 * second */
	int32_t host;
	struct lxfw_resources has;
	int32_t lends;		/* its processors while it is suspended */
	bool suspended;
	bool foreign;		/* started outside of the scheduler: its share does not
	             		 * change */
	bool delayed;		/* did not start permanently on arrival: it may catch up */
	int64_t start, until;	/* end of its quantum, or LXFW_NEVER */
};

struct world {
	uint64_t random;
	struct lxfw_sched *sched;
	struct lxfw_params params;
	bool trouble, away;
	int32_t host_count, job_count;
	struct lxfw_resources total[HOSTS];
	bool up[HOSTS];
	int32_t blocked[HOSTS];		/* processors */
	int64_t resized[HOSTS];		/* time of the last resize */
	bool over[HOSTS];		/* more was allocated than it has */
	uint32_t set;			/* hosts of the only host set */
	struct job jobs[JOBS];
	int64_t now, wake;
	int32_t started;		/* number of starts in the last decision, or -1 */
	uint64_t digest;
	int64_t actions, resizes, checked;
};

static int64_t between(struct world *world, int64_t low, int64_t high)
{
	return unit_between(&world->random, low, high);
}

static bool one_in(struct world *world, int64_t chances)
{
	return between(world, 1, chances) == 1;
}

static void apply(struct world *world, struct lxfw_event *event)
{
	struct lxfw_error error;

	event->time = world->now;
	if (lxfw_sched_apply(world->sched, event, &error) < 0)
		fail_msg("event of type %d: %s", (int)event->type, error.text);
}

/* --- making one --------------------------------------------------------- */

static void tell_host(struct world *world, int32_t host)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST };

	event.host.index = host;
	event.host.up = world->up[host];
	event.host.total = world->total[host];
	apply(world, &event);
}

static void make_request(struct world *world, struct lxfw_request *request,
			 bool memory)
{
	int32_t host = (int32_t)between(world, 0, world->host_count - 1);

	request->estimate = between(world, 1, 400);
	request->shape = LXFW_SHAPE_HOSTS;
	request->count = 1;
	request->unit.procs =
		(int32_t)between(world, 1, world->total[host].procs);
	if (memory)
		request->unit.memory_mb =
			between(world, 0, world->total[host].memory_mb);
	request->unit.extras[0] =
		memory && one_in(world, 6) ? world->total[host].extras[0] : 0;
	request->tier = one_in(world, 8);
	request->exclusive = one_in(world, 12);
	request->host_set_count = world->set >> host & 1 && one_in(world, 3);
}

static void make(struct world *world, uint64_t seed, bool trouble)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST_SET };
	int32_t members[HOSTS], count = 0;
	int64_t submit = 1000;
	bool memory;

	*world = (struct world){ .random = seed, .now = 1000 };
	world->trouble = trouble;
	memory = one_in(world, 2);
	lxfw_params_preset(&world->params, LXFW_POLICY_EQSPATIAL);
	world->params.eq_min_interval = one_in(world, 2) ? 0 :
						  between(world, 1, 200);
	if (one_in(world, 3))
		world->params.eq_full_after = between(world, 1, 400);
	if (one_in(world, 3)) {
		world->params.quantum = between(world, 1, 60);
		world->params.quantum_min_run = between(world, 0, 100);
		world->params.quantum_mode = one_in(world, 4) ?
			LXFW_QUANTUM_SOON : LXFW_QUANTUM_PREEMPT;
		/* It makes no difference here, but does under other policies. */
		if (!trouble && one_in(world, 2))
			world->params.quantum_end = LXFW_QUANTUM_SUSPEND;
	}
	world->sched = lxfw_sched_create(&world->params);
	assert_non_null(world->sched);
	world->host_count = (int32_t)between(world, 1, HOSTS);
	for (int32_t i = 0; i < world->host_count; i++) {
		world->total[i].procs = (int32_t)between(world, 1, 16);
		world->total[i].memory_mb = between(world, 1, 4) * 1000;
		world->total[i].extras[0] = (int32_t)between(world, 0, 2);
		world->up[i] = true;
		world->resized[i] = -LXFW_TIME_MAX;
		tell_host(world, i);
		if (one_in(world, 2)) {
			world->set |= 1u << i;
			members[count++] = i;
		}
	}
	event.host_set.count = count;
	event.host_set.hosts = members;
	apply(world, &event);
	world->job_count = (int32_t)between(world, 1, JOBS);
	for (int32_t i = 0; i < world->job_count; i++) {
		struct job *job = &world->jobs[i];

		make_request(world, &job->request, memory);
		job->request.id = (uint64_t)i + 1;
		submit += between(world, 0, 2) * between(world, 0, 60);
		job->request.submit = submit;
		job->work = between(world, 1, 500) * job->request.unit.procs;
		job->until = LXFW_NEVER;
	}
}

/* --- what hosts give ---------------------------------------------------- */

static struct lxfw_resources left_on(const struct world *world, int32_t host)
{
	struct lxfw_resources left = world->total[host];

	left.procs -= world->blocked[host];
	for (int32_t i = 0; i < world->job_count; i++) {
		if (world->jobs[i].state == RUNNING &&
		    world->jobs[i].host == host)
			lxfw_resources_subtract(&left, &world->jobs[i].has);
	}
	return left;
}

static void check_room(const struct world *world, int32_t host)
{
	struct lxfw_resources left = left_on(world, host);

	assert_true(left.procs >= 0);
	assert_true(left.memory_mb >= 0);
	assert_true(left.extras[0] >= 0);
}

static void start(struct world *world, const struct lxfw_action *action)
{
	struct job *job = &world->jobs[action->job - 1];
	const struct lxfw_resources *asked = &job->request.unit;
	int32_t host = action->shares[0].host, most = asked->procs;

	assert_int_equal(job->state, WAITING);
	assert_int_equal(action->count, 1);
	assert_true(world->up[host]);
	assert_true(job->request.host_set_count == 0 || world->set >> host & 1);
	job->has = action->shares[0].amount;
	if (job->request.exclusive) {
		struct lxfw_resources left = left_on(world, host);

		assert_true(action->until != LXFW_NEVER ||
			    left.memory_mb == world->total[host].memory_mb);
		most = world->total[host].procs;
	}
	assert_in_range(job->has.procs, job->request.exclusive ? most : 1, most);
	if (action->until == LXFW_NEVER)
		assert_int_equal(job->has.memory_mb, asked->memory_mb);
	else if (!job->request.exclusive)
		assert_int_equal(job->has.procs, asked->procs);
	job->state = RUNNING;
	job->host = host;
	job->start = world->now;
	job->until = action->until;
	job->left = job->work;
	job->foreign = job->request.exclusive || action->until != LXFW_NEVER;
	check_room(world, host);
	world->started = (int32_t)action->job - 1;
}

static void resize(struct world *world, const struct lxfw_action *action)
{
	struct job *job = &world->jobs[action->job - 1];
	int32_t procs = action->shares[0].amount.procs;

	assert_int_equal(job->state, RUNNING);
	assert_false(job->suspended);
	assert_false(job->foreign);
	assert_int_equal(action->count, 1);
	assert_int_equal(action->shares[0].host, job->host);
	assert_true(world->up[job->host]);
	assert_int_equal(action->shares[0].amount.memory_mb, job->has.memory_mb);
	assert_int_not_equal(procs, job->has.procs);
	assert_in_range(procs, 1, job->request.unit.procs);
	if (procs > job->has.procs) {
		job->has.procs = procs;
		check_room(world, job->host);
	}
	job->has.procs = procs;
	world->resizes++;
	/* Resizes are at least the interval apart, unless more is allocated than the
	 * host has. */
	assert_true(world->resized[job->host] == world->now ||
		    world->resized[job->host] + world->params.eq_min_interval <=
			    world->now || world->over[job->host]);
	world->resized[job->host] = world->now;
}

static void stop(struct job *job, enum state state)
{
	job->state = state;
	job->until = LXFW_NEVER;
	job->suspended = false;
	job->foreign = false;
	job->has = (struct lxfw_resources){ 0 };
}

static void take(struct world *world, const struct lxfw_action *action)
{
	struct job *job = &world->jobs[action->job - 1];

	switch (action->type) {
	case LXFW_ACTION_START:
		start(world, action);
		break;
	case LXFW_ACTION_RESIZE:
		resize(world, action);
		break;
	case LXFW_ACTION_SUSPEND:
		assert_int_equal(job->state, RUNNING);
		assert_false(job->suspended);
		job->suspended = true;
		job->lends = job->has.procs;
		job->has.procs = 0;
		break;
	case LXFW_ACTION_RESUME:
		assert_true(job->suspended);
		job->suspended = false;
		assert_int_equal(action->shares[0].amount.procs, job->lends);
		job->has.procs = job->lends;
		/* A block begins even if jobs run. */
		if (world->blocked[job->host] == 0)
			check_room(world, job->host);
		world->over[job->host] |= left_on(world, job->host).procs < 0;
		break;
	case LXFW_ACTION_REQUEUE:
		assert_int_equal(job->state, RUNNING);
		assert_true(job->until <= world->now);
		stop(job, WAITING);
		job->delayed = true;
		break;
	case LXFW_ACTION_RESERVE:
	case LXFW_ACTION_UNRESERVE:
		assert_true(world->trouble);
	}
	world->actions++;
	world->digest = world->digest * 1099511628211u + action->job;
	world->digest = world->digest * 1099511628211u + action->type;
	for (int32_t i = 0; i < action->count; i++)
		world->digest = world->digest * 1099511628211u +
				(uint64_t)action->shares[i].amount.procs * HOSTS +
				(uint64_t)action->shares[i].host;
}

/* --- time passes -------------------------------------------------------- */

/* Return the time at which the job completes if nothing changes. */
static int64_t end_of(const struct world *world, const struct job *job)
{
	if (job->state != RUNNING || job->has.procs == 0)
		return LXFW_NEVER;
	return world->now + (job->left + job->has.procs - 1) / job->has.procs;
}

static int64_t next_time(const struct world *world)
{
	int64_t time = world->wake;

	for (int32_t i = 0; i < world->job_count; i++) {
		const struct job *job = &world->jobs[i];
		int64_t own = job->state == FUTURE ? job->request.submit :
						     end_of(world, job);

		time = own < time ? own : time;
	}
	return time;
}

static void end_job(struct world *world, int32_t i)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_END };

	stop(&world->jobs[i], ENDED);
	event.end.id = world->jobs[i].request.id;
	apply(world, &event);
}

/* Go to the next time at which something happens; false when all jobs have ended. */
static bool step(struct world *world)
{
	int64_t next = next_time(world), elapsed = next - world->now;

	if (next >= LXFW_TIME_MAX)	/* or the end of the blocks */
		return false;
	if (elapsed < 1 && world->wake == next)
		elapsed = 1;
	if (elapsed > 0)
		world->now += elapsed;
	for (int32_t i = 0; i < world->job_count; i++) {
		struct job *job = &world->jobs[i];

		if (job->state != RUNNING)
			continue;
		job->left -= elapsed * job->has.procs;
		if (job->left > 0)
			continue;
		/* The job had no more time than its work needed, to the second. */
		assert_true(job->left > -job->has.procs);
		end_job(world, i);
	}
	for (int32_t i = 0; i < world->job_count; i++) {
		struct job *job = &world->jobs[i];
		struct lxfw_event event = {
			.type = LXFW_EVENT_JOB_SUBMIT,
			.request = &job->request,
		};

		if (job->state != FUTURE || job->request.submit > world->now)
			continue;
		job->state = WAITING;
		apply(world, &event);
	}
	return true;
}

#endif
