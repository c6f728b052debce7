/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A writer of a journal in a temporary directory, with access to the log and the files
   that it writes. */
#ifndef LXFW_TESTS_JOURNAL_WRITER_H
#define LXFW_TESTS_JOURNAL_WRITER_H

#include "plugins/agent/journal_file.h"
#include "plugins/agent/log.h"
#include "tests/unit/file.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* 2026-11-22T10:50:16Z */
#define NOW INT64_C(1795344616)
#define MAGIC_SIZE LXFW_JOURNAL_MAGIC_SIZE
#define GIGABYTE ((off_t)1 << 30)

/* --- the log and the file system's room --------------------------------- */

static char logged[1024];	/* the last error */
static int errors, infos, debugs;
static bool full;
static int interrupted;		/* number of writes that fail with EINTR */
static int written_none;	/* number of writes after these that write nothing,
                        	 * without an error */
static size_t at_once;		/* maximum of bytes per write; 0: no limit */
static bool stuck;		/* files cannot be truncated */

void lxfw_log_error(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(logged, sizeof(logged), format, arguments);
	va_end(arguments);
	errors++;
}

void lxfw_log_info(const char *format, ...)
{
	(void)format;
	infos++;
}

void lxfw_log_debug(const char *format, ...)
{
	(void)format;
	debugs++;
}

#undef write
ssize_t unit_write(int descriptor, const void *bytes, size_t length)
{
	if (interrupted > 0) {
		interrupted--;
		errno = EINTR;
		return -1;
	}
	if (written_none > 0) {
		written_none--;
		return 0;
	}
	return write(descriptor, bytes,
		     at_once && at_once < length ? at_once : length);
}

static gid_t strangers;		/* groups from this number on; 0: none */

#undef fchown
int unit_fchown(int descriptor, uid_t owner, gid_t group)
{
	errno = EPERM;
	return strangers && group >= strangers ? -1 : fchown(descriptor, owner, group);
}

#undef ftruncate
int unit_ftruncate(int descriptor, off_t length)
{
	errno = EPERM;
	return stuck ? -1 : ftruncate(descriptor, length);
}

int unit_fstatvfs(int descriptor, struct statvfs *room)
{
	(void)descriptor;
	*room = (struct statvfs){ .f_frsize = 1, .f_bavail = full ? 0 : 1 << 20 };
	return 0;
}

static const char *replaced;	/* this file is replaced before it is locked */

#undef flock
int unit_flock(int descriptor, int operation)
{
	if (replaced) {
		assert_int_equal(rename(unit_path("fresh"), replaced), 0);
		replaced = NULL;
	}
	return flock(descriptor, operation);
}

static inline void assert_error(int count, const char *text)
{
	assert_int_equal(errors, count);
	if (!strstr(logged, text))
		fail_msg("'%s' is not in '%s'", text, logged);
}

/* --- files -------------------------------------------------------------- */

static char path[128];

/* Create a new directory for each test. */
static inline int set_up(void **state)
{
	errors = infos = debugs = 0;
	logged[0] = '\0';
	full = stuck = false;
	interrupted = written_none = 0;
	at_once = 0;
	replaced = NULL;
	strangers = 0;
	if (unit_files_begin(state))
		return -1;
	strcpy(path, unit_path("journal"));
	return 0;
}

static inline off_t size_of(const char *name)
{
	struct stat status;

	assert_int_equal(lstat(name, &status), 0);
	return status.st_size;
}

static inline void write_bytes(const char *name, const void *bytes, size_t length)
{
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}

static inline void assert_bytes(const char *name, const void *bytes, size_t length)
{
	char *found = malloc(length + 1);
	FILE *file = fopen(name, "r");

	assert_non_null(file);
	assert_non_null(found);
	assert_int_equal(fread(found, 1, length + 1, file), length);
	assert_memory_equal(found, bytes, length);
	fclose(file);
	free(found);
}

/* Count the files that match the wildcard PATTERN. Copy the first name to FIRST and the
   last to LAST. */
static inline size_t files(const char *pattern, char *first, char *last)
{
	glob_t found;
	size_t count;

	assert_true(glob(unit_path(pattern), 0, NULL, &found) != GLOB_NOSPACE);
	count = found.gl_pathc;
	if (count > 0 && first)
		strcpy(first, found.gl_pathv[0]);
	if (count > 0 && last)
		strcpy(last, found.gl_pathv[count - 1]);
	globfree(&found);
	return count;
}

/* --- a writer ----------------------------------------------------------- */

static inline void start(struct lxfw_journal_file *file)
{
	lxfw_journal_file_init(file);
	lxfw_journal_file_set(file, path, (int)strlen(path));
}

static inline void put_end(struct lxfw_journal_file *file, uint64_t id)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_END, .time = NOW,
				    .end.id = id };

	lxfw_journal_file_event(file, &event);
}

/* Run the writer as in a pass. Return true if a segment was begun. ID is the job of the
 * recorded event. */
static inline bool pass(struct lxfw_journal_file *file, int64_t now, uint64_t id)
{
	bool wanted = lxfw_journal_file_wants_segment(file, now);

	if (wanted)
		lxfw_journal_file_begin(file);
	put_end(file, id);
	lxfw_journal_file_flush(file, now);
	return wanted;
}

struct content {
	int segments;
	uint64_t first, last;	/* job ids */
	int events;
	bool whole;
};

static inline struct content content_of(const char *name)
{
	struct content content = { .whole = false };
	static unsigned char bytes[1 << 16];
	struct lxfw_record record = { 0 };
	FILE *file = fopen(name, "r");
	size_t length, offset = 0;

	assert_non_null(file);
	length = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	while (lxfw_journal_get(bytes, length, &offset, &record) > 0) {
		if (record.kind == LXFW_RECORD_MAGIC) {
			content.segments++;
			continue;
		}
		content.last = record.event.end.id;
		if (content.events++ == 0)
			content.first = content.last;
	}
	content.whole = offset == length;
	lxfw_record_clear(&record);
	return content;
}

static inline void assert_content(const char *name, int segments, int events)
{
	struct content content = content_of(name);

	assert_true(content.whole);
	assert_int_equal(content.segments, segments);
	assert_int_equal(content.events, events);
}

#define TEST(function) \
	cmocka_unit_test_setup_teardown(function, set_up, unit_files_end)

#endif
