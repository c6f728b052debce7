/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/jobs_csv.h"

#include <stdlib.h>

#include "common/params/policy.h"
#include "sim-frontend/metrics/goal.h"
#include "sim-frontend/report/report.h"

void lxfw_jobs_csv_header(struct lxfw_output *output, bool mixed, bool several)
{
	lxfw_output_text(output, "job_id,submit,start,end,wait,run,procs,"
			 "memory_mb,hosts,preemptions,requeues");
	if (mixed)
		lxfw_output_text(output, ",least");
	lxfw_output_text(output, ",user,group,queue,estimate,status,slowdown,"
			 "bounded_slowdown,priority");
	lxfw_output_text(output, several ? ",contender\n" : "\n");
}

bool lxfw_start_priority(const struct lxfw_simulation *sim, size_t position,
			 double *priority)
{
	const struct lxfw_simulation_options *options = sim->options;
	const struct lxfw_params *params = &options->params;
	const struct lxfw_trace_job *job = &sim->trace->jobs[position];
	bool rigid = options->mixed && job->min_procs == 0;
	struct lxfw_request request = { 0 };
	struct lxfw_resources sum;
	double mean = lxfw_tune_mean_memory(sim->cluster);
	double memory, hours, estimate;

	if (!lxfw_policy_has(params->policy, LXFW_TRAIT_WEIGHTS) ||
	    (lxfw_policy_has(params->policy, LXFW_TRAIT_ADAPTIVE) && !rigid))
		return false;
	if (params->wbypass > 0 || sim->starts[position] == LXFW_NEVER)
		return false;
	lxfw_simulation_request(sim->cluster, lxfw_simulation_one_host(options),
				job, lxfw_trace_need(sim->trace, position),
				&request);
	sum = lxfw_request_sum(&request);
	memory = mean > 0 ? (double)sum.memory_mb / mean : 0;
	hours = (double)(sim->starts[position] - options->start_overhead -
			 lxfw_simulation_submit(sim, position)) / 3600;
	estimate = (double)lxfw_simulation_estimate_at(sim, position) / 3600;
	*priority = params->ww * hours + params->wx * (1 + hours / estimate) +
		    params->wp * sum.procs + params->wm * memory +
		    params->wpe * (sum.procs > memory ? sum.procs : memory);
	return true;
}

static void put_integer(struct lxfw_output *output, int64_t value)
{
	lxfw_output_write(output, ",", 1);
	lxfw_output_integer(output, value);
}

/* Unknown numbers are empty. */
static void put_known(struct lxfw_output *output, int32_t number)
{
	lxfw_output_write(output, ",", 1);
	if (number >= 0)
		lxfw_output_integer(output, number);
}

static void put_double(struct lxfw_output *output, bool known, double value)
{
	char text[32];

	lxfw_output_write(output, ",", 1);
	if (known)
		lxfw_output_text(output, lxfw_format_double(value, text,
							    sizeof(text)));
}

static void put_owner(const struct lxfw_simulation *sim, size_t position,
		      int64_t bound, struct lxfw_output *output)
{
	const struct lxfw_trace_owner unknown = {
		-1, -1, -1, -1, -1, -1, false,
	};
	const struct lxfw_trace_owner *owner = sim->trace->owners ?
		&sim->trace->owners[position] : &unknown;
	const struct lxfw_outcome outcome = lxfw_simulation_outcome(sim, position);
	int64_t response = outcome.end - outcome.submit;
	double priority = 0;
	bool known = lxfw_start_priority(sim, position, &priority);

	put_known(output, owner->user);
	put_known(output, owner->group);
	put_known(output, owner->queue);
	put_integer(output, lxfw_simulation_estimate_at(sim, position));
	put_known(output, owner->status);
	put_double(output, true, (double)response / (double)outcome.run);
	put_double(output, true, lxfw_bounded_slowdown(response, outcome.run,
						       bound));
	put_double(output, known, priority);
}

static int put_job(const struct lxfw_simulation *sim, size_t position, bool mixed,
		   struct lxfw_output *output)
{
	const struct lxfw_trace_job *job = &sim->trace->jobs[position];
	int64_t run = lxfw_simulation_ran(sim, position);
	int64_t start = sim->starts[position], end = sim->ends[position];
	int64_t submit = lxfw_simulation_submit(sim, position);
	const int64_t numbers[] = {
		job->number, submit, start, end, end - submit - run,
		run, job->procs, lxfw_job_memory_mb(job),
	};
	char *hosts;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		lxfw_output_integer(output, numbers[i]);
		lxfw_output_write(output, ",", 1);
	}
	hosts = lxfw_simulation_hosts(sim, position);
	if (!hosts)
		return -1;
	lxfw_output_csv(output, hosts);
	free(hosts);
	put_integer(output, lxfw_simulation_preemptions(sim, position));
	put_integer(output, lxfw_simulation_requeues(sim, position));
	if (mixed)
		put_integer(output, job->min_procs);
	return 0;
}

int lxfw_jobs_csv_rows(const struct lxfw_simulation *sim, bool mixed, int64_t bound,
		       const char *contender, struct lxfw_output *output)
{
	for (size_t i = 0; i < sim->trace->count; i++) {
		if (put_job(sim, i, mixed, output))
			return -1;
		put_owner(sim, i, bound, output);
		if (contender) {
			lxfw_output_write(output, ",", 1);
			lxfw_output_csv(output, contender);
		}
		lxfw_output_write(output, "\n", 1);
	}
	return 0;
}
