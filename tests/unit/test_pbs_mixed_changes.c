/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What may happen to jobs with different chunks that cannot all be modelled as the largest, and to the
   site, while they wait. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/mixed_scene.h"

static struct fake_pbs_job *waiting_mixed(struct fake_pbs_job **other)
{
	struct fake_pbs_job *job;

	*other = pbs_scene_run(1, "(v0:ncpus=4)+(v1:ncpus=4)+(v4:ncpus=4)+(v5:ncpus=4)");
	job = mixed(3);
	job->want[0] = job->want[2] = FAKE_SLOW;
	job->want[1] = FAKE_FAST;
	run_for(2);
	assert_int_equal(job->state, 'Q');
	assert_int_equal(parts_of(job), 2);
	return job;
}

static void free_hosts(struct fake_pbs_job *other)
{
	other->state = 'F';
	other->vnodes[0] = '\0';
}

static void held_and_deleted(void **state)
{
	struct fake_pbs_job *other, *job = waiting_mixed(&other);

	(void)state;
	job->state = 'H';
	free_hosts(other);
	run_for(2);
	assert_int_equal(job->state, 'H');
	assert_int_equal(parts_of(job), 0);
	job->state = 'Q';
	run_for(2);
	assert_int_equal(job->state, 'R');
	job->state = 'F';
	run_for(2);
	assert_null(part(job, 0));
	assert_null(part(job, 1));
}

/* It is altered: another number of parts, and one. */
static void altered(void **state)
{
	struct fake_pbs_job *other, *job = waiting_mixed(&other);

	(void)state;
	job->chunk[2].ncpus = 2;
	run_for(2);
	assert_int_equal(parts_of(job), 3);
	job->want[0] = job->want[2] = FAKE_FAST;
	run_for(2);
	assert_int_equal(parts_of(job), 1);
	assert_int_equal(part(job, 0)->request.group, 0);
	job->want[0] = FAKE_SLOW;
	run_for(2);
	assert_int_equal(parts_of(job), 3);
	free_hosts(other);
	run_for(2);
	assert_int_equal(job->state, 'R');
}

/* The parts are found again when the site is another one. */
static void another_site(void **state)
{
	struct fake_pbs_job *job;

	(void)state;
	(void)pbs_scene_run(4, "(v0:ncpus=4)");
	job = one_large();
	fake_pbs.vnode[4].up = fake_pbs.vnode[5].up = false;
	fake_pbs.vnode[6].up = fake_pbs.vnode[7].up = false;
	run_for(2);
	assert_int_equal(parts_of(job), 2);
	for (int i = 0; i < FAKE_VNODES; i++)
		fake_pbs.vnode[i].has.ncpus = 12;
	run_for(2);
	assert_int_equal(parts_of(job) + (job->state == 'R'), 1);
	assert_int_equal(part(job, 0)->request.group, 0);
}

/* All hosts are in use, and the job wants whole ones: it waits when the vnodes grow, as one job. */
static void vnodes_grow(void **state)
{
	struct fake_pbs_job *job;
	char vnodes[32];

	(void)state;
	for (int i = 0; i < FAKE_VNODES; i++) {
		snprintf(vnodes, sizeof(vnodes), "(v%d:ncpus=4)", i);
		(void)pbs_scene_run(4, vnodes);
	}
	job = one_large();
	job->excl = true;
	run_for(2);
	assert_int_equal(parts_of(job), 2);
	for (int i = 0; i < FAKE_VNODES; i++)
		fake_pbs.vnode[i].has.ncpus = 16;
	run_for(2);
	assert_int_equal(job->state, 'Q');
	assert_int_equal(parts_of(job), 1);
	assert_int_equal(part(job, 0)->request.group, 0);
}

/* Parts that are not found are searched for again after a minute, and others are kept. */
static void searched_again(void **state)
{
	struct fake_pbs_job *other, *job = waiting_mixed(&other);

	(void)state;
	job->state = 'H';
	job = mixed(6);
	for (int i = 0; i < 6; i++)
		job->chunk[i].ncpus = i < 5 ? 5 : 8;
	for (int i = 0; i < 2; i++) {
		pbs_scene_pass();
		assert_int_equal(pbs.decided.count, 2 - i);	/* that of the held one is dropped */
	}
	assert_int_equal(pbs.decided.decided[0]->count, 0);
	assert_int_equal(pbs.decided.decided[0]->made, fake_pbs.now - 1);
	fake_pbs.now += LXFW_PBS_DECIDE_SECONDS;
	pbs_scene_pass();
	assert_int_equal(pbs.decided.decided[0]->made, fake_pbs.now);
}

static int64_t priority_of(const struct fake_pbs_job *job, int index)
{
	const struct lxfw_sched *sched = pbs.agent.sched;
	int32_t at = lxfw_id_map_get(&sched->job_by_id, part(job, index)->id);

	assert_true(at >= 0);
	return sched->jobs[at].priority;
}

/* The library knows the priority of the parts of a job that was one before. */
static void altered_with_a_priority(void **state)
{
	struct fake_pbs_job *job;

	(void)state;
	pbs_scene_params("lxfw_policy=site");
	fake_pbs.formula = "ncpus * walltime";
	pbs_scene_connect();
	(void)pbs_scene_run(1, "(v0:ncpus=4)+(v1:ncpus=4)+(v4:ncpus=4)+(v5:ncpus=4)");
	job = mixed(2);
	job->want[0] = job->want[1] = FAKE_FAST;
	run_for(2);
	assert_int_equal(parts_of(job), 1);
	assert_true(priority_of(job, 0) > 0);
	job->want[1] = FAKE_SLOW;
	run_for(2);
	assert_int_equal(parts_of(job), 2);
	assert_true(priority_of(job, 0) > 0);
	assert_true(priority_of(job, 0) == priority_of(job, 1));
}

static void requeued(void **state)
{
	struct fake_pbs_job *job = one_large();

	(void)state;
	run_for(2);
	assert_int_equal(job->state, 'R');
	fake_pbs.now += 200;
	job->state = 'Q';
	job->vnodes[0] = '\0';
	run_for(3);
	assert_int_equal(job->state, 'R');
	assert_int_equal(fake_pbs.starts, 2);
}

/* The start is refused: it is tried again later, with all parts. */
static void refused(void **state)
{
	struct fake_pbs_job *job = one_large();

	(void)state;
	fake_pbs.hook = true;
	run_for(2);
	assert_int_equal(job->state, 'Q');
	assert_int_equal(parts_of(job), 2);
	fake_pbs.hook = false;
	run_for(3);
	assert_int_equal(job->state, 'Q');
	fake_pbs.now += 60;
	run_for(2);
	assert_int_equal(job->state, 'R');
}

static void another_daemon(void **state)
{
	struct fake_pbs_job *other, *job = waiting_mixed(&other), *second;

	assert_int_equal(pbs_scene_end(state), 0);
	assert_int_equal(pbs_scene_restart(), 0);
	run_for(2);
	assert_int_equal(parts_of(job), 2);
	free_hosts(other);
	run_for(2);
	assert_int_equal(job->state, 'R');
	assert_int_equal(pbs_scene_end(state), 0);
	assert_int_equal(pbs_scene_restart(), 0);
	second = one_large();
	run_for(3);
	assert_int_equal(part(job, 0)->state, LXFW_KNOWN_RUNNING);
	assert_int_equal(second->state, 'R');
}

/* A limit of running jobs counts it once. */
static void limited(void **state)
{
	struct fake_pbs_job *first = one_large(), *second, *third;

	(void)state;
	fake_pbs.most_of_user = 2;
	second = pbs_scene_submit(1);
	third = pbs_scene_submit(1);
	run_for(3);
	assert_int_equal(first->state, 'R');
	assert_int_equal(second->state, 'R');
	assert_int_equal(third->state, 'Q');
}

/* Its place in the order is that of one job, whatever the number of its parts. */
static void in_its_turn(void **state)
{
	struct fake_pbs_job *before, *job, *after;

	(void)state;
	pbs_scene_params("lxfw_policy=fcfs");
	(void)pbs_scene_run(1, "(v0:ncpus=4)+(v1:ncpus=4)+(v2:ncpus=4)");
	before = pbs_scene_submit(8);
	before->submit = fake_pbs.now - 30;
	job = one_large();
	job->submit = fake_pbs.now - 20;
	after = pbs_scene_submit(1);
	after->submit = fake_pbs.now - 10;
	run_for(3);
	/* 20 processors are free: 8 for the first. The second needs a host and 5 of 4. */
	assert_int_equal(before->state, 'R');
	assert_int_equal(job->state, 'Q');
	assert_int_equal(after->state, 'Q');
	before->state = 'F';
	before->vnodes[0] = '\0';
	run_for(3);
	assert_int_equal(job->state, 'R');
	assert_int_equal(after->state, 'R');
}

/* All its parts have the longest run time that it requests. */
static void range_of_run_times(void **state)
{
	struct fake_pbs_job *job, *other = pbs_scene_run(1,
		"(v0:ncpus=4)+(v1:ncpus=4)+(v4:ncpus=4)+(v5:ncpus=4)");

	(void)state;
	job = mixed(2);
	job->want[0] = FAKE_SLOW;
	job->want[1] = FAKE_FAST;
	job->least = 100;
	run_for(2);
	assert_int_equal(parts_of(job), 2);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(part(job, i)->request.min_estimate, 0);
		assert_int_equal(part(job, i)->request.estimate, 600);
	}
	free_hosts(other);
	run_for(2);
	assert_int_equal(job->state, 'R');
	assert_int_equal(part(job, 0)->expected_end, job->started + 600);
}

static void tasks_of_an_array(void **state)
{
	struct fake_pbs_job *job = one_large();
	int number = job->number;

	(void)state;
	job->task = 0;
	*pbs_scene_submit(1) = *job;
	fake_pbs.job[1].task = 1;
	fake_pbs.job[1].number = number;
	run_for(3);
	assert_int_equal(fake_pbs.job[0].state, 'R');
	assert_int_equal(fake_pbs.job[1].state, 'R');
}

/* A look finds the parts of as many jobs as the bound of its work allows, and at least those of one. A
   user with many jobs does not keep that of another from its turn. */
static void in_turns(void **state)
{
	struct fake_pbs_job *jobs[6];

	(void)state;
	(void)pbs_scene_run(1, "(v0:ncpus=4)+(v1:ncpus=4)+(v4:ncpus=4)+(v5:ncpus=4)");
	pbs.decided.most = 1;
	for (int i = 0; i < 6; i++) {
		jobs[i] = mixed(2);
		jobs[i]->user = i == 3;
		jobs[i]->want[0] = FAKE_SLOW;
		jobs[i]->want[1] = FAKE_FAST;
		jobs[i]->chunk[0].mem_mb = 100 * (i + 1);
	}
	for (int passes = 1; passes <= 6; passes++) {
		int known = 0;

		pbs_scene_pass();
		for (int i = 0; i < 6; i++) {
			known += parts_of(jobs[i]) == 2;
			if (parts_of(jobs[i]) == 0)
				assert_string_equal(jobs[i]->comment,
					"Not Running: its different chunks have not been examined yet");
		}
		assert_int_equal(known, passes);
		assert_true(passes < 2 || parts_of(jobs[3]) == 2);
		assert_true(passes == 6 || pbs.agent.wake <= fake_pbs.now + 1);
	}
	/* They are examined again if the site differs. */
	pbs.decided.most = 0;
	fake_pbs.vnode[6].has.ncpus++;
	run_for(2);
	assert_false(pbs.decided.later);
	for (int i = 0; i < 6; i++)
		assert_int_equal(parts_of(jobs[i]), 2);
}

#define SCENE(test) cmocka_unit_test_setup_teardown(test, pbs_scene_begin, pbs_scene_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE(held_and_deleted),
		SCENE(altered),
		SCENE(another_site),
		SCENE(vnodes_grow),
		SCENE(searched_again),
		SCENE(altered_with_a_priority),
		SCENE(requeued),
		SCENE(refused),
		SCENE(another_daemon),
		SCENE(limited),
		SCENE(in_its_turn),
		SCENE(range_of_run_times),
		SCENE(tasks_of_an_array),
		SCENE(in_turns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
