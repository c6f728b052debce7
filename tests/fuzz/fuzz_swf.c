/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of the Standard Workload Format, plain and gzip. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "sim-frontend/trace/swf.h"
#include "tests/fuzz/file.h"

const char fuzz_name[] = "swf";

static int header(void *context, const char *key, int key_length,
		  const char *value, int value_length)
{
	size_t *sum = context;

	FUZZ_CHECK(key_length > 0 && value_length >= 0);
	for (int i = 0; i < key_length; i++)
		*sum += (unsigned char)key[i];
	for (int i = 0; i < value_length; i++)
		*sum += (unsigned char)value[i];
	return 0;
}

static void check_range(int64_t value, int64_t most)
{
	FUZZ_CHECK(value >= -1 && value <= most);
}

static void check_record(const struct lxfw_swf_record *record)
{
	FUZZ_CHECK(record->submit >= 0 || record->run <= 0);
	FUZZ_CHECK(record->submit <= LXFW_SWF_TIME_MAX);
	check_range(record->wait, LXFW_SWF_TIME_MAX);
	/* Durations are rounded up. */
	check_range(record->run, LXFW_SWF_TIME_MAX + 1);
	check_range(record->requested_time, LXFW_SWF_TIME_MAX + 1);
	check_range(record->used_procs, LXFW_SWF_PROCS_MAX);
	check_range(record->requested_procs, LXFW_SWF_PROCS_MAX);
	check_range(record->used_memory, LXFW_SWF_MEMORY_MAX);
	check_range(record->requested_memory, LXFW_SWF_MEMORY_MAX);
	check_range(record->think_time, LXFW_SWF_TIME_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file(data, size);
	struct lxfw_swf_record record;
	struct lxfw_odd odd = { 0 };
	struct lxfw_input *input;
	struct lxfw_error error = { "" };
	size_t sum = 0;
	int result;

	if (!path)
		return 0;
	input = lxfw_input_open(path, &error);
	if (!input)
		return 0;
	while ((result = lxfw_swf_next(input, &record, header, &sum, &odd,
				       &error)) > 0)
		check_record(&record);
	if (result < 0)
		FUZZ_CHECK(strncmp(error.text, path, strlen(path)) == 0);
	lxfw_input_close(input);
	return 0;
}
