/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/ran.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/trace_calendar.h"

void lxfw_rans_clear(struct lxfw_rans *rans)
{
	free(rans->jobs);
	lxfw_names_clear(&rans->names);
	*rans = (struct lxfw_rans) { 0 };
}

int lxfw_rans_add(struct lxfw_rans *rans, const struct lxfw_ran *job)
{
	if (LXFW_GROW(rans->jobs, rans->size, rans->count + 1))
		return -1;
	rans->jobs[rans->count++] = *job;
	return 0;
}

int32_t lxfw_rans_name(struct lxfw_rans *rans, const char *name, size_t length)
{
	return length == 0 ? -1 : lxfw_names_add(&rans->names, name, length);
}

/* --- sources ---------------------------------------------------------------------- */

/* The name of a number of the log by its header, otherwise the number. */
static int32_t name_of(struct lxfw_rans *rans, const struct lxfw_trace *trace,
		       const char *key, int64_t number)
{
	struct lxfw_slice name = lxfw_trace_name(trace, key, number);
	char text[24];

	if (number < 0)
		return -1;
	if (name.length > 0)
		return lxfw_rans_name(rans, name.at, name.length);
	snprintf(text, sizeof(text), "%" PRId64, number);
	return lxfw_rans_name(rans, text, strlen(text));
}

static int add_trace_job(struct lxfw_rans *rans, const struct lxfw_trace *trace,
			 size_t position, int64_t begin)
{
	const struct lxfw_trace_job *job = &trace->jobs[position];
	const struct lxfw_trace_owner *owner = &trace->owners[position];
	int64_t wait = job->wait > 0 ? job->wait : 0;
	struct lxfw_ran ran = {
		.number = job->number, .submit = begin + job->submit,
		.end = begin + job->submit + wait + job->run, .ran = job->run,
		.limit = job->limit, .procs = job->procs, .host_set = -1,
	};

	if (owner->no_limit) {
		rans->no_limit++;
		return 0;
	}
	errno = 0;
	ran.user = name_of(rans, trace, "User", owner->user);
	ran.group = name_of(rans, trace, "Group", owner->group);
	if (owner->queue >= 0)
		ran.partition = name_of(rans, trace, "Queue", owner->queue);
	else
		ran.partition = name_of(rans, trace, "Partition", owner->partition);
	return errno == ENOMEM ? -1 : lxfw_rans_add(rans, &ran);
}

int lxfw_rans_trace(struct lxfw_rans *rans, const struct lxfw_trace *trace)
{
	struct lxfw_calendar calendar;

	lxfw_trace_calendar(trace, &calendar);
	for (size_t i = 0; i < trace->count; i++) {
		if (add_trace_job(rans, trace, lxfw_trace_at(trace, i), calendar.begin))
			return -1;
	}
	return 0;
}

int lxfw_rans_past(struct lxfw_rans *rans, const struct lxfw_past *past)
{
	for (size_t i = 0; i < past->ended_count; i++) {
		const struct lxfw_past_job *job = &past->jobs[past->ended[i]];
		struct lxfw_traits traits;
		struct lxfw_ran ran;

		lxfw_past_traits(&job->request, &traits);
		ran = (struct lxfw_ran) {
			.recorded = true, .number = (int64_t)job->request.id,
			.submit = job->request.submit, .end = job->start + job->ran,
			.ran = job->ran, .limit = traits.limit, .procs = traits.procs,
			.user = -1, .group = -1, .partition = -1,
			.host_set = (int32_t)traits.partition,
		};
		if (lxfw_rans_add(rans, &ran))
			return -1;
	}
	return 0;
}

/* --- experience ------------------------------------------------------------------- */

/* Jobs in the order of their ends; those of the same second keep their order. */
struct ranked {
	const struct lxfw_ran *job;
	size_t index;
};

static int by_end(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->job->end != b->job->end)
		return a->job->end < b->job->end ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

static bool is_same(const struct lxfw_ran *a, const struct lxfw_ran *b)
{
	return a->recorded == b->recorded && a->number == b->number &&
	       a->submit == b->submit && a->end == b->end && a->ran == b->ran &&
	       a->procs == b->procs && a->limit == b->limit;
}

/* Whether the job is among those before it that ended in the same second. */
static bool is_again(const struct ranked *order, size_t at)
{
	for (size_t i = at; i-- > 0 && order[i].job->end == order[at].job->end;) {
		if (is_same(order[i].job, order[at].job))
			return true;
	}
	return false;
}

static int64_t trait(const struct lxfw_rans *rans, int32_t name)
{
	return name < 0 ? -1 : lxfw_trait_of_name(rans->names.names[name],
						  strlen(rans->names.names[name]));
}

static int learn(const struct lxfw_rans *rans, const struct lxfw_ran *job,
		 struct lxfw_experience *experience)
{
	const struct lxfw_traits traits = {
		.user = trait(rans, job->user), .account = trait(rans, job->group),
		.partition = job->partition < 0 ? job->host_set :
						  trait(rans, job->partition),
		.limit = job->limit,
		.procs = job->procs < INT32_MAX ? (int32_t)job->procs : INT32_MAX,
	};

	return lxfw_experience_learn(experience, &traits, job->ran);
}

int lxfw_rans_learn(struct lxfw_rans *rans, int64_t now, struct lxfw_experience *experience)
{
	struct ranked *order = calloc(rans->count + 1, sizeof(*order));
	int64_t logged = INT64_MIN;
	int failed = order ? 0 : -1;

	for (size_t i = 0; i < rans->count && !failed; i++) {
		const struct lxfw_ran *job = &rans->jobs[i];

		order[i] = (struct ranked) { job, i };
		if (!job->recorded && job->end <= now && job->end > logged)
			logged = job->end;
	}
	if (!failed)
		qsort(order, rans->count, sizeof(*order), by_end);
	for (size_t i = 0; i < rans->count && !failed; i++) {
		const struct lxfw_ran *job = order[i].job;

		if (job->end > now || (job->recorded && job->end <= logged) ||
		    is_again(order, i))
			continue;
		failed = learn(rans, job, experience);
	}
	free(order);
	return failed;
}
