/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `lxfw why` collects of a job: starts that did not happen, and work that was lost. */
#include "tests/unit/unit.h"

#include <string.h>

#include "sim-frontend/cmd/why_collect.h"

static struct lxfw_replayer replay;
static struct lxfw_why_collect collect;

static void event_at(int64_t time, enum lxfw_event_type type, int64_t until)
{
	const struct lxfw_request request = {
		.id = 1, .estimate = 100, .count = 1, .unit.procs = 1,
	};
	struct lxfw_event event = { .type = type, .time = time };

	if (type == LXFW_EVENT_JOB_REFUSED) {
		event.refused.id = 1;
		event.refused.until = until;
	} else if (type == LXFW_EVENT_JOB_END) {
		event.end.id = 1;
	} else {
		event.request = &request;
	}
	assert_int_equal(lxfw_why_event(&collect, &replay, &event), 0);
}

static void decide(int64_t now, enum lxfw_action_type type, int64_t start)
{
	struct lxfw_action action = {
		.type = type, .job = 1, .start = start, .until = LXFW_NEVER,
	};

	replay.recorded = (struct lxfw_recorded_decision){
		.actions = &action, .count = 1, .now = now,
	};
	assert_int_equal(lxfw_why_decision(&collect, &replay), 0);
}

static void begin(void)
{
	memset(&replay, 0, sizeof(replay));
	lxfw_why_collect_clear(&collect);
	collect = (struct lxfw_why_collect){ .wanted = 1, .why.names = &replay.names };
	assert_int_equal(lxfw_why_segment(&collect), 0);
	event_at(0, LXFW_EVENT_JOB_SUBMIT, 0);
}

static void kinds_are(const enum lxfw_why_kind *kinds, size_t count)
{
	assert_int_equal(collect.why.count, count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(collect.why.entries[i].kind, kinds[i]);
}

/* A start that the workload manager refused did not happen. */
static void refused_start(void **state)
{
	const enum lxfw_why_kind before[] = { LXFW_WHY_SUBMITTED, LXFW_WHY_REFUSED };
	const enum lxfw_why_kind after[] = {
		LXFW_WHY_SUBMITTED, LXFW_WHY_REFUSED, LXFW_WHY_RESERVED, LXFW_WHY_STARTED,
	};

	(void)state;
	begin();
	decide(0, LXFW_ACTION_START, 0);
	assert_int_equal(collect.why.state, LXFW_WHY_RUNNING);
	assert_int_equal(collect.why.entries[1].label, LXFW_WHY_AT_ONCE);
	event_at(0, LXFW_EVENT_JOB_REFUSED, 60);
	kinds_are(before, 2);
	assert_int_equal(collect.why.state, LXFW_WHY_WAITING);
	assert_int_equal(collect.why.refused_until, 60);
	decide(60, LXFW_ACTION_RESERVE, 100);
	decide(100, LXFW_ACTION_START, 100);
	kinds_are(after, 4);
	assert_int_equal(collect.why.entries[3].label, LXFW_WHY_RESERVATION);
	assert_int_equal(collect.why.refused_until, LXFW_NEVER);
	lxfw_why_collect_clear(&collect);
}

/* All that a job has run is lost when it is requeued, also what it ran before it was
   suspended. */
static void lost_work(void **state)
{
	(void)state;
	begin();
	decide(0, LXFW_ACTION_START, 0);
	decide(30, LXFW_ACTION_SUSPEND, 30);
	decide(50, LXFW_ACTION_RESUME, 50);
	decide(60, LXFW_ACTION_REQUEUE, 60);
	assert_int_equal(collect.why.suspended, 20);
	assert_int_equal(collect.why.lost, 40);
	decide(100, LXFW_ACTION_RESERVE, 200);
	decide(200, LXFW_ACTION_START, 200);
	decide(207, LXFW_ACTION_SUSPEND, 207);
	decide(300, LXFW_ACTION_REQUEUE, 300);
	assert_int_equal(collect.why.suspended, 20 + 93);
	assert_int_equal(collect.why.lost, 40 + 7);
	assert_int_equal(collect.why.suspensions, 2);
	assert_int_equal(collect.why.requeues, 2);
	lxfw_why_collect_clear(&collect);
}

/* At the end of the records, a job may be suspended. */
static void still_suspended(void **state)
{
	(void)state;
	begin();
	decide(0, LXFW_ACTION_START, 0);
	decide(30, LXFW_ACTION_SUSPEND, 30);
	collect.why.now = 75;
	assert_int_equal(lxfw_why_finish(&collect, &replay), 0);
	assert_int_equal(collect.why.suspended, 45);
	lxfw_why_collect_clear(&collect);
}

/* --- jobs that the scheduler does not have ---------------------------------------- */

static void aside_at(int64_t time, uint64_t id, enum lxfw_reason reason)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_ASIDE, .time = time };

	event.aside.id = id;
	event.aside.reason = reason;
	assert_int_equal(lxfw_why_event(&collect, &replay, &event), 0);
}

static void begin_kept(uint64_t wanted)
{
	memset(&replay, 0, sizeof(replay));
	replay.format = LXFW_JOURNAL_FORMAT;
	lxfw_why_collect_clear(&collect);
	collect = (struct lxfw_why_collect){ .wanted = wanted, .why.names = &replay.names };
	assert_int_equal(lxfw_why_segment(&collect), 0);
}

/* The time of each reason is added up, also of one that comes back. */
static void adds_up_reasons(void **state)
{
	(void)state;
	begin_kept(1);
	aside_at(10, 1, LXFW_REASON_HELD);
	aside_at(20, 1, LXFW_REASON_DEPENDENCY);
	aside_at(25, 1, LXFW_REASON_DEPENDENCY);
	aside_at(50, 1, LXFW_REASON_HELD);
	event_at(55, LXFW_EVENT_JOB_SUBMIT, 0);
	assert_int_equal(collect.why.kept_count, 2);
	assert_int_equal(collect.why.kept[0].reason, LXFW_REASON_HELD);
	assert_int_equal(collect.why.kept[0].seconds, 15);
	assert_int_equal(collect.why.kept[1].seconds, 30);
	kinds_are((const enum lxfw_why_kind[]){ LXFW_WHY_KEPT, LXFW_WHY_KEPT, LXFW_WHY_KEPT,
						LXFW_WHY_ELIGIBLE }, 4);
	assert_int_equal(collect.why.state, LXFW_WHY_WAITING);
	assert_true(collect.why.returned);
}

/* The statement comes before the end in the scheduler, and in a new segment again. */
static void stays_kept(void **state)
{
	(void)state;
	begin_kept(1);
	event_at(0, LXFW_EVENT_JOB_SUBMIT, 0);
	aside_at(10, 1, LXFW_REASON_HELD);
	event_at(10, LXFW_EVENT_JOB_END, 0);
	assert_int_equal(collect.why.state, LXFW_WHY_NOT_ELIGIBLE);
	assert_int_equal(lxfw_why_segment(&collect), 0);
	aside_at(20, 1, LXFW_REASON_HELD);
	decide(20, LXFW_ACTION_UNRESERVE, 0);
	assert_int_equal(collect.why.state, LXFW_WHY_NOT_ELIGIBLE);
	assert_int_equal(collect.why.reason.time, 10);
	aside_at(30, 1, LXFW_REASON_NONE);
	assert_int_equal(collect.why.state, LXFW_WHY_GONE);
}

/* A new segment that does not mention the job: it has left. */
static void left_unseen(void **state)
{
	(void)state;
	begin_kept(1);
	aside_at(10, 1, LXFW_REASON_LEFT);
	assert_int_equal(collect.why.state, LXFW_WHY_LEFT);
	assert_int_equal(lxfw_why_segment(&collect), 0);
	decide(20, LXFW_ACTION_UNRESERVE, 0);
	assert_int_equal(collect.why.state, LXFW_WHY_GONE);
}

/* The start was not carried out, since the job had changed. */
static void changed_start(void **state)
{
	(void)state;
	begin_kept(1);
	event_at(0, LXFW_EVENT_JOB_SUBMIT, 0);
	decide(10, LXFW_ACTION_START, 10);
	assert_int_equal(collect.why.state, LXFW_WHY_RUNNING);
	aside_at(10, 1, LXFW_REASON_CHANGED);
	event_at(10, LXFW_EVENT_JOB_END, 0);
	assert_int_equal(collect.why.state, LXFW_WHY_NOT_ELIGIBLE);
	kinds_are((const enum lxfw_why_kind[]){ LXFW_WHY_SUBMITTED, LXFW_WHY_KEPT }, 2);
}

/* It ran, and was requeued and held. */
static void requeued_and_held(void **state)
{
	(void)state;
	begin_kept(1);
	event_at(0, LXFW_EVENT_JOB_SUBMIT, 0);
	decide(10, LXFW_ACTION_START, 10);
	aside_at(50, 1, LXFW_REASON_HELD);
	event_at(50, LXFW_EVENT_JOB_END, 0);
	assert_int_equal(collect.why.requeues, 1);
	assert_int_equal(collect.why.lost, 40);
	assert_int_equal(collect.why.state, LXFW_WHY_NOT_ELIGIBLE);
}

/* A start and an end in one second: only older formats leave open what happened. */
static void withdrawn_start(void **state)
{
	(void)state;
	for (int format = 3; format <= 4; format++) {
		begin_kept(1);
		replay.format = format;
		event_at(0, LXFW_EVENT_JOB_SUBMIT, 0);
		decide(10, LXFW_ACTION_START, 10);
		event_at(10, LXFW_EVENT_JOB_END, 0);
		assert_int_equal(collect.why.state, LXFW_WHY_GONE);
		assert_int_equal(collect.why.unstated, format == 3);
		if (format == 3)
			kinds_are((const enum lxfw_why_kind[]){ LXFW_WHY_SUBMITTED,
								LXFW_WHY_WITHDRAWN }, 2);
		else
			kinds_are((const enum lxfw_why_kind[]){ LXFW_WHY_SUBMITTED,
								LXFW_WHY_STARTED,
								LXFW_WHY_ENDED }, 3);
	}
}

/* What is known of an array holds for a task without records, and no longer for one that the
   scheduler got. */
static void task_of_an_array(void **state)
{
	const uint64_t task = (UINT64_C(3) << 32) | 1;
	struct lxfw_request request = { .id = task, .estimate = 1, .count = 1, .unit.procs = 1 };
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_SUBMIT, .time = 20, .request = &request,
	};

	(void)state;
	begin_kept(task);
	aside_at(10, 1, LXFW_REASON_HELD);
	aside_at(10, 2, LXFW_REASON_DEPENDENCY);
	assert_true(collect.why.of_array);
	assert_true(collect.why.job == task);
	assert_int_equal(collect.why.state, LXFW_WHY_NOT_ELIGIBLE);
	assert_int_equal(lxfw_why_event(&collect, &replay, &event), 0);
	assert_int_equal(collect.why.state, LXFW_WHY_WAITING);
	assert_false(collect.why.of_array);
	aside_at(30, 1, LXFW_REASON_LIMIT_TASKS);
	assert_int_equal(collect.why.state, LXFW_WHY_WAITING);
	assert_int_equal(collect.tasks, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(adds_up_reasons),
		cmocka_unit_test(stays_kept),
		cmocka_unit_test(left_unseen),
		cmocka_unit_test(changed_start),
		cmocka_unit_test(requeued_and_held),
		cmocka_unit_test(withdrawn_start),
		cmocka_unit_test(task_of_an_array),
		cmocka_unit_test(refused_start),
		cmocka_unit_test(lost_work),
		cmocka_unit_test(still_suspended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
