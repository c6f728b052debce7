/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread that must stop, because Slurm schedules by itself, carries out nothing. */
#include "tests/unit/bridge_loop.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stops_when_it_has_decided),
		cmocka_unit_test(stops_before_it_looks),
		cmocka_unit_test(stops_before_it_acts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
