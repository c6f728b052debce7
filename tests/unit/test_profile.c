/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The availability profile, compared with a table that has one entry per second, for
 * random claims and holds. The placement order and the id map, compared with plain
 * lists.
 */
#include <string.h>

#include "common/model/event.h"
#include "common/profile/profile.h"
#include "common/util/id_map.h"
#include "tests/unit/unit.h"

#define HOSTS 3
#define CLAIMS 24
#define HORIZON 160

struct claim {
	bool used, hold;
	int32_t claim, count;
	int64_t start, end;
	struct lxfw_share shares[HOSTS];
};

struct table {
	struct lxfw_profile profile;
	struct claim claims[CLAIMS];
	struct lxfw_resources total[HOSTS];
	uint64_t random;
};

static struct lxfw_resources at(const struct table *table, int32_t host,
				int64_t time)
{
	struct lxfw_resources free = table->total[host];

	for (int i = 0; i < CLAIMS; i++) {
		const struct claim *claim = &table->claims[i];

		if (!claim->used || time < claim->start || time >= claim->end)
			continue;
		for (int32_t j = 0; j < claim->count; j++) {
			if (claim->shares[j].host == host)
				lxfw_resources_subtract(&free,
							&claim->shares[j].amount);
		}
	}
	return free;
}

static void change(struct table *table)
{
	struct claim *claim =
		&table->claims[unit_between(&table->random, 0, CLAIMS - 1)];
	int32_t only = -1;

	if (claim->used && !claim->hold &&
	    unit_between(&table->random, 0, 1)) {
		claim->end = unit_between(&table->random, 1, HORIZON - 1);
		lxfw_profile_run_until(&table->profile, claim->claim, claim->end);
		return;
	}
	if (claim->used && !claim->hold && claim->count == 1 &&
	    unit_between(&table->random, 0, 1)) {
		struct lxfw_share share, *own = &claim->shares[0];

		assert_true(lxfw_profile_single(&table->profile, claim->claim,
						&share));
		assert_int_equal(share.host, own->host);
		assert_int_equal(share.amount.memory_mb, own->amount.memory_mb);
		own->amount.procs = (int32_t)unit_between(&table->random, 0, 9);
		claim->end = unit_between(&table->random, 1, HORIZON - 1);
		lxfw_profile_resize(&table->profile, claim->claim,
				    own->amount.procs, claim->end);
		return;
	}
	if (claim->used && !claim->hold && claim->count > 1) {
		struct lxfw_share share;

		assert_false(lxfw_profile_single(&table->profile, claim->claim,
						 &share));
	}
	if (claim->used && claim->hold && claim->count == 1 &&
	    unit_between(&table->random, 0, 2)) {
		struct lxfw_share share = lxfw_profile_hold_share(&table->profile,
								  claim->claim);

		assert_memory_equal(&share.amount, &claim->shares[0].amount,
				    sizeof(share.amount));
		claim->start = unit_between(&table->random, 1, HORIZON - 2);
		claim->end = unit_between(&table->random, claim->start + 1,
					  HORIZON - 1);
		assert_int_equal(lxfw_profile_ready_hold(&table->profile, 1),
				 0);
		lxfw_profile_move_hold(&table->profile, claim->claim, claim->start,
				       claim->end);
		return;
	}
	if (claim->used) {
		if (claim->hold)
			lxfw_profile_unhold(&table->profile, claim->claim);
		else
			lxfw_profile_stop(&table->profile, claim->claim);
		claim->used = false;
		return;
	}
	claim->used = true;
	claim->hold = unit_between(&table->random, 0, 1);
	claim->start = claim->hold ? unit_between(&table->random, 1, HORIZON - 2)
				   : INT64_MIN;
	claim->end = unit_between(&table->random,
				  claim->hold ? claim->start + 1 : 1, HORIZON - 1);
	claim->count = 0;
	if (unit_between(&table->random, 0, 2) == 0)
		only = (int32_t)unit_between(&table->random, 0, HOSTS - 1);
	for (int32_t host = 0; host < HOSTS; host++) {
		struct lxfw_share *share = &claim->shares[claim->count];

		if (only >= 0 ? host != only :
		    unit_between(&table->random, 0, 2) == 0 && host < HOSTS - 1)
			continue;
		memset(share, 0, sizeof(*share));
		share->host = host;
		share->amount.procs =
			(int32_t)unit_between(&table->random, 0, 4);
		share->amount.memory_mb = unit_between(&table->random, 0, 400);
		share->amount.extras[4] =
			(int32_t)unit_between(&table->random, 0, 1);
		claim->count++;
	}
	assert_int_equal(lxfw_profile_ready_run(&table->profile, claim->count), 0);
	assert_int_equal(lxfw_profile_ready_hold(&table->profile, claim->count), 0);
	claim->claim = claim->hold ?
			       lxfw_profile_hold(&table->profile, claim->shares,
						 claim->count, claim->start,
						 claim->end) :
			       lxfw_profile_run(&table->profile, claim->shares,
						claim->count, claim->end);
}

static void check_available(struct table *table)
{
	int32_t host = (int32_t)unit_between(&table->random, 0, HOSTS - 1);
	int64_t start = unit_between(&table->random, 0, HORIZON - 2);
	int64_t end = unit_between(&table->random, start + 1, HORIZON);
	struct lxfw_resources expected = at(table, host, start), found;

	for (int64_t time = start; time < end; time++) {
		struct lxfw_resources then = at(table, host, time);

		lxfw_resources_lower(&expected, &then);
	}
	lxfw_profile_available(&table->profile, host, start, end, &found);
	assert_memory_equal(&found, &expected, sizeof(found));
}

static void check_earliest(struct table *table)
{
	int32_t host = (int32_t)unit_between(&table->random, 0, HOSTS - 1);
	int64_t from = unit_between(&table->random, 0, HORIZON / 2), found;
	int64_t duration = unit_between(&table->random, 1, HORIZON), start;
	struct lxfw_resources need = {
		.procs = (int32_t)unit_between(&table->random, 1, 20),
		.memory_mb = unit_between(&table->random, 0, 2000),
	};

	for (start = from; start <= HORIZON; start++) {
		bool fits = true;

		for (int64_t time = start; fits && time < start + duration; time++) {
			struct lxfw_resources then = at(table, host, time);

			fits = lxfw_resources_fit(&need, &then);
		}
		if (fits)
			break;
	}
	found = lxfw_profile_earliest(&table->profile, host, &need, duration,
				      from);
	assert_int_equal(found, start > HORIZON ? LXFW_NEVER : start);
}

/* True if the resources of CLAIM would fit from START to END without the claim itself. */
static bool would_fit(struct table *table, struct claim *claim, int64_t start,
		      int64_t end)
{
	bool fits = true;

	claim->used = false;
	for (int64_t time = start; fits && time < end; time++) {
		struct lxfw_resources then =
			at(table, claim->shares[0].host, time);

		fits = lxfw_resources_fit(&claim->shares[0].amount, &then);
	}
	claim->used = true;
	return fits;
}

/* A hold moves to an earlier start if there is one without the hold. */
static void check_moving_up(struct table *table)
{
	struct claim *claim =
		&table->claims[unit_between(&table->random, 0, CLAIMS - 1)];
	int64_t from = unit_between(&table->random, 0, HORIZON / 2), start = from;
	int64_t before = unit_between(&table->random, 0, HORIZON);
	bool fits;

	if (!claim->used || !claim->hold || claim->count != 1 ||
	    claim->start < from)
		return;
	fits = would_fit(table, claim, claim->start, claim->end);
	assert_int_equal(lxfw_profile_overbooked(&table->profile, claim->claim),
			 !fits);
	if (!fits)
		return;
	while (!would_fit(table, claim, start,
			  start + claim->end - claim->start))
		start++;
	assert_int_equal(lxfw_profile_moves_up(&table->profile, claim->claim,
					       from, LXFW_NEVER),
			 start < claim->start ? start : LXFW_NEVER);
	assert_int_equal(lxfw_profile_moves_up(&table->profile, claim->claim,
					       from, before),
			 start < claim->start && start < before ? start :
								  LXFW_NEVER);
}

/* The bound of the processors available in an interval is attained or exceeded. */
static void check_most(struct table *table)
{
	int32_t host = (int32_t)unit_between(&table->random, 0, HOSTS - 1);
	int64_t start = unit_between(&table->random, 0, HORIZON - 2);
	int64_t end = unit_between(&table->random, start + 1, HORIZON);
	int32_t most = lxfw_profile_most_procs(&table->profile, host, start, end);

	for (int64_t time = start; time < end; time++)
		assert_true(at(table, host, time).procs <= most);
}

/* Processors of all hosts that are available from the first second on, for DURATION seconds. */
static int32_t sum_for(const struct table *table, int64_t duration, int32_t *widest)
{
	int32_t sum = 0;

	*widest = 0;
	for (int32_t host = 0; host < HOSTS; host++) {
		int32_t least = at(table, host, 0).procs;

		for (int64_t time = 1; time < duration; time++) {
			int32_t then = at(table, host, time).procs;

			least = then < least ? then : least;
		}
		sum += least > 0 ? least : 0;
		*widest = least > *widest ? least : *widest;
	}
	return sum;
}

/* The bound for a duration is what is available for the shortest one of its span. */
static void check_spans(const struct table *table)
{
	static const int64_t durations[] = { 1, 60, 127, 128, 150, 255, 256, LXFW_TIME_MAX };
	static const int64_t shortest[] = { 0, 0, 0, 128, 128, 128, 256, HORIZON };
	struct lxfw_room room;

	lxfw_profile_room(&table->profile, 0, &room);
	for (size_t i = 0; i < sizeof(durations) / sizeof(*durations); i++) {
		int32_t widest, least, sum = sum_for(table, shortest[i], &widest);
		int span = lxfw_room_span(durations[i]);

		assert_true(sum >= sum_for(table, durations[i] < HORIZON ? durations[i] : HORIZON,
					   &least));
		assert_true(widest >= least);
		assert_true(lxfw_room_has(&room, sum, durations[i]));
		assert_false(lxfw_room_has(&room, sum + 1, durations[i]));
		assert_true(lxfw_room_has_in(&room, sum, widest, durations[i], span));
		assert_false(lxfw_room_has_in(&room, sum, widest + 1, durations[i], span));
	}
}

/* A hold that is excluded has no effect; included again, it has the same effect as
   before. */
static void check_uncounted(struct table *table)
{
	struct claim *claim =
		&table->claims[unit_between(&table->random, 0, CLAIMS - 1)];

	if (!claim->used || !claim->hold)
		return;
	lxfw_profile_count_hold(&table->profile, claim->claim, -1);
	claim->used = false;
	check_available(table);
	check_earliest(table);
	claim->used = true;
	lxfw_profile_count_hold(&table->profile, claim->claim, 1);
	check_available(table);
}

/* The free resources of all hosts together, as far as positive. */
static void check_free(const struct table *table)
{
	struct lxfw_resources sum = { 0 };

	for (int32_t host = 0; host < HOSTS; host++) {
		struct lxfw_resources free = table->total[host];

		for (int i = 0; i < CLAIMS; i++) {
			const struct claim *claim = &table->claims[i];

			for (int32_t j = 0; claim->used && !claim->hold &&
					    j < claim->count; j++) {
				if (claim->shares[j].host == host)
					lxfw_resources_subtract(
						&free, &claim->shares[j].amount);
			}
		}
		sum.procs += free.procs > 0 ? free.procs : 0;
		sum.memory_mb += free.memory_mb > 0 ? free.memory_mb : 0;
		for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
			sum.extras[i] += free.extras[i] > 0 ? free.extras[i] : 0;
	}
	assert_memory_equal(&table->profile.free, &sum, sizeof(sum));
}

static void check_order(struct table *table)
{
	struct lxfw_profile *profile = &table->profile;

	lxfw_profile_order(profile);
	assert_int_equal(profile->order_count, HOSTS);
	for (int32_t i = 1; i < HOSTS; i++) {
		int32_t a = profile->order[i - 1], b = profile->order[i];
		const struct lxfw_resources *x = lxfw_profile_free(profile, a);
		const struct lxfw_resources *y = lxfw_profile_free(profile, b);

		assert_true(x->procs < y->procs ||
			    (x->procs == y->procs &&
			     (x->memory_mb < y->memory_mb ||
			      (x->memory_mb == y->memory_mb && a < b))));
	}
}

static void test_against_table(void **state)
{
	uint64_t seed = unit_seed("profile against a table");

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct table table = { .random = seed + (uint64_t)round };

		lxfw_profile_init(&table.profile);
		for (int32_t host = 0; host < HOSTS; host++) {
			table.total[host] = (struct lxfw_resources){
				.procs = (int32_t)unit_between(&table.random, 4, 20),
				.memory_mb = unit_between(&table.random, 100, 2000),
				.extras = { 0, 0, 0, 0, 3 },
			};
			assert_int_equal(
				lxfw_profile_set_host(&table.profile, host, true,
						      &table.total[host]), 0);
		}
		for (int step = 0; step < 150; step++) {
			change(&table);
			check_available(&table);
			check_earliest(&table);
			check_order(&table);
			check_free(&table);
			check_uncounted(&table);
			check_moving_up(&table);
			check_most(&table);
			check_spans(&table);
		}
		lxfw_profile_clear(&table.profile);
	}
}

static void test_host_changes(void **state)
{
	struct lxfw_resources big = { .procs = 8, .memory_mb = 1000 };
	struct lxfw_resources small = { .procs = 2, .memory_mb = 500 };
	struct lxfw_share share = { .host = 0, .amount = { .procs = 3 } };
	struct lxfw_resources found;
	struct lxfw_profile profile;
	int32_t claim;

	(void)state;
	lxfw_profile_init(&profile);
	assert_int_equal(lxfw_profile_set_host(&profile, 0, true, &big), 0);
	assert_int_equal(lxfw_profile_ready_run(&profile, 1), 0);
	claim = lxfw_profile_run(&profile, &share, 1, 100);
	/* A host may lose processors in use. */
	assert_int_equal(lxfw_profile_set_host(&profile, 0, true, &small), 0);
	lxfw_profile_available(&profile, 0, 0, 10, &found);
	assert_int_equal(found.procs, -1);
	assert_int_equal(lxfw_profile_earliest(&profile, 0, &small, 10, 0), 100);
	assert_int_equal(lxfw_profile_set_host(&profile, 0, false, &small), 0);
	lxfw_profile_order(&profile);
	assert_int_equal(profile.order_count, 0);
	assert_int_equal(profile.free.procs, 0);
	lxfw_profile_stop(&profile, claim);
	assert_int_equal(lxfw_profile_set_host(&profile, 0, true, &small), 0);
	assert_int_equal(profile.free.procs, 2);
	lxfw_profile_clear(&profile);
}

/* 2^50 MB each, 2^63 in all: the sum of free memory must not overflow. */
static void test_many_hosts_of_unlimited_memory(void **state)
{
	const struct lxfw_resources total = {
		.procs = 1, .memory_mb = LXFW_MEMORY_UNLIMITED,
	};
	const struct lxfw_resources small = { .procs = 8200, .memory_mb = 1 };
	const struct lxfw_resources large = {
		.procs = 1, .memory_mb = LXFW_MEMORY_UNLIMITED - 1,
	};
	const struct lxfw_resources wide = { .procs = 8201 };
	struct lxfw_profile profile;

	(void)state;
	lxfw_profile_init(&profile);
	for (int32_t i = 0; i < 8200; i++)
		assert_int_equal(lxfw_profile_set_host(&profile, i, true, &total),
				 0);
	assert_true(profile.free.memory_mb > 0);
	assert_true(lxfw_profile_not_before(&profile, &small) == INT64_MIN);
	assert_true(lxfw_profile_not_before(&profile, &large) == INT64_MIN);
	assert_true(lxfw_profile_not_before(&profile, &wide) == LXFW_NEVER);
	for (int32_t i = 0; i < 8200; i++)
		assert_int_equal(lxfw_profile_set_host(&profile, i, false, &total),
				 0);
	assert_int_equal(profile.free.memory_mb, 0);
	lxfw_profile_clear(&profile);
}

/* If the summary has no room, no host has. With few holds it is exact. */
static void check_room(const struct lxfw_profile *profile, int64_t now, bool few)
{
	struct lxfw_room room;

	lxfw_profile_room(profile, now, &room);
	for (int64_t end = now + 1; end < HORIZON; end++) {
		struct lxfw_resources available;
		int32_t free = profile->free.procs;

		lxfw_profile_available(profile, 0, now, end, &available);
		if (free > available.procs)
			free = available.procs;
		for (int32_t procs = 1; procs <= 20; procs++) {
			if (procs <= free)
				assert_true(lxfw_room_has(&room, procs, end - now));
			else if (few)
				assert_false(lxfw_room_has(&room, procs, end - now));
		}
	}
}

static void test_room(void **state)
{
	struct lxfw_resources total = { .procs = 20, .memory_mb = 1 };
	struct lxfw_profile profile;

	(void)state;
	lxfw_profile_init(&profile);
	assert_int_equal(lxfw_profile_set_host(&profile, 0, true, &total), 0);
	for (int i = 0; i < 15; i++) {
		struct lxfw_share share = {
			.host = 0, .amount = { .procs = 1 + i % 2 },
		};

		assert_int_equal(lxfw_profile_ready_run(&profile, 1), 0);
		assert_int_equal(lxfw_profile_ready_hold(&profile, 1), 0);
		if (i % 5 == 0)
			lxfw_profile_run(&profile, &share, 1, 12 + 9 * i);
		else
			lxfw_profile_hold(&profile, &share, 1, 10 * i, 90 + 3 * i);
		check_room(&profile, 0, i < 8);
		check_room(&profile, 7 * i, i < 8);
	}
	lxfw_profile_clear(&profile);
}

static void test_times_do_not_overflow(void **state)
{
	(void)state;
	assert_int_equal(lxfw_time_add(5, LXFW_NEVER), LXFW_NEVER);
	assert_int_equal(lxfw_time_add(LXFW_NEVER - 1, 1), LXFW_NEVER);
	assert_int_equal(lxfw_time_add(LXFW_NEVER, LXFW_NEVER), LXFW_NEVER);
	assert_int_equal(lxfw_time_add(-5, 3), -2);
}

static void test_time_scale(void **state)
{
	(void)state;
	assert_int_equal(lxfw_time_scale(100, 8, 4), 200);
	assert_int_equal(lxfw_time_scale(100, 3, 2), 150);
	assert_int_equal(lxfw_time_scale(100, 1, 3), 34);
	assert_int_equal(lxfw_time_scale(7, 5, 5), 7);
	assert_int_equal(lxfw_time_scale(0, 5, 3), 0);
	assert_int_equal(lxfw_time_scale(LXFW_TIME_MAX, 4, 2), LXFW_TIME_MAX);
	assert_int_equal(lxfw_time_scale(LXFW_TIME_MAX, 2, 4), LXFW_TIME_MAX / 2);
	assert_int_equal(lxfw_time_scale(LXFW_TIME_MAX, INT32_MAX, 1),
			 LXFW_TIME_MAX);
	assert_int_equal(lxfw_time_scale(LXFW_TIME_MAX, 1, INT32_MAX),
			 LXFW_TIME_MAX / INT32_MAX + 1);
}

static void test_id_map(void **state)
{
	uint64_t seed = unit_seed("id map");
	int32_t expected[512];
	struct lxfw_id_map map = { 0 };

	(void)state;
	memset(expected, 0xff, sizeof(expected));
	for (int step = 0; step < 20000; step++) {
		int32_t id = (int32_t)unit_between(&seed, 1, 511);

		assert_int_equal(lxfw_id_map_get(&map, (uint64_t)id),
				 expected[id]);
		if (expected[id] < 0) {
			expected[id] = step;
			assert_int_equal(
				lxfw_id_map_add(&map, (uint64_t)id, step), 0);
		} else {
			expected[id] = -1;
			lxfw_id_map_remove(&map, (uint64_t)id);
		}
	}
	assert_int_equal(lxfw_id_map_get(&map, 0), -1);
	assert_int_equal(lxfw_id_map_add(&map, 1000, 1), 0);
	lxfw_id_map_set(&map, 1000, 2);
	assert_int_equal(lxfw_id_map_get(&map, 1000), 2);
	lxfw_id_map_remove(&map, 1000);
	lxfw_id_map_remove(&map, 999);
	lxfw_id_map_clear(&map);
	assert_int_equal(lxfw_id_map_get(&map, 1), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_table),
		cmocka_unit_test(test_host_changes),
		cmocka_unit_test(test_many_hosts_of_unlimited_memory),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_times_do_not_overflow),
		cmocka_unit_test(test_time_scale),
		cmocka_unit_test(test_id_map),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
