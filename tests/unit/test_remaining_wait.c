/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Preemptive priority: no job waits forever. A job that preemption cannot help has a
   reservation (policy/remaining.c). Schedules worked by hand, and streams of small jobs. */
#include "common/params/policy.h"
#include "tests/unit/scene.h"

#define PARAMS "lxfw_policy=remaining,lxfw_interval=0,lxfw_rem_min_run=0"

static bool suspends(const struct scene *scene, uint64_t job)
{
	return action_of(scene, LXFW_ACTION_SUSPEND, job) != NULL;
}

static bool resumes(const struct scene *scene, uint64_t job)
{
	return action_of(scene, LXFW_ACTION_RESUME, job) != NULL;
}

static void ends_at(struct scene *scene, int64_t now, uint64_t job)
{
	scene->now = now;
	end(scene, job);
	decide(scene, now);
}

static void submit_exclusive(struct scene *scene, uint64_t id, int64_t estimate)
{
	struct lxfw_request job = request(id, scene->now, 1, 0, estimate);

	job.exclusive = true;
	submit_request(scene, &job);
}

/* A host of 4 processors. Job 1 (2 processors, 100 s) runs from 0 s on. The exclusive job 2
   (100 s) comes at 10 s and is reserved from 100 s on. At 12 s job 3 (2 processors, 100 s)
   would delay it and has a lower priority: it waits. Job 4 (80 s) has a higher one and
   starts, so that the reservation begins at 92 s or later: at 100 s still. At 100 s jobs 1
   and 4 have ended and job 2 starts, before job 3. */
static void exclusive_job(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, PARAMS);
	host_with(&scene, 0, 4, 1000);
	submit(&scene, 1, 2, 0, 100);
	decide(&scene, 0);
	scene.now = 10;
	submit_exclusive(&scene, 2, 100);
	decide(&scene, 10);
	assert_int_equal(reserved(&scene, 2), 100);
	scene.now = 12;
	submit(&scene, 3, 2, 0, 100);
	decide(&scene, 12);
	assert_false(starts(&scene, 3));
	submit(&scene, 4, 2, 0, 80);
	decide(&scene, 12);
	assert_true(starts(&scene, 4) && !starts(&scene, 3));
	ends_at(&scene, 92, 4);
	assert_int_equal(scene.decision.count, 0);
	ends_at(&scene, 100, 1);
	assert_true(starts(&scene, 2) && !starts(&scene, 3));
	ends_at(&scene, 200, 2);
	assert_true(starts(&scene, 3));
	finish(&scene);
}

/* 1000 MB. Job 1 (1 processor, 600 MB, 200 s) runs from 0 s on; at 10 s job 2 (4 processors,
   20 s) preempts it, and it keeps its memory. Job 3 (1 processor, 500 MB, 50 s) comes at
   11 s, needs that memory, and is reserved from the end of job 2 on, as if job 1 kept
   nothing. At 30 s job 2 ends: job 1 resumes, since only its end helps job 3, and job 4
   (1 processor, 60 s), which comes then, waits, since the memory is overbooked from now on.
   With 190 s left job 1 ends at 220 s, and jobs 3 and 4 start. */
static void suspended_job_in_the_way(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, PARAMS);
	host_with(&scene, 0, 4, 1000);
	submit(&scene, 1, 1, 600, 200);
	decide(&scene, 0);
	scene.now = 10;
	submit(&scene, 2, 4, 0, 20);
	decide(&scene, 10);
	assert_true(suspends(&scene, 1) && starts(&scene, 2));
	scene.now = 11;
	submit(&scene, 3, 1, 500, 50);
	decide(&scene, 11);
	assert_int_equal(reserved(&scene, 3), 30);
	scene.now = 30;
	submit(&scene, 4, 1, 0, 60);
	end(&scene, 2);
	decide(&scene, 30);
	assert_true(resumes(&scene, 1));
	assert_false(starts(&scene, 3) || starts(&scene, 4));
	ends_at(&scene, 220, 1);
	assert_true(starts(&scene, 3) && starts(&scene, 4));
	finish(&scene);
}

/* 1000 MB. Job 1 (2 processors, 400 MB, 100 s) and job 2 (2 processors, 600 MB, 80 s) run
   from 0 s on. Job 3 (4 processors, 700 MB, 20 s) comes at 10 s: with all processors free it
   would lack memory, so it is reserved from 100 s on, when both have ended. Job 4 (2 processors, 0 MB, 30 s) comes at 12 s with a lower
   priority than job 3; it could preempt job 1, which would keep 400 MB beyond 100 s. It waits.
   Without job 3 it would start. */
static void no_preemption_under_the_reservation(void **state)
{
	(void)state;
	for (int with = 0; with < 2; with++) {
		struct scene scene;

		begin(&scene, PARAMS);
		host_with(&scene, 0, 4, 1000);
		submit(&scene, 1, 2, 400, 100);
		submit(&scene, 2, 2, 600, 80);
		decide(&scene, 0);
		scene.now = 10;
		if (with) {
			submit(&scene, 3, 4, 700, 20);
			decide(&scene, 10);
			assert_int_equal(reserved(&scene, 3), 100);
		}
		scene.now = 12;
		submit(&scene, 4, 2, 0, 30);
		decide(&scene, 12);
		assert_int_equal(starts(&scene, 4), !with);
		assert_int_equal(suspends(&scene, 1), !with);
		finish(&scene);
	}
}

static void reported_running(struct scene *scene, uint64_t id, int32_t procs, int64_t since)
{
	const struct lxfw_share share = { .host = 0, .amount.procs = procs };
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_RUN };

	event.run.id = id;
	event.run.expected_end = scene->now + 500;
	event.run.count = 1;
	event.run.shares = &share;
	event.run.past.since = since;
	event.run.past.submit = since;
	apply(scene, &event);
}

/* After a restart, job 1 (400 s left), which is suspended for job 2, and job 2 (100 s left)
   are reported as running on the same 4 processors. Job 1 stays suspended. Job 3 (200 s left)
   waits; when job 2 ends it starts, and job 1 resumes when it ends. With a job 2 of 990 s left
   it is job 2 that is suspended. */
static void order_after_a_restart(void **state)
{
	(void)state;
	for (int with = 0; with < 2; with++) {
		struct scene scene;

		begin(&scene, "lxfw_policy=remaining,lxfw_interval=0,lxfw_rem_min_run=10,"
			      "lxfw_rem_wait=0");
		host_with(&scene, 0, 4, 1000);
		scene.now = 100;
		submit(&scene, 1, 4, 0, 410);
		submit(&scene, 2, 4, 0, with ? 1000 : 110);
		submit(&scene, 3, 4, 0, with ? 500 : 200);
		reported_running(&scene, 1, 4, 90);
		reported_running(&scene, 2, 4, 90);
		decide(&scene, 100);
		assert_true(suspends(&scene, with ? 2 : 1));
		assert_false(suspends(&scene, with ? 1 : 2));
		if (with) {
			finish(&scene);
			continue;
		}
		assert_int_equal(scene.decision.waiting, 2);
		ends_at(&scene, 150, 2);
		assert_true(starts(&scene, 3) && !resumes(&scene, 1));
		ends_at(&scene, 200, 3);
		assert_true(resumes(&scene, 1));
		finish(&scene);
	}
}

/* As before, with the same rest and no job that waits: the one submitted last, here that of
   the higher id, stays suspended, and resumes when the other one ends. */
static void equal_priorities_after_a_restart(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=remaining,lxfw_interval=0,lxfw_rem_min_run=10");
	host_with(&scene, 0, 4, 1000);
	scene.now = 100;
	submit(&scene, 2, 4, 0, 110);
	submit(&scene, 1, 4, 0, 110);
	reported_running(&scene, 2, 4, 90);
	reported_running(&scene, 1, 4, 90);
	decide(&scene, 100);
	assert_true(suspends(&scene, 2) && !suspends(&scene, 1));
	ends_at(&scene, 200, 1);
	assert_true(resumes(&scene, 2));
	finish(&scene);
}

/* Job 1 (405 s left) and job 2 (105 s) run for 5 s only: none is suspended before 10 s, and
   then job 1, whose processors are not enough for job 3. */
static void young_jobs_after_a_restart(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=remaining,lxfw_interval=0,lxfw_rem_min_run=10,"
		      "lxfw_rem_wait=0");
	host_with(&scene, 0, 4, 1000);
	scene.now = 100;
	submit(&scene, 1, 4, 0, 410);
	submit(&scene, 2, 4, 0, 110);
	submit(&scene, 3, 4, 0, 200);
	reported_running(&scene, 1, 4, 95);
	reported_running(&scene, 2, 4, 95);
	decide(&scene, 100);
	assert_false(suspends(&scene, 1) || suspends(&scene, 2));
	assert_int_equal(scene.decision.wake, 105);
	decide(&scene, 105);
	assert_true(suspends(&scene, 1) && !suspends(&scene, 2) && !starts(&scene, 3));
	finish(&scene);
}

/* --- what may be preempted ----------------------------------------------------------------- */

/* Jobs 1 (tier 1) and 2 (tier 0) have 100 s each, job 3 (tier 1) 400 s: only job 2 is below
   it, and may be preempted after 30 s. Then a pass follows, without an interval. */
static void young_job_of_a_lower_tier(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=remaining,lxfw_rem_wait=0,lxfw_interval=0,"
		      "lxfw_rem_min_run=30");
	host_with(&scene, 0, 4, 1000);
	for (uint64_t id = 1; id <= 3; id++) {
		struct lxfw_request job = request(id, 0, 2, 0, id == 3 ? 400 : 100);

		job.tier = id != 2;
		if (id == 3) {
			decide(&scene, 0);
			scene.now = job.submit = 10;
		}
		submit_request(&scene, &job);
	}
	decide(&scene, 10);
	assert_int_equal(scene.decision.count, 0);
	assert_int_equal(scene.decision.wake, 30);
	decide(&scene, 30);
	assert_true(suspends(&scene, 2) && starts(&scene, 3));
	finish(&scene);
}

/* Job 2 has a minimum time limit. It preempts nothing, and is reserved from the end of job 1
   on. */
static void minimum_time_limit(void **state)
{
	struct lxfw_request job = request(2, 10, 4, 0, 20);
	struct scene scene;

	(void)state;
	begin(&scene, PARAMS);
	host_with(&scene, 0, 4, 1000);
	submit(&scene, 1, 4, 0, 400);
	decide(&scene, 0);
	scene.now = 10;
	job.min_estimate = 10;
	submit_request(&scene, &job);
	decide(&scene, 10);
	assert_false(starts(&scene, 2) || suspends(&scene, 1));
	assert_int_equal(reserved(&scene, 2), 400);
	finish(&scene);
}

/* Job 1 (800 of 1000 MB, 100 s) runs when the policy changes. Job 2 (300 MB) would not fit if
   job 1 were preempted, and is reserved from its end on. */
static void runs_since_another_policy(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_PARAMS };
	struct lxfw_params params;
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	host_with(&scene, 0, 4, 1000);
	submit(&scene, 1, 2, 800, 100);
	decide(&scene, 0);
	lxfw_params_preset(&params, lxfw_policy_by_name("remaining", 9));
	event.params = &params;
	scene.now = 10;
	apply(&scene, &event);
	submit(&scene, 2, 2, 300, 50);
	decide(&scene, 10);
	assert_false(starts(&scene, 2) || suspends(&scene, 1));
	assert_int_equal(reserved(&scene, 2), 100);
	finish(&scene);
}

/* Job 1 was reported without a request: nothing preempts it. */
static void job_without_request(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, PARAMS);
	host_with(&scene, 0, 4, 1000);
	reported_running(&scene, 1, 4, 0);
	scene.now = 10;
	submit(&scene, 2, 4, 0, 10);
	decide(&scene, 10);
	decide(&scene, 200);
	assert_false(starts(&scene, 2) || suspends(&scene, 1));
	finish(&scene);
}

/* A block holds all processors from FROM to TO seconds. Job 1 (40 s) runs from 0 s on; job 2
   (50 s) comes at 10 s with a lower priority, and waits. Returns whether it is reserved, which
   it is if it would not fit even on the processors of job 1. */
static bool is_reserved_beside(int64_t from, int64_t to)
{
	const struct lxfw_share share = { .host = 0, .amount.procs = 4 };
	struct lxfw_event event = { .type = LXFW_EVENT_BLOCK };
	struct scene scene;
	bool is;

	begin(&scene, PARAMS);
	host_with(&scene, 0, 4, 1000);
	submit(&scene, 1, 4, 0, 40);
	decide(&scene, 0);
	event.block.id = 1;
	event.block.start = from;
	event.block.end = to;
	event.block.count = 1;
	event.block.shares = &share;
	apply(&scene, &event);
	decide(&scene, 0);
	scene.now = 10;
	submit(&scene, 2, 4, 0, 50);
	decide(&scene, 10);
	assert_false(starts(&scene, 2));
	is = action_of(&scene, LXFW_ACTION_RESERVE, 2) != NULL;
	finish(&scene);
	return is;
}

/* Job 2 would run from 10 to 60 s: only blocks in between are in its way. */
static void blocks(void **state)
{
	(void)state;
	assert_false(is_reserved_beside(60, 90));
	assert_true(is_reserved_beside(59, 90));
	assert_false(is_reserved_beside(5, 10));
	assert_true(is_reserved_beside(5, 11));
}

/* --- streams of small jobs ----------------------------------------------------------------- */

#define HOSTS 2
#define PROCS 6
#define MEMORY 1000
#define JOBS 400
#define WAITING (-1)

enum kind { SMALL, EXCLUSIVE, LARGE_MEMORY, GROUP, MINIMUM };

struct stream_job {
	struct lxfw_request request;
	int64_t ready;		/* time from which no new job precedes it */
	int64_t left, since;	/* since: WAITING or the time since which it runs */
	int64_t start, end;	/* -1: not yet */
};

struct stream {
	uint64_t seed, random;
	struct lxfw_sched *sched;
	struct stream_job jobs[JOBS];
	int count, submitted, ended;
	int64_t now, wake;
	int64_t backlog[JOBS];	/* bound of the end of each job, from `ready` on; -1: not set */
};

static int between(struct stream *stream, int low, int high)
{
	return (int)unit_between(&stream->random, low, high);
}

/* Small jobs of 1 to 3 processors and some memory, that use about nine tenths of the machine;
   among them, one in twenty of another kind. */
static int64_t add_job(struct stream *stream, int64_t submit)
{
	enum kind kind = between(stream, 0, 19) ? SMALL : (enum kind)between(stream, 1, 4);
	struct stream_job *job = &stream->jobs[stream->count];
	struct lxfw_request *request = &job->request;

	*request = (struct lxfw_request){
		.id = (uint64_t)++stream->count, .submit = submit,
		.estimate = between(stream, 10, 60), .shape = LXFW_SHAPE_HOSTS, .count = 1,
		.unit = { .procs = between(stream, 1, 3),
			  .memory_mb = 100 * between(stream, 0, 3) },
	};
	if (kind == EXCLUSIVE) {
		request->exclusive = true;
		request->count = between(stream, 1, HOSTS);
	} else if (kind == LARGE_MEMORY) {
		request->unit.memory_mb = 950;
		request->count = between(stream, 1, HOSTS);
	} else if (kind == MINIMUM) {
		request->unit.procs = PROCS;
		request->min_estimate = 5;
	} else if (kind == GROUP && stream->count < JOBS) {
		request->group = request->id;
		request->group_count = 2;
		request->no_quantum = true;
		request->unit.procs = between(stream, 1, PROCS);
		stream->jobs[stream->count] = *job;
		stream->jobs[stream->count].request.id = (uint64_t)stream->count + 1;
		stream->count++;
	}
	for (int i = (int)request->id - 1; i < stream->count; i++) {
		struct stream_job *of = &stream->jobs[i];

		of->left = between(stream, 1, 3) == 1 ? of->request.estimate / 2 :
							of->request.estimate;
		of->since = WAITING;
		of->start = of->end = -1;
		/* a = 0.5, b = 1: its priority is then above 0, that of a new job is not. */
		of->ready = submit + 2 * of->request.estimate + 1;
		stream->backlog[i] = -1;
	}
	return submit + between(stream, 0, 13);
}

static void stream_apply(struct stream *stream, struct lxfw_event *event)
{
	struct lxfw_error error;

	event->time = stream->now;
	if (lxfw_sched_apply(stream->sched, event, &error) < 0)
		fail_msg("seed %llu: %s", (unsigned long long)stream->seed, error.text);
}

static void make_stream(struct stream *stream, uint64_t seed)
{
	struct lxfw_params params;
	struct lxfw_error error;
	int64_t submit = 0;

	memset(stream, 0, sizeof(*stream));
	stream->seed = stream->random = seed;
	stream->wake = LXFW_NEVER;
	lxfw_params_default(&params);
	if (lxfw_params_parse(&params, PARAMS, NULL, NULL, &error) < 0)
		fail_msg("%s", error.text);
	stream->sched = lxfw_sched_create(&params);
	assert_non_null(stream->sched);
	for (int32_t i = 0; i < HOSTS; i++) {
		struct lxfw_event event = { .type = LXFW_EVENT_HOST };

		event.host.index = i;
		event.host.up = true;
		event.host.total.procs = PROCS;
		event.host.total.memory_mb = MEMORY;
		stream_apply(stream, &event);
	}
	while (stream->count < JOBS)
		submit = add_job(stream, submit);
}

static int64_t end_of(const struct stream_job *job)
{
	return job->end < 0 && job->since != WAITING ? job->since + job->left : LXFW_NEVER;
}

static void take(struct stream *stream, const struct lxfw_action *action)
{
	struct stream_job *job = &stream->jobs[action->job - 1];

	switch (action->type) {
	case LXFW_ACTION_START:
		assert_int_equal(job->start, -1);
		job->start = stream->now;
		if (action->limit && action->limit < job->left)
			job->left = action->limit;
		job->since = stream->now;
		break;
	case LXFW_ACTION_RESUME:
		assert_true(job->since == WAITING);
		job->since = stream->now;
		break;
	case LXFW_ACTION_SUSPEND:
		assert_true(job->since != WAITING);
		job->left -= stream->now - job->since;
		job->since = WAITING;
		break;
	case LXFW_ACTION_RESERVE:
	case LXFW_ACTION_UNRESERVE:
		break;
	default:
		fail_msg("seed %llu: job %llu is requeued or resized",
			 (unsigned long long)stream->seed,
			 (unsigned long long)action->job);
	}
}

/* From its `ready` on, a job waits for jobs that were submitted before at most: it ends when
   they could have run one after the other, and one that was backfilled before. */
static void bound_waits(struct stream *stream)
{
	int64_t sum = stream->now + 2 * 60;

	for (int i = 0; i < stream->count; i++) {
		const struct stream_job *job = &stream->jobs[i];

		if (job->end < 0 && job->request.submit <= stream->now)
			sum += job->request.estimate;
	}
	for (int i = 0; i < stream->count; i++) {
		const struct stream_job *job = &stream->jobs[i];

		if (stream->backlog[i] < 0 && job->end < 0 && job->ready <= stream->now)
			stream->backlog[i] = sum;
		if (job->end < 0 && stream->backlog[i] >= 0 && stream->now > stream->backlog[i])
			fail_msg("seed %llu: at %lld s job %d, submitted at %lld s, has not "
				 "ended: bound %lld s", (unsigned long long)stream->seed,
				 (long long)stream->now, i + 1,
				 (long long)job->request.submit,
				 (long long)stream->backlog[i]);
	}
}

static int64_t next_time(const struct stream *stream)
{
	int64_t next = stream->wake;

	if (stream->submitted < stream->count &&
	    stream->jobs[stream->submitted].request.submit < next)
		next = stream->jobs[stream->submitted].request.submit;
	for (int i = 0; i < stream->submitted; i++) {
		if (end_of(&stream->jobs[i]) < next)
			next = end_of(&stream->jobs[i]);
	}
	if (next == LXFW_NEVER)
		fail_msg("seed %llu: jobs wait forever", (unsigned long long)stream->seed);
	return next;
}

static bool step(struct stream *stream)
{
	struct lxfw_decision decision;

	if (stream->ended == stream->count)
		return false;
	stream->now = next_time(stream);
	for (int i = 0; i < stream->submitted; i++) {
		struct stream_job *job = &stream->jobs[i];
		struct lxfw_event event = { .type = LXFW_EVENT_JOB_END };

		if (end_of(job) > stream->now)
			continue;
		event.end.id = job->request.id;
		stream_apply(stream, &event);
		job->end = stream->now;
		stream->ended++;
	}
	while (stream->submitted < stream->count &&
	       stream->jobs[stream->submitted].request.submit <= stream->now) {
		struct lxfw_event event = { .type = LXFW_EVENT_JOB_SUBMIT };

		event.request = &stream->jobs[stream->submitted++].request;
		stream_apply(stream, &event);
	}
	assert_int_equal(lxfw_sched_decide(stream->sched, stream->now, &decision), 0);
	stream->wake = decision.wake;
	for (size_t i = 0; i < decision.count; i++)
		take(stream, &decision.actions[i]);
	bound_waits(stream);
	return true;
}

static void no_job_waits_forever(void **state)
{
	uint64_t seed = unit_seed("streams of small jobs");
	const char *given = getenv("LXFW_CASES");
	uint64_t streams = given ? strtoull(given, NULL, 10) : 100;
	struct stream *stream = malloc(sizeof(*stream));
	int64_t waited = 0;

	(void)state;
	assert_non_null(stream);
	for (uint64_t i = 0; i < streams; i++) {
		make_stream(stream, seed + i);
		while (step(stream))
			continue;
		for (int j = 0; j < stream->count; j++)
			waited += stream->backlog[j] >= 0;
		lxfw_sched_destroy(stream->sched);
	}
	printf("# %lld jobs waited long enough for a bound\n", (long long)waited);
	free(stream);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exclusive_job),
		cmocka_unit_test(suspended_job_in_the_way),
		cmocka_unit_test(no_preemption_under_the_reservation),
		cmocka_unit_test(order_after_a_restart),
		cmocka_unit_test(equal_priorities_after_a_restart),
		cmocka_unit_test(young_jobs_after_a_restart),
		cmocka_unit_test(young_job_of_a_lower_tier),
		cmocka_unit_test(minimum_time_limit),
		cmocka_unit_test(runs_since_another_policy),
		cmocka_unit_test(job_without_request),
		cmocka_unit_test(blocks),
		cmocka_unit_test(no_job_waits_forever),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
