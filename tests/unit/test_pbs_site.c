/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What settings of the server and of the scheduler mean: lxfw-pbsd's adapter under policy site, with
   a simulated server on which nothing fails, in scenes made by hand. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/params/policy.h"
#include "plugins/agent/pass.h"
#include "plugins/pbs/config.h"
#include "plugins/pbs/wlm.h"
#include "tests/unit/fake_pbs_world.h"

static char folder[] = "/tmp/lxfw-pbs-XXXXXX";
static struct lxfw_pbs pbs;

/* Four hosts of two vnodes with 4 processors each, and no jobs. */
static int begin(void **state)
{
	struct lxfw_params params;
	struct lxfw_error why;

	(void)state;
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	fake_pbs_begin(1, NULL);
	fake_pbs.quiet = true;
	memset(&pbs, 0, sizeof(pbs));
	lxfw_params_default(&params);
	lxfw_pbs_init(&pbs, &params, "default", folder);
	pbs.clock = fake_pbs_clock;
	lxfw_error_set(&why, "");
	if (!lxfw_pbs_config_use(&pbs, "lxfw_policy=site", &why) ||
	    lxfw_pbs_connect(&pbs.link, NULL, "default", &why) < 0)
		fail_msg("%s", why.text);
	return 0;
}

static void remove_file(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	(void)unlink(path);
}

static int end(void **state)
{
	(void)state;
	lxfw_pbs_disconnect(&pbs.link);
	lxfw_pbs_destroy(&pbs);
	remove_file("journal");
	remove_file("lxfw_quanta");
	remove_file("lxfw_pbs_records");
	return rmdir(folder);
}

/* A waiting job of COUNT chunks, each of which needs a host. */
static struct fake_pbs_job *submit(int count, int64_t walltime)
{
	struct fake_pbs_job *job = &fake_pbs.job[fake_pbs.jobs++];

	*job = (struct fake_pbs_job){
		.number = fake_pbs.jobs, .task = -1, .state = 'Q', .chunks = count,
		.submit = fake_pbs.now, .walltime = walltime, .left = walltime,
		.rerunable = true,
	};
	for (int i = 0; i < count; i++)
		job->chunk[i].ncpus = 8;
	return job;
}

static void pass(void)
{
	fake_pbs_save();
	fake_pbs.now++;
	(void)lxfw_agent_pass(&pbs.agent);
	assert_string_equal(fake_pbs.wrong, "");
}

/* --- the formula -------------------------------------------------------------------------- */

/* Four hosts are free, and each of the jobs needs three. */
static void check_first(const char *of_server, const char *of_sched, bool longest)
{
	struct fake_pbs_job *brief = submit(3, 600), *lengthy = submit(3, 900);

	fake_pbs.server_formula = of_server;
	fake_pbs.formula = of_sched;
	pass();
	assert_int_equal(brief->state, longest ? 'Q' : 'R');
	assert_int_equal(lengthy->state, longest ? 'R' : 'Q');
}

static void without_formula(void **state)
{
	(void)state;
	check_first(NULL, NULL, false);
}

static void formula_of_sched(void **state)
{
	(void)state;
	check_first(NULL, "walltime", true);
}

static void formula_of_server(void **state)
{
	(void)state;
	check_first("walltime", NULL, true);
}

/* That of the server has precedence. */
static void both_formulas(void **state)
{
	(void)state;
	check_first("walltime", "-walltime", true);
}

/* --- eligible time ------------------------------------------------------------------------ */

#define RAN 3	/* the accrue_type of a running job, which it keeps when it is requeued */

static void released_and_requeued(void **state)
{
	struct fake_pbs_job *running = submit(4, 600), *released, *requeued;

	(void)state;
	fake_pbs.eligible_time = true;
	running->accrue_type = LXFW_PBS_ACCRUES_ELIGIBLE;
	pass();
	assert_int_equal(running->state, 'R');
	released = submit(1, 600);
	released->accrue_type = LXFW_PBS_ACCRUES_INELIGIBLE;
	requeued = submit(1, 600);
	requeued->accrue_type = RAN;
	pass();
	assert_int_equal(released->accrue_type, LXFW_PBS_ACCRUES_ELIGIBLE);
	assert_int_equal(requeued->accrue_type, LXFW_PBS_ACCRUES_ELIGIBLE);
	/* It is not told again, nor is that of jobs that do not wait. */
	pass();
	assert_int_equal(fake_pbs.accruals, 2);
}

/* The second job of a user waits for the first one, that of another user for room. */
static void limited(void **state)
{
	struct fake_pbs_job *first, *second, *other;

	(void)state;
	fake_pbs.eligible_time = true;
	fake_pbs.most_of_user = 1;
	first = submit(4, 600);
	second = submit(1, 600);
	other = submit(1, 600);
	other->user = 1;
	pass();
	assert_int_equal(first->state, 'R');
	pass();
	assert_int_equal(second->accrue_type, LXFW_PBS_ACCRUES_INELIGIBLE);
	assert_int_equal(other->accrue_type, LXFW_PBS_ACCRUES_ELIGIBLE);
	fake_pbs.most_of_user = 2;
	pass();
	assert_int_equal(second->accrue_type, LXFW_PBS_ACCRUES_ELIGIBLE);
}

/* A job whose value is not above the threshold is not eligible. */
static void below_the_threshold(void **state)
{
	struct fake_pbs_job *below = submit(1, 500), *above = submit(1, 501);

	(void)state;
	fake_pbs.eligible_time = true;
	fake_pbs.formula = "walltime";
	fake_pbs.threshold = 500;
	pass();
	assert_int_equal(above->state, 'R');
	pass();
	assert_int_equal(below->state, 'Q');
	assert_int_equal(below->accrue_type, LXFW_PBS_ACCRUES_INELIGIBLE);
	fake_pbs.threshold = 499;
	fake_pbs.now += 70;	/* values are computed again */
	pass();
	pass();
	assert_int_equal(below->state, 'R');
}

/* A limit of all jobs is nobody's own. */
static void limited_in_all(void **state)
{
	struct fake_pbs_job *second;

	(void)state;
	fake_pbs.eligible_time = true;
	fake_pbs.most_ncpus = 8;
	submit(1, 600);
	second = submit(1, 600);
	pass();
	pass();
	assert_int_equal(second->state, 'Q');
	assert_int_equal(second->accrue_type, LXFW_PBS_ACCRUES_ELIGIBLE);
}

/* The server does not count it. */
static void uncounted(void **state)
{
	struct fake_pbs_job *second;

	(void)state;
	fake_pbs.eligible_time = false;
	submit(4, 600);
	second = submit(1, 600);
	pass();
	pass();
	assert_int_equal(second->state, 'Q');
	assert_int_equal(fake_pbs.accruals, 0);
}

/* --- expected starts ---------------------------------------------------------------------- */

/* That of an array is the one of its next task, also if others have begun. */
static void expected_start_of_array(void **state)
{
	struct fake_pbs_job *tasks[3];
	int64_t start = fake_pbs.now + 1;

	(void)state;
	for (int i = 0; i < 3; i++) {
		tasks[i] = submit(4, 600);
		tasks[i]->number = 1;
		tasks[i]->task = i + 1;
	}
	for (int i = 0; i < 3; i++)
		pass();
	assert_int_equal(tasks[0]->state, 'R');
	assert_int_equal(tasks[1]->estimated, start + 600);
	assert_int_equal(tasks[2]->estimated, 0);
}

/* The expected vnodes are written with the expected start, and again if only they change, but not
   each time that they do. */
static void expected_vnodes(void **state)
{
	struct fake_pbs_job *first = submit(1, 600), *other = submit(1, 600);
	struct fake_pbs_job *large = submit(2, 1200), *waits = submit(2, 600);
	int64_t start;

	(void)state;
	for (int i = 0; i < 3; i++)
		pass();
	assert_int_equal(large->state, 'R');
	start = waits->estimated;
	assert_int_equal(start, first->started + 600);
	assert_string_equal(waits->estimated_on,
			    "(v1:ncpus=4+v0:ncpus=4)+(v3:ncpus=4+v2:ncpus=4)");
	first->walltime = first->left = 3000;
	large->walltime = large->left = 600;
	for (int i = 0; i < 3; i++)
		pass();
	assert_int_equal(waits->state, 'Q');
	assert_string_equal(waits->estimated_on,
			    "(v1:ncpus=4+v0:ncpus=4)+(v3:ncpus=4+v2:ncpus=4)");
	fake_pbs.now += 60;
	for (int i = 0; i < 3; i++)
		pass();
	assert_int_equal(waits->estimated, start);
	assert_string_equal(waits->estimated_on,
			    "(v3:ncpus=4+v2:ncpus=4)+(v7:ncpus=4+v6:ncpus=4)");
	assert_int_equal(other->state, 'R');
}

/* --- jobs that can be shortened ----------------------------------------------------------- */

/* Such a job ends when the reservation of all vnodes begins. */
static void shortened(void **state)
{
	struct fake_pbs_job *job = submit(1, 7200);

	(void)state;
	job->least = 60;
	fake_pbs.resv = (struct fake_pbs_resv){
		.number = 1, .state = 2, .chunks = 4, .ncpus = 8, .start = fake_pbs.now + 1001,
		.end = fake_pbs.now + 2000, .count = 1, .index = 1,
	};
	for (int i = 0; i < FAKE_VNODES; i++)
		sprintf(fake_pbs.resv.nodes[0] + strlen(fake_pbs.resv.nodes[0]),
			"%s(v%d:ncpus=4)", i ? "+" : "", i);
	pass();
	assert_int_equal(job->state, 'R');
	assert_int_equal(job->walltime, 1000);
}

/* Each occurrence has half of a host. A job that fits beside one of them does so beside several,
   which follow each other. */
static void beside_occurrences(void **state)
{
	struct fake_pbs_job *job = submit(1, 7200);

	(void)state;
	job->chunk[0].ncpus = 4;
	for (int i = 2; i < FAKE_VNODES; i++)
		fake_pbs.vnode[i].up = false;
	fake_pbs.resv = (struct fake_pbs_resv){
		.number = 1, .state = 2, .chunks = 1, .ncpus = 4, .start = fake_pbs.now + 1000,
		.end = fake_pbs.now + 1500, .count = 3, .index = 1, .period = 1200,
	};
	for (int i = 0; i < 3; i++)
		strcpy(fake_pbs.resv.nodes[i], "(v0:ncpus=2+v1:ncpus=2)");
	strcpy(fake_pbs.resv.sequence, "3#(v0:ncpus=2+v1:ncpus=2){0-2}");
	pass();
	assert_int_equal(job->state, 'R');
}

/* A job in a reservation of all vnodes ends with it, whatever its run time is. */
static void ends_with_reservation(void **state)
{
	struct fake_pbs_job *inside = submit(1, 7200), *waiting;

	(void)state;
	fake_pbs.resv = (struct fake_pbs_resv){
		.number = 1, .state = 2, .chunks = 4, .ncpus = 8, .start = fake_pbs.now - 100,
		.end = fake_pbs.now + 1000, .count = 1, .index = 1,
	};
	for (int i = 0; i < FAKE_VNODES; i++)
		sprintf(fake_pbs.resv.nodes[0] + strlen(fake_pbs.resv.nodes[0]),
			"%s(v%d:ncpus=4)", i ? "+" : "", i);
	strcpy(inside->vnodes, "(v0:ncpus=4+v1:ncpus=4)");
	fake_pbs_read_vnodes(inside);
	inside->state = 'R';
	inside->started = fake_pbs.now;
	inside->reserved = true;
	pass();
	waiting = submit(4, 600);
	pass();
	pass();
	assert_int_equal(waiting->state, 'Q');
	assert_int_equal(waiting->estimated, fake_pbs.resv.end);
}

/* --- hooks -------------------------------------------------------------------------------- */

/* The array has the reason, and keeps it while its tasks wait. */
static void rejected_tasks(void **state)
{
	struct fake_pbs_job *tasks[2];

	(void)state;
	fake_pbs.hook = true;
	for (int i = 0; i < 2; i++) {
		tasks[i] = submit(1, 600);
		tasks[i]->number = 1;
		tasks[i]->task = i + 1;
	}
	for (int i = 0; i < 3; i++) {
		pass();
		assert_int_equal(tasks[0]->state, 'Q');
		assert_string_equal(tasks[0]->comment, "Not Running: PBS Error: refused by the "
						       "simulated server");
	}
	assert_int_equal(fake_pbs.comments, 1);
	fake_pbs.hook = false;
	fake_pbs.now += 1300;
	pass();
	assert_int_equal(tasks[1]->state, 'R');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(without_formula, begin, end),
		cmocka_unit_test_setup_teardown(formula_of_sched, begin, end),
		cmocka_unit_test_setup_teardown(formula_of_server, begin, end),
		cmocka_unit_test_setup_teardown(both_formulas, begin, end),
		cmocka_unit_test_setup_teardown(released_and_requeued, begin, end),
		cmocka_unit_test_setup_teardown(limited, begin, end),
		cmocka_unit_test_setup_teardown(below_the_threshold, begin, end),
		cmocka_unit_test_setup_teardown(limited_in_all, begin, end),
		cmocka_unit_test_setup_teardown(uncounted, begin, end),
		cmocka_unit_test_setup_teardown(expected_vnodes, begin, end),
		cmocka_unit_test_setup_teardown(expected_start_of_array, begin, end),
		cmocka_unit_test_setup_teardown(shortened, begin, end),
		cmocka_unit_test_setup_teardown(beside_occurrences, begin, end),
		cmocka_unit_test_setup_teardown(ends_with_reservation, begin, end),
		cmocka_unit_test_setup_teardown(rejected_tasks, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
