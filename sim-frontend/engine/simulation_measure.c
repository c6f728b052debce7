/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Outcomes and metrics of a simulation, and of the estimates of run times in it. */
#include "sim-frontend/engine/simulation.h"
#include "sim-frontend/metrics/groups.h"

struct lxfw_outcome lxfw_simulation_outcome(const struct lxfw_simulation *sim,
					    size_t position)
{
	const struct lxfw_trace_job *job = &sim->trace->jobs[position];
	struct lxfw_outcome outcome = {
		.submit = lxfw_simulation_submit(sim, position), .procs = job->procs,
		.run = lxfw_simulation_ran(sim, position),
		.end = sim->ends[position],
		.preemptions = lxfw_simulation_preemptions(sim, position),
		.requeues = lxfw_simulation_requeues(sim, position),
	};
	int64_t stayed = sim->ends[position] - sim->starts[position];

	outcome.stayed = stayed > 0 ? stayed : 0;
	if (sim->interruptions) {
		outcome.lost = sim->interruptions[position].lost;
		outcome.suspended = stayed > 0 ?
			(double)sim->interruptions[position].suspended /
			(double)stayed : 0;
	}
	return outcome;
}

void lxfw_counting_window(const struct lxfw_counting *counting,
			  const struct lxfw_trace *trace, int64_t *begin,
			  int64_t *until)
{
	size_t count = trace->count;

	*begin = counting->warmup;
	*until = INT64_MAX;
	if (count == 0)
		return;
	*begin += trace->jobs[lxfw_trace_at(trace, 0)].submit;
	if (counting->cooldown > 0)
		*until = trace->jobs[lxfw_trace_at(trace, count - 1)].submit -
			 counting->cooldown;
}

int lxfw_simulation_measure_counting(const struct lxfw_simulation *sim,
				     const struct lxfw_counting *counting,
				     struct lxfw_metrics *metrics)
{
	struct lxfw_measure measure;
	int64_t begin, until;
	int result = 0;

	lxfw_counting_window(counting, sim->trace, &begin, &until);
	lxfw_measure_begin(&measure, begin);
	measure.until = until;
	if (counting->bound > 0)
		measure.bound = counting->bound;
	for (size_t i = 0; i < sim->trace->count && result == 0; i++) {
		struct lxfw_outcome outcome = lxfw_simulation_outcome(sim, i);

		if (outcome.end != LXFW_NEVER)
			result = lxfw_measure_add_submitted(&measure, &outcome,
							    sim->trace->jobs[i].submit);
	}
	lxfw_measure_end(&measure, sim->cluster->procs, metrics);
	return result;
}

int lxfw_simulation_measure(const struct lxfw_simulation *sim, int64_t warmup,
			    struct lxfw_metrics *metrics)
{
	const struct lxfw_counting counting = { .warmup = warmup };

	return lxfw_simulation_measure_counting(sim, &counting, metrics);
}

int lxfw_simulation_measure_kinds(const struct lxfw_simulation *sim,
				  const struct lxfw_counting *counting,
				  struct lxfw_metrics kinds[2])
{
	struct lxfw_groups groups = { .bound = counting->bound };
	int64_t begin, until;
	int result = 0;

	lxfw_counting_window(counting, sim->trace, &begin, &until);
	for (size_t i = 0; i < sim->trace->count && result == 0; i++) {
		struct lxfw_outcome outcome = lxfw_simulation_outcome(sim, i);
		int64_t submit = sim->trace->jobs[i].submit;

		if (outcome.end != LXFW_NEVER && submit >= begin && submit <= until)
			result = lxfw_groups_add(&groups,
						 sim->trace->jobs[i].min_procs > 0,
						 &outcome);
	}
	lxfw_groups_end(&groups, 2, kinds);
	return result;
}

int lxfw_simulation_accuracy(const struct lxfw_simulation *sim,
			  const struct lxfw_counting *counting,
			  struct lxfw_accuracy *accuracy)
{
	struct lxfw_accuracies accuracies = { 0 };
	int64_t begin, until;

	lxfw_counting_window(counting, sim->trace, &begin, &until);
	for (size_t i = 0; i < sim->trace->count && sim->expected; i++) {
		const struct lxfw_trace_job *job = &sim->trace->jobs[i];

		if (!lxfw_simulation_known(sim, i) || job->submit < begin || job->submit > until)
			continue;
		if (lxfw_accuracies_add(&accuracies, &sim->expected[i],
				   lxfw_simulation_estimate_at(sim, i), job->limit,
				   lxfw_simulation_run_time(sim->options, job))) {
			lxfw_accuracies_clear(&accuracies);
			return -1;
		}
	}
	return lxfw_accuracies_end(&accuracies, accuracy);
}
