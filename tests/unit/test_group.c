/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups of jobs: all start at the same time or none, each on hosts of its own, and have
 * one reservation. */
#include "tests/unit/scene.h"

static struct lxfw_request member(uint64_t id, uint64_t group, int32_t count,
				  int32_t procs, int64_t estimate)
{
	struct lxfw_request job = request(id, 0, procs, 1, estimate);

	job.group = group;
	job.group_count = count;
	job.no_quantum = true;
	return job;
}

static void submit_member(struct scene *scene, uint64_t id, uint64_t group,
			  int32_t count, int32_t procs, int64_t estimate)
{
	struct lxfw_request job = member(id, group, count, procs, estimate);

	job.submit = scene->now;
	submit_request(scene, &job);
}

static void three_hosts(struct scene *scene, const char *params)
{
	begin(scene, params);
	for (int32_t i = 0; i < 3; i++)
		host_with(scene, i, 4, 1000);
}

static void refuse(struct scene *scene, uint64_t id, int64_t until)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_REFUSED };

	event.refused.id = id;
	event.refused.until = until;
	apply(scene, &event);
}

static void start_together(void **state)
{
	struct scene scene;

	(void)state;
	three_hosts(&scene, "lxfw_policy=easy");
	submit_member(&scene, 2, 1, 3, 1, 50);
	submit_member(&scene, 1, 1, 3, 1, 100);
	decide(&scene, 0);
	assert_int_equal(scene.decision.count, 0);	/* one is missing */
	submit_member(&scene, 3, 1, 3, 1, 50);
	decide(&scene, 1);
	assert_int_equal(scene.decision.count, 3);
	for (uint64_t id = 1; id <= 3; id++)
		assert_int_equal(scene.decision.actions[id - 1].job, id);
	/* One host has room for all, but each has one of its own. */
	assert_int_not_equal(host_of(&scene, 1), host_of(&scene, 2));
	assert_int_not_equal(host_of(&scene, 1), host_of(&scene, 3));
	assert_int_not_equal(host_of(&scene, 2), host_of(&scene, 3));
	finish(&scene);
}

/* Two hosts are occupied until 100 and 200. The group has the third one and the second one
   from 100 on. Jobs that end later are not backfilled there. */
static void reserved_together(void **state)
{
	static const char *const params[] = {
		"lxfw_policy=easy", "lxfw_policy=conservative", "lxfw_policy=fcfs",
		"lxfw_policy=easy,lxfw_reservations=3",
	};
	struct scene scene;

	(void)state;
	for (int i = 0; i < 4; i++) {
		three_hosts(&scene, params[i]);
		submit(&scene, 'a', 4, 1, 200);
		submit(&scene, 'b', 4, 1, 100);
		decide(&scene, 0);
		submit_member(&scene, 1, 1, 2, 4, 300);
		submit_member(&scene, 2, 1, 2, 4, 300);
		decide(&scene, 0);
		assert_int_equal(reserved(&scene, 1), 100);
		assert_int_equal(reserved(&scene, 2), 100);
		scene.now = 10;
		submit(&scene, 'c', 4, 1, 91);
		decide(&scene, 10);
		assert_false(starts(&scene, 'c'));
		scene.now = 20;
		submit(&scene, 'd', 4, 1, 80);
		decide(&scene, 20);
		assert_true(starts(&scene, 'd') == (i != 2));	/* not under FCFS */
		scene.now = 100;
		end(&scene, 'b');
		if (i != 2)
			end(&scene, 'd');
		decide(&scene, 100);
		assert_true(starts(&scene, 1));
		assert_true(starts(&scene, 2));
		finish(&scene);
	}
}

/* The fullest host is the one with the extra, which only the second job needs. */
static void needs_the_same_host(void **state)
{
	struct scene scene;
	struct lxfw_request job;

	(void)state;
	three_hosts(&scene, "lxfw_policy=easy");
	submit(&scene, 'a', 1, 1, 100);
	decide(&scene, 0);
	assert_int_equal(host_of(&scene, 'a'), 0);
	submit_member(&scene, 1, 1, 2, 3, 50);
	job = member(2, 1, 2, 1, 50);
	job.unit.extras[0] = 1;
	submit_request(&scene, &job);
	decide(&scene, 0);
	assert_int_equal(host_of(&scene, 2), 0);
	assert_int_not_equal(host_of(&scene, 1), 0);
	finish(&scene);
}

/* The same for a reservation. */
static void reserves_the_same_host(void **state)
{
	struct scene scene;
	struct lxfw_request job;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	host_with(&scene, 0, 4, 1000);
	host_with(&scene, 1, 4, 1000);
	submit(&scene, 'a', 4, 1, 100);
	submit(&scene, 'b', 4, 1, 100);
	decide(&scene, 0);
	submit_member(&scene, 1, 1, 2, 4, 50);
	job = member(2, 1, 2, 1, 50);
	job.unit.extras[0] = 1;
	submit_request(&scene, &job);
	decide(&scene, 0);
	assert_int_equal(reserved(&scene, 1), 100);
	assert_int_equal(reserved(&scene, 2), 100);
	assert_int_equal(action_of(&scene, LXFW_ACTION_RESERVE, 2)->shares[0].host, 0);
	assert_int_equal(action_of(&scene, LXFW_ACTION_RESERVE, 1)->shares[0].host, 1);
	finish(&scene);
}

static void members_with_other_estimates(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	host_with(&scene, 0, 4, 1000);
	host_with(&scene, 1, 4, 1000);
	submit(&scene, 'a', 4, 1, 100);
	decide(&scene, 0);
	/* The first job, on either host, needs 10 s only. */
	submit_member(&scene, 1, 1, 2, 4, 10);
	submit_member(&scene, 2, 1, 2, 4, 1000);
	decide(&scene, 0);
	assert_int_equal(reserved(&scene, 1), 100);
	scene.now = 100;
	end(&scene, 'a');
	decide(&scene, 100);
	assert_true(starts(&scene, 1) && starts(&scene, 2));
	submit(&scene, 'b', 4, 1, 10);
	submit(&scene, 'c', 4, 1, 10);
	decide(&scene, 100);
	assert_int_equal(reserved(&scene, 'b'), 110);
	end(&scene, 1);
	decide(&scene, 110);
	assert_true(starts(&scene, 'b'));
	finish(&scene);
}

/* A refused job takes its group out of the queue until it is admitted again. */
static void refused(void **state)
{
	struct scene scene;

	(void)state;
	three_hosts(&scene, "lxfw_policy=easy");
	submit_member(&scene, 1, 9, 2, 4, 100);
	submit_member(&scene, 2, 9, 2, 4, 100);
	decide(&scene, 0);
	assert_true(starts(&scene, 1) && starts(&scene, 2));
	refuse(&scene, 2, 30);
	refuse(&scene, 1, 20);
	decide(&scene, 20);
	assert_int_equal(scene.decision.count, 0);
	assert_int_equal(scene.decision.waiting, 2);
	assert_int_equal(scene.decision.wake, 30);
	decide(&scene, 30);
	assert_true(starts(&scene, 1) && starts(&scene, 2));
	finish(&scene);
}

/* The reservation of the group ends, and is reported as lost for all jobs, when one of
   them is cancelled, changed or started by others. */
static void leaves(void **state)
{
	struct scene scene;

	(void)state;
	for (int what = 0; what < 4; what++) {
		struct lxfw_share share = { .host = 0, .amount = { .procs = 1 } };
		struct lxfw_request other = member(2, 1, 3, 4, 100);
		struct lxfw_request wide = member(1, 1, 2, 4, 100);
		struct lxfw_event event = { .type = LXFW_EVENT_JOB_RUN };

		three_hosts(&scene, "lxfw_policy=easy");
		submit(&scene, 'a', 4, 1, 100);
		submit(&scene, 'b', 4, 1, 100);
		decide(&scene, 0);
		wide.count = 2;
		submit_request(&scene, &wide);
		submit_member(&scene, 2, 1, 2, 4, 100);
		decide(&scene, 0);
		assert_int_equal(reserved(&scene, 1), 100);
		submit(&scene, 'c', 4, 1, 200);
		decide(&scene, 0);
		assert_false(starts(&scene, 'c'));
		if (what < 2) {
			end(&scene, what == 0 ? 1 : 2);
		} else if (what == 2) {
			event.type = LXFW_EVENT_JOB_CHANGE;
			event.request = &other;
			apply(&scene, &event);
		} else {
			event.run.id = 2;
			event.run.count = 1;
			event.run.shares = &share;
			event.run.expected_end = 10;
			apply(&scene, &event);
		}
		decide(&scene, 0);
		assert_true(starts(&scene, 'c'));
		assert_true(what == 0 ||
			    action_of(&scene, LXFW_ACTION_UNRESERVE, 1));
		assert_true(what == 1 || what == 3 ||
			    action_of(&scene, LXFW_ACTION_UNRESERVE, 2));
		finish(&scene);
	}
}

static void cannot_start(void **state)
{
	struct scene scene;

	(void)state;
	three_hosts(&scene, "lxfw_policy=easy");
	submit_member(&scene, 1, 1, 4, 1, 10);
	submit_member(&scene, 2, 1, 4, 1, 10);
	submit_member(&scene, 3, 1, 4, 1, 10);
	submit_member(&scene, 4, 1, 4, 1, 10);	/* four jobs, three hosts */
	submit_member(&scene, 5, 5, 2, 1, 10);
	submit_member(&scene, 6, 5, 2, 5, 10);	/* too large */
	decide(&scene, 0);
	assert_int_equal(scene.decision.count, 0);
	for (uint64_t id = 1; id <= 6; id++)
		assert_int_equal(lxfw_sched_can_start(scene.sched, id), 0);
	submit(&scene, 'a', 4, 1, 10);
	decide(&scene, 0);
	assert_true(starts(&scene, 'a'));
	finish(&scene);
}

static void other_policies(void **state)
{
	static const char *const params[] = {
		"lxfw_policy=eqspatial", "lxfw_policy=classes",
	};
	struct lxfw_request job = member(1, 1, 2, 1, 10), good = job;
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_SUBMIT, .request = &job,
	};
	struct scene scene;

	(void)state;
	job.rigid = true;
	for (int i = 0; i < 2; i++) {
		three_hosts(&scene, params[i]);
		assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
		finish(&scene);
	}
	three_hosts(&scene, "lxfw_policy=easy");
	job = good;
	job.group_count = 1;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	job = good;
	job.group_count = LXFW_GROUP_MAX + 1;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	job = good;
	job.group = 0;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	job = good;
	job.no_quantum = false;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	job = good;
	submit_request(&scene, &job);
	job.group = 2;
	event.type = LXFW_EVENT_JOB_CHANGE;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	finish(&scene);
}

/* --- properties --------------------------------------------------------------------- */

#define HOSTS 5
#define JOBS 60

struct job {
	struct lxfw_request request;
	int64_t end;		/* running: time of its end; else 0 */
	int64_t promised;	/* LXFW_NEVER: no reservation so far */
	const struct lxfw_action *starting;	/* in this decision */
	struct lxfw_share shares[HOSTS];
	int32_t count;
	bool submitted, over;
};

struct world {
	struct scene scene;
	struct job jobs[JOBS + 1];
	int32_t count;
	int32_t procs[HOSTS], used[HOSTS];
	bool keeps;		/* announced starts are upper bounds */
	bool refused;		/* a group, since the last decision */
	int together;		/* groups that started */
};

static void any_job(struct world *world, uint64_t *random, uint64_t group,
		    int32_t members)
{
	struct job *job = &world->jobs[++world->count];

	job->promised = LXFW_NEVER;
	job->request = request((uint64_t)world->count, 0,
			       (int32_t)unit_between(random, 1, 4), 1,
			       unit_between(random, 1, 50));
	if (unit_between(random, 0, 2) == 0) {
		job->request.shape = LXFW_SHAPE_ANYWHERE;
		job->request.count = (int32_t)unit_between(random, 1, 4);
		job->request.unit.procs = 1;
	}
	job->request.exclusive = unit_between(random, 0, 9) == 0;
	if (!group)
		return;
	job->request.group = group;
	job->request.group_count = members;
	job->request.no_quantum = true;
}

static void make_world(struct world *world, uint64_t seed, const char *params)
{
	uint64_t random = seed;

	memset(world, 0, sizeof(*world));
	begin(&world->scene, params);
	for (int32_t i = 0; i < HOSTS; i++) {
		world->procs[i] = (int32_t)unit_between(&random, 4, 8);
		host_with(&world->scene, i, world->procs[i], 1000);
	}
	while (world->count + 4 < JOBS) {
		int32_t members = unit_between(&random, 0, 2) ? 1 :
				  (int32_t)unit_between(&random, 2, 4);
		uint64_t group = members > 1 ? (uint64_t)world->count + 1 : 0;

		for (int32_t i = 0; i < members; i++)
			any_job(world, &random, group, members);
	}
}

static void end_job(struct world *world, struct job *job)
{
	for (int32_t i = 0; i < job->count; i++)
		world->used[job->shares[i].host] -= job->shares[i].amount.procs;
	job->end = 0;
	job->over = true;
	end(&world->scene, job->request.id);
}

/* All jobs of the group start in this decision, no two of them on the same host. */
static void check_group(const struct world *world, const struct job *job)
{
	bool used[HOSTS] = { false };
	int32_t count = 0;

	for (int32_t i = 1; i <= world->count; i++) {
		const struct job *other = &world->jobs[i];

		if (other->request.group != job->request.group)
			continue;
		assert_non_null(other->starting);
		count++;
		for (int32_t at = 0; at < other->starting->count; at++) {
			int32_t host = other->starting->shares[at].host;

			assert_false(used[host]);
			used[host] = true;
		}
	}
	assert_int_equal(count, job->request.group_count);
}

static void start_job(struct world *world, struct job *job,
		      const struct lxfw_action *action, uint64_t *random)
{
	assert_true(job->submitted && !job->over && job->end == 0);
	if (world->keeps)
		assert_true(action->start <= job->promised);
	job->count = action->count;
	for (int32_t i = 0; i < action->count; i++) {
		const struct lxfw_share *share = &action->shares[i];

		job->shares[i] = *share;
		world->used[share->host] += share->amount.procs;
		assert_true(world->used[share->host] <= world->procs[share->host]);
	}
	job->starting = action;
	job->end = action->start + unit_between(random, 1, job->request.estimate);
}

static void take_decision(struct world *world, uint64_t *random)
{
	const struct lxfw_decision *decision = &world->scene.decision;

	for (int32_t i = 1; i <= world->count; i++)
		world->jobs[i].starting = NULL;
	for (size_t i = 0; i < decision->count; i++) {
		const struct lxfw_action *action = &decision->actions[i];
		struct job *job = &world->jobs[action->job];

		if (action->type == LXFW_ACTION_START)
			start_job(world, job, action, random);
		if (action->type == LXFW_ACTION_RESERVE) {
			if (world->keeps)
				assert_true(action->start <= job->promised);
			job->promised = action->start;
		}
		if (action->type == LXFW_ACTION_UNRESERVE)
			job->promised = LXFW_NEVER;
	}
	for (int32_t i = 1; i <= world->count; i++) {
		const struct job *job = &world->jobs[i];

		if (!job->starting || job->request.group == 0)
			continue;
		check_group(world, job);
		world->together += job->request.group == job->request.id;
	}
}

/* The next time at which a job ends, or NOW + 1 while jobs are to be submitted and after a
   refusal. */
static int64_t next_time(const struct world *world, bool more)
{
	int64_t next = more || world->refused ? world->scene.now + 1 : LXFW_NEVER;

	for (int32_t i = 1; i <= world->count; i++) {
		if (world->jobs[i].end > 0 && world->jobs[i].end < next)
			next = world->jobs[i].end;
	}
	if (world->scene.decision.wake < next)
		next = world->scene.decision.wake;
	return next;
}

static void submit_some(struct world *world, uint64_t *random, int32_t *next)
{
	int32_t some = (int32_t)unit_between(random, 0, 3);

	for (; *next <= world->count && some > 0; some--, ++*next) {
		struct job *job = &world->jobs[*next];

		job->request.submit = world->scene.now;
		job->submitted = true;
		submit_request(&world->scene, &job->request);
	}
}

/* Refuse a start now and then: the host refuses all jobs of a group. */
static void maybe_refuse(struct world *world, uint64_t *random)
{
	int64_t until = world->scene.now + unit_between(random, 0, 5);
	uint64_t group = 0;

	world->refused = false;
	for (int32_t i = 1; i <= world->count; i++) {
		struct job *job = &world->jobs[i];

		if (!job->starting || job->request.group == 0 ||
		    (group == 0 && unit_between(random, 0, 3)) ||
		    (group != 0 && job->request.group != group))
			continue;
		if (group == 0 && job->request.group != job->request.id)
			continue;
		group = job->request.group;
		for (int32_t at = 0; at < job->count; at++)
			world->used[job->shares[at].host] -=
				job->shares[at].amount.procs;
		job->end = 0;
		job->promised = LXFW_NEVER;
		world->refused = true;
		refuse(&world->scene, job->request.id,
		       until + unit_between(random, 0, 2));
	}
}

static void run_world(struct world *world, uint64_t seed, bool trouble)
{
	uint64_t random = seed ^ 77;
	int32_t next = 1;

	for (int64_t now = 0; now != LXFW_NEVER;
	     now = next_time(world, next <= world->count)) {
		world->scene.now = now;
		for (int32_t i = 1; i <= world->count; i++) {
			if (world->jobs[i].end > 0 && world->jobs[i].end <= now)
				end_job(world, &world->jobs[i]);
		}
		submit_some(world, &random, &next);
		decide(&world->scene, now);
		take_decision(world, &random);
		if (trouble)
			maybe_refuse(world, &random);
	}
	for (int32_t i = 1; i <= world->count; i++)
		assert_true(world->jobs[i].over);
	assert_true(world->together > 0);
}

static uint64_t cases(void)
{
	return unit_cases(60, 300);
}

static void all_or_none(void **state)
{
	static const char *const params[] = {
		"lxfw_policy=easy", "lxfw_policy=fcfs",
		"lxfw_policy=easy,lxfw_reservations=3",
		"lxfw_policy=easy,lxfw_reservations=3,lxfw_reservation_mode=compress",
		"lxfw_policy=conservative", "lxfw_policy=lxfw", "lxfw_policy=sjf",
		"lxfw_policy=lxfw,lxfw_wbypass=1,lxfw_reservations=2",
	};
	uint64_t seed = unit_seed("all jobs of a group or none");

	(void)state;
	for (uint64_t i = 0; i < cases(); i++) {
		struct world world;

		for (size_t at = 0; at < sizeof(params) / sizeof(*params); at++) {
			/* With the order of submission, and one reservation or those
			   that are compressed, a start is never later than
			   announced. */
			bool keeps = at < 2 || at == 3 || at == 4;

			make_world(&world, seed + i, params[at]);
			world.keeps = keeps;
			run_world(&world, seed + i, false);
			finish(&world.scene);
			make_world(&world, seed + i, params[at]);
			run_world(&world, seed + i, true);
			finish(&world.scene);
		}
	}
}

/* A license that one of the jobs needs: the group waits for it, with a reservation. A host and a
   pool are free at different times. */
static void with_a_pool(void **state)
{
	struct lxfw_request job = member(1, 1, 2, 4, 100), other;
	struct lxfw_event event = { .type = LXFW_EVENT_HOST };
	struct scene scene;

	(void)state;
	three_hosts(&scene, "lxfw_policy=easy");
	event.host.index = 3;
	event.host.up = true;
	event.host.total.extras[0] = 2;
	apply(&scene, &event);
	submit(&scene, 'a', 4, 1, 50);
	submit(&scene, 'b', 4, 1, 30);
	other = request('c', 0, 1, 0, 80);
	other.no_quantum = true;
	other.pool_count = 1;
	other.pools[0] = (struct lxfw_pool_need){ .pool = 3, .amount = 1 };
	submit_request(&scene, &other);
	decide(&scene, 0);
	assert_true(starts(&scene, 'c'));
	job.pool_count = 1;
	job.pools[0] = (struct lxfw_pool_need){ .pool = 3, .amount = 2 };
	submit_request(&scene, &job);
	submit_member(&scene, 2, 1, 2, 4, 100);
	decide(&scene, 1);
	assert_int_equal(reserved(&scene, 1), 80);
	assert_int_equal(reserved(&scene, 2), 80);
	/* A job that would have a license then must wait, and one that ends before starts. */
	other.id = 'd';
	submit_request(&scene, &other);
	other.id = 'e';
	other.estimate = 10;
	submit_request(&scene, &other);
	end(&scene, 'a');
	end(&scene, 'b');
	decide(&scene, 50);
	assert_false(starts(&scene, 'd'));
	assert_false(starts(&scene, 1));
	assert_true(starts(&scene, 'e'));
	end(&scene, 'e');
	end(&scene, 'c');
	decide(&scene, 70);
	assert_true(starts(&scene, 1) && starts(&scene, 2));
	assert_false(starts(&scene, 'd'));
	finish(&scene);
}

/* A group is due, but the pool has less than was expected, or another job has some of it: the hosts of the
   reservation are free, and the group waits. */
static void pool_has_shrunk(void **state)
{
	(void)state;
	for (int used = 0; used <= 1; used++) {
		struct lxfw_event event = { .type = LXFW_EVENT_HOST };
		struct lxfw_request job = member(1, 1, 2, 4, 100), other;
		struct scene scene;

		three_hosts(&scene, "lxfw_policy=easy");
		event.host.index = 3;
		event.host.up = true;
		event.host.total.extras[0] = 2;
		apply(&scene, &event);
		other = request('c', 0, 1, 1, 80);
		other.no_quantum = true;
		other.pool_count = 1;
		other.pools[0] = (struct lxfw_pool_need){ .pool = 3, .amount = 1 };
		submit_request(&scene, &other);
		decide(&scene, 0);
		assert_true(starts(&scene, 'c'));
		job.pool_count = 1;
		job.pools[0] = (struct lxfw_pool_need){ .pool = 3, .amount = 2 };
		submit_request(&scene, &job);
		submit_member(&scene, 2, 1, 2, 4, 100);
		decide(&scene, 1);
		assert_int_equal(reserved(&scene, 1), 80);
		if (!used) {
			end(&scene, 'c');
			event.host.total.extras[0] = 1;
			apply(&scene, &event);
		}
		/* Else it runs longer than expected. */
		decide(&scene, 80);
		assert_false(starts(&scene, 1) || starts(&scene, 2));
		if (used)
			end(&scene, 'c');
		event.host.total.extras[0] = 2;
		apply(&scene, &event);
		decide(&scene, 81);
		assert_true(starts(&scene, 1) && starts(&scene, 2));
		finish(&scene);
	}
}

/* A group that is due starts on the hosts of its reservation, also if one job has a pool of which others
   use some, and has its host alone. Host 2, whose job ends early, would be the better one. */
static void due_with_a_pool(void **state)
{
	(void)state;
	for (int exclusive = 0; exclusive <= 1; exclusive++) {
		struct lxfw_event event = { .type = LXFW_EVENT_HOST };
		struct lxfw_request job = member(1, 1, 2, 3, 100), other;
		struct scene scene;

		three_hosts(&scene, "lxfw_policy=easy");
		host_with(&scene, 2, 3, 1000);
		host_with(&scene, 3, 1, 1000);
		event.host.index = 4;
		event.host.up = true;
		event.host.total.extras[0] = 2;
		apply(&scene, &event);
		other = request('c', 0, 1, 1, 1000);
		other.no_quantum = true;
		other.pool_count = 1;
		other.pools[0] = (struct lxfw_pool_need){ .pool = 4, .amount = 1 };
		submit_request(&scene, &other);
		submit(&scene, 'a', 4, 1, 100);
		submit(&scene, 'b', 4, 1, 100);
		submit(&scene, 'x', 3, 1, 200);
		decide(&scene, 0);
		assert_int_equal(host_of(&scene, 'c'), 3);
		assert_int_equal(host_of(&scene, 'x'), 2);
		job.exclusive = exclusive;
		job.pool_count = 1;
		job.pools[0] = (struct lxfw_pool_need){ .pool = 4, .amount = 1 };
		submit_request(&scene, &job);
		submit_member(&scene, 2, 1, 2, 3, 100);
		decide(&scene, 0);
		assert_int_equal(reserved(&scene, 1), 100);
		scene.now = 100;
		end(&scene, 'a');
		end(&scene, 'b');
		end(&scene, 'x');
		decide(&scene, 100);
		assert_true(starts(&scene, 1) && starts(&scene, 2));
		assert_true(host_of(&scene, 1) < 2);
		assert_true(host_of(&scene, 2) < 2);
		finish(&scene);
	}
}

/* Two jobs of a group do not have the same pool: such a group is never possible. */
static void not_the_same_pool(void **state)
{
	struct lxfw_request job = member(1, 1, 2, 1, 100);
	struct lxfw_event event = { .type = LXFW_EVENT_HOST };
	struct scene scene;

	(void)state;
	three_hosts(&scene, "lxfw_policy=easy");
	event.host.index = 3;
	event.host.up = true;
	event.host.total.extras[0] = 2;
	apply(&scene, &event);
	job.pool_count = 1;
	job.pools[0] = (struct lxfw_pool_need){ .pool = 3, .amount = 1 };
	submit_request(&scene, &job);
	job.id = 2;
	submit_request(&scene, &job);
	submit(&scene, 'a', 4, 3, 50);
	decide(&scene, 1);
	assert_false(starts(&scene, 1) || starts(&scene, 2));
	assert_true(starts(&scene, 'a'));
	finish(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(with_a_pool),
		cmocka_unit_test(pool_has_shrunk),
		cmocka_unit_test(due_with_a_pool),
		cmocka_unit_test(not_the_same_pool),
		cmocka_unit_test(start_together),
		cmocka_unit_test(reserved_together),
		cmocka_unit_test(needs_the_same_host),
		cmocka_unit_test(reserves_the_same_host),
		cmocka_unit_test(members_with_other_estimates),
		cmocka_unit_test(refused),
		cmocka_unit_test(leaves),
		cmocka_unit_test(cannot_start),
		cmocka_unit_test(other_policies),
		cmocka_unit_test(all_or_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
