/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Classes ranked, against an array that is searched from end to end. A class cannot start, whatever
   the room, if it requests more pieces or more time than a family allows: the bound is not known to
   a walk, which learns it from those that fail. */
#include "common/books/ranks.h"
#include "common/model/event.h"
#include "tests/unit/unit.h"

#define CLASSES 120

#define FAMILIES 90	/* more than have a tree of their own */

static struct lxfw_rank all[CLASSES];	/* `in` and what was entered */
static uint64_t family_of[CLASSES];

static int32_t naive_next(const struct lxfw_candidate *after, const struct lxfw_room *room)
{
	int32_t best = -1;

	for (int32_t i = 0; i < CLASSES; i++) {
		if (!all[i].in ||
		    (after && !lxfw_candidate_before(after, &all[i].key)) ||
		    (room && !lxfw_room_has_in(room, all[i].procs, all[i].piece, all[i].estimate,
					       lxfw_room_span(all[i].estimate))))
			continue;
		if (best < 0 || lxfw_candidate_before(&all[i].key, &all[best].key))
			best = i;
	}
	return best;
}

static void set(struct lxfw_ranks *ranks, int32_t class, uint64_t id,
		uint64_t *random)
{
	struct lxfw_rank *rank = &all[class];

	*rank = (struct lxfw_rank){
		.key = {
			.priority = (double)unit_between(random, -2, 2),
			.submit = unit_between(random, 0, 20),
			.id = id,
			.tier = (int32_t)unit_between(random, 0, 1),
			.class = class,
		},
		.estimate = INT64_C(1) << unit_between(random, 0, 30),
		.procs = (int32_t)unit_between(random, 1, 32),
		.in = true,
	};
	rank->piece = (int32_t)unit_between(random, 0, rank->procs);
	family_of[class] = (uint64_t)unit_between(random, 0, 3);
	if (unit_between(random, 0, 3) == 0)
		family_of[class] = (uint64_t)unit_between(random, 0, FAMILIES);
	lxfw_ranks_set(ranks, &rank->key, rank->procs, rank->piece, rank->estimate,
		       family_of[class]);
}

/* Whether a class can start: each family has a limit of its own. */
static bool starts(int32_t class, const int32_t *procs, const int64_t *estimates)
{
	uint64_t family = family_of[class];

	return all[class].procs < procs[family] || all[class].estimate < estimates[family];
}

/* A walk finds all classes that can start, in order, and of the others not many more than once
   each. */
static void check_walk(const struct lxfw_ranks *ranks, const struct lxfw_room *room,
		       uint64_t *random)
{
	int32_t procs[FAMILIES + 1];
	int64_t estimates[FAMILIES + 1];
	const struct lxfw_candidate *after = NULL;
	struct lxfw_ranks_walk walk;
	struct lxfw_room less = *room;
	int32_t expected, found;

	for (int i = 0; i <= FAMILIES; i++) {
		procs[i] = (int32_t)unit_between(random, 1, 40);
		estimates[i] = INT64_C(1) << unit_between(random, 0, 30);
	}
	lxfw_ranks_walk_begin(&walk, ranks, room);
	do {
		expected = naive_next(after, &less);
		while (expected >= 0 && !starts(expected, procs, estimates))
			expected = naive_next(&all[expected].key, &less);
		for (;;) {
			found = lxfw_ranks_walk_next(&walk);
			if (found < 0 || starts(found, procs, estimates))
				break;
			lxfw_ranks_walk_fails(&walk, found);
		}
		assert_int_equal(found, expected);
		after = found < 0 ? NULL : &all[found].key;
		if (unit_between(random, 0, 3) == 0) {
			less.spans[0] = less.spans[1];
			less.widest[0] = less.widest[1];
			lxfw_ranks_walk_in(&walk, &less);
		}
	} while (found >= 0);
}

/* Of a family only those are found that request less than one that has failed. */
static void test_fails(void **state)
{
	struct lxfw_ranks ranks = { .used = false };
	struct lxfw_room room = { .now = 0 };
	struct lxfw_ranks_walk walk;

	(void)state;
	assert_int_equal(lxfw_ranks_ready(&ranks, CLASSES), 0);
	lxfw_ranks_begin(&ranks);
	for (int32_t i = 0; i < CLASSES; i++) {
		const struct lxfw_candidate key = { .priority = -i, .id = 1, .class = i };

		lxfw_ranks_set(&ranks, &key, 4 + i % 20, 1, 1000 + i, 7);
	}
	for (int i = 0; i < LXFW_ROOM_SPANS; i++)
		room.spans[i] = room.widest[i] = 100;
	lxfw_ranks_walk_begin(&walk, &ranks, &room);
	assert_int_equal(lxfw_ranks_walk_next(&walk), 0);
	lxfw_ranks_walk_fails(&walk, 0);
	assert_int_equal(lxfw_ranks_walk_next(&walk), -1);
	/* Less time. */
	lxfw_ranks_walk_begin(&walk, &ranks, &room);
	assert_int_equal(lxfw_ranks_walk_next(&walk), 0);
	assert_int_equal(lxfw_ranks_walk_next(&walk), 1);
	lxfw_ranks_walk_fails(&walk, 1);
	assert_int_equal(lxfw_ranks_walk_next(&walk), 20);
	free(ranks.nodes);
}

static void check(const struct lxfw_ranks *ranks, uint64_t *random)
{
	struct lxfw_room room = {
		.now = 1000, .count = 2,
		.steps = { { unit_between(random, 1000, 2000000),
			     (int32_t)unit_between(random, 1, 32) },
			   { LXFW_NEVER, (int32_t)unit_between(random, 0, 8) } },
	};
	const struct lxfw_candidate *after = NULL;
	int32_t at;

	/* With several hosts there are no steps. */
	room.count = unit_between(random, 0, 1) ? 2 : 0;
	room.spans[0] = 32;
	room.widest[0] = (int32_t)unit_between(random, 0, 32);
	for (int i = 1; i < LXFW_ROOM_SPANS; i++) {
		room.spans[i] = (int32_t)unit_between(random, 0, room.spans[i - 1]);
		room.widest[i] = (int32_t)unit_between(random, 0, room.widest[i - 1]);
	}
	/* From one to the next, first to last, of all and of those that fit. */
	for (int turn = 0; turn < 2; turn++) {
		const struct lxfw_room *asked = turn ? &room : NULL;

		after = NULL;
		do {
			at = lxfw_ranks_next(ranks, after, asked);
			assert_int_equal(at, naive_next(after, asked));
			after = at < 0 ? NULL : &all[at].key;
		} while (at >= 0);
	}
	check_walk(ranks, &room, random);
}

static void test_random(void **state)
{
	uint64_t random = unit_seed("ranks");
	struct lxfw_ranks ranks = { .used = false };

	(void)state;
	assert_int_equal(lxfw_ranks_ready(&ranks, CLASSES), 0);
	for (int world = 0; world < 20; world++) {
		lxfw_ranks_begin(&ranks);
		assert_true(ranks.used);
		for (int32_t i = 0; i < CLASSES; i++)
			all[i].in = false;
		check(&ranks, &random);
		for (uint64_t id = 1; id <= 400; id++) {
			int32_t class = (int32_t)unit_between(&random, 0,
							      CLASSES - 1);

			if (unit_between(&random, 0, 2) > 0) {
				set(&ranks, class, id, &random);
			} else {
				lxfw_ranks_remove(&ranks, class);
				all[class].in = false;
			}
			if (id % 8 == 0)
				check(&ranks, &random);
		}
		lxfw_ranks_end(&ranks);
		assert_false(ranks.used);
	}
	free(ranks.nodes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
