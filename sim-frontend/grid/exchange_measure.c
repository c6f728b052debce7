/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/grid/exchange_measure.h"

#include <errno.h>
#include <stdlib.h>

int64_t lxfw_exchange_wait(const struct lxfw_exchange *exchange, size_t job)
{
	return exchange->results[job].end - exchange->jobs[job].submit -
	       exchange->jobs[job].ran;
}

int64_t lxfw_exchange_wait_there(const struct lxfw_exchange *exchange, size_t job)
{
	const struct lxfw_exchange_job *result = &exchange->results[job];

	return result->end - result->arrived -
	       (exchange->jobs[job].ran - result->ran_elsewhere);
}

static int by_value(const void *one, const void *other)
{
	int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;

	return (a > b) - (a < b);
}

/* Sorts the waits. */
static struct lxfw_exchange_waits waits_of(int64_t *waits, size_t count)
{
	struct lxfw_exchange_waits result = { 0 };

	if (count == 0)
		return result;
	qsort(waits, count, sizeof(*waits), by_value);
	for (size_t i = 0; i < count; i++)
		result.mean += (double)waits[i];
	result.mean /= (double)count;
	result.median = (double)waits[count / 2];
	result.longest_tenth = (double)waits[count - 1 - count / 20];
	result.tail = (double)waits[count - 1 - count * 3 / 200];
	result.most = waits[count - 1];
	return result;
}

static void sum_up(const struct lxfw_exchange *exchange, struct lxfw_exchange_metrics *metrics)
{
	int64_t first = INT64_MAX, last = 0, procs = 0;
	double busy = 0;

	for (size_t i = 0; i < exchange->job_count; i++) {
		const struct lxfw_node_job *job = &exchange->jobs[i];

		first = job->submit < first ? job->submit : first;
		last = exchange->results[i].end > last ? exchange->results[i].end : last;
		busy += (double)job->procs * (double)job->ran;
		metrics->moved += exchange->results[i].moves > 0;
	}
	for (int32_t i = 0; i < exchange->graph->nodes; i++)
		procs += exchange->nodes[i].procs;
	metrics->jobs = exchange->job_count;
	metrics->makespan = exchange->job_count ? last - first : 0;
	if (metrics->makespan > 0)
		metrics->utilization = busy / ((double)procs * (double)metrics->makespan);
	metrics->moves = exchange->moves;
	metrics->preemptions = exchange->preemptions;
	metrics->lost = exchange->lost;
	for (int i = 0; i < LXFW_MESSAGES; i++) {
		metrics->messages[i] = exchange->messages[i];
		metrics->messages_sum += exchange->messages[i];
	}
}

static void count_sites(const struct lxfw_exchange *exchange,
			struct lxfw_exchange_metrics *metrics)
{
	for (size_t i = 0; i < exchange->job_count; i++) {
		int32_t home = exchange->homes[i], node = exchange->jobs[i].node;

		metrics->sites[home].submitted++;
		metrics->sites[home].mean_wait += (double)lxfw_exchange_wait(exchange, i);
		metrics->sites[node].ended++;
		metrics->sites[node].foreign += node != home;
		if (metrics->flows)
			metrics->flows[home * metrics->site_count + node]++;
	}
	for (int32_t i = 0; i < metrics->site_count; i++) {
		struct lxfw_exchange_site *site = &metrics->sites[i];

		if (site->submitted > 0)
			site->mean_wait /= (double)site->submitted;
	}
}

void lxfw_exchange_metrics_clear(struct lxfw_exchange_metrics *metrics)
{
	free(metrics->sites);
	free(metrics->flows);
	*metrics = (struct lxfw_exchange_metrics){ 0 };
}

int lxfw_exchange_measure(const struct lxfw_exchange *exchange,
			  struct lxfw_exchange_metrics *metrics)
{
	size_t count = exchange->job_count, sites = (size_t)exchange->graph->nodes;
	int64_t *waits = malloc((count + 1) * sizeof(*waits));
	bool flows = sites <= LXFW_EXCHANGE_FLOWS;

	*metrics = (struct lxfw_exchange_metrics){
		.site_count = exchange->graph->nodes,
		.sites = calloc(sites, sizeof(*metrics->sites)),
		.flows = flows ? calloc(sites * sites, sizeof(*metrics->flows)) : NULL,
	};
	if (!waits || !metrics->sites || (flows && !metrics->flows)) {
		free(waits);
		lxfw_exchange_metrics_clear(metrics);
		errno = ENOMEM;
		return -1;
	}
	for (size_t i = 0; i < count; i++)
		waits[i] = lxfw_exchange_wait(exchange, i);
	metrics->wait = waits_of(waits, count);
	for (size_t i = 0; i < count; i++)
		waits[i] = lxfw_exchange_wait_there(exchange, i);
	metrics->wait_there = waits_of(waits, count);
	free(waits);
	sum_up(exchange, metrics);
	count_sites(exchange, metrics);
	return 0;
}
