/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/preempt_world.h"

#include <string.h>

#include "common/params/policy.h"

#define REQUIRE(condition, what) \
	do { \
		if (!(condition)) \
			fail_msg("seed %llu, %lld s, job %llu %s", \
				 (unsigned long long)world->seed, \
				 (long long)world->now, \
				 (unsigned long long)job->request.id, what); \
	} while (0)

int32_t preempt_procs(const struct preempt_job *job)
{
	return job->request.unit.procs * job->request.count;
}

int32_t preempt_total(const struct preempt_world *world)
{
	int32_t procs = 0;

	for (int32_t i = 0; i < world->host_count; i++)
		procs += world->total[i].procs;
	return procs;
}

static void apply(struct preempt_world *world, struct lxfw_event *event)
{
	struct lxfw_error error;

	event->time = world->now;
	if (lxfw_sched_apply(world->sched, event, &error) < 0)
		fail_msg("seed %llu: %s", (unsigned long long)world->seed, error.text);
}

static int between(struct preempt_world *world, int low, int high)
{
	return (int)unit_between(&world->random, low, high);
}

static void make_hosts(struct preempt_world *world, bool single)
{
	world->host_count = single ? 1 : between(world, 1, PREEMPT_HOSTS);
	for (int32_t i = 0; i < world->host_count; i++) {
		struct lxfw_event event = { .type = LXFW_EVENT_HOST };

		world->total[i].procs = single ? 12 : between(world, 2, 8);
		world->total[i].memory_mb = 100 * between(world, 8, 30);
		world->total[i].extras[0] = 2;
		event.host.index = i;
		event.host.up = true;
		event.host.total = world->total[i];
		apply(world, &event);
	}
}

/* A job that fits on the empty machine: some processors of each of some hosts, or pieces
   anywhere. */
static void make_job(struct preempt_world *world, struct preempt_job *job, uint64_t id,
		     int64_t submit)
{
	struct lxfw_request *request = &job->request;
	int32_t least = 8;

	for (int32_t i = 0; i < world->host_count; i++) {
		if (world->total[i].procs < least)
			least = world->total[i].procs;
	}
	job->left = between(world, 1, 20) * between(world, 1, 20);
	request->id = id;
	request->submit = submit;
	request->estimate = job->left * between(world, 1, 3) - between(world, 0, 9);
	if (request->estimate < 1)
		request->estimate = 1;
	if (world->host_count == 1) {
		request->shape = LXFW_SHAPE_HOSTS;
		request->count = 1;
		request->unit.procs = between(world, 1, world->total[0].procs);
		request->unit.memory_mb = 100 * between(world, 0, 3);
	} else if (between(world, 0, 1)) {
		request->shape = LXFW_SHAPE_HOSTS;
		request->count = between(world, 1, world->host_count);
		request->unit.procs = between(world, 1, least);
		request->unit.memory_mb = 100 * between(world, 0, 3);
	} else {
		request->shape = LXFW_SHAPE_ANYWHERE;
		request->count = between(world, 1, preempt_total(world));
		request->unit.procs = 1;
		request->unit.memory_mb = 100 * between(world, 0, 1);
	}
	request->unit.extras[0] = request->shape == LXFW_SHAPE_HOSTS &&
				  between(world, 0, 5) == 0;
}

void preempt_world_make(struct preempt_world *world, uint64_t seed, const char *params,
			bool single)
{
	struct lxfw_error error;
	int64_t submit = 0;

	memset(world, 0, sizeof(*world));
	world->seed = world->random = seed;
	world->wake = LXFW_NEVER;
	lxfw_params_default(&world->params);
	if (lxfw_params_parse(&world->params, params, NULL, NULL, &error) < 0)
		fail_msg("%s", error.text);
	world->sched = lxfw_sched_create(&world->params);
	assert_non_null(world->sched);
	make_hosts(world, single);
	world->job_count = between(world, 5, PREEMPT_JOBS);
	for (int i = 0; i < world->job_count; i++) {
		make_job(world, &world->jobs[i], (uint64_t)i + 1, submit);
		submit += between(world, 0, 3) * between(world, 0, 60);
	}
}

void preempt_world_free(struct preempt_world *world)
{
	lxfw_sched_destroy(world->sched);
}

/* --- actions ------------------------------------------------------------------- */

static void check_capacity(const struct preempt_world *world,
			   const struct preempt_job *job)
{
	for (int32_t host = 0; host < world->host_count; host++) {
		struct lxfw_resources used = { 0 };

		for (int i = 0; i < world->job_count; i++) {
			const struct preempt_job *other = &world->jobs[i];

			for (int32_t j = 0; j < other->count; j++) {
				struct lxfw_resources amount =
					other->shares[j].amount;

				if (other->shares[j].host != host)
					continue;
				if (other->state == PREEMPT_SUSPENDED)
					amount.procs = 0;
				if (other->state == PREEMPT_SUSPENDED &&
				    world->params.rem_frees == LXFW_REM_FREES_ALL)
					continue;
				lxfw_resources_add(&used, &amount);
			}
		}
		REQUIRE(lxfw_resources_fit(&used, &world->total[host]),
			"overcommits a host");
	}
}

static void start(struct preempt_world *world, struct preempt_job *job,
		  const struct lxfw_action *action)
{
	int32_t procs = 0;

	REQUIRE(job->state == PREEMPT_WAITING, "starts, does not wait");
	REQUIRE(action->until == LXFW_NEVER, "has a quantum");
	REQUIRE(action->count >= 1 && action->count <= world->host_count,
		"starts on no host or too many");
	for (int32_t i = 0; i < action->count; i++) {
		job->shares[i] = action->shares[i];
		procs += action->shares[i].amount.procs;
	}
	REQUIRE(procs == preempt_procs(job), "starts on other processors");
	job->count = action->count;
	job->state = PREEMPT_RUNNING;
	job->start = job->since = world->now;
}

static void suspend(struct preempt_world *world, struct preempt_job *job,
		    const struct lxfw_action *action)
{
	REQUIRE(job->state == PREEMPT_RUNNING, "is suspended, does not run");
	REQUIRE(world->now - job->since >= lxfw_params_min_run(&world->params) ||
		!lxfw_params_policy(&world->params)->backfill.preempts,
		"is suspended too soon");
	REQUIRE(action->count == job->count, "is suspended on other hosts");
	for (int32_t i = 0; i < action->count; i++)
		REQUIRE(action->shares[i].amount.procs == 0, "keeps processors");
	job->left -= world->now - job->since;
	REQUIRE(job->left > 0, "is suspended after its end");
	job->suspensions++;
	job->suspended_at = world->now;
	job->state = PREEMPT_SUSPENDED;
}

static void resume(struct preempt_world *world, struct preempt_job *job,
		   const struct lxfw_action *action)
{
	REQUIRE(job->state == PREEMPT_SUSPENDED, "is resumed, was not suspended");
	REQUIRE(action->count == job->count, "is resumed on other hosts");
	for (int32_t i = 0; i < action->count; i++) {
		int32_t at = 0;

		while (at < job->count &&
		       job->shares[at].host != action->shares[i].host)
			at++;
		REQUIRE(at < job->count, "is resumed on another host");
		REQUIRE(job->shares[at].amount.procs == action->shares[i].amount.procs,
			"is resumed on other processors");
	}
	job->since = world->now;
	job->state = PREEMPT_RUNNING;
}

static void take(struct preempt_world *world, const struct lxfw_action *action)
{
	struct preempt_job *job = &world->jobs[action->job - 1];

	switch (action->type) {
	case LXFW_ACTION_START:
		start(world, job, action);
		break;
	case LXFW_ACTION_SUSPEND:
		suspend(world, job, action);
		break;
	case LXFW_ACTION_RESUME:
		resume(world, job, action);
		break;
	case LXFW_ACTION_RESERVE:
	case LXFW_ACTION_UNRESERVE:
		return;
	default:
		REQUIRE(false, "is requeued or resized");
	}
	check_capacity(world, job);
}

/* --- time ---------------------------------------------------------------------------- */

static int64_t end_of(const struct preempt_job *job)
{
	return job->state == PREEMPT_RUNNING ? job->since + job->left : LXFW_NEVER;
}

static int64_t next_time(const struct preempt_world *world)
{
	int64_t next = world->wake;

	for (int i = 0; i < world->job_count; i++) {
		const struct preempt_job *job = &world->jobs[i];
		int64_t time = job->state == PREEMPT_FUTURE ? job->request.submit :
							      end_of(job);

		if (time < next)
			next = time;
	}
	return next;
}

static bool all_ended(const struct preempt_world *world)
{
	for (int i = 0; i < world->job_count; i++) {
		if (world->jobs[i].state != PREEMPT_ENDED)
			return false;
	}
	return true;
}

bool preempt_world_step(struct preempt_world *world)
{
	int64_t next = next_time(world);

	if (all_ended(world))
		return false;
	if (next == LXFW_NEVER || next > 10000000)
		fail_msg("seed %llu: jobs wait forever",
			 (unsigned long long)world->seed);
	world->now = next > world->now ? next : world->now;
	for (int i = 0; i < world->job_count; i++) {
		struct preempt_job *job = &world->jobs[i];
		struct lxfw_event event = { .type = LXFW_EVENT_JOB_END };

		if (end_of(job) > world->now)
			continue;
		event.end.id = job->request.id;
		apply(world, &event);
		job->state = PREEMPT_ENDED;
		job->end = world->now;
		job->count = 0;
	}
	for (int i = 0; i < world->job_count; i++) {
		struct preempt_job *job = &world->jobs[i];
		struct lxfw_event event = {
			.type = LXFW_EVENT_JOB_SUBMIT, .request = &job->request,
		};

		if (job->state != PREEMPT_FUTURE || job->request.submit > world->now)
			continue;
		apply(world, &event);
		job->state = PREEMPT_WAITING;
	}
	assert_int_equal(lxfw_sched_decide(world->sched, world->now,
					   &world->decision), 0);
	world->wake = world->decision.wake;
	if (world->every_interval && world->params.interval > 0 &&
	    world->decision.waiting > 0 && world->wake > world->now + world->params.interval)
		world->wake = world->now + world->params.interval;
	for (size_t i = 0; i < world->decision.count; i++)
		take(world, &world->decision.actions[i]);
	return true;
}
