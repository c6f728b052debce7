/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread that makes passes, over a workload manager without hosts and jobs: it
 * makes a pass when it is woken, and one pass for many changes.
 */
#include "tests/unit/unit.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/params/policy.h"
#include "plugins/agent/log.h"
#include "plugins/agent/loop.h"
#include "plugins/agent/setup.h"

#define WAIT_SECONDS 60

static struct lxfw_agent agent;

/* What happened, and what the last look saw of it. */
static atomic_int happened, seen;
static atomic_int looks, calls;
static atomic_bool ready, complete, readable;
static atomic_bool stalled, unusable, unopenable;
enum { NOWHERE, IN_LOCK, IN_SAVE, IN_FOLDER };
static atomic_int locked;	/* where the thread waits for locks */
static atomic_int waits;	/* number of times it did */
static atomic_bool stalled_under_locks, stalled_first;
static atomic_bool rebuild;		/* set by the test, taken by the thread */
static atomic_int told_of_locks;
static atomic_int stalls, resumptions;
static atomic_int begins, ticks, ends, leaves, passed_on;
static atomic_int waits_at;	/* step of fall_back() that does not end, or -1 */
static atomic_uint limit;
static char files[64];		/* folder of the agent's files, or empty */
static struct lxfw_let_go known;	/* valid once `ticks` has grown */
static atomic_int asked, reconfigurations, closes;

/* --- the workload manager ------------------------------------------------- */

static void take_lock(int where)
{
	waits += locked == where;
	while (locked == where)
		usleep(1000);
}

static void lock(void *context)
{
	(void)context;
	take_lock(IN_LOCK);
}

static char *folder(void *context)
{
	(void)context;
	take_lock(IN_FOLDER);
	return *files ? strdup(files) : NULL;
}

static bool changed(void *context)
{
	(void)context;
	return false;
}

static bool stirred(void *context)
{
	(void)context;
	calls++;
	if (rebuild)
		agent.rebuild = true;
	rebuild = false;
	return happened != seen;
}

static bool look_at_hosts(void *context)
{
	(void)context;
	while (stalled_under_locks)
		usleep(1000);
	return true;
}

static void forget(void *context)
{
	(void)context;
	while (stalled_first)
		usleep(1000);
}

static bool look_at_jobs(void *context)
{
	(void)context;
	looks++;
	if (unusable)
		agent.usable = false;
	if (!complete || unusable)
		return false;
	seen = (int)happened;
	return true;
}

static enum lxfw_phase phase(void *context, uint32_t record)
{
	(void)context;
	(void)record;
	return LXFW_PHASE_GONE;
}

/* The pass continues without locks. */
static void decided(void *context)
{
	(void)context;
	if (stalled) {
		stalls++;
		while (stalled)
			usleep(1000);
		resumptions++;
	}
	agent.quanta.dirty = agent.quanta.acted = true;
}

static void save(void *context)
{
	(void)context;
	take_lock(IN_SAVE);
}

static const struct lxfw_wlm wlm = {
	.name = "test",
	.job = "job ",
	.folder = folder,
	.changed = changed,
	.stirred = stirred,
	.look_at_hosts = look_at_hosts,
	.look_at_jobs = look_at_jobs,
	.decided = decided,
	.phase = phase,
	.lock = lock,
	.save = save,
	.forget = forget,
};

static void look_at_log(enum lxfw_log_level level, const char *text)
{
	told_of_locks += level == LXFW_LOG_ERROR && strstr(text, "has held the locks of test for 2 s");
}

/* --- the estimates -------------------------------------------------------- */

static atomic_bool stalled_estimates;

void __real_lxfw_estimates_work(struct lxfw_agent *of);
void __wrap_lxfw_estimates_work(struct lxfw_agent *of);

void __wrap_lxfw_estimates_work(struct lxfw_agent *of)
{
	while (stalled_estimates)
		usleep(1000);
	__real_lxfw_estimates_work(of);
}

/* --- the service ---------------------------------------------------------- */

static struct lxfw_agent *open_agent(bool (*stopping)(void *), void *loop)
{
	struct lxfw_params params;

	(void)stopping;
	(void)loop;
	if (unopenable)
		return NULL;
	lxfw_params_default(&params);
	lxfw_agent_init(&agent, &wlm, NULL, &params);
	if (*files) {
		char path[128];

		snprintf(path, sizeof(path), "%s/metrics", files);
		lxfw_meter_set(&agent.meter, path, (int)strlen(path));
	}
	return &agent;
}

static void close_agent(struct lxfw_agent *opened)
{
	lxfw_agent_destroy(opened);
	closes++;
}

static bool may_run(void)
{
	return ready;
}

static bool may_look(void)
{
	return readable;
}

static void reconfigure(struct lxfw_agent *opened)
{
	free(lxfw_agent_file(opened, "parameters"));
	reconfigurations++;
}

static void fall_back(enum lxfw_fall_back step, const struct lxfw_let_go *state)
{
	if (state)
		known = *state;
	begins += step == LXFW_FALL_BACK_BEGIN;
	ticks += step == LXFW_FALL_BACK_TICK;
	passed_on += step == LXFW_FALL_BACK_RECONFIGURE;
	ends += step == LXFW_FALL_BACK_END;
	leaves += step == LXFW_FALL_BACK_LEAVE;
	while (waits_at == (int)step)
		usleep(1000);
}

static unsigned int stall_seconds(void)
{
	asked++;
	return limit;
}

static const struct lxfw_service service = {
	.name = "test",
	.open = open_agent,
	.close = close_agent,
	.may_run = may_run,
	.may_look = may_look,
	.reconfigure = reconfigure,
	.stall_seconds = stall_seconds,
	.fall_back = fall_back,
};

/* --- tests ---------------------------------------------------------------- */

static bool reached(atomic_int *counter, int least)
{
	for (int i = 0; i < 1000 * WAIT_SECONDS; i++) {
		if (*counter >= least)
			return true;
		usleep(1000);
	}
	return false;
}

/* The first passes rebuild the model. Without changes, none follows. */
static int set_up(void **state)
{
	(void)state;
	happened = seen = looks = calls = 0;
	begins = ticks = ends = leaves = passed_on = 0;
	waits_at = -1;
	limit = 2;
	stalls = resumptions = 0;
	stalled = unusable = unopenable = stalled_under_locks = stalled_first = false;
	stalled_estimates = false;
	told_of_locks = closes = waits = 0;
	locked = NOWHERE;
	ready = complete = true;
	readable = false;
	return lxfw_loop_start(&service) == 0 && reached(&looks, 1) ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	lxfw_loop_stop();
	return 0;
}

static void happen(void)
{
	happened++;
	lxfw_loop_wake();
}

/* Nothing but stirred() reports the change. */
static void test_wakes(void **state)
{
	(void)state;
	for (int i = 1; i <= 5; i++) {
		happen();
		assert_true(reached(&seen, i));
	}
}

/* Being woken without a change makes no pass. */
static void test_wakes_for_nothing(void **state)
{
	int before = looks, called = calls;

	(void)state;
	for (int i = 1; i <= 5; i++) {
		called = calls;
		lxfw_loop_wake();
		assert_true(reached(&calls, called + 1));
	}
	assert_in_range(looks - before, 0, 1);
}

/* A thousand changes without a pause between them are handled in few passes, also if
   the machine is slow. */
static void test_burst(void **state)
{
	int before = looks;

	(void)state;
	for (int i = 0; i < 1000; i++)
		happen();
	assert_true(reached(&seen, 1000));
	assert_in_range(looks - before, 1, 100);
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The thread asks for changes less than once a millisecond, however long this takes on a
   busy machine. A thread that spins asks thousands of times. */
static void expect_no_spin(void)
{
	int64_t begun = now_ms();
	int before = calls;

	usleep(300000);
	assert_in_range(calls - before, 0, 20 + now_ms() - begun);
}

/* While passes may not be made, or end early, the thread does not spin. */
static void test_does_not_spin(void **state)
{
	(void)state;
	complete = false;
	happen();
	assert_true(reached(&looks, looks + 1));
	expect_no_spin();
	ready = false;
	usleep(300000);
	expect_no_spin();
	ready = complete = true;
	assert_true(reached(&seen, 1));
}

/* What has happened since the last pass is seen before the thread ends, also while no
   passes may be made. */
static void test_looks_when_stopped(void **state)
{
	int decided = looks;

	(void)state;
	readable = true;
	ready = false;
	happened = 7;
	lxfw_loop_stop();
	assert_int_equal(seen, 7);
	assert_int_equal(looks, decided + 1);
}

/* The records must not be read, or cannot be read for a long time. */
static void test_looks_no_more(void **state)
{
	(void)state;
	ready = false;
	happened = 7;
	lxfw_loop_stop();
	assert_int_equal(seen, 0);
}

static void test_stopped(void **state)
{
	(void)state;
	lxfw_loop_stop();
	lxfw_loop_wake();
	lxfw_loop_stop();
}

/* The thread comes back only after it has ended, and on request. */
static void test_stalls(void **state)
{
	int before;

	(void)state;
	stalled = true;
	happen();
	assert_true(reached(&ticks, 1));
	assert_int_equal(begins, 1);
	assert_int_equal(known.reason, LXFW_LET_GO_STALLED);
	assert_int_equal(known.seconds, 2);
	assert_string_equal(known.step, "writing the journal");
	assert_true(known.last > 0);
	lxfw_loop_reconfigure();
	assert_true(reached(&ticks, ticks + 2));
	assert_int_equal(passed_on, 1);
	assert_int_equal(ends, 0);
	stalled = false;
	assert_true(reached(&ticks, ticks + 2));
	before = looks;
	happen();
	assert_true(reached(&ticks, ticks + 2));
	assert_int_equal(looks, before);
	lxfw_loop_reconfigure();
	assert_true(reached(&seen, 2));
	assert_int_equal(begins, 1);
	assert_int_equal(ends, 1);
}

/* A stall before the look. */
static void test_stalls_first(void **state)
{
	(void)state;
	stalled_first = true;
	rebuild = true;
	happen();
	assert_true(reached(&ticks, 1));
	assert_string_equal(known.step, "preparing a pass");
	stalled_first = false;
}

/* Expected starts are computed after a pass, and also while no pass is due. */
static void test_estimates_stall(void **state)
{
	(void)state;
	stalled_estimates = true;
	happen();
	assert_true(reached(&ticks, 1));
	assert_int_equal(known.reason, LXFW_LET_GO_STALLED);
	assert_string_equal(known.step, "computing expected starts");
	stalled_estimates = false;
}

static void test_dies(void **state)
{
	(void)state;
	unusable = true;
	happen();
	assert_true(reached(&ticks, 1));
	assert_int_equal(known.reason, LXFW_LET_GO_ENDED);
	unusable = false;
	lxfw_loop_reconfigure();
	assert_true(reached(&seen, 1));
	assert_int_equal(begins, 1);
	assert_int_equal(ends, 1);
}

/* The thread that is started again ends without an agent. */
static void test_dies_again(void **state)
{
	(void)state;
	unusable = true;
	happen();
	assert_true(reached(&begins, 1));
	unusable = false;
	unopenable = true;
	lxfw_loop_reconfigure();
	assert_true(reached(&begins, 2));
	assert_int_equal(known.reason, LXFW_LET_GO_ENDED);
	unopenable = false;
	lxfw_loop_reconfigure();
	assert_true(reached(&seen, 1));
	assert_int_equal(begins, 2);
	assert_int_equal(ends, 2);
}

static void test_never_lets_go(void **state)
{
	(void)state;
	limit = 0;
	unusable = true;
	happen();
	assert_true(reached(&asked, asked + 3));
	assert_int_equal(begins, 0);
}

/* Stock's scheduler is stopped with the plugin. */
static void test_stopped_while_dead(void **state)
{
	(void)state;
	unusable = true;
	happen();
	assert_true(reached(&begins, 1));
	lxfw_loop_stop();
	assert_int_equal(ends, 1);
}

static char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", files, name);
	return path;
}

/* The thread that wakes up writes no files: they are the watch's now. */
static void test_writes_nothing(void **state)
{
	(void)state;
	assert_int_equal(access(path_of("lxfw_quanta"), F_OK), 0);
	assert_int_equal(access(path_of("metrics"), F_OK), 0);
	stalled = true;
	happen();
	assert_true(reached(&ticks, 1));
	assert_int_equal(unlink(path_of("lxfw_quanta")), 0);
	assert_int_equal(unlink(path_of("metrics")), 0);
	agent.meter.due = 0;
	stalled = false;
	/* It is started again once it has ended. */
	limit = 0;
	while (ends == 0) {
		assert_int_not_equal(access(path_of("lxfw_quanta"), F_OK), 0);
		assert_int_not_equal(access(path_of("metrics"), F_OK), 0);
		lxfw_loop_reconfigure();
		usleep(10000);
	}
	assert_true(reached(&seen, 1));
}

/* The number of complete passes in the file of metrics. */
static uint64_t passes_in_file(void)
{
	static const char name[] = "\nlxfw_passes_total{end=\"complete\"} ";
	FILE *file = fopen(path_of("metrics"), "r");
	char *text = NULL, *at;
	size_t size = 0;
	uint64_t number = 0;

	if (file && getdelim(&text, &size, '\0', file) > 0 && (at = strstr(text, name)))
		number = strtoull(at + strlen(name), NULL, 10);
	if (file)
		fclose(file);
	free(text);
	return number;
}

/* A pass that was made too soon after the file was written is in the file without a further
   pass. */
static void test_metrics_follow(void **state)
{
	uint64_t before = passes_in_file();
	int made;

	(void)state;
	happen();
	assert_true(reached(&seen, 1));
	made = looks;
	for (int i = 0; i < 1000 * WAIT_SECONDS && passes_in_file() <= before; i++)
		usleep(1000);
	assert_true(passes_in_file() > before);
	assert_int_equal(looks, made);
}

/* Neither does one that was left when the plugin was stopped: another process has the files. */
static void test_left_writes_nothing(void **state)
{
	(void)state;
	limit = 0;
	stalled = true;
	happen();
	assert_true(reached(&stalls, 1));
	lxfw_loop_stop();
	assert_int_equal(closes, 0);
	assert_int_equal(unlink(path_of("lxfw_quanta")), 0);
	assert_int_equal(unlink(path_of("metrics")), 0);
	agent.meter.due = 0;
	stalled = false;
	assert_true(reached(&closes, 1));
	assert_int_not_equal(access(path_of("lxfw_quanta"), F_OK), 0);
	assert_int_not_equal(access(path_of("metrics"), F_OK), 0);
}

static int set_up_files(void **state)
{
	strcpy(files, "lxfw-loop-XXXXXX");
	if (!mkdtemp(files) || set_up(state))
		return -1;
	for (int i = 0; i < 1000 * WAIT_SECONDS; i++) {
		if (access(path_of("metrics"), F_OK) == 0)
			return 0;
		usleep(1000);
	}
	return -1;
}

static int tear_down_files(void **state)
{
	(void)tear_down(state);
	(void)unlink(path_of("lxfw_quanta"));
	(void)unlink(path_of("metrics"));
	(void)rmdir(files);
	*files = '\0';
	return 0;
}

/* Stops this process for some seconds. */
static void be_stopped(unsigned int seconds)
{
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		sleep(seconds);
		(void)kill(getppid(), SIGCONT);
		_exit(0);
	}
	(void)kill(getpid(), SIGSTOP);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

/* Time in which the process is stopped is no stall. */
static void test_process_stopped(void **state)
{
	(void)state;
	limit = 5;
	stalled = true;
	happen();
	assert_true(reached(&stalls, 1));
	be_stopped(6);
	stalled = false;
	assert_true(reached(&resumptions, 1));
	assert_true(reached(&asked, asked + 3));
	assert_int_equal(begins, 0);
}

/* Signals do not make a stall longer. */
static void test_signals(void **state)
{
	(void)state;
	limit = 20;
	stalled = true;
	happen();
	assert_true(reached(&stalls, 1));
	for (int i = 0; i < 200; i++) {
		lxfw_loop_reconfigure();
		lxfw_loop_wake();
		usleep(5000);
	}
	stalled = false;
	assert_true(reached(&resumptions, 1));
	assert_true(reached(&asked, asked + 2));
	assert_int_equal(begins, 0);
}

/* Short steps one after another are no stall, although together they last longer. */
static void test_busy(void **state)
{
	(void)state;
	limit = 5;
	for (int i = 1; i <= 8; i++) {
		stalled = true;
		happen();
		assert_true(reached(&stalls, i));
		usleep(800000);
		stalled = false;
		assert_true(reached(&resumptions, i));
	}
	assert_int_equal(begins, 0);
}

static void expect_no_stall(void)
{
	assert_true(reached(&asked, asked + (int)limit + 2));
	assert_int_equal(begins, 0);
}

/* Waiting for the workload manager's locks is no stall: in a pass, when its records are
   saved, and when its configuration is read. After that, the thread works at nothing. */
static void test_waits_for_locks(void **state)
{
	int before;

	(void)state;
	for (int where = IN_LOCK; where <= IN_SAVE; where++) {
		locked = where;
		happen();
		assert_true(reached(&waits, where));
		expect_no_stall();
		locked = NOWHERE;
		assert_true(reached(&seen, where));
	}
	before = reconfigurations;
	ready = false;
	locked = IN_FOLDER;
	lxfw_loop_reconfigure();
	assert_true(reached(&waits, 3));
	expect_no_stall();
	locked = NOWHERE;
	assert_true(reached(&reconfigurations, before + 1));
	expect_no_stall();
}

/* A stall under locks is logged once. The workload manager cannot schedule then. */
static void test_stalls_under_locks(void **state)
{
	(void)state;
	lxfw_log_to(look_at_log);
	stalled_under_locks = true;
	happen();
	assert_true(reached(&told_of_locks, 1));
	expect_no_stall();
	stalled_under_locks = false;
	assert_true(reached(&seen, 1));
	assert_int_equal(told_of_locks, 1);
	lxfw_log_to(NULL);
}

/* The end of the plugin does not wait for a watch that waits for a disk. */
static void test_watch_stalls(void **state)
{
	(void)state;
	unusable = true;
	waits_at = LXFW_FALL_BACK_TICK;
	happen();
	assert_true(reached(&ticks, 1));
	lxfw_loop_stop();
	assert_int_equal(leaves, 1);
	assert_int_equal(ends, 0);
	waits_at = -1;
}

/* The same while the thread is about to be started again: it is not. */
static void test_stopped_while_taken_back(void **state)
{
	int before;

	(void)state;
	unusable = true;
	happen();
	assert_true(reached(&begins, 1));
	unusable = false;
	before = looks;
	waits_at = LXFW_FALL_BACK_END;
	lxfw_loop_reconfigure();
	assert_true(reached(&ends, 1));
	lxfw_loop_stop();
	assert_int_equal(leaves, 1);
	waits_at = -1;
	usleep(300000);
	assert_int_equal(looks, before);
}

int main(void)
{
#define LOOP(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		LOOP(test_wakes),
		LOOP(test_wakes_for_nothing),
		LOOP(test_burst),
		LOOP(test_does_not_spin),
		LOOP(test_looks_when_stopped),
		LOOP(test_looks_no_more),
		LOOP(test_stopped),
		LOOP(test_stalls),
		LOOP(test_estimates_stall),
		LOOP(test_dies),
		LOOP(test_dies_again),
		LOOP(test_never_lets_go),
		LOOP(test_stopped_while_dead),
		LOOP(test_process_stopped),
		LOOP(test_busy),
		LOOP(test_signals),
		LOOP(test_waits_for_locks),
		LOOP(test_stalls_under_locks),
		LOOP(test_watch_stalls),
		LOOP(test_stopped_while_taken_back),
		cmocka_unit_test_setup_teardown(test_writes_nothing, set_up_files,
						tear_down_files),
		cmocka_unit_test_setup_teardown(test_metrics_follow, set_up_files,
						tear_down_files),
		cmocka_unit_test_setup_teardown(test_stalls_first, set_up_files,
						tear_down_files),
		cmocka_unit_test_setup_teardown(test_left_writes_nothing, set_up_files,
						tear_down_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
