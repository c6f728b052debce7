/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is done in a simulated controller while Slurm schedules by itself: jobs that are
 * suspended for others resume, a report is written, and the file lxfw_quanta remains true.
 * The plugin's thread carries out nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plugins/agent/quanta.h"
#include "plugins/slurm/compat/backfill.h"
#include "plugins/slurm/compat/reservation.h"
#include "plugins/slurm/sched-lxfw/fall_back.h"
#include "tests/unit/bridge_loop.h"

static char directory[] = "/tmp/lxfw-fall-XXXXXX";
static const struct lxfw_let_go stalled = { .reason = LXFW_LET_GO_STALLED, .seconds = 15 };
static const struct lxfw_let_go ended = { .reason = LXFW_LET_GO_ENDED };

/* Slurm's sched/backfill: whether there is one, and how often it is loaded now. */
static bool has_stock;
static int loaded, reconfigured;

void *lxfw_backfill_load(const char *folders, const char *own_name, uint32_t version)
{
	assert_string_equal(folders, slurm_conf.plugindir ? slurm_conf.plugindir : "");
	assert_string_equal(own_name, "ours");
	assert_true(version == LXFW_SLURM_VERSION);
	loaded += has_stock;
	return has_stock ? &loaded : NULL;
}

void lxfw_backfill_unload(void *handle)
{
	assert_ptr_equal(handle, &loaded);
	loaded--;
}

void lxfw_backfill_reconfigure(void *handle)
{
	assert_ptr_equal(handle, &loaded);
	reconfigured++;
}

/* Slurm's reservation, of which there is one at most; its name is "" if there is none. */
static struct { char name[64]; time_t end; } reserved;
static int reservations;	/* number of calls that create or renew one */
static bool may_reserve = true;

int lxfw_compat_reserve(const char *name, const char *nodes, time_t end)
{
	assert_string_equal(nodes, "n0");
	assert_true(!*reserved.name || strcmp(reserved.name, name) == 0);
	reservations++;
	if (!may_reserve)
		return ESLURM_RESERVATION_INVALID;
	snprintf(reserved.name, sizeof(reserved.name), "%s", name);
	reserved.end = end;
	return SLURM_SUCCESS;
}

void lxfw_compat_unreserve(const char *name)
{
	assert_string_equal(reserved.name, name);
	*reserved.name = '\0';
}

static const char *path_of(const char *name)
{
	static char path[64];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static bool has_file(const char *name)
{
	return access(path_of(name), F_OK) == 0;
}

static bool has_line(const char *name, const char *expected)
{
	FILE *file = fopen(path_of(name), "r");
	char line[256];
	bool has = false;

	while (file && !has && fgets(line, sizeof(line), file))
		has = strcmp(line, expected) == 0;
	if (file)
		fclose(file);
	return has;
}

/* One job is suspended for the quantum of another one. */
static job_record_t *suspend_one(void)
{
	struct lxfw_params params;
	job_record_t *victim;

	slurm_conf.state_save_location = directory;
	fake_nodes("n", 1, 16, 16000, 0);
	fake_nodes_done();
	fake_part("all", 0, 0);
	lxfw_params_preset(&params, LXFW_POLICY_LXFW);
	params.quantum_mode = LXFW_QUANTUM_PREEMPT;
	params.quantum = 60;
	params.quantum_mem = 100000;
	params.quantum_min_run = 10;
	lxfw_agent_set_params(&bridge.agent, &params);
	victim = fake_job("all", 600);
	fake_tasks(victim, 16, 1);
	live(60);
	assert_true(IS_JOB_RUNNING(victim));
	fake_tasks(fake_job("all", 600), 16, 1);
	live(10);
	assert_true(IS_JOB_SUSPENDED(victim));
	return victim;
}

static void tick_for(int seconds)
{
	for (int i = 0; i < seconds; i++) {
		fake_pass_seconds(1);
		fake_end_overdue();
		if (node_record_count > 0)
			node_record_table_ptr[0]->last_response = time(NULL);
		lxfw_fall_back(LXFW_FALL_BACK_TICK, NULL, "ours");
	}
}

static int set_up_files(void **state)
{
	strcpy(directory + strlen(directory) - 6, "XXXXXX");
	return mkdtemp(directory) ? set_up(state) : -1;
}

static int tear_down_files(void **state)
{
	(void)tear_down(state);
	slurm_conf.state_save_location = NULL;
	(void)unlink(path_of("lxfw_quanta"));
	(void)unlink(path_of("lxfw_let_go"));
	(void)unlink(path_of("metrics"));
	return rmdir(directory);
}

/* The thread's file, which it may write a last time when it wakes up. */
static void write_old(void)
{
	bridge.agent.quanta.dirty = true;
	lxfw_quanta_save(&bridge.agent);
}

static bool is_recorded(uint32_t job)
{
	struct lxfw_quanta_books books = { .path = strdup(path_of("lxfw_quanta")) };
	bool is;

	assert_int_equal(lxfw_quanta_read(&books), 0);
	is = lxfw_preempted_find(&books, job);
	lxfw_quanta_clear(&books);
	return is;
}

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

/* Returns 0 if there is no such file. */
static ino_t number_of(const char *name)
{
	struct stat status;

	return stat(path_of(name), &status) == 0 ? status.st_ino : 0;
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

/* --- the thread --------------------------------------------------------------------- */

/* Slurm's functions, which set `stop` when the locks are taken for the STOP_AT-th time, or
   with 0 when a decision has been made. */
static struct lxfw_wlm wlm;
static int locks, stop_at, looks;
static bool stop;
static struct { uint32_t starts, selections; int looks; } before;

static bool is_stopped(void *unused)
{
	(void)unused;
	return stop;
}

static void halt(void)
{
	stop = true;
	before.starts = fake_counts.starts;
	before.selections = fake_counts.selections;
	before.looks = looks;
}

static void lock(void *context)
{
	lxfw_slurm.lock(context);
	if (++locks == stop_at)
		halt();
}

static void decided(void *context)
{
	lxfw_slurm.decided(context);
	if (stop_at == 0)
		halt();
}

static bool look_at_hosts(void *context)
{
	looks++;
	return lxfw_slurm.look_at_hosts(context);
}

/* Once it must stop, it carries out nothing, wherever it is. */
static void thread_stops(int at)
{
	assert_int_equal(set_up(NULL), 0);
	wlm = lxfw_slurm;
	wlm.lock = lock;
	wlm.decided = decided;
	wlm.look_at_hosts = look_at_hosts;
	fake_nodes("n", 1, 16, 16000, 0);
	fake_nodes_done();
	fake_part("all", 0, 0);
	live(5);
	bridge.agent.wlm = &wlm;
	bridge.agent.stopping = is_stopped;
	fake_tasks(fake_job("all", 10), 1, 1);
	fake_pass_seconds(1);
	locks = 0;
	stop_at = at;
	(void)lxfw_agent_pass(&bridge.agent);
	assert_true(stop);
	assert_int_equal(fake_counts.starts, before.starts);
	assert_int_equal(fake_counts.selections, before.selections);
	assert_int_equal(looks, before.looks);
	/* The job could have started. */
	stop = false;
	stop_at = -1;
	bridge.agent.rebuild = true;
	live(5);
	assert_int_equal(fake_counts.starts, before.starts + 1);
	(void)tear_down(NULL);
}

static void stops_when_it_has_decided(void **state)
{
	(void)state;
	thread_stops(0);
}

static void stops_before_it_looks(void **state)
{
	(void)state;
	thread_stops(1);
}

static void stops_before_it_acts(void **state)
{
	(void)state;
	thread_stops(2);
}

/* --- a step that is left ------------------------------------------------------------ */

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
		FILES(leaves_records),
		FILES(marks_metrics),
		cmocka_unit_test(stops_when_it_has_decided),
		cmocka_unit_test(stops_before_it_looks),
		cmocka_unit_test(stops_before_it_acts),
		FILES(is_left_while_it_resumes),
		FILES(is_left_while_it_reserves),
		FILES(is_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
