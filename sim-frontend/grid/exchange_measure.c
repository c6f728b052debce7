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

int lxfw_exchange_measure(const struct lxfw_exchange *exchange,
			  struct lxfw_exchange_metrics *metrics)
{
	size_t count = exchange->job_count;
	int64_t *waits = malloc((count + 1) * sizeof(*waits));

	*metrics = (struct lxfw_exchange_metrics){ 0 };
	if (!waits) {
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
	return 0;
}
