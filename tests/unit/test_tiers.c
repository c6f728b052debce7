/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Preemption by tier (policy/site.c): schedules worked by hand, and properties of random
   worlds. */
#include "common/params/policy.h"
#include "tests/unit/preempt_world.h"
#include "tests/unit/scene.h"

#define SITE "lxfw_policy=site,lxfw_preempt_min_run=0,lxfw_preempt_tiers="

static bool suspends(const struct scene *scene, uint64_t job)
{
	return action_of(scene, LXFW_ACTION_SUSPEND, job) != NULL;
}

static bool resumes(const struct scene *scene, uint64_t job)
{
	return action_of(scene, LXFW_ACTION_RESUME, job) != NULL;
}

static void submit_tier(struct scene *scene, uint64_t id, int32_t tier, int32_t procs,
			int64_t memory, int64_t estimate)
{
	struct lxfw_request job = request(id, scene->now, procs, memory, estimate);

	job.tier = tier;
	submit_request(scene, &job);
}

static void arrives(struct scene *scene, int64_t now, uint64_t id, int32_t tier, int32_t procs)
{
	scene->now = now;
	submit_tier(scene, id, tier, procs, 0, 100);
	decide(scene, now);
}

static void ends_at(struct scene *scene, int64_t now, uint64_t job)
{
	scene->now = now;
	end(scene, job);
	decide(scene, now);
}

/* Levels of three tiers: -1 to 1, 2 to 4, -4 to -2. Of 2049: -1024 to 1024. Of two: -1 and 0, 1
   and 2. */
static void levels(void **state)
{
	struct lxfw_params params;

	(void)state;
	lxfw_params_preset(&params, LXFW_POLICY_LXFW);
	params.preempt_tiers = 3;
	for (int32_t tier = -7; tier <= 7; tier++) {
		static const int32_t of[] = { -2, -2, -2, -1, -1, -1, 0, 0, 0, 1, 1, 1, 2, 2, 2 };
		int32_t level = of[tier + 7];

		assert_int_equal(lxfw_params_level(&params, tier), level);
		assert_int_equal(lxfw_params_level_end(&params, tier), 3 * level + 1);
	}
	params.preempt_tiers = 2049;
	assert_int_equal(lxfw_params_level(&params, 1024), 0);
	assert_int_equal(lxfw_params_level(&params, -1024), 0);
	assert_int_equal(lxfw_params_level(&params, 1025), 1);
	assert_int_equal(lxfw_params_level(&params, -1025), -1);
	params.preempt_tiers = 2;
	assert_int_equal(lxfw_params_level(&params, -1), 0);
	assert_int_equal(lxfw_params_level(&params, 0), 0);
	assert_int_equal(lxfw_params_level(&params, 1), 1);
	assert_int_equal(lxfw_params_level_end(&params, 1), 2);
	params.preempt_tiers = 1;
	assert_int_equal(lxfw_params_level(&params, INT32_MIN), INT32_MIN);
	assert_int_equal(lxfw_params_level_end(&params, INT32_MAX), INT32_MAX);
	params.preempt_tiers = 1000000000;
	assert_int_equal(lxfw_params_level_end(&params, INT32_MAX), INT32_MAX);
	assert_int_equal(lxfw_params_level(&params, INT32_MAX), 2);
	assert_int_equal(lxfw_params_level(&params, INT32_MIN), -2);
}

/* A host with 10 processors. Jobs 1 to 4 have 4, 3, 2 and 1, start at 0, 10, 20 and 30 s, and
   have the tiers 0, 0, 0 and 1. */
static void four_jobs(struct scene *scene, const char *params)
{
	static const int32_t tier[] = { 0, 0, 0, 1 };

	begin(scene, params);
	host_with(scene, 0, 10, 1000);
	for (uint64_t id = 1; id <= 4; id++) {
		scene->now = (int64_t)(id - 1) * 10;
		submit_tier(scene, id, tier[id - 1], 5 - (int32_t)id, 100, 1000);
		decide(scene, scene->now);
		assert_true(starts(scene, id));
	}
}

/* Job 5 of TIER with NEED processors at 40 s preempts the jobs of the set PREEMPTED, bit i of
   job i. */
static void preempts(const char *params, int32_t tier, int32_t need, unsigned int preempted)
{
	struct scene scene;

	four_jobs(&scene, params);
	arrives(&scene, 40, 5, tier, need);
	for (uint64_t id = 1; id <= 4; id++)
		assert_int_equal(suspends(&scene, id), preempted >> id & 1);
	assert_int_equal(starts(&scene, 5), preempted != 0);
	finish(&scene);
}

/* Of the lowest level the youngest first: 3, 2, 1, then 4.
   Tier 2: 1 and 2 processors: 3. 3: 3 is not enough, 2 alone is. 4: 3 and 2 have 5, and 2
   alone has 3; both. 6: the three have 9; 1 is needed, and with 3 it has 6. 7: with 2.
   8, 9: all three. 10: all four. Tier 1 does not preempt 4, tier 0 none. */
static void preempts_the_lowest_and_youngest(void **state)
{
	(void)state;
	preempts(SITE "1", 2, 1, 1 << 3);
	preempts(SITE "1", 2, 2, 1 << 3);
	preempts(SITE "1", 2, 3, 1 << 2);
	preempts(SITE "1", 2, 4, 1 << 3 | 1 << 2);
	preempts(SITE "1", 2, 6, 1 << 3 | 1 << 1);
	preempts(SITE "1", 2, 7, 1 << 2 | 1 << 1);
	preempts(SITE "1", 2, 9, 1 << 3 | 1 << 2 | 1 << 1);
	preempts(SITE "1", 2, 10, 1 << 4 | 1 << 3 | 1 << 2 | 1 << 1);
	preempts(SITE "1", 1, 9, 1 << 3 | 1 << 2 | 1 << 1);
	preempts(SITE "1", 1, 10, 0);
	preempts(SITE "1", 0, 1, 0);
	preempts(SITE "1", -1, 1, 0);
}

/* With three tiers in a level, -1, 0 and 1 are one, and 2 is the next one. Without levels no
   job is preempted. */
static void tiers_of_a_level_do_not_preempt(void **state)
{
	(void)state;
	preempts(SITE "3", 1, 1, 0);
	preempts(SITE "3", 2, 10, 1 << 4 | 1 << 3 | 1 << 2 | 1 << 1);
	/* 4 belongs to the same level now, and is the youngest one. */
	preempts(SITE "3", 2, 1, 1 << 4);
	preempts(SITE "0", 9, 1, 0);
	preempts("lxfw_policy=site", 9, 1, 0);
}

/* Job 1 is preempted at 10 s for 100 s. Job 3, of its tier and earlier in the order of the
   site, does not run before it: with three tiers in a level a suspended job is first; with one
   its priority decides. Job 4 of the same level does not preempt it, and 5 does. */
static void resumes_first(void **state)
{
	for (int tiers = 1; tiers <= 3; tiers += 2) {
		struct lxfw_event event = { .type = LXFW_EVENT_JOB_PRIORITY };
		struct scene scene;

		(void)state;
		begin(&scene, tiers == 1 ? SITE "1" : SITE "3");
		host_with(&scene, 0, 4, 1000);
		arrives(&scene, 0, 1, 0, 4);
		arrives(&scene, 10, 2, 3, 4);
		assert_true(suspends(&scene, 1) && starts(&scene, 2));
		arrives(&scene, 20, 3, 0, 4);
		event.priority.id = 3;
		event.priority.priority = 1000;
		apply(&scene, &event);
		decide(&scene, 20);
		ends_at(&scene, 110, 2);
		assert_int_equal(resumes(&scene, 1), tiers == 3);
		assert_int_equal(starts(&scene, 3), tiers == 1);
		if (tiers == 3) {
			arrives(&scene, 120, 4, 1, 4);
			assert_false(suspends(&scene, 1));
			arrives(&scene, 130, 5, 2, 4);
			assert_true(suspends(&scene, 1) && starts(&scene, 5));
		}
		finish(&scene);
	}
}

/* Jobs are not preempted in their first 30 s; the next pass is then. */
static void young_job_is_spared(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=site,lxfw_preempt_tiers=1,lxfw_preempt_min_run=30");
	host_with(&scene, 0, 4, 1000);
	arrives(&scene, 0, 1, 0, 4);
	arrives(&scene, 10, 2, 1, 4);
	assert_false(suspends(&scene, 1));
	assert_int_equal(reserved(&scene, 2), 100);
	assert_int_equal(scene.decision.wake, 30);
	decide(&scene, 30);
	assert_true(suspends(&scene, 1) && starts(&scene, 2));
	finish(&scene);
}

/* Job 1 keeps 800 MB: preempting it does not help job 2 with 300 MB, which has a reservation
   at its end, and it is not preempted. Job 3 without memory preempts it. */
static void preempts_only_if_it_helps(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, SITE "1");
	host_with(&scene, 0, 4, 1000);
	submit_tier(&scene, 1, 0, 4, 800, 100);
	decide(&scene, 0);
	scene.now = 10;
	submit_tier(&scene, 2, 1, 1, 300, 50);
	decide(&scene, 10);
	assert_int_equal(reserved(&scene, 2), 100);
	assert_false(suspends(&scene, 1));
	arrives(&scene, 20, 3, 2, 4);
	assert_true(suspends(&scene, 1) && starts(&scene, 3));
	finish(&scene);
}

/* Job 1, suspended, keeps 800 of 1000 MB. Job 3 of a higher level needs them, and is first in
   the order; so 1 resumes without regard to its reservation, and 3 follows. */
static void resumes_in_the_way_of_a_reservation(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, SITE "1");
	host_with(&scene, 0, 4, 1000);
	submit_tier(&scene, 1, 0, 4, 800, 100);
	decide(&scene, 0);
	arrives(&scene, 10, 2, 2, 4);
	assert_true(suspends(&scene, 1) && starts(&scene, 2));
	scene.now = 20;
	submit_tier(&scene, 3, 1, 4, 300, 50);
	decide(&scene, 20);
	ends_at(&scene, 110, 2);
	assert_true(resumes(&scene, 1));
	assert_false(starts(&scene, 3));
	ends_at(&scene, 200, 1);
	assert_true(starts(&scene, 3));
	finish(&scene);
}

/* 6 processors. Job 1 with 5 is suspended for job 2 with 4 until 110 s. Job 3 with 4 for 10 s has
   the only reservation, at 110 s; job 1 has one beyond it, at 120 s. Job 4 with 2 for 200 s would
   delay it and does not start, and job 5 for 80 s does. If jobs may have reservations only when
   they are old, 4 starts. */
static void suspended_job_has_a_reservation(void **state)
{
	for (int aged = 0; aged < 2; aged++) {
		struct scene scene;

		(void)state;
		begin(&scene, aged ? SITE "1,lxfw_reservation_age=1000000" :
				     SITE "1,lxfw_reservations=1");
		host_with(&scene, 0, 6, 1000);
		arrives(&scene, 0, 1, 0, 5);
		arrives(&scene, 10, 2, 2, 4);
		assert_true(suspends(&scene, 1) && starts(&scene, 2));
		scene.now = 20;
		submit_tier(&scene, 3, 2, 4, 0, 10);
		decide(&scene, 20);
		assert_int_equal(reserved(&scene, 3), aged ? -1 : 110);
		assert_int_equal(reserved(&scene, 1), aged ? -1 : 120);
		scene.now = 30;
		submit_tier(&scene, 4, 0, 2, 0, 200);
		submit_tier(&scene, 5, 0, 2, 0, 80);
		decide(&scene, 30);
		assert_int_equal(starts(&scene, 4), aged);
		assert_int_equal(starts(&scene, 5), !aged);
		finish(&scene);
	}
}

/* The same with a job 1 that requests no reservation, and would otherwise stay suspended as long
   as jobs such as 4 arrive. */
static void suspended_job_has_one_although_it_asks_for_none(void **state)
{
	struct lxfw_request job = request(1, 0, 5, 0, 100);
	struct scene scene;

	(void)state;
	job.no_reservation = true;
	begin(&scene, SITE "1,lxfw_reservations=1");
	host_with(&scene, 0, 6, 1000);
	submit_request(&scene, &job);
	decide(&scene, 0);
	arrives(&scene, 10, 2, 2, 4);
	assert_true(suspends(&scene, 1) && starts(&scene, 2));
	decide(&scene, 20);
	assert_int_equal(reserved(&scene, 1), 110);
	scene.now = 30;
	submit_tier(&scene, 4, 0, 2, 0, 200);
	decide(&scene, 30);
	assert_false(starts(&scene, 4));
	finish(&scene);
}

/* Jobs 1 and 2 with 2 of 4 processors are equal, and are both suspended for job 3 until 110 s. Job
   4 with 4 for 10 s has the only reservation; each of them has one beyond it. */
static void each_suspended_job_has_a_reservation(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, SITE "1,lxfw_reservations=1");
	host_with(&scene, 0, 4, 1000);
	submit_tier(&scene, 1, 0, 2, 0, 100);
	arrives(&scene, 0, 2, 0, 2);
	arrives(&scene, 10, 3, 2, 4);
	assert_true(suspends(&scene, 1) && suspends(&scene, 2) && starts(&scene, 3));
	scene.now = 20;
	submit_tier(&scene, 4, 2, 4, 0, 10);
	decide(&scene, 20);
	assert_int_equal(reserved(&scene, 4), 110);
	assert_int_equal(reserved(&scene, 1), 120);
	assert_int_equal(reserved(&scene, 2), 120);
	finish(&scene);
}

/* Host A has 350 MB, B 1000. Jobs 1 and 2, suspended for job 3 until 110 s, keep 300 MB each: 1
   on both hosts, 2 on B. Job 4 needs 800 MB and 4 of 8 processors of B and has the reservation,
   as if nothing were kept. Less than nothing is left there, but 1 and 2 have their memory
   already: 1 has a reservation at the same time. */
static void suspended_jobs_need_processors_only(void **state)
{
	struct lxfw_request wide;
	struct scene scene;

	(void)state;
	begin(&scene, SITE "1,lxfw_reservations=1");
	host_with(&scene, 0, 8, 350);
	host_with(&scene, 1, 8, 1000);
	wide = request(1, 0, 2, 300, 100);
	wide.count = 2;
	submit_request(&scene, &wide);
	submit_tier(&scene, 2, 0, 6, 300, 100);
	decide(&scene, 0);
	assert_true(starts(&scene, 1) && starts(&scene, 2));
	scene.now = 10;
	wide = request(3, 10, 8, 0, 100);
	wide.count = 2;
	wide.tier = 2;
	submit_request(&scene, &wide);
	decide(&scene, 10);
	assert_true(suspends(&scene, 1) && suspends(&scene, 2) && starts(&scene, 3));
	scene.now = 20;
	submit_tier(&scene, 4, 1, 4, 800, 50);
	decide(&scene, 20);
	assert_int_equal(reserved(&scene, 4), 110);
	assert_int_equal(reserved(&scene, 1), 110);
	finish(&scene);
}

/* Exclusive jobs neither preempt nor are preempted. */
static void exclusive_jobs_wait(void **state)
{
	struct lxfw_request job;
	struct scene scene;

	(void)state;
	begin(&scene, SITE "1");
	host_with(&scene, 0, 4, 1000);
	arrives(&scene, 0, 1, 0, 4);
	job = request(2, 10, 1, 0, 50);
	job.tier = 1;
	job.exclusive = true;
	scene.now = 10;
	submit_request(&scene, &job);
	decide(&scene, 10);
	assert_false(suspends(&scene, 1) || starts(&scene, 2));
	ends_at(&scene, 100, 1);
	assert_true(starts(&scene, 2));
	arrives(&scene, 110, 3, 2, 4);
	assert_false(suspends(&scene, 2) || starts(&scene, 3));
	finish(&scene);
}

/* A running job gets another tier: the one of a higher level is not preempted any more, and one of a
   lower level is. A job that was not submitted has no tier. */
static void running_job_changes_its_level(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_CHANGE };
	struct lxfw_request job = request(1, 0, 4, 0, 100);
	struct lxfw_share share = { .host = 1, .amount.procs = 1 };
	struct scene scene;

	(void)state;
	begin(&scene, SITE "1");
	host_with(&scene, 0, 4, 1000);
	host_with(&scene, 1, 1, 1000);
	arrives(&scene, 0, 1, 0, 4);
	job.tier = 1;
	event.request = &job;
	apply(&scene, &event);
	arrives(&scene, 10, 2, 1, 4);
	assert_false(suspends(&scene, 1));
	job.tier = -1;
	job.estimate = 1000;
	apply(&scene, &event);
	decide(&scene, 20);
	assert_true(suspends(&scene, 1) && starts(&scene, 2));
	/* Nothing else has changed. */
	ends_at(&scene, 30, 2);
	assert_true(resumes(&scene, 1));
	arrives(&scene, 40, 4, -1, 4);
	assert_int_equal(reserved(&scene, 4), 110);
	event.type = LXFW_EVENT_JOB_RUN;
	event.run.id = 9;
	event.run.shares = &share;
	event.run.count = 1;
	event.run.expected_end = 1000;
	apply(&scene, &event);
	event = (struct lxfw_event){ .type = LXFW_EVENT_JOB_CHANGE, .request = &job };
	job.id = 9;
	assert_int_equal(refuse_to_apply(&scene, &event), ENOENT);
	finish(&scene);
}

/* Switched on while jobs run and wait, and off while one is suspended, which resumes. */
static void is_switched_on_and_off(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_PARAMS };
	struct lxfw_params params;
	struct lxfw_error error;
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=site");
	host_with(&scene, 0, 4, 1000);
	arrives(&scene, 0, 1, 0, 4);
	arrives(&scene, 10, 2, 1, 4);
	assert_false(suspends(&scene, 1));
	lxfw_params_default(&params);
	assert_int_equal(lxfw_params_parse(&params, SITE "1", NULL, NULL, &error), 0);
	event.params = &params;
	apply(&scene, &event);
	decide(&scene, 20);
	assert_true(suspends(&scene, 1) && starts(&scene, 2));
	params.preempt_tiers = 0;
	apply(&scene, &event);
	decide(&scene, 30);
	ends_at(&scene, 40, 2);
	assert_true(resumes(&scene, 1));
	finish(&scene);
}

/* --- random worlds --------------------------------------------------------------------- */

static struct preempt_world *make_world(uint64_t seed, bool single)
{
	uint64_t random = seed;
	struct preempt_world *world = malloc(sizeof(*world));
	char params[200];

	assert_non_null(world);
	snprintf(params, sizeof(params), "lxfw_policy=site,lxfw_preempt_tiers=%d,"
		 "lxfw_preempt_min_run=%d,lxfw_reservations=%d,"
		 "lxfw_reservation_age=%d",
		 (int)unit_between(&random, 1, 3), (int)unit_between(&random, 0, 2) * 13,
		 (int)unit_between(&random, 1, 4),
		 unit_between(&random, 0, 3) ? 0 : 1000);
	preempt_world_make(world, seed, params, single);
	for (int i = 0; i < world->job_count; i++) {
		struct lxfw_request *job = &world->jobs[i].request;

		job->tier = (int32_t)unit_between(&random, 0, 6) - 3;
		/* Priorities and processors alone decide in worlds with one host. */
		if (single) {
			job->unit.memory_mb = 0;
			job->unit.extras[0] = 0;
		}
	}
	return world;
}

static int32_t level_of(const struct preempt_world *world, const struct preempt_job *job)
{
	return lxfw_params_level(&world->params, job->request.tier);
}

/* The tier by which the job is ordered. */
static int32_t tier_of(const struct preempt_world *world, const struct preempt_job *job,
		       bool suspended)
{
	return suspended ? lxfw_params_level_end(&world->params, job->request.tier) :
			   job->request.tier;
}

/* JOB, which starts or resumes, is before all jobs that wait after the decision: it had no
   reservations to regard. */
static bool is_before_all(const struct preempt_world *world, const struct preempt_job *job,
			  const struct lxfw_action *action)
{
	int32_t tier = tier_of(world, job, action->type == LXFW_ACTION_RESUME);

	for (int i = 0; i < world->job_count; i++) {
		const struct preempt_job *other = &world->jobs[i];
		bool suspended = other->state == PREEMPT_SUSPENDED;

		if ((suspended || other->state == PREEMPT_WAITING) &&
		    tier_of(world, other, suspended) >= tier)
			return false;
	}
	return true;
}

/* Each suspended job is of a lower level than the next one that starts or resumes, and with
   one host no job is suspended in vain: without it that one would not fit. */
static int check_victims(const struct preempt_world *world, bool single)
{
	int32_t used = 0, released = 0, least = INT32_MAX;
	const struct lxfw_decision *decision = &world->decision;
	int victims = 0;

	/* As it was before the decision. */
	for (int i = 0; i < world->job_count; i++)
		used += world->jobs[i].state == PREEMPT_RUNNING ?
				preempt_procs(&world->jobs[i]) : 0;
	for (size_t i = 0; i < decision->count; i++) {
		const struct lxfw_action *action = &decision->actions[i];
		int32_t procs = preempt_procs(&world->jobs[action->job - 1]);

		used += action->type == LXFW_ACTION_SUSPEND ? procs :
			action->type == LXFW_ACTION_START ||
			action->type == LXFW_ACTION_RESUME ? -procs : 0;
	}
	for (size_t i = 0; i < decision->count; i++) {
		const struct lxfw_action *action = &decision->actions[i];
		const struct preempt_job *job = &world->jobs[action->job - 1];

		if (action->type == LXFW_ACTION_SUSPEND) {
			released += preempt_procs(job);
			if (preempt_procs(job) < least)
				least = preempt_procs(job);
			victims++;
			for (size_t j = i + 1; j < decision->count; j++) {
				const struct lxfw_action *next = &decision->actions[j];

				if (next->type != LXFW_ACTION_START &&
				    next->type != LXFW_ACTION_RESUME)
					continue;
				if (level_of(world, job) >=
				    level_of(world, &world->jobs[next->job - 1]))
					fail_msg("seed %llu: job %llu is preempted by %llu",
						 (unsigned long long)world->seed,
						 (unsigned long long)action->job,
						 (unsigned long long)next->job);
				break;
			}
		} else if (action->type == LXFW_ACTION_START ||
			   action->type == LXFW_ACTION_RESUME) {
			int32_t left = preempt_total(world) - used;

			if (single && released > 0 && is_before_all(world, job, action) &&
			    left + released - least >= preempt_procs(job))
				fail_msg("seed %llu, %lld s: a job too many is preempted for %llu",
					 (unsigned long long)world->seed,
					 (long long)world->now,
					 (unsigned long long)action->job);
			used += preempt_procs(job) - released;
			released = 0;
			least = INT32_MAX;
		}
	}
	return victims;
}

/* The first waiting job on one host cannot start, even if it preempted all that it may. */
static void check_first(const struct preempt_world *world)
{
	const struct preempt_job *first = NULL;
	int32_t first_tier = 0, left = preempt_total(world);

	for (int i = 0; i < world->job_count; i++) {
		const struct preempt_job *job = &world->jobs[i];
		int32_t tier = tier_of(world, job, job->state == PREEMPT_SUSPENDED);

		/* One that was suspended now waits for the next pass. */
		if (job->state == PREEMPT_SUSPENDED && job->suspended_at == world->now)
			return;
		if (job->state == PREEMPT_RUNNING)
			left -= preempt_procs(job);
		if ((job->state != PREEMPT_WAITING && job->state != PREEMPT_SUSPENDED) ||
		    (first && tier <= first_tier))
			continue;
		first = job;
		first_tier = tier;
	}
	for (int i = 0; first && i < world->job_count; i++) {
		const struct preempt_job *job = &world->jobs[i];

		if (job->state == PREEMPT_RUNNING && job->since < world->now &&
		    world->now - job->since >= world->params.preempt_min_run &&
		    level_of(world, job) < level_of(world, first))
			left += preempt_procs(job);
	}
	if (first && left >= preempt_procs(first))
		fail_msg("seed %llu, %lld s: the first job, %llu, could start",
			 (unsigned long long)world->seed, (long long)world->now,
			 (unsigned long long)first->request.id);
}

static void holds_in_random_worlds(void **state)
{
	uint64_t seed = unit_seed("preemption by tier");
	const char *given = getenv("LXFW_CASES");
	uint64_t worlds = given ? strtoull(given, NULL, 10) : 2000;
	int64_t preempted = 0;

	(void)state;
	for (uint64_t i = 0; i < worlds; i++) {
		struct preempt_world *world = make_world(seed + i, i % 2);

		while (preempt_world_step(world)) {
			preempted += check_victims(world, i % 2);
			if (i % 2)
				check_first(world);
		}
		preempt_world_free(world);
		free(world);
	}
	printf("# %lld suspensions in %llu worlds\n", (long long)preempted,
	       (unsigned long long)worlds);
	assert_true(worlds < 100 || preempted > (int64_t)worlds);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels),
		cmocka_unit_test(preempts_the_lowest_and_youngest),
		cmocka_unit_test(tiers_of_a_level_do_not_preempt),
		cmocka_unit_test(resumes_first),
		cmocka_unit_test(young_job_is_spared),
		cmocka_unit_test(preempts_only_if_it_helps),
		cmocka_unit_test(resumes_in_the_way_of_a_reservation),
		cmocka_unit_test(suspended_job_has_a_reservation),
		cmocka_unit_test(suspended_job_has_one_although_it_asks_for_none),
		cmocka_unit_test(each_suspended_job_has_a_reservation),
		cmocka_unit_test(suspended_jobs_need_processors_only),
		cmocka_unit_test(exclusive_jobs_wait),
		cmocka_unit_test(running_job_changes_its_level),
		cmocka_unit_test(is_switched_on_and_off),
		cmocka_unit_test(holds_in_random_worlds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
