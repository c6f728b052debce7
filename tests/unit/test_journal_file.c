/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The journal's file: opening it, and all errors in doing so. */
#include "tests/unit/journal_writer.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- opening ------------------------------------------------------------ */

/* Return the bytes that this process has read so far; -1 if the kernel does not count
 * them. */
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

/* Create a journal of four gigabytes, nearly all of it a hole. */
static void make_long_journal(void)
{
	write_bytes(path, LXFW_JOURNAL_MAGIC, MAGIC_SIZE);
	assert_int_equal(truncate(path, 4 * GIGABYTE), 0);
}

/* True if the pass reads no more of the journal than the measurement itself. */
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

static struct stat status_of(const char *file)
{
	struct stat status;

	assert_int_equal(stat(file, &status), 0);
	return status;
}

/* A group that this process may give a file to, other than 0. */
static gid_t own_group(void)
{
	gid_t groups[64];
	int count = getgroups(64, groups);

	if (geteuid() == 0)
		return 12345;
	for (int i = 0; i < count; i++) {
		if (groups[i] != 0)
			return groups[i];
	}
	if (getegid() == 0)
		skip();
	return getegid();
}

static void is_readable_by_the_group_given(void **state)
{
	struct lxfw_journal_file file;
	gid_t group = own_group();

	(void)state;
	start(&file);
	assert_true(pass(&file, NOW, 1));
	assert_int_equal(status_of(path).st_mode & 07777, 0600);
	/* The parameters change: the same file is opened again at once. */
	lxfw_journal_file_share(&file, group);
	assert_true(pass(&file, NOW + 1, 2));
	assert_int_equal(status_of(path).st_mode & 07777, 0640);
	assert_int_equal(status_of(path).st_gid, group);
	/* A new file after a rotation has the group, too. */
	assert_int_equal(rename(path, unit_path("moved")), 0);
	assert_true(pass(&file, NOW + 2, 3));
	assert_int_equal(status_of(path).st_mode & 07777, 0640);
	assert_int_equal(status_of(path).st_gid, group);
	/* Without a group, the mode of an existing file is left to its owner. */
	assert_int_equal(chmod(path, 0660), 0);
	lxfw_journal_file_share(&file, 0);
	assert_true(pass(&file, NOW + 3, 4));
	assert_int_equal(status_of(path).st_mode & 07777, 0660);
	lxfw_journal_file_close(&file);
	assert_int_equal(errors, 0);
}

/* A group of which the process is no member. The journal is written all the same. */
static void is_written_without_the_group(void **state)
{
	struct lxfw_journal_file file;

	(void)state;
	strangers = 54321;
	start(&file);
	lxfw_journal_file_share(&file, 54321);
	assert_true(pass(&file, NOW, 1));
	assert_int_equal(status_of(path).st_mode & 07777, 0600);
	assert_int_equal(errors, 1);
	assert_non_null(strstr(logged, "group 54321 of lxfw_journal_group"));
	assert_int_equal(rename(path, unit_path("moved")), 0);
	assert_true(pass(&file, NOW + 1, 2));
	assert_int_equal(errors, 1);
	/* Another group. */
	lxfw_journal_file_share(&file, 54322);
	assert_true(pass(&file, NOW + 2, 3));
	assert_error(2, "group 54322 of lxfw_journal_group");
	lxfw_journal_file_close(&file);
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

/* The controller died while it wrote. The existing data is kept, with the incomplete
 * record. */
static void continues_after_an_incomplete_record(void **state)
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

static void restarts_after_an_incomplete_magic(void **state)
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
	/* also the preceding format, which is read but not written */
	static const char others[][22] = {
		"LXFWjnl\1 and records", "LXFWjnl\2 and records",
		"LXFWjnl\3 and records", "LXFWjnl\5 and records",
	};
	struct lxfw_journal_file file;
	char old[128];

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		write_bytes(path, others[i], sizeof(others[i]));
		start(&file);
		lxfw_journal_file_limit(&file, 0, 8);
		assert_true(pass(&file, NOW, 1));
		lxfw_journal_file_close(&file);
		assert_content(path, 1, 1);
		assert_int_equal(files("journal.*", old, NULL), 1);
		assert_bytes(old, others[i], sizeof(others[i]));
		assert_int_equal(unlink(old), 0);
		assert_int_equal(unlink(path), 0);
	}
}

/* --- files that are not journals */

/* The file is not opened, and this is logged once. */
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
		"content of another user", "ab", "LXFWjn ", "L X",
		"LXFWjn\2l and more", "\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		write_bytes(path, texts[i], strlen(texts[i]));
		assert_refused("not a journal; move it away");
		assert_bytes(path, texts[i], strlen(texts[i]));
	}
}

static void leaves_special_files(void **state)
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

/* Only root can create a file of another user. */
static void leaves_files_of_other_users(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	write_bytes(path, LXFW_JOURNAL_MAGIC, MAGIC_SIZE);
	assert_int_equal(chown(path, 65534, 65534), 0);
	assert_refused("owned by another user");
	assert_bytes(path, LXFW_JOURNAL_MAGIC, MAGIC_SIZE);
}

static void yields_to_the_first_writer(void **state)
{
	struct lxfw_journal_file first, second;

	(void)state;
	start(&first);
	start(&second);
	assert_true(pass(&first, NOW, 1));
	/* At first, the other process may be the preceding controller. */
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

/* A process that writes the journal until it is killed. Returns when it has begun. */
static pid_t begin_writer(void)
{
	int pipes[2];
	char byte;
	pid_t child;

	assert_int_equal(pipe(pipes), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		struct lxfw_journal_file file;

		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		start(&file);
		if (!pass(&file, NOW, 1) || write(pipes[1], "1", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	assert_int_equal(read(pipes[0], &byte, 1), 1);
	close(pipes[0]);
	close(pipes[1]);
	return child;
}

/* A process that is stopped keeps the journal; one that is killed does not. */
static void takes_over_from_a_killed_process(void **state)
{
	pid_t child = begin_writer();
	struct lxfw_journal_file second;
	int status;

	(void)state;
	start(&second);
	for (int i = 0; i < 3; i++)
		assert_false(pass(&second, NOW + 100 * i, 9));
	assert_int_equal(kill(child, SIGSTOP), 0);
	assert_int_equal(waitpid(child, &status, WUNTRACED), child);
	assert_true(WIFSTOPPED(status));
	for (int i = 3; i < 6; i++)
		assert_false(pass(&second, NOW + 100 * i, 9));
	assert_error(1, "another process writes it");
	assert_content(path, 1, 1);
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(pass(&second, NOW + 1000, 3));
	lxfw_journal_file_close(&second);
	assert_content(path, 2, 2);
	assert_int_equal(errors, 1);
}

/* The journal is not missing until the clock has caught up. */
static void tries_again_after_the_clock_was_set_back(void **state)
{
	struct lxfw_journal_file first, second;

	(void)state;
	start(&first);
	start(&second);
	assert_true(pass(&first, NOW, 1));
	for (int i = 0; i < 3; i++)
		assert_false(pass(&second, NOW + 100 * i, 9));
	lxfw_journal_file_close(&first);
	assert_true(pass(&second, NOW - 36000, 3));
	lxfw_journal_file_close(&second);
	assert_content(path, 2, 2);
}

/* The first writer rotates the file at this moment. */
static void detects_a_replaced_file(void **state)
{
	struct lxfw_journal_file file;

	(void)state;
	write_bytes(path, LXFW_JOURNAL_MAGIC, MAGIC_SIZE);
	write_bytes(unit_path("fresh"), LXFW_JOURNAL_MAGIC, MAGIC_SIZE);
	assert_int_equal(link(path, unit_path("old")), 0);
	replaced = path;
	start(&file);
	assert_false(pass(&file, NOW, 1));
	assert_error(1, "replaced while being opened");
	assert_true(pass(&file, NOW + 10, 1));
	lxfw_journal_file_close(&file);
	assert_bytes(unit_path("old"), LXFW_JOURNAL_MAGIC, MAGIC_SIZE);
	assert_content(path, 2, 1);
}

/* --- full disk */

static void creates_nothing_on_a_full_disk(void **state)
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
	/* not yet, and now */
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

/* The write fails although the file system has free space, as with a quota. */
static void removes_incomplete_records(void **state)
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
	/* each attempt rebuilds the model, so attempts become rare */
	for (; now < NOW + 10000; now++)
		tries += pass(&file, now, 4);
	assert_in_range(tries, 10, 25);
	assert_true(size_of(path) == before);
	assert_int_equal(errors, 1);
	let_grow_to(RLIM_INFINITY);
	now += 1000;
	assert_true(pass(&file, now, 5));
	assert_content(path, 2, 2);
	/* the next failure is retried soon again */
	before = size_of(path);
	let_grow_to((rlim_t)before + 3);
	pass(&file, now, 6);
	assert_int_equal(errors, 2);
	let_grow_to(RLIM_INFINITY);
	assert_true(pass(&file, now + 10, 7));
	lxfw_journal_file_close(&file);
	assert_content(path, 3, 3);
}

static void continues_partial_writes(void **state)
{
	struct lxfw_journal_file file;

	(void)state;
	start(&file);
	at_once = 3;
	interrupted = 5;
	assert_true(pass(&file, NOW, 1));
	assert_false(pass(&file, NOW, 2));
	assert_int_equal(interrupted, 0);
	assert_int_equal(errors + infos, 0);
	assert_true(file.length == size_of(path));
	lxfw_journal_file_close(&file);
	assert_content(path, 1, 2);
}

/* A write returns 0 without an error. An earlier errno must not be reported. */
static void fails_if_nothing_is_written(void **state)
{
	struct lxfw_journal_file file;

	(void)state;
	start(&file);
	interrupted = 1;
	written_none = 2;
	assert_true(pass(&file, NOW, 1));
	assert_int_equal(written_none, 1);
	assert_error(1, "No space left");
	written_none = 0;
	/* not before ten seconds have passed; the success is logged once */
	assert_false(pass(&file, NOW + 9, 2));
	assert_true(pass(&file, NOW + 10, 3));
	assert_false(pass(&file, NOW + 11, 4));
	assert_int_equal(infos, 1);
	lxfw_journal_file_close(&file);
	assert_content(path, 1, 2);
}

/* The incomplete record cannot be removed. The next segment must be readable
 * nevertheless. */
static void continues_if_it_cannot_truncate(void **state)
{
	struct lxfw_journal_file file;
	off_t before;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	start(&file);
	assert_true(pass(&file, NOW, 1));
	before = size_of(path);
	stuck = true;
	let_grow_to((rlim_t)before + 3);
	assert_false(pass(&file, NOW, 2));
	let_grow_to(RLIM_INFINITY);
	assert_int_equal(debugs, 1);
	assert_error(1, "File too large");
	assert_true(size_of(path) == before + 3);
	stuck = false;
	assert_true(pass(&file, NOW + 10, 3));
	lxfw_journal_file_close(&file);
	assert_true(size_of(path) > before + 3);
}

/* Setting the same path again, as with each reconfiguration, changes nothing. Another
   path changes the file, and an empty one closes it. */
static void follows_its_setting(void **state)
{
	struct lxfw_journal_file file;
	char other[128];

	(void)state;
	strcpy(other, unit_path("another"));
	start(&file);
	assert_true(pass(&file, NOW, 1));
	lxfw_journal_file_set(&file, path, (int)strlen(path));
	assert_false(pass(&file, NOW, 2));
	lxfw_journal_file_set(&file, other, (int)strlen(other));
	assert_true(pass(&file, NOW, 3));
	assert_content(path, 1, 2);
	assert_content(other, 1, 1);
	lxfw_journal_file_set(&file, NULL, 0);
	assert_int_equal(file.descriptor, -1);
	assert_false(pass(&file, NOW, 4));
	lxfw_journal_file_set(&file, "journal", 7);
	assert_error(1, "not an absolute path");
	assert_false(pass(&file, NOW, 5));
	assert_content(other, 1, 1);
	lxfw_journal_file_close(&file);
}

/* A pass without events does not touch the file. Decisions are recorded like events. */
static void writes_events_and_decisions(void **state)
{
	struct lxfw_decision decision = { .wake = NOW + 60, .waiting = 1 };
	struct lxfw_journal_file file;
	struct content content;
	off_t before;

	(void)state;
	start(&file);
	lxfw_journal_file_decision(&file, NOW, &decision);
	assert_int_equal(file.buffer.length, 0);
	assert_true(pass(&file, NOW, 1));
	before = size_of(path);
	assert_false(lxfw_journal_file_wants_segment(&file, NOW));
	lxfw_journal_file_flush(&file, NOW);
	assert_true(size_of(path) == before);
	lxfw_journal_file_decision(&file, NOW, &decision);
	lxfw_journal_file_flush(&file, NOW);
	assert_true(file.recording && errors == 0);
	assert_true(size_of(path) > before);
	lxfw_journal_file_close(&file);
	content = content_of(path);
	assert_true(content.whole && content.segments == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(appends_to_a_long_one_unread),
		TEST(moves_a_long_one_away_unread),
		TEST(rotates_at_the_size_that_was_given),
		TEST(is_readable_by_the_group_given),
		TEST(is_written_without_the_group),
		TEST(restarts_make_one_file),
		TEST(continues_after_an_incomplete_record),
		TEST(restarts_after_an_incomplete_magic),
		TEST(moves_another_version_away),
		TEST(leaves_what_is_not_a_journal),
		TEST(leaves_special_files),
		TEST(follows_no_link),
		TEST(leaves_files_of_other_users),
		TEST(yields_to_the_first_writer),
		TEST(takes_over_from_a_killed_process),
		TEST(tries_again_after_the_clock_was_set_back),
		TEST(detects_a_replaced_file),
		TEST(creates_nothing_on_a_full_disk),
		TEST(removes_incomplete_records),
		TEST(continues_partial_writes),
		TEST(fails_if_nothing_is_written),
		TEST(continues_if_it_cannot_truncate),
		TEST(follows_its_setting),
		TEST(writes_events_and_decisions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
