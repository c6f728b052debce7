/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file of quanta in progress: written and read again, also when damaged. */
#include "common/journal/wire.h"
#include "common/model/event.h"
#include "plugins/agent/quanta_file.h"
#include "tests/unit/unit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static char folder[] = "/tmp/lxfw-quanta.XXXXXX";
static char path[sizeof(folder) + sizeof("/lxfw_quanta")];

static void read_books(struct lxfw_quanta_books *books, int expected)
{
	memset(books, 0, sizeof(*books));
	books->path = strdup(path);
	assert_non_null(books->path);
	assert_int_equal(lxfw_quanta_read(books), expected);
	if (expected < 0)
		assert_int_equal(errno, EBADMSG);
	assert_false(books->dirty);
}

static void write_bytes(const char *bytes, size_t size)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static void write_two_of_each(void)
{
	struct lxfw_quanta_books books = { .path = path };

	for (uint32_t i = 1; i <= 2; i++) {
		struct lxfw_preempted *preempted = lxfw_preempted_enter(&books, i);
		struct lxfw_served *served = lxfw_served_enter(&books, 10 + i);
		struct lxfw_requeued *requeued = lxfw_requeued_enter(&books, 20 + i);

		assert_true(preempted && served && requeued);
		requeued->began = INT64_MAX - i;
		requeued->at = 1000;
		preempted->priority = UINT32_MAX - i;
		preempted->served = UINT64_MAX - i;
		served->id = (uint64_t)i << 32 | 7;
		served->until = 1000 + i;
		served->submit = 500 + i;
		served->accrue = INT64_MAX - i;
		served->cut = i == 1;
		lxfw_victim_count(&books, preempted);
	}
	books.victims[1].suspensions = LXFW_SUSPENSIONS_UNKNOWN;
	assert_true(books.dirty);
	assert_int_equal(lxfw_quanta_write(&books), 0);
	books.path = NULL;
	lxfw_quanta_clear(&books);
}

struct bytes {
	char bytes[4096];
	size_t size;
};

static struct bytes file_of_two(void)
{
	struct bytes read;
	FILE *file;

	write_two_of_each();
	file = fopen(path, "r");
	assert_non_null(file);
	read.size = fread(read.bytes, 1, sizeof(read.bytes), file);
	assert_in_range(read.size, 1, sizeof(read.bytes) - 1);
	fclose(file);
	return read;
}

static void test_there_and_back(void **state)
{
	struct lxfw_quanta_books books;

	(void)state;
	write_two_of_each();
	read_books(&books, 0);
	assert_int_equal(books.preempted_count, 2);
	assert_int_equal(books.served_count, 2);
	assert_int_equal(books.requeued_count, 2);
	assert_int_equal(books.victim_count, 2);
	assert_false(books.uncounted);
	assert_int_equal(lxfw_victim_find(&books, 1)->suspensions, 1);
	assert_int_equal(lxfw_victim_find(&books, 2)->suspensions,
			 LXFW_SUSPENSIONS_UNKNOWN);
	for (uint32_t i = 1; i <= 2; i++) {
		const struct lxfw_preempted *preempted = lxfw_preempted_find(&books, i);
		const struct lxfw_served *served =
			lxfw_served_find(&books, (uint64_t)i << 32 | 7);
		const struct lxfw_requeued *requeued = lxfw_requeued_find(&books, 20 + i);

		assert_true(preempted && served && requeued);
		assert_true(requeued->began == INT64_MAX - i);
		assert_int_equal(requeued->at, 0);
		assert_int_equal(preempted->priority, UINT32_MAX - i);
		assert_true(preempted->served == UINT64_MAX - i);
		assert_false(preempted->planned || preempted->resume || preempted->resumed);
		assert_int_equal(served->job_id, 10 + i);
		assert_int_equal(served->until, 1000 + i);
		assert_int_equal(served->submit, 500 + i);
		assert_true(served->accrue == INT64_MAX - i);
		assert_int_equal(served->cut, i == 1);
	}
	lxfw_preempted_remove(&books, 0);
	lxfw_served_remove(&books, 1);
	assert_null(lxfw_preempted_find(&books, 1));
	assert_non_null(lxfw_preempted_find(&books, 2));
	assert_int_equal(books.served_count, 1);
	assert_int_equal(books.served[0].job_id, 11);
	lxfw_quanta_clear(&books);
}

static void test_no_file(void **state)
{
	struct lxfw_quanta_books books;

	(void)state;
	(void)unlink(path);
	read_books(&books, 0);
	assert_int_equal(books.preempted_count + books.served_count, 0);
	assert_true(books.uncounted);
	lxfw_quanta_clear(&books);
}

/* Truncation after any byte is detected, and all complete lines are read. */
static void test_cut(void **state)
{
	struct bytes file = file_of_two();

	(void)state;
	for (size_t i = 0; i < file.size; i++) {
		struct lxfw_quanta_books books;
		size_t lines = 0;

		for (size_t j = 0; j < i; j++)
			lines += file.bytes[j] == '\n';
		write_bytes(file.bytes, i);
		read_books(&books, -1);
		assert_true(books.uncounted);
		/* the first line is the header, the last but one a number */
		assert_int_equal(books.preempted_count + books.served_count + books.requeued_count +
				 books.victim_count,
				 lines > 9 ? 8 : lines ? lines - 1 : 0);
		lxfw_quanta_clear(&books);
	}
}

/* A changed byte is detected too. */
static void test_damaged(void **state)
{
	struct bytes file = file_of_two();

	(void)state;
	for (size_t i = 0; i < file.size; i++) {
		struct lxfw_quanta_books books;

		file.bytes[i] ^= 1;
		write_bytes(file.bytes, file.size);
		file.bytes[i] ^= 1;
		read_books(&books, -1);
		lxfw_quanta_clear(&books);
	}
}

/* A file of an earlier release contains no counts of suspensions, and neither does one
   written before jobs were counted. */
static void test_uncounted(void **state)
{
	static const char old[] = "lxfw-quanta 1\n"
		"lent 1 priority 2 for 3\nend 1160cdeb\n";
	struct lxfw_quanta_books books;

	(void)state;
	write_bytes(old, strlen(old));
	read_books(&books, 0);
	assert_int_equal(books.preempted_count, 1);
	assert_true(books.uncounted);
	assert_int_equal(lxfw_quanta_write(&books), 0);
	lxfw_quanta_clear(&books);
	read_books(&books, 0);
	assert_true(books.uncounted);
	books.uncounted = false;
	assert_int_equal(lxfw_quanta_write(&books), 0);
	lxfw_quanta_clear(&books);
	read_books(&books, 0);
	assert_false(books.uncounted);
	lxfw_quanta_clear(&books);
}

/* Invalid lines of counts leave their entry empty, so that the job counts as not
   counted. */
static void test_bad_victims(void **state)
{
	static const char *const lines[] = {
		"victim 1 suspended 0", "victim 1 suspended -1",
		"victim 1 suspended", "victim 1 suspended 2 times",
		"victim 2 suspended 3\nvictim 2 suspended 3",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct lxfw_quanta_books books;
		char text[200];

		snprintf(text, sizeof(text), "lxfw-quanta 1\n%s\nvictims %d\n",
			 lines[i], i == 4 ? 2 : 1);
		write_bytes(text, strlen(text));
		read_books(&books, -1);
		assert_null(lxfw_victim_find(&books, 1));
		assert_int_equal(books.victim_count, i == 4);
		assert_true(books.uncounted);
		lxfw_quanta_clear(&books);
	}
}

/* A suspension that was counted but not made is subtracted once. Unknown counts stay
 * unknown. */
static void test_counts(void **state)
{
	struct lxfw_quanta_books books = { .path = NULL };
	struct lxfw_preempted *preempted = lxfw_preempted_enter(&books, 7);

	(void)state;
	assert_non_null(preempted);
	lxfw_victim_uncount(&books, preempted);
	assert_int_equal(books.victim_count, 0);
	lxfw_victim_count(&books, preempted);
	preempted->counted = false;		/* suspended */
	lxfw_victim_count(&books, preempted);
	assert_int_equal(lxfw_victim_find(&books, 7)->suspensions, 2);
	books.dirty = false;
	lxfw_victim_uncount(&books, preempted);
	assert_true(books.dirty);
	lxfw_victim_uncount(&books, preempted);
	assert_int_equal(lxfw_victim_find(&books, 7)->suspensions, 1);
	lxfw_victim_find(&books, 7)->suspensions = LXFW_SUSPENSIONS_UNKNOWN;
	lxfw_victim_count(&books, preempted);
	assert_false(preempted->counted);
	assert_int_equal(lxfw_victim_find(&books, 7)->suspensions,
			 LXFW_SUSPENSIONS_UNKNOWN);
	lxfw_victim_remove(&books, 0);
	assert_null(lxfw_victim_find(&books, 7));
	lxfw_victim_count(&books, preempted);
	lxfw_victim_uncount(&books, preempted);
	assert_null(lxfw_victim_find(&books, 7));
	lxfw_quanta_clear(&books);
}

/* The checksum is right, and more data follows. */
static void test_data_after_the_end(void **state)
{
	static const char *const more[] = {
		"lent 9 priority 1 for 2\n", "end 0", "\n", "x",
	};
	struct bytes file = file_of_two();

	(void)state;
	for (size_t i = 0; i < sizeof(more) / sizeof(*more); i++) {
		struct lxfw_quanta_books books;
		struct bytes longer = file;

		memcpy(longer.bytes + longer.size, more[i], strlen(more[i]));
		write_bytes(longer.bytes, longer.size + strlen(more[i]));
		read_books(&books, -1);
		assert_true(books.preempted_count >= 2 && books.served_count == 2);
		lxfw_quanta_clear(&books);
	}
}

/* An invalid line with a valid checksum. */
static void test_not_a_line(void **state)
{
	static const char *const lines[] = {
		"lent 1 priority 2 for 3 and more\n", "lent 1 priority 2\n",
		"served 1 id 2 until 3 submit 4 accrue 5 cut 1x\n", "borrowed 1\n",
		"requeued 1 began -5\n", "requeued 1 began 5 and more\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct lxfw_quanta_books books;
		char text[256], end[32];

		snprintf(text, sizeof(text), "lxfw-quanta 1\n%s", lines[i]);
		snprintf(end, sizeof(end), "end %08x\n",
			 (unsigned)lxfw_crc32((unsigned char *)text, strlen(text)));
		strcat(text, end);
		write_bytes(text, strlen(text));
		read_books(&books, -1);
		assert_int_equal(books.preempted_count + books.served_count, 0);
		lxfw_quanta_clear(&books);
	}
}

/* The path is not a regular file. */
static void test_unreadable(void **state)
{
	struct lxfw_quanta_books books = { .path = folder };

	(void)state;
	assert_int_equal(lxfw_quanta_read(&books), -1);
	assert_int_equal(errno, EISDIR);
	assert_int_equal(books.preempted_count + books.served_count, 0);
}

/* The disk is full at any byte of the file: the old file is kept, and the error is
 * reported. */
static void test_full_disk(void **state)
{
	struct bytes file = file_of_two();
	struct lxfw_quanta_books books;
	struct rlimit before, little;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	read_books(&books, 0);
	for (size_t i = 1; i < file.size; i += 7) {
		int result, why;

		little = before;
		little.rlim_cur = (rlim_t)i;
		books.preempted[0].priority = UINT32_MAX;
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
		result = lxfw_quanta_write(&books);
		why = errno;
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
		assert_int_equal(result, -1);
		assert_int_equal(why, EFBIG);
	}
	lxfw_quanta_clear(&books);
	read_books(&books, 0);
	assert_int_equal(books.preempted[0].priority, UINT32_MAX - 1);
	/* and the next file is complete, whatever those attempts left */
	assert_int_equal(lxfw_quanta_write(&books), 0);
	lxfw_quanta_clear(&books);
	read_books(&books, 0);
	assert_int_equal(books.preempted_count + books.served_count, 4);
	lxfw_quanta_clear(&books);
}

/* Any system call fails: the file is the old one or the new one, and the new one if no
   error is returned. */
static void test_any_call_fails(void **state)
{
	static const int reasons[] = { EIO, EINTR, 0 };
	struct lxfw_quanta_books books;
	int files = calls_open_files();

	(void)state;
	for (int i = 0; i < 3; i++) {
		bool failed = true;

		for (int nth = 1; failed; nth++) {
			uint32_t priority;
			int result, why;

			assert_in_range(nth, 1, 100);
			write_two_of_each();
			read_books(&books, 0);
			books.preempted[0].priority = 7;
			calls_arm(nth, reasons[i]);
			result = lxfw_quanta_write(&books);
			why = errno;
			failed = calls_disarm();
			assert_int_equal(calls_open_files(), files);
			lxfw_quanta_clear(&books);
			read_books(&books, 0);
			assert_int_equal(books.preempted_count + books.served_count, 4);
			priority = books.preempted[0].priority;
			assert_true(priority == 7 || priority == UINT32_MAX - 1);
			if (result == 0)
				assert_int_equal(priority, 7);
			else
				assert_true(why == reasons[i]);
			/* An interrupted or partial write is continued. */
			assert_true(result == 0 || reasons[i] != 0);
			lxfw_quanta_clear(&books);
		}
	}
}

/* If no file can be written, the old file is kept. */
static void test_not_written(void **state)
{
	struct lxfw_quanta_books books;
	char elsewhere[] = "/nowhere/at/all";

	(void)state;
	write_two_of_each();
	read_books(&books, 0);
	free(books.path);
	books.path = elsewhere;
	assert_int_equal(lxfw_quanta_write(&books), -1);
	assert_int_equal(errno, ENOENT);
	books.path = NULL;
	lxfw_quanta_clear(&books);
	read_books(&books, 0);
	assert_int_equal(books.preempted_count, 2);
	lxfw_quanta_clear(&books);
}

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/lxfw_quanta", folder);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	(void)unlink(path);
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_there_and_back),
		cmocka_unit_test(test_no_file),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_uncounted),
		cmocka_unit_test(test_bad_victims),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_data_after_the_end),
		cmocka_unit_test(test_not_a_line),
		cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_full_disk),
		cmocka_unit_test(test_any_call_fails),
		cmocka_unit_test(test_not_written),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
