/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorting in bounded memory: random items in the order of qsort(), memory that is not there, files
 * that cannot be made, written or read; and the jobs of a log, sorted in files as in memory.
 */
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "sim-frontend/trace/log.h"
#include "sim-frontend/trace/log_formats.h"
#include "sim-frontend/trace/sorted_runs.h"
#include "tests/unit/file.h"

/* What fails: the call with that number from now on; 0: none. */
static long fail_allocation, fail_file;
static bool short_writes;
static bool fail_open, cut_reads;
static int files_made;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
int __real_mkostemp(char *name, int flags);
ssize_t __real_write(int file, const void *bytes, size_t length);
ssize_t __real_pread(int file, void *bytes, size_t length, off_t at);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
int __wrap_mkostemp(char *name, int flags);
ssize_t __wrap_write(int file, const void *bytes, size_t length);
ssize_t __wrap_pread(int file, void *bytes, size_t length, off_t at);

static bool fails(long *countdown)
{
	return *countdown > 0 && --*countdown == 0;
}

static bool no_memory(void)
{
	if (!fails(&fail_allocation))
		return false;
	errno = ENOMEM;
	return true;
}

void *__wrap_malloc(size_t size)
{
	return no_memory() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return no_memory() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return no_memory() ? NULL : __real_realloc(old, size);
}

int __wrap_mkostemp(char *name, int flags)
{
	struct stat status;
	int file;

	if (fail_open) {
		errno = EACCES;
		return -1;
	}
	file = __real_mkostemp(name, flags);
	assert_true(file >= 0);
	assert_int_equal(fstat(file, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0600);
	files_made++;
	return file;
}

ssize_t __wrap_write(int file, const void *bytes, size_t length)
{
	if (fails(&fail_file)) {
		errno = ENOSPC;
		return -1;
	}
	return __real_write(file, bytes, short_writes && length > 1 ? (length + 1) / 2 : length);
}

ssize_t __wrap_pread(int file, void *bytes, size_t length, off_t at)
{
	if (fails(&fail_file)) {
		errno = EIO;
		return -1;
	}
	if (cut_reads)
		return 0;
	return __real_pread(file, bytes, short_writes && length > 1 ? (length + 1) / 2 : length,
			    at);
}

/* --- items ------------------------------------------------------------------------ */

#define ITEMS 3000

struct thing {
	uint64_t key;
	unsigned char text[4];
	uint32_t length, number;
};

static struct thing things[ITEMS], ordered[ITEMS];

static int by_order(const void *left, const void *right)
{
	const struct thing *a = left, *b = right;
	uint32_t least = a->length < b->length ? a->length : b->length;
	int order = memcmp(a->text, b->text, least);

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	if (order)
		return order;
	if (a->length != b->length)
		return a->length < b->length ? -1 : 1;
	return a->number < b->number ? -1 : 1;
}

static uint64_t state;

static uint32_t random_below(uint32_t most)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(state >> 33) % most;
}

static void make_things(void)
{
	for (uint32_t i = 0; i < ITEMS; i++) {
		things[i] = (struct thing) {
			.key = random_below(40), .length = random_below(5), .number = i,
		};
		for (int j = 0; j < 4; j++)
			things[i].text[j] = (unsigned char)(254 + random_below(2));
	}
	memcpy(ordered, things, sizeof(things));
	qsort(ordered, ITEMS, sizeof(*ordered), by_order);
}

static int add_things(struct lxfw_sorted_runs *runs, struct lxfw_error *error)
{
	for (int i = 0; i < ITEMS; i++) {
		const struct lxfw_sorted_item item = {
			.key = things[i].key, .text = things[i].text,
			.text_length = things[i].length,
			.data = (const unsigned char *)&things[i].number,
			.data_length = sizeof(things[i].number),
		};

		if (lxfw_sorted_runs_add(runs, &item, error))
			return -1;
	}
	return 0;
}

/* Reads all items, which must be the first of `ordered`. */
static int read_things(struct lxfw_sorted_runs *runs, struct lxfw_error *error)
{
	struct lxfw_sorted_item item;
	uint32_t number;
	int got, count = 0;

	if (lxfw_sorted_runs_rewind(runs, error))
		return -1;
	while ((got = lxfw_sorted_runs_next(runs, &item, error)) > 0) {
		assert_true(count < ITEMS);
		assert_int_equal(item.key, ordered[count].key);
		assert_int_equal(item.text_length, ordered[count].length);
		if (item.text_length > 0)
			assert_memory_equal(item.text, ordered[count].text, item.text_length);
		assert_int_equal(item.data_length, sizeof(number));
		memcpy(&number, item.data, sizeof(number));
		assert_int_equal(number, ordered[count].number);
		count++;
	}
	if (got == 0) {
		assert_int_equal(count, ITEMS);
		assert_int_equal(lxfw_sorted_runs_next(runs, &item, error), 0);
	}
	return got;
}

static int files_left(void)
{
	DIR *folder = opendir(unit_directory);
	int count = 0;

	assert_non_null(folder);
	while (readdir(folder))
		count++;
	closedir(folder);
	return count - 2;
}

static void test_order(void **unused)
{
	static const size_t memories[] = { 1, 1000, 100000, 1 << 30 };
	struct lxfw_error error;

	(void)unused;
	for (int i = 0; i < 8; i++) {
		struct lxfw_sorted_runs *runs = lxfw_sorted_runs_open(memories[i / 2]);

		make_things();
		short_writes = i % 2;
		files_made = 0;
		assert_non_null(runs);
		assert_int_equal(add_things(runs, &error), 0);
		assert_int_equal(files_left(), 0);
		assert_int_equal(read_things(runs, &error), 0);
		assert_int_equal(read_things(runs, &error), 0);
		assert_int_equal(files_made, i / 2 < 3);
		lxfw_sorted_runs_close(runs);
		short_writes = false;
	}
}

static void test_none(void **unused)
{
	struct lxfw_sorted_runs *runs = lxfw_sorted_runs_open(1);
	struct lxfw_sorted_item item;
	struct lxfw_error error;

	(void)unused;
	assert_non_null(runs);
	assert_int_equal(lxfw_sorted_runs_rewind(runs, &error), 0);
	assert_int_equal(lxfw_sorted_runs_next(runs, &item, &error), 0);
	lxfw_sorted_runs_close(runs);
	lxfw_sorted_runs_close(NULL);
}

/* Items that are larger than all buffers, between small ones. */
static void test_large(void **unused)
{
	const uint32_t large = 3000000;
	unsigned char *bytes = calloc(1, large);
	struct lxfw_sorted_runs *runs = lxfw_sorted_runs_open(5000);
	struct lxfw_sorted_item item;
	struct lxfw_error error;

	(void)unused;
	assert_non_null(bytes);
	assert_non_null(runs);
	for (uint32_t i = 0; i < 20; i++) {
		item = (struct lxfw_sorted_item) {
			.key = 19 - i, .text = bytes, .text_length = i % 3 ? i : large,
			.data = bytes, .data_length = i % 2 ? large : i,
		};
		assert_int_equal(lxfw_sorted_runs_add(runs, &item, &error), 0);
	}
	assert_int_equal(lxfw_sorted_runs_rewind(runs, &error), 0);
	for (uint32_t i = 20; i-- > 0;) {
		assert_int_equal(lxfw_sorted_runs_next(runs, &item, &error), 1);
		assert_int_equal(item.key, 19 - i);
		assert_int_equal(item.text_length, i % 3 ? i : large);
		assert_int_equal(item.data_length, i % 2 ? large : i);
		assert_memory_equal(item.data, bytes, item.data_length);
	}
	assert_int_equal(lxfw_sorted_runs_next(runs, &item, &error), 0);
	lxfw_sorted_runs_close(runs);
	free(bytes);
}

/* --- failures --------------------------------------------------------------------- */

/* Sorts in MEMORY bytes. Returns 0, or the errno of the failure. */
static int try(size_t memory, struct lxfw_error *error)
{
	struct lxfw_sorted_runs *runs = lxfw_sorted_runs_open(memory);
	int result;

	if (!runs)
		return ENOMEM;
	*error->text = '\0';
	errno = 0;
	result = add_things(runs, error) || read_things(runs, error);
	if (result) {
		assert_true(errno != 0);
		assert_non_null(strstr(error->text, strerror(errno)));
	}
	lxfw_sorted_runs_close(runs);
	return result ? errno : 0;
}

static void test_no_memory(void **unused)
{
	static const size_t memories[] = { 20000, 1 << 20 };
	struct lxfw_error error;
	long nth, failed = 0;

	(void)unused;
	make_things();
	for (int i = 0; i < 2; i++) {
		for (nth = 1; ; nth++) {
			int result;

			fail_allocation = nth;
			result = try(memories[i], &error);
			if (fail_allocation > 0)
				break;
			assert_int_equal(result, ENOMEM);
			failed++;
		}
		fail_allocation = 0;
	}
	assert_true(failed > 20);
}

static void test_no_file(void **unused)
{
	struct lxfw_error error;
	long nth;

	(void)unused;
	make_things();
	for (nth = 1; ; nth++) {
		int result;

		fail_file = nth;
		result = try(20000, &error);
		if (fail_file > 0)
			break;
		assert_true(result == ENOSPC || result == EIO);
		/* the message names the file */
		assert_string_equal(unit_message(error.text) + strlen("lxfw-XXXXXX"),
				    result == EIO ? ": Input/output error" :
						    ": No space left on device");
	}
	fail_file = 0;
	assert_true(nth > 10);
	cut_reads = true;
	assert_int_equal(try(20000, &error), EIO);
	cut_reads = false;
	fail_open = true;
	assert_int_equal(try(20000, &error), EACCES);
	fail_open = false;
	assert_int_equal(files_left(), 0);
}

/* --- the jobs of a log -------------------------------------------------------------- */

static const char records[] =
	"JobID|JobIDRaw|Submit|Eligible|Start|End|Elapsed|NCPUS|State|Partition|User|Cluster|"
	"MaxRSS|NTasks\n"
	"4|4|400|400|500|600|100|4|COMPLETED|q|ann|a||\n"
	"2|2|200|200|300|Unknown|100|4|RUNNING|q|bob|a||\n"
	"2.0|2.0|200|200|300|Unknown|100|4|RUNNING|q|||8000M|2\n"
	"3_1|5|200|250|300|400|100|2|COMPLETED|r|cyd|a||\n"
	"3_1.0|5.0|200|250|300|400|100|2|COMPLETED|||a|2M|2\n"
	"2|2|200|200|300|400|100|4|COMPLETED|q|bob|a||\n"
	"4|4|400|400|500|600|100|4|COMPLETED|only-here|only-here|a||\n"
	"4.0|4.0|400|400|500|600|100|4|COMPLETED|q|ann|a|900M|2\n"
	"4|4|400|400|700|800|100|4|COMPLETED|q|ann|a||\n"
	"4|4|400|400|900|Unknown|100|4|RUNNING|q|ann|a||\n"
	"4.0|4.0|400|400|900|Unknown|100|4|RUNNING|q|ann|a|700M|2\n"
	"4|4|400|400|500|600|100|4|COMPLETED|q|ann|b||\n"
	"6|6|200|250|250|250|0|9|COMPLETED|q|ann|a||\n";

static void keep(void *context, const struct lxfw_swf_record *record)
{
	struct lxfw_swf_record **next = context;

	*(*next)++ = *record;
}

/* Reads the records, sorted in files with MEMORY or else in memory. Returns whether that went
   well; COUNT is the number of jobs. */
static bool read_log(struct lxfw_log *log, size_t memory, struct lxfw_swf_record *jobs)
{
	struct lxfw_error error;
	struct lxfw_input *input = lxfw_input_bytes("log", records, strlen(records), &error);
	bool good = input && (memory == 0 || lxfw_log_bound(log, memory) == 0) &&
		    lxfw_log_add(log, input, &lxfw_log_sacct, &error) == 0 &&
		    lxfw_log_finish(log, &error) == 0 &&
		    lxfw_log_each(log, keep, &jobs, &error) == 0;

	lxfw_input_close(input);
	return good;
}

static void compare_names(const struct lxfw_names *a, const struct lxfw_names *b)
{
	assert_int_equal(a->count, b->count);
	for (size_t i = 0; i < a->count; i++)
		assert_string_equal(a->names[i], b->names[i]);
}

static void compare_logs(const struct lxfw_log *a, const struct lxfw_log *b)
{
	char *first = lxfw_log_tell(a), *second = lxfw_log_tell(b);

	assert_string_equal(first, second);
	free(first);
	free(second);
	assert_int_equal(a->count, b->count);
	assert_int_equal(a->begin, b->begin);
	assert_int_equal(a->most_procs, b->most_procs);
	compare_names(&a->users, &b->users);
	compare_names(&a->queues, &b->queues);
}

static void test_log(void **unused)
{
	struct lxfw_swf_record in_memory[10], sorted[10];
	struct lxfw_log log = { 0 };
	long nth, failed = 0;

	(void)unused;
	assert_true(read_log(&log, 0, in_memory));
	assert_int_equal(log.count, 6);
	assert_int_equal(log.doubles, 2);
	assert_int_equal(log.most_procs, 9);
	/* a step of a run that has not ended is none of the run before it */
	assert_int_equal(in_memory[4].number, 4);
	assert_int_equal(in_memory[4].used_memory, -1);
	/* the job with the same number on another cluster is another one */
	assert_int_equal(in_memory[5].number, 4);
	assert_int_equal(in_memory[1].number, 5);
	assert_int_equal(in_memory[1].used_memory, 2048);
	for (nth = 0; ; nth++) {
		struct lxfw_log other = { 0 };

		fail_allocation = nth;
		if (read_log(&other, nth % 2 ? 100000 : 200, sorted)) {
			long left = fail_allocation;

			fail_allocation = 0;
			compare_logs(&log, &other);
			assert_memory_equal(in_memory, sorted, log.count * sizeof(*sorted));
			lxfw_log_clear(&other);
			if (nth > 0 && left > 0)
				break;
			assert_int_equal(nth, 0);
			continue;
		}
		assert_int_equal(fail_allocation, 0);
		failed++;
		lxfw_log_clear(&other);
	}
	assert_true(failed > 20);
	for (nth = 1; nth < 10; nth++) {
		struct lxfw_log other = { 0 };

		fail_file = nth;
		assert_false(read_log(&other, 200, sorted));
		fail_file = 0;
		lxfw_log_clear(&other);
	}
	lxfw_log_clear(&log);
	assert_int_equal(files_left(), 0);
}

static int begin(void **unused)
{
	state = unit_seed("test_sorted_runs");
	return unit_files_begin(unused) || setenv("TMPDIR", unit_directory, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_no_memory),
		cmocka_unit_test(test_no_file),
		cmocka_unit_test(test_log),
	};

	return cmocka_run_group_tests(tests, begin, unit_files_end);
}
