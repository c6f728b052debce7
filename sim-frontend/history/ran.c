/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/history/ran.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/trace_calendar.h"

void lxfw_rans_clear(struct lxfw_rans *rans)
{
	for (size_t i = 0; i < rans->machine_count; i++)
		free(rans->machines[i].name);
	free(rans->machines);
	free(rans->jobs);
	lxfw_names_clear(&rans->names);
	*rans = (struct lxfw_rans) { 0 };
}

int lxfw_rans_machine(struct lxfw_rans *rans, const char *name, int32_t speed)
{
	char *copy;

	if (LXFW_GROW(rans->machines, rans->machine_size, rans->machine_count + 1))
		return -1;
	copy = strdup(name);
	if (!copy)
		return -1;
	rans->machines[rans->machine_count++] = (struct lxfw_ran_machine) { copy, speed };
	return 0;
}

int32_t lxfw_rans_find(const struct lxfw_rans *rans, const char *name)
{
	for (size_t i = 0; i < rans->machine_count; i++) {
		if (strcmp(rans->machines[i].name, name) == 0)
			return (int32_t)i;
	}
	return -1;
}

void lxfw_rans_keep(struct lxfw_rans *rans, int32_t machine)
{
	size_t kept = 0;

	for (size_t i = 0; i < rans->count; i++) {
		if (rans->jobs[i].machine != machine)
			continue;
		rans->jobs[kept] = rans->jobs[i];
		rans->jobs[kept++].machine = -1;
	}
	rans->count = kept;
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

/* --- traces ----------------------------------------------------------------------- */

static const char *const keys[] = { "User", "Group", "Request", "Queue", "Partition" };

/* Returns the index of the name of a number by the header of the trace, otherwise of its
   digits. */
static int32_t name_of(struct lxfw_ran_source *source, int key, int64_t number)
{
	uint64_t id = ((uint64_t)key << 32 | (uint32_t)number) + 1;
	int32_t known = number < 0 ? -1 : lxfw_id_map_get(&source->known, id);
	struct lxfw_slice name;
	char text[24];

	if (number < 0 || known >= 0)
		return known;
	name = lxfw_trace_name(source->trace, keys[key], number);
	if (name.length == 0) {
		snprintf(text, sizeof(text), "%" PRId64, number);
		name = (struct lxfw_slice) { text, strlen(text) };
	}
	known = lxfw_rans_name(source->rans, name.at, name.length);
	if (known >= 0 && lxfw_id_map_add(&source->known, id, known))
		return -1;
	return known;
}

void lxfw_ran_source_begin(struct lxfw_ran_source *source, struct lxfw_rans *rans,
			   const struct lxfw_trace *trace)
{
	struct lxfw_calendar calendar;

	lxfw_trace_calendar(trace, &calendar);
	*source = (struct lxfw_ran_source) {
		.rans = rans, .trace = trace, .begin = calendar.begin,
	};
}

void lxfw_ran_source_end(struct lxfw_ran_source *source)
{
	lxfw_id_map_clear(&source->known);
}

int lxfw_ran_source_take(struct lxfw_ran_source *source, size_t position,
			 struct lxfw_ran *ran)
{
	const struct lxfw_trace_job *job = &source->trace->jobs[position];
	const struct lxfw_trace_owner *owner = &source->trace->owners[position];
	int64_t wait = job->wait > 0 ? job->wait : 0;

	*ran = (struct lxfw_ran) {
		.number = job->number, .submit = source->begin + job->submit,
		.end = source->begin + job->submit + wait + job->run, .ran = job->run,
		.limit = job->limit, .procs = job->procs, .machine = -1, .host_set = -1,
	};
	errno = 0;
	ran->user = name_of(source, 0, owner->user);
	ran->group = name_of(source, 1, owner->group);
	ran->name = name_of(source, 2, owner->request);
	if (owner->queue >= 0)
		ran->partition = name_of(source, 3, owner->queue);
	else
		ran->partition = name_of(source, 4, owner->partition);
	return errno == ENOMEM ? -1 : 0;
}

int lxfw_rans_trace(struct lxfw_rans *rans, const struct lxfw_trace *trace)
{
	struct lxfw_ran_source source;
	int failed = 0;

	lxfw_ran_source_begin(&source, rans, trace);
	for (size_t i = 0; i < trace->count && !failed; i++) {
		size_t position = lxfw_trace_at(trace, i);
		struct lxfw_ran ran;

		if (trace->owners[position].no_limit)
			rans->no_limit++;
		else
			failed = lxfw_ran_source_take(&source, position, &ran) ||
				 lxfw_rans_add(rans, &ran) ? -1 : 0;
	}
	lxfw_ran_source_end(&source);
	return failed;
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
	return a->recorded == b->recorded && a->machine == b->machine &&
	       a->number == b->number && a->submit == b->submit && a->end == b->end &&
	       a->ran == b->ran && a->procs == b->procs && a->limit == b->limit;
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

int lxfw_rans_each(const struct lxfw_rans *rans, int64_t now,
		   int (*learn)(void *context, const struct lxfw_ran *job), void *context)
{
	struct ranked *order = calloc(rans->count + 1, sizeof(*order));
	int64_t logged = INT64_MIN;
	int failed = order ? 0 : -1;

	for (size_t i = 0; i < rans->count && !failed; i++) {
		const struct lxfw_ran *job = &rans->jobs[i];

		order[i] = (struct ranked) { job, i };
		if (!job->recorded && !job->own && job->end <= now && job->end > logged)
			logged = job->end;
	}
	if (!failed)
		qsort(order, rans->count, sizeof(*order), by_end);
	for (size_t i = 0; i < rans->count && !failed; i++) {
		const struct lxfw_ran *job = order[i].job;

		if (job->end > now || (job->recorded && job->end <= logged) ||
		    is_again(order, i))
			continue;
		failed = learn(context, job);
	}
	free(order);
	return failed;
}

int64_t lxfw_rans_trait(const struct lxfw_rans *rans, int32_t name)
{
	return name < 0 ? -1 : lxfw_trait_of_name(rans->names.names[name],
						  strlen(rans->names.names[name]));
}

struct learning {
	const struct lxfw_rans *rans;
	struct lxfw_experience *experience;
};

static int learn(void *context, const struct lxfw_ran *job)
{
	const struct learning *learning = context;
	const struct lxfw_rans *rans = learning->rans;
	const struct lxfw_traits traits = {
		.user = lxfw_rans_trait(rans, job->user),
		.account = lxfw_rans_trait(rans, job->group),
		.partition = job->partition < 0 ? job->host_set :
						  lxfw_rans_trait(rans, job->partition),
		.limit = job->limit,
		.procs = job->procs < INT32_MAX ? (int32_t)job->procs : INT32_MAX,
	};

	return (job->own ? lxfw_experience_learn_own : lxfw_experience_learn)(
			learning->experience, &traits, job->ran);
}

int lxfw_rans_learn(const struct lxfw_rans *rans, int64_t now,
		    struct lxfw_experience *experience)
{
	struct learning learning = { rans, experience };

	return lxfw_rans_each(rans, now, learn, &learning);
}
