/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A temporary folder with files for a test, and waiting for a condition. */
#ifndef LXFW_TESTS_TREE_H
#define LXFW_TESTS_TREE_H

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/unit.h"

static char tree_folder[64];

/* cmocka's setup and teardown. */
static inline int tree_begin(void **state)
{
	(void)state;
	strcpy(tree_folder, "/tmp/lxfw-test-XXXXXX");
	return mkdtemp(tree_folder) ? 0 : -1;
}

static inline int tree_end(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", tree_folder);
	return system(command);
}

/* Return the path of NAME in the folder. The last four results are valid. */
static inline const char *tree_path(const char *name)
{
	static char paths[4][512];
	static int next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", tree_folder, name);
	return path;
}

/* Write LENGTH bytes to NAME, and create its parent folders. */
static inline void tree_write(const char *name, const char *bytes, size_t length)
{
	char path[512], *slash;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", tree_folder, name);
	for (slash = path + strlen(tree_folder) + 1;
	     (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		assert_true(mkdir(path, 0755) == 0 || errno == EEXIST);
		*slash = '/';
	}
	file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}

static inline void tree_file(const char *name, const char *text)
{
	tree_write(name, text, strlen(text));
}

/* Return the content of NAME, up to 255 bytes; "" if it does not exist. */
static inline const char *tree_read(const char *name)
{
	static char text[256];
	FILE *file = fopen(tree_path(name), "r");

	text[0] = '\0';
	if (file) {
		text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
		fclose(file);
	}
	return text;
}

static inline bool tree_has(const char *name)
{
	return access(tree_path(name), F_OK) == 0;
}

/* Wait until CONDITION holds, at most half a minute. */
#define tree_await(condition)                                                 \
	do {                                                                  \
		int tries_ = 0;                                               \
                                                                              \
		while (!(condition) && tries_++ < 6000)                       \
			usleep(5000);                                         \
		assert_true(condition);                                       \
	} while (0)

#endif
