/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output files are complete or absent, however the process that writes them ends. A
 * child writes a file and gets a signal, and a second one while it removes files
 * because of the first.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <dirent.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim-frontend/util/output.h"
#include "tests/unit/file.h"

/* The signal that arrives while a file is removed; 0 = none. */
static int second;

int __real_unlink(const char *path);
int __wrap_unlink(const char *path);

int __wrap_unlink(const char *path)
{
	int number = second;

	second = 0;
	if (number)
		raise(number);
	return __real_unlink(path);
}

/* Count the files in the directory of the tests. */
static int files(void)
{
	DIR *directory = opendir(unit_directory);
	int count = 0;

	assert_non_null(directory);
	for (struct dirent *entry; (entry = readdir(directory));)
		count += *entry->d_name != '.';
	closedir(directory);
	return count;
}

/* Whether the file NAME has TEXT and nothing else. */
static bool holds(const char *name, const char *text)
{
	FILE *file = fopen(unit_path(name), "r");
	char is[64];
	size_t length;

	assert_non_null(file);
	length = fread(is, 1, sizeof(is), file);
	assert_int_equal(fclose(file), 0);
	return length == strlen(text) && memcmp(is, text, length) == 0;
}

/* In a child: open two outputs and raise FIRST. A background job of a shell starts with
   SIGINT and SIGQUIT ignored. */
static void write_and_raise(int first, int then)
{
	const struct rlimit no_core = { 0, 0 };
	struct lxfw_output *one, *two;
	struct lxfw_error error;

	signal(first, SIG_DFL);
	if (then)
		signal(then, SIG_DFL);
	one = lxfw_output_open(unit_path("one"), &error);
	two = lxfw_output_open(unit_path("two"), &error);
	if (!one || !two || files() != 2)
		_exit(1);
	setrlimit(RLIMIT_CORE, &no_core);
	second = then;
	raise(first);
	_exit(2);
}

static void ends_by(int first, int then)
{
	int status;
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0)
		write_and_raise(first, then);
	assert_int_equal(waitpid(child, &status, 0), child);
	if (!WIFSIGNALED(status))
		fail_msg("signals %d and %d: exit status %d", first, then,
			 WEXITSTATUS(status));
	assert_true(WTERMSIG(status) == first || WTERMSIG(status) == then);
	if (files() != 0)
		fail_msg("signals %d and %d: %d files left", first, then,
			 files());
}

static void one_signal(void **state)
{
	static const int numbers[] = {
		SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU, SIGXFSZ,
		SIGALRM,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		ends_by(numbers[i], 0);
}

static void two_signals(void **state)
{
	(void)state;
	ends_by(SIGINT, SIGINT);
	ends_by(SIGTERM, SIGTERM);
	ends_by(SIGINT, SIGTERM);
	ends_by(SIGHUP, SIGINT);
	ends_by(SIGPIPE, SIGHUP);
}

/* As with a full disk: no byte can be written beyond the limit. */
static void no_room(void **state)
{
	struct rlimit before, none = { 1000, RLIM_INFINITY };
	struct lxfw_error error = { "" };
	struct lxfw_output *output;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	none.rlim_max = before.rlim_max;
	output = lxfw_output_open(unit_path("large"), &error);
	assert_non_null(output);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
	for (int i = 0; i < 20000; i++)
		lxfw_output_text(output, "1 2 3 4 5 6 7 8 9\n");
	assert_int_equal(lxfw_output_commit(output, &error), -1);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	signal(SIGXFSZ, SIG_DFL);
	assert_string_equal(unit_message(error.text), "large: File too large");
	assert_int_equal(files(), 0);
}

/* What could not be written takes the other files of the result with it; a file of an
   earlier run stays. */
static void all_or_none(void **state)
{
	struct rlimit before, few = { 1000, RLIM_INFINITY };
	struct lxfw_error error = { "" };
	struct lxfw_output *outputs[3] = { NULL };

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	few.rlim_max = before.rlim_max;
	unit_file("small", "old\n");
	outputs[0] = lxfw_output_open(unit_path("small"), &error);
	outputs[2] = lxfw_output_open(unit_path("large"), &error);
	assert_non_null(outputs[0]);
	assert_non_null(outputs[2]);
	lxfw_output_text(outputs[0], "new\n");
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &few), 0);
	for (int i = 0; i < 200; i++)
		lxfw_output_text(outputs[2], "1 2 3 4 5 6 7 8 9\n");
	assert_int_equal(lxfw_output_commit_all(outputs, 3, &error), -1);
	assert_int_equal(errno, EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	signal(SIGXFSZ, SIG_DFL);
	assert_string_equal(unit_message(error.text), "large: File too large");
	assert_int_equal(files(), 1);
	assert_true(holds("small", "old\n"));
	assert_int_equal(unlink(unit_path("small")), 0);
}

/* A name that cannot be given takes back the names that were. */
static void no_name(void **state)
{
	struct lxfw_error error = { "" };
	struct lxfw_output *outputs[2];

	(void)state;
	outputs[0] = lxfw_output_open(unit_path("one"), &error);
	outputs[1] = lxfw_output_open(unit_path("two"), &error);
	assert_non_null(outputs[0]);
	assert_non_null(outputs[1]);
	assert_int_equal(mkdir(unit_path("two"), 0777), 0);
	assert_int_equal(lxfw_output_commit_all(outputs, 2, &error), -1);
	assert_int_equal(errno, EISDIR);
	assert_string_equal(unit_message(error.text), "two: Is a directory");
	assert_int_equal(rmdir(unit_path("two")), 0);
	assert_int_equal(files(), 0);
}

static void all_written(void **state)
{
	struct lxfw_error error = { "" };
	struct lxfw_output *outputs[2];

	(void)state;
	outputs[0] = lxfw_output_open(unit_path("one"), &error);
	outputs[1] = lxfw_output_open(unit_path("two"), &error);
	lxfw_output_text(outputs[0], "1\n");
	lxfw_output_text(outputs[1], "2\n");
	assert_int_equal(lxfw_output_commit_all(outputs, 2, &error), 0);
	assert_true(holds("one", "1\n"));
	assert_true(holds("two", "2\n"));
	assert_int_equal(unlink(unit_path("one")), 0);
	assert_int_equal(unlink(unit_path("two")), 0);
}

/* A FIFO that nothing reads, and a link, are replaced and not opened. */
static void replaced(void **state)
{
	struct lxfw_output *output;
	struct lxfw_error error;
	struct stat about;
	char path[4096];

	(void)state;
	snprintf(path, sizeof(path), "%s", unit_path("planted"));
	for (int i = 0; i < 2; i++) {
		assert_int_equal(i == 0 ? mkfifo(path, 0666) : symlink("/dev/full", path), 0);
		output = lxfw_output_replace(path, &error);
		assert_non_null(output);
		lxfw_output_text(output, "text");
		assert_int_equal(lxfw_output_commit(output, &error), 0);
		assert_int_equal(lstat(path, &about), 0);
		assert_true(S_ISREG(about.st_mode));
		assert_true(holds("planted", "text"));
		assert_int_equal(__real_unlink(path), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_signal),
		cmocka_unit_test(two_signals),
		cmocka_unit_test(no_room),
		cmocka_unit_test(all_or_none),
		cmocka_unit_test(no_name),
		cmocka_unit_test(all_written),
		cmocka_unit_test(replaced),
	};

	return cmocka_run_group_tests(tests, unit_files_begin, unit_files_end);
}
