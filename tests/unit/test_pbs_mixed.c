/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs with different chunks that cannot all be modelled as the largest: how they start. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/mixed_scene.h"

/* --- ids and layouts ---------------------------------------------------------------- */

static void ids_of_parts(void **state)
{
	uint64_t task = lxfw_pbs_id(12, 7);

	(void)state;
	assert_true(lxfw_pbs_part_id(12, 0) == 12);
	assert_true(lxfw_pbs_part_id(task, 0) == task);
	assert_int_equal(lxfw_pbs_part_index(task), 0);
	for (int i = 1; i < LXFW_GROUP_MAX; i++) {
		assert_int_equal(lxfw_pbs_part_index(lxfw_pbs_part_id(task, i)), i);
		assert_true(lxfw_pbs_part_id(task, i) > lxfw_pbs_id(12, 100000));
	}
	assert_true(lxfw_pbs_part_id(lxfw_pbs_id(12, 1 << 24), 1) == 0);
	assert_true(lxfw_pbs_part_id(lxfw_pbs_id(12, (1 << 24) - 2), 1) != 0);
}

/* Two kinds, of which one is in two places of the select; and two bundles. */
static void chunks_are_in_their_order(void **state)
{
	struct lxfw_pbs_site site = { 0 };
	struct lxfw_pbs_chunk chunk[] = {
		{ .count = 1 }, { .count = 2 }, { .count = 2 },
	};
	struct lxfw_pbs_parsed parsed = {
		.known = true, .select = { .chunk = chunk, .count = 3, .total = 5 },
	};
	struct lxfw_pbs_job job = { .parsed = &parsed };
	struct lxfw_pbs_chunk of_first[] = { { .count = 3 } }, of_second[] = { { .count = 2 } };
	struct lxfw_pbs_chunk of_bundle[] = { { .count = 1 }, { .count = 1 } };
	size_t kind[] = { 0, 1, 0 }, first[] = { 0 }, second[] = { 1 }, both[] = { 0, 1 };
	struct lxfw_pbs_part part[2] = {
		{ .kind = first, .parsed.select = { .chunk = of_first, .count = 1, .total = 3 } },
		{ .kind = second, .parsed.select = { .chunk = of_second, .count = 1, .total = 2 } },
	};
	struct lxfw_pbs_mixed mixed = { .part = part, .count = 2, .kind = kind };
	char *kinds[] = { (char *)"(a:ncpus=1)+(a:ncpus=1)+(b:ncpus=1)",
			  (char *)"(c:ncpus=2)+(d:ncpus=1+e:ncpus=1)" };
	char *bundles[] = { (char *)"(a:ncpus=1)+(a:ncpus=2)+(b:ncpus=1)+(b:ncpus=2)",
			    (char *)"(c:ncpus=1)" };
	char *text;

	(void)state;
	text = lxfw_pbs_mixed_join(&site, &job, &mixed, kinds);
	assert_string_equal(text, "(a:ncpus=1)+(c:ncpus=2)+(d:ncpus=1+e:ncpus=1)+(a:ncpus=1)+(b:ncpus=1)");
	free(text);
	part[0] = (struct lxfw_pbs_part){
		.kind = both, .bundles = 2,
		.parsed.select = { .chunk = of_bundle, .count = 2, .total = 2 },
	};
	part[1] = (struct lxfw_pbs_part){
		.kind = first, .bundles = 1,
		.parsed.select = { .chunk = of_bundle, .count = 1, .total = 1 },
	};
	text = lxfw_pbs_mixed_join(&site, &job, &mixed, bundles);
	assert_string_equal(text, "(a:ncpus=1)+(a:ncpus=2)+(b:ncpus=2)+(b:ncpus=1)+(c:ncpus=1)");
	free(text);
}

/* --- starts --------------------------------------------------------------------------- */

static void different_amounts(void **state)
{
	struct fake_pbs_job *job = one_large();

	(void)state;
	pbs_scene_pass();
	assert_int_equal(job->state, 'R');
	assert_int_equal(fake_pbs.starts, 1);
}

static void different_wants(void **state)
{
	struct fake_pbs_job *job = mixed(2);

	(void)state;
	job->want[0] = FAKE_SLOW;
	job->want[1] = FAKE_FAST;
	pbs_scene_pass();
	assert_int_equal(job->state, 'R');
	assert_true(strncmp(job->vnodes, "(v2:", 4) == 0 || strncmp(job->vnodes, "(v3:", 4) == 0 ||
		    strncmp(job->vnodes, "(v6:", 4) == 0 || strncmp(job->vnodes, "(v7:", 4) == 0);
}

/* The job is one of the library as soon as it runs, with all that it uses. */
static void it_is_one_when_it_runs(void **state)
{
	struct fake_pbs_job *job = one_large();
	const struct lxfw_known_job *known;

	(void)state;
	run_for(3);
	known = part(job, 0);
	assert_non_null(known);
	assert_int_equal(known->state, LXFW_KNOWN_RUNNING);
	assert_int_equal(known->request.group, 0);
	assert_int_equal(known->expected_end, job->started + 600);
	assert_null(part(job, 1));
	/* 13 of 32 processors are in use: 19 jobs of 1 start, and no more. */
	for (int i = 0; i < 20; i++)
		(void)pbs_scene_submit(1);
	run_for(3);
	assert_int_equal(fake_pbs.starts, 20);
}

/* It waits for both parts, which have the same expected start. */
static void it_waits_for_all(void **state)
{
	struct fake_pbs_job *job = mixed(2), *other;

	(void)state;
	pbs_scene_params("lxfw_policy=easy");
	job->state = 'F';
	other = pbs_scene_run(1, "(v0:ncpus=4)+(v1:ncpus=4)+(v4:ncpus=4)+(v5:ncpus=4)");
	job = mixed(2);
	job->want[0] = FAKE_SLOW;
	job->want[1] = FAKE_FAST;
	run_for(3);
	assert_int_equal(job->state, 'Q');
	assert_int_equal(parts_of(job), 2);
	assert_int_equal(part(job, 0)->reserved_start, part(job, 1)->reserved_start);
	assert_true(llabs(job->estimated - (other->started + 600)) <= 2);
	assert_string_equal(job->estimated_on, "(v3:ncpus=1)+(v1:ncpus=1)");
	assert_string_equal(job->comment,
			    "Not Running: waits for resources or for jobs that come first");
	other->state = 'F';
	other->vnodes[0] = '\0';
	run_for(2);
	assert_int_equal(job->state, 'R');
}

/* All that is left is one host, and both kinds must be there: a bundle. */
static void kinds_share_a_host(void **state)
{
	struct fake_pbs_job *job;

	(void)state;
	for (int i = 0; i < 6; i++)
		fake_pbs.vnode[i].has.ncpus = 0;
	job = mixed(3);
	job->chunk[0].ncpus = 4;
	pbs_scene_pass();
	assert_int_equal(job->state, 'R');
	assert_int_equal(job->on[0] / 2, 3);
	run_for(2);
	assert_int_equal(part(job, 0)->state, LXFW_KNOWN_RUNNING);
}

/* Four hosts with 5 chunks of 5 processors and 4 of 3: kinds do not fit on hosts of their own. */
static void kinds_share_hosts(void **state)
{
	struct fake_pbs_job *job = mixed(6);

	(void)state;
	for (int i = 0; i < 6; i++)
		job->chunk[i].ncpus = i < 3 ? 3 : 5;
	/* h3 is too small for either. */
	fake_pbs.vnode[6].has.ncpus = fake_pbs.vnode[7].has.ncpus = 1;
	pbs_scene_pass();
	assert_int_equal(job->state, 'R');
	run_for(2);
	assert_int_equal(fake_pbs.starts, 1);
}

/* The first kinds that find hosts take those that others need: bundles have certain hosts. */
static void others_need_its_hosts(void **state)
{
	static const struct fake_use has[FAKE_VNODES] = {
		{ 2, 700, 1 }, { 5, 300, 0 }, { 1, 300, 1 }, { 4, 400, 1 },
		{ 2, 800, 1 }, { 3, 200, 1 }, { 1, 300, 0 }, { 3, 300, 1 },
	};
	static const struct fake_use chunks[] = {
		{ 4, 600, 0 }, { 5, 200, 0 }, { 3, 300, 0 }, { 3, 300, 0 }, { 3, 300, 0 },
	};
	struct fake_pbs_job *job = mixed(5);

	(void)state;
	for (int i = 0; i < FAKE_VNODES; i++) {
		fake_pbs.vnode[i].has = has[i];
		fake_pbs.vnode[i].fast = i < 6;
	}
	for (int i = 0; i < 5; i++) {
		job->chunk[i] = chunks[i];
		job->want[i] = i < 2 ? FAKE_FAST : FAKE_ANY;
	}
	pbs_scene_pass();
	assert_int_equal(job->state, 'R');
}

static void too_much(void **state)
{
	struct fake_pbs_job *job = mixed(6);

	(void)state;
	for (int i = 0; i < 6; i++)
		job->chunk[i].ncpus = i < 5 ? 5 : 8;
	pbs_scene_pass();
	assert_int_equal(job->state, 'Q');
	assert_string_equal(job->comment, "Not Running: lxfw does not schedule this job: the hosts of its queue cannot hold its chunks");
}

/* Only one host is fast, and two chunks must be on different ones. */
static void scattered(void **state)
{
	struct fake_pbs_job *job = mixed(4);

	(void)state;
	job->arrangement = 2;
	job->want[0] = job->want[2] = FAKE_FAST;
	job->want[1] = job->want[3] = FAKE_SLOW;
	pbs_scene_pass();
	assert_int_equal(job->state, 'R');
	job = mixed(3);
	job->arrangement = 2;
	for (int i = 0; i < 3; i++)
		job->want[i] = i ? FAKE_FAST : FAKE_SLOW;
	fake_pbs.vnode[0].fast = fake_pbs.vnode[1].fast = false;
	pbs_scene_pass();
	assert_int_equal(job->state, 'Q');
	assert_non_null(strstr(job->comment, "cannot hold its chunks"));
}

static void on_vnodes(void **state)
{
	struct fake_pbs_job *job = mixed(6);

	(void)state;
	job->arrangement = 3;
	for (int i = 0; i < 6; i++)
		job->want[i] = i < 3 ? FAKE_FAST : FAKE_SLOW;
	run_for(2);
	assert_int_equal(job->state, 'R');
}

/* Equal chunks, more than there are hosts: the library would choose fewer vnodes. */
static void equal_on_vnodes(void **state)
{
	struct fake_pbs_job *job = mixed(6);

	(void)state;
	job->arrangement = 3;
	run_for(2);
	assert_int_equal(job->state, 'R');
}

/* h0 and h1 are on a switch, h2 and h3 on another. */
static void on_a_switch(void **state)
{
	struct fake_pbs_job *job = mixed(2);

	(void)state;
	job->group = true;
	job->want[0] = FAKE_SLOW;
	job->want[1] = FAKE_FAST;
	/* The first has no fast host, so that the second is chosen. */
	fake_pbs.vnode[0].fast = fake_pbs.vnode[1].fast = false;
	pbs_scene_pass();
	assert_int_equal(job->state, 'R');
	assert_int_equal(fake_pbs.vnode[job->on[0]].on_switch, 1);
	assert_int_equal(fake_pbs.vnode[job->on[1]].on_switch, 1);
}

static void over_switches(void **state)
{
	struct fake_pbs_job *job = mixed(2);

	(void)state;
	job->group = true;
	job->arrangement = 2;
	job->want[0] = FAKE_SLOW;
	job->want[1] = FAKE_FAST;
	for (int i = 0; i < FAKE_VNODES; i++)
		fake_pbs.vnode[i].fast = i < 4;
	fake_pbs.do_not_span = true;
	pbs_scene_pass();
	assert_int_equal(job->state, 'Q');
	assert_non_null(strstr(job->comment, "no placement set can hold its chunks"));
	fake_pbs.do_not_span = false;
	pbs_scene_connect();
	job->group = false;	/* the simulated server expects one switch otherwise */
	pbs_scene_pass();
	assert_int_equal(job->state, 'R');
}

static void alone_on_its_hosts(void **state)
{
	struct fake_pbs_job *job = one_large();

	(void)state;
	job->excl = true;
	run_for(2);
	assert_int_equal(job->state, 'R');
	for (int i = 0; i < 20; i++)
		(void)pbs_scene_submit(1);
	run_for(3);
	/* 5 chunks of one processor have a host of 8. */
	assert_int_equal(fake_pbs.starts, 1 + 16);
}

static void a_policy_without_groups(void **state)
{
	struct fake_pbs_job *job = one_large();

	(void)state;
	pbs_scene_params("lxfw_policy=pfcfs2");
	run_for(2);
	assert_int_equal(job->state, 'Q');
	assert_non_null(strstr(job->comment, "the policy cannot start jobs whose chunks differ so much"));
}

/* Its first part has the licenses. */
static void with_licenses(void **state)
{
	struct fake_pbs_job *other, *job, *last;

	(void)state;
	fake_pbs.lic = 2;
	pbs_scene_connect();
	other = pbs_scene_submit(1);
	other->lic = 1;
	run_for(2);
	assert_int_equal(other->state, 'R');
	job = one_large();
	job->lic = 2;
	last = pbs_scene_submit(1);
	last->lic = 2;
	run_for(2);
	assert_int_equal(job->state, 'Q');
	assert_int_equal(parts_of(job), 2);
	other->state = 'F';
	other->vnodes[0] = '\0';
	run_for(4);
	assert_int_equal(job->state, 'R');
	assert_int_equal(last->state, 'Q');
}

#define SCENE(test) cmocka_unit_test_setup_teardown(test, pbs_scene_begin, pbs_scene_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_of_parts),
		cmocka_unit_test(chunks_are_in_their_order),
		SCENE(different_amounts),
		SCENE(different_wants),
		SCENE(it_is_one_when_it_runs),
		SCENE(it_waits_for_all),
		SCENE(kinds_share_a_host),
		SCENE(kinds_share_hosts),
		SCENE(others_need_its_hosts),
		SCENE(too_much),
		SCENE(scattered),
		SCENE(on_vnodes),
		SCENE(equal_on_vnodes),
		SCENE(on_a_switch),
		SCENE(over_switches),
		SCENE(alone_on_its_hosts),
		SCENE(a_policy_without_groups),
		SCENE(with_licenses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
