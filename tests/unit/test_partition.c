/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The partition of a host's processors: examples computed by hand, and random cases
   compared with assigning one processor after the other. */
#include "common/policy/eqspatial/partition.h"
#include "tests/unit/unit.h"

#include <string.h>

#define MOST 12

struct example {
	const char *asked;	/* requests; r = runs, f = full request, h and a number
	                  	 * = current processors, m = minimum */
	int32_t total;
	const char *gets;
};

static const struct example examples[] = {
	{ "10r", 10, "10" },
	{ "4r", 10, "4" },
	/* Equal shares. The first jobs get the remainder. */
	{ "10r 10r 10r", 10, "4 3 3" },
	{ "10r 10 10", 11, "4 4 3" },
	/* The remainder goes to jobs that have more already. */
	{ "10rh3 10rh4", 7, "3 4" },
	{ "10rh3 10rh4 10rh4", 8, "3 3 2" },
	{ "10rh2 10rh4 10rh4", 8, "2 3 3" },
	{ "10rh3 10rh2 10h3", 8, "3 2 3" },
	{ "10rh9 10rh2 10rh9 10r", 9, "3 2 2 2" },
	{ "10rh1 10rh1 10rh9 10r", 11, "3 3 3 2" },
	{ "2rh1 10rh3 10rh4 1rh1", 10, "2 3 4 1" },
	{ "4rh2 4rh2 4h1", 5, "2 2 1" },
	/* Limited by requests: the other jobs share the rest. */
	{ "2r 10r 10r", 10, "2 4 4" },
	{ "1r 2r 10r 10r", 8, "1 2 3 2" },
	{ "4r 5r 6r 1r", 16, "4 5 6 1" },
	{ "4r 5r 6r 1r", 15, "4 5 5 1" },
	{ "8r 3r 9r 4r 2r", 20, "6 3 5 4 2" },
	/* More jobs than processors. */
	{ "4 4 4 4", 3, "1 1 1 0" },
	{ "4 4 4r 4r", 3, "1 0 1 1" },
	{ "4r 4r 4r", 2, "1 1 1" },
	{ "4r 4", 0, "1 0" },
	{ "4r 4r", 2, "1 1" },
	/* Some jobs get their full request. */
	{ "8rf 10r 10r", 10, "8 1 1" },
	{ "10r 8rf 10r", 10, "1 8 1" },
	{ "10r 8rf 10r", 12, "2 8 2" },
	{ "6rf 6rf 4r", 10, "6 3 1" },
	{ "6rf 6rf 4r", 12, "6 5 1" },
	{ "6rf 4r 10r", 16, "6 4 6" },
	{ "1rf 4r 10r", 5, "1 2 2" },
	{ "4rf 4r 4", 2, "1 1 0" },
	{ "4rf 4 4", 2, "1 1 0" },
	/* Some jobs have a minimum. */
	{ "8rm4 8r", 8, "4 4" },
	{ "8rm6 8r", 8, "6 2" },
	{ "8rm6 8r 8r", 10, "6 2 2" },
	{ "8rm3 8r 8r", 10, "4 3 3" },
	{ "8r 8rm4h4 8r", 11, "4 4 3" },
	{ "8rm8 8rm8", 9, "8 1" },
	{ "8rm8 8rm8", 12, "8 4" },
	{ "8r 8m4 8", 4, "4 0 0" },
	{ "8r 8m4 8", 5, "1 4 0" },
	{ "8r 8m4 8", 6, "1 4 1" },
	{ "8rf 8rm4 8r", 12, "7 4 1" },
	{ "8rfm4 8rm4 2r", 14, "8 4 2" },
};

static int32_t read_example(const struct example *example,
			    struct lxfw_partner *partners)
{
	const char *at = example->asked;
	int32_t count = 0;

	for (; *at; count++) {
		char *end;

		partners[count] = (struct lxfw_partner){
			.asked = (int32_t)strtol(at, &end, 10),
		};
		for (at = end; *at && *at != ' '; at++) {
			partners[count].running |= *at == 'r';
			partners[count].full |= *at == 'f';
			if (*at == 'h' || *at == 'm') {
				int32_t number =
					(int32_t)strtol(at + 1, &end, 10);

				if (*at == 'h')
					partners[count].has = number;
				else
					partners[count].min_procs = number;
				at = end - 1;
			}
		}
		at += *at == ' ';
	}
	return count;
}

static void test_examples(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(examples) / sizeof(*examples); i++) {
		const struct example *example = &examples[i];
		struct lxfw_partner partners[MOST];
		int32_t count = read_example(example, partners);
		char *at = strdup(example->gets), *gets = at;

		assert_non_null(gets);
		lxfw_partition(partners, count, example->total);
		for (int32_t j = 0; j < count; j++) {
			long expected = strtol(at, &at, 10);

			if (partners[j].procs != expected)
				fail_msg("%d among %s: number %d gets %d, not "
					 "%ld", example->total, example->asked,
					 j + 1, partners[j].procs, expected);
		}
		free(gets);
	}
}

static void test_full_does_not_matter_in_equal_parts(void **state)
{
	struct lxfw_partner partners[] = {
		{ .asked = 8, .running = true, .full = true },
		{ .asked = 8, .running = true },
	};

	(void)state;
	lxfw_partition_equally(partners, 2, 8);
	assert_int_equal(partners[0].procs, 4);
	assert_int_equal(partners[1].procs, 4);
}

/* Assign the processors one by one, each to the job with the fewest of those that can
   use more and have some. */
static void hand_out(int32_t *procs, const struct lxfw_partner *partners,
		     int32_t count, int32_t left)
{
	for (; left > 0; left--) {
		int32_t least = -1;

		for (int32_t i = 0; i < count; i++) {
			if (procs[i] > 0 && procs[i] < partners[i].asked &&
			    (least < 0 || procs[i] < procs[least]))
				least = i;
		}
		if (least < 0)
			return;
		procs[least]++;
	}
}

static void test_against_one_by_one(void **state)
{
	uint64_t random = unit_seed("partition");

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct lxfw_partner partners[MOST];
		int32_t count = (int32_t)unit_between(&random, 1, MOST);
		int32_t total = (int32_t)unit_between(&random, 0, 40);
		int32_t procs[MOST] = { 0 }, left = total;

		for (int32_t j = 0; j < count; j++) {
			bool running = unit_between(&random, 0, 3) > 0;
			int32_t asked = (int32_t)unit_between(&random, 1, 9);
			int32_t least = (int32_t)unit_between(&random, 0, 3);

			if (least > asked)
				least = asked;
			/* Running jobs have got their minimum already. */
			if (running && left < (least ? least : 1))
				running = false;
			if (running)
				procs[j] = least ? least : 1;
			left -= procs[j];
			partners[j] = (struct lxfw_partner){
				.asked = asked,
				.min_procs = least,
				.running = running,
				.full = unit_between(&random, 0, 1),
			};
		}
		for (int32_t j = 0; j < count; j++) {
			int32_t least = partners[j].min_procs ? partners[j].min_procs :
							    1;

			if (partners[j].running)
				continue;
			if (left < least)
				break;
			procs[j] = least;
			left -= least;
		}
		hand_out(procs, partners, count, left);
		lxfw_partition_equally(partners, count, total);
		for (int32_t j = 0; j < count; j++)
			assert_int_equal(partners[j].procs, procs[j]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_examples),
		cmocka_unit_test(test_full_does_not_matter_in_equal_parts),
		cmocka_unit_test(test_against_one_by_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
