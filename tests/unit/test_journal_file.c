/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The journal's file: opening, rotation, and whatever is in its way. */
#include "plugins/slurm/bridge/journal_file.h"
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

/* --- Slurm's log and the file system's room --------------------------------------- */

static char logged[1024];	/* the last error */
static int errors;
static bool full;

void error(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(logged, sizeof(logged), format, arguments);
	va_end(arguments);
	errors++;
}

void info(const char *format, ...)
{
	(void)format;
}

void debug(const char *format, ...)
{
	(void)format;
}

int unit_fstatvfs(int descriptor, struct statvfs *room)
{
	(void)descriptor;
	*room = (struct statvfs){ .f_frsize = 1, .f_bavail = full ? 0 : 1 << 20 };
	return 0;
}

static const char *replaced;	/* this file, before it is locked */

#undef flock
int unit_flock(int descriptor, int operation)
{
	if (replaced) {
		assert_int_equal(rename(unit_path("fresh"), replaced), 0);
		replaced = NULL;
	}
	return flock(descriptor, operation);
}

static void assert_error(int count, const char *text)
{
	assert_int_equal(errors, count);
	if (!strstr(logged, text))
		fail_msg("'%s' is not in '%s'", text, logged);
}

/* --- files ------------------------------------------------------------------------ */

static char path[128];

/* A new directory for each test. */
static int set_up(void **state)
{
	errors = 0;
	logged[0] = '\0';
	full = false;
	replaced = NULL;
	if (unit_files_begin(state))
		return -1;
	strcpy(path, unit_path("journal"));
	return 0;
}

static off_t size_of(const char *name)
{
	struct stat status;

	assert_int_equal(lstat(name, &status), 0);
	return status.st_size;
}

static void write_bytes(const char *name, const void *bytes, size_t length)
{
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}

static void assert_bytes(const char *name, const void *bytes, size_t length)
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

/* How many files match PATTERN, a name with wildcards; the first into FIRST, the last
   into LAST. */
static size_t files(const char *pattern, char *first, char *last)
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

/* --- a writer --------------------------------------------------------------------- */

static void start(struct lxfw_journal_file *file)
{
	lxfw_journal_file_init(file);
	lxfw_journal_file_set(file, path, (int)strlen(path));
}

static void put_end(struct lxfw_journal_file *file, uint64_t id)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_END, .time = NOW,
				    .end.id = id };

	lxfw_journal_file_event(file, &event);
}

/* What a pass does: true if a segment was begun. ID in the event that is recorded. */
static bool pass(struct lxfw_journal_file *file, int64_t now, uint64_t id)
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
	uint64_t first, last;	/* ids of jobs */
	int events;
	bool whole;
};

static struct content content_of(const char *name)
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

static void assert_content(const char *name, int segments, int events)
{
	struct content content = content_of(name);

	assert_true(content.whole);
	assert_int_equal(content.segments, segments);
	assert_int_equal(content.events, events);
}

/* --- opening ---------------------------------------------------------------------- */

/* Bytes that this process has read so far; -1 where the kernel does not count. */
static long long bytes_read(void)
{
	FILE *io = fopen("/proc/self/io", "r");
	long long count = -1;

	if (io && fscanf(io, "rchar: %lld", &count) != 1)
		count = -1;
	if (io)
		fclose(io);
	return count;
}

/* A journal of four gigabytes, nearly all of it a hole. */
static void make_long_journal(void)
{
	write_bytes(path, LXFW_JOURNAL_MAGIC, MAGIC_SIZE);
	assert_int_equal(truncate(path, 4 * GIGABYTE), 0);
}

/* No more is read of it than what the count itself reads. */
static bool pass_unread(struct lxfw_journal_file *file, int64_t now)
{
	long long before = bytes_read();
	bool wanted = pass(file, now, 1);

	if (before < 0)
		skip();
	assert_in_range(bytes_read() - before, 0, 4000);
	return wanted;
}

static void appends_to_a_long_one_unread(void **state)
{
	struct lxfw_journal_file file;

	(void)state;
	make_long_journal();
	start(&file);
	assert_true(pass_unread(&file, NOW));
	lxfw_journal_file_close(&file);
	assert_in_range(size_of(path), 4 * GIGABYTE + MAGIC_SIZE + 1,
			4 * GIGABYTE + 100);
	assert_int_equal(files("journal.*", NULL, NULL), 0);
	assert_int_equal(errors, 0);
}

static void moves_a_long_one_away_unread(void **state)
{
	struct lxfw_journal_file file;
	char old[128];

	(void)state;
	make_long_journal();
	start(&file);
	lxfw_journal_file_limit(&file, 256, 8);
	assert_true(pass_unread(&file, NOW));
	lxfw_journal_file_close(&file);
	assert_content(path, 1, 1);
	assert_int_equal(files("journal.*", old, NULL), 1);
	assert_string_equal(old, unit_path("journal.20261122T105016Z"));
	assert_true(size_of(old) == 4 * GIGABYTE);
}

static void rotates_at_the_size_that_was_given(void **state)
{
	struct lxfw_journal_file file;

	(void)state;
	for (int i = 0; i < 2; i++) {
		write_bytes(path, LXFW_JOURNAL_MAGIC, MAGIC_SIZE);
		assert_int_equal(truncate(path, 3 * (1 << 20) - 1 + i), 0);
		start(&file);
		lxfw_journal_file_limit(&file, 3, 8);
		assert_true(pass(&file, NOW, 1));
		lxfw_journal_file_close(&file);
		assert_int_equal(files("journal.*", NULL, NULL), i);
	}
}

static void restarts_make_one_file(void **state)
{
	struct lxfw_journal_file file;

	(void)state;
	for (int i = 0; i < 100; i++) {
		start(&file);
		lxfw_journal_file_limit(&file, 256, 8);
		assert_true(pass(&file, NOW, 1));
		assert_false(pass(&file, NOW, 2));
		lxfw_journal_file_close(&file);
	}
	assert_content(path, 100, 200);
	assert_int_equal(files("journal.*", NULL, NULL), 0);
}

/* The controller died while it wrote: what is there stays, half a record, too. */
static void goes_on_behind_half_a_record(void **state)
{
	struct lxfw_journal_file file;
	char before[256], after[256];
	size_t length, more;
	FILE *stream;

	(void)state;
	start(&file);
	pass(&file, NOW, 1);
	pass(&file, NOW, 2);
	lxfw_journal_file_close(&file);
	length = (size_t)size_of(path) - 3;
	assert_int_equal(truncate(path, (off_t)length), 0);
	stream = fopen(path, "r");
	assert_int_equal(fread(before, 1, sizeof(before), stream), length);
	fclose(stream);

	start(&file);
	assert_true(pass(&file, NOW, 3));
	lxfw_journal_file_close(&file);
	stream = fopen(path, "r");
	more = fread(after, 1, sizeof(after), stream);
	fclose(stream);
	assert_true(more > length + MAGIC_SIZE);
	assert_memory_equal(before, after, length);
	assert_memory_equal(after + length, LXFW_JOURNAL_MAGIC, MAGIC_SIZE);
}

static void begins_anew_after_half_a_magic(void **state)
{
	struct lxfw_journal_file file;

	(void)state;
	for (size_t length = 0; length < MAGIC_SIZE; length++) {
		write_bytes(path, LXFW_JOURNAL_MAGIC, length);
		start(&file);
		assert_true(pass(&file, NOW, 1));
		lxfw_journal_file_close(&file);
		assert_content(path, 1, 1);
	}
	assert_int_equal(errors, 0);
}

static void moves_another_version_away(void **state)
{
	static const char other[] = "LXFWjnl\1 and records";
	struct lxfw_journal_file file;
	char old[128];

	(void)state;
	write_bytes(path, other, sizeof(other));
	start(&file);
	lxfw_journal_file_limit(&file, 0, 8);
	assert_true(pass(&file, NOW, 1));
	lxfw_journal_file_close(&file);
	assert_content(path, 1, 1);
	assert_int_equal(files("journal.*", old, NULL), 1);
	assert_bytes(old, other, sizeof(other));
}

/* --- what is not ours ------------------------------------------------------------- */

/* It is not opened, and said so once. */
static void assert_refused(const char *why)
{
	struct lxfw_journal_file file;

	errors = 0;
	start(&file);
	for (int i = 0; i < 3; i++)
		assert_false(pass(&file, NOW + 1000 * i, 1));
	lxfw_journal_file_close(&file);
	assert_error(1, why);
	assert_int_equal(files("journal.*", NULL, NULL), 0);
}

static void leaves_what_is_not_a_journal(void **state)
{
	static const char *const texts[] = {
		"what somebody else wrote", "ab", "LXFWjn ", "L X",
		"LXFWjn\2l and more", "\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		write_bytes(path, texts[i], strlen(texts[i]));
		assert_refused("something else in it");
		assert_bytes(path, texts[i], strlen(texts[i]));
	}
}

static void leaves_what_is_no_file(void **state)
{
	(void)state;
	assert_int_equal(mkdir(path, 0700), 0);
	assert_refused("directory");
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_refused("not a regular file");
	assert_int_equal(unlink(path), 0);
	strcpy(path, "/dev/full");
	assert_refused("not a regular file");
	strcpy(path, unit_path("nowhere/journal"));
	assert_refused("No such file");
}

static void follows_no_link(void **state)
{
	char target[128];

	(void)state;
	strcpy(target, unit_path("target"));
	assert_int_equal(symlink(target, path), 0);
	assert_refused("a symbolic link");
	assert_int_equal(access(target, F_OK), -1);
	write_bytes(target, LXFW_JOURNAL_MAGIC, MAGIC_SIZE);
	assert_refused("a symbolic link");
	assert_bytes(target, LXFW_JOURNAL_MAGIC, MAGIC_SIZE);
}

/* Only root can make a file of somebody else's. */
static void leaves_somebody_elses(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	write_bytes(path, LXFW_JOURNAL_MAGIC, MAGIC_SIZE);
	assert_int_equal(chown(path, 65534, 65534), 0);
	assert_refused("belongs to somebody else");
	assert_bytes(path, LXFW_JOURNAL_MAGIC, MAGIC_SIZE);
}

static void gives_way_to_the_first_writer(void **state)
{
	struct lxfw_journal_file first, second;

	(void)state;
	start(&first);
	start(&second);
	assert_true(pass(&first, NOW, 1));
	/* For a moment it may be the controller that this one follows. */
	assert_false(pass(&second, NOW, 9));
	assert_int_equal(errors, 0);
	for (int i = 1; i < 5; i++)
		assert_false(pass(&second, NOW + 100 * i, 9));
	assert_error(1, "another process writes it");
	assert_false(pass(&first, NOW, 2));
	assert_content(path, 1, 2);
	lxfw_journal_file_close(&first);
	assert_true(pass(&second, NOW + 1000, 3));
	lxfw_journal_file_close(&second);
	assert_content(path, 2, 3);
	assert_int_equal(errors, 1);
}

/* The first writer rotates it at that moment. */
static void writes_to_no_file_that_was_replaced(void **state)
{
	struct lxfw_journal_file file;

	(void)state;
	write_bytes(path, LXFW_JOURNAL_MAGIC, MAGIC_SIZE);
	write_bytes(unit_path("fresh"), LXFW_JOURNAL_MAGIC, MAGIC_SIZE);
	assert_int_equal(link(path, unit_path("old")), 0);
	replaced = path;
	start(&file);
	assert_false(pass(&file, NOW, 1));
	assert_error(1, "replaced while it was opened");
	assert_true(pass(&file, NOW + 10, 1));
	lxfw_journal_file_close(&file);
	assert_bytes(unit_path("old"), LXFW_JOURNAL_MAGIC, MAGIC_SIZE);
	assert_content(path, 2, 1);
}

/* --- rotation --------------------------------------------------------------------- */

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

/* Where the complete state is larger than the limit, a file holds twice as much. */
static void rotates_no_more_often_than_state_is_large(void **state)
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

/* All within one second, the clock even set back: names still tell the order. */
static void keeps_so_many(void **state)
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

/* There is no later name than this one. */
static void goes_on_where_it_cannot_rotate(void **state)
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

static void sees_that_it_was_moved(void **state)
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
	/* that another file is there */
	write_bytes(unit_path("long"), LXFW_JOURNAL_MAGIC, MAGIC_SIZE);
	assert_int_equal(truncate(unit_path("long"), 1000), 0);
	assert_int_equal(rename(unit_path("long"), path), 0);
	assert_true(pass(&file, NOW, 2));
	assert_true(size_of(path) > 1000);
	assert_int_equal(truncate(path, 0), 0);
	assert_true(pass(&file, NOW, 2));
	/* and that it was truncated, also in the middle of a pass */
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

/* --- no room ---------------------------------------------------------------------- */

static void begins_nothing_without_room(void **state)
{
	struct lxfw_journal_file file;

	(void)state;
	make_long_journal();
	full = true;
	start(&file);
	for (int i = 0; i < 5; i++)
		assert_false(pass_unread(&file, NOW + 10 * i));
	assert_error(1, "No space left");
	assert_true(size_of(path) == 4 * GIGABYTE);
	/* not yet, and then */
	full = false;
	assert_false(pass(&file, NOW + 49, 1));
	assert_true(pass(&file, NOW + 50, 1));
	lxfw_journal_file_close(&file);
	assert_true(size_of(path) > 4 * GIGABYTE);
}

static void let_grow_to(rlim_t size)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = size;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* A quota, say, of which the file system's room tells nothing. */
static void cuts_off_what_was_not_written_whole(void **state)
{
	struct lxfw_journal_file file;
	int64_t now = NOW, tries = 0;
	off_t before;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	start(&file);
	pass(&file, now, 1);
	before = size_of(path);
	let_grow_to((rlim_t)before + 3);
	assert_false(pass(&file, now, 2));
	assert_true(size_of(path) == before);
	assert_error(1, "File too large");
	assert_false(pass(&file, now + 9, 3));
	/* each try makes the books anew, so they become rare */
	for (; now < NOW + 10000; now++)
		tries += pass(&file, now, 4);
	assert_in_range(tries, 10, 25);
	assert_true(size_of(path) == before);
	assert_int_equal(errors, 1);
	let_grow_to(RLIM_INFINITY);
	now += 1000;
	assert_true(pass(&file, now, 5));
	assert_content(path, 2, 2);
	/* the next time it is tried soon again */
	before = size_of(path);
	let_grow_to((rlim_t)before + 3);
	pass(&file, now, 6);
	assert_int_equal(errors, 2);
	let_grow_to(RLIM_INFINITY);
	assert_true(pass(&file, now + 10, 7));
	lxfw_journal_file_close(&file);
	assert_content(path, 3, 3);
}

#define TEST(function) \
	cmocka_unit_test_setup_teardown(function, set_up, unit_files_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(appends_to_a_long_one_unread),
		TEST(moves_a_long_one_away_unread),
		TEST(rotates_at_the_size_that_was_given),
		TEST(restarts_make_one_file),
		TEST(goes_on_behind_half_a_record),
		TEST(begins_anew_after_half_a_magic),
		TEST(moves_another_version_away),
		TEST(leaves_what_is_not_a_journal),
		TEST(leaves_what_is_no_file),
		TEST(follows_no_link),
		TEST(leaves_somebody_elses),
		TEST(gives_way_to_the_first_writer),
		TEST(writes_to_no_file_that_was_replaced),
		TEST(rotates_by_size),
		TEST(rotates_no_more_often_than_state_is_large),
		TEST(keeps_so_many),
		TEST(keeps_none),
		TEST(goes_on_where_it_cannot_rotate),
		TEST(sees_that_it_was_moved),
		TEST(begins_nothing_without_room),
		TEST(cuts_off_what_was_not_written_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
