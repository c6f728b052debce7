/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests and amounts beyond what lxfw-pbsd represents: sets of hosts, chunks, resources. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/pbs/psets.h"
#include "tests/unit/pbs_site.h"

/* --- many sets ------------------------------------------------------------------------------ */

/* A job of USER whose host must have RANK or more. */
static int request_rank(const char *user, int rank, struct lxfw_request *request,
			struct lxfw_error *why)
{
	struct lxfw_pbs_job job;
	char select[64];
	int rc;

	snprintf(select, sizeof(select), "1:ncpus=1:rank=%d", rank);
	lxfw_pbs_job_begin(&job, "1.s");
	lxfw_pbs_job_set(&job, "queue", NULL, "workq");
	lxfw_pbs_job_set(&job, "euser", NULL, user);
	lxfw_pbs_job_set(&job, "schedselect", NULL, select);
	rc = lxfw_pbs_request(&site, &sets, &job, request, why);
	lxfw_pbs_job_clear(&job);
	return rc;
}

static void add_ranks(void)
{
	assert_true(lxfw_pbs_kinds_add(&site.kinds, "rank", "1", "131072"));
	for (size_t i = 0; i < site.vnode_count; i++)
		lxfw_pbs_vnode_set(&site, &site.vnode[i], "resources_available", "rank", "9999");
	assert_true(lxfw_pbs_site_end(&site));
}

/* A user does not take the sets of others. */
static void sets_of_users(void **state)
{
	struct lxfw_request request;
	struct lxfw_error why;

	(void)state;
	add_ranks();
	for (int i = 0; i < LXFW_PBS_SETS_OF_USER; i++)
		assert_int_equal(request_rank("greedy", i, &request, &why), 1);
	assert_int_equal(request_rank("greedy", 9000, &request, &why), 0);
	assert_string_equal(why.text, "too many different requirements of hosts are in use");
	assert_int_equal(request_rank("greedy", 7, &request, &why), 1);
	assert_int_equal(request_rank("bob", 9000, &request, &why), 1);
	assert_int_equal(sets.count, LXFW_PBS_SETS_OF_USER + 1);
}

/* What no host has takes no place. */
static void no_empty_sets(void **state)
{
	struct lxfw_request request;
	struct lxfw_error why;

	(void)state;
	add_ranks();
	assert_int_equal(request_rank("bob", 10000, &request, &why), 0);
	assert_string_equal(why.text, "no host of its queue has what all its chunks require");
	assert_int_equal(sets.count, 0);
}

/* A set that no job needs becomes one of other jobs, and the library learns of that. */
static void sets_are_evicted(void **state)
{
	struct lxfw_request request;
	struct lxfw_error why;

	(void)state;
	add_ranks();
	for (int i = 0; i < LXFW_PBS_SETS_OF_USER; i++)
		assert_int_equal(request_rank("greedy", i, &request, &why), 1);
	for (size_t i = 0; i < sets.count; i++)
		sets.set[i].told = true;
	lxfw_pbs_sets_need(&sets, 0, 3);
	lxfw_pbs_sets_need(&sets, 5, 2);
	lxfw_pbs_sets_evict(&sets);
	assert_true(lxfw_pbs_sets_update(&sets, &site));
	assert_int_equal(request_rank("bob", 2, &request, &why), 1);
	assert_int_equal(request.host_sets[0], 2);
	assert_int_equal(request_rank("greedy", 4, &request, &why), 1);
	assert_int_equal(request.host_sets[0], 3);
	assert_false(sets.set[3].told);
	assert_int_equal(sets.set[3].count, 4);
	assert_int_equal(request_rank("greedy", 9000, &request, &why), 1);
	assert_int_equal(request.host_sets[0], 4);
	assert_int_equal(sets.count, LXFW_PBS_SETS_OF_USER);
	lxfw_pbs_sets_evict(&sets);	/* none is needed */
	assert_true(lxfw_pbs_sets_allow(&sets, lxfw_pbs_sets_owner("greedy")));
}

/* The sets of a family are evicted together, and a new family gets places beside each other. */
static void families_are_evicted(void **state)
{
	uint64_t owner = lxfw_pbs_sets_owner("bob");
	struct lxfw_request request;
	struct lxfw_error why;
	int32_t count;

	(void)state;
	assert_true(lxfw_pbs_kinds_add(&site.kinds, "switch", "3", "131072"));
	for (size_t i = 0; i < site.vnode_count; i++)
		lxfw_pbs_vnode_set(&site, &site.vnode[i], "resources_available", "switch",
				   i < 2 ? "a" : "b");
	add_ranks();
	assert_int_equal(lxfw_pbs_psets(&sets, &site, &site.queue[0], "", "switch", owner,
					&count), 1);
	assert_int_equal(count, 2);
	assert_int_equal(request_rank("bob", 1, &request, &why), 1);
	assert_int_equal(request.host_sets[0], 3);
	lxfw_pbs_sets_need(&sets, 2, 2);
	lxfw_pbs_sets_evict(&sets);	/* all are needed: one of the family is */
	assert_true(lxfw_pbs_sets_update(&sets, &site));
	assert_int_equal(lxfw_pbs_psets(&sets, &site, &site.queue[0], "", "switch", owner,
					&count), 1);
	lxfw_pbs_sets_need(&sets, 3, 1);
	lxfw_pbs_sets_evict(&sets);
	assert_int_equal(sets.family_count, 0);
	assert_int_equal(request_rank("bob", 2, &request, &why), 1);
	assert_int_equal(request.host_sets[0], 0);
	assert_int_equal(lxfw_pbs_psets(&sets, &site, &site.queue[0], "rank=2", "switch", owner,
					&count), 1);
	assert_int_equal(count, 2);
	assert_int_equal(sets.set[2].count, 2);
	assert_int_equal(sets.count, 4);
}

/* --- large amounts ------------------------------------------------------------------------- */

static int request_one(const char *select, struct lxfw_request *request, struct lxfw_error *why)
{
	struct lxfw_pbs_job job;
	int rc;

	lxfw_pbs_job_begin(&job, "1.s");
	lxfw_pbs_job_set(&job, "queue", NULL, "workq");
	lxfw_pbs_job_set(&job, "schedselect", NULL, select);
	rc = lxfw_pbs_request(&site, &sets, &job, request, why);
	lxfw_pbs_job_clear(&job);
	return rc;
}

/* A vnode that has more than the bound has the bound. */
static void large_amounts(void **state)
{
	struct lxfw_request request;
	struct lxfw_error why;

	(void)state;
	assert_true(lxfw_pbs_kinds_add(&site.kinds, "scratch", "5", "163903"));	/* flag nh */
	assert_true(lxfw_pbs_kinds_add(&site.kinds, "bw", "1", "163903"));
	for (size_t i = 0; i < site.vnode_count; i++) {
		lxfw_pbs_vnode_set(&site, &site.vnode[i], "resources_available", "scratch",
				   i ? "5tb" : "5000pb");
		lxfw_pbs_vnode_set(&site, &site.vnode[i], "resources_available", "bw",
				   "10000000");
		lxfw_pbs_vnode_set(&site, &site.vnode[i], "resources_available", "host",
				   i < 2 ? "h" : site.vnode[i].name);
	}
	add_job("2.s", 'R', "1:ncpus=1", "free", "(v0:ncpus=1:scratch=1000000000000kb)");
	assert_true(lxfw_pbs_site_end(&site));
	assert_int_equal(request_one("1:ncpus=1:scratch=5tb:bw=10000000", &request, &why), 1);
	assert_int_equal(request_one("1:ncpus=1:bw=10000001", &request, &why), 1);
	assert_int_equal(request_one("2:ncpus=1:bw=10000001", &request, &why), 0);
	assert_string_equal(why.text, "the hosts of its queue cannot hold its chunks");
	assert_int_equal(request_one("1:ncpus=1:scratch=256tb", &request, &why), 1);
	assert_int_equal(request_one("1:ncpus=1:scratch=257tb", &request, &why), 0);
	assert_string_equal(why.text, "it requests more than a chunk can have, 268435456mb: scratch=257tb");
	assert_int_equal(lxfw_pbs_site_find_vnode(&site, "v0")->used.extras[1], 1 << 28);
	/* Sums of vnodes are bounded too. */
	for (size_t i = 0; i < 4; i++) {
		struct lxfw_resources sum = { .extras = { 0, 1 << 30 } };

		lxfw_pbs_add_vnode(&sum, &site.vnode[i].total);
		assert_int_equal(sum.extras[1], 1 << 30);
	}
}

/* --- many chunks --------------------------------------------------------------------------- */

/* COUNT times ONE and OTHER in turn. */
static int request_turns(const char *one, const char *other, int count,
			 struct lxfw_request *request, struct lxfw_error *why)
{
	char *select = NULL, *end;
	struct lxfw_pbs_job job;
	int rc;

	select = end = malloc((size_t)count * (strlen(one) + strlen(other) + 2) + 1);
	assert_non_null(select);
	for (int i = 0; i < count; i++)
		end += sprintf(end, "%s+%s+", one, other);
	end[-1] = '\0';
	lxfw_pbs_job_begin(&job, "1.s");
	lxfw_pbs_job_set(&job, "queue", NULL, "workq");
	lxfw_pbs_job_set(&job, "schedselect", NULL, select);
	rc = lxfw_pbs_request(&site, &sets, &job, request, why);
	lxfw_pbs_job_clear(&job);
	free(select);
	return rc;
}

/* A requirement counts once, and so do equal chunks beside each other. */
static void many_chunks(void **state)
{
	struct lxfw_request request;
	struct lxfw_error why;

	(void)state;
	add_ranks();
	assert_int_equal(request_turns("1:ncpus=1:rank=1", "1:ncpus=1:rank=2", 5, &request, &why),
			 1);
	assert_int_equal(request.count, 10);
	assert_string_equal(sets.set[request.host_sets[0]].key, "workq|rank=1:rank=2");
	assert_int_equal(request_turns("1:ncpus=1", "2:ncpus=1", 5, &request, &why), 1);
	assert_int_equal(request.count, 15);
	assert_int_equal(request_turns("1:ncpus=1", "1:ncpus=1", 30000, &request, &why), 0);
	assert_string_equal(why.text, "the hosts of its queue cannot hold its chunks");
	assert_int_equal(request_turns("1:ncpus=1", "1:ncpus=2", 501, &request, &why), 0);
	assert_string_equal(why.text, "it requests too many different chunks");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(sets_of_users, make_site, clear_site),
		cmocka_unit_test_setup_teardown(no_empty_sets, make_site, clear_site),
		cmocka_unit_test_setup_teardown(sets_are_evicted, make_site, clear_site),
		cmocka_unit_test_setup_teardown(families_are_evicted, make_site, clear_site),
		cmocka_unit_test_setup_teardown(many_chunks, make_site, clear_site),
		cmocka_unit_test_setup_teardown(large_amounts, make_site, clear_site),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
