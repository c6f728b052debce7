/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's priority/multifactor: examples computed by hand. */
#include "sim-frontend/priority/multifactor.h"

#include <math.h>

#include "sim-frontend/priority/fair.h"
#include "sim-frontend/priority/reset.h"
#include "tests/unit/multifactor_site.h"

/* The example of Slurm's page "Classic Fairshare Algorithm": shares of 40 and 60. */
static const char classic_text[] =
	"Account|User|RawShares|RawUsage\n"
	"root|||700\n"
	" A||40|450\n"
	"  B||30|200\n   B|user1|1|200\n"
	"  C||10|250\n   C|user2|1|250\n   C|user3|1|0\n"
	" D||60|250\n"
	"  E||25|250\n   E|user4|1|250\n"
	"  F||35|0\n   F|user5|1|0\n";

/* The page's usages are parts of 1, of which 0.3 is nobody's. */
static void test_classic_example(void **state)
{
	static const struct {
		const char *account, *user;
		double effective, shares, factor;
	} expected[] = {
		{ "B", "user1", 0.3875, 0.3, 0.408479 },
		{ "C", "user2", 0.275, 0.05, 0.022097 },
		{ "C", "user3", 0.15, 0.05, 0.125 },
		{ "E", "user4", 0.25, 0.25, 0.5 },
		{ "F", "user5", 0.1458, 0.35, 0.749154 },
	};
	struct lxfw_multifactor *model;
	struct lxfw_multifactor_share share;

	(void)state;
	site.params.flags = LXFW_MULTIFACTOR_NO_FAIR_TREE;
	read_assocs(classic_text);
	site.assocs.items[0].usage = 1000;
	model = lxfw_multifactor_new(&site, &site.params, NULL, 0);
	assert_non_null(model);
	assert_int_equal(lxfw_multifactor_step(model, 0), 0);
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
		lxfw_multifactor_share(model, assoc(expected[i].account, expected[i].user),
				       &share);
		assert_near(share.usage_effective, expected[i].effective, 5e-5);
		assert_near(share.shares_norm, expected[i].shares, 1e-12);
		/* the page rounds before it raises */
		assert_near(share.fairshare, expected[i].factor, 1e-4);
	}
	lxfw_multifactor_share(model, assoc("A", ""), &share);
	assert_near(share.usage_effective, 0.45, 1e-12);
	lxfw_multifactor_free(model);
}

/* Shares / usage of each level, by hand: accounts x 0.75 / 0.5 = 1.5 and y 0.25 / 0.5 = 0.5;
   in x users c, unused, a 0.25 / 0.25 = 1, b 0.5 / 0.75 = 0.67; in y users d 1 and e 1,
   with which the account z ties, and its f. */
static const char tree_text[] =
	"Account|User|RawShares|RawUsage\n"
	"root|||800\n"
	" y||1|400\n"
	"  y|d|1|100\n  y|e|1|100\n"
	"  z||2|200\n   z|f|1|50\n   z|g|1|150\n"
	" x||3|400\n"
	"  x|a|1|100\n  x|b|2|300\n  x|c|1|0\n";

static void test_fair_tree_example(void **state)
{
	static const struct {
		const char *account, *user;
		double level, rank;
	} expected[] = {
		{ "x", "c", HUGE_VAL, 7 }, { "x", "a", 1, 6 }, { "x", "b", 2.0 / 3, 5 },
		{ "y", "d", 1, 4 }, { "y", "e", 1, 4 },
		/* the first user of an account that ties has the rank of those before */
		{ "z", "f", 2, 4 }, { "z", "g", 2.0 / 3, 1 },
	};
	struct lxfw_multifactor *model;
	struct lxfw_multifactor_share share;

	(void)state;
	read_assocs(tree_text);
	model = lxfw_multifactor_new(&site, &site.params, NULL, 0);
	assert_non_null(model);
	assert_int_equal(lxfw_multifactor_step(model, 0), 0);
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
		lxfw_multifactor_share(model, assoc(expected[i].account, expected[i].user),
				       &share);
		if (isinf(expected[i].level))
			assert_true(isinf(share.level));
		else
			assert_near(share.level, expected[i].level, 1e-12);
		assert_near(share.fairshare, expected[i].rank / 7, 1e-12);
	}
	lxfw_multifactor_share(model, assoc("x", ""), &share);
	assert_near(share.level, 1.5, 1e-12);
	lxfw_multifactor_free(model);
}

static struct lxfw_multifactor_job job_of(uint64_t id, const char *account, const char *user,
					  uint32_t procs)
{
	return (struct lxfw_multifactor_job) {
		.id = id, .assoc = assoc(account, user), .qos = -1,
		.partitions = { 0 }, .partition_count = 1,
		.size = { .procs = procs, .nodes = 1, .limit_minutes = 60 },
		.tres = { [LXFW_TRES_CPU] = procs, [LXFW_TRES_NODE] = 1 },
	};
}

#define TWO_USERS \
	"Account|User|RawShares|RawUsage\nroot|||0\n a||1|0\n  a|u|1|0\n" \
	" b||1|0\n  b|v|1|0\n"

/* 8 processors from 100 to 700, steps each 300 s from 0 on. */
static void test_usage(void **state)
{
	struct lxfw_multifactor_job job;
	struct lxfw_multifactor_share share;
	struct lxfw_multifactor *model;
	double second, expected;

	(void)state;
	read_assocs(TWO_USERS);
	site.params.half_life = 3600;
	second = 1 - 0.693 / 3600;
	model = lxfw_multifactor_new(&site, &site.params, NULL, 0);
	assert_non_null(model);
	job = job_of(1, "a", "u", 8);
	assert_int_equal(lxfw_multifactor_due(model), 0);
	assert_int_equal(lxfw_multifactor_step(model, 0), 0);
	assert_int_equal(lxfw_multifactor_due(model), 300);
	assert_int_equal(lxfw_multifactor_submit(model, &job, 50), 0);
	assert_int_equal(lxfw_multifactor_start(model, 1, 0, 8, NULL, 100), 0);
	assert_int_equal(lxfw_multifactor_step(model, 300), 0);
	expected = 8 * 200 * pow(second, 200);
	assert_int_equal(lxfw_multifactor_step(model, 600), 0);
	expected = expected * pow(second, 300) + 8 * 300 * pow(second, 300);
	assert_int_equal(lxfw_multifactor_end(model, 1, 700), 0);
	expected += 8 * 100 * pow(second, 100);
	lxfw_multifactor_share(model, assoc("a", "u"), &share);
	assert_near((double)share.usage_raw, expected, 1e-9);
	lxfw_multifactor_share(model, 0, &share);
	assert_near((double)share.usage_raw, expected, 1e-9);
	assert_int_equal(lxfw_multifactor_step(model, 900), 0);
	lxfw_multifactor_share(model, assoc("a", ""), &share);
	assert_near((double)share.usage_raw, expected * pow(second, 300), 1e-9);
	lxfw_multifactor_share(model, assoc("b", "v"), &share);
	assert_true(share.usage_raw == 0);
	lxfw_multifactor_free(model);
}

/* Without limits Slurm never adds what a job used after the last step. */
static void test_end_without_limits(void **state)
{
	struct lxfw_multifactor_job job;
	struct lxfw_multifactor_share share;
	struct lxfw_multifactor *model;

	(void)state;
	read_assocs(TWO_USERS);
	site.params.half_life = 0;
	site.params.enforce_limits = false;
	model = lxfw_multifactor_new(&site, &site.params, NULL, 0);
	assert_non_null(model);
	job = job_of(1, "a", "u", 8);
	assert_int_equal(lxfw_multifactor_step(model, 0), 0);
	assert_int_equal(lxfw_multifactor_submit(model, &job, 0), 0);
	assert_int_equal(lxfw_multifactor_start(model, 1, 0, 8, NULL, 0), 0);
	assert_int_equal(lxfw_multifactor_step(model, 300), 0);
	assert_int_equal(lxfw_multifactor_end(model, 1, 500), 0);
	lxfw_multifactor_share(model, assoc("a", "u"), &share);
	assert_true(share.usage_raw == 8 * 300);
	lxfw_multifactor_free(model);
}

/* Each factor of one job, by hand. */
static void test_factors(void **state)
{
	struct lxfw_multifactor_factors factors;
	struct lxfw_multifactor_job job;
	struct lxfw_multifactor *model;

	(void)state;
	read_assocs("Account|User|Share|Priority\nroot||1|8\nroot|w|1|2\n");
	assert_int_equal(lxfw_qos_read(&site.qos, unit_file("qos",
		"Name|Priority\nlow|5\nhigh|20\n"), &error), 0);
	assert_int_equal(lxfw_multifactor_partition_add(&site, slice("q")), 1);
	site.partitions[1].job_factor = 10;
	site.partitions[1].tres[LXFW_TRES_CPU] = 32;
	site.params.weight_age = 1000;
	site.params.weight_assoc = 100;
	site.params.weight_fairshare = 10;
	site.params.weight_job_size = 640;
	site.params.weight_partition = 50;
	site.params.weight_qos = 400;
	site.params.any_tres = true;
	site.params.weight_tres[LXFW_TRES_CPU] = 3200;
	site.params.max_age = 1000;
	lxfw_multifactor_site_finish(&site);
	model = lxfw_multifactor_new(&site, &site.params, NULL, 0);
	assert_non_null(model);
	job = job_of(7, "root", "w", 8);
	job.qos = 0;
	job.nice = 5;
	job.partitions[0] = 1;
	job.partitions[1] = 0;
	job.partition_count = 2;
	assert_int_equal(lxfw_multifactor_step(model, 0), 0);
	assert_int_equal(lxfw_multifactor_submit(model, &job, 100), 0);
	assert_int_equal(lxfw_multifactor_submit(model, &job, 100), -1);
	/* assoc 25, fair share 10, size (1/4 + 1/8) / 2, partition 50, QOS 100, TRES 800 */
	assert_int_equal(lxfw_multifactor_priority(model, 7, -1),
			 25 + 10 + 120 + 50 + 100 + 800 - 5);
	assert_int_equal(lxfw_multifactor_priority(model, 7, 1), 1100);
	/* the other partition: 5, and it tells no TRES */
	assert_int_equal(lxfw_multifactor_priority(model, 7, 0),
			 25 + 10 + 120 + 5 + 100 - 5);
	assert_int_equal(lxfw_multifactor_eligible(model, 7, 150), 0);
	assert_int_equal(lxfw_multifactor_step(model, 400), 0);
	assert_true(lxfw_multifactor_factors(model, 7, -1, &factors));
	assert_near(factors.age, 250, 1e-9);
	assert_near(factors.tres, 800, 1e-9);
	assert_true(lxfw_multifactor_factors(model, 7, 0, &factors));
	assert_near(factors.tres, 0, 1e-9);
	assert_near(factors.partition, 5, 1e-9);
	assert_int_equal(lxfw_multifactor_step(model, 5000), 0);
	assert_int_equal(lxfw_multifactor_priority(model, 7, -1), 2100);
	assert_int_equal(lxfw_multifactor_renice(model, 7, 3000, 5000), 0);
	assert_int_equal(lxfw_multifactor_priority(model, 7, -1), 1);
	assert_int_equal(lxfw_multifactor_renice(model, 8, 0, 5000), -1);
	lxfw_multifactor_free(model);
}

static void test_size(void **state)
{
	struct lxfw_multifactor_size half = { .procs = 32, .nodes = 1, .limit_minutes = 10 };
	struct lxfw_multifactor_params params = lxfw_multifactor_defaults;

	(void)state;
	assert_near(lxfw_factor_size(&site, &params, &half), 0.375, 1e-12);
	params.favor_small = true;
	assert_near(lxfw_factor_size(&site, &params, &half), 0.625, 1e-12);
	/* 32 processors are more than a node's 16: 32 / 10 / 64 */
	params.flags = LXFW_MULTIFACTOR_SMALL_RELATIVE_TO_TIME;
	assert_near(lxfw_factor_size(&site, &params, &half), 0.95, 1e-12);
	params.favor_small = false;
	assert_near(lxfw_factor_size(&site, &params, &half), 0.05, 1e-12);
	half.nodes = 4;
	assert_near(lxfw_factor_size(&site, &params, &half), 0.1, 1e-12);
}

static size_t changed(const struct lxfw_multifactor *model)
{
	size_t count;

	lxfw_multifactor_changed(model, &count);
	return count;
}

/* Which priorities a step changes; jobs that are held or run keep theirs. */
static void test_changed(void **state)
{
	struct lxfw_multifactor_job job;
	struct lxfw_multifactor *model;
	const uint64_t *ids;
	size_t count;

	(void)state;
	read_assocs(TWO_USERS);
	site.params.weight_age = 1000;
	site.params.max_age = 600;
	model = lxfw_multifactor_new(&site, &site.params, NULL, 0);
	assert_non_null(model);
	assert_int_equal(lxfw_multifactor_step(model, 0), 0);
	for (uint64_t id = 1; id <= 4; id++) {
		job = job_of(id, "a", "u", 1);
		job.held = id == 2;
		job.priority = id == 3 ? 77 : 0;
		assert_int_equal(lxfw_multifactor_submit(model, &job, 0), 0);
		assert_int_equal(lxfw_multifactor_eligible(model, id, 0), 0);
	}
	assert_int_equal(lxfw_multifactor_start(model, 4, 0, 1, NULL, 10), 0);
	assert_int_equal(lxfw_multifactor_step(model, 300), 0);
	ids = lxfw_multifactor_changed(model, &count);
	assert_int_equal(count, 1);
	assert_int_equal(ids[0], 1);
	assert_int_equal(lxfw_multifactor_priority(model, 1, 0), 500);
	assert_int_equal(lxfw_multifactor_priority(model, 2, 0), 0);
	assert_int_equal(lxfw_multifactor_priority(model, 3, 0), 77);
	assert_int_equal(lxfw_multifactor_priority(model, 4, 0), 1);
	assert_int_equal(lxfw_multifactor_release(model, 2, 300), 0);
	assert_int_equal(lxfw_multifactor_eligible(model, 2, 300), 0);
	assert_int_equal(lxfw_multifactor_step(model, 600), 0);
	assert_int_equal(changed(model), 2);
	assert_int_equal(lxfw_multifactor_priority(model, 2, 0), 500);
	assert_int_equal(lxfw_multifactor_hold(model, 1), 0);
	assert_int_equal(lxfw_multifactor_step(model, 900), 0);
	assert_int_equal(changed(model), 1);
	assert_int_equal(lxfw_multifactor_step(model, 1200), 0);
	assert_int_equal(changed(model), 0);
	lxfw_multifactor_free(model);
}

/* INCR_ONLY, CALCULATE_RUNNING and ACCRUE_ALWAYS. */
static void test_flags(void **state)
{
	struct lxfw_multifactor_job job;
	struct lxfw_multifactor *model;

	(void)state;
	read_assocs(TWO_USERS);
	site.params.weight_fairshare = 100;
	site.params.flags = LXFW_MULTIFACTOR_INCR_ONLY | LXFW_MULTIFACTOR_CALCULATE_RUNNING;
	model = lxfw_multifactor_new(&site, &site.params, NULL, 0);
	assert_non_null(model);
	assert_int_equal(lxfw_multifactor_step(model, 0), 0);
	job = job_of(1, "a", "u", 1);
	assert_int_equal(lxfw_multifactor_submit(model, &job, 0), 0);
	assert_int_equal(lxfw_multifactor_start(model, 1, 0, 1, NULL, 0), 0);
	assert_int_equal(lxfw_multifactor_step(model, 300), 0);
	/* v is the first of two now, u the second, but keeps what it had */
	assert_int_equal(lxfw_multifactor_priority(model, 1, 0), 100);
	lxfw_multifactor_free(model);
	site.params.flags = LXFW_MULTIFACTOR_CALCULATE_RUNNING | LXFW_MULTIFACTOR_ACCRUE_ALWAYS;
	site.params.weight_age = 1000;
	site.params.max_age = 3000;
	model = lxfw_multifactor_new(&site, &site.params, NULL, 0);
	assert_non_null(model);
	assert_int_equal(lxfw_multifactor_step(model, 0), 0);
	assert_int_equal(lxfw_multifactor_submit(model, &job, 0), 0);
	assert_int_equal(lxfw_multifactor_start(model, 1, 0, 1, NULL, 0), 0);
	assert_int_equal(lxfw_multifactor_step(model, 300), 0);
	assert_int_equal(lxfw_multifactor_priority(model, 1, 0), 50 + 100);
	lxfw_multifactor_free(model);
}

/* Friday 2021-01-15 12:34:56 UTC, and what comes after it. */
static void test_reset(void **state)
{
	static const struct lxfw_calendar utc = { .known = true, .zone = "UTC" };
	static const struct {
		enum lxfw_multifactor_reset period;
		int64_t next;
	} expected[] = {
		{ LXFW_MULTIFACTOR_RESET_NONE, INT64_MAX },
		{ LXFW_MULTIFACTOR_RESET_NOW, INT64_MIN },
		{ LXFW_MULTIFACTOR_RESET_DAILY, 1610755200 },
		{ LXFW_MULTIFACTOR_RESET_WEEKLY, 1610841600 },
		{ LXFW_MULTIFACTOR_RESET_MONTHLY, 1612137600 },
		{ LXFW_MULTIFACTOR_RESET_QUARTERLY, 1617235200 },
		{ LXFW_MULTIFACTOR_RESET_YEARLY, 1640995200 },
	};
	const int64_t last = 1610714096;
	struct lxfw_multifactor_job job;
	struct lxfw_multifactor_share share;
	struct lxfw_multifactor *model;

	(void)state;
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		assert_int_equal(lxfw_multifactor_next_reset(expected[i].period, &utc, last,
							     last), expected[i].next);
	/* after days without a step, the last midnight that is at most a day ago */
	assert_int_equal(lxfw_multifactor_next_reset(LXFW_MULTIFACTOR_RESET_DAILY, &utc,
				last, last + 3 * 86400), 1610755200 + 2 * 86400);
	read_assocs(TWO_USERS);
	site.params.half_life = 0;
	site.params.reset = LXFW_MULTIFACTOR_RESET_DAILY;
	model = lxfw_multifactor_new(&site, &site.params, NULL, last);
	assert_non_null(model);
	assert_int_equal(lxfw_multifactor_step(model, last), 0);
	job = job_of(1, "a", "u", 1);
	assert_int_equal(lxfw_multifactor_submit(model, &job, last), 0);
	assert_int_equal(lxfw_multifactor_start(model, 1, 0, 1, NULL, last), 0);
	assert_int_equal(lxfw_multifactor_step(model, 1610755199), 0);
	lxfw_multifactor_share(model, 0, &share);
	assert_true(share.usage_raw == 1610755199 - last);
	assert_int_equal(lxfw_multifactor_step(model, 1610755209), 0);
	lxfw_multifactor_share(model, 0, &share);
	assert_true(share.usage_raw == 10);
	lxfw_multifactor_free(model);
}

/* Without slurmdbd no priority is calculated again, and none has age or fair share. */
static void test_without_slurmdbd(void **state)
{
	struct lxfw_multifactor_job job;
	struct lxfw_multifactor *model;

	(void)state;
	read_assocs(TWO_USERS);
	site.params.slurmdbd = false;
	site.params.weight_fairshare = site.params.weight_age = 1000;
	site.params.weight_partition = 5;
	model = lxfw_multifactor_new(&site, &site.params, NULL, 0);
	assert_non_null(model);
	assert_true(lxfw_multifactor_due(model) == INT64_MAX);
	job = job_of(1, "a", "u", 1);
	assert_int_equal(lxfw_multifactor_submit(model, &job, 0), 0);
	assert_int_equal(lxfw_multifactor_priority(model, 1, 0), 5);
	lxfw_multifactor_free(model);
}

/* Users with Fairshare=parent are the first of their account. */
static void test_fair_tree_parent(void **state)
{
	struct lxfw_fair fair;

	(void)state;
	read_assocs("Account|User|RawShares|RawUsage\nroot|||100\n a||1|100\n"
		    "  a|u|1|10\n  a|v|parent|90\n");
	assert_int_equal(lxfw_fair_begin(&fair, &site.assocs, &site.params), 0);
	lxfw_fair_tree_rank(&fair);
	assert_near(fair.usage[assoc("a", "v")].factor, 1, 1e-12);
	assert_near(fair.usage[assoc("a", "u")].factor, 0.5, 1e-12);
	lxfw_fair_clear(&fair);
}

/* By hand: a has used 0.8 / 0.5 = 1.6 times its share. u has 1.5 times what siblings have,
   w half: that one counts by the power 1 / (1 + (5 ln 1.6)^2) = 0.153312. */
static void test_depth_oblivious(void **state)
{
	struct lxfw_fair fair;

	(void)state;
	site.params.flags = LXFW_MULTIFACTOR_DEPTH_OBLIVIOUS;
	site.params.dampening = 2;
	read_assocs("Account|User|RawShares|RawUsage\nroot|||100\n a||1|80\n"
		    "  a|u|1|60\n  a|w|1|20\n b||1|20\n  b|x|1|20\n");
	assert_int_equal(lxfw_fair_begin(&fair, &site.assocs, &site.params), 0);
	/* what siblings used is as of the period before */
	for (int i = 0; i < 2; i++) {
		lxfw_fair_classic_period(&fair);
		lxfw_fair_classic_know(&fair, assoc("a", "u"));
		lxfw_fair_classic_know(&fair, assoc("a", "w"));
	}
	assert_near((double)fair.usage[assoc("a", "u")].effective, 0.6, 1e-12);
	assert_near((double)fair.usage[assoc("a", "w")].effective,
		    1.6 * pow(0.5, 0.153312) * 0.25, 1e-6);
	assert_near(lxfw_fair_factor(&fair, assoc("a", "u")), pow(2, -0.6 / 0.25 / 2), 1e-12);
	lxfw_fair_clear(&fair);
}

/* Within a period the usage of users counts when it is first asked for, that of accounts as
   at its beginning; a QOS counts by its usage factor. */
static void test_classic_period(void **state)
{
	struct lxfw_multifactor_job job;
	struct lxfw_multifactor_share share;
	struct lxfw_multifactor *model;

	(void)state;
	site.params.flags = LXFW_MULTIFACTOR_NO_FAIR_TREE;
	site.params.half_life = 0;
	site.params.weight_fairshare = 1000;
	assert_int_equal(lxfw_qos_read(&site.qos, unit_file("qos",
		"Name|Priority|UsageFactor\ntwice|0|2\n"), &error), 0);
	read_assocs("Account|User|RawShares|RawUsage\nroot|||0\n a||1|0\n  a|u|1|0\n"
		    "  a|w|1|0\n b||1|0\n  b|v|1|0\n");
	model = lxfw_multifactor_new(&site, &site.params, NULL, 0);
	assert_non_null(model);
	assert_int_equal(lxfw_multifactor_step(model, 0), 0);
	job = job_of(1, "a", "u", 10);
	job.qos = 0;
	assert_int_equal(lxfw_multifactor_submit(model, &job, 0), 0);
	assert_int_equal(lxfw_multifactor_priority(model, 1, 0), 1000);
	assert_int_equal(lxfw_multifactor_start(model, 1, 0, 10, NULL, 0), 0);
	/* the accounts are computed before what the job used is added */
	assert_int_equal(lxfw_multifactor_step(model, 300), 0);
	assert_true(lxfw_multifactor_usage(model, assoc("a", "u")) == 2 * 10 * 300);
	lxfw_multifactor_share(model, assoc("a", ""), &share);
	assert_near(share.usage_effective, 0, 0);
	assert_int_equal(lxfw_multifactor_end(model, 1, 450), 0);
	assert_true(lxfw_multifactor_usage(model, 0) == 2 * 10 * 450);
	/* u used all: 1 + (0 - 1) x 1/2; 2^(-0.5 / 0.25) */
	job = job_of(2, "a", "u", 1);
	assert_int_equal(lxfw_multifactor_submit(model, &job, 460), 0);
	assert_int_equal(lxfw_multifactor_priority(model, 2, 0), 250);
	assert_int_equal(lxfw_multifactor_step(model, 600), 0);
	/* a has used all now, too: 1 + (1 - 1) x 1/2; 2^-4 */
	assert_int_equal(lxfw_multifactor_priority(model, 2, 0), 62);
	lxfw_multifactor_free(model);
}

/* The priority of a job of v that waits, after a step in which another one of v runs that was
   submitted before it; EARLIER: and a third one waits that was submitted before both. */
static uint32_t priority_in_order(bool earlier)
{
	struct lxfw_multifactor *model = lxfw_multifactor_new(&site, &site.params, NULL, 0);
	struct lxfw_multifactor_job job;
	uint32_t priority;

	assert_non_null(model);
	assert_int_equal(lxfw_multifactor_step(model, 0), 0);
	for (uint64_t id = earlier ? 1 : 2; id <= 3; id++) {
		job = job_of(id, "b", "v", 10);
		assert_int_equal(lxfw_multifactor_submit(model, &job, 0), 0);
	}
	assert_int_equal(lxfw_multifactor_start(model, 2, 0, 10, NULL, 0), 0);
	assert_int_equal(lxfw_multifactor_step(model, 300), 0);
	priority = lxfw_multifactor_priority(model, 3, 0);
	lxfw_multifactor_free(model);
	return priority;
}

/* A classic step goes from job to job, in the order of submission: it adds what one used and
   calculates its priority. The effective usage of a user is that of the first who asks. */
static void test_classic_order(void **state)
{
	(void)state;
	site.params.flags = LXFW_MULTIFACTOR_NO_FAIR_TREE;
	site.params.half_life = 0;
	site.params.weight_fairshare = 1000;
	read_assocs("Account|User|RawShares|RawUsage\nroot|||0\n a||1|0\n  a|u|1|0\n"
		    " b||1|0\n  b|v|1|0\n  b|w|1|0\n");
	/* 1 + (0 - 1) x 1/2; 2^(-0.5 / 0.25) */
	assert_int_equal(priority_in_order(false), 250);
	assert_int_equal(priority_in_order(true), 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		EACH(test_classic_example), EACH(test_fair_tree_example), EACH(test_usage),
		EACH(test_end_without_limits), EACH(test_factors), EACH(test_size),
		EACH(test_changed), EACH(test_flags), EACH(test_reset),
		EACH(test_without_slurmdbd), EACH(test_fair_tree_parent),
		EACH(test_depth_oblivious), EACH(test_classic_period),
		EACH(test_classic_order),
	};

	return cmocka_run_group_tests(tests, unit_files_begin, unit_files_end);
}
