/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A step of letting go that is left because it does not end does nothing when it continues. */
#include <sys/wait.h>

#include "tests/unit/fall_back_scene.h"

#define NOT_REACHED 2

/* The watch is left when it requests locks for the LEAVE_AT-th time. */
static int leave_at, requests;
static struct {
	time_t jobs, nodes;
	ino_t quanta, metrics, report;
	uint32_t state;
	int reservations;
	char reserved;
} left;
static job_record_t *left_victim;

void __real_lock_slurmctld(slurmctld_lock_t locks_of);
void __wrap_lock_slurmctld(slurmctld_lock_t locks_of);

void __wrap_lock_slurmctld(slurmctld_lock_t locks_of)
{
	if (++requests == leave_at) {
		lxfw_fall_back(LXFW_FALL_BACK_LEAVE, NULL, "ours");
		last_job_update = left.jobs = 1;
		last_node_update = left.nodes = 1;
		left.quanta = number_of("lxfw_quanta");
		left.metrics = number_of("metrics");
		left.report = number_of("lxfw_let_go");
		left.state = left_victim->job_state;
		left.reservations = reservations;
		left.reserved = *reserved.name;
	}
	__real_lock_slurmctld(locks_of);
}

/* Returns what was done after the step was left, or NULL for nothing. */
static const char *done_after_leaving(void)
{
	requests = 0;
	lxfw_fall_back(LXFW_FALL_BACK_BEGIN, &stalled, "ours");
	node_record_table_ptr[0]->node_state |= NODE_STATE_PLANNED;
	lxfw_fall_back(LXFW_FALL_BACK_TICK, NULL, "ours");
	lxfw_fall_back(LXFW_FALL_BACK_END, NULL, "ours");
	if (loaded > 0)
		return "Slurm's scheduler is loaded";
	if (last_job_update != left.jobs)
		return "jobs changed";
	if (last_node_update != left.nodes)
		return "nodes changed";
	if (number_of("lxfw_quanta") != left.quanta)
		return "lxfw_quanta written";
	if (number_of("metrics") != left.metrics)
		return "metrics written";
	if (number_of("lxfw_let_go") != left.report)
		return "report written";
	if (left_victim->job_state != left.state)
		return "a job resumed";
	if (reservations != left.reservations || *reserved.name != left.reserved)
		return "nodes reserved";
	return NULL;
}

/* A child process: being left is final. */
static int leave_in_child(void)
{
	const char *wrong = done_after_leaving();

	if (requests < leave_at)
		return NOT_REACHED;
	if (wrong)
		fprintf(stderr, "left at request %d: %s\n", leave_at, wrong);
	return wrong != NULL;
}

/* Wherever it waits: for Slurm's configuration, its jobs or its nodes. */
static void leave_anywhere(bool resumes_at_once)
{
	int status = 0;

	left_victim = suspend_one();
	write_old();
	if (!resumes_at_once)
		node_record_table_ptr[0]->node_state |= NODE_STATE_NO_RESPOND;
	has_stock = true;
	lxfw_fall_back_set(7, 60, path_of("metrics"), (int)strlen(path_of("metrics")));
	for (leave_at = 1; status == 0; leave_at++) {
		pid_t child = fork();

		assert_true(child >= 0);
		if (child == 0)
			_exit(leave_in_child());
		assert_int_equal(waitpid(child, &status, 0), child);
		(void)unlink(path_of("lxfw_let_go"));
		(void)unlink(path_of("metrics"));
	}
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), NOT_REACHED);
	assert_in_range(leave_at, 6, 20);
	leave_at = 0;
	lxfw_fall_back_set(0, 0, NULL, 0);
	has_stock = false;
}

static void is_left_while_it_resumes(void **state)
{
	(void)state;
	leave_anywhere(true);
}

static void is_left_while_it_reserves(void **state)
{
	(void)state;
	leave_anywhere(false);
}

/* A step that was left does nothing when it continues. The last test: this is final. */
static void is_left(void **state)
{
	job_record_t *victim = suspend_one();

	(void)state;
	lxfw_fall_back_set(7, 0, path_of("metrics"), (int)strlen(path_of("metrics")));
	has_stock = true;
	lxfw_fall_back(LXFW_FALL_BACK_BEGIN, &stalled, "ours");
	assert_int_equal(loaded, 1);
	lxfw_fall_back(LXFW_FALL_BACK_LEAVE, NULL, "ours");
	assert_int_equal(loaded, 0);
	last_job_update = 0;
	tick_for(30);
	assert_int_equal(last_job_update, 0);
	assert_false(has_file("metrics"));
	assert_true(IS_JOB_SUSPENDED(victim));
	lxfw_fall_back(LXFW_FALL_BACK_END, NULL, "ours");
	lxfw_fall_back(LXFW_FALL_BACK_BEGIN, &stalled, "ours");
	assert_int_equal(loaded, 0);
	lxfw_fall_back_set(0, 0, NULL, 0);
}

int main(void)
{
#define FILES(name) cmocka_unit_test_setup_teardown(name, set_up_files, tear_down_files)
	const struct CMUnitTest tests[] = {
		FILES(is_left_while_it_resumes),
		FILES(is_left_while_it_reserves),
		FILES(is_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
