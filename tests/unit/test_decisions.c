/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was decided once is decided again: digests of every action, with its start and
 * its shares, on random worlds from fixed seeds. Whoever makes the library faster leaves
 * them as they are; whoever has it decide otherwise says so, and puts in the new ones.
 */
#include "tests/unit/world.h"

#define WORLDS 300
#define TROUBLED 100

static const struct {
	const char *name;
	enum lxfw_policy policy;
	uint64_t calm, troubled;
} expected[] = {
	{ "fcfs", LXFW_POLICY_FCFS,
	  0xcd544a22cd27c236, 0x3cfaf0696a564aec },
	{ "easy", LXFW_POLICY_EASY,
	  0x130aa3ae93539447, 0xcbe482b9d4e8c27f },
	{ "conservative", LXFW_POLICY_CONSERVATIVE,
	  0x8c6a79d4cc4662d5, 0xfee93728a099d685 },
	{ "priority", LXFW_POLICY_PRIORITY,
	  0xdcbf64488bb8d598, 0x77c1e35853cd9ddb },
	{ "lxfw", LXFW_POLICY_LXFW,
	  0xff1298bcc2c206f9, 0x1edda4a46a54568 },
	{ "sjf", LXFW_POLICY_SJF,
	  0x161b0ebef79ed36c, 0x1177eb9bb21ca16b },
};

static uint64_t add(uint64_t digest, const struct world *world)
{
	return (digest ^ world->digest) * 1099511628211u;
}

static uint64_t calm(enum lxfw_policy policy)
{
	const struct world_options options = { .overruns = true };
	uint64_t digest = 0;

	for (uint64_t seed = 1; seed <= WORLDS; seed++) {
		struct world world;

		world_make(&world, seed, policy, &options);
		while (world_step(&world))
			world_decide(&world);
		digest = add(digest, &world);
		world_free(&world);
	}
	return digest;
}

/* Hosts fail, starts are refused, jobs change. */
static uint64_t troubled(enum lxfw_policy policy)
{
	const struct world_options options = { .overruns = true };
	uint64_t digest = 0;

	for (uint64_t seed = 1; seed <= TROUBLED; seed++) {
		struct world world;

		world_make(&world, seed, policy, &options);
		while (world_step(&world)) {
			world_decide(&world);
			world_trouble(&world);
			world_decide(&world);
		}
		digest = add(digest, &world);
		world_free(&world);
	}
	return digest;
}

static void check(const char *name, const char *what, uint64_t is, uint64_t should)
{
	if (is != should)
		fail_msg("%s, %s: %#llx, not %#llx", name, what,
			 (unsigned long long)is, (unsigned long long)should);
}

static void test_decisions(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
		check(expected[i].name, "calm", calm(expected[i].policy),
		      expected[i].calm);
		check(expected[i].name, "troubled",
		      troubled(expected[i].policy), expected[i].troubled);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_decisions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
