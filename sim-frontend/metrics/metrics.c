/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/metrics/metrics.h"

#include <stdlib.h>

#include "common/util/grow.h"

void lxfw_measure_begin(struct lxfw_measure *measure, int64_t begin)
{
	*measure = (struct lxfw_measure) {
		.begin = begin, .last_end = begin,
		.until = INT64_MAX, .bound = LXFW_SLOWDOWN_BOUND,
	};
}

static void add_interruptions(struct lxfw_measure *measure,
			      const struct lxfw_outcome *outcome)
{
	measure->preemptions += outcome->preemptions;
	measure->requeues += outcome->requeues;
	measure->lost_area += (double)outcome->lost * outcome->procs;
	if (outcome->preemptions > measure->most_suspensions)
		measure->most_suspensions = outcome->preemptions;
	if (outcome->suspended > measure->most_suspended)
		measure->most_suspended = outcome->suspended;
}

/* Adds the processor time of a job within the period. If it was suspended, or ran on other
   than the requested processors, its work is spread evenly over its stay. */
static void add_busy(struct lxfw_measure *measure, const struct lxfw_outcome *outcome)
{
	int64_t stayed = outcome->stayed > 0 ? outcome->stayed : outcome->run;
	int64_t start = outcome->end - stayed, end = outcome->end;
	double busy;

	if (start < measure->begin)
		start = measure->begin;
	if (end > measure->until)
		end = measure->until;
	if (end <= start)
		return;
	busy = (double)(end - start) * outcome->procs;
	if (stayed != outcome->run)
		busy *= (double)outcome->run / (double)stayed;
	measure->busy += busy;
}

int lxfw_measure_add(struct lxfw_measure *measure,
		     const struct lxfw_outcome *outcome)
{
	return lxfw_measure_add_submitted(measure, outcome, outcome->submit);
}

int lxfw_measure_add_submitted(struct lxfw_measure *measure,
			       const struct lxfw_outcome *outcome, int64_t submitted)
{
	int64_t response = outcome->end - outcome->submit;
	int64_t wait = response - outcome->run;
	double area = (double)outcome->procs * (double)outcome->run;

	if (outcome->end > measure->last_end && submitted <= measure->until)
		measure->last_end = outcome->end;
	add_busy(measure, outcome);
	if (submitted < measure->begin || submitted > measure->until)
		return 0;
	if (LXFW_GROW(measure->waits, measure->size, measure->count + 1))
		return -1;
	measure->waits[measure->count++] = wait;
	measure->wait_sum += wait;
	measure->response_sum += response;
	add_interruptions(measure, outcome);
	measure->slowdown_sum += (double)response / (double)outcome->run;
	measure->bounded_sum += lxfw_bounded_slowdown(response, outcome->run,
						      measure->bound);
	measure->area += area;
	measure->weighted_sum += area * (double)response;
	return 0;
}

/* Returns the value at RANK of the sorted VALUES (Hoare's quickselect). */
static int64_t at_rank(int64_t *values, size_t count, size_t rank)
{
	size_t low = 0, high = count - 1;

	while (low < high) {
		int64_t pivot = values[low + (high - low) / 2];
		size_t i = low, j = high;

		for (;; i++, j--) {
			int64_t swap;

			while (values[i] < pivot)
				i++;
			while (values[j] > pivot)
				j--;
			if (i >= j)
				break;
			swap = values[i];
			values[i] = values[j];
			values[j] = swap;
		}
		if (rank <= j)
			high = j;
		else
			low = j + 1;
	}
	return values[rank];
}

int64_t lxfw_percentile(int64_t *values, size_t count, int percent)
{
	size_t rank = (count * (size_t)percent + 99) / 100;

	if (count == 0)
		return 0;
	return at_rank(values, count, rank > 0 ? rank - 1 : 0);
}

void lxfw_measure_end(struct lxfw_measure *measure, int64_t procs,
		      struct lxfw_metrics *metrics)
{
	double jobs = (double)measure->count;
	double room;

	*metrics = (struct lxfw_metrics) {
		.jobs = measure->count,
		.makespan = measure->last_end - measure->begin,
		.preemptions = measure->preemptions,
		.requeues = measure->requeues,
		.most_suspensions = measure->most_suspensions,
		.most_suspended = measure->most_suspended,
		.lost_hours = measure->lost_area / 3600,
	};
	room = (double)procs * (double)(measure->until == INT64_MAX ?
		metrics->makespan : measure->until - measure->begin);
	metrics->utilization = room > 0 ? measure->busy / room : 0;
	if (measure->count > 0) {
		metrics->mean_wait = (double)measure->wait_sum / jobs;
		metrics->mean_response = (double)measure->response_sum / jobs;
		metrics->mean_slowdown = measure->slowdown_sum / jobs;
		metrics->mean_bounded_slowdown = measure->bounded_sum / jobs;
		metrics->awrt = measure->weighted_sum / measure->area;
		metrics->median_wait = lxfw_percentile(measure->waits,
						       measure->count, 50);
		metrics->p95_wait = lxfw_percentile(measure->waits,
						    measure->count, 95);
		metrics->max_wait = lxfw_percentile(measure->waits,
						    measure->count, 100);
	}
	free(measure->waits);
	measure->waits = NULL;
}
