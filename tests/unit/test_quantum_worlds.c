/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Immediate service in random worlds. */
#include <stdlib.h>

#include "common/sched.h"
#include "tests/unit/mini.h"
#include "tests/unit/unit.h"

/* A random workload with hosts that fail, starts that are refused, and jobs that are
   cancelled or started by others. According to the actions alone, no host is
   overcommitted, suspended jobs are resumed, and each quantum has the right length. */
static void run_world(uint64_t seed, enum lxfw_policy policy,
		      enum mini_service service)
{
	struct mini *mini = malloc(sizeof(*mini));
	struct lxfw_sched *sched;
	struct lxfw_event event;

	assert_non_null(mini);
	mini_begin(mini, seed, 150, policy, service);
	sched = lxfw_sched_create(&mini->params);
	assert_non_null(sched);
	while (mini_next(mini, &event)) {
		struct lxfw_decision decision;
		struct lxfw_error error;

		if (lxfw_sched_apply(sched, &event, &error) < 0)
			fail_msg("%s", error.text);
		assert_int_equal(lxfw_sched_decide(sched, mini->now, &decision),
				 0);
		if (!mini_take(mini, &decision))
			fail_msg("seed %llu, policy %s, service %d: step %d %s",
				 (unsigned long long)seed,
				 lxfw_policy_name(policy), (int)service,
				 mini->step, mini->wrong);
	}
	lxfw_sched_destroy(sched);
	free(mini);
}

/* LXFW_CASES as in other random tests, where 3000 is the default. */
static void holds_in_random_worlds(void **state)
{
	uint64_t seed = unit_seed("quanta");
	const char *given = getenv("LXFW_CASES");
	uint64_t worlds = given ? strtoull(given, NULL, 10) / 30 : 100;

	(void)state;
	for (uint64_t i = 0; i < worlds; i++) {
		for (int policy = LXFW_POLICY_FCFS; policy <= LXFW_POLICY_SJF;
		     policy++) {
			for (int service = MINI_SOON; service < MINI_SERVICES;
			     service++)
				run_world(seed + i,
					  (enum lxfw_policy)policy,
					  (enum mini_service)service);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(holds_in_random_worlds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
