/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reservations that are left as they are would be made again as they are: two equal random
   worlds side by side, one of which forgets what changed before each decision. */
#include "common/books/books.h"
#include "tests/unit/world.h"

static void decide_both(struct world *one, struct world *other, uint64_t seed)
{
	lxfw_changes_forget(&other->sched->profile.changes);
	world_decide(one);
	world_decide(other);
	if (one->digest != other->digest)
		fail_msg("seed %llu, %lld s: another decision if all reservations are made again",
			 (unsigned long long)seed, (long long)one->now);
}

static int64_t run(uint64_t seed, enum lxfw_policy policy, bool troubled)
{
	const struct world_options options = { .overruns = true, .compress = true };
	struct world one, other;
	int64_t changes = 0;

	world_make(&one, seed, policy, &options);
	world_make(&other, seed, policy, &options);
	while (world_step(&one)) {
		assert_true(world_step(&other));
		decide_both(&one, &other, seed);
		if (troubled) {
			world_trouble(&one);
			world_trouble(&other);
			decide_both(&one, &other, seed);
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
		changes += run(seed + i, policies[i % 3], i % 4 == 3);
	assert_true(worlds < 100 || changes > (int64_t)worlds);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decides_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
