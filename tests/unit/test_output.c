/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that are there whole or not at all, whatever ends the process that writes them:
 * a child writes one and is sent signals, a second one while it removes what the first
 * makes it remove.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <dirent.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "sim-frontend/util/output.h"
#include "tests/unit/file.h"

/* What comes while a file is being removed; 0 = nothing. */
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

/* Files in the tests' directory. */
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

/* In a child: two outputs, and the FIRST signal. A job in the background of a shell
   begins with SIGINT and SIGQUIT ignored. */
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

/* As a full disk: no byte fits behind the limit. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_signal),
		cmocka_unit_test(two_signals),
		cmocka_unit_test(no_room),
	};

	return cmocka_run_group_tests(tests, unit_files_begin, unit_files_end);
}
