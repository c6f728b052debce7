/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Policies by a job_sort_formula of OpenPBS, with the semantics of pbs_sched: the formula is
 * evaluated for each waiting job in each pass, and the job with the largest value is first.
 * The value is a float, and 0 if the evaluation fails. With strict_ordering, the first
 * backfill_depth jobs that cannot start have reservations, which are computed again in each
 * pass; without it, every job that fits starts.
 *
 *   # comment
 *   strict_ordering: true
 *   backfill_depth: 1
 *   eligible_time / walltime + 0.01 * ncpus
 */
#include "sim-frontend/script/script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/books/books.h"
#include "common/util/formula_math.h"
#include "sim-frontend/util/text.h"

#define DEPTH_MAX 1000000

/* What is known of a simulated job; from NGPUS on, the values are 0. */
enum value {
	ELIGIBLE_TIME, WALLTIME, NCPUS, MEM, NODECT, QUEUE_PRIORITY, ACCRUE_TYPE,
	NGPUS, JOB_PRIORITY, FAIRSHARE_PERC, FAIR_SHARE_PERC, TREE_USAGE, FAIRSHARE_FACTOR,
	VALUES,
};

static const char *const value_names[VALUES] = {
	[ELIGIBLE_TIME] = "eligible_time", [WALLTIME] = "walltime", [NCPUS] = "ncpus",
	[MEM] = "mem", [NGPUS] = "ngpus", [NODECT] = "nodect",
	[QUEUE_PRIORITY] = "queue_priority", [ACCRUE_TYPE] = "accrue_type",
	[JOB_PRIORITY] = "job_priority", [FAIRSHARE_PERC] = "fairshare_perc",
	[FAIR_SHARE_PERC] = "fair_share_perc", [TREE_USAGE] = "fairshare_tree_usage",
	[FAIRSHARE_FACTOR] = "fairshare_factor",
};

/* accrue_type of a job whose eligible_time grows. */
#define ELIGIBLE 2

static const struct lxfw_formula_names names = {
	.values = value_names, .value_count = VALUES,
	.functions = lxfw_formula_math, .function_count = LXFW_FORMULA_MATH_COUNT,
};

/* --- the order ---------------------------------------------------------------------- */

static int32_t hosts_of(const struct lxfw_request *request)
{
	if (request->shape == LXFW_SHAPE_HOSTS)
		return request->count;
	return request->min_hosts > 1 ? request->min_hosts : 1;
}

static void set_values(const struct lxfw_sched *sched, const struct lxfw_request *request,
		       double *values)
{
	struct lxfw_resources sum = lxfw_request_sum(request);

	memset(values, 0, VALUES * sizeof(*values));
	values[ELIGIBLE_TIME] = (double)(sched->now - request->submit);
	values[WALLTIME] = (double)request->estimate;
	values[NCPUS] = (double)sum.procs;
	values[MEM] = (double)sum.memory_mb * 1024;
	values[NODECT] = (double)hosts_of(request);
	values[QUEUE_PRIORITY] = (double)request->tier;
	values[ACCRUE_TYPE] = ELIGIBLE;
}

static int rank(struct lxfw_sched *sched)
{
	const struct lxfw_script *script = (const struct lxfw_script *)sched->policy;
	double values[VALUES];

	for (size_t i = 0; i < sched->head_count; i++) {
		struct lxfw_head *head = &sched->heads[i];
		const struct lxfw_class *class = &sched->classes[head->class];
		double result;

		set_values(sched, &sched->jobs[class->head].request, values);
		if (lxfw_formula_evaluate(script->formula, values, &result, NULL))
			result = 0;
		head->intercept = (double)(float)result;
	}
	return 0;
}

/* --- the file -------------------------------------------------------------------------- */

struct settings {
	int64_t depth;		/* backfill_depth */
	bool strict;		/* strict_ordering */
};

/* Returns the value of "NAME: value", or NULL. */
static const char *value_after(const char *line, const char *name)
{
	size_t length = strlen(name);

	if (strncmp(line, name, length) != 0 || line[length] != ':')
		return NULL;
	line += length + 1;
	return line + strspn(line, " \t");
}

/* Reads a setting. Returns 1, 0 if the line is none, or -1. */
static int take_setting(const struct lxfw_script *script, const char *line, long number,
			struct settings *to, struct lxfw_error *error)
{
	const char *strict = value_after(line, "strict_ordering");
	const char *depth = value_after(line, "backfill_depth");

	if (strict && strcasecmp(strict, "true") != 0 && strcasecmp(strict, "false") != 0)
		return lxfw_error_at(error, script->path, number, "strict_ordering: %.40s, "
				     "expected true or false", strict);
	if (strict)
		to->strict = strcasecmp(strict, "true") == 0;
	if (depth && lxfw_text_integer(depth, strlen(depth), 0, DEPTH_MAX, &to->depth))
		return lxfw_error_at(error, script->path, number, "backfill_depth: %.40s, "
				     "expected a number from 0 to %d", depth, DEPTH_MAX);
	return strict || depth;
}

static int take_formula(struct lxfw_script *script, const char *line, long number,
			struct lxfw_error *error)
{
	struct lxfw_error wrong = { "" };

	if (script->formula)
		return lxfw_error_at(error, script->path, number, "a second line with a "
				     "formula, expected one");
	errno = 0;
	script->formula = lxfw_formula_read(line, &names, &wrong);
	if (script->formula)
		return 0;
	return lxfw_error_at(error, script->path, number, "%s", wrong.text);
}

/* Takes the lines of the source, of which TEXT is a copy. */
static int take_lines(struct lxfw_script *script, char *text, struct settings *to,
		      struct lxfw_error *error)
{
	long number = 0;

	for (char *line = text, *next; line; line = next) {
		size_t length = strcspn(line, "\n");
		int taken;

		number++;
		next = line[length] ? line + length + 1 : NULL;
		line[length] = '\0';
		while (length > 0 && strchr(" \t\r", line[length - 1]))
			line[--length] = '\0';
		line += strspn(line, " \t");
		if (*line == '\0' || *line == '#')
			continue;
		taken = take_setting(script, line, number, to, error);
		if (taken < 0 || (taken == 0 && take_formula(script, line, number, error)))
			return -1;
	}
	if (!script->formula)
		return lxfw_error_at(error, script->path, 0, "no formula, expected one such as "
				     "eligible_time/walltime");
	return 0;
}

static void set_backfill(struct lxfw_script *script, const struct settings *from)
{
	struct lxfw_backfill *backfill = &script->policy.backfill;

	if (!from->strict) {
		backfill->reservations = LXFW_NO_RESERVATIONS;
	} else if (from->depth == 0) {
		backfill->reservations = 1;
		backfill->in_order = true;
	} else {
		snprintf(script->preset, sizeof(script->preset), "lxfw_reservations=%lld",
			 (long long)from->depth);
		script->policy.preset = script->preset;
	}
}

int lxfw_script_formula(struct lxfw_script *script, struct lxfw_error *error)
{
	struct settings settings = { .depth = 1, .strict = true };
	char *text = strndup(script->source, script->length);
	int failed;

	if (!text || strlen(text) != script->length) {
		free(text);
		return lxfw_error_at(error, script->path, 0, text ? "a NUL byte, expected text" :
				     "out of memory");
	}
	failed = take_lines(script, text, &settings, error);
	free(text);
	if (failed)
		return -1;
	set_backfill(script, &settings);
	script->policy.order = (struct lxfw_order) {
		.name = "job_sort_formula", .alone = true, .rank = rank,
	};
	return 0;
}

const char *lxfw_script_unknown(const struct lxfw_script *script)
{
	for (int i = NGPUS; i < VALUES && script->formula; i++) {
		if (lxfw_formula_uses(script->formula, (size_t)i))
			return value_names[i];
	}
	return NULL;
}
