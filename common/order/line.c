/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Priorities, Chiang and Vernon 2001, section 2.2 and table 3. */
#include "common/order/order.h"

#include "common/books/books.h"
#include "common/books/queue.h"

/* Mean memory per processor of the hosts on which memory is counted, MB; 0 if there are
   none. */
static double mean_memory(const struct lxfw_profile *profile)
{
	double memory = 0, procs = 0;

	for (int32_t i = 0; i < profile->host_count; i++) {
		const struct lxfw_resources *total = &profile->hosts[i].total;

		if (total->memory_mb >= LXFW_MEMORY_UNLIMITED)
			continue;
		memory += (double)total->memory_mb;
		procs += (double)total->procs;
	}
	return procs > 0 ? memory / procs : 0;
}

void lxfw_line_shortest(const struct lxfw_sched *sched,
			const struct lxfw_class *class, double *intercept,
			double *slope)
{
	(void)sched;
	(void)slope;
	*intercept = -(double)class->request.estimate;
}

void lxfw_line_weights(const struct lxfw_sched *sched,
		       const struct lxfw_class *class, double *intercept,
		       double *slope)
{
	const struct lxfw_params *params = &sched->params;
	const struct lxfw_resources sum = class->request.group ?
		class->sum : lxfw_request_sum(&class->request);
	double estimate_hours = (double)class->request.estimate / 3600.0;
	double procs = (double)sum.procs, memory = 0;

	if (sched->mean_memory > 0)
		memory = (double)sum.memory_mb / sched->mean_memory;
	*intercept = params->wx + params->wp * procs + params->wm * memory +
		     params->wpe * (procs > memory ? procs : memory);
	*slope = (params->ww + params->wx / estimate_hours) / 3600.0;
}

double lxfw_site_weight(const struct lxfw_params *params)
{
	return params->wsite / 1000;
}

void lxfw_lines_set(struct lxfw_sched *sched)
{
	const struct lxfw_order *order = &sched->policy->order;
	double site = order->site ? order->site(&sched->params) : 0;

	sched->mean_memory = mean_memory(&sched->profile);
	/* The order of equal requests depends on the weight of their priorities and on
	   the slopes. */
	if (site != 0 || sched->site != 0)
		lxfw_queue_disorder(sched);
	sched->site = site;
	for (size_t i = 0; i < sched->head_count; i++)
		lxfw_line_set(sched, &sched->classes[sched->heads[i].class]);
	sched->priorities_stale = false;
	sched->settled = false;
	lxfw_ranks_end(&sched->ranks);
}
