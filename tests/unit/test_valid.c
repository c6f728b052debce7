/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Validation of journal records and job classes: for each field, the last valid value
 * and the first invalid one.
 */
#include <string.h>

#include "common/journal/wire.h"
#include "common/model/job_classes.h"
#include "common/params/policy.h"
#include "tests/unit/unit.h"

/* Check VALID with OBJECT.FIELD set to VALUE, then restore OBJECT. */
#define CHECK(valid, object, field, value, expected)                           \
	do {                                                                   \
		__typeof__(object) before = object;                            \
		object.field = (value);                                        \
		if ((valid) != (expected))                                     \
			fail_msg(#field " = " #value ": is not %s",            \
				 (expected) ? "valid" : "refused");            \
		object = before;                                               \
	} while (0)

/* --- job classes -------------------------------------------------------- */

static struct lxfw_host_rules rules;
static int32_t rules_of[2];
static struct lxfw_job_classes classes;

static void make_classes(void)
{
	rules = (struct lxfw_host_rules){
		.running_most = { 1, 2 }, .order = { 1, 0 }, .order_count = 2,
		.rank = { 0, 1 },
	};
	rules_of[0] = rules_of[1] = 0;
	classes = (struct lxfw_job_classes){
		.time_count = 2, .size_count = 2,
		.times = { { "short", 10, 20, 5, 1 }, { "long", 30, 40, 5, 1 } },
		.sizes = { { "small", 4, 100 }, { "big", 8, 200 } },
		.rules_count = 1, .host_count = 2,
		.rules = &rules, .rules_of = rules_of,
	};
}

#define CLASSES(field, value, expected)                                        \
	CHECK(lxfw_job_classes_valid(&classes), classes, field, value, expected)
#define RULES(field, value, expected)                                          \
	CHECK(lxfw_job_classes_valid(&classes), rules, field, value, expected)

static void bounds_counts_of_classes(void **state)
{
	(void)state;
	make_classes();
	assert_true(lxfw_job_classes_valid(&classes));
	CLASSES(time_count, 1, true);
	CLASSES(time_count, 0, false);
	CLASSES(time_count, -1, false);
	CLASSES(time_count, LXFW_TIME_CLASSES_MAX + 1, false);
	CLASSES(size_count, 0, false);
	CLASSES(size_count, -1, false);
	CLASSES(size_count, LXFW_SIZE_CLASSES_MAX + 1, false);
	CLASSES(host_count, 0, true);
	CLASSES(host_count, -1, false);
	CLASSES(rules_count, 0, false);		/* hosts use the first rules */
	CLASSES(rules_count, -1, false);
	classes.host_count = 0;
	CLASSES(rules_count, 0, true);
	CLASSES(rules_count, -1, false);
	/* The maximum number of classes, all equal. */
	for (int i = 2; i < LXFW_TIME_CLASSES_MAX; i++)
		classes.times[i] = classes.times[1];
	for (int i = 2; i < LXFW_SIZE_CLASSES_MAX; i++)
		classes.sizes[i] = classes.sizes[1];
	CLASSES(time_count, LXFW_TIME_CLASSES_MAX, true);
	/* An entry after the last one would be valid. */
	classes.sizes[0].procs = 50;
	for (int i = 1; i < LXFW_SIZE_CLASSES_MAX; i++)
		classes.sizes[i].procs = 60;
	CLASSES(time_count, LXFW_TIME_CLASSES_MAX + 1, false);
	CLASSES(size_count, LXFW_SIZE_CLASSES_MAX, true);
	rules_of[0] = -1;
	classes.host_count = 2;
	assert_true(lxfw_job_classes_valid(&classes));
	rules_of[1] = 1;
	assert_false(lxfw_job_classes_valid(&classes));
	rules_of[1] = -2;
	assert_false(lxfw_job_classes_valid(&classes));
}

static void bounds_limits_of_classes(void **state)
{
	(void)state;
	make_classes();
	CLASSES(times[0].cpu_per_proc, 1, true);
	CLASSES(times[0].cpu_per_proc, 0, false);
	CLASSES(times[0].run_time, 1, true);
	CLASSES(times[0].run_time, 0, false);
	CLASSES(times[1].cpu_per_proc, 10, true);
	CLASSES(times[1].cpu_per_proc, 9, false);
	CLASSES(times[1].run_time, 20, true);
	CLASSES(times[1].run_time, 19, false);
	CLASSES(times[1].reserve_wait, 0, true);
	CLASSES(times[1].reserve_wait, -1, false);
	CLASSES(times[1].running_most, 0, true);
	CLASSES(times[1].running_most, -1, false);
	CLASSES(sizes[0].procs, 1, true);
	CLASSES(sizes[0].procs, 0, false);
	CLASSES(sizes[0].memory_mb, 0, true);
	CLASSES(sizes[0].memory_mb, -1, false);
	CLASSES(sizes[1].procs, 4, true);
	CLASSES(sizes[1].procs, 3, false);
	CLASSES(sizes[1].memory_mb, 100, true);
	CLASSES(sizes[1].memory_mb, 99, false);
}

static void bounds_rules(void **state)
{
	(void)state;
	make_classes();
	RULES(order_count, 0, true);
	RULES(order_count, -1, false);
	RULES(order_count, 3, false);
	RULES(order[0], 0, false);	/* twice */
	RULES(order[0], 2, false);
	RULES(order[0], -1, false);
	RULES(running_most[0], 0, true);
	RULES(running_most[0], -1, false);
	RULES(running_most[1], -1, false);
	RULES(running_most[2], -1, true);	/* a negative limit */
	RULES(rank[0], -1, true);
	RULES(rank[0], -2, false);
	RULES(rank[1], -2, false);
	RULES(rank[0], LXFW_TIME_CLASSES_MAX - 1, true);
	RULES(rank[0], LXFW_TIME_CLASSES_MAX, false);
}

static void bounds_names_of_classes(void **state)
{
	char *name;

	(void)state;
	make_classes();
	name = classes.sizes[1].name;
	memset(name, 'x', LXFW_CLASS_NAME_SIZE);
	assert_false(lxfw_job_classes_valid(&classes));
	name[LXFW_CLASS_NAME_SIZE - 1] = '\0';
	assert_true(lxfw_job_classes_valid(&classes));
	name[0] = '!';
	assert_true(lxfw_job_classes_valid(&classes));
	name[0] = ' ';
	assert_false(lxfw_job_classes_valid(&classes));
	name[0] = 0x7f;
	assert_false(lxfw_job_classes_valid(&classes));
	name[0] = '\0';
	assert_false(lxfw_job_classes_valid(&classes));
	make_classes();
	classes.times[1].name[0] = '\0';
	assert_false(lxfw_job_classes_valid(&classes));
}

/* A job of a class can run if the host accepts its size and time class, and if limits
   on the host and in total permit some. Class 2 is "long", "small". */
static void knows_which_jobs_can_run(void **state)
{
#define RUNS(object, field, value, expected)                                   \
	CHECK(lxfw_job_class_runs(&classes, &rules, 2), object, field, value,  \
	      expected)
	(void)state;
	make_classes();
	assert_int_equal(lxfw_job_class_time(&classes, 2), 1);
	assert_int_equal(lxfw_job_class_size(&classes, 2), 0);
	RUNS(rules, rank[1], 0, true);
	RUNS(rules, rank[1], -1, false);
	RUNS(rules, rank[0], -1, true);
	RUNS(rules, running_most[0], 1, true);
	RUNS(rules, running_most[0], 0, false);
	RUNS(rules, running_most[1], 0, true);
	RUNS(classes, times[1].running_most, 0, false);
	RUNS(classes, times[0].running_most, 0, true);
	/* The size is second in the order, then missing, then the only one. */
	RUNS(rules, order_count, 1, false);
	RUNS(rules, order_count, 0, false);
	rules.order[0] = 0;
	RUNS(rules, order_count, 1, true);
}

/* --- requests ----------------------------------------------------------- */

static void bounds_requests(void **state)
{
	struct lxfw_request job = {
		.id = 1, .estimate = 60, .shape = LXFW_SHAPE_HOSTS, .count = 1,
		.unit = { .procs = 2 },
	};
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_SUBMIT };

	(void)state;
	event.request = &job;
#define JOB(field, value, expected)                                            \
	CHECK(lxfw_journal_event_valid(&event), job, field, value, expected)
	JOB(id, 0, false);
	JOB(estimate, 1, true);
	JOB(estimate, 0, false);
	JOB(min_estimate, 59, true);
	JOB(min_estimate, 60, false);
	JOB(min_estimate, -1, false);
	JOB(unit.procs, 1, true);
	JOB(unit.procs, 0, false);
	JOB(unit.memory_mb, -1, false);
	JOB(unit.extras[0], -1, false);
	JOB(unit.extras[LXFW_EXTRAS_MAX - 1], -1, false);
	JOB(unit.extras[LXFW_EXTRAS_MAX - 1], 1, true);
	JOB(count, 0, false);
	JOB(max_hosts, 1, true);
	JOB(max_hosts, -1, false);
	JOB(min_procs, 2, true);
	JOB(min_procs, 3, false);
	JOB(min_procs, -1, false);
	JOB(rigid, true, true);
	job.rigid = true;
	JOB(min_procs, 1, false);
	JOB(shape, LXFW_SHAPE_ANYWHERE, true);
	JOB(shape, LXFW_SHAPE_ANYWHERE + 1, false);
	JOB(shape, 0, false);
	JOB(host_set_count, LXFW_HOST_SETS_MAX, true);
	JOB(host_set_count, LXFW_HOST_SETS_MAX + 1, false);
	job.host_set_count = 2;
	JOB(host_sets[0], -1, false);
	JOB(host_sets[1], -1, false);
	JOB(host_sets[1], 1, true);
	JOB(host_sets[2], -1, true);
	event.type = LXFW_EVENT_JOB_CHANGE;
	JOB(id, 0, false);
	JOB(id, 2, true);
}

/* --- parameters --------------------------------------------------------- */

static void bounds_parameters(void **state)
{
	struct lxfw_params params;
	struct lxfw_event event = { .type = LXFW_EVENT_PARAMS };

	(void)state;
	lxfw_params_preset(&params, LXFW_POLICY_LXFW);
	event.params = &params;
#define PARAMS(field, value, expected)                                         \
	CHECK(lxfw_journal_event_valid(&event), params, field, value, expected)
#define WEIGHT(field)                                                          \
	PARAMS(field, 0, true);                                                \
	PARAMS(field, 1e6, true);                                              \
	PARAMS(field, 1e6 + 1, false);                                         \
	PARAMS(field, -0.5, false)
#define UP_TO(field, most)                                                     \
	PARAMS(field, 0, true);                                                \
	PARAMS(field, -1, false);                                              \
	PARAMS(field, most, true);                                             \
	PARAMS(field, most + 1, false)
	WEIGHT(ww);
	WEIGHT(wx);
	WEIGHT(wp);
	WEIGHT(wm);
	WEIGHT(wpe);
	WEIGHT(wbypass);
	UP_TO(interval, 86400);
	UP_TO(quantum, 86400);
	UP_TO(quantum_min_run, 31536000);
	UP_TO(victim_suspensions, 1000000);
	UP_TO(victim_interval, 31536000);
	PARAMS(victim_share, 0, true);
	PARAMS(victim_share, -1, false);
	PARAMS(victim_share, 100, true);
	PARAMS(victim_share, 101, false);
	UP_TO(eq_min_interval, 31536000);
	UP_TO(eq_full_after, 31536000);
	UP_TO(age_first, 31536000);
	UP_TO(reservation_age, 31536000);
	UP_TO(reservation_priority, INT64_C(4294967295));
	UP_TO(reservation_window, 31536000);
	PARAMS(policy, LXFW_POLICY_FCFS, true);
	PARAMS(policy, 0, false);
	PARAMS(policy, lxfw_policy_count, true);
	PARAMS(policy, lxfw_policy_count + 1, false);
	PARAMS(reservations, 0, false);
	PARAMS(reservations, 1000000, true);
	PARAMS(reservations, 1000001, false);
	PARAMS(reservations, LXFW_RESERVATIONS_ALL - 1, false);
	PARAMS(reservations, LXFW_RESERVATIONS_ALL, true);
	PARAMS(reservation_mode, LXFW_RESERVATION_COMPRESS, true);
	PARAMS(reservation_mode, LXFW_RESERVATION_COMPRESS + 1, false);
	PARAMS(backfill_interval, 86400, true);
	PARAMS(backfill_interval, 86401, false);
	PARAMS(main_pass, LXFW_MAIN_PASS_OFF, true);
	PARAMS(main_pass, LXFW_MAIN_PASS_OFF + 1, false);
	PARAMS(placement, LXFW_PLACEMENT_WORST, true);
	PARAMS(placement, LXFW_PLACEMENT_WORST + 1, false);
	PARAMS(spare_gpus, LXFW_SPARE_GPUS_ON, true);
	PARAMS(spare_gpus, LXFW_SPARE_GPUS_ON + 1, false);
	PARAMS(quantum_mode, LXFW_QUANTUM_PREEMPT, true);
	PARAMS(quantum_mode, LXFW_QUANTUM_PREEMPT + 1, false);
	PARAMS(quantum_end, LXFW_QUANTUM_SUSPEND, true);
	PARAMS(quantum_end, LXFW_QUANTUM_SUSPEND + 1, false);
	PARAMS(quantum_mem, 1, true);
	PARAMS(quantum_mem, 0, false);
	PARAMS(quantum_mem, 1000000000, true);
	PARAMS(quantum_mem, 1000000001, false);
	PARAMS(wx, 1.0 / 3, false);	/* more than 15 digits */
}

/* --- other events, and actions ------------------------------------------ */

#define EVENT(field, value, expected)                                          \
	CHECK(lxfw_journal_event_valid(&event), event, field, value, expected)

static void bounds_pasts(void **state)
{
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_RUN,
		.run = { .id = 1, .past = { .since = 5, .ran = 1 } },
	};

	(void)state;
	EVENT(run.past.since, LXFW_TIME_MAX, true);
	EVENT(run.past.since, LXFW_TIME_MAX + 1, false);
	EVENT(run.past.since, -LXFW_TIME_MAX, true);
	EVENT(run.past.since, -LXFW_TIME_MAX - 1, false);
	EVENT(run.past.submit, LXFW_TIME_MAX, true);
	EVENT(run.past.submit, LXFW_TIME_MAX + 1, false);
	EVENT(run.past.ran, 0, true);
	EVENT(run.past.ran, -1, false);
	EVENT(run.past.ran, LXFW_TIME_MAX, true);
	EVENT(run.past.ran, LXFW_TIME_MAX + 1, false);
	EVENT(run.past.suspensions, LXFW_SUSPENSIONS_UNKNOWN, true);
	EVENT(run.past.suspensions, (int64_t)LXFW_SUSPENSIONS_UNKNOWN + 1, false);
	EVENT(run.past.suspensions, -1, false);
	EVENT(run.past.suspended, LXFW_TIME_MAX, true);
	EVENT(run.past.suspended, LXFW_TIME_MAX + 1, false);
	EVENT(run.past.suspended, -1, false);
	EVENT(run.past.since, 0, false);	/* it ran, but since no time */
	event.run.past.ran = 0;
	EVENT(run.past.since, 0, true);
	event.run.past.submit = 1;
	EVENT(run.past.since, 0, false);
	event.run.past = (struct lxfw_run_past){ .suspensions = 1 };
	EVENT(run.past.since, 0, true);		/* of a suspended job */
	EVENT(run.past.suspensions, LXFW_SUSPENSIONS_UNKNOWN, true);
	EVENT(run.past.suspensions, (int64_t)LXFW_SUSPENSIONS_UNKNOWN + 1, false);
	EVENT(run.past.suspensions, -1, false);
	event.run.past = (struct lxfw_run_past){ .suspended = 1 };
	EVENT(run.past.since, 0, false);
}

static void bounds_ids(void **state)
{
	struct lxfw_share share = { .host = 0, .amount = { .procs = 0 } };
	int32_t hosts[] = { 0, 1 };
	struct lxfw_event event = { .type = LXFW_EVENT_HOST };

	(void)state;
	EVENT(host.index, 0, true);
	EVENT(host.index, -1, false);
	EVENT(host.total.memory_mb, -1, false);
	EVENT(host.total.extras[LXFW_EXTRAS_MAX - 1], -1, false);
	EVENT(host.weight, -LXFW_HOST_WEIGHT_MAX, true);
	EVENT(host.weight, -LXFW_HOST_WEIGHT_MAX - 1, false);
	EVENT(host.weight, LXFW_HOST_WEIGHT_MAX, true);
	EVENT(host.weight, LXFW_HOST_WEIGHT_MAX + 1, false);
	EVENT(host.boot, LXFW_BOOT_MAX, true);
	EVENT(host.boot, LXFW_BOOT_MAX + 1, false);
	EVENT(host.boot, -1, false);
	EVENT(host.gpus, 1 << (LXFW_EXTRAS_MAX - 1), true);
	EVENT(host.gpus, 1 << LXFW_EXTRAS_MAX, false);
	event = (struct lxfw_event){ .type = LXFW_EVENT_HOST_SET };
	event.host_set.hosts = hosts;
	event.host_set.count = 2;
	EVENT(host_set.id, 0, true);
	EVENT(host_set.id, -1, false);
	hosts[0] = -1;
	EVENT(host_set.id, 0, false);
	event = (struct lxfw_event){ .type = LXFW_EVENT_JOB_END };
	EVENT(end.id, 0, false);
	EVENT(end.id, 1, true);
	event = (struct lxfw_event){ .type = LXFW_EVENT_JOB_REFUSED };
	EVENT(refused.id, 0, false);
	EVENT(refused.id, 1, true);
	event = (struct lxfw_event){ .type = LXFW_EVENT_BLOCK };
	event.block.shares = &share;
	event.block.count = 1;
	EVENT(block.id, 0, true);
	EVENT(block.count, -1, false);
	share.host = -1;
	EVENT(block.id, 0, false);
	share.host = 0;
	share.amount.memory_mb = -1;
	EVENT(block.id, 0, false);
}

static void bounds_actions(void **state)
{
	struct lxfw_share shares[] = { { .host = 0, .amount = { .procs = 1 } },
				       { .host = 1, .amount = { .procs = 1 } } };
	struct lxfw_action action = {
		.type = LXFW_ACTION_START, .job = 1, .until = LXFW_NEVER,
		.count = 2, .shares = shares,
	};

	(void)state;
#define ACTION(field, value, expected)                                         \
	CHECK(lxfw_journal_action_valid(&action), action, field, value, expected)
	ACTION(type, LXFW_ACTION_START, true);
	ACTION(type, LXFW_ACTION_START - 1, false);
	ACTION(type, LXFW_ACTION_LAST, true);
	ACTION(type, LXFW_ACTION_LAST + 1, false);
	ACTION(job, 0, false);
	ACTION(host_set, -1, false);
	ACTION(host_set, INT32_MAX, true);
	ACTION(host_set, -1, false);
	ACTION(limit, INT64_MAX, true);
	ACTION(limit, -1, false);
	action.limit = 1;
	ACTION(type, LXFW_ACTION_RESERVE, false);
	action.limit = 0;
	shares[1].host = 0;
	ACTION(job, 1, false);
	shares[1].host = 1;
	ACTION(until, 1, true);
	ACTION(until, 0, false);	/* not after the start */
	ACTION(until, LXFW_TIME_MAX, true);
	ACTION(until, LXFW_TIME_MAX + 1, false);
	action.until = 5;
	ACTION(type, LXFW_ACTION_RESERVE, false);
	ACTION(start, 4, true);
	ACTION(start, -LXFW_TIME_MAX, true);
	ACTION(start, -LXFW_TIME_MAX - 1, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bounds_counts_of_classes),
		cmocka_unit_test(bounds_limits_of_classes),
		cmocka_unit_test(bounds_rules),
		cmocka_unit_test(bounds_names_of_classes),
		cmocka_unit_test(knows_which_jobs_can_run),
		cmocka_unit_test(bounds_requests),
		cmocka_unit_test(bounds_parameters),
		cmocka_unit_test(bounds_pasts),
		cmocka_unit_test(bounds_ids),
		cmocka_unit_test(bounds_actions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
