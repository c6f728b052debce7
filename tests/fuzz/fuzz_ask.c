/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What users ask: `lxfw why` and `lxfw predict` of a journal with corrected checksums,
 * `lxfw status` of a file that begins with '#', and the options of a request, which begin
 * with '-'. A command that fails prints a message and nothing else. The size of a journal chooses
 * one of four commands: all of them, with predictions at many moments, take a second. Once its corpus
 * has grown, it executes about 1,700 inputs per second, not 2,000: a prediction has ten futures.
 */
#include "tests/fuzz/fuzz.h"

#include <getopt.h>
#include <unistd.h>

#include "common/journal/journal.h"
#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/predict/request_text.h"
#include "tests/fuzz/file.h"
#include "tests/fuzz/repair.h"

const char fuzz_name[] = "ask";

#define WORDS 10

/* Journals of more events take too long. */
#define JOURNAL_MOST 20000

/* Runs a command, whose output is discarded. */
static void ask(char *const *words)
{
	char *argv[WORDS + 1] = { NULL };
	int argc = 0, status;
	long printed;

	for (; words[argc]; argc++) {
		FUZZ_CHECK(argc < WORDS);
		argv[argc] = words[argc];
	}
	FUZZ_CHECK(freopen("/dev/null", "w", stdout));
	optind = 0;
	status = lxfw_main(argc, argv);
	printed = ftell(stdout);
	FUZZ_CHECK(status >= 0 && status <= 2);
	FUZZ_CHECK(status < 2 || printed <= 0);
}

/* A policy with a pass every second makes millions of them in a future. */
static bool has_interval(const struct lxfw_buffer *journal)
{
	struct lxfw_record record = { 0 };
	size_t offset = 0;
	bool found = false;

	while (!found && lxfw_journal_get(journal->bytes, journal->length, &offset, &record) == 1)
		found = record.kind == LXFW_RECORD_EVENT &&
			record.event.type == LXFW_EVENT_PARAMS && record.params.interval > 0;
	lxfw_record_clear(&record);
	return found;
}

static void ask_journal(const uint8_t *data, size_t size)
{
	struct lxfw_buffer journal = { 0 };
	const char *path;
	bool intervals;

	if (size > JOURNAL_MOST || fuzz_repair(&journal, data, size) < 0)
		return;
	intervals = has_interval(&journal);
	path = fuzz_file(journal.bytes, journal.length);
	free(journal.bytes);
	if (!path)
		return;
	if (size % 4 == 0 || (intervals && size % 4 > 1))
		ask((char *[]){ "lxfw", "why", "--alone", "1", (char *)path, NULL });
	else if (size % 4 == 1)
		ask((char *[]){ "lxfw", "why", "--json", "--alone", "2", (char *)path, NULL });
	else if (size % 4 == 2)
		ask((char *[]){ "lxfw", "predict", "--futures=10", "--threads=1", "--moments=1",
				"--alone", "--journal", (char *)path, NULL });
	else
		ask((char *[]){ "lxfw", "predict", "--futures=10", "--threads=1", "--moments=0",
				"--alone", "--journal", (char *)path, "--request", "-n 2 -t 60",
				NULL });
}

static void ask_status(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file(data, size);

	if (!path)
		return;
	ask((char *[]){ "lxfw", "status", (char *)path, NULL });
	ask((char *[]){ "lxfw", "status", "--json", (char *)path, NULL });
}

/* A request is valid for the scheduler, and its text means the same request. */
static void check_request(const char *text)
{
	struct lxfw_request_text parsed, again;
	struct lxfw_request request;
	struct lxfw_error error = { "" };
	char shown[LXFW_REQUEST_TEXT_SIZE];

	if (lxfw_request_parse(&parsed, text, &error) ||
	    lxfw_request_make(&parsed, &request, &error)) {
		FUZZ_CHECK(error.text[0] != '\0');
		return;
	}
	request.id = 1;
	FUZZ_CHECK(lxfw_request_is_valid(&request));
	lxfw_request_format(&parsed, shown, sizeof(shown));
	FUZZ_CHECK(lxfw_request_parse(&again, shown, &error) == 0);
	FUZZ_CHECK(parsed.tasks == again.tasks && parsed.cpus == again.cpus);
	FUZZ_CHECK(parsed.nodes == again.nodes && parsed.limit == again.limit);
	FUZZ_CHECK(parsed.memory == again.memory);
	FUZZ_CHECK(parsed.memory_per_cpu == again.memory_per_cpu);
	FUZZ_CHECK(parsed.host_set == again.host_set);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text;

	if (size > 0 && data[0] == '#') {
		ask_status(data, size);
	} else if (size > 0 && data[0] == '-') {
		text = fuzz_text(data, size);
		if (text)
			check_request(text);
		free(text);
	} else {
		ask_journal(data, size);
	}
	return 0;
}
