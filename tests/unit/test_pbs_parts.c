/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reservations for which a pass has not enough time: their vnodes are found over several passes,
   each of which finds those of one occurrence here, or tries one time. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

#include "plugins/pbs/recur.h"
#include "tests/unit/pbs_scene.h"

/* Four occurrences of 4 processors, from a minute on. */
static void reserve(void)
{
	int64_t time;

	if (lxfw_pbs_recur("FREQ=DAILY;COUNT=2", "Europe/Berlin", 1, &time, 1) != 1)
		skip();
	fake_pbs.resv = (struct fake_pbs_resv){
		.number = 1, .state = 1, .chunks = 1, .ncpus = 4, .start = fake_pbs.now + 600,
		.end = fake_pbs.now + 660, .count = 4, .index = 1, .period = 600,
	};
	pbs.confirm_us = 0;
}

/* Passes until it is confirmed. */
static int passes_until_confirmed(void)
{
	int passes = 0;

	while (fake_pbs.resv.state == 1 && passes < 50) {
		pbs_scene_pass();
		passes++;
	}
	assert_int_equal(fake_pbs.resv.state, 2);
	return passes;
}

static void in_four_passes(void **state)
{
	(void)state;
	reserve();
	pbs_scene_pass();
	assert_int_equal(fake_pbs.resv.state, 1);
	assert_true(pbs.changed);
	pbs_scene_pass();
	/* What the first pass has found is kept free. */
	assert_int_equal(pbs.agent.block_count, 1);
	assert_int_equal(fake_pbs.resv.state, 1);
	assert_int_equal(passes_until_confirmed(), 2);
	assert_int_equal(fake_pbs.confirmed, 1);
	pbs_scene_pass();
	assert_int_equal(pbs.agent.block_count, 4);
}

/* With time, a pass is enough. */
static void in_one_pass(void **state)
{
	(void)state;
	reserve();
	pbs.confirm_us = 60000000;
	assert_int_equal(passes_until_confirmed(), 1);
}

/* Jobs that start meanwhile do not get the vnodes, and other jobs do. */
static void jobs_start_beside(void **state)
{
	struct fake_pbs_job *job[8];
	int runs = 0;

	(void)state;
	reserve();
	pbs_scene_pass();
	for (int i = 0; i < 8; i++)
		(job[i] = pbs_scene_submit(4))->walltime = 2000;
	pbs_scene_pass();
	for (int i = 0; i < 8; i++)
		runs += job[i]->state == 'R';
	assert_int_equal(runs, 7);
	(void)passes_until_confirmed();
}

/* An operator starts a job on a vnode that has been found, and another one goes down: the occurrences
   get others. */
static void vnodes_are_taken(void **state)
{
	struct fake_pbs_job *job;
	const char *nodes;

	(void)state;
	reserve();
	for (int i = 0; i < 3; i++)
		pbs_scene_pass();
	nodes = pbs.site.resv[0].occurrence[0].nodes;
	assert_non_null(nodes);
	job = pbs_scene_run(4, nodes);
	job->walltime = 5000;
	(void)passes_until_confirmed();
	assert_string_not_equal(fake_pbs.resv.nodes[0], job->vnodes);
	assert_int_equal(fake_pbs.confirmed, 1);
}

static void vnode_goes_down(void **state)
{
	int down;

	(void)state;
	reserve();
	for (int i = 0; i < 3; i++)
		pbs_scene_pass();
	assert_int_equal(sscanf(pbs.site.resv[0].occurrence[0].nodes, "(v%d", &down), 1);
	fake_pbs.vnode[down].up = false;
	(void)passes_until_confirmed();
}

/* There is no room for it any more. It is refused, and nothing is kept free. */
static void no_room_any_more(void **state)
{
	(void)state;
	reserve();
	for (int i = 0; i < 3; i++)
		pbs_scene_pass();
	for (int i = 0; i < 8; i++)
		fake_pbs.vnode[i].up = false;
	for (int i = 0; i < 10 && fake_pbs.resv.state == 1; i++)
		pbs_scene_pass();
	assert_int_equal(fake_pbs.resv.state, 6);
	assert_int_equal(fake_pbs.denied, 1);
	pbs_scene_pass();
	assert_int_equal(pbs.agent.block_count, 0);
}

/* It is deleted, or altered so that the search begins again. */
static void deleted(void **state)
{
	(void)state;
	reserve();
	pbs_scene_pass();
	pbs_scene_pass();
	fake_pbs.resv.state = 6;
	pbs_scene_pass();
	assert_int_equal(pbs.agent.block_count, 0);
}

static void altered(void **state)
{
	(void)state;
	reserve();
	pbs_scene_pass();
	pbs_scene_pass();
	fake_pbs.resv.ncpus = 8;
	assert_int_equal(passes_until_confirmed(), 4);
	assert_non_null(strchr(fake_pbs.resv.nodes[0], '+'));
}

/* The vnodes of an occurrence of a confirmed one go down: the others keep theirs. */
static void degraded(void **state)
{
	int down, passes = 0;

	(void)state;
	reserve();
	(void)passes_until_confirmed();
	assert_int_equal(sscanf(fake_pbs.resv.nodes[0], "(v%d", &down), 1);
	fake_pbs.vnode[down].up = false;
	fake_pbs.resv.degraded = true;
	fake_pbs.resv.retry = fake_pbs.now;
	while (fake_pbs.resv.degraded && passes++ < 50)
		pbs_scene_pass();
	assert_int_equal(fake_pbs.replaced, 1);
	assert_true(passes > 1);
	/* It gets better by itself: what has been found is not kept. */
	fake_pbs.vnode[down].up = true;
	assert_int_equal(sscanf(fake_pbs.resv.nodes[0], "(v%d", &down), 1);
	fake_pbs.vnode[down].up = false;
	fake_pbs.resv.degraded = true;
	fake_pbs.resv.retry = fake_pbs.now;
	pbs_scene_pass();
	fake_pbs.vnode[down].up = true;
	fake_pbs.resv.degraded = false;
	pbs_scene_pass();
	assert_string_equal(pbs.site.resv[0].occurrence[0].nodes, fake_pbs.resv.nodes[0]);
	assert_false(pbs.site.resv[0].placing);
}

/* The chunk of each occurrence is on both vnodes of a host, of which one goes down. All others are in
   use until the first occurrence begins. */
static struct fake_pbs_job *begin_degraded(int *up)
{
	struct fake_pbs_job *job;
	char vnodes[32];
	int down;

	reserve();
	fake_pbs.resv.ncpus = 8;
	(void)passes_until_confirmed();
	assert_int_equal(sscanf(fake_pbs.resv.nodes[0], "(v%d:ncpus=4+v%d:", &down, up), 2);
	for (int i = 0; i < 4; i++)
		assert_string_equal(fake_pbs.resv.nodes[i], fake_pbs.resv.nodes[0]);
	fake_pbs.vnode[down].up = false;
	fake_pbs.resv.degraded = true;
	fake_pbs.resv.retry = fake_pbs.now;
	for (int i = 0; i < 8; i++) {
		snprintf(vnodes, sizeof(vnodes), "(v%d:ncpus=4)", i);
		if (i != *up && i != down)
			pbs_scene_run(4, vnodes)->walltime = 100;
	}
	job = pbs_scene_submit(4);
	job->walltime = 1000;	/* it meets the first occurrence only */
	return job;
}

/* The server keeps the other vnode for it until it has the answer. */
static void degraded_keeps_its_vnodes(void **state)
{
	struct fake_pbs_job *job;
	char before[512];
	int up, passes = 0;

	(void)state;
	job = begin_degraded(&up);
	strcpy(before, fake_pbs.resv.nodes[0]);
	pbs_scene_pass();
	assert_true(pbs.site.resv[0].placing && pbs.site.resv[0].occurrence[0].chosen);
	assert_string_not_equal(pbs.site.resv[0].occurrence[0].nodes, before);
	assert_string_equal(lxfw_pbs_held(&pbs.site.resv[0].occurrence[0]), before);
	assert_int_equal(job->state, 'Q');
	while (fake_pbs.resv.degraded && passes++ < 50)
		pbs_scene_pass();
	assert_int_equal(fake_pbs.replaced, 1);
	for (int i = 0; i < 3; i++)
		pbs_scene_pass();
	assert_int_equal(job->state, 'R');
	assert_int_equal(job->on[0], up);
}

/* The server refuses the answer. */
static void degraded_and_refused(void **state)
{
	struct fake_pbs_job *job;
	int up;

	(void)state;
	job = begin_degraded(&up);
	pbs.confirm_us = 1000000000;
	fake_pbs.resv.refuses = true;
	for (int i = 0; i < 3; i++) {
		pbs_scene_pass();
		assert_int_equal(job->state, 'Q');
		assert_string_equal(pbs.site.resv[0].occurrence[0].nodes, fake_pbs.resv.nodes[0]);
		assert_false(pbs.site.resv[0].placing);
	}
	fake_pbs.resv.refuses = false;
	for (int i = 0; i < 5; i++)
		pbs_scene_pass();
	assert_int_equal(fake_pbs.replaced, 1);
	assert_int_equal(job->on[0], up);
	assert_int_equal(job->state, 'R');
}

/* One that is to begin as early as possible, when the vnodes are in use by 8 jobs with different
   ends: a pass tries one of them. */
static void as_early_as_possible(void **state)
{
	char vnode[32];
	int64_t at = fake_pbs.now;
	int passes;

	(void)state;
	for (int i = 0; i < 8; i++) {
		snprintf(vnode, sizeof(vnode), "(v%d:ncpus=4)", i);
		pbs_scene_run(4, vnode)->walltime = 1000 * (1 + i / 2 + i % 2 * 4);
	}
	fake_pbs.resv = (struct fake_pbs_resv){
		.number = 1, .state = 1, .chunks = 1, .ncpus = 8,
		.start = LXFW_PBS_RESV_EARLIEST, .end = LXFW_PBS_RESV_EARLIEST + 100,
		.count = 1, .index = 1, .early = true,
	};
	pbs.confirm_us = 0;
	passes = passes_until_confirmed();
	assert_int_equal(passes, 5);
	/* The first two of a host end after 5000 s. */
	assert_int_equal(fake_pbs.resv.start, at + 5000);
}

/* --- altered ones ------------------------------------------------------------------------- */

/* The reservation has v0 from 600 s to 660 s from now on. */
static void have_v0(int64_t start)
{
	fake_pbs.resv = (struct fake_pbs_resv){
		.number = 1, .state = 2, .chunks = 1, .ncpus = 4, .start = start,
		.end = start + 60, .count = 1, .index = 1,
	};
	strcpy(fake_pbs.resv.nodes[0], "(v0:ncpus=4)");
}

static void passes_until_answered(void)
{
	for (int i = 0; i < 5 && fake_pbs.resv.state == FAKE_ALTERED; i++)
		pbs_scene_pass();
	assert_int_equal(fake_pbs.resv.state, 2);
}

/* A job runs on its vnode until 300 s from now on. It can begin after that, and not before; other
   vnodes are free for it. Without any, the change is refused, and it stays as it was. */
static void moved(void **state)
{
	int64_t now = fake_pbs.now;

	(void)state;
	have_v0(now + 600);
	pbs_scene_run(4, "(v0:ncpus=4)")->walltime = 300;
	pbs_scene_pass();
	fake_pbs_alter(now + 400, now + 500);
	passes_until_answered();
	assert_int_equal(fake_pbs.resv.start, now + 400);
	assert_string_equal(fake_pbs.resv.nodes[0], "(v0:ncpus=4)");
	fake_pbs_alter(now + 100, now + 200);
	passes_until_answered();
	assert_int_equal(fake_pbs.resv.start, now + 100);
	assert_string_not_equal(fake_pbs.resv.nodes[0], "(v0:ncpus=4)");
	have_v0(now + 600);
	for (int i = 1; i < 8; i++)
		fake_pbs.vnode[i].up = false;
	fake_pbs_alter(now + 100, now + 200);
	passes_until_answered();
	assert_int_equal(fake_pbs.denied, 1);
	assert_int_equal(fake_pbs.resv.start, now + 600);
}

/* It runs, and its job in it. Its end is moved: a longer job beside it does not start on its vnode,
   and the change is refused once another job is expected there. */
static void moved_while_it_runs(void **state)
{
	struct fake_pbs_job *inner, *other;
	int64_t now = fake_pbs.now;

	(void)state;
	have_v0(now);
	inner = pbs_scene_submit(4);
	inner->reserved = true;
	inner->walltime = 50;
	pbs_scene_pass();
	pbs_scene_pass();
	assert_int_equal(inner->state, 'R');
	fake_pbs_alter(now, now + 1000);
	passes_until_answered();
	assert_int_equal(fake_pbs.denied, 0);
	assert_int_equal(fake_pbs.resv.end, now + 1000);
	assert_string_equal(fake_pbs.resv.nodes[0], "(v0:ncpus=4)");
	inner->state = 'F';
	for (int i = 1; i < 8; i++)
		fake_pbs.vnode[i].up = false;
	other = pbs_scene_submit(4);
	other->walltime = 500;
	pbs_scene_pass();
	pbs_scene_pass();
	assert_int_equal(other->state, 'Q');
	/* Its end is moved back: the job would not end before. */
	fake_pbs_alter(now, now + 20);
	passes_until_answered();
	fake_pbs.now += 30;
	fake_pbs.resv.state = 6;
	pbs_scene_pass();
	assert_int_equal(other->state, 'R');
}

int main(void)
{
#define SCENE(test) cmocka_unit_test_setup_teardown(test, pbs_scene_begin, pbs_scene_end)
	const struct CMUnitTest tests[] = {
		SCENE(in_four_passes), SCENE(in_one_pass), SCENE(jobs_start_beside),
		SCENE(vnodes_are_taken), SCENE(vnode_goes_down), SCENE(no_room_any_more),
		SCENE(deleted), SCENE(altered), SCENE(degraded),
		SCENE(degraded_keeps_its_vnodes), SCENE(degraded_and_refused),
		SCENE(as_early_as_possible),
		SCENE(moved), SCENE(moved_while_it_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
