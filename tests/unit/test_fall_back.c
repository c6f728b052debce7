/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is done in a simulated controller while Slurm schedules by itself: jobs that are
 * suspended for others resume, a report is written, and the file lxfw_quanta remains true.
 */
#include "tests/unit/fall_back_scene.h"

static void expect_report(void)
{
	time_t now = time(NULL);
	char line[64];

	assert_true(strftime(line, sizeof(line), "time         %Y-%m-%dT%H:%M:%SZ\n",
			     gmtime(&now)) > 0);
	assert_true(has_line("lxfw_let_go", line));
	assert_true(has_line("lxfw_let_go", "reason       the scheduler's thread stalls\n"));
}

static void resumes(void **state)
{
	job_record_t *victim = suspend_one();
	uint32_t id = victim->job_id;

	(void)state;
	assert_true(is_recorded(id));
	fake_counts.errors = 0;
	last_job_update = 0;
	lxfw_fall_back(LXFW_FALL_BACK_BEGIN, &stalled, "ours");
	/* There is no sched/backfill. */
	assert_int_equal(fake_counts.errors, 1);
	expect_report();
	assert_true(IS_JOB_SUSPENDED(victim));
	tick_for(1);
	assert_true(last_job_update > 0);
	tick_for(10);
	assert_true(IS_JOB_RUNNING(victim));
	tick_for(50);
	assert_false(is_recorded(id));
	write_old();
	assert_true(is_recorded(id));
	lxfw_fall_back(LXFW_FALL_BACK_END, NULL, "ours");
	assert_false(is_recorded(id));
	assert_int_equal(fake_counts.errors, 1);
}

static void release_served(bool with_victim)
{
	job_record_t *victim, *served;
	int64_t begun;

	lxfw_fall_back_set(7, 60, NULL, 0);
	victim = suspend_one();
	served = fake_active[0] == victim ? fake_active[1] : fake_active[0];
	assert_true(IS_JOB_RUNNING(served));
	if (!with_victim) {
		fake_end(victim);
		live(10);
		assert_true(IS_JOB_RUNNING(served));
		assert_false(is_recorded(victim->job_id));
	}
	begun = served->start_time;
	fake_trouble.unanswered = true;
	lxfw_fall_back(LXFW_FALL_BACK_BEGIN, &stalled, "ours");
	tick_for(1);
	assert_true(IS_JOB_PENDING(served));
	/* Slurm does that. */
	served->details->begin_time = time(NULL) + 121;
	while (time(NULL) <= begun + slurm_conf.msg_timeout + 5)
		tick_for(1);
	if (!with_victim)
		tick_for(2);
	assert_true(served->details->begin_time <= time(NULL));
	lxfw_fall_back(LXFW_FALL_BACK_END, NULL, "ours");
	lxfw_fall_back_set(0, 0, NULL, 0);
}

/* The job that had the quantum waits for an unanswered launch, but only for as long as a
   node may answer. */
static void releases_served(void **state)
{
	(void)state;
	release_served(true);
}

/* The preempted job has ended. */
static void releases_served_alone(void **state)
{
	(void)state;
	release_served(false);
}

/* A file that cannot be read at first is read later, and is not lost. */
static void reads_later(void **state)
{
	job_record_t *victim = suspend_one();
	char file[64], other[64];

	(void)state;
	snprintf(file, sizeof(file), "%s", path_of("lxfw_quanta"));
	snprintf(other, sizeof(other), "%s", path_of("metrics"));
	assert_int_equal(rename(file, other), 0);
	assert_int_equal(mkdir(file, 0700), 0);
	for (int i = 0; i < 2; i++) {
		lxfw_fall_back(LXFW_FALL_BACK_BEGIN, &stalled, "ours");
		fake_counts.errors = 0;
		tick_for(30);
		assert_int_equal(fake_counts.errors, 1);
		assert_true(IS_JOB_SUSPENDED(victim));
		if (i == 0)
			lxfw_fall_back(LXFW_FALL_BACK_END, NULL, "ours");
	}
	assert_int_equal(rmdir(file), 0);
	assert_int_equal(rename(other, file), 0);
	tick_for(10);
	assert_true(IS_JOB_RUNNING(victim));
	lxfw_fall_back(LXFW_FALL_BACK_END, NULL, "ours");
}

/* Slurm's scheduler runs in between only, each time. */
static void loads_stock(void **state)
{
	char folders[] = "/one:/other";

	(void)state;
	slurm_conf.state_save_location = directory;
	slurm_conf.plugindir = folders;
	has_stock = true;
	for (int i = 0; i < 3; i++) {
		lxfw_fall_back(LXFW_FALL_BACK_BEGIN, &stalled, "ours");
		assert_int_equal(loaded, 1);
		tick_for(2);
		lxfw_fall_back(LXFW_FALL_BACK_RECONFIGURE, NULL, "ours");
		assert_int_equal(reconfigured, i + 1);
		assert_int_equal(loaded, 1);
		lxfw_fall_back(LXFW_FALL_BACK_END, NULL, "ours");
		assert_int_equal(loaded, 0);
	}
	/* It does not end with letting go in shadow mode. */
	lxfw_fall_back_shadow(true, "ours");
	lxfw_fall_back(LXFW_FALL_BACK_BEGIN, &stalled, "ours");
	assert_int_equal(loaded, 1);
	lxfw_fall_back(LXFW_FALL_BACK_END, NULL, "ours");
	assert_int_equal(loaded, 1);
	lxfw_fall_back_shadow(false, "ours");
	assert_int_equal(loaded, 0);
	has_stock = false;
	lxfw_fall_back(LXFW_FALL_BACK_RECONFIGURE, NULL, "ours");
	slurm_conf.plugindir = NULL;
}

static bool is_planned(void)
{
	return node_record_table_ptr[0]->node_state & NODE_STATE_PLANNED;
}

/* In shadow mode Slurm's scheduler is loaded once, and sees a change. Its plans end with the
   mode. */
static void shadows(void **state)
{
	int before = reconfigured;

	(void)state;
	slurm_conf.state_save_location = directory;
	fake_nodes("n", 1, 16, 16000, 0);
	fake_nodes_done();
	has_stock = true;
	fake_counts.errors = fake_counts.infos = 0;
	last_job_update = 0;
	lxfw_fall_back_shadow(true, "ours");
	assert_int_equal(loaded, 1);
	assert_int_equal(reconfigured, before);
	assert_true(last_job_update > 0);
	assert_int_equal(fake_counts.infos, 1);
	/* A reconfiguration in this mode. */
	last_job_update = 0;
	lxfw_fall_back_shadow(true, "ours");
	assert_int_equal(loaded, 1);
	assert_int_equal(reconfigured, before + 1);
	assert_int_equal(last_job_update, 0);
	assert_int_equal(fake_counts.infos, 1);
	node_record_table_ptr[0]->node_state |= NODE_STATE_PLANNED;
	last_node_update = 0;
	lxfw_fall_back_shadow(false, "ours");
	assert_int_equal(loaded, 0);
	assert_false(is_planned());
	assert_true(last_node_update > 0);
	/* It is not loaded: the plans are not its own. */
	node_record_table_ptr[0]->node_state |= NODE_STATE_PLANNED;
	lxfw_fall_back_shadow(false, "ours");
	assert_true(is_planned());
	assert_int_equal(fake_counts.errors, 0);
	/* It is missing. Slurm's main scheduler starts jobs. */
	has_stock = false;
	last_job_update = 0;
	lxfw_fall_back_shadow(true, "ours");
	assert_int_equal(loaded, 0);
	assert_int_equal(fake_counts.errors, 1);
	assert_true(last_job_update > 0);
	lxfw_fall_back_shadow(false, "ours");
	assert_int_equal(fake_counts.errors, 1);
}

/* It is stopped with the plugin, and not loaded by a thread that is still running. */
static void closes(void **state)
{
	(void)state;
	slurm_conf.state_save_location = directory;
	has_stock = true;
	fake_counts.errors = 0;
	lxfw_fall_back_shadow(true, "ours");
	assert_int_equal(loaded, 1);
	lxfw_fall_back_close();
	assert_int_equal(loaded, 0);
	lxfw_fall_back_shadow(true, "ours");
	assert_int_equal(loaded, 0);
	lxfw_fall_back(LXFW_FALL_BACK_BEGIN, &stalled, "ours");
	assert_int_equal(loaded, 0);
	assert_int_equal(fake_counts.errors, 0);
	lxfw_fall_back(LXFW_FALL_BACK_END, NULL, "ours");
	/* The plugin is loaded again. The mode does not outlive it. */
	lxfw_fall_back_open();
	lxfw_fall_back(LXFW_FALL_BACK_BEGIN, &stalled, "ours");
	assert_int_equal(loaded, 1);
	lxfw_fall_back(LXFW_FALL_BACK_END, NULL, "ours");
	assert_int_equal(loaded, 0);
	lxfw_fall_back_shadow(true, "ours");
	lxfw_fall_back_close();
	lxfw_fall_back_open();
	lxfw_fall_back(LXFW_FALL_BACK_BEGIN, &stalled, "ours");
	lxfw_fall_back(LXFW_FALL_BACK_END, NULL, "ours");
	assert_int_equal(loaded, 0);
	has_stock = false;
}

/* The file is written after it was read, and then when something changes: the thread may
   replace it between these two. */
static void writes_first(void **state)
{
	job_record_t *victim = suspend_one(), *served;
	ino_t number;

	(void)state;
	served = fake_active[0] == victim ? fake_active[1] : fake_active[0];
	node_record_table_ptr[0]->node_state |= NODE_STATE_NO_RESPOND;
	fake_end(served);
	live(5);
	assert_true(IS_JOB_SUSPENDED(victim));
	lxfw_fall_back(LXFW_FALL_BACK_BEGIN, &stalled, "ours");
	number = number_of("lxfw_quanta");
	tick_for(1);
	assert_true(number_of("lxfw_quanta") != number);
	number = number_of("lxfw_quanta");
	tick_for(5);
	assert_true(number_of("lxfw_quanta") == number);
	assert_true(is_recorded(victim->job_id));
	lxfw_fall_back(LXFW_FALL_BACK_END, NULL, "ours");
}

/* A job that cannot resume is reported once. */
static void reports_suspended(void **state)
{
	job_record_t *victim = suspend_one();

	(void)state;
	lxfw_fall_back(LXFW_FALL_BACK_BEGIN, &stalled, "ours");
	node_record_table_ptr[0]->node_state |= NODE_STATE_NO_RESPOND;
	fake_counts.errors = 0;
	tick_for(59);
	assert_int_equal(fake_counts.errors, 0);
	tick_for(1);
	assert_int_equal(fake_counts.errors, 1);
	tick_for(100);
	assert_int_equal(fake_counts.errors, 1);
	assert_true(IS_JOB_SUSPENDED(victim));
	node_record_table_ptr[0]->node_state &= ~(uint32_t)NODE_STATE_NO_RESPOND;
	tick_for(10);
	assert_true(IS_JOB_RUNNING(victim));
	lxfw_fall_back(LXFW_FALL_BACK_END, NULL, "ours");
}

/* The node of a job that cannot resume is reserved until it has, or the thread works again. */
static void keeps_nodes(void **state)
{
	job_record_t *victim = suspend_one();
	char name[64];

	(void)state;
	snprintf(name, sizeof(name), "lxfw_resume_%u", victim->job_id);
	for (int i = 0; i < 2; i++) {
		reservations = 0;
		lxfw_fall_back(LXFW_FALL_BACK_BEGIN, &stalled, "ours");
		node_record_table_ptr[0]->node_state |= NODE_STATE_NO_RESPOND;
		tick_for(10);
		assert_string_equal(reserved.name, name);
		assert_int_equal(reservations, 1);
		tick_for(1000);
		assert_string_equal(reserved.name, name);
		assert_true(reserved.end > time(NULL) + 200);
		assert_in_range(reservations, 3, 5);
		if (i == 0)
			lxfw_fall_back(LXFW_FALL_BACK_END, NULL, "ours");
		assert_int_equal(*reserved.name != '\0', i == 1);
	}
	node_record_table_ptr[0]->node_state &= ~(uint32_t)NODE_STATE_NO_RESPOND;
	tick_for(10);
	assert_true(IS_JOB_RUNNING(victim));
	assert_string_equal(reserved.name, "");
	lxfw_fall_back(LXFW_FALL_BACK_END, NULL, "ours");
}

/* The node of a job that does not exist any more is not reserved. */
static void frees_nodes(void **state)
{
	job_record_t *victim = suspend_one(), *served;

	(void)state;
	served = fake_active[0] == victim ? fake_active[1] : fake_active[0];
	fake_end(served);
	node_record_table_ptr[0]->node_state |= NODE_STATE_NO_RESPOND;
	lxfw_fall_back(LXFW_FALL_BACK_BEGIN, &stalled, "ours");
	tick_for(10);
	assert_true(*reserved.name);
	fake_vanish(victim);
	tick_for(2);
	assert_string_equal(reserved.name, "");
	lxfw_fall_back(LXFW_FALL_BACK_END, NULL, "ours");
}

/* Slurm refuses the reservation: this is logged once. */
static void reports_refusal(void **state)
{
	job_record_t *victim = suspend_one();

	(void)state;
	may_reserve = false;
	lxfw_fall_back(LXFW_FALL_BACK_BEGIN, &stalled, "ours");
	node_record_table_ptr[0]->node_state |= NODE_STATE_NO_RESPOND;
	fake_counts.errors = reservations = 0;
	tick_for(50);
	assert_int_equal(reservations, 1);
	assert_int_equal(fake_counts.errors, 1);
	node_record_table_ptr[0]->node_state &= ~(uint32_t)NODE_STATE_NO_RESPOND;
	tick_for(10);
	assert_true(IS_JOB_RUNNING(victim));
	lxfw_fall_back(LXFW_FALL_BACK_END, NULL, "ours");
	may_reserve = true;
}

/* Slurm refuses to renew the reservation: this is logged once, and the reservation ends with
   the resumption. */
static void reports_no_renewal(void **state)
{
	job_record_t *victim = suspend_one();

	(void)state;
	lxfw_fall_back(LXFW_FALL_BACK_BEGIN, &stalled, "ours");
	node_record_table_ptr[0]->node_state |= NODE_STATE_NO_RESPOND;
	reservations = 0;
	tick_for(100);
	assert_int_equal(reservations, 1);
	may_reserve = false;
	fake_counts.errors = 0;
	tick_for(400);
	assert_int_equal(reservations, 2);
	assert_int_equal(fake_counts.errors, 1);
	node_record_table_ptr[0]->node_state &= ~(uint32_t)NODE_STATE_NO_RESPOND;
	tick_for(10);
	assert_true(IS_JOB_RUNNING(victim));
	assert_string_equal(reserved.name, "");
	lxfw_fall_back(LXFW_FALL_BACK_END, NULL, "ours");
	may_reserve = true;
}

/* A job that has just resumed is not reported, although its entry remains for a while. */
static void reports_no_resumed(void **state)
{
	job_record_t *victim = suspend_one();

	(void)state;
	lxfw_fall_back(LXFW_FALL_BACK_BEGIN, &stalled, "ours");
	node_record_table_ptr[0]->node_state |= NODE_STATE_NO_RESPOND;
	fake_counts.errors = 0;
	tick_for(57);
	node_record_table_ptr[0]->node_state &= ~(uint32_t)NODE_STATE_NO_RESPOND;
	tick_for(10);
	assert_true(IS_JOB_RUNNING(victim));
	assert_int_equal(fake_counts.errors, 0);
	lxfw_fall_back(LXFW_FALL_BACK_END, NULL, "ours");
}

/* Records that are not as expected are not accessed. */
static void leaves_records(void **state)
{
	job_record_t *victim = suspend_one();

	(void)state;
	lxfw_fall_back(LXFW_FALL_BACK_BEGIN, &ended, "ours");
	assert_true(has_file("lxfw_let_go"));
	tick_for(30);
	assert_true(IS_JOB_SUSPENDED(victim));
	lxfw_fall_back(LXFW_FALL_BACK_END, NULL, "ours");
	assert_true(is_recorded(victim->job_id));
}

/* Also the second time: sched/backfill sees a change. */
static void marks_metrics(void **state)
{
	(void)state;
	slurm_conf.state_save_location = directory;
	lxfw_fall_back_set(7, 0, path_of("metrics"), (int)strlen(path_of("metrics")));
	assert_int_equal(lxfw_fall_back_limit(), 7);
	lxfw_fall_back(LXFW_FALL_BACK_BEGIN, &ended, "ours");
	assert_false(has_file("metrics"));
	last_job_update = 0;
	lxfw_fall_back(LXFW_FALL_BACK_TICK, NULL, "ours");
	assert_true(last_job_update > 0);
	assert_true(has_line("metrics", "lxfw_let_go{reason=\"stalled\"} 0\n"));
	assert_true(has_line("metrics", "lxfw_let_go{reason=\"ended\"} 1\n"));
	last_job_update = 0;
	lxfw_fall_back(LXFW_FALL_BACK_TICK, NULL, "ours");
	assert_int_equal(last_job_update, 0);
	lxfw_fall_back(LXFW_FALL_BACK_END, NULL, "ours");
	lxfw_fall_back_set(0, 0, NULL, 0);
}

/* A file of metrics that cannot be replaced is reported once each time. */
static void reports_metrics(void **state)
{
	FILE *file = fopen(path_of("metrics"), "w");

	(void)state;
	assert_non_null(file);
	fputs("letters\n", file);
	fclose(file);
	slurm_conf.state_save_location = directory;
	has_stock = true;
	lxfw_fall_back_set(7, 0, path_of("metrics"), (int)strlen(path_of("metrics")));
	for (int i = 0; i < 2; i++) {
		lxfw_fall_back(LXFW_FALL_BACK_BEGIN, &stalled, "ours");
		fake_counts.errors = 0;
		lxfw_fall_back(LXFW_FALL_BACK_TICK, NULL, "ours");
		lxfw_fall_back(LXFW_FALL_BACK_TICK, NULL, "ours");
		assert_int_equal(fake_counts.errors, 1);
		lxfw_fall_back(LXFW_FALL_BACK_END, NULL, "ours");
	}
	assert_true(has_line("metrics", "letters\n"));
	lxfw_fall_back_set(0, 0, NULL, 0);
	has_stock = false;
}

int main(void)
{
#define FILES(name) cmocka_unit_test_setup_teardown(name, set_up_files, tear_down_files)
	const struct CMUnitTest tests[] = {
		FILES(resumes),
		FILES(reads_later),
		FILES(loads_stock),
		FILES(shadows),
		FILES(closes),
		FILES(writes_first),
		FILES(releases_served),
		FILES(releases_served_alone),
		FILES(reports_no_resumed),
		FILES(reports_metrics),
		FILES(reports_suspended),
		FILES(keeps_nodes),
		FILES(frees_nodes),
		FILES(reports_refusal),
		FILES(reports_no_renewal),
		FILES(leaves_records),
		FILES(marks_metrics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
