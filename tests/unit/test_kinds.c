/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hosts in kinds, compared with profiles of one host each, which have no kinds, for random
 * claims and holds on many hosts that are alike.
 */
#include <string.h>

#include "common/model/event.h"
#include "common/profile/profile.h"
#include "tests/unit/unit.h"

#define HOSTS 24
#define CLAIMS 12
#define HORIZON 100

struct claim {
	bool used, hold, kept;
	int32_t count;
	int64_t end;
	int32_t all;		/* in the profile of all hosts */
	int32_t own[HOSTS];	/* in those of one host, by share */
	struct lxfw_share shares[HOSTS];
};

struct world {
	struct lxfw_profile all, one[HOSTS];
	struct claim claims[CLAIMS];
	uint64_t random;
};

static int64_t draw(struct world *world, int64_t low, int64_t high)
{
	return unit_between(&world->random, low, high);
}

/* Hosts of a range, of which some may be left out. */
static void choose_hosts(struct world *world, struct claim *claim)
{
	int32_t first = (int32_t)draw(world, 0, HOSTS - 1);
	int32_t last = (int32_t)draw(world, first, HOSTS - 1);
	bool gaps = draw(world, 0, 1), uneven = draw(world, 0, 3) == 0;
	struct lxfw_resources amount = {
		.procs = (int32_t)draw(world, 0, 3), .memory_mb = draw(world, 0, 2) * 100,
	};

	claim->count = 0;
	for (int32_t host = first; host <= last; host++) {
		if (host > first && gaps && draw(world, 0, 2) == 0)
			continue;
		claim->shares[claim->count++] = (struct lxfw_share){
			.host = host, .amount = amount,
		};
		if (uneven && draw(world, 0, 3) == 0)
			amount.procs = (int32_t)draw(world, 0, 3);
	}
}

static void make(struct world *world, struct claim *claim)
{
	int64_t start = draw(world, 1, HORIZON), end = start + draw(world, 1, 30);

	choose_hosts(world, claim);
	claim->used = true;
	claim->kept = false;
	claim->hold = draw(world, 0, 1);
	claim->end = claim->hold ? end : draw(world, 1, 4) * 25;
	assert_int_equal(lxfw_profile_ready_run(&world->all, claim->count), 0);
	assert_int_equal(lxfw_profile_ready_hold(&world->all, claim->count), 0);
	claim->all = claim->hold ?
		lxfw_profile_hold(&world->all, claim->shares, claim->count, start, end) :
		lxfw_profile_run(&world->all, claim->shares, claim->count, claim->end);
	for (int32_t i = 0; i < claim->count; i++) {
		struct lxfw_profile *one = &world->one[claim->shares[i].host];
		struct lxfw_share share = { .amount = claim->shares[i].amount };

		assert_int_equal(lxfw_profile_ready_run(one, 1), 0);
		assert_int_equal(lxfw_profile_ready_hold(one, 1), 0);
		claim->own[i] = claim->hold ? lxfw_profile_hold(one, &share, 1, start, end) :
					      lxfw_profile_run(one, &share, 1, claim->end);
	}
}

static void end_claim(struct world *world, struct claim *claim)
{
	void (*end)(struct lxfw_profile *profile, int32_t of) =
		claim->hold ? lxfw_profile_unhold : lxfw_profile_stop;

	end(&world->all, claim->all);
	for (int32_t i = 0; i < claim->count; i++)
		end(&world->one[claim->shares[i].host], claim->own[i]);
	claim->used = false;
}

/* Change a running claim: its end, or it is kept. */
static void change_run(struct world *world, struct claim *claim)
{
	int64_t end = draw(world, 1, 4) * 25;
	bool keep = draw(world, 0, 2) == 0;

	if (keep)
		lxfw_profile_keep(&world->all, claim->all);
	else
		lxfw_profile_run_until(&world->all, claim->all, end);
	for (int32_t i = 0; i < claim->count; i++) {
		struct lxfw_profile *one = &world->one[claim->shares[i].host];

		if (keep)
			lxfw_profile_keep(one, claim->own[i]);
		else
			lxfw_profile_run_until(one, claim->own[i], end);
	}
	claim->kept |= keep;
}

static void set_host(struct world *world)
{
	int32_t host = (int32_t)draw(world, 0, HOSTS - 1);
	bool up = draw(world, 0, 3) > 0;
	struct lxfw_resources total = {
		.procs = (int32_t)draw(world, 1, 2) * 4, .memory_mb = 1000,
	};

	assert_int_equal(lxfw_profile_set_host(&world->all, host, up, &total), 0);
	assert_int_equal(lxfw_profile_set_host(&world->one[host], 0, up, &total), 0);
}

/* The number of running claims with a share of a host. */
static int32_t running_on(const struct world *world, int32_t host)
{
	int32_t running = 0;

	for (int i = 0; i < CLAIMS; i++) {
		const struct claim *claim = &world->claims[i];

		for (int32_t j = 0; claim->used && !claim->hold && j < claim->count; j++)
			running += claim->shares[j].host == host;
	}
	return running;
}

static void check_host(struct world *world, int32_t host)
{
	const struct lxfw_line *line = lxfw_profile_line(&world->all, host);
	const struct lxfw_line *own = lxfw_profile_line(&world->one[host], 0);
	int64_t start = draw(world, 0, HORIZON), end = start + draw(world, 1, 40);
	struct lxfw_resources one, other;

	assert_true(lxfw_resources_equal(&line->free, &own->free));
	assert_int_equal(line->running, own->running);
	assert_int_equal(line->running, running_on(world, host));
	assert_int_equal(line->kept, own->kept);
	assert_int_equal(line->boundary_count, own->boundary_count);
	lxfw_profile_available(&world->all, host, start, end, &one);
	lxfw_profile_available(&world->one[host], 0, start, end, &other);
	assert_true(lxfw_resources_equal(&one, &other));
	assert_int_equal(lxfw_profile_next_gain(&world->all, host, start),
			 lxfw_profile_next_gain(&world->one[host], 0, start));
}

/* Each host is in the set of its kind, and all kinds in the order have their hosts. */
static void check_kinds(struct world *world)
{
	const struct lxfw_kinds *kinds = &world->all.kinds;
	int32_t hosts[HOSTS], up = 0, listed = 0, free = 0, overbooked = 0;

	for (int32_t i = 0; i < kinds->count; i++) {
		int32_t count = lxfw_kind_lowest(kinds, kinds->order[i], HOSTS, hosts);

		assert_int_equal(count, kinds->list[kinds->order[i]].count);
		for (int32_t j = 0; j < count; j++)
			assert_int_equal(kinds->of[hosts[j]], kinds->order[i]);
		listed += count;
		overbooked += lxfw_line_overbooked(&kinds->list[kinds->order[i]].line);
	}
	assert_int_equal(kinds->overbooked, overbooked);
	for (int32_t host = 0; host < HOSTS; host++) {
		int32_t procs = lxfw_profile_free(&world->all, host)->procs;

		up += world->all.hosts[host].up;
		free += world->all.hosts[host].up && procs > 0 ? procs : 0;
	}
	assert_int_equal(listed, up);
	assert_int_equal(world->all.free.procs, free);
}

static void step(struct world *world)
{
	struct claim *claim = &world->claims[draw(world, 0, CLAIMS - 1)];

	if (draw(world, 0, 9) == 0)
		set_host(world);
	else if (!claim->used)
		make(world, claim);
	else if (!claim->hold && !claim->kept && draw(world, 0, 1))
		change_run(world, claim);
	else
		end_claim(world, claim);
}

static void alike_hosts_are_as_single_ones(void **state)
{
	const struct lxfw_resources total = { .procs = 8, .memory_mb = 1000 };
	struct world world = { .random = unit_seed("kinds") };

	(void)state;
	lxfw_profile_init(&world.all);
	for (int32_t host = 0; host < HOSTS; host++) {
		lxfw_profile_init(&world.one[host]);
		assert_int_equal(lxfw_profile_set_host(&world.all, host, true, &total), 0);
		assert_int_equal(lxfw_profile_set_host(&world.one[host], 0, true, &total), 0);
	}
	for (int i = 0; i < 20000; i++) {
		step(&world);
		for (int32_t host = 0; host < HOSTS; host++)
			check_host(&world, host);
		check_kinds(&world);
	}
	lxfw_profile_clear(&world.all);
	for (int32_t host = 0; host < HOSTS; host++)
		lxfw_profile_clear(&world.one[host]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(alike_hosts_are_as_single_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
