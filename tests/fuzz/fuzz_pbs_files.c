/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files and short texts of lxfw-pbsd. The first byte selects one: 'r' the file of the numbers of
 * jobs, 'c' its parameters, 'x' a script of server_dyn_res, 'u' a recurrence rule, its zone and its
 * start in three lines, anything else a resource as the server reports it: its name, type, flags
 * and an amount in four words.
 */
#include "tests/fuzz/fuzz.h"

#include <errno.h>
#include <unistd.h>

#include "plugins/pbs/config.h"
#include "plugins/pbs/kinds.h"
#include "plugins/pbs/records.h"
#include "plugins/pbs/recur.h"
#include "plugins/pbs/scripts.h"
#include "tests/fuzz/file.h"

const char fuzz_name[] = "pbs_files";

#define TIMES 5

/* Each job keeps its number, and no two jobs have the same. */
static void read_records(const char *path)
{
	struct lxfw_pbs_records records = { 0 };
	uint32_t number;

	FUZZ_CHECK(lxfw_pbs_records_read(&records, path) == 0 || errno == EBADMSG);
	for (size_t i = 0; i < records.count; i++) {
		struct lxfw_pbs_record *record = &records.record[i];

		FUZZ_CHECK(record->record != 0);
		FUZZ_CHECK(lxfw_pbs_record(&records, record->number, record->task) ==
			   record->record);
		for (size_t j = 0; j < i && j < 20; j++)
			FUZZ_CHECK(records.record[j].record != record->record);
	}
	number = lxfw_pbs_record(&records, 7, 3);
	FUZZ_CHECK(number >= LXFW_PBS_RECORDS_FIRST);
	for (size_t i = 0; i < records.count; i++)
		FUZZ_CHECK(records.record[i].record != number ||
			   (records.record[i].number == 7 && records.record[i].task == 3));
	lxfw_pbs_records_clear(&records);
}

static void read_config(const char *path)
{
	struct lxfw_error why = { "" };
	char *text = lxfw_pbs_config_read(path, "lxfw_policy=easy", &why);

	FUZZ_CHECK(text || why.text[0] != '\0');
	FUZZ_CHECK(!text || strstr(text, "lxfw_policy=easy"));
	free(text);
	lxfw_error_set(&why, "lxfw_policy=x: unknown");
	lxfw_pbs_config_locate(path, &why);
}

static void read_script(const char *text)
{
	struct lxfw_pbs_scripts scripts = { 0 }, old = { 0 };
	int result = lxfw_pbs_scripts_add(&scripts, &old, text);

	FUZZ_CHECK(result == lxfw_pbs_script_is_valid(text));
	FUZZ_CHECK(scripts.count == (size_t)result);
	lxfw_pbs_scripts_clear(&scripts);
}

static void read_rule(char *text)
{
	char *rule = strsep(&text, "\n"), *zone = strsep(&text, "\n");
	int64_t times[TIMES], start = text ? strtoll(text, NULL, 10) : 1790000000;
	int32_t count;

	if (start < 0 || start > INT64_C(4000000000))
		start = 0;
	count = lxfw_pbs_recur(rule, zone ? zone : "UTC", start, times, TIMES);
	FUZZ_CHECK(count <= TIMES);
	for (int32_t i = 0; i < count; i++)
		FUZZ_CHECK(times[i] >= start && (i == 0 || times[i] > times[i - 1]));
}

static void read_kind(char *text)
{
	const char *name = strsep(&text, " "), *type = strsep(&text, " ");
	const char *flags = strsep(&text, " ");
	struct lxfw_pbs_kinds kinds = { 0 };
	const struct lxfw_pbs_kind *kind;
	struct lxfw_resources amount = { 0 };
	int64_t value;

	FUZZ_CHECK(lxfw_pbs_kinds_init(&kinds));
	if (flags && text) {
		FUZZ_CHECK(lxfw_pbs_kinds_add(&kinds, name, type, flags));
		kind = lxfw_pbs_kind(&kinds, name);
		FUZZ_CHECK(kind && kind->place < LXFW_EXTRAS_MAX);
		if (lxfw_pbs_amount(kind->type, text, true, &value))
			FUZZ_CHECK(value >= 0);
		(void)lxfw_pbs_count(kind, text, false, &amount);
		FUZZ_CHECK(amount.procs >= 0 && amount.memory_mb >= 0);
		lxfw_pbs_without_first(&kinds, &amount);
	}
	lxfw_pbs_kinds_clear(&kinds);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path;
	char *text;

	if (size == 0)
		return 0;
	path = *data == 'r' || *data == 'c' ? fuzz_file(data + 1, size - 1) : NULL;
	text = fuzz_text(data + 1, size - 1);
	FUZZ_CHECK(text);
	if (*data == 'r' && path)
		read_records(path);
	else if (*data == 'c' && path)
		read_config(path);
	else if (*data == 'x')
		read_script(text);
	else if (*data == 'u')
		read_rule(text);
	else
		read_kind(text);
	free(text);
	return 0;
}
