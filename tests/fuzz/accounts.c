/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/fuzz/accounts.h"

#include <stdlib.h>
#include <string.h>

#include "sim-frontend/trace/log.h"
#include "sim-frontend/trace/swf.h"
#include "sim-frontend/util/zone.h"
#include "tests/fuzz/fuzz.h"

static const char path[] = "log", zone[] = "Europe/Berlin";
static const char *columns;	/* of a table */

static void check_time(int64_t time)
{
	FUZZ_CHECK(time >= -1 && time <= LXFW_ACCOUNT_TIME_MAX);
}

static void check_account(const struct lxfw_account *account)
{
	FUZZ_CHECK(account->submit >= 0);
	check_time(account->submit);
	check_time(account->eligible);
	check_time(account->start);
	check_time(account->limit);
	check_time(account->run);
	/* For a deleted PBS job, a duration is added to a time. */
	FUZZ_CHECK(account->end >= -1 &&
		   account->end <= 2 * LXFW_ACCOUNT_TIME_MAX);
	FUZZ_CHECK(account->procs >= 0 && account->procs <= INT32_MAX);
	FUZZ_CHECK(account->hosts >= 0);
	FUZZ_CHECK(account->suspended >= 0);
	FUZZ_CHECK(account->memory_kb >= 0 &&
		   account->memory_kb <= LXFW_ACCOUNT_MEMORY_MAX_KB);
	FUZZ_CHECK(account->used_memory_kb >= -1 &&
		   account->used_memory_kb <= LXFW_ACCOUNT_MEMORY_MAX_KB);
}

static void check_counts(const struct lxfw_account_counts *counts,
			 size_t over, size_t not_over, size_t steps)
{
	FUZZ_CHECK(counts->records == counts->jobs + counts->steps +
		   counts->not_over + counts->notes + counts->parents +
		   counts->odd.count);
	FUZZ_CHECK(over == counts->jobs + counts->deleted);
	FUZZ_CHECK(not_over == counts->not_over && steps == counts->steps);
}

static void read_accounts(const struct lxfw_log_format *format, bool in_zone,
			  struct lxfw_input *input)
{
	const struct lxfw_account_options options = { .in_zone = in_zone, .columns = columns };
	struct lxfw_error error = { "" };
	struct lxfw_account_reader *reader = lxfw_account_open(input, format,
							       &options, &error);
	struct lxfw_account account;
	size_t over = 0, not_over = 0, steps = 0;
	int got;

	if (!reader)
		return;
	while ((got = lxfw_account_next(reader, &account, &error)) > 0) {
		if (account.step) {
			steps++;
			continue;
		}
		over += account.over;
		not_over += !account.over;
		check_account(&account);
	}
	if (got == 0)
		check_counts(lxfw_account_counts(reader), over, not_over, steps);
	else
		FUZZ_CHECK(strncmp(error.text, path, strlen(path)) == 0);
	lxfw_account_close(reader);
}

/* The trace as written must be readable again. */
static void check_log(const struct lxfw_log *log)
{
	for (size_t i = 0; i < log->count; i++) {
		const struct lxfw_swf_record *record = &log->records[i];

		FUZZ_CHECK(record->submit >= 0 &&
			   record->submit <= LXFW_SWF_TIME_MAX);
		FUZZ_CHECK(record->wait <= 2 * LXFW_SWF_TIME_MAX);
		FUZZ_CHECK(record->run >= -1 && record->run <= LXFW_SWF_TIME_MAX);
		FUZZ_CHECK(record->requested_memory <= LXFW_SWF_MEMORY_MAX);
		FUZZ_CHECK(record->used_memory <= LXFW_SWF_MEMORY_MAX);
		FUZZ_CHECK(i == 0 || record[-1].submit <= record->submit);
	}
}

struct next {
	const struct lxfw_log *log;
	size_t at;
};

static void compare(void *context, const struct lxfw_swf_record *record)
{
	struct next *next = context;

	FUZZ_CHECK(next->at < next->log->count);
	FUZZ_CHECK(memcmp(record, &next->log->records[next->at++], sizeof(*record)) == 0);
}

/* Jobs that are sorted in files are the same as IN_MEMORY. */
static void read_sorted(const struct lxfw_log_format *format, const struct lxfw_log *in_memory,
			const uint8_t *data, size_t size)
{
	struct lxfw_input *input = lxfw_input_bytes(path, (const char *)data, size, NULL);
	struct lxfw_log log = { .zone = in_memory->zone, .columns = in_memory->columns };
	struct next next = { in_memory, 0 };
	char *told, *should = lxfw_log_tell(in_memory);

	FUZZ_CHECK(input && should && lxfw_log_bound(&log, 2000) == 0);
	FUZZ_CHECK(lxfw_log_add(&log, input, format, NULL) == 0);
	FUZZ_CHECK(lxfw_log_finish(&log, NULL) == 0);
	FUZZ_CHECK(log.count == in_memory->count);
	FUZZ_CHECK(lxfw_log_each(&log, compare, &next, NULL) == 0);
	told = lxfw_log_tell(&log);
	FUZZ_CHECK(told && strcmp(told, should) == 0);
	free(told);
	free(should);
	lxfw_log_clear(&log);
	lxfw_input_close(input);
}

static void read_log(const struct lxfw_log_format *format, bool in_zone,
		     struct lxfw_input *input, const uint8_t *data, size_t size)
{
	struct lxfw_log log = { .want_hosts = true, .columns = columns,
				.zone = in_zone ? zone : NULL };
	struct lxfw_error error;

	if (lxfw_log_add(&log, input, format, &error) == 0) {
		char *told;

		FUZZ_CHECK(lxfw_log_finish(&log, &error) == 0);
		check_log(&log);
		told = lxfw_log_tell(&log);
		FUZZ_CHECK(told);
		free(told);
		/* a file each time would be slow */
		if (size % 7 == 0)
			read_sorted(format, &log, data, size);
	}
	lxfw_log_clear(&log);
}

/* The format of an input is found, or the message names the known ones. */
static void recognize(struct lxfw_input *input)
{
	const struct lxfw_log_format *found = NULL;
	struct lxfw_error error = { "" };

	if (lxfw_log_recognize(input, &found, &error) == 0)
		FUZZ_CHECK(found);
	else
		FUZZ_CHECK(strncmp(error.text, path, strlen(path)) == 0);
}

void fuzz_accounts(const struct lxfw_log_format *format, const uint8_t *data,
		   size_t size)
{
	/* Every second input uses local times of a zone with daylight saving time. Reading it once
	   is usually sufficient: the log contains what the accounts do. */
	static int has_zone = -1;
	bool in_zone;

	if (has_zone < 0)
		has_zone = lxfw_zone_set(zone);
	in_zone = size % 2 == 1 && has_zone;
	for (int i = 0; i < 3; i++) {
		if (i < 2 && size % 4 / 2 != (size_t)i)
			continue;
		struct lxfw_input *input = lxfw_input_bytes(path,
			(const char *)data, size, NULL);

		if (!input)
			return;
		if (i == 0)
			recognize(input);
		else if (i == 1)
			read_accounts(format, in_zone, input);
		else
			read_log(format, in_zone, input, data, size);
		lxfw_input_close(input);
	}
}

void fuzz_table(const char *wanted, const uint8_t *data, size_t size)
{
	columns = wanted;
	fuzz_accounts(&lxfw_log_table, data, size);
	columns = NULL;
}
