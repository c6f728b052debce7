/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reasons that lxfw-pbsd states in the journal of jobs that wait without the library. */
#include "tests/unit/unit.h"

#include <string.h>

#include "plugins/agent/aside.h"
#include "tests/unit/pbs_scene.h"

static size_t count(enum lxfw_reason reason)
{
	return lxfw_aside_count(&pbs.agent, reason);
}

static void expect_one(enum lxfw_reason reason)
{
	pbs_scene_pass();
	assert_int_equal(count(reason), 1);
	assert_int_equal(pbs.agent.asides.count, 1);
}

static void held(void **state)
{
	struct fake_pbs_job *job = pbs_scene_submit(1);

	(void)state;
	job->state = 'H';
	job->holds = "u";
	expect_one(LXFW_REASON_HELD_BY_USER);
	job->holds = "os";
	job->mtime = fake_pbs.now;
	expect_one(LXFW_REASON_HELD);
	job->holds = "s";
	job->depends = "afterok:2.fake";
	expect_one(LXFW_REASON_DEPENDENCY);
	job->holds = "us";
	expect_one(LXFW_REASON_HELD_BY_USER);
	job->state = 'W';
	job->holds = "n";
	job->begin = fake_pbs.now + 100;
	expect_one(LXFW_REASON_BEGIN_TIME);
	assert_int_equal(pbs.agent.asides.job[0].until, job->begin);
	job->state = 'Q';
	pbs_scene_pass();
	assert_int_equal(pbs.agent.asides.count, 0);
	assert_int_equal(job->state, 'R');
}

/* A held job that is deleted. */
static void deleted(void **state)
{
	struct fake_pbs_job *job = pbs_scene_submit(1);

	(void)state;
	job->state = 'H';
	job->holds = "u";
	expect_one(LXFW_REASON_HELD_BY_USER);
	job->state = 'F';
	pbs_scene_pass();
	assert_int_equal(pbs.agent.asides.count, 0);
}

static void stopped_queue(void **state)
{
	struct fake_pbs_job *job = pbs_scene_submit(1);

	(void)state;
	fake_pbs.stopped[job->queue] = true;
	expect_one(LXFW_REASON_QUEUE_STOPPED);
	fake_pbs.stopped[job->queue] = false;
	pbs_scene_pass();
	assert_int_equal(pbs.agent.asides.count, 0);
}

static void limited(void **state)
{
	(void)state;
	fake_pbs.most_of_user = 1;
	(void)pbs_scene_submit(1);
	pbs_scene_pass();
	(void)pbs_scene_submit(1);
	expect_one(LXFW_REASON_LIMIT);
	assert_int_equal(pbs.agent.asides.job[0].limited, LXFW_LIMITED_JOBS);
}

#define SCENE(test) \
	cmocka_unit_test_setup_teardown(test, pbs_scene_begin, pbs_scene_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE(held), SCENE(deleted), SCENE(stopped_queue), SCENE(limited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
