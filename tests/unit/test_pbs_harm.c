/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one user's job does must not harm others: lxfw-pbsd's adapter with a simulated server on
   which nothing fails, in scenes made by hand. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

#include "plugins/agent/pass.h"
#include "tests/unit/pbs_scene.h"

#define WAITS "Not Running: waits for resources or for jobs that come first"

/* --- jobs without an end ------------------------------------------------------------------ */

/* Three jobs that need a host each have those that the first job has left. */
static void check_others_run(void)
{
	struct fake_pbs_job *other[3];

	for (int i = 0; i < 3; i++)
		other[i] = pbs_scene_submit(8);
	pbs_scene_pass();
	for (int i = 0; i < 3; i++)
		assert_int_equal(other[i]->state, 'R');
}

/* No sum with a run time overflows. */
static void endless(void **state)
{
	(void)state;
	pbs_scene_run(8, "(v0:ncpus=4+v1:ncpus=4)")->walltime = INT64_C(9223372036854775000);
	pbs_scene_pass();
	check_others_run();
}

/* The library rejects a job with such a start. It is a block instead. */
static void rejected(void **state)
{
	struct fake_pbs_job *job = pbs_scene_run(8, "(v0:ncpus=4+v1:ncpus=4)");
	int64_t started = job->started;

	(void)state;
	job->started = INT64_C(1) << 61;
	pbs_scene_pass();
	pbs_scene_pass();
	assert_int_equal(pbs.agent.block_count, 1);
	check_others_run();
	/* It is in the model as soon as it has a time. */
	job->started = started;
	pbs_scene_pass();
	pbs_scene_pass();
	assert_int_equal(pbs.agent.block_count, 0);
	pbs_scene_submit(8);
	pbs_scene_pass();
	assert_int_equal(fake_pbs.starts, 3);
}

/* --- the order of policy site ------------------------------------------------------------- */

/* Job 1 was held until after job 2 came: it is first, as under pbs_sched, but not under a policy
   with an order of its own. */
static void check_first(const char *policy, bool is_first)
{
	struct fake_pbs_job *job[3];

	pbs_scene_params(policy);
	for (int i = 0; i < 4; i++)
		pbs_scene_run(i ? 8 : 4, (const char *const[]){ "(v0:ncpus=4)", "(v2:ncpus=4+v3:ncpus=4)",
			"(v4:ncpus=4+v5:ncpus=4)", "(v6:ncpus=4+v7:ncpus=4)" }[i]);
	for (int i = 0; i < 3; i++) {
		job[i] = pbs_scene_submit(4);
		job[i]->rank = (fake_pbs.now + i) * 1000000;
		job[i]->submit = fake_pbs.now + (i == 0 ? 5 : i);
	}
	fake_pbs.now += 10;
	pbs_scene_pass();
	assert_int_equal(job[0]->state, is_first ? 'R' : 'Q');
	assert_int_equal(job[1]->state, is_first ? 'Q' : 'R');
	assert_int_equal(job[2]->state, 'Q');
}

static void held_job_keeps_its_place(void **state)
{
	(void)state;
	check_first("lxfw_policy=site", true);
}

static void eligible_job_is_first(void **state)
{
	(void)state;
	check_first("lxfw_policy=easy", false);
}

/* Users choose priorities. Returns whether a job that came later runs first because of its one. */
static bool jumps_the_queue(const char *config)
{
	char path[256];
	FILE *file;
	struct fake_pbs_job *job[2];

	snprintf(path, sizeof(path), "%s/sched_config", pbs_scene_folder);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(config, file);
	assert_int_equal(fclose(file), 0);
	fake_pbs.priv = pbs_scene_folder;
	pbs_scene_params("lxfw_policy=site");
	pbs_scene_run(4, "(v0:ncpus=4)");
	for (int i = 1; i < 4; i++)
		pbs_scene_run(8, (const char *const[]){ "(v2:ncpus=4+v3:ncpus=4)",
			"(v4:ncpus=4+v5:ncpus=4)", "(v6:ncpus=4+v7:ncpus=4)" }[i - 1]);
	for (int i = 0; i < 2; i++) {
		job[i] = pbs_scene_submit(4);
		job[i]->submit = fake_pbs.now + i;
	}
	job[1]->priority = 1023;
	fake_pbs.now += 10;
	pbs_scene_pass();
	remove(path);
	assert_true((job[0]->state == 'R') != (job[1]->state == 'R'));
	return job[1]->state == 'R';
}

static void priorities_of_users(void **state)
{
	(void)state;
	assert_false(jumps_the_queue("# no key\n"));
}

static void priorities_that_the_site_wants(void **state)
{
	(void)state;
	assert_true(jumps_the_queue("job_sort_key: \"job_priority HIGH\" ALL\n"));
}

/* --- many reservations -------------------------------------------------------------------- */

static void add_requested(const char *name)
{
	struct lxfw_pbs_resv *resv = lxfw_pbs_site_resv(&pbs.site, name);

	lxfw_pbs_resv_set(resv, "reserve_state", NULL, "1");
	lxfw_pbs_resv_set(resv, "reserve_start", NULL, "1800001000");
	lxfw_pbs_resv_set(resv, "reserve_end", NULL, "1800002000");
	lxfw_pbs_resv_set(resv, "schedselect", NULL, "1:ncpus=1");
}

/* Where there is no time, a pass confirms one, and the next pass the next one. The server has none
   of them here, as if users had deleted them, and refuses that. */
static void one_at_a_time(void **state)
{
	struct lxfw_error why;

	(void)state;
	pbs_scene_pass();
	add_requested("R1.fake");
	add_requested("R2.fake");
	pbs.changed = false;
	pbs.confirm_us = 0;
	lxfw_pbs_confirm(&pbs);
	assert_int_equal(fake_pbs.refusals, 1);
	assert_int_equal(pbs.next_resv, 1);
	assert_true(pbs.changed);
	lxfw_pbs_confirm(&pbs);
	assert_int_equal(fake_pbs.refusals, 2);
	assert_int_equal(pbs.next_resv, 2);
	pbs.confirm_us = 60000000;
	lxfw_pbs_confirm(&pbs);
	assert_int_equal(fake_pbs.refusals, 4);
	assert_int_equal(lxfw_pbs_confirm_resv(&pbs.link, "R1.fake", NULL, 0, NULL, &why), 1);
}

/* The first one is confirmed in the first pass, and the next pass does not begin behind it. */
static void first_come_first_served(void **state)
{
	(void)state;
	fake_pbs.resv = (struct fake_pbs_resv){
		.number = 2, .state = 1, .chunks = 1, .ncpus = 1, .start = 1800001000,
		.end = 1800002000, .count = 1, .index = 1,
	};
	pbs_scene_pass();
	assert_int_equal(fake_pbs.confirmed, 1);
	assert_int_equal(pbs.next_resv, 0);
}

/* Its jobs run on its vnodes: another vnode of the host belongs to others. */
static void check_runs_on(const char *vnodes)
{
	struct fake_pbs_job *job = pbs_scene_submit(4);

	fake_pbs.resv = (struct fake_pbs_resv){
		.number = 1, .state = 2, .chunks = 1, .ncpus = 4, .start = fake_pbs.now - 10,
		.end = fake_pbs.now + 10000, .count = 1, .index = 1,
	};
	strcpy(fake_pbs.resv.nodes[0], vnodes);
	job->reserved = true;
	pbs_scene_pass();
	pbs_scene_pass();
	assert_int_equal(job->state, 'R');
	assert_string_equal(job->vnodes, vnodes);
}

/* Its jobs that wait say why. */
static void says_why_it_waits(void **state)
{
	struct fake_pbs_job *job = pbs_scene_submit(4);

	(void)state;
	fake_pbs.resv = (struct fake_pbs_resv){
		.number = 1, .state = 2, .chunks = 1, .ncpus = 4, .start = fake_pbs.now + 100,
		.end = fake_pbs.now + 10000, .count = 1, .index = 1,
	};
	strcpy(fake_pbs.resv.nodes[0], "(v0:ncpus=4)");
	job->reserved = true;
	pbs_scene_pass();
	assert_string_equal(job->comment, "Not Running: its reservation has not begun");
	fake_pbs.now += 100;
	job = pbs_scene_submit(1);
	job->reserved = true;
	pbs_scene_pass();
	pbs_scene_pass();
	assert_string_equal(job->comment, "Not Running: not enough is left in its reservation");
}

static void runs_on_the_first_vnode(void **state)
{
	(void)state;
	check_runs_on("(v0:ncpus=4)");
}

static void runs_on_the_second_vnode(void **state)
{
	(void)state;
	check_runs_on("(v1:ncpus=4)");
}

#define RESERVED_VNODES 4	/* two hosts */

/* Others and jobs of the reservation run on its vnodes: parts of each vnode are theirs. Returns what
   the reservation has left. */
static void fill_vnodes(uint64_t *random, int left[RESERVED_VNODES])
{
	char *nodes = fake_pbs.resv.nodes[0], one[64];

	for (int i = 0; i < RESERVED_VNODES; i++) {
		int reserved = (int)unit_between(random, i == 0, 4);
		int others = (int)unit_between(random, 0, 4 - reserved);
		int inside = (int)unit_between(random, 0, reserved);

		if (reserved)
			sprintf(nodes + strlen(nodes), "%s(v%d:ncpus=%d)", *nodes ? "+" : "", i,
				reserved);
		left[i] = reserved - inside;
		snprintf(one, sizeof(one), "(v%d:ncpus=%d)", i, others);
		if (others)
			(void)pbs_scene_run(others, one);
		snprintf(one, sizeof(one), "(v%d:ncpus=%d)", i, inside);
		if (inside)
			pbs_scene_run(inside, one)->reserved = true;
	}
}

/* A job of a reservation starts if and only if a host has enough left of the reservation, whatever
   other jobs use of its vnodes, and on what is left of it. */
static void runs_on_what_is_left(void **state)
{
	uint64_t random = unit_seed("left in a reservation");
	int started = 0;

	for (int i = 0; i < 60; i++) {
		int left[RESERVED_VNODES], ncpus = (int)unit_between(&random, 1, 6), most;
		struct fake_pbs_job *job;

		assert_int_equal(pbs_scene_end(state), 0);
		assert_int_equal(pbs_scene_begin(state), 0);
		fake_pbs.resv = (struct fake_pbs_resv){
			.number = 1, .state = 2, .chunks = 1, .ncpus = 4, .count = 1, .index = 1,
			.start = fake_pbs.now - 10, .end = fake_pbs.now + 10000,
		};
		fill_vnodes(&random, left);
		job = pbs_scene_submit(ncpus);
		job->reserved = true;
		pbs_scene_pass();
		pbs_scene_pass();
		most = left[0] + left[1] > left[2] + left[3] ? left[0] + left[1] :
							       left[2] + left[3];
		assert_int_equal(job->state, ncpus <= most ? 'R' : 'Q');
		for (int j = 0; j < job->parts; j++)
			assert_true(job->on[j] < RESERVED_VNODES &&
				    (left[job->on[j]] -= job->part[j].ncpus) >= 0);
		started += job->state == 'R';
	}
	assert_true(started > 10 && started < 50);
}

/* A standing reservation of a processor of v0, which recurs every 100 s and takes LENGTH s. */
static struct lxfw_pbs_resv *add_standing(int length)
{
	struct lxfw_pbs_resv *resv = lxfw_pbs_site_resv(&pbs.site, "R3.fake");

	resv->occurrences = 20;
	resv->occurrence = calloc(20, sizeof(*resv->occurrence));
	for (int i = 0; i < 20; i++) {
		resv->occurrence[i] = (struct lxfw_pbs_occurrence){
			.start = i * 100, .end = i * 100 + length,
			.nodes = i % 7 == 6 ? NULL : strdup("(v0:ncpus=1)"),
		};
	}
	/* The present one was altered. */
	resv->occurrence[0].end = 250;
	return resv;
}

/* The most that are under way at once. All times are multiples of 5. */
static int overlapping(const struct lxfw_pbs_resv *resv, int64_t start, int64_t end)
{
	int most = 0;

	for (int64_t time = start; time < end; time += 5) {
		int count = 0;

		for (int i = lxfw_pbs_resv_first(resv); i < resv->occurrences; i++)
			count += resv->occurrence[i].nodes && resv->occurrence[i].start <= time &&
				 time < resv->occurrence[i].end;
		if (count > most)
			most = count;
	}
	return most;
}

/* Those that overlap a time are found, and no others; those that overlap each other add up. */
static void overlaps(void **state)
{
	static const int64_t states[] = {
		LXFW_PBS_RESV_CONFIRMED, LXFW_PBS_RESV_DELETING_JOBS, LXFW_PBS_RESV_FINISHED,
	};
	const struct lxfw_pbs_vnode *vnode;
	struct lxfw_pbs_resv *resv;

	(void)state;
	pbs_scene_pass();
	vnode = lxfw_pbs_site_find_vnode(&pbs.site, "v0");
	for (int i = 0; i < 6; i++) {
		resv = add_standing(i % 2 ? 130 : 50);
		resv->state = states[i / 2];
		for (int start = -100; start < 2100; start += 25) {
			for (int length = 25; length < 400; length += 125) {
				lxfw_pbs_use_resvs(&pbs, start, start + length, NULL);
				assert_int_equal(vnode->used.procs,
						 overlapping(resv, start, start + length));
				lxfw_pbs_free_resvs(&pbs);
				assert_int_equal(vnode->used.procs, 0);
			}
		}
		lxfw_pbs_use_resvs(&pbs, 0, 2000, resv);
		assert_int_equal(vnode->used.procs, 0);
		lxfw_pbs_resv_clear(resv);
		pbs.site.resv_count = 0;
	}
}

/* A reservation that ends later than the library can count is refused, and is a block if another
   scheduler has confirmed it. */
static void endless_reservation(void **state)
{
	(void)state;
	fake_pbs.resv = (struct fake_pbs_resv){
		.number = 1, .state = 1, .chunks = 1, .ncpus = 4, .start = fake_pbs.now + 100,
		.end = (INT64_C(1) << 60) + 5, .count = 1, .index = 1,
	};
	pbs_scene_pass();
	assert_int_equal(fake_pbs.denied, 1);
	assert_int_equal(fake_pbs.confirmed, 0);
	fake_pbs.resv.state = 2;
	strcpy(fake_pbs.resv.nodes[0], "(v0:ncpus=4)");
	pbs_scene_pass();
	assert_int_equal(pbs.agent.block_count, 1);
	assert_int_equal(pbs.agent.rejected, 0);
	assert_false(pbs.agent.rebuild);
	fake_pbs.resv.end = fake_pbs.now + 200;
	fake_pbs.resv.state = 1;
	pbs_scene_pass();
	assert_int_equal(fake_pbs.confirmed, 1);
}

/* --- similar names ------------------------------------------------------------------------ */

/* A vnode with too many jobs does not concern a job on v10. */
static void similar_names(void **state)
{
	struct fake_pbs_job *job;

	(void)state;
	strcpy(fake_pbs.vnode[1].name, "v10");
	strcpy(fake_pbs.vnode[2].name, "v1");
	job = pbs_scene_run(2, "(v10:ncpus=2)");
	pbs_scene_pass();
	job->state = 'S';
	job->stopped = job->by_sched = true;
	pbs_scene_run(4, "(v1:ncpus=4)");
	/* An administrator has taken processors away, which the simulated server finds wrong. */
	fake_pbs.vnode[2].has.ncpus = 2;
	fake_pbs_save();
	fake_pbs.now++;
	(void)lxfw_agent_pass(&pbs.agent);
	assert_int_equal(job->state, 'R');
}

/* --- comments ----------------------------------------------------------------------------- */

/* A reason is taken back when it does not hold any more; that of a failed start stays. */
static void reasons_end(void **state)
{
	struct fake_pbs_job *job, *other, *failed;

	(void)state;
	fake_pbs.most_of_user = 1;
	pbs_scene_run(8, "(v0:ncpus=4+v1:ncpus=4)");
	pbs_scene_run(8, "(v2:ncpus=4+v3:ncpus=4)")->user = 1;
	pbs_scene_run(8, "(v4:ncpus=4+v5:ncpus=4)")->user = 1;
	pbs_scene_run(8, "(v6:ncpus=4+v7:ncpus=4)")->user = 1;
	job = pbs_scene_submit(8);
	pbs_scene_pass();
	assert_string_equal(job->comment, "Not Running: a limit of running jobs has been reached");
	fake_pbs.most_of_user = 0;
	other = pbs_scene_submit(8);
	strcpy(other->comment, "Not Running: Insufficient amount of resource: ncpus");
	failed = pbs_scene_submit(8);
	strcpy(failed->comment, "Not Running: PBS Error: a node is lost");
	pbs_scene_pass();
	pbs_scene_pass();
	assert_int_equal(job->state, 'Q');
	assert_string_equal(job->comment, WAITS);
	assert_string_equal(other->comment, WAITS);
	assert_string_equal(failed->comment, "Not Running: PBS Error: a node is lost");
}

/* A queue is stopped while jobs of it wait: their comments state that, and they start when it is
   started again. Jobs of other queues do not wait for them. */
static void stopped_queue(void **state)
{
	struct fake_pbs_job *job, *other, *running[4];

	(void)state;
	for (int i = 0; i < 4; i++) {
		char vnodes[64];

		snprintf(vnodes, sizeof(vnodes), "(v%d:ncpus=4+v%d:ncpus=4)", 2 * i, 2 * i + 1);
		running[i] = pbs_scene_run(8, vnodes);
	}
	job = pbs_scene_submit(8);
	job->queue = FAKE_PRIME;
	other = pbs_scene_submit(8);
	pbs_scene_pass();
	pbs_scene_pass();
	assert_string_equal(job->comment, WAITS);
	assert_true(job->estimated > 0);
	fake_pbs.stopped[FAKE_PRIME] = true;
	pbs_scene_pass();
	assert_string_equal(job->comment, "Not Running: its queue is stopped");
	running[0]->state = 'F';
	pbs_scene_pass();
	assert_int_equal(other->state, 'R');
	assert_int_equal(job->state, 'Q');
	running[1]->state = 'F';
	pbs_scene_pass();
	assert_int_equal(job->state, 'Q');
	fake_pbs.stopped[FAKE_PRIME] = false;
	pbs_scene_pass();
	assert_int_equal(job->state, 'R');
}

/* --- amounts above the bounds ------------------------------------------------------------- */

/* Each is logged once, with the value and the bound, and again if it returns. */
static void above_bounds(void **state)
{
	struct fake_pbs_job *job;

	(void)state;
	fake_pbs.vnode[0].has.ncpus = 2000000;
	fake_pbs.vnode[3].has.ncpus = 1 << 20;
	fake_pbs.lic = 2147483647;
	job = pbs_scene_run(1500000, "(v0:ncpus=1500000)");
	job->walltime = INT64_C(200000000);
	for (int i = 0; i < 5; i++)
		pbs_scene_pass();
	assert_int_equal(pbs_scene_logged("vnode v0: ncpus=2000000 counts as 1048576, the bound"), 1);
	assert_int_equal(pbs_scene_logged("job 1.fake: ncpus=1500000 counts as 1048576, the bound"), 1);
	assert_int_equal(pbs_scene_logged("job 1.fake: walltime=55555:33:20 counts as 157680000s, the"),
			 1);
	assert_int_equal(pbs_scene_logged("counts as"), 3);
	fake_pbs.vnode[1].has.ncpus = 3000000;
	pbs_scene_pass();
	assert_int_equal(pbs_scene_logged("vnode v1: ncpus=3000000"), 1);
	assert_int_equal(pbs_scene_logged("counts as"), 4);
	fake_pbs.vnode[1].has.ncpus = 4;
	pbs_scene_pass();
	fake_pbs.vnode[1].has.ncpus = 3000000;
	pbs_scene_pass();
	assert_int_equal(pbs_scene_logged("vnode v1: ncpus=3000000"), 2);
	pbs_scene_submit(3000000);
	pbs_scene_pass();
	assert_int_equal(pbs_scene_logged("it requests more than a chunk can have, 1048576: ncpus=3000000"),
			 1);
}

static struct fake_pbs_job *submit_array(int ncpus, int first, int count)
{
	for (int i = 0; i < count; i++) {
		struct fake_pbs_job *task = pbs_scene_submit(ncpus);

		task->number -= i;
		task->task = first + i;
	}
	return &fake_pbs.job[fake_pbs.jobs - count];
}

/* The comment is that of the array, which has no place of its own here: its first task has it. */
static void arrays_have_comments(void **state)
{
	struct fake_pbs_job *array = submit_array(1000, 0, 3);

	(void)state;
	pbs_scene_pass();
	pbs_scene_pass();
	assert_non_null(strstr(array->comment, "the hosts of its queue cannot hold its chunks"));
	assert_int_equal(fake_pbs.comments, 1);
	for (int i = 0; i < 3; i++) {
		array[i].chunk[0].ncpus = 8;
		array[i].bounced = 0;
	}
	pbs_scene_run(8, "(v0:ncpus=4+v1:ncpus=4)");
	pbs_scene_run(8, "(v2:ncpus=4+v3:ncpus=4)");
	pbs_scene_run(8, "(v4:ncpus=4+v5:ncpus=4)");
	pbs_scene_run(8, "(v6:ncpus=4+v7:ncpus=4)");
	pbs_scene_pass();
	assert_string_equal(array->comment, WAITS);
	assert_int_equal(fake_pbs.comments, 2);
}

/* Tasks with the largest indices but two run. */
static void large_indices(void **state)
{
	struct fake_pbs_job *array = submit_array(1, 2000000000, 3);

	(void)state;
	pbs_scene_pass();
	for (int i = 0; i < 3; i++)
		assert_int_equal(array[i].state, 'R');
	array = submit_array(1, INT32_MAX - 1, 2);
	pbs_scene_pass();
	pbs_scene_pass();
	assert_int_equal(array[0].state, 'Q');
	assert_non_null(strstr(array->comment, "the index of a task is too large"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(endless,
						pbs_scene_begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(rejected,
						pbs_scene_begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(held_job_keeps_its_place,
						pbs_scene_begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(eligible_job_is_first,
						pbs_scene_begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(priorities_of_users,
						pbs_scene_begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(priorities_that_the_site_wants,
						pbs_scene_begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(one_at_a_time,
						pbs_scene_begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(first_come_first_served,
						pbs_scene_begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(says_why_it_waits,
						pbs_scene_begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(runs_on_the_first_vnode,
						pbs_scene_begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(runs_on_the_second_vnode,
						pbs_scene_begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(runs_on_what_is_left, pbs_scene_begin,
						pbs_scene_end),
		cmocka_unit_test_setup_teardown(overlaps,
						pbs_scene_begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(endless_reservation,
						pbs_scene_begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(similar_names,
						pbs_scene_begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(reasons_end,
						pbs_scene_begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(above_bounds,
						pbs_scene_begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(stopped_queue,
						pbs_scene_begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(arrays_have_comments,
						pbs_scene_begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(large_indices,
						pbs_scene_begin, pbs_scene_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
