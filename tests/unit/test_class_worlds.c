/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Properties of every schedule with job classes, for random hosts, classes and jobs,
 * with hosts that go down and jobs that are cancelled, changed, refused and started by
 * others. Each action is checked against the rules in class_world.h. The seed is
 * printed; LXFW_SEED repeats a run, LXFW_CASES sets the number of cases.
 */
#include "tests/unit/class_world.h"

/* --- a decision --------------------------------------------------------- */

/* A host that cannot run the job any more is no longer kept for it. */
static void drop_reservations(struct world *world)
{
	for (int32_t i = 0; i < world->job_count; i++) {
		struct job *job = &world->jobs[i];

		if (job->reserved >= 0 && (!world->hosts[job->reserved].up ||
					   !could_run(world, job, job->reserved))) {
			job->reserved = -1;
			met.lost++;
		}
	}
}

/* True if the end of a job on the host is for some job, and that is JOB. */
static bool serves_end(struct world *world, const struct job *job, int32_t host)
{
	const struct job *first;

	if (world->hosts[host].ended == 0)
		return false;
	first = first_overdue(world, host);
	if (!first) {
		world->hosts[host].ended = 0;
		return false;
	}
	world->hosts[host].ended--;
	assert_ptr_equal(first, job);
	met.overdue++;
	return true;
}

static void take_start(struct world *world, struct job *job,
		       const struct lxfw_action *action)
{
	int32_t host = action->shares[0].host;
	struct lxfw_resources all = need(job);

	assert_int_equal(job->state, WAITING);
	assert_int_equal(action->count, 1);
	assert_true(world->hosts[host].up);
	assert_memory_equal(&action->shares[0].amount, &all, sizeof(all));
	assert_true(fits(world, job, host));
	assert_true(could_run(world, job, host));
	assert_true(size_open(world, size_of(world, job), host));
	assert_true(time_open(world, job));
	if (job->reserved == host) {
		world->hosts[host].ended -= world->hosts[host].ended > 0;
		met.used++;
	} else {
		assert_false(pending(world, host));
		if (!serves_end(world, job, host))
			assert_ptr_equal(next_for(world, host), job);
		/* The host that was kept has been served in the same round. */
		if (job->reserved >= 0 && job->reserved < host)
			world->hosts[job->reserved].ended = 0;
		met.elsewhere += job->reserved >= 0;
	}
	job->reserved = -1;
	job->state = RUNNING;
	job->host = host;
	job->end = world->now + job->run;
	lxfw_resources_subtract(&world->hosts[host].free, &all);
	met.starts++;
}

static void take_reserve(struct world *world, struct job *job,
			 const struct lxfw_action *action)
{
	int32_t host = action->shares[0].host;

	assert_int_equal(job->state, WAITING);
	if (job->reserved == host) {
		met.moved++;
		return;
	}
	assert_int_equal(job->reserved, -1);
	assert_false(pending(world, host));
	assert_true(serves_end(world, job, host));
	assert_false(fits(world, job, host));
	job->reserved = host;
	met.reserved++;
}

static void digest(struct world *world, const struct lxfw_action *action)
{
	uint64_t parts[] = {
		(uint64_t)action->type, action->job, (uint64_t)action->start,
		action->count > 0 ? (uint64_t)action->shares[0].host : 0,
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		world->digest = (world->digest ^ parts[i]) * 1099511628211u;
}

static void decide(struct world *world)
{
	size_t waiting = 0, running = 0;
	int32_t last = 0;

	for (int32_t i = 0; i < world->job_count; i++) {
		struct job *job = &world->jobs[i];

		if (job->state == REFUSED && job->until <= world->now)
			job->state = WAITING;
	}
	drop_reservations(world);
	assert_int_equal(lxfw_sched_decide(world->sched, world->now,
					   &world->decision), 0);
	for (size_t i = 0; i < world->decision.count; i++) {
		const struct lxfw_action *action = &world->decision.actions[i];
		struct job *job = &world->jobs[action->job - 1];
		int32_t host = action->count > 0 ? action->shares[0].host : 0;

		digest(world, action);
		/* Hosts are served by index, so all have been served once. */
		for (int32_t j = 0; host < last && j < world->host_count; j++)
			world->hosts[j].ended = 0;
		last = host;
		if (action->type == LXFW_ACTION_START)
			take_start(world, job, action);
		else if (action->type == LXFW_ACTION_RESERVE)
			take_reserve(world, job, action);
		else
			assert_int_equal(action->type, LXFW_ACTION_UNRESERVE);
	}
	for (int32_t i = 0; i < world->job_count; i++) {
		waiting += world->jobs[i].state == WAITING ||
			   world->jobs[i].state == REFUSED;
		running += world->jobs[i].state == RUNNING;
	}
	assert_int_equal(world->decision.waiting, waiting);
	assert_int_equal(world->decision.running, running);
	/* No resources are idle for which a job is entitled to start. */
	for (int32_t i = 0; i < world->host_count; i++) {
		assert_null(next_for(world, i));
		world->hosts[i].ended = 0;
	}
}

/* --- what happens ------------------------------------------------------- */

static void submit(struct world *world, struct job *job)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_SUBMIT };

	event.request = &job->request;
	apply(world, &event);
	job->state = WAITING;
}

static void end(struct world *world, struct job *job)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_END };
	struct lxfw_resources all = need(job);

	event.end.id = job->request.id;
	apply(world, &event);
	if (job->state == RUNNING) {
		lxfw_resources_add(&world->hosts[job->host].free, &all);
		world->hosts[job->host].ended++;
	}
	job->state = GONE;
	job->reserved = -1;
}

static struct job *any_job(struct world *world, enum state state)
{
	int32_t at = (int32_t)draw(world, 0, world->job_count - 1);

	for (int32_t i = 0; i < world->job_count; i++) {
		struct job *job = &world->jobs[(at + i) % world->job_count];

		if (job->state == state)
			return job;
	}
	return NULL;
}

static void change(struct world *world, struct job *job)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_CHANGE };

	make_request(world, &job->request);
	job->reserved = -1;
	event.request = &job->request;
	apply(world, &event);
}

/* A start is refused. */
static void refuse(struct world *world, struct job *job)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_REFUSED };
	struct lxfw_resources all = need(job);

	job->state = REFUSED;
	job->until = world->now + draw(world, 0, 20);
	lxfw_resources_add(&world->hosts[job->host].free, &all);
	event.refused.id = job->request.id;
	event.refused.until = job->until;
	apply(world, &event);
}

/* Others start a job, regardless of the classes. */
static void start_by_others(struct world *world, struct job *job)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_RUN };
	struct lxfw_share share = { .amount = need(job) };

	for (int32_t i = 0; i < world->host_count; i++) {
		if (!fits(world, job, i))
			continue;
		share.host = job->host = i;
		job->state = RUNNING;
		job->end = world->now + job->run;
		job->reserved = -1;
		lxfw_resources_subtract(&world->hosts[i].free, &share.amount);
		event.run.id = job->request.id;
		event.run.expected_end = world->now + job->request.estimate;
		event.run.count = 1;
		event.run.shares = &share;
		apply(world, &event);
		return;
	}
}

static void trouble(struct world *world)
{
	int32_t host = (int32_t)draw(world, 0, world->host_count - 1);
	struct job *waits = any_job(world, WAITING);

	switch (draw(world, 0, 5)) {
	case 0:
		world->hosts[host].up = !world->hosts[host].up;
		tell_host(world, host);
		break;
	case 1:
		if (waits)
			end(world, waits);
		break;
	case 2:
		if (waits)
			change(world, waits);
		break;
	case 3:
		if (waits)
			start_by_others(world, waits);
		break;
	case 4:
		if (one_in(world, 4))
			tell_classes(world);
		break;
	case 5:
		for (size_t i = 0; i < world->decision.count; i++) {
			const struct lxfw_action *action =
				&world->decision.actions[i];
			struct job *job = &world->jobs[action->job - 1];

			if (action->type == LXFW_ACTION_START &&
			    job->state == RUNNING) {
				refuse(world, job);
				break;
			}
		}
		break;
	}
}

/* Return the next time at which a job arrives, ends or is no longer passed over; or -1.
 */
static int64_t next_time(const struct world *world)
{
	int64_t next = -1;

	for (int32_t i = 0; i < world->job_count; i++) {
		const struct job *job = &world->jobs[i];
		int64_t time = -1;

		if (job->state == FUTURE)
			time = job->arrival;
		else if (job->state == RUNNING)
			time = job->end;
		else if (job->state == REFUSED)
			time = job->until;
		if (time >= 0 && (next < 0 || time < next))
			next = time;
	}
	return next;
}

static void step(struct world *world, int64_t time, bool troubled)
{
	world->now = time > world->now ? time : world->now;
	for (int32_t i = 0; i < world->job_count; i++) {
		struct job *job = &world->jobs[i];

		if (job->state == RUNNING && job->end <= world->now)
			end(world, job);
	}
	for (int32_t i = 0; i < world->job_count; i++) {
		struct job *job = &world->jobs[i];

		if (job->state == FUTURE && job->arrival <= world->now)
			submit(world, job);
	}
	decide(world);
	if (!troubled || !one_in(world, 3))
		return;
	trouble(world);
	decide(world);
}

static uint64_t run(uint64_t seed, bool troubled)
{
	static struct world world;
	int64_t time;

	world_make(&world, seed);
	while ((time = next_time(&world)) >= 0)
		step(&world, time, troubled);
	for (int32_t i = 0; i < world.host_count; i++) {
		world.hosts[i].up = true;
		tell_host(&world, i);
	}
	decide(&world);
	while ((time = next_time(&world)) >= 0)
		step(&world, time, false);
	/* Every job that some host can run has ended. */
	for (int32_t i = 0; i < world.job_count; i++) {
		const struct job *job = &world.jobs[i];

		for (int32_t j = 0; j < world.host_count; j++)
			assert_false(job->state != GONE &&
				     could_run(&world, job, j) &&
				     world.rules[j].running_most[
					     size_of(&world, job)] > 0);
	}
	lxfw_sched_destroy(world.sched);
	return world.digest;
}

static uint64_t cases(void)
{
	const char *given = getenv("LXFW_CASES");

	return given ? strtoull(given, NULL, 10) : 3000;
}

static void check_worlds(const char *what, bool troubled)
{
	uint64_t seed = unit_seed(what);

	memset(&met, 0, sizeof(met));
	for (uint64_t i = 0; i < cases(); i++)
		run(seed + i, troubled);
	printf("# %ld starts, %ld reservations, %ld moved, %ld lost, %ld used, %ld "
	       "started elsewhere, %ld ends for the overdue\n", met.starts,
	       met.reserved, met.moved, met.lost, met.used, met.elsewhere,
	       met.overdue);
	if (cases() >= 1000)
		assert_true(met.reserved > 100 && met.moved > 100 &&
			    met.used > 100 && met.elsewhere > 10 &&
			    met.overdue > met.reserved);
}

static void keeps_the_rules(void **state)
{
	(void)state;
	check_worlds("classes", false);
}

static void keeps_the_rules_in_trouble(void **state)
{
	(void)state;
	check_worlds("classes in trouble", true);
}

static void is_deterministic(void **state)
{
	uint64_t seed = unit_seed("classes again");

	(void)state;
	for (uint64_t i = 0; i < cases() / 10; i++)
		assert_true(run(seed + i, true) == run(seed + i, true));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_the_rules),
		cmocka_unit_test(keeps_the_rules_in_trouble),
		cmocka_unit_test(is_deterministic),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
