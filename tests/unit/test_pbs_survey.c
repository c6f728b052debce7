/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw-pbsd --watch: what a user without privileges can read, beside another scheduler. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugins/agent/aside.h"
#include "plugins/agent/mirror.h"
#include "plugins/pbs/plain.h"
#include "plugins/pbs/survey.h"
#include "tests/unit/pbs_scene.h"

/* --- selects ------------------------------------------------------------------------------ */

static void expect_select(const char *select, const char *expected)
{
	struct lxfw_pbs_site site = { 0 };
	struct lxfw_pbs_queue *queue;
	char *whole;

	assert_true(lxfw_pbs_kinds_init(&site.kinds));
	assert_true(lxfw_pbs_kinds_add(&site.kinds, "big", "11", "131135"));
	lxfw_pbs_server_set(&site, "default_chunk", "ncpus", "2");
	lxfw_pbs_server_set(&site, "default_chunk", "mem", "1gb");
	queue = lxfw_pbs_site_queue(&site, "q");
	lxfw_pbs_queue_set(&site, queue, "default_chunk", "mem", "4gb");
	lxfw_pbs_queue_set(&site, queue, "default_chunk", "nchunk", "3");
	whole = lxfw_pbs_whole_select(&site, queue, select);
	assert_string_equal(whole, expected);
	free(whole);
	lxfw_pbs_site_clear(&site);
}

static void selects(void **state)
{
	(void)state;
	expect_select("2:ncpus=4:mem=8gb", "2:ncpus=4:mem=8gb");
	expect_select("2:ncpus=4", "2:ncpus=4:mem=4gb");
	expect_select("2", "2:mem=4gb:ncpus=2");
	expect_select("ncpus=1", "3:ncpus=1:mem=4gb");
	expect_select("1:big=t:MEM=1gb+4", "1:big=True:MEM=1gb:ncpus=2+4:mem=4gb:ncpus=2");
	expect_select("1:arch=\"a:b\":ncpus=1:mem=1gb", "1:arch=\"a:b\":ncpus=1:mem=1gb");
	/* It cannot be read. */
	expect_select("1:ncpus=1+x", "1:ncpus=1+x");
	expect_select("", "");
}

/* --- looks -------------------------------------------------------------------------------- */

static bool look(void)
{
	fake_pbs_save();
	fake_pbs.now += 60;
	return lxfw_pbs_survey(&pbs, NULL, true);
}

static int begin(void **state)
{
	if (pbs_scene_begin(state) < 0)
		return -1;
	fake_pbs.plain = true;
	lxfw_pbs_disconnect(&pbs.link);
	pbs.watches = pbs.shadow = true;
	pbs_scene_params("");
	return 0;
}

static const struct lxfw_known_job *known(const struct fake_pbs_job *job)
{
	return lxfw_table_find(&pbs.agent.jobs, lxfw_pbs_id((uint64_t)job->number, -1));
}

/* Jobs are known by what any user may read, and none is started. */
static void follows(void **state)
{
	struct fake_pbs_job *first = pbs_scene_submit(3), *second = pbs_scene_submit(2);

	(void)state;
	second->state = 'H';
	second->holds = "u";
	assert_true(look());
	assert_int_equal(known(first)->state, LXFW_KNOWN_WAITING);
	assert_int_equal(lxfw_request_sum(&known(first)->request).procs, 3);
	assert_int_equal(lxfw_aside_count(&pbs.agent, LXFW_REASON_HELD_BY_USER), 1);
	assert_int_equal(first->state, 'Q');
	assert_int_equal(fake_pbs.starts + fake_pbs.refusals + fake_pbs.comments, 0);
	assert_true(pbs.agent.journal.recording);
	assert_string_equal(fake_pbs.wrong, "");
}

/* A job that is submitted and starts between two looks was submitted; one that has run before
   the first look was not, then. */
static void unseen(void **state)
{
	struct fake_pbs_job *first = pbs_scene_run(4, "(v0:ncpus=4)"), *second;

	(void)state;
	assert_true(look());
	assert_true(known(first)->bare);
	second = pbs_scene_run(4, "(v1:ncpus=4)");
	second->submit = fake_pbs.now + 10;
	second->started = fake_pbs.now + 20;
	assert_true(look());
	assert_int_equal(known(second)->state, LXFW_KNOWN_RUNNING);
	assert_false(known(second)->bare);
}

/* --- what cannot be read ------------------------------------------------------------------ */

static void expect_reservations(int number, bool any)
{
	assert_int_equal(pbs.agent.params.reservations, number);
	assert_int_equal(pbs.agent.params.reservation_age == 0, any);
}

/* Jobs with estimated starts show that strict_ordering is set. */
static void without_files(void **state)
{
	struct fake_pbs_job *job = pbs_scene_submit(1);

	(void)state;
	assert_true(look());
	expect_reservations(1, false);
	assert_int_equal(pbs.calendar.by_queue[1], true);
	job->estimated = fake_pbs.now + 1000;
	assert_true(look());
	expect_reservations(1, true);
	job->estimated = 0;
	assert_true(look());
	expect_reservations(1, true);
	assert_int_equal(pbs_scene_logged("jobs are expected as with the files that OpenPBS installs"),
			 1);
}

static void write_config(const char *text)
{
	char path[300];
	FILE *file;

	snprintf(path, sizeof(path), "%s/sched_config", pbs_scene_folder);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static void with_files(void **state)
{
	char path[300];

	(void)state;
	fake_pbs.priv = pbs_scene_folder;
	write_config("strict_ordering: False ALL\nserver_dyn_res: \"lic !/bin/false\"\n");
	assert_true(look());
	expect_reservations(1, false);
	assert_int_equal(pbs.calendar.script_count, 1);
	assert_int_equal(pbs.scripts.count, 0);
	write_config("strict_ordering: True ALL\n# another length\n");
	assert_true(look());
	expect_reservations(1, true);
	fake_pbs.depth = 7;
	assert_true(look());
	expect_reservations(7, true);
	assert_int_equal(pbs_scene_logged("OpenPBS installs"), 0);
	/* Parameters that are given count. */
	pbs_scene_params("lxfw_reservations=3");
	assert_true(look());
	expect_reservations(3, true);
	snprintf(path, sizeof(path), "%s/sched_config", pbs_scene_folder);
	assert_int_equal(unlink(path), 0);
}

/* With query_other_jobs false, jobs of others use their vnodes for an unknown time. */
static void hidden(void **state)
{
	struct fake_pbs_job *other, *own;

	(void)state;
	fake_pbs.hides = true;
	other = pbs_scene_run(3, "(v0:ncpus=3)");
	other->user = 1;
	own = pbs_scene_run(1, "(v0:ncpus=1)");
	assert_true(look());
	assert_null(known(other));
	assert_int_equal(known(own)->state, LXFW_KNOWN_RUNNING);
	assert_int_equal(pbs.agent.block_count, 1);
	assert_int_equal(pbs.site.hides_jobs, true);
	other->state = 'F';
	assert_true(look());
	assert_int_equal(pbs.agent.block_count, 0);
}

/* --- a server that does not answer -------------------------------------------------------- */

static void restarted(void **state)
{
	(void)state;
	assert_true(look());
	fake_pbs.alive = false;
	assert_false(look());
	assert_false(look());
	assert_int_equal(pbs_scene_logged("cannot connect to the server"), 2);
	fake_pbs.alive = true;
	(void)pbs_scene_submit(1);
	assert_true(look());
	assert_int_equal(pbs.agent.jobs.count, 1);
}

/* The server refuses requests of a connection that is half an hour old. */
static void expires(void **state)
{
	int connections;

	(void)state;
	assert_true(look());
	connections = fake_pbs.connections;
	for (int i = 0; i < 60; i++)
		assert_true(look());
	assert_int_equal(fake_pbs.connections - connections, 6);
	assert_int_equal(pbs_scene_logged("cannot read the server"), 0);
	/* The clock of the server has another time. */
	fake_pbs.connected -= 3600;
	assert_true(look());
	assert_int_equal(pbs_scene_logged("cannot read the server"), 1);
	assert_true(look());
	assert_int_equal(pbs_scene_logged("cannot read the server"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(selects),
		cmocka_unit_test_setup_teardown(follows, begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(unseen, begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(without_files, begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(with_files, begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(hidden, begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(restarted, begin, pbs_scene_end),
		cmocka_unit_test_setup_teardown(expires, begin, pbs_scene_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
