/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of CPUs, lines with a share, and values that users and administrators may
 * write. */
#include "plugins/slurm/spank-lxfw/options.h"
#include "plugins/slurm/spank-lxfw/share.h"
#include "tests/unit/tree.h"

static const struct {
	const char *text;
	const char *again;	/* NULL: invalid */
	int why;
} lists[] = {
	{ "", "", 0 },
	{ "\n", "", 0 },
	{ "0", "0", 0 },
	{ "0-2,5", "0-2,5", 0 },
	{ "5,0-2\n", "0-2,5", 0 },
	{ "3,1,2", "1-3", 0 },
	{ "7-7", "7", 0 },
	{ "1-3,2-4", "1-4", 0 },
	{ "8191", "8191", 0 },
	{ "0-8191", "0-8191", 0 },
	{ "8192", NULL, ERANGE },
	{ "99999999999999999999", NULL, ERANGE },
	{ "0-8192", NULL, ERANGE },
	{ "3-1", NULL, EINVAL },
	{ ",", NULL, EINVAL },
	{ "1,", NULL, EINVAL },
	{ "1,,2", NULL, EINVAL },
	{ "-1", NULL, EINVAL },
	{ "1-", NULL, EINVAL },
	{ "1 2", NULL, EINVAL },
	{ "0-6:2", NULL, EINVAL },
	{ "0x1", NULL, EINVAL },
	{ "1\n2", NULL, EINVAL },
};

static void test_lists(void **state)
{
	struct lxfw_cpus cpus;
	char text[64];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		lxfw_cpus_clear(&cpus);
		lxfw_cpus_add(&cpus, 4000);
		errno = 0;
		if (lists[i].again) {
			assert_int_equal(lxfw_cpus_parse(&cpus, lists[i].text), 0);
		} else {
			assert_int_equal(lxfw_cpus_parse(&cpus, lists[i].text), -1);
			assert_int_equal(errno, lists[i].why);
		}
		assert_int_equal(lxfw_cpus_format(&cpus, text, sizeof(text)), 0);
		assert_string_equal(text, lists[i].again ? lists[i].again : "4000");
	}
}

static void test_no_room(void **state)
{
	struct lxfw_cpus cpus;
	char text[8];

	(void)state;
	assert_int_equal(lxfw_cpus_parse(&cpus, "100-200"), 0);
	assert_int_equal(lxfw_cpus_format(&cpus, text, 8), 0);
	assert_int_equal(lxfw_cpus_format(&cpus, text, 7), -1);
	assert_int_equal(errno, ENOSPC);
	assert_string_equal(text, "");
}

/* Any set can be converted to text and back. */
static void test_round_trip(void **state)
{
	uint64_t seed = unit_seed("sets of CPUs");
	int i, j;

	(void)state;
	for (i = 0; i < 2000; i++) {
		struct lxfw_cpus cpus, again;
		char text[LXFW_CPU_LIST_TEXT];
		int64_t most = unit_between(&seed, 0, 1023);

		lxfw_cpus_clear(&cpus);
		for (j = 0; j < 200; j++)
			lxfw_cpus_add(&cpus,
				      (unsigned)unit_between(&seed, 0, most));
		assert_int_equal(lxfw_cpus_format(&cpus, text, sizeof(text)), 0);
		assert_int_equal(lxfw_cpus_parse(&again, text), 0);
		assert_true(lxfw_cpus_equal(&cpus, &again));
		assert_true(lxfw_cpus_within(&again, &cpus));
		lxfw_cpus_add(&again, 1024);
		assert_false(lxfw_cpus_within(&again, &cpus));
		assert_true(lxfw_cpus_within(&cpus, &again));
	}
}

static void test_share_lines(void **state)
{
	static const char *const bad[] = {
		"", "\n", "4", "4\n", "0 1", "-1 1", "4 ", "4 x", "4  1",
		" 4 1", "8193 1", "4 1 2", "99999999999999999999 1",
	};
	struct lxfw_node_share share = { .processors = 77 };
	char line[64];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_equal(lxfw_share_parse(&share, bad[i]), -1);
		assert_true(errno == EINVAL || errno == ERANGE);
		assert_int_equal(share.processors, 77);
	}
	assert_int_equal(lxfw_share_parse(&share, "4 0-1\n"), 0);
	assert_int_equal(share.processors, 4);
	assert_int_equal(lxfw_cpus_count(&share.cores), 2);
	assert_int_equal(lxfw_share_format(&share, line, sizeof(line)), 0);
	assert_string_equal(line, "4 0-1\n");
	assert_int_equal(lxfw_share_format(&share, line, 6), -1);
}

static void test_share_files(void **state)
{
	struct lxfw_node_share share;

	(void)state;
	assert_int_equal(lxfw_share_read_file(-1, tree_path("7"), &share),
			 LXFW_SHARE_NONE);
	tree_file("7", "2 5,7\n");
	assert_int_equal(lxfw_share_read_file(-1, tree_path("7"), &share),
			 LXFW_SHARE_READ);
	assert_true(lxfw_cpus_has(&share.cores, 7));
	tree_file("7", "what?\n");
	assert_int_equal(lxfw_share_read_file(-1, tree_path("7"), &share),
			 LXFW_SHARE_AWAY);
	assert_int_equal(symlink("/etc/passwd", tree_path("8")), 0);
	assert_int_equal(lxfw_share_read_file(-1, tree_path("8"), &share),
			 LXFW_SHARE_AWAY);
}

static void test_adaptive(void **state)
{
	static const char *const bad[] = { "0", "-1", "x", "1x", "1.5", " 1",
					   "8193", "99999999999999999999" };
	struct lxfw_error error;
	unsigned min_procs = 0;
	size_t i;

	(void)state;
	assert_int_equal(lxfw_spank_adaptive(NULL, &min_procs, &error), 0);
	assert_int_equal(min_procs, 1);
	assert_int_equal(lxfw_spank_adaptive("(null)", &min_procs, &error), 0);
	assert_int_equal(lxfw_spank_adaptive("16", &min_procs, &error), 0);
	assert_int_equal(min_procs, 16);
	assert_int_equal(lxfw_spank_adaptive("", &min_procs, &error), 0);
	assert_int_equal(min_procs, 1);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_equal(lxfw_spank_adaptive(bad[i], &min_procs, &error), -1);
		assert_non_null(strstr(error.text, "a whole number from 1"));
	}
}

static void test_arguments(void **state)
{
	char good1[] = "folder=/var/lib/x", good2[] = "interval=4";
	char bad1[] = "folder=here", bad2[] = "interval=0", bad3[] = "what=1";
	char *good[] = { good1, good2 }, *bad[] = { bad1, good2 };
	char *worse[] = { bad2 }, *worst[] = { bad3 };
	struct lxfw_spank_options options;
	struct lxfw_error error;

	(void)state;
	assert_int_equal(lxfw_spank_options_read(&options, 0, NULL, &error), 0);
	assert_string_equal(options.folder, LXFW_SPANK_FOLDER);
	assert_int_equal(options.interval, LXFW_SPANK_INTERVAL);
	assert_null(options.share_from);
	assert_int_equal(lxfw_spank_options_read(&options, 2, good, &error), 0);
	assert_string_equal(options.folder, "/var/lib/x");
	assert_int_equal(options.interval, 4);
	assert_int_equal(lxfw_spank_options_read(&options, 2, bad, &error), -1);
	assert_string_equal(error.text, "plugstack.conf: folder=here: expected an absolute path");
	assert_string_equal(options.folder, LXFW_SPANK_FOLDER);
	assert_int_equal(options.interval, 4);
	assert_int_equal(lxfw_spank_options_read(&options, 1, worse, &error), -1);
	assert_int_equal(options.interval, LXFW_SPANK_INTERVAL);
	assert_int_equal(lxfw_spank_options_read(&options, 1, worst, &error), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_no_room),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_share_lines),
		cmocka_unit_test_setup_teardown(test_share_files, tree_begin,
						tree_end),
		cmocka_unit_test(test_adaptive),
		cmocka_unit_test(test_arguments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
