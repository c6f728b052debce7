/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files for a test to read, in a temporary directory that is removed at the end. */
#ifndef LXFW_TESTS_FILE_H
#define LXFW_TESTS_FILE_H

#include <limits.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "tests/unit/unit.h"

static char unit_directory[64];
static char unit_path_buffer[4][128];

/* cmocka's group setup and teardown. */
static inline int unit_files_begin(void **state)
{
	(void)state;
	strcpy(unit_directory, "/tmp/lxfw-test-XXXXXX");
	return mkdtemp(unit_directory) ? 0 : -1;
}

static inline int unit_files_end(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", unit_directory);
	return system(command);
}

/* Return the path of the file NAME. The last four results are valid. */
static inline const char *unit_path(const char *name)
{
	static int next;
	char *path = unit_path_buffer[next++ % 4];

	snprintf(path, sizeof(unit_path_buffer[0]), "%s/%s", unit_directory,
		 name);
	return path;
}

/* Write TEXT to the file NAME and return its path. */
static inline const char *unit_file(const char *name, const char *text)
{
	const char *path = unit_path(name);
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
	return path;
}

/* Write TEXT compressed with gzip, without the last CUT bytes. */
static inline const char *unit_gzip_file(const char *name, const char *text,
					 long cut)
{
	const char *path = unit_path(name);
	gzFile file = gzopen(path, "wb");
	FILE *plain;
	long length;

	assert_non_null(file);
	assert_true(gzputs(file, text) >= 0);
	assert_int_equal(gzclose(file), Z_OK);
	plain = fopen(path, "r+");
	assert_non_null(plain);
	assert_int_equal(fseek(plain, 0, SEEK_END), 0);
	length = ftell(plain);
	assert_int_equal(ftruncate(fileno(plain), length - cut), 0);
	assert_int_equal(fclose(plain), 0);
	return path;
}

/* Return the message without the directory of the file name. */
static inline const char *unit_message(const char *text)
{
	const char *found = strstr(text, unit_directory);

	return found == text ? text + strlen(unit_directory) + 1 : text;
}

#endif
