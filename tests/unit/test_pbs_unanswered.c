/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts for whose answer the daemon does not wait: no more than 64 in a row, and none is lost or
   counted twice, whatever becomes of them. */
#include "tests/unit/unit.h"

#include <string.h>

#include "tests/unit/pbs_scene.h"

#define JOBS 250

/* The vnodes have 200 processors. */
static void submit_all(void)
{
	for (int i = 0; i < FAKE_VNODES; i++)
		fake_pbs.vnode[i].has = (struct fake_use){ .ncpus = 25, .mem_mb = 100 };
	for (int i = 0; i < JOBS; i++)
		pbs_scene_submit(1);
}

static int count(char job_state)
{
	int number = 0;

	for (int i = 0; i < fake_pbs.jobs; i++)
		number += fake_pbs.job[i].state == job_state;
	return number;
}

/* The model has the jobs that run, and no others. The simulated server tests that none is started
   twice, and that no vnode is over capacity. */
static void check_model(void)
{
	size_t running = 0;

	for (size_t i = 0; i < pbs.agent.jobs.count; i++) {
		const struct lxfw_known_job *known = pbs.agent.jobs.jobs[i];

		running += known->state == LXFW_KNOWN_RUNNING;
		if (known->state == LXFW_KNOWN_RUNNING)
			assert_int_equal(fake_pbs.job[known->id - 1].state, 'R');
	}
	assert_int_equal(running, count('R'));
}

/* In the end 200 run, each after one start, and the others follow them. */
static void check_end(void)
{
	for (int i = 0; i < 60; i++)
		pbs_scene_pass();
	check_model();
	assert_int_equal(count('R'), 200);
	assert_int_equal(fake_pbs.starts, 200);
	for (int i = 0; i < fake_pbs.jobs; i++) {
		if (fake_pbs.job[i].state == 'R')
			fake_pbs.job[i].state = 'F';
	}
	pbs_scene_pass();
	pbs_scene_pass();
	check_model();
	assert_int_equal(count('R'), JOBS - 200);
	for (int i = 0; i < JOBS; i++)
		assert_int_equal(fake_pbs.job[i].runs, 1);
	assert_true(fake_pbs.most_in_a_row <= 64);
}

static void answers_at_last(void **state)
{
	(void)state;
	submit_all();
	pbs_scene_pass();
	assert_int_equal(count('R'), 200);
	assert_int_equal(fake_pbs.most_in_a_row, 64);
	assert_int_equal(fake_pbs.unanswered, 197);
	check_end();
}

static void late(void **state)
{
	(void)state;
	submit_all();
	fake_pbs.late = true;
	pbs_scene_pass();
	check_end();
}

/* A third of the starts is refused. The jobs wait for 10 s, and others have their places. */
static void refused(void **state)
{
	(void)state;
	submit_all();
	fake_pbs.denies = 3;
	pbs_scene_pass();
	assert_true(count('R') >= 133 && count('R') < 200);
	fake_pbs.denies = 0;
	pbs_scene_pass();
	check_model();
	check_end();
}

static void refused_late(void **state)
{
	fake_pbs.late = true;
	refused(state);
}

/* The connection is lost after 100 starts: these were carried out. The others are made on the next
   connection, at once. */
static void lose(bool carried_out)
{
	submit_all();
	fake_pbs.late = true;
	fake_pbs.cut_after = 100;
	fake_pbs.carried_out = carried_out;
	pbs_scene_pass();
	assert_true(pbs.link.lost);
	/* Without the first 64 and one: the server answered that. */
	assert_int_equal(count('R'), carried_out ? 101 : 65);
	pbs_scene_pass();
	fake_pbs.late = false;
	pbs_scene_connect();
	pbs_scene_pass();
	pbs_scene_pass();
	assert_int_equal(count('R'), 200);
	assert_int_equal(pbs_scene_logged("refused it"), 0);
	check_model();
	check_end();
}

static void lost_and_carried_out(void **state)
{
	(void)state;
	lose(true);
}

static void lost_with_the_starts(void **state)
{
	(void)state;
	lose(false);
}

/* Likewise, and the daemon dies. */
static void daemon_dies(void **state)
{
	(void)state;
	submit_all();
	fake_pbs.late = true;
	pbs_scene_pass();
	fake_pbs_cut(false);
	pbs_scene_end(NULL);
	pbs_scene_restart();
	pbs_scene_pass();
	fake_pbs.late = false;
	check_end();
}

int main(void)
{
#define SCENE(test) cmocka_unit_test_setup_teardown(test, pbs_scene_begin, pbs_scene_end)
	const struct CMUnitTest tests[] = {
		SCENE(answers_at_last), SCENE(late), SCENE(refused), SCENE(refused_late),
		SCENE(lost_and_carried_out), SCENE(lost_with_the_starts), SCENE(daemon_dies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
