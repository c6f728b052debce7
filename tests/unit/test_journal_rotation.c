/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rotation of the journal's file, by the plugin and by other programs. */
#include "tests/unit/journal_writer.h"

static void rotates_by_size(void **state)
{
	struct lxfw_journal_file file;
	struct content old, fresh;
	char name[128];
	uint64_t id = 1;

	(void)state;
	start(&file);
	file.limit = 300;
	file.keep = 8;
	assert_true(pass(&file, NOW, id));
	while (!pass(&file, NOW, ++id))
		assert_true(id < 100);
	lxfw_journal_file_close(&file);
	assert_int_equal(files("journal.*", name, NULL), 1);
	assert_string_equal(name, unit_path("journal.20261122T105016Z"));
	assert_in_range(size_of(name), 300, 330);
	old = content_of(name);
	fresh = content_of(path);
	assert_true(old.whole && old.segments == 1 && old.first == 1);
	assert_true(fresh.whole && fresh.segments == 1 && fresh.events == 1);
	assert_true(old.last == id - 1 && fresh.last == id);
}

/* If the complete state is larger than the limit, the limit is twice its size. */
static void rotates_in_proportion_to_the_state(void **state)
{
	struct lxfw_journal_file file;
	int passes = 0;

	(void)state;
	start(&file);
	file.limit = 100;
	assert_true(lxfw_journal_file_wants_segment(&file, NOW));
	lxfw_journal_file_begin(&file);
	for (int i = 0; i < 100; i++)
		put_end(&file, 1);
	lxfw_journal_file_flush(&file, NOW);
	assert_true(size_of(path) > 500);
	while (!pass(&file, NOW, 1))
		assert_true(++passes < 200);
	assert_in_range(passes, 90, 102);
	lxfw_journal_file_close(&file);
}

/* All within one second, even with the clock set back: the names still give the order. */
static void keeps_the_given_number_of_files(void **state)
{
	static const char *const others[] = {
		"journal.1", "journal.old", "journal.20261122T105016Z.gz",
		"journal.20261322T105016Z", "journal.20261122T105016",
		"journal.20261122T10501 Z", "journals.20261122T105016Z",
		"xjournal.20261122T105016Z", "journal-20991122T105016Z",
	};
	struct lxfw_journal_file file;
	char first[128], last[128];
	struct content oldest, newest;
	uint64_t id = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		unit_file(others[i], "another's");
	assert_int_equal(mkdir(unit_path("journal.20001122T105016Z"), 0700), 0);
	start(&file);
	file.limit = 50;
	file.keep = 4;
	for (int rotations = 0; rotations <= 10;)
		rotations += pass(&file, NOW - rotations, ++id);
	lxfw_journal_file_close(&file);
	assert_int_equal(errors, 0);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		assert_bytes(unit_path(others[i]), "another's", 9);
	assert_int_equal(rmdir(unit_path("journal.20001122T105016Z")), 0);
	assert_int_equal(unlink(unit_path("journal.20261322T105016Z")), 0);
	assert_int_equal(unlink(unit_path("journal.20261122T10501 Z")), 0);
	assert_int_equal(files("journal.2026????T??????Z", first, last), 4);
	oldest = content_of(first);
	newest = content_of(last);
	assert_true(oldest.whole && newest.whole);
	assert_true(oldest.last < newest.first);
	assert_true(content_of(path).first == newest.last + 1);
	assert_true(content_of(path).last == id);
}

static void keeps_none(void **state)
{
	struct lxfw_journal_file file;

	(void)state;
	start(&file);
	file.limit = 50;
	for (int rotations = 0; rotations <= 3;)
		rotations += pass(&file, NOW, 1);
	lxfw_journal_file_close(&file);
	assert_int_equal(files("journal*", NULL, NULL), 1);
}

/* No later name than this one is possible. */
static void continues_if_it_cannot_rotate(void **state)
{
	struct lxfw_journal_file file;

	(void)state;
	unit_file("journal.99991231T235959Z", "");
	start(&file);
	file.limit = 50;
	file.keep = 8;
	assert_true(pass(&file, NOW, 1));
	for (int i = 0; i < 50; i++)
		assert_false(pass(&file, NOW + 100 * i, 1));
	assert_error(1, "cannot be rotated");
	assert_content(path, 1, 51);
	/* after a restart, too */
	lxfw_journal_file_close(&file);
	start(&file);
	file.limit = 50;
	assert_true(pass(&file, NOW, 1));
	assert_content(path, 2, 52);
	/* and again after ten minutes */
	assert_int_equal(unlink(unit_path("journal.99991231T235959Z")), 0);
	for (int i = 0; i < 6; i++)
		assert_false(pass(&file, NOW + 100 * i, 1));
	assert_true(pass(&file, NOW + 600, 1));
	assert_content(path, 1, 1);
	lxfw_journal_file_close(&file);
}

static void detects_that_it_was_moved(void **state)
{
	struct lxfw_journal_file file;
	char old[128];

	(void)state;
	strcpy(old, unit_path("moved"));
	start(&file);
	pass(&file, NOW, 1);
	assert_int_equal(rename(path, old), 0);
	assert_true(pass(&file, NOW, 2));
	assert_content(old, 1, 1);
	assert_content(path, 1, 1);
	/* the existence of another file is logged */
	write_bytes(unit_path("long"), LXFW_JOURNAL_MAGIC, MAGIC_SIZE);
	assert_int_equal(truncate(unit_path("long"), 1000), 0);
	assert_int_equal(rename(unit_path("long"), path), 0);
	assert_true(pass(&file, NOW, 2));
	assert_true(size_of(path) > 1000);
	assert_int_equal(truncate(path, 0), 0);
	assert_true(pass(&file, NOW, 2));
	/* and a truncation is logged, also in the middle of a pass */
	assert_int_equal(truncate(path, 0), 0);
	assert_true(pass(&file, NOW, 3));
	assert_content(path, 1, 1);
	assert_false(lxfw_journal_file_wants_segment(&file, NOW));
	put_end(&file, 4);
	assert_int_equal(truncate(path, 0), 0);
	lxfw_journal_file_flush(&file, NOW);
	assert_true(size_of(path) == 0);
	assert_true(pass(&file, NOW, 5));
	lxfw_journal_file_close(&file);
	assert_content(path, 1, 1);
	assert_int_equal(errors, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(rotates_by_size),
		TEST(rotates_in_proportion_to_the_state),
		TEST(keeps_the_given_number_of_files),
		TEST(keeps_none),
		TEST(continues_if_it_cannot_rotate),
		TEST(detects_that_it_was_moved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
