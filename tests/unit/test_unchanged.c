/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the scheduler leaves out because it cannot matter: two equal random worlds side by
   side, one of which is made to do everything before each decision. */
#include "common/books/books.h"
#include "tests/unit/world.h"

/* Reservations that are left as they are would be made again as they are. */
static void forget(struct lxfw_sched *sched)
{
	lxfw_changes_forget(&sched->profile.changes);
}

/* Where no claim has anything but processors, nothing else is examined. */
static void claim_more(struct lxfw_sched *sched)
{
	assert_true(sched->profile.host_count > 0);
	sched->profile.claims_more = true;
}

static void decide_both(struct world *one, struct world *other, uint64_t seed,
			void (*thorough)(struct lxfw_sched *sched))
{
	thorough(other->sched);
	world_decide(one);
	world_decide(other);
	if (one->digest != other->digest)
		fail_msg("seed %llu, %lld s: another decision if nothing is left out",
			 (unsigned long long)seed, (long long)one->now);
}

static int64_t run(uint64_t seed, enum lxfw_policy policy, bool troubled, bool procs_alone,
		   void (*thorough)(struct lxfw_sched *sched))
{
	const struct world_options options = {
		.overruns = true, .compress = seed % 8 < 4, .procs_alone = procs_alone,
		.spread = seed % 16 < 8,
	};
	struct world one, other;
	int64_t changes = 0;

	world_make(&one, seed, policy, &options);
	world_make(&other, seed, policy, &options);
	one.sched->aside_kinds = 0;
	while (world_step(&one)) {
		assert_true(world_step(&other));
		decide_both(&one, &other, seed, thorough);
		if (troubled) {
			world_trouble(&one);
			world_trouble(&other);
			decide_both(&one, &other, seed, thorough);
		}
		changes += one.sched->profile.changes.count;
	}
	world_free(&one);
	world_free(&other);
	return changes;
}

static void decides_the_same(void **state)
{
	static const enum lxfw_policy policies[] = {
		LXFW_POLICY_CONSERVATIVE, LXFW_POLICY_SJF, LXFW_POLICY_PRIORITY,
	};
	uint64_t seed = unit_seed("unchanged");
	const char *given = getenv("LXFW_CASES");
	uint64_t worlds = given ? strtoull(given, NULL, 10) : 3000;
	int64_t changes = 0;

	(void)state;
	for (uint64_t i = 0; i < worlds; i++)
		changes += run(seed + i, policies[i % 3], i % 4 == 3, i % 2, forget);
	assert_true(worlds < 100 || changes > (int64_t)worlds);
}

static void counts_processors_alone(void **state)
{
	static const enum lxfw_policy policies[] = {
		LXFW_POLICY_CONSERVATIVE, LXFW_POLICY_LXFW, LXFW_POLICY_EASY,
	};
	uint64_t seed = unit_seed("processors");
	const char *given = getenv("LXFW_CASES");
	uint64_t worlds = given ? strtoull(given, NULL, 10) : 1500;

	(void)state;
	for (uint64_t i = 0; i < worlds; i++)
		run(seed + i, policies[i % 3], i % 8 == 7, true, claim_more);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decides_the_same),
		cmocka_unit_test(counts_processors_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
