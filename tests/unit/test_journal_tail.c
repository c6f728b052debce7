/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A journal that is read while it is written, rotated and damaged. */
#include "sim-frontend/trace/journal_tail.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/file.h"

/* What was given: 'M' for a magic, and the number of the job of each event. */
static char given[4096];

static int take(void *context, const struct lxfw_record *record)
{
	size_t length = strlen(given);

	(void)context;
	if (record->kind == LXFW_RECORD_MAGIC)
		snprintf(given + length, sizeof(given) - length, "M ");
	else if (record->kind == LXFW_RECORD_EVENT)
		snprintf(given + length, sizeof(given) - length, "%llu ",
			 (unsigned long long)record->event.end.id);
	return 0;
}

static void put_magic(struct lxfw_buffer *buffer)
{
	buffer->bytes = realloc(buffer->bytes, buffer->length + LXFW_JOURNAL_MAGIC_SIZE);
	memcpy(buffer->bytes + buffer->length, LXFW_JOURNAL_MAGIC, LXFW_JOURNAL_MAGIC_SIZE);
	buffer->length += LXFW_JOURNAL_MAGIC_SIZE;
	buffer->size = buffer->length;
}

static void put_end(struct lxfw_buffer *buffer, uint64_t id)
{
	const struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_END, .time = 100 + (int64_t)id, .end.id = id,
	};

	assert_int_equal(lxfw_journal_put_event(buffer, &event), 0);
}

/* Writes a part of the buffer to the end of a file. */
static void append(const char *path, const struct lxfw_buffer *buffer, size_t from, size_t to)
{
	FILE *file = fopen(path, "ab");

	assert_non_null(file);
	assert_int_equal(fwrite(buffer->bytes + from, 1, to - from, file), to - from);
	assert_int_equal(fclose(file), 0);
}

static void append_all(const char *path, struct lxfw_buffer *buffer)
{
	append(path, buffer, 0, buffer->length);
	buffer->length = 0;
}

/* Reads, and compares with what is expected. */
static void reads(struct lxfw_journal_tail *tail, int result, const char *expected)
{
	struct lxfw_error error;

	*given = '\0';
	assert_int_equal(lxfw_journal_tail_read(tail, take, NULL, &error), result);
	assert_string_equal(given, expected);
}

static void follows_a_file(void **state)
{
	const char *path = unit_path("journal");
	struct lxfw_journal_tail *tail = lxfw_journal_tail_open(path);
	struct lxfw_buffer buffer = { 0 };

	(void)state;
	reads(tail, -1, "");		/* there is none yet */
	put_magic(&buffer);
	put_end(&buffer, 1);
	put_magic(&buffer);
	put_end(&buffer, 2);
	append_all(path, &buffer);
	reads(tail, 1, "M 2 ");		/* the last segment */
	reads(tail, 0, "");
	put_end(&buffer, 3);
	for (size_t i = 0; i < buffer.length; i++) {
		append(path, &buffer, i, i + 1);
		reads(tail, i + 1 == buffer.length, i + 1 == buffer.length ? "3 " : "");
	}
	lxfw_journal_tail_close(tail);
	free(buffer.bytes);
}

static void follows_a_rotation(void **state)
{
	const char *path = unit_path("rotated"), *old = unit_path("rotated.1");
	struct lxfw_journal_tail *tail = lxfw_journal_tail_open(path);
	struct lxfw_buffer buffer = { 0 };

	(void)state;
	put_magic(&buffer);
	put_end(&buffer, 1);
	append_all(path, &buffer);
	reads(tail, 1, "M 1 ");
	assert_int_equal(rename(path, old), 0);
	put_end(&buffer, 2);
	append_all(old, &buffer);
	reads(tail, 1, "2 ");		/* the new one is not there yet */
	put_end(&buffer, 3);
	append_all(old, &buffer);
	put_magic(&buffer);
	put_end(&buffer, 4);
	append_all(path, &buffer);
	reads(tail, 1, "3 M 4 ");
	put_end(&buffer, 5);
	append_all(path, &buffer);
	reads(tail, 1, "5 ");
	lxfw_journal_tail_close(tail);
	free(buffer.bytes);
}

static void passes_over_what_a_crash_left(void **state)
{
	const char *path = unit_path("crashed");
	struct lxfw_journal_tail *tail = lxfw_journal_tail_open(path);
	struct lxfw_buffer buffer = { 0 };

	(void)state;
	put_magic(&buffer);
	put_end(&buffer, 1);
	append_all(path, &buffer);
	reads(tail, 1, "M 1 ");
	put_end(&buffer, 2);
	append(path, &buffer, 0, buffer.length - 2);
	reads(tail, 0, "");
	buffer.length = 0;
	put_magic(&buffer);
	put_end(&buffer, 3);
	append_all(path, &buffer);
	reads(tail, 1, "M 3 ");
	/* An invalid record is an error; the file is read again from its last segment. */
	put_end(&buffer, 4);
	buffer.bytes[buffer.length - 1] ^= 1;
	append_all(path, &buffer);
	reads(tail, -1, "");
	reads(tail, -1, "M 3 ");
	put_magic(&buffer);
	put_end(&buffer, 5);
	append_all(path, &buffer);
	reads(tail, 1, "M 5 ");
	lxfw_journal_tail_close(tail);
	free(buffer.bytes);
}

/* However it is cut, each record is given once and in order. */
static void gives_each_record_once(void **state)
{
	uint64_t random = unit_seed("tail");

	(void)state;
	for (int i = 0; i < 200; i++) {
		const char *path = unit_path("random");
		struct lxfw_journal_tail *tail = lxfw_journal_tail_open(path);
		struct lxfw_buffer buffer = { 0 };
		char expected[1024] = "M ";
		struct lxfw_error error;

		remove(path);
		*given = '\0';
		put_magic(&buffer);
		for (uint64_t id = 1; id <= 30; id++) {
			put_end(&buffer, id * 1000);
			snprintf(expected + strlen(expected), 16, "%llu ",
				 (unsigned long long)id * 1000);
		}
		for (size_t from = 0, to; from < buffer.length; from = to) {
			to = (size_t)unit_between(&random, (int64_t)from + 1,
						  (int64_t)buffer.length);
			append(path, &buffer, from, to);
			assert_true(lxfw_journal_tail_read(tail, take, NULL, &error) >= 0);
		}
		assert_string_equal(given, expected);
		lxfw_journal_tail_close(tail);
		free(buffer.bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(follows_a_file),
		cmocka_unit_test(follows_a_rotation),
		cmocka_unit_test(passes_over_what_a_crash_left),
		cmocka_unit_test(gives_each_record_once),
	};

	return cmocka_run_group_tests_name("journal_tail", tests, unit_files_begin, unit_files_end);
}
