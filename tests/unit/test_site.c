/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The needs of jobs in a log, the requests made from them, and reservations. */
#include "sim-frontend/engine/request.h"
#include "sim-frontend/trace/reservations.h"
#include "sim-frontend/trace/tres.h"
#include "tests/unit/file.h"

#include <stdio.h>

static struct lxfw_error error;
static struct lxfw_cluster cluster;

static int begin(void **state)
{
	if (unit_files_begin(state))
		return -1;
	return lxfw_cluster_read(&cluster, unit_file("cluster",
		"n[1-4] procs=8 memory=16000\n"
		"g[1-2] procs=8 memory=64000 gpu:a100=4\n"
		"v procs=8 memory=64000 gpu:v100=2 gpu=1\n"
		"partition=thin nodes=n[1-4] max-time=1h max-nodes=2\n"
		"partition=gpu nodes=g[1-2],v tier=3 default-time=30m\n"
		"partition=all nodes=n[1-4],g[1-2],v exclusive=1\n"), &error);
}

static int end(void **state)
{
	lxfw_cluster_clear(&cluster);
	return unit_files_end(state);
}

static struct lxfw_slice slice(const char *text)
{
	return (struct lxfw_slice) { text, strlen(text) };
}

static struct lxfw_need need_of(const char *partitions, const char *text)
{
	struct lxfw_needs needs = { .size = 0 };
	int32_t at = lxfw_needs_find(&needs, &cluster, slice(partitions),
				     slice(text));
	struct lxfw_need need;

	assert_int_equal(at, 0);
	need = needs.needs[at];
	lxfw_needs_clear(&needs);
	return need;
}

/* Make the request of a job with PROCS processors and MB of memory. */
static struct lxfw_request request_of(const char *partitions, const char *text,
				      int32_t procs, int64_t memory_mb)
{
	const struct lxfw_trace_job job = {
		.procs = procs, .memory_kb = memory_mb * 1024,
	};
	const struct lxfw_need need = need_of(partitions, text);
	struct lxfw_request request = { .id = 1, .estimate = 1 };

	lxfw_simulation_request(&cluster, false, &job, &need, &request);
	assert_true(lxfw_request_is_valid(&request));
	return request;
}

static void reads_partitions(void **state)
{
	struct lxfw_need need = need_of("thin,gpu", "");

	(void)state;
	assert_int_equal(need.set_count, 2);
	assert_int_equal(need.sets[0], 0);
	assert_int_equal(need.sets[1], 1);
	assert_int_equal(need.tier, 3);
	/* one of them has no limit, one is not exclusive */
	assert_int_equal(need.max_time, 0);
	assert_int_equal(need.max_hosts, 0);
	assert_int_equal(need.default_time, 3600);
	assert_false(need.exclusive);
	need = need_of("all", "");
	assert_true(need.exclusive);
	assert_int_equal(need.tier, 1);
	need = need_of("elsewhere", "");
	assert_true(need.elsewhere);
	assert_int_equal(need.set_count, 0);
	assert_false(need_of("", "").elsewhere);
	assert_int_equal(lxfw_need_limit(&need, 7), 7);
	need = need_of("gpu", "");
	assert_int_equal(lxfw_need_limit(&need, 7), 1800);
	assert_int_equal(lxfw_need_limit(&need, 2000), 2000);
}

static void counts_kinds_and_types(void **state)
{
	struct lxfw_need need = need_of("gpu", "gres/gpu:a100=2");

	(void)state;
	assert_string_equal(cluster.extras[0], "gpu");
	assert_string_equal(cluster.extras[1], "gpu:a100");
	assert_string_equal(cluster.extras[2], "gpu:v100");
	assert_int_equal(cluster.hosts[6].total.extras[0], 3);
	/* a type that is given alone is subtracted from its kind */
	assert_int_equal(need.extras[0], 2);
	assert_int_equal(need.extras[1], 2);
	need = need_of("gpu", "gres/gpu=3,gres/gpu:a100=2");
	assert_int_equal(need.extras[0], 3);
	need = need_of("gpu", "gres/gpu=3");
	assert_int_equal(need.extras[1], 0);
	/* an unknown type belongs to its kind */
	need = need_of("gpu", "gres/gpu:h100=1");
	assert_int_equal(need.extras[0], 1);
	assert_false(need.not_counted);
	assert_true(need_of("gpu", "gres/fpga=1").not_counted);
}

static void asks_for_hosts(void **state)
{
	struct lxfw_request request = request_of("thin", "nodes=1", 8, 9000);

	(void)state;
	assert_int_equal(request.shape, LXFW_SHAPE_HOSTS);
	assert_int_equal(request.count, 1);
	assert_int_equal(request.unit.procs, 8);
	assert_int_equal(request.unit.memory_mb, 9000);
	request = request_of("gpu", "nodes=2,gres/gpu:a100=4", 6, 9001);
	assert_int_equal(request.shape, LXFW_SHAPE_HOSTS);
	assert_int_equal(request.count, 2);
	assert_int_equal(request.unit.procs, 3);
	assert_int_equal(request.unit.memory_mb, 4501);
	assert_int_equal(request.unit.extras[0], 2);
	assert_int_equal(request.unit.extras[1], 2);
	assert_int_equal(request.tier, 3);
	/* with GPUs the hosts of the log are used, though it requested fewer */
	request = request_of("gpu", "nodes=2,least-nodes=1,gres/gpu=4", 6, 0);
	assert_int_equal(request.shape, LXFW_SHAPE_HOSTS);
	assert_int_equal(request.count, 2);
}

static void asks_for_pieces(void **state)
{
	/* it requested fewer hosts than it had */
	struct lxfw_request request =
		request_of("thin", "nodes=4,least-nodes=1", 8, 8100);

	(void)state;
	assert_int_equal(request.shape, LXFW_SHAPE_ANYWHERE);
	assert_int_equal(request.count, 8);
	assert_int_equal(request.unit.memory_mb, 1012);
	assert_int_equal(request.min_hosts, 1);
	assert_int_equal(request.max_hosts, 2);	/* of its partition */
	/* uneven shares on as many hosts as it requested */
	request = request_of("thin", "nodes=3,least-nodes=3", 8, 9000);
	assert_int_equal(request.shape, LXFW_SHAPE_ANYWHERE);
	assert_int_equal(request.min_hosts, 3);
	assert_int_equal(request.max_hosts, 3);
	assert_int_equal(request.unit.memory_mb, 0);
	assert_int_equal(request.per_host.memory_mb, 3000);
	/* the requested hosts are unknown; memory by host */
	request = request_of("thin", "nodes=3,node-memory", 8, 9000);
	assert_int_equal(request.min_hosts, 0);
	assert_int_equal(request.max_hosts, 3);
	assert_int_equal(request.per_host.memory_mb, 3000);
	/* the number of hosts is unknown too: each piece has a GPU */
	request = request_of("gpu", "gres/gpu=4", 12, 1200);
	assert_int_equal(request.count, 4);
	assert_int_equal(request.unit.procs, 3);
	assert_int_equal(request.unit.extras[0], 1);
	assert_int_equal(request.unit.memory_mb, 300);
}

static void knows_what_fits(void **state)
{
	struct {
		const char *partitions, *text;
		int32_t procs;
		int64_t memory_mb;
		bool holds;
	} const jobs[] = {
		{ "thin", "nodes=1", 8, 16000, true },
		{ "thin", "nodes=1", 8, 16001, false },
		{ "gpu", "nodes=1", 8, 16001, true },
		{ "thin,gpu", "nodes=1", 8, 16001, true },
		{ "thin", "nodes=4", 32, 0, true },
		{ "thin", "nodes=5", 40, 0, false },
		{ "thin,gpu", "nodes=5", 40, 0, false },
		{ "", "nodes=5", 40, 0, true },
		{ "gpu", "nodes=2,gres/gpu:a100=8", 2, 0, true },
		{ "gpu", "nodes=2,gres/gpu:a100=10", 2, 0, false },
		{ "gpu", "nodes=1,gres/gpu:v100=1,gres/gpu:a100=1", 1, 0, false },
		{ "gpu", "nodes=3,gres/gpu=9", 3, 0, true },
		/* 4, 3 and 3 */
		{ "gpu", "nodes=3,gres/gpu=10", 3, 0, true },
		{ "gpu", "nodes=3,gres/gpu=12", 3, 0, false },
		/* at most two hosts, which have 16 processors */
		{ "thin", "nodes=4,least-nodes=1", 16, 0, true },
		/* the four that it had, as it had more than MaxNodes */
		{ "thin", "nodes=4,least-nodes=1", 20, 0, true },
		{ "thin", "nodes=4,least-nodes=1", 33, 0, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(*jobs); i++) {
		struct lxfw_request request =
			request_of(jobs[i].partitions, jobs[i].text,
				   jobs[i].procs, jobs[i].memory_mb);

		if (lxfw_simulation_holds(&cluster, &request) != jobs[i].holds)
			fail_msg("%s %s", jobs[i].partitions, jobs[i].text);
	}
}

struct text {
	char *text;
	size_t size;
};

static int take_gres(void *context, struct lxfw_slice name, int64_t count)
{
	const struct text *to = context;
	size_t used = strlen(to->text);

	snprintf(to->text + used, to->size - used, "%.*s %lld;",
		 (int)name.length, name.at, (long long)count);
	return 0;
}

static void put_gres(char *text, size_t size, const char *list, int64_t hosts)
{
	struct text to = { text, size };

	*text = '\0';
	assert_int_equal(lxfw_gres_each(slice(list), hosts, take_gres, &to), 0);
}

static void reads_lists(void **state)
{
	char text[200];

	(void)state;
	put_gres(text, sizeof(text), "billing=8,cpu=8,gres/gpu:a100=2,gres/gpu=2,"
		 "gres/shard=0,license/x=1,mem=64G,node=2", 2);
	assert_string_equal(text, "gpu:a100 2;gpu 2;");
	/* on each of three hosts */
	put_gres(text, sizeof(text), "gpu:tesla:2,gres:craynetwork:0,gpu:1080ti,"
		 "mps:1K,nic", 3);
	assert_string_equal(text, "gpu:tesla 6;gpu:1080ti 3;mps 3072;nic 3;");
	put_gres(text, sizeof(text), "(null)", 1);
	assert_string_equal(text, "");
	assert_int_equal(lxfw_tres_count(slice("cpu=8,mem=1G,node=3"), "node"), 3);
	assert_int_equal(lxfw_tres_count(slice("cpu=8"), "node"), 0);
}

/* Check the starts of the reservations in TEXT within two weeks from 2025-01-01 on, a
   Wednesday, in hours. */
static void expect_starts(const char *text, const char *expected)
{
	const struct lxfw_reservations_span span = {
		.begin = 0, .end = 14 * 86400, .since_1970 = 1735689600,
	};
	struct lxfw_reservations_told told;
	char starts[400] = "";

	if (lxfw_reservations_read(&cluster, unit_file("resv", text), &span,
				   &told, &error))
		fail_msg("%s", error.text);
	for (size_t i = 0; i < cluster.block_count; i++) {
		size_t used = strlen(starts);

		snprintf(starts + used, sizeof(starts) - used, "%lld ",
			 (long long)cluster.blocks[i].start / 3600);
		free(cluster.blocks[i].name);
		free(cluster.blocks[i].shares);
	}
	cluster.block_count = 0;
	assert_string_equal(starts, expected);
}

static void repeats_reservations(void **state)
{
	(void)state;
	expect_starts("ReservationName=r StartTime=2025-01-03T02:00:00 "
		      "EndTime=2025-01-03T04:00:00 Nodes=n1\n", "50 ");
	/* the next one is in February */
	expect_starts("ReservationName=r StartTime=2025-02-03T02:00:00 "
		      "EndTime=2025-02-03T04:00:00 Nodes=n1 Flags=WEEKLY\n",
		      "122 290 ");
	expect_starts("ReservationName=r StartTime=2025-01-03T02:00:00 "
		      "EndTime=2025-01-03T04:00:00 Nodes=n1 Flags=SPEC_NODES,WEEKEND\n",
		      "74 98 242 266 ");
	expect_starts("ReservationName=r StartTime=2025-01-03T02:00:00 "
		      "EndTime=2025-01-03T04:00:00 Nodes=n1 Flags=WEEKDAY\n",
		      "2 26 50 122 146 170 194 218 290 314 ");
	/* one that was active when the log began */
	expect_starts("ReservationName=r StartTime=2024-12-31T23:00:00 "
		      "EndTime=2025-01-01T01:00:00 Nodes=n1\n", "-1 ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_partitions),
		cmocka_unit_test(counts_kinds_and_types),
		cmocka_unit_test(asks_for_hosts),
		cmocka_unit_test(asks_for_pieces),
		cmocka_unit_test(knows_what_fits),
		cmocka_unit_test(reads_lists),
		cmocka_unit_test(repeats_reservations),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
