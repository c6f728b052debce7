/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The last valid parameters, in a file that may be truncated. */
#include "plugins/agent/whole_file.h"
#include "plugins/agent/kept_file.h"
#include "tests/unit/tree.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

#define TEXT "defer,sched_interval=-1,lxfw_policy=easy,lxfw_journal=/a b"

/* The operations on files, as one word each: "sync", "rename", "sync-folder". */
static char done[256];

int __real_fsync(int file);
int __wrap_fsync(int file);
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);

int __wrap_fsync(int file)
{
	struct stat status;

	assert_int_equal(fstat(file, &status), 0);
	strcat(done, S_ISDIR(status.st_mode) ? " sync-folder" : " sync");
	return __real_fsync(file);
}

int __wrap_rename(const char *from, const char *to)
{
	strcat(done, " rename");
	return __real_rename(from, to);
}

static int begin(void **state)
{
	done[0] = '\0';
	return tree_begin(state);
}

static void expect_text(const char *text)
{
	char *kept = lxfw_kept_read(tree_path("kept"));

	assert_non_null(kept);
	assert_string_equal(kept, text);
	free(kept);
}

static void expect_none(int why)
{
	errno = 0;
	assert_null(lxfw_kept_read(tree_path("kept")));
	assert_int_equal(errno, why);
}

/* What is not a regular file is not replaced: a device that root writes to. */
static void test_special(void **state)
{
	static const char *const names[] = { "special", "fresh.new" };
	struct stat status;
	int reader;

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(mkfifo(tree_path(names[i]), 0622), 0);
		assert_int_equal(chmod(tree_path(names[i]), 0622), 0);
	}
	errno = 0;
	assert_int_equal(lxfw_whole_file_write(tree_path("special"), "a", 1), -1);
	assert_int_equal(errno, EEXIST);
	/* A reader, so that it can be opened. */
	reader = open(tree_path("fresh.new"), O_RDONLY | O_NONBLOCK);
	assert_true(reader >= 0);
	errno = 0;
	assert_int_equal(lxfw_whole_file_write(tree_path("fresh"), "a", 1), -1);
	assert_int_equal(errno, EEXIST);
	close(reader);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(lstat(tree_path(names[i]), &status), 0);
		assert_true(S_ISFIFO(status.st_mode));
		assert_int_equal(status.st_mode & 0777, 0622);
	}
}

static void test_kept(void **state)
{
	char *large;

	(void)state;
	expect_none(ENOENT);
	assert_int_equal(lxfw_kept_write(tree_path("kept"), TEXT), 0);
	expect_text(TEXT);
	assert_false(tree_has("kept.new"));
	assert_int_equal(lxfw_kept_write(tree_path("kept"), ""), 0);
	expect_text("");
	/* A temporary file left by a crash does not prevent the write. */
	tree_file("kept.new", "lxfw-parameters 1 ");
	assert_int_equal(lxfw_kept_write(tree_path("kept"), "a\nb"), 0);
	expect_text("a\nb");
	large = malloc(300001);
	assert_non_null(large);
	memset(large, 'x', 300000);
	large[300000] = '\0';
	assert_int_equal(lxfw_kept_write(tree_path("kept"), large), 0);
	expect_text(large);
	free(large);
}

/* The data is synced before the file is renamed. */
static void test_order(void **state)
{
	(void)state;
	assert_int_equal(lxfw_kept_write(tree_path("kept"), TEXT), 0);
	assert_string_equal(done, " sync rename sync-folder");
}

/* Truncation after any byte and a change of any byte are detected. */
static void test_not_whole(void **state)
{
	char whole[256];
	size_t length, at;

	(void)state;
	assert_int_equal(lxfw_kept_write(tree_path("kept"), TEXT), 0);
	strcpy(whole, tree_read("kept"));
	length = strlen(whole);
	for (at = 0; at < length; at++) {
		tree_write("kept", whole, at);
		expect_none(EBADMSG);
	}
	/* With a changed first word, the file has no header. */
	for (at = strlen("lxfw-parameters "); at < length; at++) {
		whole[at] ^= 1;
		tree_write("kept", whole, length);
		expect_none(EBADMSG);
		whole[at] ^= 1;
	}
	whole[length] = ',';
	tree_write("kept", whole, length + 1);
	expect_none(EBADMSG);
	memset(whole, 0, sizeof(whole));
	tree_write("kept", whole, sizeof(whole));
	expect_none(EBADMSG);
}

static void test_of_an_earlier_version(void **state)
{
	(void)state;
	tree_file("kept", TEXT);
	expect_text(TEXT);
	tree_file("kept", "defer");
	expect_text("defer");
	tree_file("kept", "");
	expect_none(EBADMSG);
}

/* With a full disk, the file is unchanged. */
static void test_no_room(void **state)
{
	struct rlimit before, little;
	int result, why;

	(void)state;
	assert_int_equal(lxfw_kept_write(tree_path("kept"), TEXT), 0);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	little = before;
	little.rlim_cur = 10;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
	result = lxfw_kept_write(tree_path("kept"), "other");
	why = errno;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	signal(SIGXFSZ, SIG_DFL);
	assert_int_equal(result, -1);
	assert_int_equal(why, EFBIG);
	expect_text(TEXT);
	assert_int_equal(lxfw_kept_write(tree_path("no/kept"), TEXT), -1);
	assert_int_equal(errno, ENOENT);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, tree_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_special),
		CASE(test_kept),
		CASE(test_order),
		CASE(test_not_whole),
		CASE(test_of_an_earlier_version),
		CASE(test_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
