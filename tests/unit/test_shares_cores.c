/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cores that a job keeps, releases and gets. A letter is a core, a space separates
   sockets; o = own, x = in use, b = both, . = free. */
#include "plugins/agent/shares_cores.h"
#include "tests/unit/unit.h"

#include <string.h>

#define MOST 64

static const struct example {
	const char *before;
	int count;
	const char *after;
} examples[] = {
	/* nothing to do */
	{ "oo.. ....", 2, "oo.. ...." },
	/* releases the last core of the socket where it has fewest */
	{ "oooo oo..", 5, "oooo o..." },
	{ "oooo oo..", 4, "oooo ...." },
	{ "oooo oo..", 3, "ooo. ...." },
	{ "oooo oooo", 7, "oooo ooo." },
	{ "o... oooo", 4, ".... oooo" },
	/* grows where it has most, then where most cores are free */
	{ "o... oo..", 4, "o... ooo." },
	{ "o... oo..", 7, "ooo. oooo" },
	{ "oo.x oo..", 5, "oo.x ooo." },
	{ "xxxx ooxx", 4, "xxxx ooxx" },
	{ "xx.. .... oooo", 6, "xx.. oo.. oooo" },
	/* releases cores that are in use by others first */
	{ "bboo ....", 4, "xxoo oo.." },
	{ "bboo ....", 2, "xxoo ...." },
	{ "bbbb xxxx", 2, "xxxx xxxx" },
};

static void read_cores(const char *text, bool *own, bool *taken, int *sockets,
		       int *cores)
{
	int count = 0;

	*sockets = 1;
	for (; *text; text++) {
		if (*text == ' ') {
			++*sockets;
			continue;
		}
		own[count] = *text == 'o' || *text == 'b';
		taken[count++] = *text == 'x' || *text == 'b';
	}
	*cores = count / *sockets;
}

static void write_cores(const bool *own, const bool *taken, int sockets,
			int cores, char *text)
{
	for (int i = 0; i < sockets * cores; i++) {
		if (i > 0 && i % cores == 0)
			*text++ = ' ';
		*text++ = own[i] ? (taken[i] ? 'b' : 'o') : taken[i] ? 'x' : '.';
	}
	*text = '\0';
}

static void test_examples(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(examples) / sizeof(*examples); i++) {
		const struct example *example = &examples[i];
		bool own[MOST], taken[MOST];
		int sockets, cores, has, expected = 0;
		char after[2 * MOST];

		read_cores(example->before, own, taken, &sockets, &cores);
		has = lxfw_cores_fit(own, taken, sockets, cores, example->count);
		write_cores(own, taken, sockets, cores, after);
		assert_string_equal(after, example->after);
		for (const char *at = example->after; *at; at++)
			expected += *at == 'o';
		assert_int_equal(has, expected);
	}
}

/* The result has the requested number of cores, or as many as there are, none in use by
   others, with the minimum of changes. */
static void test_any(void **state)
{
	uint64_t random = unit_seed("cores");

	(void)state;
	for (int i = 0; i < 20000; i++) {
		int sockets = (int)unit_between(&random, 1, 4);
		int cores = (int)unit_between(&random, 1, 16);
		int count = (int)unit_between(&random, 0, sockets * cores);
		bool own[MOST], before[MOST], taken[MOST];
		int available = 0, kept = 0, could_keep = 0, has = 0, got;

		for (int j = 0; j < sockets * cores; j++) {
			own[j] = before[j] = unit_between(&random, 0, 1);
			taken[j] = unit_between(&random, 0, 3) == 0;
			available += !taken[j];
			could_keep += own[j] && !taken[j];
		}
		got = lxfw_cores_fit(own, taken, sockets, cores, count);
		for (int j = 0; j < sockets * cores; j++) {
			assert_false(own[j] && taken[j]);
			has += own[j];
			kept += own[j] && before[j];
		}
		assert_int_equal(got, has);
		assert_int_equal(has, count < available ? count : available);
		assert_int_equal(kept, could_keep < count ? could_keep : count);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_examples),
		cmocka_unit_test(test_any),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
