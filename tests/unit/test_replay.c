/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Valid and wrong journals, given to the commands replay and compare. */
#include <errno.h>

#include "common/journal/journal.h"
#include "common/sched.h"
#include "sim-frontend/engine/recorded.h"
#include "tests/unit/command.h"
#include "tests/unit/tape.h"

/* Write the journal of the first tape and, as after a restart of the controller, the
   second. Return its path. */
static const char *end_both(struct tape *first, struct tape *second,
			    const char *name)
{
	FILE *file = fopen(end(first, name), "a");

	assert_non_null(file);
	fwrite(second->buffer.bytes, 1, second->buffer.length, file);
	assert_int_equal(fclose(file), 0);
	end(second, "other");
	return unit_path(name);
}

static void agrees_with_a_true_one(void **state)
{
	struct tape tape;

	(void)state;
	begin(&tape);
	put_submit(&tape, 1, 100, 100, 3, 50);
	put_submit(&tape, 2, 100, 100, 2, 50);
	put_decision(&tape, 100);
	put_end(&tape, 1, 120);
	put_decision(&tape, 120);
	put_end(&tape, 2, 130);
	put_decision(&tape, 130);
	assert_int_equal(run_command("replay", NULL, end(&tape, "true")), 0);
	assert_said("3 of 3 decisions agree");
}

/* The second decision in the journal lacks a start. This is one difference: later
   decisions are compared on the recorded state again. */
static void finds_a_false_decision(void **state)
{
	struct lxfw_decision nothing = { .wake = LXFW_NEVER };
	struct tape tape;

	(void)state;
	begin(&tape);
	put_submit(&tape, 1, 100, 100, 3, 50);
	put_decision(&tape, 100);
	put_submit(&tape, 2, 110, 110, 1, 50);
	assert_int_equal(lxfw_journal_put_decision(&tape.buffer, 110, &nothing),
			 0);
	put_decision(&tape, 115);
	put_end(&tape, 1, 130);
	put_decision(&tape, 130);
	assert_int_equal(run_command("replay", NULL, end(&tape, "false")), 1);
	assert_said("3 of 4 decisions agree");
	assert_said("decision 2 at 110 differs");
	assert_said("recorded  no more actions");
	assert_said("now       start job 2 at 110 on host:procs:MB 0:1:0");
	assert_int_equal(run_command("replay", "--format=json",
				     unit_path("false")), 1);
	assert_said("\"agreeing\": 3");
}

/* The estimated start overhead is 6 s, which is subtracted from the arrival of the job.
   The arrival must not precede the definition of its host set. */
static void defines_host_sets_before_arrivals(void **state)
{
	static const int32_t hosts[] = { 0 };
	struct lxfw_request request = {
		.id = 1, .submit = 101, .estimate = 50, .count = 1,
		.unit.procs = 3, .shape = LXFW_SHAPE_HOSTS, .host_set_count = 1,
	};
	struct tape tape;

	(void)state;
	begin(&tape);
	put(&tape, (struct lxfw_event) { .type = LXFW_EVENT_HOST_SET,
					 .time = 107,
					 .host_set = { 0, 1, hosts } });
	put(&tape, (struct lxfw_event) { .type = LXFW_EVENT_JOB_SUBMIT,
					 .time = 107, .request = &request });
	put_decision(&tape, 107);
	put_end(&tape, 1, 120);
	put_decision(&tape, 120);
	assert_int_equal(run_command("compare", "--start-overhead=6",
				     end(&tape, "told")), 0);
	assert_said("policy easy, 1 jobs");
}

static void finds_a_false_host(void **state)
{
	struct lxfw_share share = { .host = 0, .amount.procs = 2 };
	struct lxfw_action action = {
		.type = LXFW_ACTION_START, .job = 1, .start = 100,
		.until = LXFW_NEVER, .count = 1, .shares = &share,
	};
	struct lxfw_decision other = {
		.actions = &action, .count = 1, .wake = LXFW_NEVER,
	};
	struct tape tape;

	(void)state;
	begin(&tape);
	put_submit(&tape, 1, 100, 100, 3, 50);
	assert_int_equal(lxfw_journal_put_decision(&tape.buffer, 100, &other),
			 0);
	assert_int_equal(run_command("replay", NULL, end(&tape, "host")), 1);
	assert_said("recorded  start job 1 at 100 on host:procs:MB 0:2:0");
	assert_said("now       start job 1 at 100 on host:procs:MB 0:3:0");
}

/* In the record no job is suspended for job 2 at 130. The model is corrected: job 1
   still runs on the whole host, and job 2 starts when it has ended. The model still has
   the record that job 2 was served, so the next wake-up differs. */
static void corrects_interruptions(void **state)
{
	struct lxfw_decision nothing = { .wake = LXFW_NEVER };
	struct tape tape;

	(void)state;
	begin_with(&tape, "lxfw_quantum=10,lxfw_quantum_min_run=20");
	put_submit(&tape, 1, 100, 100, 4, 200);
	put_decision(&tape, 100);
	put_submit(&tape, 2, 130, 130, 2, 50);
	assert_int_equal(lxfw_journal_put_decision(&tape.buffer, 130, &nothing),
			 0);
	put_end(&tape, 1, 135);
	put_decision(&tape, 135);
	put_end(&tape, 2, 190);
	put_decision(&tape, 190);
	assert_int_equal(run_command("replay", NULL, end(&tape, "quantum")), 1);
	assert_said("2 of 4 decisions agree");
	assert_said("now       reserve job 2 at 300 on host:procs:MB 0:2:0");
	assert_said("now       wake at 9223372036854775807");
}

/* In the record job 1 was suspended and job 2 served; with the current library no job
   is. The model follows as far as the record shows. It does not show that this was for
   a quantum, so the end of the quantum differs too. */
static void follows_interruptions(void **state)
{
	struct lxfw_params off;
	struct tape tape;

	(void)state;
	begin_with(&tape, "lxfw_quantum=10,lxfw_quantum_min_run=20");
	put_submit(&tape, 1, 100, 100, 4, 200);
	put_decision(&tape, 100);
	lxfw_params_preset(&off, LXFW_POLICY_EASY);
	/* only the reader of the journal gets this */
	assert_int_equal(lxfw_journal_put_event(&tape.buffer,
		&(struct lxfw_event) { .type = LXFW_EVENT_PARAMS, .time = 130,
				       .params = &off }), 0);
	put_submit(&tape, 2, 130, 130, 2, 50);
	put_decision(&tape, 130);	/* suspend 1, start 2 */
	put_decision(&tape, 140);	/* requeue 2, resume 1 */
	put_end(&tape, 1, 150);
	put_decision(&tape, 150);	/* start 2 */
	put_end(&tape, 2, 170);
	put_decision(&tape, 170);
	assert_int_equal(run_command("replay", NULL, end(&tape, "served")), 1);
	assert_said("3 of 5 decisions agree");
	assert_said("recorded  suspend job 1 at 130 on host:procs:MB 0:0:0");
	assert_said("recorded  requeue job 2 at 140\n");
}

/* A restarted controller begins a segment with an empty model. */
static void replays_segments(void **state)
{
	struct tape first, second;

	(void)state;
	begin(&first);
	put_submit(&first, 1, 100, 100, 4, 50);
	put_decision(&first, 100);
	begin(&second);
	put_submit(&second, 1, 100, 100, 4, 50);
	put_decision(&second, 110);
	assert_int_equal(run_command("replay", NULL,
				     end_both(&first, &second, "segments")), 0);
	assert_said("2 of 2 decisions agree");
	assert_said("2 segments");
}

/*
 * Job 1 runs 100-140. Job 2, submitted at 103 and seen at 105, is held (so it leaves)
 * and returns at 120, to run 140-150. Job 3 is cancelled.
 */
static const char *record_a_life(void)
{
	struct tape tape;

	begin(&tape);
	put_submit(&tape, 1, 100, 100, 4, 50);
	put_decision(&tape, 100);
	put_submit(&tape, 2, 105, 103, 2, 50);
	put_submit(&tape, 3, 105, 103, 2, 50);
	put_decision(&tape, 105);
	put_end(&tape, 2, 110);
	put_end(&tape, 3, 112);
	put_submit(&tape, 2, 120, 103, 2, 50);
	put_decision(&tape, 120);
	put_end(&tape, 1, 140);
	put_decision(&tape, 140);
	put_end(&tape, 2, 150);
	put_decision(&tape, 150);
	return end(&tape, "life");
}

static void read_recorded(struct lxfw_recorded *recorded, const char *path)
{
	struct lxfw_error error;

	if (lxfw_recorded_from_journal(recorded, (char **)&path, 1,
				       &error) < 0)
		fail_msg("%s", error.text);
}

static void assert_no_event(const struct lxfw_recorded *recorded,
			    enum lxfw_event_type type)
{
	for (size_t i = 0; i < recorded->event_count; i++)
		assert_true(recorded->events[i].event.type != type);
}

static void records_lives(void **state)
{
	struct lxfw_recorded recorded;

	(void)state;
	read_recorded(&recorded, record_a_life());
	assert_int_equal(recorded.count, 4);
	assert_true(recorded.has_params);
	assert_int_equal(recorded.decisions, 5);
	assert_int_equal(recorded.jobs[0].start, 100);
	assert_int_equal(recorded.jobs[0].end, 140);
	assert_int_equal(recorded.jobs[1].number, 2);
	assert_true(recorded.jobs[1].start == LXFW_UNKNOWN);
	assert_true(recorded.jobs[2].start == LXFW_UNKNOWN);
	assert_int_equal(recorded.jobs[3].number, 2);
	assert_int_equal(recorded.jobs[3].seen, 120);
	assert_int_equal(recorded.jobs[3].start, 140);
	assert_int_equal(recorded.jobs[3].end, 150);
	assert_true(recorded.jobs[3].request.id != recorded.jobs[1].request.id);
	lxfw_recorded_clear(&recorded);
}

/* Slurm refused to suspend job 1 at 120: it is reported as ended and running again. */
static void records_what_runs_on(void **state)
{
	const struct lxfw_share share = { .host = 0, .amount.procs = 4 };
	struct lxfw_recorded recorded;
	struct tape tape;

	(void)state;
	begin(&tape);
	put_submit(&tape, 1, 100, 100, 4, 50);
	put_decision(&tape, 100);
	put_end(&tape, 1, 120);
	put(&tape, (struct lxfw_event) {
		.type = LXFW_EVENT_JOB_RUN, .time = 120,
		.run = { .id = 1, .expected_end = 150, .count = 1,
			 .shares = &share },
	});
	put_decision(&tape, 120);
	put_end(&tape, 1, 140);
	put_decision(&tape, 140);
	read_recorded(&recorded, end(&tape, "runs-on"));
	assert_int_equal(recorded.count, 1);
	assert_int_equal(recorded.jobs[0].start, 100);
	assert_int_equal(recorded.jobs[0].end, 140);
	assert_no_event(&recorded, LXFW_EVENT_JOB_RUN);
	lxfw_recorded_clear(&recorded);
}

/* Job 2 has its quantum from 130 to 140. */
static void put_quantum(struct tape *tape)
{
	begin_with(tape, "lxfw_quantum=10,lxfw_quantum_min_run=20");
	put_submit(tape, 1, 100, 100, 4, 200);
	put_decision(tape, 100);
	put_submit(tape, 2, 130, 130, 2, 50);
	put_decision(tape, 130);	/* suspend 1, start 2 */
	put_decision(tape, 140);	/* requeue 2, resume 1 */
}

/* The job starts permanently at 150: this is one run, which begins then. */
static void read_requeued(struct tape *tape, struct lxfw_recorded *recorded)
{
	put_end(tape, 1, 150);
	put_decision(tape, 150);	/* start 2 */
	put_end(tape, 2, 170);
	put_decision(tape, 170);
	read_recorded(recorded, end(tape, "requeue"));
	assert_int_equal(recorded->count, 2);
	assert_int_equal(recorded->jobs[1].number, 2);
	assert_int_equal(recorded->jobs[1].start, 150);
	assert_int_equal(recorded->jobs[1].end, 170);
	assert_no_event(recorded, LXFW_EVENT_JOB_END);
}

/* Slurm cleans up after the job until 142, and during that time it is reported as
 * absent. */
static void records_a_requeue(void **state)
{
	struct lxfw_recorded recorded;
	struct tape tape;

	(void)state;
	put_quantum(&tape);
	put_end(&tape, 2, 140);
	put_submit(&tape, 2, 142, 130, 2, 50);
	put_decision(&tape, 142);
	read_requeued(&tape, &recorded);
	lxfw_recorded_clear(&recorded);
}

/* The job keeps its place during that time. A report that it gets no further quantum
   must not remove the first one from an earlier record. */
static void records_a_kept_place(void **state)
{
	struct lxfw_request request = {
		.id = 2, .submit = 130, .estimate = 50, .count = 1,
		.unit.procs = 2, .shape = LXFW_SHAPE_HOSTS, .no_quantum = true,
	};
	struct lxfw_recorded recorded;
	const struct lxfw_event *change;
	struct tape tape;

	(void)state;
	put_quantum(&tape);
	put(&tape, (struct lxfw_event) { .type = LXFW_EVENT_JOB_CHANGE,
					 .time = 142, .request = &request });
	put_decision(&tape, 142);
	read_requeued(&tape, &recorded);
	change = &recorded.events[recorded.event_count - 1].event;
	assert_int_equal(change->type, LXFW_EVENT_JOB_CHANGE);
	assert_false(change->request->no_quantum);
	lxfw_recorded_clear(&recorded);
}

/* The controller is down from 105 to 200: job 1 ends and 3 is cancelled in this time, 2
   is still pending. */
static void records_restarts(void **state)
{
	struct lxfw_recorded recorded;
	struct tape tape, second;

	(void)state;
	begin(&tape);
	put_submit(&tape, 1, 100, 100, 4, 50);
	put_submit(&tape, 2, 100, 100, 2, 50);
	put_submit(&tape, 3, 100, 100, 2, 50);
	put_decision(&tape, 105);
	begin(&second);
	put_submit(&second, 2, 200, 100, 2, 50);
	put_decision(&second, 200);
	read_recorded(&recorded, end_both(&tape, &second, "restart"));
	assert_int_equal(recorded.count, 3);
	assert_int_equal(recorded.jobs[0].start, 105);
	assert_int_equal(recorded.jobs[0].end, 200);
	assert_int_equal(recorded.jobs[1].start, 200);
	assert_true(recorded.jobs[1].end == LXFW_UNKNOWN);
	assert_true(recorded.jobs[2].start == LXFW_UNKNOWN);
	assert_int_equal(recorded.events[recorded.event_count - 1].event.type,
			 LXFW_EVENT_JOB_END);
	assert_int_equal(recorded.events[recorded.event_count - 1].event.end.id,
			 3);
	lxfw_recorded_clear(&recorded);
}

static void compares_a_life(void **state)
{
	(void)state;
	assert_int_equal(run_command("compare", "--format=json",
				     record_a_life()), 0);
	assert_said("\"jobs\": 2,");
	assert_said("\"not_compared\": 2,");
	assert_said("\"equal_starts\": 2");
	assert_said("\"measured_max_wait_s\": 37,");
	assert_said("\"simulated_max_wait_s\": 37,");
}

/* Job 1 waits from 100 on, for a reason that is not in the record, and is cancelled at
   150; job 2 runs 110-120, from its submission on. */
static const char *record_a_cancellation(void)
{
	struct lxfw_decision nothing = { .wake = LXFW_NEVER };
	struct tape tape;

	begin(&tape);
	assert_int_equal(lxfw_journal_put_event(&tape.buffer,
		&(struct lxfw_event) { .type = LXFW_EVENT_JOB_SUBMIT, .time = 100,
			.request = &(struct lxfw_request) {
				.id = 1, .submit = 100, .estimate = 5000,
				.count = 1, .unit.procs = 4,
				.shape = LXFW_SHAPE_HOSTS } }), 0);
	assert_int_equal(lxfw_journal_put_decision(&tape.buffer, 100, &nothing),
			 0);
	put_submit(&tape, 2, 110, 110, 4, 50);
	put_decision(&tape, 110);
	put_end(&tape, 2, 120);
	put_decision(&tape, 120);
	assert_int_equal(lxfw_journal_put_event(&tape.buffer,
		&(struct lxfw_event) { .type = LXFW_EVENT_JOB_END, .time = 150,
				       .end.id = 1 }), 0);
	put_decision(&tape, 150);
	return end(&tape, "cancellation");
}

/* A simulation would start job 1 at once. It is left out, or occupies the host until it
   was cancelled, but never for its requested 5000 s. */
static void leaves_out_the_cancelled(void **state)
{
	const char *path = record_a_cancellation();

	(void)state;
	assert_int_equal(run_command("compare", "--format=csv", path), 0);
	assert_said("\ncancelled_jobs,1\n");
	assert_said("\nsimulated_max_wait_s,0\n");
	assert_int_equal(run_command("replay", "--params=lxfw_policy=fcfs", path),
			 0);
	assert_said("cancelled or held before they started: 1, not simulated\n");
	assert_said("\nmaximum                            0             0 ");
	assert_int_equal(run_command("compare", "--cancelled=until-cancelled",
				     path), 0);
	assert_said("started: 1, simulated until they were cancelled\n");
	assert_said("\nmaximum                            0            40 ");
}

/* Run times of 35 and 8 s: jobs keep their processors 5 and 2 s longer. */
static void takes_run_times(void **state)
{
	struct lxfw_recorded recorded;
	struct lxfw_overhead overhead;
	struct lxfw_error error;

	(void)state;
	read_recorded(&recorded, record_a_life());
	assert_int_equal(lxfw_recorded_run_times(&recorded,
			 unit_file("times", "# job run\n1 35\n2 8\n99 1\n"),
			 &error), 0);
	assert_int_equal(recorded.jobs[0].run, 35);
	assert_int_equal(lxfw_recorded_overhead(&recorded, &overhead), 0);
	assert_true(overhead.end_known);
	assert_false(overhead.estimate.known);
	assert_int_equal(overhead.start, 0);
	assert_int_equal(overhead.end, 2);
	assert_int_equal(recorded.jobs[3].run, 8);
	assert_true(recorded.jobs[1].run == LXFW_UNKNOWN);
	assert_int_equal(lxfw_recorded_run_times(&recorded,
			 unit_file("times", "1 35\n2\n"), &error), -1);
	assert_string_equal(unit_message(error.text), "times:2: expected a "
			    "job's number and its run time in seconds");
	lxfw_recorded_clear(&recorded);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_a_true_one),
		cmocka_unit_test(finds_a_false_decision),
		cmocka_unit_test(finds_a_false_host),
		cmocka_unit_test(corrects_interruptions),
		cmocka_unit_test(follows_interruptions),
		cmocka_unit_test(replays_segments),
		cmocka_unit_test(records_lives),
		cmocka_unit_test(records_what_runs_on),
		cmocka_unit_test(records_a_requeue),
		cmocka_unit_test(records_a_kept_place),
		cmocka_unit_test(records_restarts),
		cmocka_unit_test(compares_a_life),
		cmocka_unit_test(defines_host_sets_before_arrivals),
		cmocka_unit_test(leaves_out_the_cancelled),
		cmocka_unit_test(takes_run_times),
	};

	return cmocka_run_group_tests(tests, unit_files_begin, unit_files_end);
}
