/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The watch of a Slurm that schedules by itself, over many looks. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

#include "plugins/agent/table.h"
#include "sim-frontend/watch/world.h"

#define BEGIN 1796043946

static struct lxfw_watch *watch;

static void note(const char *text)
{
	(void)text;
}

/* Looks at two nodes, and at a job in this state that requests the feature. */
static void look(int64_t now, const char *state, int64_t submit, const char *feature)
{
	static const char nodes[] =
		"NodeName=n1 CPUAlloc=0 CPUTot=8 RealMemory=100 ActiveFeatures=a State=IDLE\n"
		"NodeName=n2 CPUAlloc=0 CPUTot=8 RealMemory=100 ActiveFeatures=b State=IDLE\n";
	struct lxfw_watch_texts texts = {
		.nodes = strdup(nodes), .reservations = strdup(""),
		.partitions = strdup("PartitionName=p Nodes=n[1-2] State=UP MaxTime=UNLIMITED\n"),
	};
	struct lxfw_error error;
	char line[400];

	snprintf(line, sizeof(line), "%s;7;7;N/A;p;Resources;9;1;1;1;1:00:00;%lld;%lld;%lld;%lld;%s;"
		 "cpu=1,node=1;N/A;N/A;N/A;OK;(null);%s;;\n", state, (long long)submit,
		 (long long)submit, (long long)now, (long long)now + 3600,
		 strcmp(state, "RUNNING") == 0 ? "n1" : "", feature);
	for (char *end = line; (end = strchr(end, ';'));)
		*end = LXFW_WATCHED_END;
	texts.jobs = strdup(line);
	if (lxfw_watch_look(watch, &texts, now, &error))
		fail_msg("%s", error.text);
	assert_int_equal(lxfw_watch_bad_lines(watch), 0);
}

static int open_watch(void **state)
{
	struct lxfw_params params;

	(void)state;
	lxfw_watch_usual(&params);
	watch = lxfw_watch_open(&params, "", note);
	return watch ? 0 : -1;
}

static int close_watch(void **state)
{
	(void)state;
	lxfw_watch_close(watch);
	return 0;
}

/* A user who names features in new ways does not fill the memory. */
static void sets_are_bounded(void **state)
{
	char feature[40];

	(void)state;
	for (int i = 0; i < 4000; i++) {
		snprintf(feature, sizeof(feature), "a|b%d", i);
		look(BEGIN + i, "PENDING", BEGIN, feature);
		assert_true(watch->sets.count < 1100);
	}
	assert_non_null(lxfw_table_find(&watch->agent.jobs, 7));
}

/* The request of a job that was submitted and started between two looks is reported, that of a
   job which ran at the first look is not: it had waited before. */
static void submissions_between_looks(void **state)
{
	const struct lxfw_known_job *known;

	(void)state;
	look(BEGIN, "RUNNING", BEGIN - 100, "(null)");
	known = lxfw_table_find(&watch->agent.jobs, 7);
	assert_non_null(known);
	assert_int_equal(known->request.estimate, 0);
	look(BEGIN + 60, "COMPLETED", BEGIN - 100, "(null)");
	assert_null(lxfw_table_find(&watch->agent.jobs, 7));
	look(BEGIN + 120, "RUNNING", BEGIN + 70, "(null)");
	known = lxfw_table_find(&watch->agent.jobs, 7);
	assert_non_null(known);
	assert_int_equal(known->state, LXFW_KNOWN_RUNNING);
	assert_int_equal(known->request.estimate, 3600);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(sets_are_bounded, open_watch, close_watch),
		cmocka_unit_test_setup_teardown(submissions_between_looks, open_watch, close_watch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
