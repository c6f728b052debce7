/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shadow mode of the agent: which functions of the workload manager it uses, and jobs that
 * the workload manager starts after a quantum.
 */
#include "tests/unit/unit.h"

#include <string.h>

#include "plugins/agent/quanta.h"
#include "plugins/agent/setup.h"
#include "plugins/agent/shadow.h"

static struct lxfw_agent agent;

/* --- functions ------------------------------------------------------------------------ */

/* What changes jobs, or is shown to users, is refused or missing. What reports the state, and
   what ends an earlier interruption of a job, is the workload manager's. */
static void carries_out_nothing(void **state)
{
	struct lxfw_wlm wlm, shadow;
	struct lxfw_error why;

	(void)state;
	/* No function of it may be called. */
	memset(&wlm, 0x55, sizeof(wlm));
	lxfw_shadow_make(&shadow, &wlm);
	assert_int_equal(shadow.start(NULL, NULL, NULL, NULL), LXFW_REFUSED);
	assert_int_equal(shadow.may_start(NULL, NULL, NULL), LXFW_REFUSED);
	assert_int_equal(shadow.suspend(NULL, NULL, NULL, false, &why), LXFW_REFUSED);
	assert_string_equal(why.text, "lxfw_shadow=on");
	assert_null(shadow.take_back);
	assert_null(shadow.unfit);
	assert_null(shadow.busy);
	assert_null(shadow.resize);
	assert_null(shadow.reserve);
	assert_null(shadow.unreserve);
	assert_null(shadow.has_offers);
	assert_null(shadow.offer);
	assert_null(shadow.passing);
	wlm.start = shadow.start;
	wlm.may_start = shadow.may_start;
	wlm.suspend = shadow.suspend;
	wlm.take_back = NULL;
	wlm.unfit = NULL;
	wlm.busy = NULL;
	wlm.resize = NULL;
	wlm.reserve = NULL;
	wlm.unreserve = NULL;
	wlm.has_offers = NULL;
	wlm.offer = NULL;
	wlm.passing = NULL;
	assert_memory_equal(&shadow, &wlm, sizeof(wlm));
}

static void excludes_interruptions(void **state)
{
	struct lxfw_params params;

	(void)state;
	lxfw_params_preset(&params, LXFW_POLICY_LXFW);
	assert_true(lxfw_shadow_permits(&params));
	lxfw_params_preset(&params, lxfw_policy_by_name("pfcfs1", 6));
	assert_false(lxfw_shadow_permits(&params));
	lxfw_params_preset(&params, LXFW_POLICY_EQSPATIAL);
	assert_false(lxfw_shadow_permits(&params));
}

/* --- the mode ------------------------------------------------------------------------- */

static const struct lxfw_wlm nothing = { .name = "test", .job = "job " };

static void set_mode(enum lxfw_shadow mode)
{
	struct lxfw_params params;

	lxfw_params_preset(&params, LXFW_POLICY_LXFW);
	params.quantum = 60;
	params.shadow = mode;
	agent.rebuild = false;
	lxfw_agent_set_params(&agent, &params);
	assert_int_equal(lxfw_agent_shadows(&agent), mode == LXFW_SHADOW_ON);
	assert_int_equal(agent.params.quantum, mode == LXFW_SHADOW_ON ? 0 : 60);
}

/* Jobs and priorities are reported differently in the other mode. */
static void change_of_mode_rebuilds(void **state)
{
	struct lxfw_params params;

	(void)state;
	lxfw_params_preset(&params, LXFW_POLICY_LXFW);
	memset(&agent, 0, sizeof(agent));
	lxfw_agent_init(&agent, &nothing, NULL, &params);
	set_mode(LXFW_SHADOW_OFF);
	assert_false(agent.rebuild);
	set_mode(LXFW_SHADOW_ON);
	assert_true(agent.rebuild);
	set_mode(LXFW_SHADOW_ON);
	assert_false(agent.rebuild);
	set_mode(LXFW_SHADOW_OFF);
	assert_true(agent.rebuild);
	set_mode(LXFW_SHADOW_OFF);
	assert_false(agent.rebuild);
	lxfw_agent_destroy(&agent);
}

/* --- jobs that had a quantum ---------------------------------------------------------- */

#define RECORD 7

static enum lxfw_phase phase;
static enum lxfw_answer settled;
static int requeues;

static int64_t now(void *context)
{
	(void)context;
	return 1000;
}

static enum lxfw_phase phase_of(void *context, uint32_t record)
{
	(void)context;
	assert_int_equal(record, RECORD);
	return phase;
}

static enum lxfw_answer settle(void *context, struct lxfw_served *served)
{
	(void)context;
	assert_int_equal(served->job_id, RECORD);
	return settled;
}

static enum lxfw_answer requeue(void *context, uint32_t record, struct lxfw_error *why)
{
	(void)context;
	(void)why;
	assert_int_equal(record, RECORD);
	requeues++;
	return LXFW_DONE;
}

static const struct lxfw_wlm one_job = {
	.name = "test", .job = "job ", .now = now, .phase = phase_of, .settle = settle,
	.requeue = requeue,
};

/* One job, which the agent has started for a quantum. */
static int serve_one(void **state)
{
	struct lxfw_served *served;

	(void)state;
	memset(&agent, 0, sizeof(agent));
	agent.wlm = &one_job;
	served = lxfw_served_enter(&agent.quanta, RECORD);
	if (!served)
		return -1;
	served->id = 1;
	served->until = 1060;
	settled = LXFW_DONE;
	requeues = 0;
	return 0;
}

static int forget_one(void **state)
{
	(void)state;
	lxfw_table_destroy(&agent.jobs);
	lxfw_quanta_clear(&agent.quanta);
	return 0;
}

static struct lxfw_served *look(enum lxfw_phase of)
{
	phase = of;
	lxfw_quanta_look(&agent);
	return lxfw_served_find(&agent.quanta, 1);
}

/* The mode changes: all quanta end. */
static struct lxfw_served *change_mode(void)
{
	lxfw_quanta_end_all(&agent);
	return look(LXFW_PHASE_RUNNING);
}

static void a_quantum_ends_with_the_mode(void **state)
{
	(void)state;
	assert_non_null(look(LXFW_PHASE_RUNNING));
	assert_int_equal(requeues, 0);
	assert_non_null(change_mode());
	assert_int_equal(requeues, 1);
}

/* Its quantum was ended, and the workload manager has started it again. */
static void expect_own_run(void)
{
	const struct lxfw_served *served = change_mode();

	assert_int_equal(requeues, 0);
	assert_non_null(served);
	assert_int_equal(served->until, 0);
	(void)change_mode();
	assert_int_equal(requeues, 0);
}

static void an_own_run_does_not_end(void **state)
{
	(void)state;
	assert_true(look(LXFW_PHASE_REQUEUED)->until > 0);
	expect_own_run();
}

/* Its record could not be restored yet when it was started again. */
static void an_unsettled_run_does_not_end(void **state)
{
	(void)state;
	settled = LXFW_DEFERRED;
	assert_true(look(LXFW_PHASE_WAITING)->until > 0);
	expect_own_run();
}

/* A job whose start the agent has requested is pending until it runs. */
static void a_requested_start_is_no_own_run(void **state)
{
	struct lxfw_known_job *known = lxfw_table_enter(&agent.jobs, 1);

	(void)state;
	assert_non_null(known);
	known->asked = 990;
	assert_true(look(LXFW_PHASE_WAITING)->until > 0);
	(void)change_mode();
	assert_int_equal(requeues, 1);
}

/* The agent starts the job for another quantum. */
static void another_quantum_is_no_own_run(void **state)
{
	const struct lxfw_known_job known = { .id = 1, .record = RECORD };
	const struct lxfw_action action = { .start = 1000, .until = 1060 };

	(void)state;
	(void)look(LXFW_PHASE_REQUEUED);
	lxfw_quanta_begun(&agent, &known, &action, RECORD);
	(void)change_mode();
	assert_int_equal(requeues, 1);
}

int main(void)
{
#define SERVED(name) cmocka_unit_test_setup_teardown(name, serve_one, forget_one)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(carries_out_nothing),
		cmocka_unit_test(excludes_interruptions),
		cmocka_unit_test(change_of_mode_rebuilds),
		SERVED(a_quantum_ends_with_the_mode),
		SERVED(an_own_run_does_not_end),
		SERVED(an_unsettled_run_does_not_end),
		SERVED(a_requested_start_is_no_own_run),
		SERVED(another_quantum_is_no_own_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
