/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Snapshots. The input is read as it is, and with a last line that fits, so that the lines
   before it are reached. A state that is read can be written, read again and simulated. */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/journal/wire.h"
#include "sim-frontend/predict/snapshot_file.h"
#include "sim-frontend/predict/whatif.h"
#include "tests/fuzz/file.h"

const char fuzz_name[] = "snapshot";

static void simulate(const struct lxfw_snapshot_file *file)
{
	const struct lxfw_change change = { .params = &file->state.params };
	struct lxfw_whatif whatif = {
		.file = file, .change = &change, .futures = 1, .threads = 1,
		.horizon = 7200, .submissions = lxfw_whatif_knows_submissions(file),
		.run_times = LXFW_RUN_TIMES_PREDICTED,
	};
	struct lxfw_whatif_result result;
	struct lxfw_error error = { "" };

	if (lxfw_whatif_refuses(&file->state.params) || file->state.params.interval > 0 ||
	    file->state.job_count > 40 || file->submitted_count > 40 || file->state.host_count > 40)
		return;
	if (lxfw_whatif_run(&whatif, &result, &error))
		FUZZ_CHECK(error.text[0] != '\0');
	lxfw_whatif_clear(&result);
}

static void write_and_read(const struct lxfw_snapshot_file *file)
{
	char path[] = "/tmp/lxfw-fuzz-snapshot-XXXXXX";
	struct lxfw_snapshot_file again = { 0 };
	struct lxfw_error error = { "" };
	int number = mkstemp(path);

	if (number < 0)
		return;
	close(number);
	FUZZ_CHECK(lxfw_snapshot_write(file, path, &error) == 0);
	if (lxfw_snapshot_read(&again, path, &error)) {
		fprintf(stderr, "%s\n", error.text);
		FUZZ_CHECK(false);
	}
	FUZZ_CHECK(again.state.job_count == file->state.job_count);
	FUZZ_CHECK(again.submitted_count == file->submitted_count);
	FUZZ_CHECK(again.state.now == file->state.now);
	lxfw_snapshot_file_clear(&again);
	unlink(path);
}

static void read_one(const char *path)
{
	static const struct lxfw_snapshot_file none;
	struct lxfw_snapshot_file file = { 0 };
	struct lxfw_error error = { "" };

	if (lxfw_snapshot_read(&file, path, &error)) {
		FUZZ_CHECK(error.text[0] != '\0');
		FUZZ_CHECK(memcmp(&file, &none, sizeof(none)) == 0);
		return;
	}
	simulate(&file);
	write_and_read(&file);
	FUZZ_CHECK(lxfw_snapshot_anonymize(&file) == 0);
	write_and_read(&file);
	lxfw_snapshot_file_clear(&file);
}

/* The first line, the input, and the last line. */
static uint8_t *complete(const uint8_t *data, size_t size, size_t *length)
{
	static const char first[] = "lxfw-snapshot 2\n";
	uint8_t *text = malloc(size + 100);
	size_t lines = 0;

	if (!text)
		return NULL;
	*length = sizeof(first) - 1;
	memcpy(text, first, *length);
	if (size > 0)
		memcpy(text + *length, data, size);
	*length += size;
	if (text[*length - 1] != '\n')
		text[(*length)++] = '\n';
	for (size_t i = 0; i < *length; i++)
		lines += text[i] == '\n';
	*length += (size_t)sprintf((char *)text + *length, "end lines=%zu crc32=%08x\n", lines,
				   (unsigned)lxfw_crc32(text, *length));
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file(data, size);
	uint8_t *text;
	size_t length;

	if (path)
		read_one(path);
	text = complete(data, size, &length);
	path = text ? fuzz_file(text, length) : NULL;
	if (path)
		read_one(path);
	free(text);
	return 0;
}
