/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Properties of every schedule of EQspatial, for random hosts, jobs and events, see
 * eq_world.h. LXFW_SEED repeats a run, LXFW_CASES sets the number of cases.
 */
#include "tests/unit/eq_world.h"

/* --- equal shares ------------------------------------------------------- */

static bool is_shared(const struct job *job, int32_t host)
{
	return job->state == RUNNING && job->host == host && !job->foreign;
}

static bool is_long(const struct world *world, const struct job *job)
{
	return world->params.eq_full_after > 0 &&
	       world->now - job->start >= world->params.eq_full_after;
}

/* True if the host may deviate from an equal partition. */
static bool is_excused(const struct world *world, int32_t host)
{
	if (!world->up[host] || world->away ||
	    world->resized[host] + world->params.eq_min_interval > world->now)
		return true;
	for (int32_t i = 0; i < world->job_count; i++) {
		const struct job *job = &world->jobs[i];

		if (job->state == RUNNING && job->host == host &&
		    (job->delayed || job->suspended || job->until != LXFW_NEVER))
			return true;
	}
	return false;
}

static void check_pair(const struct world *world, const struct job *less,
		       const struct job *more)
{
	if (less->has.procs == less->request.unit.procs)
		return;
	if (is_long(world, less))
		assert_true(is_long(world, more) || more->has.procs == 1);
	else if (!is_long(world, more))
		assert_true(more->has.procs <= less->has.procs + 1);
}

static void check_equal(struct world *world, int32_t host)
{
	int32_t left = left_on(world, host).procs;

	if (is_excused(world, host))
		return;
	for (int32_t i = 0; i < world->job_count; i++) {
		const struct job *job = &world->jobs[i];

		if (!is_shared(job, host))
			continue;
		assert_true(job->has.procs >= 1);
		assert_true(left <= 0 ||
			    job->has.procs == job->request.unit.procs);
		assert_true(left >= 0 || job->has.procs == 1);
		for (int32_t j = 0; j < world->job_count; j++) {
			if (!is_shared(&world->jobs[j], host) || i == j)
				continue;
			check_pair(world, job, &world->jobs[j]);
			world->checked++;
		}
	}
}

static void decide(struct world *world)
{
	struct lxfw_decision decision;
	size_t waiting = 0;

	world->started = -1;
	for (int32_t i = 0; i < world->host_count; i++)
		world->over[i] = left_on(world, i).procs < 0;
	assert_int_equal(lxfw_sched_decide(world->sched, world->now, &decision),
			 0);
	for (size_t i = 0; i < decision.count; i++)
		take(world, &decision.actions[i]);
	for (int32_t i = 0; i < world->host_count; i++)
		check_equal(world, i);
	for (int32_t i = 0; i < world->job_count; i++) {
		struct job *job = &world->jobs[i];

		waiting += job->state == WAITING;
		job->delayed |= job->state == WAITING &&
				(job->request.unit.memory_mb > 0 ||
				 job->request.unit.extras[0] > 0 ||
				 world->trouble);
	}
	assert_int_equal(decision.waiting, waiting);
	world->wake = decision.wake;
	/* A second pass at the same time changes nothing. */
	assert_int_equal(lxfw_sched_decide(world->sched, world->now, &decision),
			 0);
	if (!lxfw_params_serve(&world->params))
		assert_int_equal(decision.count, 0);
	for (size_t i = 0; i < decision.count; i++)
		take(world, &decision.actions[i]);
	world->wake = decision.wake;
}

/* --- trouble ------------------------------------------------------------ */

static void change_host(struct world *world)
{
	int32_t host = (int32_t)between(world, 0, world->host_count - 1);

	world->up[host] = !world->up[host];
	tell_host(world, host);
	/* Jobs of a failed host end, or do not. */
	for (int32_t i = 0; i < world->job_count; i++) {
		if (!world->up[host] && world->jobs[i].state == RUNNING &&
		    world->jobs[i].host == host && one_in(world, 2))
			end_job(world, i);
	}
}

static void change_block(struct world *world)
{
	int32_t host = (int32_t)between(world, 0, world->host_count - 1);
	struct lxfw_event event = { .type = LXFW_EVENT_BLOCK };
	struct lxfw_share share = { .host = host };

	if (world->blocked[host] == 0)
		share.amount.procs =
			(int32_t)between(world, 1, world->total[host].procs);
	world->blocked[host] = share.amount.procs;
	event.block.id = (uint64_t)host + 1;
	event.block.start = world->now;
	event.block.end = LXFW_TIME_MAX;
	event.block.count = share.amount.procs > 0;
	event.block.shares = &share;
	apply(world, &event);
}

static void refuse(struct world *world)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_REFUSED };

	if (world->started < 0)
		return;
	stop(&world->jobs[world->started], WAITING);
	event.refused.id = (uint64_t)world->started + 1;
	event.refused.until = world->now + between(world, 0, 50);
	apply(world, &event);
}

/* A running job is reported with another number of processors. */
static void tell_run(struct world *world)
{
	int32_t i = (int32_t)between(world, 0, world->job_count - 1);
	struct job *job = &world->jobs[i];
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_RUN };
	struct lxfw_share share = { .host = job->host };

	if (job->state != RUNNING || job->has.procs == 0 || job->foreign)
		return;
	job->has.procs = (int32_t)between(world, 1, job->has.procs);
	share.amount = job->has;
	event.run.id = job->request.id;
	event.run.expected_end = world->now + between(world, 1, 500);
	event.run.count = 1;
	event.run.shares = &share;
	apply(world, &event);
}

static void cancel(struct world *world)
{
	int32_t i = (int32_t)between(world, 0, world->job_count - 1);

	if (world->jobs[i].state == RUNNING || world->jobs[i].state == WAITING)
		end_job(world, i);
}

static void change_job(struct world *world)
{
	int32_t i = (int32_t)between(world, 0, world->job_count - 1);
	struct job *job = &world->jobs[i];
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_CHANGE,
		.request = &job->request,
	};

	if (job->state != WAITING)
		return;
	if (job->request.unit.procs > 1)
		job->request.unit.procs--;
	job->request.unit.memory_mb /= 2;
	apply(world, &event);
}

static void change_params(struct world *world)
{
	struct lxfw_event event = {
		.type = LXFW_EVENT_PARAMS,
		.params = &world->params,
	};

	world->params.policy = one_in(world, 2) ? LXFW_POLICY_EASY :
						  LXFW_POLICY_EQSPATIAL;
	/* Shares of jobs started under another policy are not checked. */
	world->away |= world->params.policy != LXFW_POLICY_EQSPATIAL;
	apply(world, &event);
}

static void make_trouble(struct world *world)
{
	switch (between(world, 0, 10)) {
	case 0:
		change_host(world);
		break;
	case 1:
		change_block(world);
		break;
	case 2:
		refuse(world);
		break;
	case 3:
		tell_run(world);
		break;
	case 4:
		cancel(world);
		break;
	case 5:
		change_job(world);
		break;
	case 6:
		if (one_in(world, 4))
			change_params(world);
	}
}

static void repair(struct world *world)
{
	struct lxfw_event event = {
		.type = LXFW_EVENT_PARAMS,
		.params = &world->params,
	};

	for (int32_t i = 0; i < world->host_count; i++) {
		struct lxfw_event lift = { .type = LXFW_EVENT_BLOCK };

		lift.block.id = (uint64_t)i + 1;
		world->blocked[i] = 0;
		apply(world, &lift);
		world->up[i] = true;
		tell_host(world, i);
	}
	world->params.policy = LXFW_POLICY_EQSPATIAL;
	apply(world, &event);
}

/* --- the properties ----------------------------------------------------- */

static uint64_t cases(void)
{
	const char *given = getenv("LXFW_CASES");

	return given ? strtoull(given, NULL, 10) : 4000;
}

static void run(struct world *world)
{
	while (step(world)) {
		decide(world);
		if (!world->trouble)
			continue;
		make_trouble(world);
		decide(world);
	}
	world->trouble = false;
	repair(world);
	do
		decide(world);
	while (step(world));
	for (int32_t i = 0; i < world->job_count; i++)
		assert_int_equal(world->jobs[i].state, ENDED);
	lxfw_sched_destroy(world->sched);
}

static void run_all(const char *what, bool trouble)
{
	uint64_t seed = unit_seed(what);
	int64_t actions = 0, resizes = 0, checked = 0;

	for (uint64_t i = 0; i < cases(); i++) {
		static struct world world;

		make(&world, seed + i, trouble);
		run(&world);
		actions += world.actions;
		resizes += world.resizes;
		checked += world.checked;
	}
	printf("# %lld actions, %lld of them resize; %lld pairs compared\n",
	       (long long)actions, (long long)resizes, (long long)checked);
	assert_true(checked > 0 || cases() < 100);
}

static void test_without_trouble(void **state)
{
	(void)state;
	run_all("all goes well", false);
}

static void test_trouble(void **state)
{
	(void)state;
	run_all("trouble", true);
}

static void test_same_events_same_actions(void **state)
{
	uint64_t seed = unit_seed("same events, same actions");

	(void)state;
	for (uint64_t i = 0; i < cases() / 4; i++) {
		static struct world first, second;

		make(&first, seed + i, true);
		run(&first);
		make(&second, seed + i, true);
		run(&second);
		assert_int_equal(first.digest, second.digest);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_without_trouble),
		cmocka_unit_test(test_trouble),
		cmocka_unit_test(test_same_events_same_actions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
