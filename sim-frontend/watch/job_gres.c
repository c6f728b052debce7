/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/watch/job_gres.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "sim-frontend/trace/tres.h"

/* More than any job has, so that products and sums do not overflow. */
#define COUNT_MAX (INT64_C(1) << 30)

static struct lxfw_slice slice_of(const char *text)
{
	return (struct lxfw_slice) { text, strlen(text) };
}

static bool is_same(struct lxfw_slice one, struct lxfw_slice other)
{
	return one.length == other.length && strncasecmp(one.at, other.at, one.length) == 0;
}

/* The index of the name, which is added if it is new; -1: there are too many. */
static int find(struct lxfw_job_gres *gres, struct lxfw_slice name)
{
	int at = 0;

	while (at < gres->count && !is_same(gres->of[at].name, name))
		at++;
	if (at == LXFW_JOB_GRES_MAX)
		return -1;
	if (at == gres->count) {
		gres->of[at].name = name;
		gres->of[at].count = gres->of[at].here = 0;
		gres->count++;
	}
	return at;
}

/* --- what it requests ------------------------------------------------------------------ */

struct taking {
	struct lxfw_job_gres *gres;
	int64_t times;		/* nodes, sockets or tasks */
};

static int64_t bounded(int64_t count)
{
	return count < COUNT_MAX ? count : COUNT_MAX;
}

/* Processors of a task are in the same list: "cpu:2". */
static int take(void *context, struct lxfw_slice name, int64_t count)
{
	const struct taking *taking = context;
	int at;

	if (lxfw_slice_is(name, "cpu") || lxfw_slice_is(name, "mem") ||
	    lxfw_slice_begins(name, "license"))
		return 0;
	at = find(taking->gres, name);
	if (at >= 0)
		taking->gres->of[at].here = bounded(taking->gres->of[at].here +
						    bounded(count) * bounded(taking->times));
	return 0;
}

/* Requests in several ways, per node and in all, are of the same GRES. */
static void take_list(struct lxfw_job_gres *gres, const char *list, int64_t times)
{
	struct taking taking = { gres, times > 0 ? times : 1 };

	(void)lxfw_gres_each(slice_of(list), 1, take, &taking);
	for (int i = 0; i < gres->count; i++) {
		if (gres->of[i].here > gres->of[i].count)
			gres->of[i].count = gres->of[i].here;
		gres->of[i].here = 0;
	}
}

/* --- what it has in all ---------------------------------------------------------------- */

/* Whether NAME is a type of KIND: "gpu:a100" of "gpu". */
static bool is_type_of(struct lxfw_slice name, struct lxfw_slice kind)
{
	return name.length > kind.length && name.at[kind.length] == ':' &&
	       strncasecmp(name.at, kind.at, kind.length) == 0;
}

/* The amount of a kind is that of its type, if the job requests no other. */
static int take_total(void *context, struct lxfw_slice name, int64_t count)
{
	struct lxfw_job_gres *gres = context;
	int types = 0, type = -1, before = gres->count, at = find(gres, name);

	if (at < 0)
		return 0;
	for (int i = 0; i < gres->count; i++) {
		if (is_type_of(gres->of[i].name, name)) {
			types++;
			type = i;
		}
	}
	gres->of[at].count = bounded(count);
	if (types == 1 && at == before)
		gres->of[type].count = bounded(count);
	return 0;
}

/* First the kinds, "gres/gpu=2": the amount of a type that is stated is certain. */
struct totals {
	struct lxfw_job_gres *gres;
	bool types;
};

static int take_totals(void *context, struct lxfw_slice name, int64_t count)
{
	const struct totals *totals = context;
	bool type = memchr(name.at, ':', name.length);

	return type == totals->types ? take_total(totals->gres, name, count) : 0;
}

void lxfw_job_gres(const struct lxfw_watched *job, struct lxfw_job_gres *gres)
{
	int64_t hosts = bounded(job->hosts > 0 ? job->hosts : 1);
	int64_t sockets = bounded(job->sockets > 0 ? job->sockets : 1);

	gres->count = 0;
	take_list(gres, job->job_gres, 1);
	take_list(gres, job->node_gres, hosts);
	take_list(gres, job->socket_gres, sockets * hosts);
	take_list(gres, job->task_gres, job->tasks);
	for (int i = 0; i < 2; i++) {
		struct totals totals = { gres, i == 1 };

		(void)lxfw_gres_each(slice_of(job->tres), 1, take_totals, &totals);
	}
}

/* --- GPUs ------------------------------------------------------------------------------ */

static bool is_gpu(struct lxfw_slice name)
{
	const struct lxfw_slice gpu = { "gpu", 3 };

	return is_same(name, gpu) || is_type_of(name, gpu);
}

/* Those of types are also counted under their kind, if that is stated. */
int64_t lxfw_job_gpus(const struct lxfw_watched *job)
{
	struct lxfw_job_gres gres;
	int64_t types = 0, kind = 0;

	lxfw_job_gres(job, &gres);
	for (int i = 0; i < gres.count; i++) {
		if (gres.of[i].name.length == 3 && is_gpu(gres.of[i].name))
			kind = gres.of[i].count;
		else if (is_gpu(gres.of[i].name))
			types += gres.of[i].count;
	}
	return types > kind ? types : kind;
}

static int take_cpus(void *context, struct lxfw_slice name, int64_t count)
{
	int64_t *most = context;

	if (is_gpu(name) && count > *most)
		*most = bounded(count);
	return 0;
}

int64_t lxfw_job_cpus_per_gpu(const struct lxfw_watched *job)
{
	int64_t most = 0;

	(void)lxfw_gres_each(slice_of(job->cpus_per_gres), 1, take_cpus, &most);
	return most;
}
