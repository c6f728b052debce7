/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of job classes, and the built-in machines. */
#include <errno.h>
#include <string.h>

#include "sim-frontend/trace/job_classes_text.h"
#include "tests/unit/file.h"
#include "tests/unit/unit.h"

#define HOUR INT64_C(3600)

static struct lxfw_cluster cluster_of(const char *description)
{
	struct lxfw_cluster cluster;
	struct lxfw_error error;

	if (lxfw_cluster_read(&cluster, description, &error))
		fail_msg("%s", error.text);
	return cluster;
}

/* Tables 1 and 2, value by value. */
static void knows_the_origin_2000(void **state)
{
	static const struct {
		const char *name;
		int32_t procs;
		int64_t memory_gb;
		int32_t lj, mj;
	} hosts[] = {
		{ "eir", 128, 64, 3, 4 }, { "nerthus", 128, 64, 3, 4 },
		{ "jord1", 128, 32, 3, 4 }, { "saga1", 128, 32, 3, 4 },
		{ "huldra", 128, 32, 3, 4 }, { "hod1", 128, 64, 6, 2 },
	};
	struct lxfw_cluster cluster = cluster_of("ncsa-o2k");
	const struct lxfw_host_rules *rules;
	struct lxfw_job_classes *classes;
	struct lxfw_error error;

	(void)state;
	classes = lxfw_job_classes_read("ncsa-o2k", &cluster, &error);
	if (!classes)
		fail_msg("%s", error.text);
	assert_int_equal(cluster.count, 8);
	assert_int_equal(cluster.procs, 960);
	assert_int_equal(classes->time_count, 4);
	assert_string_equal(classes->times[0].name, "vst");
	assert_true(classes->times[0].cpu_per_proc == 5 * HOUR);
	assert_true(classes->times[0].run_time == 11 * HOUR / 2);
	assert_true(classes->times[0].reserve_wait == 12 * HOUR);
	assert_int_equal(classes->times[0].running_most, LXFW_NO_COUNT_LIMIT);
	assert_true(classes->times[1].cpu_per_proc == 50 * HOUR);
	assert_true(classes->times[1].run_time == LXFW_NO_TIME_LIMIT);
	assert_true(classes->times[1].reserve_wait == 45 * HOUR);
	assert_true(classes->times[2].cpu_per_proc == 200 * HOUR);
	assert_true(classes->times[2].reserve_wait == 180 * HOUR);
	assert_int_equal(classes->times[2].running_most, 48);
	assert_string_equal(classes->times[3].name, "lt");
	assert_true(classes->times[3].cpu_per_proc == 400 * HOUR);
	assert_true(classes->times[3].reserve_wait == 360 * HOUR);
	assert_int_equal(classes->times[3].running_most, 20);
	assert_int_equal(classes->size_count, 3);
	assert_string_equal(classes->sizes[0].name, "sj");
	assert_int_equal(classes->sizes[0].procs, 8);
	assert_true(classes->sizes[0].memory_mb == 2 * 1024);
	assert_int_equal(classes->sizes[1].procs, 16);
	assert_true(classes->sizes[1].memory_mb == 4 * 1024);
	assert_int_equal(classes->sizes[2].procs, 64);
	assert_true(classes->sizes[2].memory_mb == 16 * 1024);
	for (int32_t i = 0; i < 6; i++) {
		assert_string_equal(lxfw_cluster_host_name(&cluster, i),
				    hosts[i].name);
		assert_int_equal(cluster.hosts[i].total.procs, hosts[i].procs);
		assert_true(cluster.hosts[i].total.memory_mb ==
			    hosts[i].memory_gb * 1024);
		rules = lxfw_job_classes_rules(classes, i);
		assert_int_equal(rules->running_most[2], hosts[i].lj);
		assert_int_equal(rules->running_most[1], hosts[i].mj);
		assert_int_equal(rules->running_most[0], LXFW_NO_COUNT_LIMIT);
		assert_int_equal(rules->order_count, 3);
		for (int32_t j = 0; j < 3; j++)
			assert_int_equal(rules->order[j], 2 - j);
	}
	for (int32_t i = 6; i < 8; i++) {
		rules = lxfw_job_classes_rules(classes, i);
		assert_int_equal(rules->order_count, 1);
		assert_int_equal(rules->order[0], i == 6 ? 0 : 1);
	}
	assert_string_equal(lxfw_cluster_host_name(&cluster, 6), "mimir");
	assert_true(cluster.hosts[6].total.memory_mb == 32 * 1024);
	assert_string_equal(lxfw_cluster_host_name(&cluster, 7), "modi2");
	assert_int_equal(cluster.hosts[7].total.procs, 64);
	assert_true(cluster.hosts[7].total.memory_mb == 16 * 1024);
	for (int32_t i = 0; i < 8; i++) {
		rules = lxfw_job_classes_rules(classes, i);
		assert_int_equal(rules->rank[0], 0);
		for (int32_t j = 1; j < 4; j++)
			assert_int_equal(rules->rank[j], 1);
	}
	free(classes);
	lxfw_cluster_clear(&cluster);
}

/* A site's file: a list of hosts, optional parts left out, blanks and comments. */
static void reads_what_a_site_writes(void **state)
{
	struct lxfw_cluster cluster = cluster_of(unit_file(
		"cluster", "n[0-3] procs=8\nbig procs=64\n"));
	const char *path = unit_file("classes",
		"# ours\r\n"
		"\ttime day  run=1d  # a comment\n"
		"time week run=7.5d reserve=36h running=3\n"
		"\n"
		"size small procs=4\n"
		"size large\n"
		"hosts n[0-3] sizes=small running=small:2 times=day\n"
		"hosts big");
	const struct lxfw_host_rules *rules;
	struct lxfw_job_classes *classes;
	struct lxfw_error error;

	(void)state;
	classes = lxfw_job_classes_read(path, &cluster, &error);
	if (!classes)
		fail_msg("%s", error.text);
	assert_true(classes->times[0].cpu_per_proc == LXFW_NO_TIME_LIMIT);
	assert_true(classes->times[0].run_time == 24 * HOUR);
	assert_true(classes->times[0].reserve_wait == LXFW_NO_TIME_LIMIT);
	assert_true(classes->times[1].run_time == 180 * HOUR);
	assert_true(classes->times[1].reserve_wait == 36 * HOUR);
	assert_int_equal(classes->times[1].running_most, 3);
	assert_int_equal(classes->sizes[0].procs, 4);
	assert_true(classes->sizes[0].memory_mb == LXFW_NO_MEMORY_LIMIT);
	assert_int_equal(classes->sizes[1].procs, LXFW_NO_COUNT_LIMIT);
	for (int32_t i = 0; i < 4; i++) {
		rules = lxfw_job_classes_rules(classes, i);
		assert_int_equal(rules->order_count, 1);
		assert_int_equal(rules->order[0], 0);
		assert_int_equal(rules->running_most[0], 2);
		assert_int_equal(rules->rank[0], 0);
		assert_int_equal(rules->rank[1], -1);
	}
	rules = lxfw_job_classes_rules(classes, 4);
	assert_int_equal(rules->order_count, 2);
	assert_int_equal(rules->order[0], 1);
	assert_int_equal(rules->order[1], 0);
	assert_int_equal(rules->running_most[1], LXFW_NO_COUNT_LIMIT);
	assert_int_equal(rules->rank[0], 0);
	assert_int_equal(rules->rank[1], 0);
	free(classes);
	lxfw_cluster_clear(&cluster);
}

#define CLASSES "time a cpu=1h\nsize A procs=4\n"

static const struct {
	const char *text, *says;
} mistakes[] = {
	{ "", "classes: no line of hosts names n0, expected every host of the "
	      "cluster" },
	{ "jobs", "classes:1: 'jobs', expected time, size or hosts" },
	{ "time", "classes:1: '', expected a class name of 1 to 31 letters, digits, "
		  "'_', '-' or '.'" },
	{ "time a>b", "classes:1: 'a>b', expected a class name of letters, digits, "
		      "'_', '-' or '.'" },
	{ "time a\ntime a", "classes:2: 'a', expected each class once" },
	{ "time a cpu", "classes:1: 'cpu', expected cpu=TIME, run=TIME, reserve=TIME or "
			"running=N" },
	{ "time a cpu=1h cpu=2h", "classes:1: cpu given twice" },
	{ "time a cpu=0", "classes:1: '0', expected a time of whole seconds "
			  "such as 90m, 5h or 5.5h" },
	{ "time a run=0.0001m", "classes:1: '0.0001m', expected a time of "
				"whole seconds such as 90m, 5h or 5.5h" },
	{ "time a run=5.h", "classes:1: '5.h', expected a time of whole "
			    "seconds such as 90m, 5h or 5.5h" },
	{ "time a running=0", "classes:1: '0', expected a number from 1 to 2147483647" },
	{ "time a cpu=5h\ntime b cpu=4h", "classes:2: time class b has a limit below "
		"that of a, expected the shortest class first" },
	{ "time a\ntime b cpu=4h", "classes:2: time class b has a limit below that of "
		"a, expected the shortest class first" },
	{ "size A procs=9\nsize B procs=8", "classes:2: size class B has a limit below "
		"that of A, expected the smallest class first" },
	{ "size A memory=2X", "classes:1: '2X', expected a number of MB, or a "
			      "number with the suffix K, M, G or T" },
	{ "size A cpu=1h", "classes:1: 'cpu=1h', expected procs=N or memory=SIZE" },
	{ "hosts n0", "classes:1: hosts before the classes, expected lines of time and "
		      "size above" },
	{ CLASSES "hosts", "classes:3: no hosts, expected names such as n[0-7]" },
	{ CLASSES "hosts n7", "classes:3: host n7 is not in the cluster" },
	{ CLASSES "hosts n0,n0", "classes:3: host n0 is a duplicate, expected "
				 "each host once" },
	{ CLASSES "hosts n0\n", "classes:3: no line of hosts names n1, expected every "
				"host of the cluster" },
	{ CLASSES "hosts n[0", "classes:3: '[' without ']' in a list of hosts" },
	{ CLASSES "hosts n0\ntime b", "classes:4: 'b', expected classes before the first "
				      "line of hosts" },
	{ CLASSES "hosts n0 sizes=A>B", "classes:3: 'B', expected a size class of the "
		"lines above, as in sizes=A>B" },
	{ CLASSES "hosts n0 sizes=A>A", "classes:3: 'A', expected each size class "
					"once" },
	{ CLASSES "hosts n0 sizes=A,A", "classes:3: 'A,A', expected a size class of the "
		"lines above, as in sizes=A>B" },
	{ CLASSES "hosts n0 times=a>", "classes:3: '', expected a time class of the "
		"lines above, as in times=A>B,C" },
	{ CLASSES "hosts n0 times=a,a", "classes:3: 'a', expected each time class "
					"once" },
	{ CLASSES "hosts n0 running=A", "classes:3: 'A', expected a size class of the "
		"lines above with a number, as in running=A:3,B:4" },
	{ CLASSES "hosts n0 running=A:0", "classes:3: '0', expected a number from 1 to "
					  "2147483647" },
	{ CLASSES "hosts n0 running=A:1,A:2", "classes:3: 'A', expected each size class "
					      "once" },
	{ CLASSES "hosts n0 procs=1", "classes:3: 'procs=1', expected sizes=A>B, "
		"times=A>B,C or running=A:N" },
};

static void says_what_is_wrong(void **state)
{
	struct lxfw_cluster cluster =
		cluster_of(unit_file("cluster", "n[0-1] procs=8\n"));

	(void)state;
	for (size_t i = 0; i < sizeof(mistakes) / sizeof(*mistakes); i++) {
		const char *path = unit_file("classes", mistakes[i].text);
		struct lxfw_error error = { "" };

		assert_null(lxfw_job_classes_read(path, &cluster, &error));
		assert_string_equal(unit_message(error.text), mistakes[i].says);
		assert_int_equal(errno, EINVAL);
	}
	assert_null(lxfw_job_classes_read("none", &cluster, NULL));
	assert_int_equal(errno, ENOENT);
	lxfw_cluster_clear(&cluster);
}

/* At most sixteen of each. */
static void accepts_the_maximum_of_classes(void **state)
{
	struct lxfw_cluster cluster =
		cluster_of(unit_file("cluster", "n0 procs=8\n"));
	char text[2000];
	struct lxfw_job_classes *classes;
	struct lxfw_error error;
	int length = 0;

	(void)state;
	for (int i = 1; i <= 16; i++)
		length += snprintf(text + length, sizeof(text) - (size_t)length,
				   "time t%d run=%dh\nsize s%d procs=%d\n", i, i,
				   i, i);
	snprintf(text + length, sizeof(text) - (size_t)length, "hosts n0\n");
	classes = lxfw_job_classes_read(unit_file("classes", text), &cluster,
					&error);
	if (!classes)
		fail_msg("%s", error.text);
	assert_int_equal(lxfw_job_classes_rules(classes, 0)->order[0], 15);
	free(classes);
	snprintf(text + length, sizeof(text) - (size_t)length, "time t17\n");
	assert_null(lxfw_job_classes_read(unit_file("classes", text), &cluster,
					  &error));
	assert_non_null(strstr(error.text, "classes:33: 't17', expected at "
					   "most 16 such classes"));
	lxfw_cluster_clear(&cluster);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knows_the_origin_2000),
		cmocka_unit_test(reads_what_a_site_writes),
		cmocka_unit_test(says_what_is_wrong),
		cmocka_unit_test(accepts_the_maximum_of_classes),
	};

	return cmocka_run_group_tests(tests, unit_files_begin, unit_files_end);
}
