/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/experiment/yahyapour_workloads.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim-frontend/util/pool.h"
#include "sim-frontend/util/text.h"
#include "sim-frontend/workload/remade.h"

const struct lxfw_g_config lxfw_g_configs[LXFW_G_CONFIGS] = {
	{ "m64", { { 4, 64 }, { 6, 32 }, { 8, 8 } } },
	{ "m64-8", { { 8, 64 } } },
	{ "m128", { { 4, 128 } } },
	{ "m256", { { 2, 256 } } },
	{ "m256-5", { { 1, 256 }, { 4, 64 } } },
	{ "m384", { { 1, 384 }, { 1, 64 }, { 4, 16 } } },
	{ "m512", { { 1, 512 } } },
};

const char *const lxfw_g_workloads[LXFW_G_WORKLOADS] = {
	"10_20k", "30_40k", "60_70k", "syn",
};

/* Jobs of the log at which the extracts begin (table 5.2; the second one is called 30_40k). */
static const size_t begins[] = { 10000, 30000, 60000 };

int lxfw_g_copy_jobs(const struct lxfw_trace *log, size_t first, size_t count,
		     struct lxfw_trace *to)
{
	*to = (struct lxfw_trace){ .jobs = malloc((count + 1) * sizeof(*to->jobs)) };
	if (!to->jobs)
		return -1;
	to->size = count + 1;
	for (size_t i = first; i < log->count && to->count < count; i++)
		to->jobs[to->count++] = log->jobs[lxfw_trace_at(log, i)];
	return 0;
}

static int out_of_memory(struct lxfw_error *error)
{
	lxfw_error_set(error, "out of memory");
	errno = ENOMEM;
	return -1;
}

int lxfw_g_make_workloads(const struct lxfw_trace *log, uint64_t seed, int64_t base,
			  struct lxfw_trace traces[LXFW_G_WORKLOADS],
			  struct lxfw_error *error)
{
	size_t least = begins[LXFW_G_60K] + LXFW_G_JOBS;

	if (log->count < least)
		return lxfw_error_format(error, "the log has %zu jobs, expected %zu or more: "
					 "the workloads are its jobs from 10000, 30000 and "
					 "60000 on", log->count, least);
	for (int i = 0; i < LXFW_G_SYN; i++) {
		if (lxfw_g_copy_jobs(log, begins[i], LXFW_G_JOBS, &traces[i]))
			return out_of_memory(error);
	}
	if (lxfw_remade_binned(&traces[LXFW_G_SYN], log, base, LXFW_G_JOBS, seed))
		return out_of_memory(error);
	return 0;
}

int lxfw_g_make_sites(struct lxfw_sites *sites, int config, struct lxfw_error *error)
{
	const struct lxfw_g_config *of = &lxfw_g_configs[config];
	char name[24];

	for (int i = 0; i < 4 && of->sites[i].count > 0; i++) {
		for (int j = 0; j < of->sites[i].count; j++) {
			snprintf(name, sizeof(name), "s%d", (int)sites->count + 1);
			if (lxfw_sites_add(sites, name, of->sites[i].procs, error))
				return -1;
		}
	}
	return 0;
}

static void over(void *context, size_t number)
{
	struct lxfw_g_plan *plan = context;

	(void)number;
	plan->done++;
	if (plan->progress)
		plan->progress(plan->done, plan->count);
}

int lxfw_g_carry_out(struct lxfw_g_plan *plan, int threads, struct lxfw_error *error)
{
	const struct lxfw_pool pool = {
		.context = plan, .count = plan->count, .threads = threads, .work = plan->work,
		.over = over,
	};
	int failed;

	for (size_t i = 0; i < plan->value_count; i++)
		plan->values[i] = (double)NAN;
	failed = lxfw_g_make_workloads(plan->log, plan->seed, plan->base, plan->traces, error);
	for (int i = 0; i < LXFW_G_WORKLOADS; i++)
		plan->sizes[i] = plan->traces[i].count;
	if (!failed)
		failed = lxfw_pool_carry_out(&pool, error);
	for (int i = 0; i < LXFW_G_WORKLOADS; i++)
		lxfw_trace_clear(&plan->traces[i]);
	return failed;
}
