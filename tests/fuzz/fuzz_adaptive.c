/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Selection of adaptive jobs. The first line is the argument of --adaptive. The rest is
   the file that it names, if it names one. */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "sim-frontend/trace/adaptive.h"
#include "tests/fuzz/file.h"

const char fuzz_name[] = "adaptive";

#define JOBS 40

static struct lxfw_trace_job jobs[JOBS];
static struct lxfw_trace_owner owners[JOBS];
static char queue[] = "Queue", user[] = "User", group[] = "Group";
static char short_[] = "1 short", long_[] = "2 long jobs", empty[] = "",
	    bare[] = "3", ann[] = "7 ann", physics[] = "2 physics";
static struct lxfw_trace_header headers[] = {
	{ queue, short_ }, { queue, long_ }, { queue, empty }, { queue, bare },
	{ user, ann }, { group, physics },
};

static struct lxfw_trace make_trace(void)
{
	for (int i = 0; i < JOBS; i++) {
		jobs[i] = (struct lxfw_trace_job) {
			.number = i % 30 - 1, .run = 1, .limit = 1,
			.procs = i % 7 + 1,
		};
		owners[i] = (struct lxfw_trace_owner) {
			i % 9 - 1, i % 4 - 1, i % 5 - 1, -1, -1, -1, false,
		};
	}
	return (struct lxfw_trace) {
		.jobs = jobs, .count = JOBS, .size = JOBS, .owners = owners,
		.headers = headers,
		.header_count = sizeof(headers) / sizeof(*headers),
	};
}

static void check_choice(const struct lxfw_trace *trace,
			 const struct lxfw_adaptive_result *result)
{
	size_t chosen = 0;

	for (size_t i = 0; i < trace->count; i++) {
		FUZZ_CHECK(trace->jobs[i].min_procs >= 0);
		FUZZ_CHECK(trace->jobs[i].min_procs <= trace->jobs[i].procs);
		chosen += trace->jobs[i].min_procs > 0;
	}
	FUZZ_CHECK(chosen == result->chosen);
	FUZZ_CHECK(chosen + result->elsewhere <= trace->count);
}

/* Use the names of the first line as the partitions of the site too. */
static void choose(struct lxfw_adaptive *adaptive)
{
	struct lxfw_trace trace = make_trace();
	struct lxfw_adaptive_result result;
	struct lxfw_error error = { "" };

	if (lxfw_adaptive_choose(adaptive, &trace, &result, &error))
		FUZZ_CHECK(error.text[0] != '\0');
	else
		check_choice(&trace, &result);
	adaptive->kind = LXFW_ADAPTIVE_ALL;
	adaptive->partitions = adaptive->text;
	adaptive->partitions_length = (int)strlen(adaptive->text);
	FUZZ_CHECK(lxfw_adaptive_choose(adaptive, &trace, &result, &error) == 0);
	check_choice(&trace, &result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
	size_t length = end ? (size_t)(end - data) : size;
	struct lxfw_adaptive adaptive = { .min_procs = 3, .seed = 1 };
	char *word = malloc(length + 1);

	if (!word)
		return 0;
	if (length > 0)
		memcpy(word, data, length);
	word[length] = '\0';
	if (lxfw_adaptive_parse(&adaptive, word) == 0) {
		if (adaptive.kind == LXFW_ADAPTIVE_FILE)
			adaptive.text = fuzz_file(data + length, size - length);
		if (adaptive.text)
			choose(&adaptive);
	}
	free(word);
	return 0;
}
