/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What letting go needs: Slurm's sched_backfill.so is found beside files of this name that
 * are not Slurm's, and the report of the thread's state.
 */
#include "tests/unit/unit.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugins/agent/let_go.h"
#include "plugins/slurm/compat/backfill.h"

#define RELEASE 7

static char folder[] = "/tmp/lxfw-let-go-XXXXXX";
static char modules[PATH_MAX];

static int set_up(void **state)
{
	(void)state;
	if (!realpath(".libs", modules) || !mkdtemp(folder) || chdir(folder))
		return -1;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	return chdir("/") || rmdir(folder) ? -1 : 0;
}

/* Makes NAME/sched_backfill.so, which is module MODULE. */
static void put(const char *name, const char *module)
{
	char target[PATH_MAX + 64], link[64];

	snprintf(target, sizeof(target), "%s/%s.so", modules, module);
	snprintf(link, sizeof(link), "%s/sched_backfill.so", name);
	assert_int_equal(mkdir(name, 0700), 0);
	assert_int_equal(access(target, R_OK), 0);
	assert_int_equal(symlink(target, link), 0);
}

static void drop(const char *name)
{
	char link[64];

	snprintf(link, sizeof(link), "%s/sched_backfill.so", name);
	assert_int_equal(unlink(link), 0);
	assert_int_equal(rmdir(name), 0);
}

static bool started(void)
{
	return access("started", F_OK) == 0;
}

static void finds_stock(void **state)
{
	void *handle;

	(void)state;
	put("ours", "backfill_own");
	put("old", "backfill_old");
	put("stock", "backfill_stock");
	handle = lxfw_backfill_load("none:ours::old:stock:none", "ours", RELEASE);
	assert_non_null(handle);
	assert_string_equal(dlsym(handle, "plugin_name"), "Slurm's");
	assert_true(started());
	lxfw_backfill_unload(handle);
	assert_false(started());
	assert_null(lxfw_backfill_load("ours:old:none", "ours", RELEASE));
	assert_null(lxfw_backfill_load("", "ours", RELEASE));
	assert_false(started());
	drop("ours");
	drop("old");
	drop("stock");
}

/* It cannot be used if its init() fails. */
static void init_may_fail(void **state)
{
	FILE *file = fopen("started", "w");

	(void)state;
	assert_non_null(file);
	fclose(file);
	put("stock", "backfill_stock");
	assert_null(lxfw_backfill_load("stock", "ours", RELEASE));
	assert_int_equal(unlink("started"), 0);
	drop("stock");
}

static void expect_report(const struct lxfw_let_go *known, const char *expected)
{
	char text[2048];
	FILE *file;
	size_t length;

	assert_int_equal(lxfw_let_go_write(known, 1000000, "report"), 0);
	file = fopen("report", "r");
	assert_non_null(file);
	length = fread(text, 1, sizeof(text) - 1, file);
	text[length] = '\0';
	fclose(file);
	assert_int_equal(unlink("report"), 0);
	assert_string_equal(text, expected);
}

static void reports(void **state)
{
	struct lxfw_agent agent = {
		.clock = 999990,
		.jobs = { .count = 9 },
		.hosts = { .count = 4 },
		.decision = { .waiting = 3, .running = 5 },
		.counts = { .sync_us = 1500, .decide_us = 2500, .act_us = 3500,
			    .cpu_us = 4500, .events = 1, .rounds = 2, .started = 3,
			    .reserved = 4, .refused = 5, .deferred = 6 },
		.total = { .passes = 10, .starts = 11, .refusals = 12, .rebuilds = 13,
			   .longest_lock_us = 14500 },
	};
	struct lxfw_let_go known = {
		.reason = LXFW_LET_GO_STALLED, .seconds = 15, .step = "deciding",
	};

	(void)state;
	expect_report(&known, "time         1970-01-12T13:46:40Z\n"
			      "reason       the scheduler's thread stalls\n"
			      "stalled      15 s, step: deciding\n"
			      "last pass    none\n");
	lxfw_let_go_note(&known, &agent);
	known.reason = LXFW_LET_GO_ENDED;
	expect_report(&known,
		      "time         1970-01-12T13:46:40Z\n"
		      "reason       the scheduler's thread has ended\n"
		      "last pass    1970-01-12T13:46:30Z\n"
		      "  parts      look 1.5 ms, decide 2.5 ms, act 3.5 ms; processor time 4.5 ms\n"
		      "  actions    1 events, 2 decisions, 3 started, 4 reserved, 5 refused, 6 deferred\n"
		      "model        4 hosts, 9 jobs, 3 waiting and 5 running in the last decision\n"
		      "all passes   10 passes, 11 starts, 12 refusals, 13 models made; 14.5 ms under locks at most\n");
	assert_int_equal(lxfw_let_go_write(&known, 1000000, "none/report"), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_stock),
		cmocka_unit_test(init_may_fail),
		cmocka_unit_test(reports),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
