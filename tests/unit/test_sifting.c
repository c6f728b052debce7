/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The policies that preempt decide the same with and without `sift`, which only finds sooner
   that a job cannot start: two equal random worlds side by side. */
#include "common/books/books.h"
#include "tests/unit/preempt_world.h"

static struct preempt_world *make_world(uint64_t seed, const char *params)
{
	struct preempt_world *world = malloc(sizeof(*world));
	uint64_t random = seed;

	assert_non_null(world);
	preempt_world_make(world, seed, params, false);
	for (int i = 0; i < world->job_count; i++) {
		struct lxfw_request *job = &world->jobs[i].request;

		job->tier = (int32_t)unit_between(&random, 0, 4);
		/* Every host has 800 MB or more. Memory is scarce in every second world. */
		if (seed % 2 && job->shape == LXFW_SHAPE_HOSTS)
			job->unit.memory_mb = 100 * (int64_t)unit_between(&random, 1, 8);
	}
	return world;
}

static void check_same(const struct preempt_world *one, const struct preempt_world *other)
{
	bool same = one->decision.count == other->decision.count &&
		    one->decision.wake == other->decision.wake;

	for (size_t i = 0; same && i < one->decision.count; i++) {
		const struct lxfw_action *a = &one->decision.actions[i];
		const struct lxfw_action *b = &other->decision.actions[i];

		same = a->type == b->type && a->job == b->job && a->start == b->start &&
		       a->count == b->count;
		for (int32_t j = 0; same && j < a->count; j++)
			same = a->shares[j].host == b->shares[j].host &&
			       a->shares[j].amount.procs == b->shares[j].amount.procs;
	}
	if (!same)
		fail_msg("seed %llu, %lld s: another decision without sifting",
			 (unsigned long long)one->seed, (long long)one->now);
}

/* Run both worlds. Returns the number of times that a job was sifted. */
static int64_t run(struct preempt_world *one, struct preempt_world *other)
{
	struct lxfw_policy_type plain = *other->sched->policy;
	int64_t sifted = 0;

	assert_non_null(plain.backfill.sift);
	plain.backfill.sift = NULL;
	plain.backfill.is_sifted = NULL;
	other->sched->policy = &plain;
	while (preempt_world_step(one)) {
		assert_true(preempt_world_step(other));
		check_same(one, other);
		for (size_t i = 0; i < one->sched->head_count; i++)
			sifted += one->sched->classes[one->sched->heads[i].class].sifted ==
				  one->sched->passes;
	}
	return sifted;
}

static void decides_the_same(void **state)
{
	uint64_t seed = unit_seed("sifting");
	const char *given = getenv("LXFW_CASES");
	uint64_t worlds = given ? strtoull(given, NULL, 10) : 2000;
	int64_t sifted = 0;

	(void)state;
	for (uint64_t i = 0; i < worlds; i++) {
		uint64_t random = seed + i;
		struct preempt_world *one, *other;
		char params[200];

		if (unit_between(&random, 0, 3) > 0)
			snprintf(params, sizeof(params), "lxfw_policy=site,"
				 "lxfw_preempt_tiers=%d,lxfw_preempt_min_run=%d,"
				 "lxfw_reservations=%d",
				 (int)unit_between(&random, 1, 2),
				 (int)unit_between(&random, 0, 2) * 13,
				 (int)unit_between(&random, 1, 3));
		else
			snprintf(params, sizeof(params), "lxfw_policy=remaining,"
				 "lxfw_rem_min_run=%d,lxfw_rem_frees=%s",
				 (int)unit_between(&random, 0, 2) * 13,
				 unit_between(&random, 0, 1) ? "all" : "procs");
		one = make_world(seed + i, params);
		other = make_world(seed + i, params);
		sifted += run(one, other);
		preempt_world_free(one);
		preempt_world_free(other);
		free(one);
		free(other);
	}
	printf("# %lld jobs sifted in %llu worlds\n", (long long)sifted,
	       (unsigned long long)worlds);
	assert_true(worlds < 100 || sifted > (int64_t)worlds);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decides_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
