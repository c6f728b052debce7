/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The argument of --estimates model:, applied to jobs of all lengths. */
#include "tests/fuzz/fuzz.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/workload/estimates.h"

const char fuzz_name[] = "estimates";

#define JOBS 60

static struct lxfw_trace_job jobs[JOBS];

static void apply(const struct lxfw_estimate_model *model)
{
	struct lxfw_trace trace = { .jobs = jobs, .count = JOBS, .size = JOBS };
	size_t longer;

	for (int i = 0; i < JOBS; i++)
		jobs[i] = (struct lxfw_trace_job) {
			.run = 1 + (INT64_C(1) << i % 36) - i % 2,
			.limit = 1 + i, .procs = 1,
		};
	FUZZ_CHECK(lxfw_estimate_model_apply(model, &trace, &longer) == 0);
	FUZZ_CHECK(longer <= JOBS);
	for (int i = 0; i < JOBS; i++)
		FUZZ_CHECK(jobs[i].limit >= jobs[i].run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lxfw_estimate_model model = { .seed = size };
	char *text = malloc(size + 1);

	if (!text)
		return 0;
	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	if (lxfw_estimate_model_parse(&model, text) == 0)
		apply(&model);
	else
		FUZZ_CHECK(errno == EINVAL);
	free(text);
	return 0;
}
