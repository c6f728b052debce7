/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/workload/estimates.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/util/random.h"
#include "sim-frontend/util/text.h"

#define F_MOST 1e6
#define LONGEST_LEAST 3600

/* Random streams: "f-model", "assign". */
#define STREAM_F UINT64_C(0x662d6d6f64656c)
#define STREAM_ASSIGN UINT64_C(0x61737369676e)

int lxfw_estimate_model_parse(struct lxfw_estimate_model *model, const char *text)
{
	char *end;

	if (strncmp(text, "f=", 2) == 0) {
		model->kind = LXFW_ESTIMATE_F;
		model->f = strtod(text + 2, &end);
		if (end != text + 2 && *end == '\0' && model->f >= 0 &&
		    model->f <= F_MOST)
			return 0;
	} else if (strncmp(text, "modal", 5) == 0) {
		model->kind = LXFW_ESTIMATE_MODAL;
		model->longest = 0;
		if (text[5] == '\0')
			return 0;
		if (text[5] == ':' &&
		    lxfw_text_duration(text + 6, &model->longest) == 0 &&
		    model->longest >= LONGEST_LEAST)
			return 0;
	}
	errno = EINVAL;
	return -1;
}

static void apply_f(const struct lxfw_estimate_model *model,
		    struct lxfw_trace *trace)
{
	struct lxfw_random random;

	lxfw_random_seed(&random, model->seed, STREAM_F);
	for (size_t i = 0; i < trace->count; i++) {
		struct lxfw_trace_job *job = &trace->jobs[i];

		job->limit = (int64_t)ceil((double)job->run *
			(1 + model->f * lxfw_random_uniform(&random)));
	}
}

static int by_run(const void *left, const void *right)
{
	const struct lxfw_trace_job *a = *(struct lxfw_trace_job *const *)left;
	const struct lxfw_trace_job *b = *(struct lxfw_trace_job *const *)right;

	if (a->run != b->run)
		return a->run > b->run ? -1 : 1;
	return (a > b) - (a < b);
}

/* JOBS and ESTIMATES are both in descending order. */
static void assign(struct lxfw_trace_job **jobs, int64_t *estimates, size_t count,
		   int64_t longest, uint64_t seed, size_t *made_longer)
{
	struct lxfw_random random;
	size_t enough = 0;

	lxfw_random_seed(&random, seed, STREAM_ASSIGN);
	for (size_t i = 0; i < count; i++) {
		struct lxfw_trace_job *job = jobs[i];
		size_t drawn = i;

		/* estimates[i..enough) are unused and not shorter than the run time */
		while (enough < count && estimates[enough] >= job->run)
			enough++;
		if (enough <= i) {
			*made_longer += job->run > longest;
			job->limit = job->run > longest ? job->run : longest;
			continue;
		}
		drawn += (size_t)lxfw_random_below(&random, enough - i);
		job->limit = estimates[drawn];
		estimates[drawn] = estimates[i];
	}
}

static int apply_modal(const struct lxfw_estimate_model *model,
		       struct lxfw_trace *trace, size_t *made_longer)
{
	size_t count = trace->count;
	int64_t longest = model->longest > 0 ? model->longest : LONGEST_LEAST;
	int64_t *estimates = malloc((count + 1) * sizeof(*estimates));
	struct lxfw_trace_job **jobs = malloc((count + 1) * sizeof(*jobs));
	int result = -1;

	for (size_t i = 0; i < count && model->longest == 0; i++) {
		if (trace->jobs[i].limit > longest)
			longest = trace->jobs[i].limit;
	}
	if (estimates && jobs &&
	    lxfw_estimates_modal(longest, model->seed, estimates, count) == 0) {
		for (size_t i = 0; i < count; i++)
			jobs[i] = &trace->jobs[i];
		qsort(jobs, count, sizeof(*jobs), by_run);
		assign(jobs, estimates, count, longest, model->seed, made_longer);
		result = 0;
	}
	free(estimates);
	free(jobs);
	if (result)
		errno = ENOMEM;
	return result;
}

int lxfw_estimate_model_apply(const struct lxfw_estimate_model *model,
			      struct lxfw_trace *trace, size_t *made_longer)
{
	*made_longer = 0;
	switch (model->kind) {
	case LXFW_ESTIMATE_AS_RECORDED:
		break;
	case LXFW_ESTIMATE_F:
		apply_f(model, trace);
		break;
	case LXFW_ESTIMATE_MODAL:
		return apply_modal(model, trace, made_longer);
	}
	return 0;
}
