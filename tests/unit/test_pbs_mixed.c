/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs with different chunks that cannot all be modelled as the largest: each is several jobs of
   the library while it waits. The site has four hosts, h0 to h3, of two vnodes each with 4
   processors and 2000 MB; h0 and h2 are fast. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/books/books.h"
#include "plugins/pbs/mixed.h"
#include "tests/unit/pbs_scene.h"

static struct fake_pbs_job *mixed(int chunks)
{
	struct fake_pbs_job *job = pbs_scene_submit(1);

	job->chunks = chunks;
	for (int i = 1; i < chunks; i++)
		job->chunk[i].ncpus = 1;
	return job;
}

/* The first chunk needs a whole host, and there are more chunks than hosts. */
static struct fake_pbs_job *one_large(void)
{
	struct fake_pbs_job *job = mixed(6);

	job->chunk[0].ncpus = 8;
	return job;
}

static const struct lxfw_known_job *part(const struct fake_pbs_job *job, int index)
{
	uint64_t id = lxfw_pbs_id((uint64_t)job->number, job->task);

	return lxfw_table_find(&pbs.agent.jobs, lxfw_pbs_part_id(id, index));
}

static int parts_of(const struct fake_pbs_job *job)
{
	int count = 0;

	for (int i = 0; i < LXFW_GROUP_MAX; i++)
		count += part(job, i) && part(job, i)->state == LXFW_KNOWN_WAITING;
	return count;
}

static void run_for(int passes)
{
	while (passes-- > 0)
		pbs_scene_pass();
}

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

/* --- what may happen meanwhile -------------------------------------------------------- */

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

/* --- whatever fits ------------------------------------------------------------------------ */

static int between(uint64_t *random, int least, int most)
{
	return (int)unit_between(random, least, most);
}

static void random_site(uint64_t *random)
{
	for (int i = 0; i < FAKE_VNODES; i++) {
		struct fake_vnode *vnode = &fake_pbs.vnode[i];

		vnode->has = (struct fake_use){
			.ncpus = between(random, 1, 5), .mem_mb = 100 * between(random, 1, 10),
			.ngpus = between(random, 0, 1),
		};
		vnode->fast = i % 2 ? fake_pbs.vnode[i - 1].fast : between(random, 0, 1);
	}
}

static struct fake_pbs_job *random_job(uint64_t *random)
{
	struct fake_pbs_job *job = mixed(between(random, 2, FAKE_CHUNKS));

	job->arrangement = between(random, 0, 3) ? 0 : 2;
	job->excl = between(random, 0, 4) == 0;
	for (int i = 0; i < job->chunks; i++) {
		if (i > 0 && between(random, 0, 2) == 0) {
			job->chunk[i] = job->chunk[i - 1];
			job->want[i] = job->want[i - 1];
			continue;
		}
		job->chunk[i] = (struct fake_use){
			.ncpus = between(random, 1, 6), .mem_mb = 100 * between(random, 1, 8),
			.ngpus = between(random, 0, 5) == 0,
		};
		job->want[i] = between(random, 0, 1) ? FAKE_ANY :
			(enum fake_want)between(random, FAKE_FAST, FAKE_SLOW);
	}
	return job;
}

/* What the hosts have left. */
struct left {
	struct fake_use of[FAKE_VNODES / 2];
	bool used[FAKE_VNODES / 2];
};

static bool take(struct left *left, int host, const struct fake_pbs_job *job, int chunk)
{
	const struct fake_use *need = &job->chunk[chunk];
	struct fake_use *has = &left->of[host];

	if (need->ncpus > has->ncpus || need->mem_mb > has->mem_mb || need->ngpus > has->ngpus ||
	    (job->arrangement == 2 && left->used[host]) ||
	    (job->want[chunk] && fake_pbs.vnode[2 * host].fast != (job->want[chunk] == FAKE_FAST)))
		return false;
	has->ncpus -= need->ncpus;
	has->mem_mb -= need->mem_mb;
	has->ngpus -= need->ngpus;
	left->used[host] = true;
	return true;
}

/* Whether each chunk in turn fits on the first host that has room for it, as in pbs_sched. */
static bool fits_in_turn(const struct fake_pbs_job *job)
{
	struct left left = { 0 };

	for (int i = 0; i < FAKE_VNODES; i++)
		fake_pbs_add_use(&left.of[i / 2], &fake_pbs.vnode[i].has);
	for (int i = 0; i < job->chunks; i++) {
		int host = 0;

		while (host < FAKE_VNODES / 2 && !take(&left, host, job, i))
			host++;
		if (host == FAKE_VNODES / 2)
			return false;
	}
	return true;
}

static void print_case(const struct fake_pbs_job *job)
{
	for (int i = 0; i < FAKE_VNODES; i++)
		print_message("# %s on %s: %d ncpus, %d MB, %d ngpus%s\n", fake_pbs.vnode[i].name,
			      fake_pbs.vnode[i].host, fake_pbs.vnode[i].has.ncpus,
			      fake_pbs.vnode[i].has.mem_mb, fake_pbs.vnode[i].has.ngpus,
			      fake_pbs.vnode[i].fast ? ", fast" : "");
	for (int i = 0; i < job->chunks; i++)
		print_message("# chunk %d: %d ncpus, %d MB, %d ngpus, want %d\n", i,
			      job->chunk[i].ncpus, job->chunk[i].mem_mb, job->chunk[i].ngpus,
			      job->want[i]);
	print_message("# place %d, excl %d, %d parts\n", job->arrangement, job->excl,
		      parts_of(job));
}

/* A job that fits on the empty site starts. The simulated server tests how. */
static void whatever_fits_starts(void **state)
{
	uint64_t random = unit_seed("jobs with different chunks");
	const char *given = getenv("LXFW_CASES");
	int cases = given ? atoi(given) : 1000, fitting = 0, in_parts = 0;

	for (int i = 0; i < cases; i++) {
		struct fake_pbs_job *job;

		assert_int_equal(pbs_scene_begin(state), 0);
		random_site(&random);
		job = random_job(&random);
		if (fits_in_turn(job)) {
			pbs_scene_pass();
			in_parts += parts_of(job) == 0 && part(job, 0) && part(job, 1);
			if (job->state != 'R')
				print_case(job);
			if (job->state != 'R')
				fail_msg("case %d of %d: a job that fits is not started: %s", i, cases,
					 job->comment);
			fitting++;
		}
		assert_int_equal(pbs_scene_end(state), 0);
	}
	print_message("# %d jobs fit, %d of them in parts\n", fitting, in_parts);
	assert_true(fitting > cases / 20 && in_parts > 0);
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
		cmocka_unit_test(whatever_fits_starts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
