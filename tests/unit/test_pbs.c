/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What lxfw-pbsd reads from a server: values, select, place, exec_vnode, ids; the requests and
   layouts that it makes of them; its files. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "plugins/pbs/config.h"
#include "plugins/pbs/text.h"
#include "tests/unit/pbs_site.h"

/* --- values --------------------------------------------------------------------------- */

static void sizes(void **state)
{
	static const struct {
		const char *text;
		int64_t kb;	/* -1: invalid */
	} cases[] = {
		{ "0", 0 }, { "1", 1 }, { "1024", 1 }, { "1025b", 2 }, { "1kb", 1 },
		{ "3k", 3 }, { "2mb", 2048 }, { "1gb", 1048576 }, { "1tb", 1 << 30 },
		{ "1kw", 8 }, { "4w", 1 }, { "8388608kb", 8388608 }, { "2GB", 2097152 },
		{ "", -1 }, { "gb", -1 }, { "1xb", -1 }, { "1gbx", -1 }, { "-1kb", -1 },
		{ " 1kb", -1 }, { "99999999999999999999kb", -1 }, { "9999999999999pb", -1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int64_t kb = -1;
		bool good = lxfw_pbs_size(cases[i].text, &kb);

		if (good != (cases[i].kb >= 0) || kb != cases[i].kb)
			fail_msg("%s: %d, %lld kb", cases[i].text, good, (long long)kb);
	}
}

static void durations(void **state)
{
	static const struct {
		const char *text;
		int64_t seconds;
	} cases[] = {
		{ "0", 0 }, { "59", 59 }, { "90", 90 }, { "01:00", 60 }, { "1:02:03", 3723 },
		{ "100:00:00", 360000 }, { "00:00:05.75", 5 }, { "", -1 }, { "1:", -1 },
		{ ":1", -1 }, { "1:2:3:4", -1 }, { "-5", -1 }, { "5.", -1 }, { "5x", -1 },
		{ "9223372036854775807:00", -1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int64_t seconds = -1;
		bool good = lxfw_pbs_duration(cases[i].text, &seconds);

		if (good != (cases[i].seconds >= 0) || seconds != cases[i].seconds)
			fail_msg("%s: %d, %lld s", cases[i].text, good, (long long)seconds);
	}
}

static void truths_and_lists(void **state)
{
	bool value = false;

	(void)state;
	assert_true(lxfw_pbs_truth("True", &value) && value);
	assert_true(lxfw_pbs_truth("n", &value) && !value);
	assert_true(lxfw_pbs_truth("1", &value) && value);
	assert_false(lxfw_pbs_truth("yes!", &value));
	assert_true(lxfw_pbs_listed("red, green,blue", "green"));
	assert_false(lxfw_pbs_listed("red,greenish", "green"));
	assert_false(lxfw_pbs_listed("", ""));
	assert_false(lxfw_pbs_listed(NULL, "x"));
}

/* --- ids ------------------------------------------------------------------------------ */

static void ids(void **state)
{
	uint64_t number;
	int64_t task;
	bool array;

	(void)state;
	assert_true(lxfw_pbs_job_id("12.server", &number, &task, &array));
	assert_true(number == 12 && task == -1 && !array);
	assert_true(lxfw_pbs_job_id("12[].server", &number, &task, &array));
	assert_true(number == 12 && task == -1 && array);
	assert_true(lxfw_pbs_job_id("12[7].server", &number, &task, &array));
	assert_true(number == 12 && task == 7 && !array);
	assert_true(lxfw_pbs_job_id("12", &number, &task, &array));
	assert_false(lxfw_pbs_job_id("R12.server", &number, &task, &array));
	assert_true(lxfw_pbs_job_id("0.server", &number, &task, &array));
	assert_true(number == 0 && task == -1 && !array);
	assert_false(lxfw_pbs_job_id("12[7.server", &number, &task, &array));
	assert_false(lxfw_pbs_job_id("12x", &number, &task, &array));
	assert_int_equal(lxfw_pbs_id(12, -1), 12);
	assert_true(lxfw_pbs_id(12, 0) == (UINT64_C(1) << 32 | 12));
	assert_int_equal(lxfw_pbs_id(UINT64_C(1) << 31, -1), 0);
	assert_int_equal(lxfw_pbs_id(0, -1), UINT64_C(1) << 31);
}

static void tasks(void **state)
{
	static const int64_t expected[] = { 0, 1, 2, 7, 9, 11, 20, -1 };
	const char *at = "0-2,7-12:2,20";
	int64_t last = -1;

	(void)state;
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		assert_int_equal(lxfw_pbs_next_task(&at, &last), expected[i]);
	at = "5-3";
	last = -1;
	assert_int_equal(lxfw_pbs_next_task(&at, &last), -1);
	at = "1-9:0";
	assert_int_equal(lxfw_pbs_next_task(&at, &last), -1);
}

/* --- a site --------------------------------------------------------------------------- */

static void add_vnode(const char *name, const char *host, const char *state,
		      const char *ncpus, const char *mem, const char *color)
{
	struct lxfw_pbs_vnode *vnode = lxfw_pbs_site_vnode(&site, name);

	lxfw_pbs_vnode_set(&site, vnode, "resources_available", "host", host);
	lxfw_pbs_vnode_set(&site, vnode, "resources_available", "ncpus", ncpus);
	lxfw_pbs_vnode_set(&site, vnode, "resources_available", "mem", mem);
	lxfw_pbs_vnode_set(&site, vnode, "resources_available", "ngpus", "1");
	if (color)
		lxfw_pbs_vnode_set(&site, vnode, "resources_available", "color", color);
	lxfw_pbs_vnode_set(&site, vnode, "state", NULL, state);
}

/* Three hosts: h0 and h1 with two vnodes each, h2 with one. */
static int make_hosts(void **state)
{
	(void)state;
	assert_true(lxfw_pbs_kinds_init(&site.kinds));
	assert_true(lxfw_pbs_kinds_add(&site.kinds, "color", "4", "131135"));
	assert_true(lxfw_pbs_kinds_add(&site.kinds, "scratch", "5", "163903"));
	assert_true(lxfw_pbs_kinds_add(&site.kinds, "lic", "1", "16447"));
	assert_true(lxfw_pbs_kinds_add(&site.kinds, "first", "1", "196671"));
	lxfw_pbs_site_begin(&site);
	add_vnode("a0", "h0", "free", "4", "8gb", "red,blue");
	add_vnode("a1", "h0", "free", "4", "8gb", "red");
	add_vnode("b0", "h1", "job-busy", "4", "8gb", "blue");
	add_vnode("b1", "h1", "free", "4", "8gb", "blue");
	add_vnode("c", "h2", "free", "8", "32gb", NULL);
	add_queue();
	return 0;
}

static void hosts(void **state)
{
	(void)state;
	assert_true(lxfw_pbs_site_end(&site));
	assert_int_equal(site.host_count, 3);
	assert_string_equal(site.host[0].name, "h0");
	assert_int_equal(site.host[0].total.procs, 8);
	assert_int_equal(site.host[0].total.memory_mb, 16384);
	assert_int_equal(site.host[0].total.extras[0], 2);
	assert_int_equal(site.host[2].count, 1);
}

/* A vnode of another scheduler's partition, and a host without processors, are none. */
static void other_vnodes(void **state)
{
	struct lxfw_pbs_vnode *vnode;

	(void)state;
	add_vnode("login", "login", "free", "0", "8gb", NULL);
	add_vnode("d", "h3", "free", "4", "8gb", NULL);
	vnode = &site.vnode[site.vnode_count - 1];
	lxfw_pbs_vnode_set(&site, vnode, "partition", NULL, "p1");
	assert_true(lxfw_pbs_site_end(&site));
	assert_int_equal(site.host_count, 3);
	assert_int_equal(lxfw_pbs_site_find_vnode(&site, "d")->in, -1);
	assert_int_equal(lxfw_pbs_site_find_vnode(&site, "c")->in, 2);
}

static void expect_layout(const char *select, const char *place,
			  const struct lxfw_share *shares, int32_t count,
			  const char *expected);

static int request_of(const char *select, const char *place, struct lxfw_request *request,
		      struct lxfw_error *why)
{
	struct lxfw_pbs_job *job = add_job("9.s", 'Q', select, place, NULL);
	int rc = lxfw_pbs_request(&site, &sets, job, request, why);

	lxfw_pbs_job_clear(job);
	site.job_count--;
	return rc;
}

static void requests(void **state)
{
	struct lxfw_request request;
	struct lxfw_error why;

	(void)state;
	assert_true(lxfw_pbs_site_end(&site));
	assert_int_equal(request_of("3:ncpus=2:mem=1500mb", "free", &request, &why), 1);
	assert_int_equal(request.shape, LXFW_SHAPE_ANYWHERE);
	assert_int_equal(request.count, 3);
	assert_int_equal(request.unit.procs, 2);
	assert_int_equal(request.unit.memory_mb, 1500);
	assert_int_equal(request.estimate, 3600);
	assert_false(request.exclusive);

	assert_int_equal(request_of("3:ncpus=2:mem=1500mb:ngpus=1", "scatter:excl", &request,
				    &why), 1);
	assert_int_equal(request.shape, LXFW_SHAPE_HOSTS);
	assert_int_equal(request.count, 3);
	assert_int_equal(request.unit.extras[0], 1);
	assert_true(request.exclusive);

	assert_int_equal(request_of("3:ncpus=2:mem=1001kb", "pack", &request, &why), 1);
	assert_int_equal(request.count, 1);
	assert_int_equal(request.unit.procs, 6);
	assert_int_equal(request.unit.memory_mb, 3);	/* each chunk is rounded up */

	/* Chunks that differ are modelled as the largest. */
	assert_int_equal(request_of("1:ncpus=4:mem=1gb+2:ncpus=1:mem=4gb", "free", &request,
				    &why), 1);
	assert_int_equal(request.count, 3);
	assert_int_equal(request.unit.procs, 4);
	assert_int_equal(request.unit.memory_mb, 4096);

	assert_int_equal(request_of("1:ncpus=0:mem=1gb", "free", &request, &why), 1);
	assert_int_equal(request.unit.procs, 1);

	/* Five vnodes of three hosts. */
	assert_int_equal(request_of("3:ncpus=2", "vscatter", &request, &why), 1);
	assert_int_equal(request.shape, LXFW_SHAPE_HOSTS);
	assert_int_equal(request_of("5:ncpus=2", "vscatter", &request, &why), 1);
	assert_int_equal(request.shape, LXFW_SHAPE_ANYWHERE);
	assert_int_equal(request.count, 5);
}

/* `sharing` of vnodes, as pbs_sched understands it. */
static void exclusions(void **state)
{
	enum { NONE = LXFW_PBS_SHARED, VNODE = LXFW_PBS_VNODES, HOST = LXFW_PBS_HOSTS };
	static const struct {
		const char *sharing;
		int of_free, of_shared, of_excl, of_exclhost;
	} cases[] = {
		{ "default_shared", NONE, NONE, VNODE, HOST },
		{ "default_excl", VNODE, NONE, VNODE, HOST },
		{ "default_exclhost", HOST, NONE, VNODE, HOST },
		{ "force_excl", VNODE, VNODE, VNODE, HOST },
		{ "force_exclhost", HOST, HOST, HOST, HOST },
		{ "ignore_excl", NONE, NONE, NONE, NONE },
	};
	struct lxfw_pbs_job *job = add_job("1.s", 'Q', "1:ncpus=1", "free", NULL);
	char name[] = "s0", on[] = "(s0:ncpus=1)";

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		name[1] = (char)('0' + i);
		lxfw_pbs_vnode_set(&site, lxfw_pbs_site_vnode(&site, name), "sharing", NULL,
				   cases[i].sharing);
	}
	assert_true(lxfw_pbs_site_end(&site));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		on[2] = (char)('0' + i);
		lxfw_pbs_job_set(job, "exec_vnode", NULL, on);
		lxfw_pbs_job_set(job, "Resource_List", "place", "free");
		assert_int_equal(lxfw_pbs_exclusion(&site, job), cases[i].of_free);
		lxfw_pbs_job_set(job, "Resource_List", "place", "pack:shared");
		assert_int_equal(lxfw_pbs_exclusion(&site, job), cases[i].of_shared);
		lxfw_pbs_job_set(job, "Resource_List", "place", "excl");
		assert_int_equal(lxfw_pbs_exclusion(&site, job), cases[i].of_excl);
		lxfw_pbs_job_set(job, "Resource_List", "place", "exclhost");
		assert_int_equal(lxfw_pbs_exclusion(&site, job), cases[i].of_exclhost);
	}
}

/* Whether a request is exclusive if the first COUNT vnodes ignore that. */
static bool is_exclusive_beside(size_t count)
{
	struct lxfw_request request;
	struct lxfw_error why;

	for (size_t i = 0; i < count; i++)
		lxfw_pbs_vnode_set(&site, &site.vnode[i], "sharing", NULL, "ignore_excl");
	assert_true(lxfw_pbs_site_end(&site));
	assert_int_equal(request_of("1:ncpus=1", "excl", &request, &why), 1);
	return request.exclusive;
}

/* Where no job can have a vnode alone, the library does not wait for that. */
static void exclusion_that_all_ignore(void **state)
{
	(void)state;
	assert_false(is_exclusive_beside(site.vnode_count));
}

static void exclusion_that_some_ignore(void **state)
{
	(void)state;
	assert_true(is_exclusive_beside(site.vnode_count - 1));
}

static void impossible_requests(void **state)
{
	static const struct {
		const char *select, *place, *why;
	} cases[] = {
		{ "1:ncpus=9:mem=1gb", "free", "the hosts of its queue cannot hold its chunks" },
		{ "4:ncpus=1", "scatter", "the hosts of its queue cannot hold its chunks" },
		{ "6:ncpus=1", "vscatter", "the vnodes of its queue cannot hold its chunks" },
		{ "2:ncpus=5", "vscatter", "the vnodes of its queue cannot hold its chunks" },
		{ "1:ncpus=1:unheard=1", "free", "not modelled: unheard" },
		{ "2:ncpus=1", "free:group=ncpus", "hosts have no values" },
		{ "1:ncpus=1", "nowhere", "its place cannot be read" },
		{ "1:ncpus=1:color=green", "free", "no host" },
		{ "1:ncpus=1:color=red+1:ncpus=1:color=blue:host=h1", "free", "no host" },
		{ "1:ncpus=5:vnode=a0", "free", "the hosts of its queue cannot hold its chunks" },
		{ "2:ncpus=1:color=blue:host=h0", "vscatter", "the vnodes of its queue" },
		{ "1:ncpus=x", "free", "its amount" },
		{ "0:ncpus=1", "free", "its number of chunks" },
		{ "1:ncpus=1+", "free", "its select cannot be read" },
		{ "1:ncpus", "free", "its select cannot be read" },
		{ "", "free", "it has no select" },
		{ "1:ncpus=1:color=\"a+b\"", "free", "special character" },
	};
	struct lxfw_request request;
	struct lxfw_error why;

	(void)state;
	assert_true(lxfw_pbs_site_end(&site));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int rc = request_of(cases[i].select, cases[i].place, &request, &why);

		if (rc != 0 || !strstr(why.text, cases[i].why))
			fail_msg("%s: %d, %s", cases[i].select, rc, why.text);
	}
}

/* A vnode of a host must have what a chunk requires. */
static void properties(void **state)
{
	const struct lxfw_share on = { .host = 0, .amount = { .procs = 8, .memory_mb = 16384 } };
	struct lxfw_request request;
	struct lxfw_error why;
	const struct lxfw_pbs_set *set;

	(void)state;
	assert_true(lxfw_pbs_site_end(&site));
	assert_int_equal(request_of("1:ncpus=1:color=blue", "free", &request, &why), 1);
	set = &sets.set[request.host_sets[0]];
	assert_int_equal(set->count, 2);
	assert_int_equal(set->hosts[0], 0);
	assert_int_equal(set->hosts[1], 1);
	assert_int_equal(request_of("1:ncpus=1:host=h2", "free", &request, &why), 1);
	assert_int_equal(sets.set[request.host_sets[0]].hosts[0], 2);
	assert_int_equal(request_of("1:ncpus=1:vnode=a1", "free", &request, &why), 1);
	assert_int_equal(sets.set[request.host_sets[0]].count, 1);
	/* Chunks are on the vnodes that have it. */
	expect_layout("1:ncpus=1:vnode=a1", "free", &on, 1, "(a1:ncpus=1)");
	expect_layout("1:ncpus=5:vnode=a1", "free", &on, 1, NULL);
	expect_layout("1:ncpus=1:color=blue+2:ncpus=4:color=red", "free", &on, 1, NULL);
	expect_layout("1:ncpus=4:color=red+1:ncpus=1:vnode=a1", "free", &on, 1,
		      "(a0:ncpus=4)+(a1:ncpus=1)");
}

/* A vnode of a queue takes only its jobs, whatever the others of its host do. */
static void vnodes_of_queues(void **state)
{
	const struct lxfw_share on = { .host = 0, .amount = { .procs = 8, .memory_mb = 16384 } };
	struct lxfw_request request;
	struct lxfw_error why;

	(void)state;
	lxfw_pbs_vnode_set(&site, &site.vnode[0], "queue", NULL, "other");
	assert_true(lxfw_pbs_site_end(&site));
	assert_int_equal(request_of("1:ncpus=4:color=red", "free", &request, &why), 1);
	assert_int_equal(request_of("1:ncpus=5:color=red", "free", &request, &why), 0);
	expect_layout("1:ncpus=4", "free", &on, 1, "(a1:ncpus=4)");
	expect_layout("1:ncpus=5", "free", &on, 1, NULL);
}

/* Decimal numbers are counted in thousandths: what jobs request is rounded up. */
static void fractions(void **state)
{
	struct lxfw_pbs_job *job = add_job("5.s", 'Q', "1:ncpus=1", "free", NULL);
	struct lxfw_request request;
	struct lxfw_error why;

	(void)state;
	assert_true(lxfw_pbs_kinds_add(&site.kinds, "part", "14", "16447"));
	lxfw_pbs_job_set(job, "Resource_List", "ncpus", "1");
	assert_true(lxfw_pbs_site_end(&site));
	assert_int_equal(lxfw_pbs_request(&site, &sets, &site.job[0], &request, &why), 1);
	lxfw_pbs_job_set(&site.job[0], "Resource_List", "part", "0.5");
	assert_int_equal(lxfw_pbs_request(&site, &sets, &site.job[0], &request, &why), 1);
	assert_int_equal(request.pool_count, 0);
	lxfw_pbs_server_set(&site, "resources_available", "part", "1.25");
	assert_int_equal(lxfw_pbs_request(&site, &sets, &site.job[0], &request, &why), 1);
	assert_int_equal(request.pools[0].amount, 500);
	assert_int_equal(lxfw_pbs_pool_total(&site, &site.pools.pool[0]), 1250);
	lxfw_pbs_job_set(&site.job[0], "Resource_List", "part", "1.2501");
	assert_int_equal(lxfw_pbs_request(&site, &sets, &site.job[0], &request, &why), 0);
	assert_string_equal(why.text, "it requests more than the server has of part");
}

/* --- layouts -------------------------------------------------------------------------- */

static void expect_layout(const char *select, const char *place,
			  const struct lxfw_share *shares, int32_t count,
			  const char *expected)
{
	struct lxfw_pbs_job *job = add_job("9.s", 'Q', select, place, NULL);
	char *vnodes = lxfw_pbs_layout(&site, job, shares, count);

	if (!vnodes != !expected || (vnodes && strcmp(vnodes, expected) != 0))
		fail_msg("%s: %s, expected %s", select, vnodes ? vnodes : strerror(errno),
			 expected ? expected : "none");
	free(vnodes);
	lxfw_pbs_job_clear(job);
	site.job_count--;
}

static void fractions_of_hosts(void **state)
{
	struct lxfw_share on = { .amount = { .procs = 8 } };
	struct lxfw_request request;
	struct lxfw_error why;
	int place;

	(void)state;
	assert_true(lxfw_pbs_kinds_add(&site.kinds, "slice", "14", "163903"));
	place = lxfw_pbs_kind(&site.kinds, "slice")->place;
	lxfw_pbs_vnode_set(&site, &site.vnode[0], "resources_available", "slice", "1.5009");
	assert_true(lxfw_pbs_site_end(&site));
	assert_int_equal(site.host[0].total.extras[place], 1500);
	on.amount.extras[place] = 1500;
	assert_int_equal(request_of("1:ncpus=1:slice=1.5", "free", &request, &why), 1);
	assert_int_equal(request_of("1:ncpus=1:slice=1.5001", "free", &request, &why), 0);
	expect_layout("2:ncpus=1:slice=0.75", "free", &on, 1,
		      "(a0:ncpus=1:slice=0.750)+(a0:ncpus=1:slice=0.750)");
	expect_layout("1:ncpus=1:slice=.0005", "free", &on, 1, "(a0:ncpus=1:slice=0.001)");
}

static void layouts(void **state)
{
	struct lxfw_share on[3] = {
		{ .host = 0, .amount = { .procs = 8, .memory_mb = 16384 } },
		{ .host = 1, .amount = { .procs = 8, .memory_mb = 16384 } },
		{ .host = 2, .amount = { .procs = 8, .memory_mb = 16384, .extras = { 1 } } },
	};

	(void)state;
	(void)add_job("1.s", 'R', "1:ncpus=3", "free", "(a0:ncpus=3)");
	(void)add_job("2.s", 'S', "1:ncpus=4:mem=7gb", "free", "(b0:ncpus=4:mem=7340032kb)");
	assert_true(lxfw_pbs_site_end(&site));
	/* The vnode with the fewest free processors. */
	expect_layout("1:ncpus=1:mem=100kb", "free", on, 1, "(a0:ncpus=1:mem=100kb)");
	expect_layout("1:ncpus=2", "free", on, 1, "(a1:ncpus=2)");
	/* A suspended job keeps its memory, not its processors. */
	expect_layout("1:ncpus=4:mem=2gb", "free", &on[1], 1, "(b1:ncpus=4:mem=2097152kb)");
	expect_layout("2:ncpus=4:mem=1gb", "free", &on[1], 1,
		      "(b0:ncpus=4:mem=1048576kb)+(b1:ncpus=4:mem=1048576kb)");
	/* No vnode holds the chunk. */
	expect_layout("1:ncpus=5", "free", on, 1, "(a0:ncpus=1+a1:ncpus=4)");
	expect_layout("1:ncpus=6", "free", on, 1, NULL);
	expect_layout("1:ncpus=5", "vscatter", on, 1, NULL);
	expect_layout("2:ncpus=1", "vscatter", on, 1, "(a0:ncpus=1)+(a1:ncpus=1)");
	expect_layout("3:ncpus=1", "vscatter", on, 1, NULL);
	expect_layout("3:ncpus=1", "scatter", on, 3, "(a0:ncpus=1)+(b0:ncpus=1)+(c:ncpus=1)");
	expect_layout("1:ncpus=1:ngpus=1", "free", &on[2], 1, "(c:ncpus=1:ngpus=1)");
	/* The share limits what a host gets. */
	on[0].amount.procs = 1;
	expect_layout("2:ncpus=1", "free", on, 3, "(a0:ncpus=1)+(b0:ncpus=1)");
	/* A vnode with a job is not free for an exclusive one. */
	on[0].amount.procs = 8;
	expect_layout("1:ncpus=1", "free:excl", on, 1, "(a1:ncpus=1)");
	expect_layout("1:ncpus=5", "free:excl", on, 1, NULL);
	/* Nor is its host for one that wants the whole host. */
	expect_layout("1:ncpus=1", "free:exclhost", on, 1, NULL);
	expect_layout("1:ncpus=1", "free:exclhost", &on[1], 1, "(b0:ncpus=1)");
}

static void exclusive_vnodes(void **state)
{
	const struct lxfw_share on = { .host = 0, .amount = { .procs = 8 } };

	(void)state;
	(void)add_job("1.s", 'R', "1:ncpus=1", "free:excl", "(a0:ncpus=1)");
	assert_true(lxfw_pbs_site_end(&site));
	expect_layout("1:ncpus=1", "free", &on, 1, "(a1:ncpus=1)");
	expect_layout("2:ncpus=3", "free", &on, 1, NULL);
}

/* A job with exclhost has the vnodes of its host that it does not use, too. */
static void exclusive_hosts(void **state)
{
	const struct lxfw_share on = { .host = 0, .amount = { .procs = 8 } };

	(void)state;
	(void)add_job("1.s", 'R', "1:ncpus=1", "pack:exclhost", "(a0:ncpus=1)");
	assert_true(lxfw_pbs_site_end(&site));
	expect_layout("1:ncpus=1", "free", &on, 1, NULL);
	lxfw_pbs_use(&site, &site.job[0], -1, true);
	expect_layout("2:ncpus=4", "free", &on, 1, "(a0:ncpus=4)+(a1:ncpus=4)");
}

static void vnodes_that_are_down(void **state)
{
	const struct lxfw_share on = { .host = 0, .amount = { .procs = 8 } };

	(void)state;
	lxfw_pbs_vnode_set(&site, &site.vnode[0], "state", NULL, "offline,job-busy");
	assert_true(lxfw_pbs_site_end(&site));
	assert_false(lxfw_pbs_site_find_vnode(&site, "a0")->up);
	expect_layout("1:ncpus=1", "free", &on, 1, "(a1:ncpus=1)");
	expect_layout("1:ncpus=5", "free", &on, 1, NULL);
	/* A chunk that needs nothing still needs a vnode. */
	lxfw_pbs_site_find_vnode(&site, "a1")->up = false;
	expect_layout("1:ncpus=0", "free", &on, 1, NULL);
}

static void shares(void **state)
{
	struct lxfw_share *made = NULL;
	size_t size = 0;
	int32_t count;

	(void)state;
	assert_true(lxfw_pbs_site_end(&site));
	count = lxfw_pbs_shares(&site, "(c:ncpus=2:mem=1kb)+(a1:ncpus=1+a0:mem=2048kb)+(c:ncpus=1:ngpus=1)",
				false, &made, &size);
	assert_int_equal(count, 2);
	assert_int_equal(made[0].host, 0);
	assert_int_equal(made[0].amount.procs, 1);
	assert_int_equal(made[0].amount.memory_mb, 2);
	assert_int_equal(made[1].host, 2);
	assert_int_equal(made[1].amount.procs, 3);
	assert_int_equal(made[1].amount.memory_mb, 1);
	assert_int_equal(made[1].amount.extras[0], 1);
	count = lxfw_pbs_shares(&site, "a0:ncpus=1", true, &made, &size);
	assert_int_equal(count, 1);
	assert_int_equal(made[0].amount.procs, 8);
	assert_int_equal(lxfw_pbs_shares(&site, "(a0:ncpus=1", false, &made, &size), -1);
	assert_int_equal(lxfw_pbs_shares(&site, "(gone:ncpus=1)", false, &made, &size), 0);
	free(made);
}

/* --- arrays --------------------------------------------------------------------------- */

static void arrays(void **state)
{
	struct lxfw_pbs_job *job = add_job("7[].s", 'B', "1:ncpus=1", "free", NULL);

	(void)state;
	lxfw_pbs_job_set(job, "array_indices_remaining", NULL, "3-200");
	lxfw_pbs_job_set(job, "max_run_subjobs", NULL, "4");
	(void)add_job("7[1].s", 'R', "1:ncpus=1", "free", "(a0:ncpus=1)");
	(void)add_job("7[2].s", 'S', "1:ncpus=1", "free", "(a0:ncpus=1)");
	assert_true(lxfw_pbs_site_end(&site));
	/* Two of four run. */
	assert_int_equal(site.job_count, 5);
	assert_string_equal(site.job[3].id, "7[3].s");
	assert_string_equal(site.job[4].id, "7[4].s");
	assert_true(site.job[3].record >= LXFW_PBS_RECORDS_FIRST);
	assert_true(site.job[3].record != site.job[4].record);
	assert_int_equal(site.job[0].record, 0);
}

/* --- limits --------------------------------------------------------------------------- */

static struct lxfw_pbs_job *add_users_job(const char *id, char state, const char *user,
					  const char *ncpus)
{
	struct lxfw_pbs_job *job = add_job(id, state, "1:ncpus=1", "free",
					   state == 'Q' ? NULL : "(c:ncpus=1)");

	lxfw_pbs_job_set(job, "euser", NULL, user);
	lxfw_pbs_job_set(job, "egroup", NULL, "staff");
	lxfw_pbs_job_set(job, "Resource_List", "ncpus", ncpus);
	lxfw_pbs_job_set(job, "Resource_List", "mem", "2gb");
	return job;
}

static const char *limited(size_t index)
{
	const struct lxfw_pbs_limit *limit = lxfw_pbs_limited(&site, &site.job[index]);

	return limit ? limit->name : "none";
}

static void limits(void **state)
{
	struct lxfw_pbs_limits *server = &site.limits;

	(void)state;
	(void)add_users_job("1.s", 'R', "anna", "3");
	(void)add_users_job("2.s", 'S', "anna", "1");
	(void)add_users_job("3.s", 'Q', "anna", "2");
	(void)add_users_job("4.s", 'Q', "bert", "2");
	assert_true(lxfw_pbs_site_end(&site));
	assert_string_equal(limited(2), "none");
	lxfw_pbs_server_set(&site, "max_run", NULL, "[u:PBS_GENERIC=2], [u:carl=1]");
	assert_string_equal(limited(2), "PBS_GENERIC");
	assert_string_equal(limited(3), "none");
	/* A limit of one's own replaces the generic one. */
	lxfw_pbs_server_set(&site, "max_run", NULL, "[u:anna=3]");
	assert_string_equal(limited(2), "none");
	lxfw_pbs_queue_set(&site, lxfw_pbs_site_find_queue(&site, "workq"), "max_run_res",
			   "ncpus", "[g:staff=6]");
	assert_string_equal(limited(3), "none");
	lxfw_pbs_queue_set(&site, lxfw_pbs_site_find_queue(&site, "workq"), "max_run_res",
			   "mem", "[o:PBS_ALL=5gb]");
	assert_string_equal(limited(3), "PBS_ALL");
	lxfw_pbs_limits_clear(&site.queue[0].limits);
	lxfw_pbs_sums_clear(&site.sums);
	lxfw_pbs_queue_set(&site, &site.queue[0], "max_running", NULL, "2");
	assert_string_equal(limited(3), "PBS_ALL");
	/* What cannot be read is no limit. */
	lxfw_pbs_limits_clear(server);
	lxfw_pbs_limits_clear(&site.queue[0].limits);
	lxfw_pbs_sums_clear(&site.sums);
	lxfw_pbs_server_set(&site, "max_run", NULL, "[x:anna=0],[u:anna],[u:=],u:anna=x],,[");
	assert_string_equal(limited(2), "none");
}

/* --- files ---------------------------------------------------------------------------- */

static void records(void **state)
{
	struct lxfw_pbs_records one = { 0 }, other = { 0 };
	char path[] = "/tmp/lxfw-records-XXXXXX";
	uint32_t first, second;
	FILE *file;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(lxfw_pbs_record(&one, 5, -1), 5);
	first = lxfw_pbs_record(&one, 5, 0);
	second = lxfw_pbs_record(&one, 5, 1);
	assert_true(first >= LXFW_PBS_RECORDS_FIRST && second > first);
	assert_true(one.dirty);
	assert_int_equal(lxfw_pbs_records_write(&one, path), 0);
	assert_false(one.dirty);
	assert_int_equal(lxfw_pbs_records_read(&other, path), 0);
	assert_int_equal(lxfw_pbs_record(&other, 5, 1), second);
	/* A number is not used again after a restart. */
	assert_true(lxfw_pbs_record(&other, 5, 2) > second);
	lxfw_pbs_records_sweep(&other);	/* all have been read or asked for */
	assert_int_equal(lxfw_pbs_record(&other, 5, 1), second);
	lxfw_pbs_records_sweep(&other);
	assert_int_equal(other.count, 1);
	assert_true(lxfw_pbs_record(&other, 5, 0) > second);
	lxfw_pbs_records_clear(&other);
	/* The valid lines of a damaged file. */
	file = fopen(path, "a");
	fputs("nonsense\n6 3 2147484000\n7 -1 2147484001\n8 0 12\n9 0 2147484002 x\n", file);
	fclose(file);
	assert_int_equal(lxfw_pbs_records_read(&other, path), -1);
	assert_int_equal(errno, EBADMSG);
	assert_int_equal(lxfw_pbs_record(&other, 6, 3), 2147484000);
	assert_int_equal(other.count, 3);	/* with the two lines before */
	lxfw_pbs_records_clear(&one);
	lxfw_pbs_records_clear(&other);
	unlink(path);
}

static void configuration(void **state)
{
	char path[] = "/tmp/lxfw-config-XXXXXX", *text;
	struct lxfw_error why;
	static struct lxfw_pbs pbs;
	int fd = mkstemp(path);
	FILE *file = fdopen(fd, "w");

	(void)state;
	fputs("# a site\n\n lxfw_policy=easy \nlxfw_journal_keep=3\n", file);
	fflush(file);
	text = lxfw_pbs_config_read(path, "lxfw_reservations=2", &why);
	assert_string_equal(text, "lxfw_policy=easy,lxfw_journal_keep=3,lxfw_reservations=2");
	free(text);
	pbs.folder = "/nonexistent";
	assert_false(lxfw_pbs_config_use(&pbs, "lxfw_policy=eqspatial", &why));
	assert_non_null(strstr(why.text, "PBS cannot carry it out"));
	assert_false(lxfw_pbs_config_use(&pbs, "lxfw_policy=lxfw,ww=300", &why));
	assert_string_equal(why.text, "ww: unknown key, expected lxfw_ww?");
	assert_false(lxfw_pbs_config_use(&pbs, "lxfw_let_go=5", &why));
	assert_false(lxfw_pbs_config_use(&pbs, "lxfw_journal_keep=x", &why));
	lxfw_pbs_config_locate(path, &why);
	assert_non_null(strstr(why.text, ":4: lxfw_journal_keep"));
	assert_false(lxfw_pbs_config_use(&pbs, "lxfw_shadow=on", &why));
	pbs.shadow = true;
	assert_false(lxfw_pbs_config_use(&pbs, "lxfw_policy=remaining", &why));
	assert_true(lxfw_pbs_config_use(&pbs, "lxfw_policy=lxfw,lxfw_quantum=60", &why));
	assert_int_equal(pbs.agent.params.shadow, LXFW_SHADOW_ON);
	assert_int_equal(pbs.agent.params.quantum, 0);
	pbs.shadow = false;
	fputs("lxfw_ww 3\n", file);
	fclose(file);
	assert_null(lxfw_pbs_config_read(path, NULL, &why));
	assert_non_null(strstr(why.text, ":5: expected KEY=VALUE"));
	unlink(path);
	assert_null(lxfw_pbs_config_read(path, NULL, &why));
}

#define SITE_TEST(test) cmocka_unit_test_setup_teardown(test, make_hosts, clear_site)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes),
		cmocka_unit_test(durations),
		cmocka_unit_test(truths_and_lists),
		cmocka_unit_test(ids),
		cmocka_unit_test(tasks),
		SITE_TEST(hosts),
		SITE_TEST(other_vnodes),
		SITE_TEST(requests),
		SITE_TEST(exclusions),
		SITE_TEST(exclusion_that_all_ignore),
		SITE_TEST(exclusion_that_some_ignore),
		SITE_TEST(impossible_requests),
		SITE_TEST(properties),
		SITE_TEST(vnodes_of_queues),
		SITE_TEST(fractions),
		SITE_TEST(fractions_of_hosts),
		SITE_TEST(layouts),
		SITE_TEST(exclusive_vnodes),
		SITE_TEST(exclusive_hosts),
		SITE_TEST(vnodes_that_are_down),
		SITE_TEST(shares),
		SITE_TEST(arrays),
		SITE_TEST(limits),
		cmocka_unit_test(records),
		cmocka_unit_test(configuration),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
