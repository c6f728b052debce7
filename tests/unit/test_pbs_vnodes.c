/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that do not fit on the vnodes of the hosts that the library has chosen start on others, and
   nothing keeps them waiting for ever. Hosts h0 to h3 have vnodes v0 and v1, v2 and v3 ... */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/pbs/recur.h"
#include "tests/unit/pbs_scene.h"

#define VSCATTER 3

static struct fake_pbs_job *submit_undivided(int ncpus)
{
	struct fake_pbs_job *job = pbs_scene_submit(ncpus);

	job->arrangement = VSCATTER;
	return job;
}

/* A host has 4 processors left, two on each of its vnodes, and the next one 4 on a vnode. The job
   runs there in the same pass. */
static void on_another_host(void **state)
{
	struct fake_pbs_job *job;

	(void)state;
	pbs_scene_run(2, "(v0:ncpus=2)");
	pbs_scene_run(2, "(v1:ncpus=2)");
	pbs_scene_run(4, "(v2:ncpus=4)");
	pbs_scene_run(8, "(v4:ncpus=4+v5:ncpus=4)");
	pbs_scene_run(8, "(v6:ncpus=4+v7:ncpus=4)");
	job = submit_undivided(4);
	pbs_scene_pass();
	assert_string_equal(job->vnodes, "(v3:ncpus=4)");
	assert_int_equal(pbs_scene_logged("others are tried"), 1);
	assert_int_equal(pbs.agent.total.refusals, 1);
}

/* Likewise on several hosts, of which two are not suitable. */
static void scattered(void **state)
{
	struct fake_pbs_job *job;

	(void)state;
	for (int i = 0; i < 4; i++) {
		char vnode[32];

		snprintf(vnode, sizeof(vnode), "(v%d:ncpus=2)", i);
		pbs_scene_run(2, vnode);
	}
	job = submit_undivided(3);
	job->chunks = 2;
	job->chunk[1] = job->chunk[0];
	pbs_scene_pass();
	assert_int_equal(job->state, 'R');
	for (int i = 0; i < job->parts; i++)
		assert_true(job->on[i] >= 4);
}

/* Only one vnode can ever have the chunk; it is in use, and the job waits for it. A job that none can
   have has a comment. */
static void on_the_only_vnode(void **state)
{
	struct fake_pbs_job *job, *other, *large;

	(void)state;
	fake_pbs.vnode[7].has.ncpus = 8;
	other = pbs_scene_run(8, "(v7:ncpus=8)");
	job = submit_undivided(6);
	large = submit_undivided(9);
	for (int i = 0; i < 3; i++)
		pbs_scene_pass();
	assert_int_equal(job->state, 'Q');
	assert_non_null(strstr(large->comment, "cannot hold its chunks"));
	assert_true(job->estimated >= other->started + 600);
	other->state = 'F';
	pbs_scene_pass();
	assert_string_equal(job->vnodes, "(v7:ncpus=6)");
	assert_int_equal(job->runs, 1);
}

/* As soon as a host has room again it is used. */
static void on_the_first_host_again(void **state)
{
	struct fake_pbs_job *job, *first;

	(void)state;
	first = pbs_scene_run(2, "(v0:ncpus=2)");
	pbs_scene_run(2, "(v1:ncpus=2)");
	for (int i = 2; i < 8; i++) {
		char vnode[32];

		snprintf(vnode, sizeof(vnode), "(v%d:ncpus=4)", i);
		pbs_scene_run(4, vnode);
	}
	job = submit_undivided(4);
	pbs_scene_pass();
	assert_int_equal(job->state, 'Q');
	first->state = 'F';
	for (int i = 0; i < 70 && job->state == 'Q'; i++)
		pbs_scene_pass();
	assert_string_equal(job->vnodes, "(v0:ncpus=4)");
}

/* Jobs whose time is over wait again. */
static void repeat(const struct fake_pbs_job *except)
{
	for (int i = 0; i < fake_pbs.jobs; i++) {
		struct fake_pbs_job *job = &fake_pbs.job[i];

		if (job == except || job->state != 'R' ||
		    job->started + job->walltime > fake_pbs.now)
			continue;
		job->state = 'Q';
		job->vnodes[0] = '\0';
		job->submit = fake_pbs.now;
		job->walltime = 800;
	}
}

/* Narrow jobs use all hosts. They end in turn on the two vnodes of a host, and wait again: the host
   has 4 processors then, and neither vnode has. */
static void beside_narrow_jobs(void **state)
{
	struct fake_pbs_job *job = NULL;
	char vnode[32];

	(void)state;
	for (int i = 0; i < 16; i++) {
		snprintf(vnode, sizeof(vnode), "(v%d:ncpus=2)", i / 4 * 2 + i % 2);
		pbs_scene_run(2, vnode)->walltime = 50 * (i + 1);
	}
	job = submit_undivided(4);
	for (int step = 0; step < 300 && job->state == 'Q'; step++) {
		fake_pbs.now += 10;
		repeat(job);
		pbs_scene_pass();
	}
	assert_int_equal(job->state, 'R');
	printf("# it ran after %lld s\n", (long long)(job->started - job->submit));
	assert_true(job->started - job->submit < 1800);
}

/* Vnodes of a host are reserved one after the other: each is free for a time, and none for long
   enough. */
static void beside_reservations(void **state)
{
	struct fake_pbs_job *job;
	int64_t time;

	(void)state;
	if (lxfw_pbs_recur("FREQ=DAILY;COUNT=2", "Europe/Berlin", 1, &time, 1) != 1)
		skip();
	fake_pbs.resv = (struct fake_pbs_resv){
		.number = 1, .state = 2, .chunks = 1, .ncpus = 4, .start = fake_pbs.now + 120,
		.end = fake_pbs.now + 180, .count = 2, .index = 1, .period = 120,
		.sequence = "2#(v0:ncpus=4){0}(v1:ncpus=4){1}",
	};
	fake_pbs.resv.start -= fake_pbs.resv.start % 60;
	fake_pbs.resv.end -= fake_pbs.resv.end % 60;
	strcpy(fake_pbs.resv.nodes[0], "(v0:ncpus=4)");
	strcpy(fake_pbs.resv.nodes[1], "(v1:ncpus=4)");
	job = pbs_scene_submit(4);
	pbs_scene_pass();
	assert_int_equal(job->state, 'R');
	assert_true(job->on[0] > 1);
}

/* With many such jobs, passes do not follow each other without pause. */
static void many(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++) {
		char vnodes[64];

		snprintf(vnodes, sizeof(vnodes), "(v%d:ncpus=4+v%d:ncpus=4)", 2 * i, 2 * i + 1);
		pbs_scene_run(8, vnodes);
	}
	for (int i = 0; i < 100; i++)
		submit_undivided(2);
	for (int i = 0; i < 3; i++) {
		pbs_scene_pass();
		assert_true(pbs.agent.wake > pbs.agent.clock);
		assert_true(pbs.bars_computed <= 20);
	}
}

/* A job that is shortened so that it ends before a reservation starts. */
static void shortened(void **state)
{
	struct fake_pbs_job *job;

	(void)state;
	fake_pbs.resv = (struct fake_pbs_resv){
		.number = 1, .state = 2, .chunks = 1, .ncpus = 4, .start = fake_pbs.now + 300,
		.end = fake_pbs.now + 900, .count = 1, .index = 1,
	};
	strcpy(fake_pbs.resv.nodes[0], "(v0:ncpus=4)");
	for (int i = 1; i < 8; i++) {
		char vnode[32];

		snprintf(vnode, sizeof(vnode), "(v%d:ncpus=4)", i);
		pbs_scene_run(4, vnode);
	}
	job = pbs_scene_submit(4);
	job->least = 60;
	pbs_scene_pass();
	assert_string_equal(job->vnodes, "(v0:ncpus=4)");
	assert_true(job->walltime >= 60 && job->walltime < 300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(on_another_host, pbs_scene_begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(scattered, pbs_scene_begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(on_the_only_vnode, pbs_scene_begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(on_the_first_host_again, pbs_scene_begin,
						pbs_scene_end),
		cmocka_unit_test_setup_teardown(beside_narrow_jobs, pbs_scene_begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(beside_reservations, pbs_scene_begin,
						pbs_scene_end),
		cmocka_unit_test_setup_teardown(many, pbs_scene_begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(shortened, pbs_scene_begin, pbs_scene_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
