/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data base of published predictions: what is kept, settled, taught and judged. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/model/time.h"
#include "sim-frontend/publish/records.h"

static char folder[] = "/tmp/lxfw-records-XXXXXX";
static char path[64];

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/file", folder);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	return rmdir(folder);
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

static struct lxfw_records *open_file(void)
{
	struct lxfw_error error = { "" };
	struct lxfw_records *records = lxfw_records_open(path, &error);

	if (!records && errno == ENOTSUP)
		skip();
	if (!records)
		fail_msg("%s", error.text);
	return records;
}

/* A prediction at TIME for a start at EXPECTED, within a minute with 50 % and ten with 90 %. */
static struct lxfw_record_row row(uint64_t job, int64_t time, int64_t expected, int64_t manager)
{
	double wait = (double)(expected - time);

	return (struct lxfw_record_row) {
		.times = { expected, expected - 60, expected + 60, expected - 600,
			   expected + 600 },
		.manager = manager,
		.promise = {
			.job = job, .time = time, .weight = 2, .start = LXFW_NEVER,
			.gone = LXFW_NEVER,
			.view.standing = { .age = 5, .expected = expected - time, .limit = 3600 },
			.view.raw.of = {
				[LXFW_HALF] = { wait - 6, wait + 6 },
				[LXFW_MOST] = { wait - 60, wait + 60 },
			},
		},
	};
}

/* Job 1 starts at 11000, job 2 is gone, job 3 waits. */
static int64_t start(const void *context, uint64_t job, int64_t since)
{
	assert_ptr_equal(context, path);
	assert_true(since > 0);
	return job == 1 ? 11000 : job == 2 ? -1 : LXFW_NEVER;
}

static void add(struct lxfw_records *records, const struct lxfw_record_row *rows, size_t count,
		int64_t now)
{
	struct lxfw_error error = { "" };

	if (lxfw_records_add(records, rows, count, now, &error))
		fail_msg("%s", error.text);
}

static void starts_become_known(void **state)
{
	const struct lxfw_record_row rows[] = {
		row(1, 10000, 10500, 12000), row(1, 10300, 10950, 0),
		row(2, 10300, 10900, 0), row(3, 10300, 20000, 0),
	};
	struct lxfw_publication_quality quality;
	struct lxfw_promises promises = { 0 };
	struct lxfw_records *records = open_file();
	struct lxfw_error error;
	struct stat about;

	(void)state;
	add(records, rows, 4, 10300);
	assert_int_equal(stat(path, &about), 0);
	assert_int_equal(about.st_mode & 07777, 0600);
	assert_int_equal(lxfw_records_quality(records, 1, 10400, &quality, &error), 0);
	assert_int_equal(quality.predictions, 0);
	assert_int_equal(lxfw_records_settle(records, start, path, &error), 0);
	lxfw_records_close(records);

	records = open_file();
	/* Job 3 waits: the second moment is not judged yet. */
	assert_int_equal(lxfw_records_quality(records, 1, 12000, &quality, &error), 0);
	assert_int_equal(quality.predictions, 1);
	assert_int_equal(quality.jobs, 1);
	assert_int_equal(quality.since, 10000);
	assert_true(quality.error == 500);
	assert_true(quality.near == 1);
	assert_int_equal(quality.states[1], 1);
	assert_true(quality.inside[0] == 0 && quality.inside[1] == 1);
	assert_int_equal(quality.both, 1);
	assert_true(quality.error_of_both == 500 && quality.error_of_manager == 1000);
	assert_true(quality.near_of_both == 1 && quality.near_of_manager == 0);

	/* After two days it is, and the job is late. */
	assert_int_equal(lxfw_records_quality(records, 1, 183101, &quality, &error), 0);
	assert_int_equal(quality.predictions, 3);
	assert_int_equal(quality.jobs, 2);
	assert_true(quality.error == 500);
	assert_int_equal(quality.both, 1);
	assert_int_equal(quality.states[1], 3);
	assert_true(quality.inside[1] > 0.66 && quality.inside[1] < 0.67);
	assert_int_equal(lxfw_records_quality(records, 10200, 183101, &quality, &error), 0);
	assert_int_equal(quality.predictions, 2);
	assert_true(quality.near == 0.5);

	assert_int_equal(lxfw_records_promises(records, &promises, &error), 0);
	assert_int_equal(promises.count, 3);	/* not that of job 2 */
	assert_int_equal(promises.list[0].time, 10000);
	assert_int_equal(promises.list[0].start, 11000);
	assert_true(promises.list[0].weight == 2);
	assert_int_equal(promises.list[0].view.standing.limit, 3600);
	assert_true(promises.list[0].view.raw.of[LXFW_MOST].high == 560);
	assert_int_equal(promises.list[2].job, 3);
	assert_true(promises.list[2].start == LXFW_NEVER);
	lxfw_promises_clear(&promises);
	lxfw_records_close(records);
}

static void intervals_that_are_not_stated_do_not_count(void **state)
{
	struct lxfw_record_row rows[] = { row(1, 10000, 10500, 0) };
	struct lxfw_publication_quality quality;
	struct lxfw_records *records = open_file();
	struct lxfw_error error;

	(void)state;
	rows[0].times[LXFW_TOLD_LOW90] = 10000;
	rows[0].times[LXFW_TOLD_HIGH90] = LXFW_NEVER;
	add(records, rows, 1, 10000);
	assert_int_equal(lxfw_records_settle(records, start, path, &error), 0);
	assert_int_equal(lxfw_records_quality(records, 1, 12000, &quality, &error), 0);
	assert_int_equal(quality.states[0], 1);
	assert_int_equal(quality.states[1], 0);
	lxfw_records_close(records);
}

static void old_ones_are_removed(void **state)
{
	const struct lxfw_record_row old = row(1, 10000, 10500, 0);
	const int64_t later = 10001 + LXFW_RECORDS_KEPT;
	const struct lxfw_record_row new = row(1, later, later + 500, 0);
	struct lxfw_promises promises = { 0 };
	struct lxfw_records *records = open_file();
	struct lxfw_error error;

	(void)state;
	add(records, &old, 1, 10000);
	add(records, &new, 1, later);
	assert_int_equal(lxfw_records_promises(records, &promises, &error), 0);
	assert_int_equal(promises.count, 1);
	assert_int_equal(promises.list[0].time, later);
	lxfw_promises_clear(&promises);
	lxfw_records_close(records);
}

/* A clock that is wrong for a round costs a day's predictions. */
static void others_stay_when_the_clock_is_wrong(void **state)
{
	const struct lxfw_record_row rows[] = {
		row(1, 10000, 10500, 0), row(2, 96399, 97000, 0), row(3, 96400, 97000, 0),
		row(4, 200000, 200500, 0),
	};
	const struct lxfw_record_row new =
		row(5, 300000 + LXFW_RECORDS_KEPT, 300500 + LXFW_RECORDS_KEPT, 0);
	struct lxfw_promises promises = { 0 };
	struct lxfw_records *records = open_file();
	struct lxfw_error error;

	(void)state;
	add(records, rows, 4, 200000);
	add(records, &new, 1, new.promise.time);
	assert_int_equal(lxfw_records_promises(records, &promises, &error), 0);
	assert_int_equal(promises.count, 3);
	assert_int_equal(promises.list[0].time, 96400);
	lxfw_promises_clear(&promises);
	lxfw_records_close(records);
}

/* Of a job that waits after two days, and whose intervals are not over, nothing is known. */
static void what_may_still_come_true_does_not_count(void **state)
{
	const struct lxfw_record_row one = row(3, 10300, 400000, 0);
	struct lxfw_publication_quality quality;
	struct lxfw_records *records = open_file();
	struct lxfw_error error;

	(void)state;
	add(records, &one, 1, 10300);
	assert_int_equal(lxfw_records_quality(records, 1, 183101, &quality, &error), 0);
	assert_int_equal(quality.jobs, 1);
	assert_int_equal(quality.predictions, 0);
	assert_int_equal(quality.states[0], 0);
	assert_int_equal(quality.states[1], 0);
	/* The interval of 50 % is over first. */
	assert_int_equal(lxfw_records_quality(records, 1, 400061, &quality, &error), 0);
	assert_int_equal(quality.states[0], 1);
	assert_int_equal(quality.states[1], 0);
	assert_true(quality.inside[0] == 0);
	lxfw_records_close(records);
}

/* A file that another program has damaged. */
static void values_out_of_range_teach_nothing(void **state)
{
	struct lxfw_record_row rows[12];
	const size_t count = sizeof(rows) / sizeof(*rows);
	struct lxfw_promises promises = { 0 };
	struct lxfw_records *records = open_file();
	struct lxfw_error error;

	(void)state;
	for (size_t i = 0; i < count; i++)
		rows[i] = row(i + 1, 10000, 10500, 0);
	rows[0].promise.weight = 0;
	rows[1].promise.weight = -1;
	rows[2].promise.weight = 1.1e9;
	rows[3].promise.weight = INFINITY;
	rows[4].promise.time = 0;
	rows[5].promise.view.standing.age = -1;
	rows[6].promise.view.standing.expected = -1;
	rows[7].promise.view.standing.limit = -1;
	rows[8].promise.view.raw.of[LXFW_MOST].low = -1;
	rows[9].promise.view.raw.of[LXFW_MOST].low = 495;
	rows[10].promise.view.raw.of[LXFW_MOST].high = INFINITY;
	add(records, rows, count, 10000);
	assert_int_equal(lxfw_records_promises(records, &promises, &error), 0);
	assert_int_equal(promises.count, 1);
	assert_int_equal(promises.list[0].job, count);
	lxfw_promises_clear(&promises);
	lxfw_records_close(records);
}

/* A file that others could read, and so lock. */
static void the_file_becomes_private(void **state)
{
	FILE *file = fopen(path, "w");
	struct stat about;

	(void)state;
	assert_non_null(file);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, 0644), 0);
	lxfw_records_close(open_file());
	assert_int_equal(stat(path, &about), 0);
	assert_int_equal(about.st_mode & 07777, 0600);
}

static void another_process_is_kept_out(void **state)
{
	struct lxfw_records *records = open_file();
	struct lxfw_error error;

	(void)state;
	assert_null(lxfw_records_open(path, &error));
	assert_int_equal(errno, EBUSY);
	assert_non_null(strstr(error.text, "in use"));
	lxfw_records_close(records);
}

static void other_files_are_refused(void **state)
{
	struct lxfw_error error;
	FILE *file = fopen(path, "w");

	(void)state;
	assert_non_null(file);
	assert_true(fputs("this is no data base, and longer than the head of one would be, which "
			  "has a hundred bytes", file) > 0);
	assert_int_equal(fclose(file), 0);
	assert_null(lxfw_records_open(path, &error));
	if (errno == ENOTSUP)
		skip();
	assert_non_null(strstr(error.text, "not a file of 'lxfw predict --publish'"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(starts_become_known, remove_file),
		cmocka_unit_test_teardown(intervals_that_are_not_stated_do_not_count, remove_file),
		cmocka_unit_test_teardown(old_ones_are_removed, remove_file),
		cmocka_unit_test_teardown(others_stay_when_the_clock_is_wrong, remove_file),
		cmocka_unit_test_teardown(what_may_still_come_true_does_not_count, remove_file),
		cmocka_unit_test_teardown(values_out_of_range_teach_nothing, remove_file),
		cmocka_unit_test_teardown(the_file_becomes_private, remove_file),
		cmocka_unit_test_teardown(another_process_is_kept_out, remove_file),
		cmocka_unit_test_teardown(other_files_are_refused, remove_file),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
