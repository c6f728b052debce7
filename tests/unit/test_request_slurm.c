/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests in sbatch's options, for a Slurm with two kinds of GRES. */
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include "sim-frontend/predict/request_begin.h"
#include "sim-frontend/predict/request_text.h"

/* The extras of the library: gpu, gpu:a100 and shard. */
static void settle(struct lxfw_request_text *text)
{
	for (int i = 0; i < text->gres_count; i++) {
		struct lxfw_request_gres *gres = &text->gres[i];

		gres->extra = strcmp(gres->name, "shard") == 0 ? 2 :
			      strcmp(gres->name, "gpu:a100") == 0 ? 1 : 0;
		gres->kind = gres->extra == 1 ? 0 : -1;
	}
	text->most_procs = 32;
	text->threads = 1;
}

static struct lxfw_request make(const char *options)
{
	struct lxfw_request_text text;
	struct lxfw_request request;
	struct lxfw_error error;
	char all[200];

	snprintf(all, sizeof(all), "-t 10 %s", options);
	if (lxfw_request_read_slurm(&text, all, &error))
		fail_msg("%s: %s", options, error.text);
	settle(&text);
	if (lxfw_request_make(&text, &request, &error))
		fail_msg("%s: %s", options, error.text);
	request.id = 1;
	if (!lxfw_request_is_valid(&request))
		fail_msg("%s: invalid", options);
	return request;
}

/* N nodes, each with these processors and extras. */
static void expect_hosts(const char *options, int32_t count, int32_t procs, int32_t gpus,
			 int32_t a100, int32_t shards)
{
	struct lxfw_request request = make(options);

	if (request.shape != LXFW_SHAPE_HOSTS || request.count != count ||
	    request.unit.procs != procs || request.unit.extras[0] != gpus ||
	    request.unit.extras[1] != a100 || request.unit.extras[2] != shards)
		fail_msg("%s: shape %d, %d times %d processors and %d, %d, %d", options,
			 request.shape, (int)request.count, (int)request.unit.procs,
			 (int)request.unit.extras[0], (int)request.unit.extras[1],
			 (int)request.unit.extras[2]);
}

/* Pieces, each with these processors and GPUs, and PER_HOST GPUs of each of the nodes. */
static void expect_pieces(const char *options, int32_t count, int32_t procs, int32_t gpus,
			  int32_t per_host, int32_t hosts)
{
	struct lxfw_request request = make(options);

	if (request.shape != LXFW_SHAPE_ANYWHERE || request.count != count ||
	    request.unit.procs != procs || request.unit.extras[0] != gpus ||
	    request.per_host.extras[0] != per_host || request.min_hosts != hosts ||
	    request.max_hosts != hosts)
		fail_msg("%s: shape %d, %d times %d processors and %d; %d on each of %d", options,
			 request.shape, (int)request.count, (int)request.unit.procs,
			 (int)request.unit.extras[0], (int)request.per_host.extras[0],
			 (int)request.min_hosts);
}

static void test_nodes(void **state)
{
	(void)state;
	expect_hosts("-N 2 -n 8 --gpus 4", 2, 4, 2, 0, 0);
	expect_hosts("-N 2 --gpus 3", 2, 1, 2, 0, 0);
	expect_hosts("-N2 -n 8 --gpus-per-node=3", 2, 4, 3, 0, 0);
	expect_hosts("-N 2 -n 8 --gpus-per-task 1", 2, 4, 4, 0, 0);
	expect_hosts("-N 1 --gres=gpu:2", 1, 1, 2, 0, 0);
	expect_hosts("--nodes=1 --gres gpu:a100:2,shard", 1, 1, 2, 2, 1);
	expect_hosts("-N 1 --gpus-per-node 4 --gres gpu:a100:2", 1, 1, 4, 2, 0);
	expect_hosts("-G 8 --gpus-per-node 4", 2, 1, 4, 0, 0);
	expect_hosts("-N 2-4 -n 8", 2, 4, 0, 0, 0);
	/* Slurm, too, leaves the nodes without a task. */
	expect_hosts("-N 4 -n 2", 2, 1, 0, 0, 0);
}

static void test_pieces(void **state)
{
	(void)state;
	expect_pieces("-n 64 --gpus 4", 4, 16, 1, 0, 0);
	expect_pieces("--gpus=4", 1, 1, 4, 0, 0);
	expect_pieces("-n 12 -G8", 4, 3, 2, 0, 0);
	expect_pieces("-n 4 -c 2 --gpus-per-task=2", 4, 2, 2, 0, 0);
	expect_pieces("--gpus 4 --gpus-per-task 1", 4, 1, 1, 0, 0);
	expect_pieces("-n 8 --gres gpu:2", 8, 1, 0, 2, 0);
	expect_pieces("-n 8 --gres none", 8, 1, 0, 0, 0);
	expect_pieces("-n 8 --gpus 0", 8, 1, 0, 0, 0);
	/* A piece with one of them would be larger than a node. */
	expect_pieces("-n 128 --gpus 2", 128, 1, 0, 1, 4);
	expect_pieces("-n 33 -c 2 --gpus 4", 33, 2, 0, 2, 3);
}

/* As of jobs that wait: pieces on exactly that many nodes. */
static void test_uneven(void **state)
{
	struct lxfw_request request;

	(void)state;
	expect_pieces("-N 2 -n 7", 7, 1, 0, 0, 2);
	expect_pieces("-N 2 -n 7 -c 3", 7, 3, 0, 0, 2);
	expect_pieces("-N 2 -n 7 --gpus-per-node 2", 7, 1, 0, 2, 2);
	expect_pieces("-N 2 -n 7 --gpus 3", 7, 1, 0, 2, 2);
	request = make("-N 2 -n 7 --mem 3000");
	assert_int_equal(request.per_host.memory_mb, 3000);
	assert_int_equal(request.unit.memory_mb, 0);
	request = make("-N 2 -n 7 -c 2 --mem-per-cpu 100");
	assert_int_equal(request.per_host.memory_mb, 0);
	assert_int_equal(request.unit.memory_mb, 200);
}

/* What a partition states: the least number of nodes, and an extra that counts processors. */
static void test_of_partition(void **state)
{
	struct lxfw_request_text text;
	struct lxfw_request request;
	struct lxfw_error error;

	(void)state;
	assert_int_equal(lxfw_request_read_slurm(&text, "-n 1 -t 10", &error), 0);
	text.least_nodes = 2;
	text.caps = 1 << 3;
	assert_int_equal(lxfw_request_make(&text, &request, &error), 0);
	assert_int_equal(request.shape, LXFW_SHAPE_HOSTS);
	assert_int_equal(request.count, 2);
	assert_int_equal(request.unit.procs, 1);
	assert_int_equal(request.unit.extras[3], 1);
	text.tasks = 5;
	text.cpus = 2;
	assert_int_equal(lxfw_request_make(&text, &request, &error), 0);
	assert_int_equal(request.shape, LXFW_SHAPE_ANYWHERE);
	assert_int_equal(request.count, 5);
	assert_int_equal(request.min_hosts, 2);
	assert_int_equal(request.max_hosts, 0);
	assert_int_equal(request.unit.extras[3], 2);
	/* Cores of two threads would be too few pieces for the nodes. */
	text.cpus = 1;
	text.tasks = 3;
	text.threads = 2;
	assert_int_equal(lxfw_request_make(&text, &request, &error), 0);
	assert_int_equal(request.count, 2);
	assert_int_equal(request.unit.procs, 2);
	text.least_nodes = 0;
	text.nodes = 3;
	text.tasks = 4;
	assert_int_equal(lxfw_request_make(&text, &request, &error), 0);
	assert_int_equal(request.count, 4);
	assert_int_equal(request.min_hosts, 3);
	assert_int_equal(request.unit.procs, 2);
	text.exclusive = true;
	assert_int_equal(lxfw_request_make(&text, &request, &error), 0);
	assert_int_equal(request.unit.extras[3], 0);
}

/* 2024-10-04, a Friday, at noon. */
#define NOON (20000 * INT64_C(86400) + 43200)

static void begins(const char *text, int64_t after)
{
	int64_t begin;

	if (!lxfw_request_begin(text, NOON, &begin))
		fail_msg("%s is refused", text);
	if (begin - NOON != after)
		fail_msg("%s is in %lld s, not %lld", text, (long long)(begin - NOON),
			 (long long)after);
}

static void test_begin(void **state)
{
	static const char *const wrong[] = {
		"", "yesterday", "now-", "now+", "now+1fortnight", "24:00", "12:60", "13:00pmx",
		"2024-13-01", "2024-10-00", "2024-10-04 16:00", "16", "13/40", "-5",
		"now+99999999999999999999", "now+9999999999weeks", "16:00T", "todaynow",
	};
	int64_t begin;

	(void)state;
	begins("now", 0);
	begins("now+90", 90);
	begins("now+1hour", 3600);
	begins("NOW+2Days", 2 * 86400);
	begins("now+3weeks", 21 * 86400);
	begins("16:00", 4 * 3600);
	begins("16:00:30", 4 * 3600 + 30);
	begins("4:00PM", 4 * 3600);
	begins("12:30am", 12 * 3600 + 1800);
	begins("11:00", 23 * 3600);
	begins("noon", 86400);
	begins("midnight", 43200);
	begins("teatime", 4 * 3600);
	begins("fika", 3 * 3600);
	begins("today", -43200);
	begins("tomorrow", 43200);
	begins("tomorrowT16:00", 86400 + 4 * 3600);
	begins("2024-10-06", 43200 + 86400);
	begins("2024-10-06T16:00", 2 * 86400 + 4 * 3600);
	begins("2020-01-01", -(INT64_C(1738) * 86400 + 43200));
	begins("1006", 43200 + 86400);
	begins("10/06", 43200 + 86400);
	begins("10.06.24", 43200 + 86400);
	begins("100624T16:00", 2 * 86400 + 4 * 3600);
	begins("1004T11:00", 365 * 86400 - 3600);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		if (lxfw_request_begin(wrong[i], NOON, &begin))
			fail_msg("'%s' is taken", wrong[i]);
	}
}

static void test_after(void **state)
{
	static const char *const wrong[] = {
		"", "afterok", "afterok:", "afterok:0", "afterok:a", "afterok:1:", "afterok:1,", "12",
		"afterok:1+5", "afternotok:1", "singleton", "aftercorr:1", "afterok:1?afterany:2",
		"afterok:1_", "afterok:99999999999", "afterok:1:2:3:4:5:6:7:8:9", "after:1+",
	};
	struct lxfw_request_after list[LXFW_REQUEST_AFTERS];
	char text[512];
	int count;

	(void)state;
	assert_true(lxfw_request_after_read("afterok:12:13_4,afterany:14_*,AFTER:15+5:16", list,
					    &count));
	assert_int_equal(count, 5);
	assert_int_equal(list[0].job, 12);
	assert_int_equal(list[0].task, -1);
	assert_int_equal(list[1].job, 13);
	assert_int_equal(list[1].task, 4);
	assert_int_equal(list[2].kind, LXFW_REQUEST_AFTER_ANY);
	assert_int_equal(list[2].task, -1);
	assert_int_equal(list[3].delay, 300);
	assert_int_equal(list[4].delay, 0);
	lxfw_request_after_format(list, count, text, sizeof(text));
	assert_string_equal(text, "afterok:12,afterok:13_4,afterany:14,after:15+5,after:16");
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		if (lxfw_request_after_read(wrong[i], list, &count))
			fail_msg("'%s' is taken", wrong[i]);
	}
}

static void test_tasks_per_node(void **state)
{
	(void)state;
	expect_hosts("--ntasks-per-node 4", 1, 4, 0, 0, 0);
	expect_hosts("-N 3 --ntasks-per-node=4 -c 2", 3, 8, 0, 0, 0);
	expect_hosts("-n 8 --ntasks-per-node=4", 2, 4, 0, 0, 0);
	expect_hosts("-N 3 --ntasks-per-node=2 --gpus-per-task 1", 3, 2, 2, 0, 0);
}

static void refused(const char *options, const char *message)
{
	struct lxfw_request_text text;
	struct lxfw_error error;

	assert_int_equal(lxfw_request_read_slurm(&text, options, &error), -1);
	if (!strstr(error.text, message))
		fail_msg("%s: %s", options, error.text);
}

static void test_refused(void **state)
{
	struct lxfw_request_text text;
	struct lxfw_error error;

	(void)state;
	refused("--gpus", "'--gpus' with value '', expected N, TYPE:N");
	refused("--gpus ,1", "'--gpus' with value ',1', expected N, TYPE:N");
	refused("--gres=4", "'--gres=4' with value '4', expected KIND");
	refused("--gres gpu:2,,x", "expected KIND");
	refused("--gres a,b,c,d,e", "at most 4");
	refused("--gpus 999999999", "expected N");
	refused("--mem 1G --mem-per-cpu 1G", "expected one of them");
	refused("--mem 0 --mem-per-cpu 1G", "expected one of them");
	refused("--mem-per-gpu 1G --mem-per-cpu 1G", "expected one of them");
	refused("-w", "expected names of nodes");
	refused("-x /etc/hosts", "expected names of nodes");
	refused("--begin=yesterday", "expected a time: 16:00");
	refused("-d singleton", "of no other dependency is it known");
	refused("-N 4-2", "expected a number of nodes, or N-M");
	refused("-N 0", "expected a number of nodes");
	refused("-N 2-", "expected a number of nodes");
	refused("-n 5 --ntasks-per-node 2", "5 tasks with 2 on each node");
	refused("-N 99999999 --ntasks-per-node 99999999", "more than 100000000 tasks");
	refused("-C a|b&c", "expected features");
	refused("-C [a]", "expected features");
	refused("-C", "expected features");
	refused("-A", "'-A' with value '', expected a value");
	/* Those of a journal, and of PBS, have none of these. */
	assert_int_equal(lxfw_request_read(&text, "-n 1 --gpus 1", &error), -1);
	assert_int_equal(lxfw_request_read(&text, "-n 1 -A a", &error), -1);
}

/* Sums that the library cannot count. */
static void test_too_many(void **state)
{
	static const char *const options[] = {
		"-t 1 -N 100000000 --gpus-per-node 100000000",
		"-t 1 -n 100000000 --gpus-per-task 100000000",
		"-t 1 -n 2 --gpus-per-task 100000000",
		"-t 1 -n 100000000 --gres=gpu:100000000,shard:100000000",
		"-t 1 -N 1 -n 100000000 --gpus-per-task 2",
		"-t 1 -n 99999999 --gpus 1 --mem-per-cpu 999999G",
	};
	struct lxfw_request_text text;
	struct lxfw_request request;
	struct lxfw_error error;

	(void)state;
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		assert_int_equal(lxfw_request_read_slurm(&text, options[i], &error), 0);
		settle(&text);
		text.most_procs = 0;
		if (lxfw_request_make(&text, &request, &error) == 0)
			fail_msg("%s: taken", options[i]);
		assert_non_null(strstr(error.text, "processors or GRES"));
	}
}

/* --mem 0 is all memory of a host, where it is known. */
static void test_all_memory(void **state)
{
	struct lxfw_request_text text;
	struct lxfw_request request;
	struct lxfw_error error;

	(void)state;
	assert_int_equal(lxfw_request_read(&text, "-t 10 -N 1 --mem=0", &error), 0);
	text.usual_memory = 100;
	assert_int_equal(lxfw_request_make(&text, &request, &error), 0);
	assert_int_equal(request.unit.memory_mb, 100);
	text.host_memory = 5000;
	assert_int_equal(lxfw_request_make(&text, &request, &error), 0);
	assert_int_equal(request.unit.memory_mb, 5000);
	assert_int_equal(lxfw_request_read(&text, "-t 10 -n 2 --mem 0 --mem 7", &error), 0);
	text.host_memory = 5000;
	assert_int_equal(lxfw_request_make(&text, &request, &error), 0);
	assert_int_equal(request.per_host.memory_mb, 7);
}

/* What is printed can be read again, and fits. */
static void test_format(void **state)
{
	static const char longest[] = "-N 100000000 -n 100000000 -t 10 "
		"--gpus aaaaaaaaabbbbbbbbbbccccccccccddddd:100000000,"
		"baaaaaaaabbbbbbbbbbccccccccccddddd:100000000,"
		"caaaaaaaabbbbbbbbbbccccccccccddddd:100000000,"
		"daaaaaaaabbbbbbbbbbccccccccccddddd:100000000 --mem 99999999 --exclusive "
		"-C aaaaaaaaabbbbbbbbbbccccccccccdddddddddd&aaaaaaabbbbbbbbcccccccc --begin 2030-12-24 "
		"-w n[100000001-100000002,100000003-100000004,100000005-100000006,100000007-100000008,"
		"100000009-100000010,100000011-1000012] "
		"-x x[100000001-100000002,100000003-100000004,100000005-100000006,100000007-100000008,"
		"100000009-100000010,100000011-1000012] -d after:4294967295_4294967293+5270400:"
		"4294967295_4294967293+5270400:4294967295_4294967293+5270400:4294967295_4294967293+5270400:"
		"4294967295_4294967293+5270400:4294967295_4294967293+5270400:4294967295_4294967293+5270400:"
		"4294967295_4294967293+5270400";
	char first[LXFW_REQUEST_TEXT_SIZE], second[LXFW_REQUEST_TEXT_SIZE];
	struct lxfw_request_text text;
	struct lxfw_error error;

	(void)state;
	assert_int_equal(lxfw_request_read_slurm(&text, "-n 4 -t 10 -G a100:2 --gpus-per-task 1 "
						 "--gpus-per-node 2 -A x -q q", &error), 0);
	assert_string_equal(text.qos, "q");
	assert_string_equal(text.account, "x");
	lxfw_request_format(&text, first, sizeof(first));
	assert_string_equal(first, "-n 4 -t 00:10:00 --gpus a100:2 --gpus-per-task 1 --gres gpu:2");
	assert_int_equal(lxfw_request_read_slurm(&text, longest, &error), 0);
	lxfw_request_format(&text, first, sizeof(first));
	assert_non_null(strstr(first, " --exclusive"));
	assert_non_null(strstr(first, " --begin 2030-12-24T00:00:00 "));
	assert_int_equal(lxfw_request_read_slurm(&text, first, &error), 0);
	lxfw_request_format(&text, second, sizeof(second));
	assert_string_equal(first, second);
}

static void test_divide(void **state)
{
	struct lxfw_request_text text;
	struct lxfw_error error;

	(void)state;
	assert_int_equal(lxfw_request_read_slurm(&text, "-n 8 -t 10 -G 4 --gpus-per-task 1", &error),
			 0);
	assert_true(lxfw_request_divide(&text, 4));
	assert_int_equal(text.tasks, 2);
	assert_int_equal(text.gres[0].count, 1);
	assert_int_equal(text.gres[1].count, 1);
	assert_false(lxfw_request_divide(&text, 2));
	/* It has all nodes that it names. */
	assert_int_equal(lxfw_request_read_slurm(&text, "-n 8 -t 10 -w n1", &error), 0);
	assert_false(lxfw_request_divide(&text, 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nodes),
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_uneven),
		cmocka_unit_test(test_of_partition),
		cmocka_unit_test(test_begin),
		cmocka_unit_test(test_after),
		cmocka_unit_test(test_tasks_per_node),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_all_memory),
		cmocka_unit_test(test_format),
		cmocka_unit_test(test_divide),
	};

	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
