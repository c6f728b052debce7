/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory allocation fails, at every allocation in turn: ENOMEM is returned, no data is
 * lost, nothing leaks, and the operation succeeds when memory is available again.
 */
#include "tests/unit/unit.h"

#include <errno.h>
#include <string.h>

#include "common/journal/journal.h"
#include "common/params/policy.h"
#include "common/sched.h"
#include "tests/unit/mini.h"
#include "tests/unit/random_event.h"

#define FAILURES_MOST 200

static int leaks_nothing(void **state)
{
	(void)state;
	return failing_live() ? -1 : 0;
}

static void parameters_take_no_memory(void **state)
{
	struct lxfw_params params;
	struct lxfw_error error;

	(void)state;
	lxfw_params_preset(&params, LXFW_POLICY_LXFW);
	failing_arm(1);
	assert_int_equal(lxfw_params_parse(&params, "lxfw_wx=2,lxfw_journal=/j",
					   NULL, NULL, &error), 0);
	assert_int_equal(lxfw_params_parse(&params, "lxfw_wq=2", NULL, NULL,
					   &error), -1);
	assert_int_equal(errno, EINVAL);
	assert_false(failing_disarm());
}

/* Encode an event or, if there is none, the decision; the NTH allocation fails. */
static int put(struct lxfw_buffer *buffer, const struct lxfw_event *event,
	       const struct lxfw_decision *decision, long nth)
{
	int result;

	failing_arm(nth);
	errno = 0;
	result = event ? lxfw_journal_put_event(buffer, event) :
		lxfw_journal_put_decision(buffer, 1, decision);
	if (failing_disarm())
		assert_int_equal(result, -1);
	return result;
}

static void put_until_it_works(struct lxfw_buffer *buffer,
			       const struct lxfw_event *event,
			       const struct lxfw_decision *decision)
{
	size_t before = buffer->length;
	unsigned char first[64];
	size_t kept = before < sizeof(first) ? before : sizeof(first);

	if (kept)
		memcpy(first, buffer->bytes, kept);
	for (long nth = 1; put(buffer, event, decision, nth) < 0; nth++) {
		assert_true(nth < FAILURES_MOST);
		assert_int_equal(errno, ENOMEM);
		assert_int_equal(buffer->length, before);
		if (kept)
			assert_memory_equal(buffer->bytes, first, kept);
	}
	assert_true(buffer->length > before);
}

/* Shrink the buffer to its length. */
static void shrink(struct lxfw_buffer *buffer)
{
	unsigned char *bytes = realloc(buffer->bytes, buffer->length);

	assert_non_null(bytes);
	buffer->bytes = bytes;
	buffer->size = buffer->length;
}

static void journal_is_written(void **state)
{
	uint64_t random = unit_seed("journal");
	struct random_decision *decision = malloc(sizeof(*decision));

	(void)state;
	assert_non_null(decision);
	for (int i = 0; i < 200; i++) {
		struct lxfw_buffer buffer = { 0 };
		struct random_event event;

		random_event(&random, 0, &event);
		random_decision(&random, decision);
		put_until_it_works(&buffer, &event.event, NULL);
		shrink(&buffer);
		put_until_it_works(&buffer, NULL, &decision->decision);
		shrink(&buffer);
		put_until_it_works(&buffer, &event.event, NULL);
		free(buffer.bytes);
	}
	free(decision);
}

static void journal_is_read(void **state)
{
	uint64_t random = unit_seed("journal");

	(void)state;
	for (int i = 0; i < 200; i++) {
		struct lxfw_record record = { 0 };
		struct lxfw_buffer buffer = { 0 };
		struct random_event event;
		size_t offset = 0;
		long nth = 1;
		int result;

		random_event(&random, 1 + i % LXFW_EVENT_LAST, &event);
		assert_int_equal(lxfw_journal_put_event(&buffer, &event.event),
				 0);
		for (;; nth++) {
			assert_true(nth < FAILURES_MOST);
			failing_arm(nth);
			result = lxfw_journal_get(buffer.bytes, buffer.length,
						  &offset, &record);
			if (!failing_disarm())
				break;
			assert_int_equal(result, -1);
			assert_int_equal(errno, ENOMEM);
			assert_int_equal(offset, 0);
		}
		assert_int_equal(result, 1);
		assert_int_equal(offset, buffer.length);
		assert_int_equal(record.event.type, event.event.type);
		lxfw_record_clear(&record);
		free(buffer.bytes);
	}
}

static struct lxfw_sched *create(const struct mini *mini)
{
	struct lxfw_sched *sched;

	for (long nth = 1;; nth++) {
		failing_arm(nth);
		errno = 0;
		sched = lxfw_sched_create(&mini->params);
		if (!failing_disarm())
			break;
		assert_null(sched);
		assert_int_equal(errno, ENOMEM);
	}
	assert_non_null(sched);
	return sched;
}

static void must_apply(struct lxfw_sched *sched, const struct lxfw_event *event)
{
	struct lxfw_error error = { "" };

	if (lxfw_sched_apply(sched, event, &error) < 0)
		fail_msg("event of type %d: %s", event->type, error.text);
}

static void must_take(struct mini *mini, const struct lxfw_decision *decision)
{
	if (!mini_take(mini, decision))
		fail_msg("the scheduler %s", mini->wrong);
}

/* Run one pass repeatedly, with one allocation after the other failing, until none
   fails. Each result must be valid. */
static void decide_until_it_works(struct mini *mini, struct lxfw_sched *sched)
{
	for (long nth = 1;; nth++) {
		struct lxfw_decision decision;
		int result;

		assert_true(nth < FAILURES_MOST);
		failing_arm(nth);
		errno = 0;
		result = lxfw_sched_decide(sched, mini->now, &decision);
		if (failing_disarm()) {
			assert_int_equal(result, -1);
			assert_int_equal(errno, ENOMEM);
			must_take(mini, &decision);
			continue;
		}
		assert_int_equal(result, 0);
		must_take(mini, &decision);
		return;
	}
}

/*
 * Run a whole workload in which every call fails at every allocation before it
 * succeeds. No host is overcommitted, every event finds its job in the right state, no
 * job is lost.
 */
static void run_out_at_every_call(uint64_t seed, enum lxfw_policy policy,
				  enum mini_service service)
{
	struct mini *mini = malloc(sizeof(*mini));
	struct lxfw_sched *sched;
	struct lxfw_event event;

	assert_non_null(mini);
	mini_begin(mini, seed, 60, policy, service);
	sched = create(mini);
	while (mini_next(mini, &event)) {
		for (long nth = 1;; nth++) {
			int result;

			assert_true(nth < FAILURES_MOST);
			failing_arm(nth);
			errno = 0;
			result = lxfw_sched_apply(sched, &event, NULL);
			if (!failing_disarm()) {
				assert_int_equal(result, 0);
				break;
			}
			assert_int_equal(result, -1);
			assert_int_equal(errno, ENOMEM);
		}
		decide_until_it_works(mini, sched);
	}
	lxfw_sched_destroy(sched);
	free(mini);
}

/* Write the decisions of a new scheduler after the first STEPS events of a workload to
   BUFFER. The next event is applied with its NTH allocation failing, or left out with
   NTH = 0. Return false if it did not fail. */
static bool decide_after(struct lxfw_buffer *buffer, uint64_t seed,
			 enum lxfw_policy policy, enum mini_service service,
			 int steps, long nth, enum lxfw_event_type *type)
{
	struct mini *mini = malloc(sizeof(*mini));
	struct lxfw_sched *sched;
	struct lxfw_decision decision;
	struct lxfw_event event;
	bool failed = true;

	assert_non_null(mini);
	mini_begin(mini, seed, 30, policy, service);
	sched = lxfw_sched_create(&mini->params);
	assert_non_null(sched);
	for (int i = 0; i < steps; i++) {
		assert_true(mini_next(mini, &event));
		must_apply(sched, &event);
		assert_int_equal(lxfw_sched_decide(sched, mini->now, &decision),
				 0);
		must_take(mini, &decision);
	}
	if (!mini_next(mini, &event)) {
		failed = false;
	} else if (nth) {
		failing_arm(nth);
		if (lxfw_sched_apply(sched, &event, NULL) < 0)
			assert_int_equal(errno, ENOMEM);
		failed = failing_disarm();
	}
	*type = event.type;
	for (int i = 0; failed && i < 3; i++) {
		int64_t now = mini->now + 600 * i;

		assert_int_equal(lxfw_sched_decide(sched, now, &decision), 0);
		assert_int_equal(lxfw_journal_put_decision(buffer, now,
							   &decision), 0);
		assert_true(decision.waiting < 1000 && decision.running < 1000);
	}
	lxfw_sched_destroy(sched);
	free(mini);
	return failed;
}

/* An event that could not be applied leaves the model unchanged: the decisions are
   those without the event. */
static void leave_the_books_alone(uint64_t seed, enum lxfw_policy policy,
				  enum mini_service service)
{
	for (int steps = 0;; steps++) {
		struct lxfw_buffer without = { 0 };
		enum lxfw_event_type type;

		if (!decide_after(&without, seed, policy, service, steps, 0,
				  &type))
			return;
		for (long nth = 1;; nth++) {
			struct lxfw_buffer after = { 0 };
			bool failed, same;

			assert_true(nth < FAILURES_MOST);
			failed = decide_after(&after, seed, policy, service,
					      steps, nth, &type);
			same = after.length == without.length &&
			       memcmp(after.bytes, without.bytes,
				      after.length) == 0;
			if (failed && !same)
				fail_msg("seed %llu, policy %s: event %d of type "
					 "%d, whose allocation %ld failed, left "
					 "its mark", (unsigned long long)seed,
					 lxfw_policy_name(policy), steps,
					 (int)type, nth);
			free(after.bytes);
			if (!failed)
				break;
		}
		free(without.bytes);
	}
}

/* Immediate service is enabled while jobs run. Without memory for it, the parameters
   stay as before. With memory, a new job is served. */
static void service_begins_or_not(void **state)
{
	struct lxfw_params without, with;
	struct lxfw_event host = { .type = LXFW_EVENT_HOST };
	struct lxfw_event params = { .type = LXFW_EVENT_PARAMS, .time = 1000 };
	struct lxfw_event submit = { .type = LXFW_EVENT_JOB_SUBMIT };
	struct lxfw_request job = {
		.estimate = 10000, .shape = LXFW_SHAPE_HOSTS, .count = 1,
		.unit.procs = 1,
	};
	struct lxfw_decision decision;
	struct lxfw_sched *sched;
	long nth = 1;
	int served = 0;

	(void)state;
	lxfw_params_preset(&without, LXFW_POLICY_EASY);
	with = without;
	with.quantum = 60;
	with.quantum_mode = LXFW_QUANTUM_PREEMPT;
	with.interval = 7;
	sched = lxfw_sched_create(&without);
	assert_non_null(sched);
	host.host.up = true;
	host.host.total.procs = 20;
	must_apply(sched, &host);
	submit.request = &job;
	for (job.id = 1; job.id <= 20; job.id++)
		must_apply(sched, &submit);
	assert_int_equal(lxfw_sched_decide(sched, 0, &decision), 0);
	assert_int_equal(decision.running, 20);
	params.params = &with;
	for (;; nth++) {
		struct lxfw_error error;
		int result;

		failing_arm(nth);
		result = lxfw_sched_apply(sched, &params, &error);
		if (!failing_disarm()) {
			assert_int_equal(result, 0);
			break;
		}
		assert_int_equal(result, -1);
		assert_int_equal(errno, ENOMEM);
		/* The pending job is not served. */
		job.id = 100 + (uint64_t)nth;
		job.submit = submit.time = 1000;
		must_apply(sched, &submit);
		assert_int_equal(lxfw_sched_decide(sched, 1000, &decision), 0);
		assert_int_equal(decision.running, 20);
		assert_true(decision.wake > 1007);
		for (size_t i = 0; i < decision.count; i++)
			assert_int_equal(decision.actions[i].type,
					 LXFW_ACTION_RESERVE);
	}
	assert_true(nth > 2);
	job.id = 99;
	job.submit = submit.time = 1000;
	must_apply(sched, &submit);
	assert_int_equal(lxfw_sched_decide(sched, 1000, &decision), 0);
	for (size_t i = 0; i < decision.count; i++)
		served += decision.actions[i].type == LXFW_ACTION_START &&
			  decision.actions[i].until == 1060;
	assert_true(served > 0);
	lxfw_sched_destroy(sched);
}

static void scheduler_continues(void **state)
{
	uint64_t seed = unit_seed("scheduler");

	(void)state;
	for (int i = 0; i < 8; i++) {
		for (int policy = LXFW_POLICY_FCFS; policy <= lxfw_policy_count;
		     policy++)
			run_out_at_every_call(
				seed + (uint64_t)i, (enum lxfw_policy)policy,
				(enum mini_service)(i % MINI_SERVICES));
	}
}

static void scheduler_refuses_cleanly(void **state)
{
	uint64_t seed = unit_seed("books");

	(void)state;
	for (int policy = LXFW_POLICY_FCFS; policy <= lxfw_policy_count;
	     policy++)
		leave_the_books_alone(seed, (enum lxfw_policy)policy,
				      (enum mini_service)(policy %
							  MINI_SERVICES));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(parameters_take_no_memory,
					  leaks_nothing),
		cmocka_unit_test_teardown(journal_is_written, leaks_nothing),
		cmocka_unit_test_teardown(journal_is_read, leaks_nothing),
		cmocka_unit_test_teardown(service_begins_or_not, leaks_nothing),
		cmocka_unit_test_teardown(scheduler_continues, leaks_nothing),
		cmocka_unit_test_teardown(scheduler_refuses_cleanly,
					  leaks_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
