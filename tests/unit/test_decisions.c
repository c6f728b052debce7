/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Digests of every action, with its start and its shares, for random worlds from fixed
 * seeds. They detect unintended changes of decisions. A change that is meant to be
 * faster only must leave them unchanged. A change of decisions must be justified, and
 * replaces the digests.
 */
#include <string.h>

#include "tests/unit/mini_digest.h"
#include "tests/unit/world.h"

#define WORLDS 300
#define TROUBLED 100

/* With one to six reservations: lxfw_reservation_mode=compress, then dynamic. */
static const struct digests {
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
}, dynamic[] = {
	{ "easy", LXFW_POLICY_EASY,
	  0xbbed9e44e5358862, 0x1a117bc6ec069975 },
	{ "priority", LXFW_POLICY_PRIORITY,
	  0x2360ecdda3650a60, 0x2ea10e114c44a937 },
	{ "lxfw", LXFW_POLICY_LXFW,
	  0x14fbffbacfc144fb, 0x1240c5649ee098ad },
};

static uint64_t add(uint64_t digest, const struct world *world)
{
	return (digest ^ world->digest) * 1099511628211u;
}

static uint64_t calm(enum lxfw_policy policy, bool compress)
{
	const struct world_options options = {
		.overruns = true, .compress = compress,
	};
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
static uint64_t troubled(enum lxfw_policy policy, bool compress)
{
	const struct world_options options = {
		.overruns = true, .compress = compress,
	};
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
		check(expected[i].name, "calm", calm(expected[i].policy, true),
		      expected[i].calm);
		check(expected[i].name, "troubled",
		      troubled(expected[i].policy, true), expected[i].troubled);
	}
	for (size_t i = 0; i < sizeof(dynamic) / sizeof(*dynamic); i++) {
		check(dynamic[i].name, "calm, dynamic",
		      calm(dynamic[i].policy, false), dynamic[i].calm);
		check(dynamic[i].name, "troubled, dynamic",
		      troubled(dynamic[i].policy, false), dynamic[i].troubled);
	}
}

/* --- every policy, with immediate service and each placement ------------ */

#define MINI_WORLDS 200

/* Digests by policy, in the order of their names, and by variant: the services of enum
   mini_service, then placements other than the paper's. */
enum { STOCK = MINI_SERVICES, WORST, VARIANTS };

static const char *const variants[VARIANTS] = {
	"no service", "soon", "requeue", "suspend", "stock", "worst",
};

static const struct {
	const char *name;
	uint64_t digests[VARIANTS];
} all_expected[] = {
	{ "fcfs", { 0x556caacf044f7ea0, 0x54f1840b75f548fb,
		0xc4a74886c802318a, 0xf7d98c48d9b158e4,
		0x74aaff7e88112dd9, 0x80c3706a604514e2 } },
	{ "easy", { 0x6a8949ab3dd8d688, 0xa7dc36d88fb432d3,
		0x1e0ff9b16ce00e15, 0x34696833f62e7ee7,
		0x521548efbc920ac2, 0xfde80533200ea630 } },
	{ "conservative", { 0xbb7a1f6d9d531d86, 0x1a2a3f8bb4c00392,
		0x650ab98cec908c56, 0xb2705e09f4b5f0ca,
		0x36037e59f0d95a39, 0xfc562acae6dcde60 } },
	{ "priority", { 0xcb03f1b713a4a1ca, 0xffb236e0d46793,
		0x39f6db4d33f38924, 0x627f0d944bf69029,
		0x99e6f9535b951a8d, 0xc62f734333bcc3b6 } },
	{ "lxfw", { 0x2d14ae69a9c710a5, 0xa741fb2eddc4bebc,
		0xe227349222c9edcd, 0xb0ac77e61e6fa040,
		0x99753183fe3fdce5, 0x825ec98548811e9c } },
	{ "sjf", { 0x55f2960ed465b09f, 0xf4230753d6e39527,
		0xb5a510f1112cb008, 0x65ddc92a7c945c25,
		0x208eca1864819389, 0xbac409b31a05a5a0 } },
	{ "eqspatial", { 0x6a29c63b7c31cdf9, 0x9303f21d2a4c4a68,
		0xa9668d233383725b, 0xa9668d233383725b,
		0x7c6c8e25554ca6cb, 0x351ef6a3a7614d9a } },
	{ "classes", { 0x1b2fc82a689a91e7, 0xc5df58166c9f9faa,
		0x9071f65c90ddbc7, 0x633de944a87e848e,
		0x1b2fc82a689a91e7, 0x1b2fc82a689a91e7 } },
	{ "list", { 0x8345c956bfb0ae63, 0xa01567cf74337427,
		0xd74d29e44d576b69, 0xafb97215f7af5634,
		0x6bab356910807d33, 0xb84ca1b858816099 } },
	{ "smart_ffia", { 0xcf768af8f6ffd28e, 0x65b8fcf2f9c8ed35,
		0xf284fe564b68f014, 0x8eb0bb6eb40c160e,
		0x8d01d4d4d500c956, 0xb5090f782fd3af3f } },
	{ "smart_ffia_strict", { 0x1ac7783f583c8e1b, 0x6ca5c49e56c6438,
		0x5790fe44dd76317a, 0x80c317b1293af42c,
		0x73bebd712212fece, 0x34b6427153502aef } },
	{ "smart_nfiw", { 0x459bc29b16df3bee, 0x34b155ac46a6e860,
		0xce46a98312a8fa8a, 0x4f4caa38b7eb463,
		0xb1969e3eb26a9e00, 0xa364ec66a6a473ee } },
	{ "smart_nfiw_strict", { 0x42c80cb8c9bb3dd9, 0xb8a4baaeed829f22,
		0x1007dad4bf54bc66, 0xb786dffcc62d064,
		0x67a7d76ae8edeaa, 0x59c0e3a0f67029db } },
	{ "psrs", { 0x470ff8de15409ca5, 0xd6c0e64d1ff5e457,
		0x2a608ba7eeb3c151, 0xa763d616d501f7e9,
		0xcaf4689d5ee7747, 0xf9844d50edd9ba84 } },
	{ "psrs_strict", { 0x23922ea50db6c2e7, 0x4c60c7bc312d7c37,
		0x831c06e5a5193872, 0xf2bd066e03c28577,
		0x93d14758dd34f652, 0xde53964542c80dd5 } },
};

/* Run one world, with a pass after each event or only when time has advanced. */
static uint64_t digest_of(enum lxfw_policy policy, int variant, uint64_t seed)
{
	enum mini_service service = variant < MINI_SERVICES ?
		(enum mini_service)variant : MINI_NO_SERVICE;
	struct mini mini;

	mini_begin(&mini, seed, 60, policy, service);
	if (seed % 4 == 0 && strcmp(lxfw_policy_name(policy), "classes") != 0)
		mini.params.wbypass = 0.25;
	if (variant == STOCK)
		mini.params.placement = LXFW_PLACEMENT_STOCK;
	else if (variant == WORST)
		mini.params.placement = LXFW_PLACEMENT_WORST;
	return mini_digest(&mini, seed, seed % 2 == 0);
}

static void test_all(void **state)
{
	bool same = true;

	(void)state;
	for (size_t i = 0; i < sizeof(all_expected) / sizeof(*all_expected); i++) {
		const char *name = all_expected[i].name;
		enum lxfw_policy policy =
			lxfw_policy_by_name(name, (int)strlen(name));

		for (int variant = 0; variant < VARIANTS; variant++) {
			uint64_t digest = 0;

			for (uint64_t seed = 1; seed <= MINI_WORLDS; seed++)
				digest = mini_mix(digest, digest_of(policy, variant,
								    seed));
			if (digest == all_expected[i].digests[variant])
				continue;
			print_error("%s, %s: %#llx\n", name, variants[variant],
				    (unsigned long long)digest);
			same = false;
		}
	}
	assert_true(same);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_decisions),
		cmocka_unit_test(test_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
