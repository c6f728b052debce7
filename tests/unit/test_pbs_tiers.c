/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Preemption by level under policy site: lxfw-pbsd's adapter with a simulated server on which
   nothing fails, in scenes made by hand. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "plugins/agent/quanta.h"
#include "tests/unit/pbs_scene.h"

static void path_of(char *path, size_t size)
{
	snprintf(path, size, "%s/sched_config", pbs_scene_folder);
}

static void write_config(const char *text)
{
	char path[256];
	FILE *file;

	path_of(path, sizeof(path));
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

/* Two hosts are left: those of the vnodes v0 to v3. The queue "high" has an express priority. */
static int begin(void **state)
{
	if (pbs_scene_begin(state) < 0)
		return -1;
	for (int i = 4; i < FAKE_VNODES; i++)
		fake_pbs.vnode[i].up = false;
	write_config("preemptive_sched: true ALL\n");
	fake_pbs.priv = pbs_scene_folder;
	pbs_scene_params("lxfw_policy=site");
	pbs_scene_connect();
	return 0;
}

static int end(void **state)
{
	char path[256];

	path_of(path, sizeof(path));
	(void)unlink(path);
	return pbs_scene_end(state);
}

static struct fake_pbs_job *submit_to(enum fake_queue queue, int ncpus)
{
	struct fake_pbs_job *job = pbs_scene_submit(ncpus);

	job->queue = queue;
	return job;
}

static void passes(int count)
{
	while (count-- > 0)
		pbs_scene_pass();
}

static void end_job(struct fake_pbs_job *job)
{
	job->state = 'F';
	job->vnodes[0] = '\0';
}

/* Each host has one of two jobs of 8 processors, the first one older. */
static void fill(struct fake_pbs_job **old, struct fake_pbs_job **young)
{
	*old = submit_to(FAKE_WORKQ, 8);
	passes(2);
	assert_int_equal((*old)->state, 'R');
	fake_pbs.now += 100;
	*young = submit_to(FAKE_WORKQ, 8);
	passes(2);
	assert_int_equal((*young)->state, 'R');
	assert_true((*young)->started > (*old)->started);
	fake_pbs.now += 100;
}

/* The youngest job is suspended, by the request that honours preempt_order, and resumes before
   another one of its queue that came before it. */
static void youngest_is_suspended(void **state)
{
	struct fake_pbs_job *old, *young, *high, *other;

	(void)state;
	fill(&old, &young);
	high = submit_to(FAKE_HIGH, 8);
	passes(2);
	assert_int_equal(high->state, 'R');
	assert_int_equal(young->state, 'S');
	assert_int_equal(old->state, 'R');
	assert_int_equal(fake_pbs.batches, 1);
	other = submit_to(FAKE_WORKQ, 8);
	other->submit = young->submit - 50;
	other->priority = 10;
	passes(2);
	end_job(high);
	passes(2);
	assert_int_equal(young->state, 'R');
	assert_int_equal(other->state, 'Q');
	end_job(young);
	passes(2);
	assert_int_equal(other->state, 'R');
}

/* A job of a queue that is not express waits, whatever the priority of that queue; and one of an
   equal express queue; one of a higher express queue does not. */
static void only_levels_preempt(void **state)
{
	struct fake_pbs_job *one, *other, *high;

	(void)state;
	fake_pbs.priority[FAKE_HIGH] = 149;
	fill(&one, &other);
	high = submit_to(FAKE_HIGH, 8);
	passes(2);
	assert_int_equal(high->state, 'Q');
	fake_pbs.priority[FAKE_HIGH] = fake_pbs.priority[FAKE_WORKQ] = 150;
	pbs.redefined = true;
	passes(3);
	assert_int_equal(high->state, 'Q');
	fake_pbs.priority[FAKE_HIGH] = 151;
	passes(3);
	assert_int_equal(high->state, 'R');
	assert_int_equal(other->state, 'S');
	end_job(high);
	passes(2);
	assert_int_equal(other->state, 'R');
}

/* Users have different levels when they use more than a soft limit: jobs that started as normal ones
   become those of a lower level. One is suspended for a job of another user; when it waits, its user
   still uses more. A job of that user does not preempt. */
static void over_a_soft_limit(void **state)
{
	struct fake_pbs_job *one, *other, *first, *second;

	(void)state;
	fake_pbs.soft_of_user = 1;
	fake_pbs.priority[FAKE_HIGH] = 0;	/* no other levels */
	fill(&one, &other);
	second = submit_to(FAKE_WORKQ, 8);
	passes(2);
	assert_int_equal(second->state, 'Q');
	first = submit_to(FAKE_WORKQ, 8);
	first->user = 1;
	first->submit += 10;
	passes(2);
	assert_int_equal(first->state, 'R');
	assert_int_equal(other->state, 'S');
	assert_int_equal(one->state, 'R');
	assert_int_equal(second->state, 'Q');
	end_job(first);
	passes(2);
	assert_int_equal(other->state, 'R');
}

/* Without preemptive_sched, or with lxfw_preempt_tiers=0. */
static void is_switched_off(void **state)
{
	struct fake_pbs_job *old, *young, *high;

	(void)state;
	write_config("preemptive_sched: false ALL\n");
	fill(&old, &young);
	high = submit_to(FAKE_HIGH, 8);
	passes(2);
	assert_int_equal(high->state, 'Q');
	assert_int_equal(pbs.agent.params.preempt_tiers, 0);
	pbs_scene_params("lxfw_policy=site,lxfw_preempt_tiers=0");
	write_config("# \npreemptive_sched: true ALL\n");
	passes(3);
	assert_int_equal(high->state, 'Q');
	pbs_scene_params("lxfw_policy=site");
	passes(3);
	assert_int_equal(high->state, 'R');
	assert_int_equal(young->state, 'S');
	/* Another configuration while a job is suspended changes nothing before it has resumed. */
	write_config("preemptive_sched: false ALL\n");
	pbs_scene_params("lxfw_policy=site,lxfw_reservations=2");
	passes(3);
	assert_int_equal(pbs.agent.params.preempt_tiers, 2049);
	assert_int_equal(young->state, 'S');
	end_job(high);
	passes(3);
	assert_int_equal(young->state, 'R');
	passes(3);
	assert_int_equal(pbs.agent.params.preempt_tiers, 0);
	high = submit_to(FAKE_HIGH, 8);
	passes(3);
	assert_int_equal(high->state, 'Q');
}

/* The parameters do not preempt where the policy, or a quantum, does not permit it. */
static void where_it_does_not_apply(void **state)
{
	static const char *const others[] = {
		"lxfw_policy=easy", "lxfw_policy=site,lxfw_quantum=60",
		"lxfw_policy=site,lxfw_reservation_mode=compress",
	};
	struct fake_pbs_job *old, *young, *high;

	(void)state;
	fill(&old, &young);
	for (int i = 0; i < 3; i++) {
		pbs_scene_params(others[i]);
		high = submit_to(FAKE_HIGH, 8);
		high->walltime = 100000;
		passes(2);
		assert_int_equal(pbs.agent.params.preempt_tiers, 0);
		end_job(high);
		if (i != 1)
			assert_int_equal(young->state, 'R');
	}
	fake_pbs.priority[FAKE_HIGH] = 0;
	pbs_scene_params("lxfw_policy=site");
	passes(2);
	assert_int_equal(pbs.agent.params.preempt_tiers, 0);
}

/* preempt_order is R: the server requeues the job, and the other one starts in its place. A younger
   job that cannot be run again is not preempted. */
static void requeued_instead(void **state)
{
	struct fake_pbs_job *old, *young, *high, *once;

	(void)state;
	fake_pbs.method = 'Q';
	fill(&old, &young);
	fake_pbs.vnode[4].up = fake_pbs.vnode[5].up = true;
	once = submit_to(FAKE_WORKQ, 8);
	once->rerunable = false;
	passes(2);
	assert_int_equal(once->state, 'R');
	fake_pbs.now += 100;
	high = submit_to(FAKE_HIGH, 8);
	passes(6);
	assert_int_equal(young->state, 'Q');
	assert_int_equal(high->state, 'R');
	assert_int_equal(old->state, 'R');
	assert_int_equal(once->state, 'R');
	end_job(high);
	passes(3);
	assert_int_equal(young->state, 'R');
}

/* The model is made again, as after a restart: the job stays suspended, and resumes later. */
static void after_a_restart(void **state)
{
	struct fake_pbs_job *old, *young, *high;

	(void)state;
	fill(&old, &young);
	high = submit_to(FAKE_HIGH, 8);
	passes(2);
	assert_int_equal(young->state, 'S');
	lxfw_pbs_disconnect(&pbs.link);
	pbs_scene_connect();
	pbs.agent.rebuild = true;
	lxfw_quanta_end_all(&pbs.agent);
	passes(4);
	assert_int_equal(young->state, 'S');
	assert_int_equal(high->state, 'R');
	end_job(high);
	passes(4);
	assert_int_equal(young->state, 'R');
}

/* Jobs that pbs_sched suspended for others stay suspended when the daemon takes over, and resume when
   there is room; none of a higher level is suspended for them. */
static void suspended_by_another_scheduler(void **state)
{
	struct fake_pbs_job *low, *high;

	(void)state;
	low = pbs_scene_run(8, "(v0:ncpus=4+v1:ncpus=4)");
	low->state = 'S';
	low->by_sched = true;
	low->started -= 500;
	low->ran = 200;
	high = pbs_scene_run(8, "(v0:ncpus=4+v1:ncpus=4)");
	high->queue = FAKE_HIGH;
	high->started -= 300;
	passes(4);
	assert_int_equal(low->state, 'S');
	assert_int_equal(high->state, 'R');
	assert_int_equal(fake_pbs.suspensions, 0);
	end_job(high);
	passes(3);
	assert_int_equal(low->state, 'R');
	assert_int_equal(fake_pbs.suspensions, 0);
}

/* A job that runs in a reservation is not preempted. */
static void jobs_of_reservations_stay(void **state)
{
	struct fake_pbs_job *reserved, *other, *high;
	struct fake_pbs_resv *resv = &fake_pbs.resv;

	(void)state;
	*resv = (struct fake_pbs_resv){
		.number = 90, .state = 2, .chunks = 2, .ncpus = 4, .count = 1, .index = 1,
		.start = fake_pbs.now - 10, .end = fake_pbs.now + 5000,
		.nodes = { "(v0:ncpus=4)+(v1:ncpus=4)" },
	};
	other = pbs_scene_run(8, "(v2:ncpus=4+v3:ncpus=4)");
	reserved = pbs_scene_run(8, "(v0:ncpus=4+v1:ncpus=4)");
	reserved->reserved = true;
	fake_pbs.now += 100;
	passes(2);
	high = submit_to(FAKE_HIGH, 8);
	passes(3);
	assert_int_equal(reserved->state, 'R');
	assert_int_equal(other->state, 'S');
	assert_int_equal(high->state, 'R');
	high = submit_to(FAKE_HIGH, 8);
	passes(3);
	assert_int_equal(reserved->state, 'R');
	assert_int_equal(high->state, 'Q');
	assert_int_equal(fake_pbs.suspensions, 1);
}

/* --- jobs of operators ---------------------------------------------------------------- */

/* The operator runs the job with qrun. */
static void run_now(const struct fake_pbs_job *job)
{
	char id[32];

	snprintf(id, sizeof(id), "%d.fake", job->number);
	fake_pbs.answer[0] = '\0';
	fake_pbs.wanted = job->number;
	pbs.wanted = strdup(id);
	pbs_scene_pass();
	fake_pbs.wanted = 0;
	assert_null(pbs.wanted);
}

static struct fake_pbs_job *runs_since(int64_t ago, int ncpus, const char *vnodes)
{
	struct fake_pbs_job *job = pbs_scene_run(ncpus, vnodes);

	job->started -= ago;
	return job;
}

/* The youngest job of the lowest level is suspended for it and resumes when there is room; nothing
   preempts the operator's job meanwhile. While scheduling is off, nothing is preempted. */
static void operator_preempts_the_youngest(void **state)
{
	struct fake_pbs_job *old, *young, *job, *high;

	(void)state;
	fill(&old, &young);
	job = submit_to(FAKE_WORKQ, 8);
	passes(2);
	assert_int_equal(job->state, 'Q');
	fake_pbs.scheduling = false;
	pbs_scene_pass();
	run_now(job);
	assert_string_equal(fake_pbs.answer, "not enough free resources for it now");
	fake_pbs.scheduling = true;
	pbs_scene_pass();
	run_now(job);
	assert_string_equal(fake_pbs.answer, "runs");
	assert_int_equal(job->state, 'R');
	assert_int_equal(young->state, 'S');
	assert_int_equal(old->state, 'R');
	assert_int_equal(fake_pbs.batches, 1);
	fake_pbs.now += 100;
	passes(3);
	high = submit_to(FAKE_HIGH, 8);
	passes(3);
	assert_int_equal(job->state, 'R');
	assert_int_equal(high->state, 'R');
	assert_int_equal(old->state, 'S');
	end_job(job);
	end_job(high);
	passes(4);
	assert_int_equal(young->state, 'R');
	assert_int_equal(old->state, 'R');
}

/* Jobs of a higher level than the operator's job has otherwise are suspended for it, and do not
   preempt it then. A job with place=excl is not preempted, and neither is the operator's job for
   it. */
static void operator_is_above_all_levels(void **state)
{
	struct fake_pbs_job *one, *other, *job;

	(void)state;
	fill(&one, &other);
	other->queue = FAKE_HIGH;
	one->excl = 1;
	pbs.agent.rebuild = true;
	passes(3);
	job = submit_to(FAKE_WORKQ, 8);
	run_now(job);
	assert_string_equal(fake_pbs.answer, "runs");
	assert_int_equal(other->state, 'S');
	assert_int_equal(one->state, 'R');
	fake_pbs.now += 100;
	passes(5);
	assert_int_equal(job->state, 'R');
	assert_int_equal(other->state, 'S');
	end_job(job);
	passes(3);
	assert_int_equal(other->state, 'R');
}

/* The library starts none. A job needs both hosts of two, another one all vnodes of a third. */
static void operator_needs_several_hosts(void **state)
{
	struct fake_pbs_job *job = pbs_scene_submit(8), *packed;

	(void)state;
	fake_pbs.scheduling = false;
	job->chunks = 2;
	job->chunk[1] = job->chunk[0];
	run_now(job);
	assert_string_equal(fake_pbs.answer, "runs");
	assert_int_equal(job->state, 'R');
	fake_pbs.vnode[4].up = fake_pbs.vnode[5].up = true;
	packed = pbs_scene_submit(4);
	packed->chunks = 2;
	packed->chunk[1] = packed->chunk[0];
	packed->arrangement = 1;
	run_now(packed);
	assert_string_equal(fake_pbs.answer, "runs");
	fake_pbs.vnode[6].up = fake_pbs.vnode[7].up = true;
	packed = pbs_scene_submit(5);
	packed->chunks = 2;
	packed->chunk[1] = packed->chunk[0];
	packed->arrangement = 1;
	run_now(packed);
	assert_string_equal(fake_pbs.answer, "not enough free resources for it now");
	assert_int_equal(packed->state, 'Q');
}

/* A command that comes while a pass is under way. */
static void operator_comes_late(void **state)
{
	struct fake_pbs_job *old, *young, *job;

	(void)state;
	fill(&old, &young);
	job = submit_to(FAKE_WORKQ, 8);
	passes(2);
	pbs.wanted = strdup("3.fake");
	lxfw_pbs_serve_operator(&pbs);
	assert_non_null(pbs.wanted);
	assert_string_equal(fake_pbs.answer, "");
	pbs_scene_pass();
	assert_string_equal(fake_pbs.answer, "runs");
	assert_int_equal(job->state, 'R');
	assert_int_equal(young->state, 'S');
	assert_int_equal(old->state, 'R');
}

/* a on host 0 is the youngest but does not help; b and c on host 1 are both needed; d, older, and e
   of an express queue, the youngest of all, are on host 0. */
static void operator_preempts_no_more_than_needed(void **state)
{
	struct fake_pbs_job *a, *b, *c, *d, *e, *job;

	(void)state;
	a = runs_since(50, 2, "(v0:ncpus=2)");
	b = runs_since(100, 4, "(v2:ncpus=4)");
	c = runs_since(200, 3, "(v3:ncpus=3)");
	d = runs_since(300, 4, "(v1:ncpus=4)");
	e = runs_since(20, 2, "(v0:ncpus=2)");
	e->queue = FAKE_HIGH;
	passes(2);
	job = submit_to(FAKE_WORKQ, 8);
	run_now(job);
	assert_string_equal(fake_pbs.answer, "runs");
	assert_int_equal(job->state, 'R');
	assert_int_equal(a->state, 'R');
	assert_int_equal(b->state, 'S');
	assert_int_equal(c->state, 'S');
	assert_int_equal(d->state, 'R');
	assert_int_equal(e->state, 'R');
	assert_int_equal(fake_pbs.suspensions, 2);
	end_job(job);
	passes(3);
	assert_int_equal(b->state, 'R');
	assert_int_equal(c->state, 'R');
}

/* The older job is of a lower level. */
static void operator_preempts_the_lowest_level(void **state)
{
	struct fake_pbs_job *old, *young, *job;

	(void)state;
	fill(&old, &young);
	young->queue = FAKE_HIGH;
	passes(2);
	job = submit_to(FAKE_WORKQ, 8);
	run_now(job);
	assert_string_equal(fake_pbs.answer, "runs");
	assert_int_equal(young->state, 'R');
	assert_int_equal(old->state, 'S');
}

/* The server requeues the job instead. */
static void operator_has_a_job_requeued(void **state)
{
	struct fake_pbs_job *old, *young, *job;

	(void)state;
	fill(&old, &young);
	fake_pbs.method = 'Q';
	job = submit_to(FAKE_WORKQ, 8);
	run_now(job);
	assert_string_equal(fake_pbs.answer, "runs");
	assert_int_equal(job->state, 'R');
	assert_int_equal(young->state, 'Q');
	assert_int_equal(old->state, 'R');
	fake_pbs.method = 0;
	end_job(job);
	passes(6);
	assert_int_equal(young->state, 'R');
}

static void refuses(void)
{
	struct fake_pbs_job *old, *young, *job;

	fill(&old, &young);
	job = submit_to(FAKE_WORKQ, 8);
	run_now(job);
	assert_string_equal(fake_pbs.answer, "not enough free resources for it now");
	assert_int_equal(job->state, 'Q');
	assert_int_equal(old->state, 'R');
	assert_int_equal(young->state, 'R');
	assert_int_equal(fake_pbs.batches, 0);
}

/* Without preemptive_sched, with lxfw_preempt_tiers=0, another policy, processors that suspended jobs
   keep, or more than the hosts have. */
static void operator_does_not_preempt(void **state)
{
	static const char *params[] = {
		"lxfw_policy=site,lxfw_preempt_tiers=0", "lxfw_policy=lxfw", "lxfw_policy=site",
		"lxfw_policy=site",
	};
	struct fake_pbs_job *job;

	for (int i = 0; i < 4; i++) {
		pbs_scene_params(params[i]);
		fake_pbs.keeps = i == 2;
		if (i == 3)
			write_config("preemptive_sched: false ALL\n");
		refuses();
		end(state);
		begin(state);
	}
	job = runs_since(100, 8, "(v0:ncpus=4+v1:ncpus=4)");
	passes(2);
	job = submit_to(FAKE_WORKQ, 8);
	job->chunks = 3;
	job->chunk[1] = job->chunk[2] = job->chunk[0];
	run_now(job);
	assert_string_equal(fake_pbs.answer, "not enough free resources for it now");
	assert_int_equal(fake_pbs.batches, 0);
}

/* Neither a job in a reservation nor one that has just started is preempted. */
static void operator_spares_some(void **state)
{
	struct fake_pbs_resv *resv = &fake_pbs.resv;
	struct fake_pbs_job *reserved, *young, *job;

	(void)state;
	*resv = (struct fake_pbs_resv){
		.number = 90, .state = 2, .chunks = 2, .ncpus = 4, .count = 1, .index = 1,
		.start = fake_pbs.now - 10, .end = fake_pbs.now + 5000,
		.nodes = { "(v0:ncpus=4)+(v1:ncpus=4)" },
	};
	reserved = runs_since(100, 8, "(v0:ncpus=4+v1:ncpus=4)");
	reserved->reserved = true;
	pbs_scene_pass();
	young = pbs_scene_run(8, "(v2:ncpus=4+v3:ncpus=4)");
	job = submit_to(FAKE_WORKQ, 8);
	run_now(job);
	assert_string_equal(fake_pbs.answer, "not enough free resources for it now");
	assert_int_equal(fake_pbs.batches, 0);
	passes(2);
	run_now(job);
	assert_string_equal(fake_pbs.answer, "runs");
	assert_int_equal(reserved->state, 'R');
	assert_int_equal(young->state, 'S');
}

#define SCENE(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE(youngest_is_suspended),
		SCENE(only_levels_preempt),
		SCENE(over_a_soft_limit),
		SCENE(is_switched_off),
		SCENE(where_it_does_not_apply),
		SCENE(requeued_instead),
		SCENE(after_a_restart),
		SCENE(suspended_by_another_scheduler),
		SCENE(jobs_of_reservations_stay),
		SCENE(operator_preempts_the_youngest),
		SCENE(operator_is_above_all_levels),
		SCENE(operator_needs_several_hosts),
		SCENE(operator_comes_late),
		SCENE(operator_preempts_no_more_than_needed),
		SCENE(operator_preempts_the_lowest_level),
		SCENE(operator_has_a_job_requeued),
		SCENE(operator_does_not_preempt),
		SCENE(operator_spares_some),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
