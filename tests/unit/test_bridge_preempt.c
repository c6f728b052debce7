/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Preemption by Slurm: jobs that may preempt others are offered to its node selection. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugins/slurm/bridge/known.h"
#include "tests/unit/bridge_pass.h"

#define NOW 1700000000
#define PROCS 16

static struct lxfw_bridge bridge;
static char directory[32];
static part_record_t *low, *high;

/* Two nodes in a partition of a lower and one of a higher tier. */
static int set_up(void **state)
{
	(void)state;
	fake_start(NOW, true);
	slurm_conf.preempt_mode = PREEMPT_MODE_REQUEUE;
	bridge_start(&bridge);
	fake_nodes("n", 2, PROCS, 32000, 0);
	fake_nodes_done();
	low = fake_part("low", 0, 1);
	high = fake_part("high", 0, 1);
	high->priority_tier = 2;
	passes(&bridge);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	lxfw_bridge_destroy(&bridge);
	fake_stop();
	slurm_conf.state_save_location = NULL;
	if (directory[0]) {
		char path[64];

		snprintf(path, sizeof(path), "%s/lxfw_quanta", directory);
		(void)unlink(path);
		assert_int_equal(rmdir(directory), 0);
		directory[0] = '\0';
	}
	return 0;
}

/* Submit a job of PROCS processors in a second of its own. */
static job_record_t *submit(const char *part, uint32_t procs)
{
	job_record_t *job;

	fake_pass_seconds(1);
	job = fake_job(part, 60);
	fake_tasks(job, procs, 1);
	return job;
}

static job_record_t *run(const char *part, uint32_t procs)
{
	job_record_t *job = submit(part, procs);

	passes(&bridge);
	assert_true(IS_JOB_RUNNING(job));
	return job;
}

static const struct lxfw_known_job *known(const job_record_t *job)
{
	return lxfw_table_find(&bridge.agent.jobs, lxfw_record_id(job));
}

/* --- requeue and cancel ----------------------------------------------------------- */

/* Neither an older job nor the preempted one gets the node. */
static void preemptor_starts(void **state)
{
	job_record_t *victims[2], *old, *preemptor;

	(void)state;
	for (int i = 0; i < 2; i++)
		victims[i] = run("low", PROCS);
	old = submit("low", PROCS);
	passes(&bridge);
	assert_true(IS_JOB_PENDING(old));
	assert_int_equal(fake_counts.requeues, 0);
	preemptor = submit("high", PROCS);
	passes(&bridge);
	/* Slurm's order, of which the fake has the number as the last criterion. */
	assert_true(IS_JOB_PENDING(victims[0]));
	assert_true(IS_JOB_RUNNING(victims[1]));
	passes_for(&bridge, 1);
	assert_true(IS_JOB_RUNNING(preemptor));
	assert_true(IS_JOB_PENDING(old));
	passes_for(&bridge, 100);
	assert_int_equal(fake_counts.requeues, 1);
	assert_int_equal(bridge.holds.count, 0);
	assert_int_equal(fake_counts.errors, 0);
	/* all of them run some time */
	passes_for(&bridge, 3 * 3600);
	assert_int_equal(fake_waiting(), 0);
}

/* PreemptMode=WITHIN, which Slurm has for QOS: of two jobs of one QOS, only the second may
   preempt. */
static void within_a_qos(void **state)
{
	job_record_t *victim = run("low", 2 * PROCS), *lower, *higher;
	char type[] = "preempt/qos";

	(void)state;
	slurm_conf.preempt_type = type;
	slurm_conf.preempt_mode |= PREEMPT_MODE_WITHIN;
	lower = submit("low", PROCS);
	lower->priority = victim->priority - 1;
	higher = submit("low", PROCS);
	higher->priority = victim->priority + 1;
	passes_for(&bridge, 2);
	assert_true(IS_JOB_PENDING(victim));
	assert_true(IS_JOB_RUNNING(higher));
	slurm_conf.preempt_type = NULL;
}

static void cancelled(void **state)
{
	job_record_t *victim = run("low", 2 * PROCS), *preemptor;

	(void)state;
	slurm_conf.preempt_mode = PREEMPT_MODE_CANCEL;
	preemptor = submit("high", 1);
	passes(&bridge);
	passes_for(&bridge, 1);
	assert_true(IS_JOB_RUNNING(preemptor));
	assert_int_equal(victim->job_state & JOB_STATE_BASE, JOB_PREEMPTED);
}

/* Free nodes are preferred. */
static void nothing_preempted_without_need(void **state)
{
	job_record_t *other = run("low", PROCS), *preemptor = run("high", PROCS);

	(void)state;
	passes_for(&bridge, 5);
	assert_true(IS_JOB_RUNNING(other));
	assert_true(IS_JOB_RUNNING(preemptor));
	assert_int_equal(fake_counts.requeues, 0);
}

/* Neither within a tier, nor with PreemptMode=OFF of a partition or of all. */
static void not_allowed(void **state)
{
	job_record_t *one = run("low", 2 * PROCS);

	(void)state;
	submit("low", PROCS);
	passes(&bridge);
	low->preempt_mode = PREEMPT_MODE_OFF;
	submit("high", PROCS);
	passes_for(&bridge, 40);
	slurm_conf.preempt_mode = PREEMPT_MODE_OFF;
	low->preempt_mode = NO_VAL16;
	passes_for(&bridge, 40);
	assert_true(IS_JOB_RUNNING(one));
	assert_int_equal(fake_counts.requeues, 0);
	slurm_conf.preempt_mode = PREEMPT_MODE_REQUEUE;
	passes_for(&bridge, 40);
	assert_int_equal(fake_counts.requeues, 1);
}

/* A job that the library starts preempts no other, even if Slurm refuses its nodes. */
static void library_starts_preempt_nothing(void **state)
{
	job_record_t *other, *preemptor;

	(void)state;
	fake_node_down(1, true);
	passes_for(&bridge, 30);
	other = run("low", PROCS);
	fake_node_down(1, false);
	passes_for(&bridge, 60);
	fake_trouble.refuse = 1;
	preemptor = submit("high", PROCS);
	one_pass(&bridge);
	assert_true(IS_JOB_PENDING(preemptor));
	fake_trouble.refuse = 0;
	assert_true(IS_JOB_RUNNING(other));
	passes_for(&bridge, 60);
	assert_true(IS_JOB_RUNNING(preemptor));
	assert_true(IS_JOB_RUNNING(other));
	assert_int_equal(fake_counts.requeues, 0);
}

static void only_offers_preempt(void **state)
{
	job_record_t *other = run("low", 2 * PROCS), *job = submit("high", 1);

	(void)state;
	assert_int_equal(lxfw_compat_select_nodes(job, false), ESLURM_NODES_BUSY);
	assert_int_equal(job->details->preempt_start_time, 0);
	assert_false(lxfw_compat_has_preempted(job));
	assert_true(IS_JOB_RUNNING(other));
	assert_int_equal(lxfw_compat_select_nodes(job, true), ESLURM_NODES_BUSY);
	assert_true(lxfw_compat_has_preempted(job));
	assert_true(IS_JOB_PENDING(other));
}

static void array_preempts_as_it_needs(void **state)
{
	job_record_t *array;

	(void)state;
	for (int i = 0; i < 2; i++)
		run("low", PROCS);
	array = submit("high", PROCS);
	fake_array(array, 1, 4, 0);
	passes_for(&bridge, 20);
	assert_int_equal(fake_counts.requeues, 2);
	assert_int_equal(fake_running(), 2);
	passes_for(&bridge, 2 * 3600);
	passes_for(&bridge, 2 * 3600);
	assert_int_equal(fake_waiting(), 0);
	assert_int_equal(fake_counts.requeues, 2);
}

/* --- times ------------------------------------------------------------------------ */

static void exempt_time(void **state)
{
	job_record_t *victim, *preemptor;
	time_t until;

	(void)state;
	slurm_conf.preempt_exempt_time = 100;
	victim = run("low", 2 * PROCS);
	until = victim->start_time + 100;
	preemptor = submit("high", 1);
	passes(&bridge);
	/* No change of a table would cause a pass then. */
	assert_true(bridge.agent.wake <= until);
	passes_for(&bridge, (int)(until - time(NULL)) - 1);
	assert_true(IS_JOB_RUNNING(victim));
	fake_clock(until);
	passes(&bridge);
	assert_true(IS_JOB_PENDING(victim));
	passes_for(&bridge, 1);
	assert_true(IS_JOB_RUNNING(preemptor));
}

/* The preempted job runs to the end of its grace time. The node is kept for the
   preemptor after that, and used until then. */
static void grace_time(void **state)
{
	job_record_t *victim, *other, *preemptor, *brief, *old;
	time_t end;

	(void)state;
	low->grace_time = 200;
	victim = run("low", PROCS - 1);
	other = run("low", PROCS);
	old = submit("low", 1);
	old->time_limit = 600;
	preemptor = submit("high", PROCS);
	passes(&bridge);
	end = victim->end_time;
	assert_int_equal(end, time(NULL) + 200);
	assert_int_equal(other->preempt_time, 0);
	brief = submit("low", 1);
	brief->time_limit = 1;
	passes_for(&bridge, 5);
	assert_true(IS_JOB_RUNNING(brief) || IS_JOB_RUNNING(old));
	passes_for(&bridge, (int)(end - time(NULL)) - 1);
	assert_true(IS_JOB_RUNNING(victim));
	assert_true(IS_JOB_RUNNING(other));
	assert_true(IS_JOB_PENDING(preemptor));
	passes_for(&bridge, 3);
	assert_true(IS_JOB_PENDING(victim));
	assert_true(IS_JOB_RUNNING(preemptor));
	assert_true(IS_JOB_RUNNING(other));
}

/* The second preemptor does not count on the node that is held for the first one. */
static void not_on_held_nodes(void **state)
{
	job_record_t *victims[2], *first, *second;

	(void)state;
	low->grace_time = 30;
	for (int i = 0; i < 2; i++)
		victims[i] = run("low", PROCS);
	first = submit("high", PROCS);
	passes(&bridge);
	assert_true(victims[0]->preempt_time && !victims[1]->preempt_time);
	second = submit("high", PROCS);
	first->priority = second->priority + 1;
	passes_for(&bridge, 2);
	assert_true(victims[1]->preempt_time != 0);
	passes_for(&bridge, 32);
	assert_true(IS_JOB_RUNNING(first) && IS_JOB_RUNNING(second));
}

/* A node is not cleaned up for more than a minute. The hold remains, since the victim has
   ended for the preemptor. */
static void slow_cleanup(void **state)
{
	job_record_t *victim, *preemptor, *later;

	(void)state;
	low->grace_time = 5;
	victim = run("low", 2 * PROCS);
	preemptor = submit("high", 2 * PROCS);
	passes(&bridge);
	bit_set(cg_node_bitmap, 0);
	later = submit("low", PROCS);
	passes_for(&bridge, 68);
	assert_true(IS_JOB_PENDING(victim) && IS_JOB_PENDING(preemptor));
	assert_true(IS_JOB_PENDING(later));
	assert_int_equal(bridge.holds.count, 1);
	bit_clear(cg_node_bitmap, 0);
	passes_for(&bridge, 3);
	assert_true(IS_JOB_RUNNING(preemptor));
}

/* --- with other parts ------------------------------------------------------------- */

static void set_quantum(void)
{
	struct lxfw_params params = bridge.agent.params;

	strcpy(directory, "/tmp/lxfw-preempt-XXXXXX");
	assert_non_null(mkdtemp(directory));
	slurm_conf.state_save_location = directory;
	params.quantum_mode = LXFW_QUANTUM_PREEMPT;
	params.quantum = 30;
	params.quantum_mem = 1000000;
	params.quantum_min_run = 10;
	lxfw_agent_set_params(&bridge.agent, &params);
}

/* A job that may preempt gets no quantum, after which it would be stopped. */
static void preemptor_gets_no_quantum(void **state)
{
	job_record_t *victim, *preemptor;

	(void)state;
	set_quantum();
	victim = run("low", 2 * PROCS);
	passes_for(&bridge, 100);
	preemptor = submit("high", PROCS);
	passes(&bridge);
	assert_int_equal(fake_counts.suspensions, 0);
	assert_true(IS_JOB_PENDING(victim));
	passes_for(&bridge, 1);
	assert_true(IS_JOB_RUNNING(preemptor));
	passes_for(&bridge, 100);
	assert_true(IS_JOB_RUNNING(preemptor));
	assert_int_equal(fake_counts.suspensions, 0);
}

/* A job that is suspended for a quantum could not use its grace time. */
static void suspended_is_spared(void **state)
{
	job_record_t *suspended, *served;

	(void)state;
	low->grace_time = 50;
	set_quantum();
	suspended = run("low", 2 * PROCS);
	passes_for(&bridge, 100);
	served = submit("low", 2 * PROCS);
	passes_for(&bridge, 1);
	assert_true(IS_JOB_SUSPENDED(suspended));
	assert_true(IS_JOB_RUNNING(served));
	submit("high", PROCS);
	passes(&bridge);
	assert_int_not_equal(served->preempt_time, 0);
	assert_int_equal(suspended->preempt_time, 0);
	assert_true(suspended->start_time < time(NULL));
}

/*
 * Hours of jobs at random with quanta: no core is allocated twice (fake_taken()), no job
 * waits or stays suspended forever, and no preemptor is suspended.
 */
static void random_jobs_with_quanta(void **state)
{
	const char *cases = getenv("LXFW_SEED");
	uint64_t rebuilds;

	(void)state;
	set_quantum();
	passes(&bridge);	/* the file of quanta has a directory only now, and is read */
	rebuilds = bridge.agent.total.rebuilds;
	fake_trouble.random = cases ? strtoull(cases, NULL, 10) : 1;
	low->grace_time = 20;
	for (int i = 0; i < 300; i++) {
		bool is_high = fake_random() % 4 == 0;
		job_record_t *job = fake_job(is_high ? "high" : "low",
					     1 + (uint32_t)(fake_random() % 10));

		fake_tasks(job, 1 + (uint32_t)(fake_random() % (2 * PROCS)), 1);
		passes_for(&bridge, 1 + (int)(fake_random() % 400));
	}
	passes_for(&bridge, 12 * 3600);
	assert_int_equal(fake_waiting(), 0);
	assert_int_equal(fake_running(), 0);
	assert_true(fake_counts.suspensions > 0);
	assert_true(fake_counts.requeues > 0);
	assert_int_equal(bridge.agent.total.rebuilds, rebuilds);
	assert_int_equal(fake_counts.errors, 0);
}

/* Gang scheduling and quanta exclude each other; this is logged once. */
static void gang_rules_out_quanta(void **state)
{
	job_record_t *victim, *other;
	uint32_t errors;

	(void)state;
	slurm_conf.preempt_mode = PREEMPT_MODE_SUSPEND | PREEMPT_MODE_GANG;
	set_quantum();
	victim = run("low", 2 * PROCS);
	passes_for(&bridge, 100);
	errors = fake_counts.errors;
	assert_int_equal(errors, 1);
	other = submit("low", PROCS);
	passes_for(&bridge, 50);
	assert_true(IS_JOB_RUNNING(victim));
	assert_true(IS_JOB_PENDING(other));
	assert_int_equal(fake_counts.errors, errors);
}

/* A job that the gang scheduler has suspended keeps its processors in the model. */
static void gang_suspended(void **state)
{
	job_record_t *victim = run("low", 2 * PROCS), *other;
	uint32_t hash = known(victim)->shares_hash;

	(void)state;
	slurm_conf.preempt_mode = PREEMPT_MODE_SUSPEND | PREEMPT_MODE_GANG;
	victim->job_state = JOB_SUSPENDED;
	victim->suspend_time = time(NULL);
	last_job_update = time(NULL);
	passes_for(&bridge, 2);
	assert_int_equal(known(victim)->shares_hash, hash);
	other = submit("low", 1);
	passes_for(&bridge, 2);
	assert_true(IS_JOB_PENDING(other));
	/* suspended manually */
	fake_suspend(victim, true);
	passes_for(&bridge, 2);
	assert_true(IS_JOB_RUNNING(other));
}

/* --- quality of service ----------------------------------------------------------- */

/* Jobs whose QOS is preempted come last, in the order of the chain. */
static void preempted_qos_comes_last(void **state)
{
	slurmdb_qos_rec_t qos[3] = { { .id = 1 }, { .id = 2 }, { .id = 3 } };
	job_record_t *jobs[3];
	char type[] = "preempt/qos";

	(void)state;
	slurm_conf.preempt_type = type;
	g_qos_count = 4;
	assoc_mgr_qos_list = list_create(NULL);
	for (int i = 2; i >= 0; i--) {
		qos[i].preempt_bitstr = bit_alloc(4);
		list_append(assoc_mgr_qos_list, &qos[i]);
	}
	bit_set(qos[0].preempt_bitstr, 2);
	bit_set(qos[1].preempt_bitstr, 3);
	run("low", 2 * PROCS);
	for (int i = 2; i >= 0; i--) {
		jobs[i] = submit("low", PROCS);
		jobs[i]->qos_ptr = &qos[i];
	}
	one_pass(&bridge);
	for (int i = 0; i < 2; i++)
		assert_true(known(jobs[i])->request.tier >
			    known(jobs[i + 1])->request.tier);
	assert_int_equal(known(jobs[0])->request.tier, 3);
	/* The grace time is that of the QOS, too. */
	qos[1].grace_time = 30;
	assert_int_equal(lxfw_compat_grace_time(jobs[1]), 30);
	for (int i = 0; i < 3; i++) {
		jobs[i]->qos_ptr = NULL;
		FREE_NULL_BITMAP(qos[i].preempt_bitstr);
	}
	FREE_NULL_LIST(assoc_mgr_qos_list);
	g_qos_count = 0;
	slurm_conf.preempt_type = NULL;
}

/* Each job has a higher priority than the one before it. The search examines all jobs,
   and is not repeated for each of them, not even if priorities decide (WITHIN). */
static void rising_priorities(void **state)
{
	slurmdb_qos_rec_t qos = { .id = 1 };
	char type[] = "preempt/qos";
	job_record_t *jobs[50];
	uint32_t before;

	(void)state;
	run("high", 2 * PROCS);
	for (uint32_t i = 0; i < 50; i++) {
		jobs[i] = submit("low", 1 + i % PROCS);
		jobs[i]->priority = 1000 + i;
	}
	before = fake_counts.preemptable;
	one_pass(&bridge);
	assert_int_equal(fake_counts.preemptable, before + 1);
	slurm_conf.preempt_type = type;
	g_qos_count = 2;
	assoc_mgr_qos_list = list_create(NULL);
	for (int i = 0; i < 50; i++)
		jobs[i]->qos_ptr = &qos;
	fake_pass_seconds(1);
	before = fake_counts.preemptable;
	one_pass(&bridge);
	assert_int_equal(fake_counts.preemptable, before + 8);
	for (int i = 0; i < 50; i++)
		jobs[i]->qos_ptr = NULL;
	FREE_NULL_LIST(assoc_mgr_qos_list);
	g_qos_count = 0;
	slurm_conf.preempt_type = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(preemptor_starts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(within_a_qos, set_up, tear_down),
		cmocka_unit_test_setup_teardown(cancelled, set_up, tear_down),
		cmocka_unit_test_setup_teardown(nothing_preempted_without_need,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(not_allowed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(library_starts_preempt_nothing,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(only_offers_preempt, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(array_preempts_as_it_needs, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(exempt_time, set_up, tear_down),
		cmocka_unit_test_setup_teardown(grace_time, set_up, tear_down),
		cmocka_unit_test_setup_teardown(not_on_held_nodes, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(slow_cleanup, set_up, tear_down),
		cmocka_unit_test_setup_teardown(preemptor_gets_no_quantum, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(suspended_is_spared, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(random_jobs_with_quanta, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(gang_rules_out_quanta, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(gang_suspended, set_up, tear_down),
		cmocka_unit_test_setup_teardown(preempted_qos_comes_last, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(rising_priorities, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
