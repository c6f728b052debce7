/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PFCFS: schedules worked by hand from table 3.1 and section 4.1 of Yahyapour 2002, and
   properties of random worlds. tests/golden/pfcfs.sh compares with an independent
   program. */
#include "common/books/books.h"
#include "tests/unit/mini.h"
#include "tests/unit/preempt_world.h"
#include "tests/unit/scene.h"

/* --- schedules worked by hand --------------------------------------------------------- */

/*
 * A host with 10 processors; more than 5 are wide. Start delay 10 s, gang length 20 s.
 *   0 s: A (job 1) starts on 3 processors, B (2) on 1; 6 are free.
 *   5 s: W (3) requests 8 and is wide. 6 free processors are half of all: the start delay
 *   begins. S (4) requests 1 and waits behind W.
 *   15 s: W needs 2 more processors. B alone, the smallest job, has 1; A and B have 4, and
 *   A alone is enough. A is preempted, B continues.
 */
static void until_preempted(struct scene *scene, const char *preemptions)
{
	char params[128];

	snprintf(params, sizeof(params), "lxfw_policy=pfcfs1,lxfw_pf_delay=10,"
		 "lxfw_pf_gang=20,lxfw_pf_preemptions=%s", preemptions);
	begin(scene, params);
	host_with(scene, 0, 10, 1000);
	submit(scene, 1, 3, 0, 200);
	submit(scene, 2, 1, 0, 200);
	decide(scene, 0);
	assert_true(starts(scene, 1) && starts(scene, 2));
	scene->now = 5;
	submit(scene, 3, 8, 0, 60);
	submit(scene, 4, 1, 0, 60);
	decide(scene, 5);
	assert_false(starts(scene, 3) || starts(scene, 4));
	assert_int_equal(scene->decision.wake, 15);
	decide(scene, 14);
	assert_false(starts(scene, 3));
	decide(scene, 15);
	assert_non_null(action_of(scene, LXFW_ACTION_SUSPEND, 1));
	assert_null(action_of(scene, LXFW_ACTION_SUSPEND, 2));
	assert_true(starts(scene, 3));
	assert_int_equal(action_of(scene, LXFW_ACTION_START, 3)->until, LXFW_NEVER);
	/* One processor is free beside W and B, but no job starts while W preempts. */
	assert_false(starts(scene, 4));
}

static void ends_at(struct scene *scene, int64_t now, uint64_t job)
{
	scene->now = now;
	end(scene, job);
	decide(scene, now);
}

/* Whether no job starts, is suspended or is resumed. */
static bool is_quiet(const struct scene *scene)
{
	for (size_t i = 0; i < scene->decision.count; i++) {
		enum lxfw_action_type type = scene->decision.actions[i].type;

		if (type != LXFW_ACTION_RESERVE && type != LXFW_ACTION_UNRESERVE)
			return false;
	}
	return true;
}

static bool resumes(const struct scene *scene, uint64_t job)
{
	return action_of(scene, LXFW_ACTION_RESUME, job) != NULL;
}

static bool suspends(const struct scene *scene, uint64_t job)
{
	return action_of(scene, LXFW_ACTION_SUSPEND, job) != NULL;
}

/* n = 1 (PFCFS3): W runs to its end. Then A is resumed, and S starts. */
static void runs_to_its_end(void **state)
{
	struct scene scene;

	(void)state;
	until_preempted(&scene, "1");
	decide(&scene, 35);
	assert_true(is_quiet(&scene));
	ends_at(&scene, 65, 3);
	assert_true(resumes(&scene, 1) && starts(&scene, 4));
	finish(&scene);
}

/* n = 2 (PFCFS2): after the gang length W is suspended and A is resumed. W does not run
   on the processors that B releases at 40 s, but on its own ones when A has ended. Then
   S starts. */
static void waits_on_its_processors(void **state)
{
	struct scene scene;

	(void)state;
	until_preempted(&scene, "2");
	assert_int_equal(scene.decision.wake, 35);
	decide(&scene, 35);
	assert_true(suspends(&scene, 3) && resumes(&scene, 1));
	ends_at(&scene, 40, 2);
	assert_true(is_quiet(&scene));
	decide(&scene, 55);
	assert_true(is_quiet(&scene));
	ends_at(&scene, 120, 1);
	assert_true(resumes(&scene, 3) && starts(&scene, 4));
	assert_int_equal(action_of(&scene, LXFW_ACTION_RESUME, 3)->shares[0].amount.procs,
			 8);
	finish(&scene);
}

/* No bound (PFCFS1): W and A change every 20 s, at 35, 55, 75 and 95 s. W, which has run
   for 20 + 20 + 10 s, ends at 105 s. */
static void changes_until_one_is_over(void **state)
{
	struct scene scene;

	(void)state;
	until_preempted(&scene, "0");
	for (int64_t now = 35; now <= 95; now += 20) {
		bool wide = (now - 35) / 20 % 2;

		decide(&scene, now);
		assert_int_equal(scene.decision.count, 2);
		assert_true(suspends(&scene, wide ? 1 : 3));
		assert_true(resumes(&scene, wide ? 3 : 1));
		assert_int_equal(scene.decision.wake, now + 20);
	}
	ends_at(&scene, 105, 3);
	assert_true(resumes(&scene, 1) && starts(&scene, 4));
	finish(&scene);
}

/* n = 3: preemptions at 15, 35 and 55 s, then W runs to its end. */
static void stops_after_an_odd_number(void **state)
{
	struct scene scene;

	(void)state;
	until_preempted(&scene, "3");
	decide(&scene, 35);
	assert_true(suspends(&scene, 3));
	decide(&scene, 55);
	assert_true(suspends(&scene, 1) && resumes(&scene, 3));
	decide(&scene, 75);
	assert_true(is_quiet(&scene));
	ends_at(&scene, 90, 3);
	assert_true(resumes(&scene, 1) && starts(&scene, 4));
	finish(&scene);
}

/* With 5 processors free the delay begins when A ends at 10 s, not at the submission at
   0 s; a job of 5 processors is not wide and preempts no job. */
static void waits_for_half_of_the_machine(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=pfcfs3,lxfw_pf_delay=10");
	host_with(&scene, 0, 10, 1000);
	submit(&scene, 1, 4, 0, 200);
	submit(&scene, 2, 4, 0, 200);
	submit(&scene, 3, 6, 0, 50);
	submit(&scene, 4, 5, 0, 50);
	decide(&scene, 0);
	assert_true(starts(&scene, 2) && !starts(&scene, 3));
	decide(&scene, 9);
	assert_true(is_quiet(&scene));
	/* 6 free processors: W starts without preempting. */
	ends_at(&scene, 10, 1);
	assert_true(starts(&scene, 3));
	assert_false(suspends(&scene, 2));
	decide(&scene, 1000);
	assert_true(is_quiet(&scene));
	assert_int_equal(scene.decision.running, 2);
	finish(&scene);
}

/* Of 10 processors 4 are free until 20 s. The delay is counted from then on. */
static void delay_begins_when_enough_are_free(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=pfcfs3,lxfw_pf_delay=10");
	host_with(&scene, 0, 10, 1000);
	submit(&scene, 1, 5, 0, 200);
	submit(&scene, 2, 1, 0, 200);
	submit(&scene, 3, 7, 0, 50);
	decide(&scene, 0);
	decide(&scene, 19);
	assert_true(is_quiet(&scene));
	ends_at(&scene, 20, 2);
	assert_int_equal(scene.decision.wake, 30);
	decide(&scene, 30);
	assert_true(suspends(&scene, 1) && starts(&scene, 3));
	finish(&scene);
}

/* Suspended jobs keep their memory: W needs 700 of 1000 MB, A has 400. */
static void needs_memory_beside_suspended_jobs(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=pfcfs3,lxfw_pf_delay=10");
	host_with(&scene, 0, 10, 1000);
	submit(&scene, 1, 3, 400, 200);
	submit(&scene, 2, 8, 700, 50);
	decide(&scene, 0);
	decide(&scene, 10);
	assert_false(suspends(&scene, 1));
	ends_at(&scene, 90, 1);
	assert_true(starts(&scene, 2));
	finish(&scene);
}

/* The wide job leaves while A runs in its place. A continues, and S starts. The next wide
   job needs 4 processors more than the 5 free ones: S and A, but not B too. */
static void wide_job_is_cancelled(void **state)
{
	struct scene scene;

	(void)state;
	until_preempted(&scene, "0");
	decide(&scene, 35);
	assert_true(suspends(&scene, 3));
	ends_at(&scene, 40, 3);
	assert_false(resumes(&scene, 1));
	assert_true(starts(&scene, 4));
	submit(&scene, 5, 9, 0, 50);
	decide(&scene, 40);
	decide(&scene, 50);
	assert_true(suspends(&scene, 1) && suspends(&scene, 4) && starts(&scene, 5));
	assert_false(suspends(&scene, 2));
	finish(&scene);
}

/* A is cancelled while it is suspended: W runs as any other job, and S starts. */
static void preempted_job_is_cancelled(void **state)
{
	struct scene scene;

	(void)state;
	until_preempted(&scene, "0");
	ends_at(&scene, 20, 1);
	assert_true(starts(&scene, 4));
	decide(&scene, 35);
	assert_true(is_quiet(&scene));
	finish(&scene);
}

/* The start is refused: A is resumed, and W tries again. */
static void start_is_refused(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_REFUSED };
	struct scene scene;

	(void)state;
	until_preempted(&scene, "1");
	event.refused.id = 3;
	event.refused.until = 30;
	apply(&scene, &event);
	decide(&scene, 15);
	assert_true(resumes(&scene, 1) && starts(&scene, 4));
	decide(&scene, 30);
	decide(&scene, 40);
	assert_true(suspends(&scene, 1) && starts(&scene, 3));
	finish(&scene);
}

/* Under another policy the gang continues, and no other job starts on its processors: 1
   of 10 is free. */
static void another_policy_takes_over(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_PARAMS };
	struct lxfw_params params;
	struct scene scene;

	(void)state;
	until_preempted(&scene, "2");
	lxfw_params_preset(&params, LXFW_POLICY_LXFW);
	event.params = &params;
	apply(&scene, &event);
	submit(&scene, 5, 1, 0, 50);
	decide(&scene, 16);
	assert_true(starts(&scene, 4) != starts(&scene, 5));
	decide(&scene, 35);
	assert_true(suspends(&scene, 3) && resumes(&scene, 1));
	ends_at(&scene, 100, 1);
	assert_true(resumes(&scene, 3));
	finish(&scene);
}

/* --- random worlds ---------------------------------------------------------------------- */

struct gang {
	uint64_t wide;		/* 0: no gang */
	int64_t members;	/* bits: all jobs that are suspended or were preempted */
	int suspensions[PREEMPT_JOBS];	/* in this gang */
};

static bool is_wide(const struct preempt_world *world, const struct preempt_job *job)
{
	return preempt_procs(job) * 100 > world->params.pf_wide * preempt_total(world);
}

/* Checks of a decision: only a wide job preempts, only small ones and after its delay; no
   job suspends or resumes out of turn; and no other job starts meanwhile. */
static void check(const struct preempt_world *world, struct gang *gang)
{
	const struct lxfw_decision *decision = &world->decision;
	int64_t most = world->params.pf_preemptions;
	uint64_t wide = gang->wide;

	for (size_t i = 0; i < decision->count; i++) {
		const struct lxfw_action *action = &decision->actions[i];
		int at = (int)action->job - 1;
		const struct preempt_job *job = &world->jobs[at];

		if (action->type == LXFW_ACTION_SUSPEND) {
			if (wide == 0)
				assert_false(is_wide(world, job));
			gang->members |= INT64_C(1) << at;
			gang->suspensions[at]++;
			if (most > 0 && action->job != wide)
				assert_true(gang->suspensions[at] <= (most + 1) / 2);
			if (most > 0 && action->job == wide)
				assert_true(gang->suspensions[at] <= most / 2);
		} else if (action->type == LXFW_ACTION_RESUME) {
			assert_true(gang->members >> at & 1);
		} else if (action->type == LXFW_ACTION_START && wide == 0 &&
			   gang->members != 0) {
			assert_true(is_wide(world, job));
			assert_true(world->now - job->request.submit >=
				    world->params.pf_delay);
			gang->wide = wide = action->job;
		}
	}
	assert_true(gang->members == 0 || wide > 0);
}

/* The gang is over if its wide job has ended, or runs and no job is suspended. */
static void forget(const struct preempt_world *world, struct gang *gang)
{
	const struct preempt_job *wide = &world->jobs[gang->wide - 1];
	bool over = true;

	for (int i = 0; i < world->job_count; i++)
		over &= world->jobs[i].state != PREEMPT_SUSPENDED;
	if (gang->wide > 0 && over &&
	    (wide->state == PREEMPT_ENDED || wide->state == PREEMPT_RUNNING))
		memset(gang, 0, sizeof(*gang));
}

static void run_world(uint64_t seed, bool single, int64_t *preempted)
{
	static const char *const policies[] = { "pfcfs1", "pfcfs2", "pfcfs3" };
	uint64_t random = seed;
	struct preempt_world *world = malloc(sizeof(*world));
	struct gang gang = { 0 };
	int64_t last = -1;
	char params[256];

	assert_non_null(world);
	snprintf(params, sizeof(params), "lxfw_policy=%s,lxfw_pf_delay=%d,"
		 "lxfw_pf_gang=%d,lxfw_pf_preemptions=%d,lxfw_pf_wide=%d,lxfw_pf_free=%d,"
		 "lxfw_pf_victims=%s",
		 policies[seed % 3], (int)unit_between(&random, 1, 60),
		 (int)unit_between(&random, 1, 60), (int)unit_between(&random, 0, 5),
		 (int)unit_between(&random, 0, 10) * 10,
		 (int)unit_between(&random, 0, 5) * 10, seed % 4 < 2 ? "procs" : "end");
	preempt_world_make(world, seed, params, single);
	while (preempt_world_step(world)) {
		check(world, &gang);
		forget(world, &gang);
		/* First come, first served. */
		for (size_t i = 0; i < world->decision.count; i++) {
			const struct lxfw_action *action = &world->decision.actions[i];

			if (action->type != LXFW_ACTION_START)
				continue;
			assert_true((int64_t)action->job > last);
			last = (int64_t)action->job;
		}
	}
	for (int i = 0; i < world->job_count; i++)
		*preempted += world->jobs[i].suspensions;
	preempt_world_free(world);
	free(world);
}

/* Job 2 is refused before 12 s. W, which needs the processors of both, is wide and may
   preempt at 15 s, but job 2 has run for 3 s by then. At 22 s both are preempted. */
static void job_that_started_late(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_REFUSED };
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=pfcfs1,lxfw_pf_delay=10,lxfw_pf_gang=20");
	host_with(&scene, 0, 10, 1000);
	submit(&scene, 1, 5, 0, 200);
	submit(&scene, 2, 3, 0, 200);
	decide(&scene, 0);
	event.refused.id = 2;
	event.refused.until = 12;
	apply(&scene, &event);
	decide(&scene, 0);
	scene.now = 5;
	submit(&scene, 3, 8, 0, 60);
	decide(&scene, 5);
	decide(&scene, 12);
	assert_true(starts(&scene, 2) && !starts(&scene, 3));
	assert_int_equal(scene.decision.wake, 15);
	decide(&scene, 15);
	assert_true(is_quiet(&scene));
	assert_int_equal(scene.decision.wake, 22);
	decide(&scene, 22);
	assert_true(suspends(&scene, 1) && suspends(&scene, 2) && starts(&scene, 3));
	finish(&scene);
}

/* The processors of a host that is down do not count: 8 of 10 are wide, 8 of 20 are not. */
static void host_is_down(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST };
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=pfcfs1,lxfw_pf_delay=10,lxfw_pf_gang=20");
	host_with(&scene, 0, 10, 1000);
	event.host.index = 1;
	event.host.total.procs = 10;
	event.host.total.memory_mb = 1000;
	apply(&scene, &event);
	submit(&scene, 1, 3, 0, 200);
	submit(&scene, 2, 8, 0, 60);
	decide(&scene, 0);
	decide(&scene, 10);
	assert_true(suspends(&scene, 1) && starts(&scene, 2));
	finish(&scene);
}

/* A wide job with a minimum time limit preempts nothing. */
static void minimum_time_limit(void **state)
{
	struct lxfw_request job = request(2, 0, 8, 0, 60);
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=pfcfs1,lxfw_pf_delay=10,lxfw_pf_gang=20");
	host_with(&scene, 0, 10, 1000);
	submit(&scene, 1, 3, 0, 200);
	job.min_estimate = 30;
	submit_request(&scene, &job);
	for (int64_t now = 0; now <= 100; now += 10) {
		decide(&scene, now);
		assert_false(suspends(&scene, 1) || starts(&scene, 2));
	}
	finish(&scene);
}

static int64_t expected_end(const struct scene *scene, uint64_t id)
{
	for (size_t i = 0; i < scene->sched->jobs_used; i++) {
		if (scene->sched->jobs[i].state != LXFW_JOB_FREE &&
		    scene->sched->jobs[i].request.id == id)
			return scene->sched->jobs[i].expected_end;
	}
	fail_msg("no job %d", (int)id);
	return 0;
}

/* Jobs 1 (2 processors, 200 s) and 2 (3 processors, 100 s) are preempted at 10 s for job 3
   (10 processors, 60 s), and resume after the gang length, at 30 s. Job 3 then has 40 s left,
   and resumes when both have ended. */
static void expects_ends_of_both_sides(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=pfcfs2,lxfw_pf_delay=10,lxfw_pf_gang=20,lxfw_pf_free=0");
	host_with(&scene, 0, 10, 1000);
	submit(&scene, 1, 2, 0, 200);
	submit(&scene, 2, 3, 0, 100);
	submit(&scene, 3, 10, 0, 60);
	decide(&scene, 0);
	decide(&scene, 10);
	assert_true(suspends(&scene, 1) && suspends(&scene, 2) && starts(&scene, 3));
	assert_int_equal(expected_end(&scene, 1), 220);
	assert_int_equal(expected_end(&scene, 2), 120);
	assert_int_equal(expected_end(&scene, 3), 70);
	decide(&scene, 30);
	assert_true(resumes(&scene, 1) && resumes(&scene, 2) && suspends(&scene, 3));
	assert_int_equal(expected_end(&scene, 1), 220);
	assert_int_equal(expected_end(&scene, 2), 120);
	assert_int_equal(expected_end(&scene, 3), 260);
	finish(&scene);
}

/* Others resume W while the job that it preempted runs: it is not resumed again. The gang is
   over; when A ends, S starts beside W and B. */
static void wide_job_is_resumed_by_others(void **state)
{
	const struct lxfw_share share = { .host = 0, .amount.procs = 8 };
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_RUN };
	struct scene scene;

	(void)state;
	until_preempted(&scene, "2");
	decide(&scene, 35);
	assert_true(suspends(&scene, 3) && resumes(&scene, 1));
	scene.now = 40;
	event.run.id = 3;
	event.run.expected_end = 80;
	event.run.count = 1;
	event.run.shares = &share;
	apply(&scene, &event);
	decide(&scene, 40);
	ends_at(&scene, 60, 1);
	assert_false(resumes(&scene, 3) || suspends(&scene, 3));
	assert_true(starts(&scene, 4));
	finish(&scene);
}

static void change_policy(struct scene *scene, const char *name, size_t length)
{
	struct lxfw_event event = { .type = LXFW_EVENT_PARAMS };
	struct lxfw_params params;

	lxfw_params_preset(&params, lxfw_policy_by_name(name, length));
	event.params = &params;
	apply(scene, &event);
}

/* W has waited for 5 s when another policy takes over. It waits for its whole start delay,
   here of 60 s, after the return. */
static void delay_begins_again(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=pfcfs2");
	host_with(&scene, 0, 10, 1000);
	submit(&scene, 1, 3, 0, 2000);
	submit(&scene, 2, 8, 0, 60);
	decide(&scene, 0);
	assert_int_equal(scene.decision.wake, 60);
	scene.now = 5;
	change_policy(&scene, "easy", 4);
	decide(&scene, 5);
	assert_int_equal(scene.decision.wake, 2000);
	scene.now = 100;
	change_policy(&scene, "pfcfs2", 6);
	decide(&scene, 100);
	assert_true(is_quiet(&scene));
	assert_int_equal(scene.decision.wake, 160);
	decide(&scene, 160);
	assert_true(suspends(&scene, 1) && starts(&scene, 2));
	finish(&scene);
}

/* As until_preempted(), but A has 4 processors and a limit of 50 s, and W needs 6: of 5 free
   ones it lacks 1. B is smaller, A ends first. */
static void preempts_the_job_that_ends_first(void **state)
{
	struct scene scene;

	(void)state;
	for (int end_first = 0; end_first < 2; end_first++) {
		begin(&scene, end_first ?
			"lxfw_policy=pfcfs3,lxfw_pf_delay=10,lxfw_pf_victims=end" :
			"lxfw_policy=pfcfs3,lxfw_pf_delay=10");
		host_with(&scene, 0, 10, 1000);
		submit(&scene, 1, 4, 0, 50);
		submit(&scene, 2, 1, 0, 200);
		decide(&scene, 0);
		scene.now = 5;
		submit(&scene, 3, 6, 0, 60);
		decide(&scene, 5);
		decide(&scene, 15);
		assert_true(starts(&scene, 3));
		assert_int_equal(suspends(&scene, 1), end_first);
		assert_int_equal(suspends(&scene, 2), !end_first);
		finish(&scene);
	}
}

static void holds_in_random_worlds(void **state)
{
	uint64_t seed = unit_seed("PFCFS");
	const char *given = getenv("LXFW_CASES");
	uint64_t worlds = given ? strtoull(given, NULL, 10) : 2000;
	int64_t preempted = 0;

	(void)state;
	for (uint64_t i = 0; i < worlds; i++)
		run_world(seed + i, i % 2, &preempted);
	printf("# %lld suspensions in %llu worlds\n", (long long)preempted,
	       (unsigned long long)worlds);
	assert_true(worlds < 100 || preempted > (int64_t)worlds / 4);
}

/* Hosts fail, starts are refused, jobs are cancelled, started or extended by others: the
   actions still fit the states of the jobs and the resources of the hosts. */
static void run_disturbed(uint64_t seed, const char *name, int64_t *preempted)
{
	enum lxfw_policy policy = lxfw_policy_by_name(name, (int)strlen(name));
	struct mini *mini = malloc(sizeof(*mini));
	struct lxfw_sched *sched;
	struct lxfw_event event;

	assert_non_null(mini);
	mini_begin(mini, seed, 150, policy, MINI_NO_SERVICE);
	mini->params.pf_wide = 10;
	mini->params.pf_free = 0;
	mini->params.pf_delay = 1 + (int64_t)(seed % 50);
	mini->params.pf_gang = 1 + (int64_t)(seed % 70);
	sched = lxfw_sched_create(&mini->params);
	assert_non_null(sched);
	while (mini_next(mini, &event)) {
		struct lxfw_decision decision;
		struct lxfw_error error;

		if (lxfw_sched_apply(sched, &event, &error) < 0)
			fail_msg("%s", error.text);
		assert_int_equal(lxfw_sched_decide(sched, mini->now, &decision), 0);
		if (!mini_take(mini, &decision))
			fail_msg("seed %llu, policy %s: step %d %s",
				 (unsigned long long)seed, name, mini->step,
				 mini->wrong);
		for (size_t i = 0; i < decision.count; i++)
			*preempted += decision.actions[i].type == LXFW_ACTION_SUSPEND;
	}
	lxfw_sched_destroy(sched);
	free(mini);
}

static void holds_among_disturbances(void **state)
{
	uint64_t seed = unit_seed("PFCFS with disturbances");
	const char *given = getenv("LXFW_CASES");
	uint64_t worlds = given ? strtoull(given, NULL, 10) / 10 : 200;
	int64_t preempted = 0;

	(void)state;
	for (uint64_t i = 0; i < worlds; i++) {
		run_disturbed(seed + i, "pfcfs1", &preempted);
		run_disturbed(seed + i, "pfcfs2", &preempted);
		run_disturbed(seed + i, "pfcfs3", &preempted);
	}
	printf("# %lld suspensions\n", (long long)preempted);
	assert_true(worlds < 100 || preempted > (int64_t)worlds);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_to_its_end),
		cmocka_unit_test(waits_on_its_processors),
		cmocka_unit_test(changes_until_one_is_over),
		cmocka_unit_test(stops_after_an_odd_number),
		cmocka_unit_test(waits_for_half_of_the_machine),
		cmocka_unit_test(delay_begins_when_enough_are_free),
		cmocka_unit_test(needs_memory_beside_suspended_jobs),
		cmocka_unit_test(wide_job_is_cancelled),
		cmocka_unit_test(preempted_job_is_cancelled),
		cmocka_unit_test(start_is_refused),
		cmocka_unit_test(another_policy_takes_over),
		cmocka_unit_test(preempts_the_job_that_ends_first),
		cmocka_unit_test(job_that_started_late),
		cmocka_unit_test(host_is_down),
		cmocka_unit_test(minimum_time_limit),
		cmocka_unit_test(expects_ends_of_both_sides),
		cmocka_unit_test(wide_job_is_resumed_by_others),
		cmocka_unit_test(delay_begins_again),
		cmocka_unit_test(holds_in_random_worlds),
		cmocka_unit_test(holds_among_disturbances),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
