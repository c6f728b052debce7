/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/experiment/balasubramanian.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/engine/simulation.h"
#include "sim-frontend/experiment/balasubramanian_workload.h"
#include "sim-frontend/experiment/spread.h"
#include "sim-frontend/util/pool.h"

#define NODES LXFW_B_NODES
#define JOBS LXFW_B_JOBS
#define CHOICES 10	/* nodes among which a job's node is chosen */
#define INTERVALS LXFW_B_INTERVALS
#define intervals lxfw_b_intervals

static const struct {
	const char *name, *policy, *params;
} contenders[] = {
	{ "FCFS, backfill", "list", "" },
	{ "alpha 0", "remaining",
	  "lxfw_rem_wait=0,lxfw_interval=5,lxfw_rem_frees=all,"
	  "lxfw_rem_min_run=0" },
	{ "alpha 0.5", "remaining",
	  "lxfw_rem_wait=0.5,lxfw_interval=5,lxfw_rem_frees=all,"
	  "lxfw_rem_min_run=0" },
	{ "alpha 1", "remaining",
	  "lxfw_rem_wait=1,lxfw_interval=5,lxfw_rem_frees=all,"
	  "lxfw_rem_min_run=0" },
};
enum { FCFS, ALPHA_0, ALPHA_05, ALPHA_1, CONTENDERS };

/* Of one workload under one policy. Waits in seconds. */
struct result {
	double mean, median;
	double longest;		/* median of the tenth of the jobs that waits longest */
	double preemptions;
};

struct experiment {
	int64_t seeds, first_seed;
	struct result *results;	/* by seed, interval and contender */
};

/* --- workload -------------------------------------------------------------------------- */

struct node {
	const struct lxfw_b_node *of;
	struct lxfw_trace_job jobs[LXFW_B_QUEUE_MAX];
	size_t count;
};

/* The jobs of each node, whose run times are those on the node. */
static void distribute(const struct lxfw_b_workload *workload, struct node *nodes)
{
	for (int i = 0; i < NODES; i++) {
		nodes[i].of = &workload->nodes[i];
		nodes[i].count = 0;
	}
	for (int i = 0; i < JOBS; i++) {
		const struct lxfw_b_job *job = &workload->jobs[i];
		struct node *node = &nodes[job->node];
		int64_t run = (int64_t)(job->run / node->of->speed + 0.5);

		node->jobs[node->count++] = (struct lxfw_trace_job){
			.number = i + 1, .wait = -1, .used_memory_kb = -1,
			.submit = (int64_t)job->submit, .run = run, .limit = run,
			.procs = job->procs, .memory_kb = job->memory_kb,
		};
	}
}

/* --- simulation ------------------------------------------------------------------------ */

/* Add the waits of the jobs of a node. Returns 0, or -1 with errno and ERROR set. */
static int simulate(struct node *node, const struct lxfw_simulation_options *options,
		    double *waits, size_t *count, double *preemptions,
		    struct lxfw_error *error)
{
	struct lxfw_trace trace = { .jobs = node->jobs, .count = node->count };
	struct lxfw_cluster cluster = { 0 };
	struct lxfw_resources total = {
		.procs = node->of->cores, .memory_mb = node->of->memory_kb / 1024,
	};
	struct lxfw_simulation sim = {
		.trace = &trace, .cluster = &cluster, .options = options,
	};
	int rc = lxfw_cluster_add(&cluster, "node", &total, error);

	cluster.memory_bound = true;
	if (rc == 0)
		rc = lxfw_simulation_run(&sim, NULL, error);
	for (size_t i = 0; rc == 0 && i < node->count; i++) {
		waits[(*count)++] = (double)(sim.ends[i] - node->jobs[i].submit -
					     node->jobs[i].run);
		*preemptions += lxfw_simulation_preemptions(&sim, i);
	}
	lxfw_simulation_clear(&sim);
	lxfw_cluster_clear(&cluster);
	return rc;
}

static int by_value(const void *one, const void *other)
{
	double a = *(const double *)one, b = *(const double *)other;

	return (a > b) - (a < b);
}

static int run_contender(struct node *nodes, int contender, double *waits,
			 struct result *result, struct lxfw_error *error)
{
	const char *policy = contenders[contender].policy;
	struct lxfw_simulation_options options = { .one_host = true, .factor = 1 };
	double sum = 0;
	size_t count = 0;

	lxfw_params_preset(&options.params,
			   lxfw_policy_by_name(policy, (int)strlen(policy)));
	if (lxfw_params_parse(&options.params, contenders[contender].params, NULL, NULL,
			      error) < 0)
		return -1;
	*result = (struct result){ 0 };
	for (int i = 0; i < NODES; i++) {
		if (nodes[i].count > 0 &&
		    simulate(&nodes[i], &options, waits, &count, &result->preemptions,
			     error) < 0)
			return -1;
	}
	qsort(waits, count, sizeof(*waits), by_value);
	for (size_t i = 0; i < count; i++)
		sum += waits[i];
	result->mean = sum / (double)count;
	result->median = waits[count / 2];
	result->longest = waits[count - count / 20];
	return 0;
}

static struct result *result_of(const struct experiment *experiment, int64_t seed,
				int interval, int contender)
{
	return &experiment->results[(seed * INTERVALS + interval) * CONTENDERS +
				    contender];
}

/* One workload under all policies. */
static int work(void *context, size_t task, struct lxfw_error *error)
{
	struct experiment *experiment = context;
	int64_t seed = (int64_t)task / INTERVALS;
	int interval = (int)task % INTERVALS, rc = 0;
	struct node *nodes = malloc(NODES * sizeof(*nodes));
	double *waits = malloc(JOBS * sizeof(*waits));
	struct lxfw_b_workload *workload = malloc(sizeof(*workload));

	if (!nodes || !waits || !workload) {
		lxfw_error_add(error, "out of memory");
		errno = ENOMEM;
		rc = -1;
		goto done;
	}
	lxfw_b_workload_make(workload, (uint64_t)(experiment->first_seed + seed), interval,
			     CHOICES);
	distribute(workload, nodes);
	for (int i = 0; rc == 0 && i < CONTENDERS; i++)
		rc = run_contender(nodes, i, waits,
				   result_of(experiment, seed, interval, i), error);
done:
	free(nodes);
	free(waits);
	free(workload);
	return rc;
}

/* --- results --------------------------------------------------------------------------- */

enum measure { MEAN, MEDIAN, LONGEST, PREEMPTIONS };

static double value_of(const struct result *result, enum measure measure)
{
	return measure == MEAN ? result->mean : measure == MEDIAN ? result->median :
	       measure == LONGEST ? result->longest : result->preemptions;
}

/* The median over the seeds of a measure, or of its ratio to that of contender OVER in the
   same workload unless OVER is negative. */
static double typical(const struct experiment *experiment, int interval, int contender,
		      enum measure measure, int over)
{
	double values[100];

	for (int64_t i = 0; i < experiment->seeds; i++) {
		values[i] = value_of(result_of(experiment, i, interval, contender), measure);
		if (over >= 0)
			values[i] /= value_of(result_of(experiment, i, interval, over),
					      measure);
	}
	return lxfw_spread_of(values, (int)experiment->seeds).median;
}

static void print_table(const struct experiment *experiment, FILE *out)
{
	fprintf(out, "%-9s %-15s %12s %12s %14s %12s\n", "interval", "policy",
		"median wait", "mean wait", "longest tenth", "preemptions");
	for (int i = 0; i < INTERVALS; i++) {
		for (int j = 0; j < CONTENDERS; j++)
			fprintf(out, "%-9.1f %-15s %12.0f %12.0f %14.0f %12.0f\n",
				intervals[i], contenders[j].name,
				typical(experiment, i, j, MEDIAN, -1),
				typical(experiment, i, j, MEAN, -1),
				typical(experiment, i, j, LONGEST, -1),
				typical(experiment, i, j, PREEMPTIONS, -1));
	}
}

/* The claims, and bounds set before the figures were computed. */
static const struct claim {
	const char *text;
	enum measure measure;
	int contender, over;	/* over -1: the value per job; -2: the value with the
				   first interval divided by that with the last */
	unsigned int at;	/* bit i: of intervals[i] */
	double least, most;
} claims[] = {
	{ "median wait, alpha 0 / FCFS", MEDIAN, ALPHA_0, FCFS, 7, 0, 0.9 },
	{ "mean wait, alpha 0 / FCFS", MEAN, ALPHA_0, FCFS, 7, 0, 0.999 },
	{ "median wait of FCFS, interval 4 / 1.5", MEDIAN, FCFS, -2, 4, 0, 0.9 },
	{ "median wait of alpha 0, interval 4 / 1.5", MEDIAN, ALPHA_0, -2, 4, 0, 0.9 },
	{ "preemptions per job, alpha 0 (paper 0.111)", PREEMPTIONS, ALPHA_0, -1, 1,
	  1 / 12.0, 1 / 6.0 },
	{ "preemptions per job, alpha 0 (paper 0.094)", PREEMPTIONS, ALPHA_0, -1, 4,
	  1 / 16.0, 1 / 7.0 },
	{ "preemptions of alpha 0, interval 4 / 1.5 (paper 0.85)", PREEMPTIONS, ALPHA_0,
	  -2, 4, 0.6, 0.999 },
	{ "longest tenth of waits, alpha 0.5 / alpha 0", LONGEST, ALPHA_05, ALPHA_0, 7, 0,
	  0.999 },
	{ "median wait, alpha 0.5 / alpha 0", MEDIAN, ALPHA_05, ALPHA_0, 7, 1, 1e9 },
	{ "preemptions, alpha 1 / alpha 0", PREEMPTIONS, ALPHA_1, ALPHA_0, 7, 2, 1e9 },
	{ "median wait, alpha 1 / alpha 0", MEDIAN, ALPHA_1, ALPHA_0, 7, 1.001, 1e9 },
};

static void print_claims(const struct experiment *experiment, FILE *out)
{
	fprintf(out, "\n%-56s %-9s %8s %16s  %s\n", "claim", "interval", "value",
		"bounds", "verdict");
	for (size_t i = 0; i < sizeof(claims) / sizeof(*claims); i++) {
		const struct claim *claim = &claims[i];

		for (int at = 0; at < INTERVALS; at++) {
			double value;
			char bounds[40];

			if (!(claim->at >> at & 1))
				continue;
			value = typical(experiment, at, claim->contender, claim->measure,
					claim->over);
			if (claim->over == -1)
				value /= JOBS;
			if (claim->over == -2)
				value /= typical(experiment, 0, claim->contender,
						 claim->measure, -1);
			snprintf(bounds, sizeof(bounds), claim->most < 1e9 ?
				 "%.3f to %.3f" : "from %.3f", claim->least, claim->most);
			fprintf(out, "%-56s %-9.1f %8.3f %16s  %s\n", claim->text,
				intervals[at], value, bounds, isnan(value) ?
				"undefined, 0 / 0" : value >= claim->least && value <= claim->most ?
					"holds" : "does not hold");
		}
	}
}

int lxfw_balasubramanian(int64_t seeds, int64_t first_seed, int threads, FILE *out,
			 struct lxfw_error *error)
{
	struct experiment experiment = { .seeds = seeds, .first_seed = first_seed };
	struct lxfw_pool pool = {
		.context = &experiment, .count = (size_t)seeds * INTERVALS,
		.threads = threads, .work = work,
	};
	int rc;

	experiment.results = calloc((size_t)seeds * INTERVALS * CONTENDERS,
				    sizeof(*experiment.results));
	if (!experiment.results) {
		lxfw_error_add(error, "out of memory");
		errno = ENOMEM;
		return -1;
	}
	rc = lxfw_pool_carry_out(&pool, error);
	if (rc == 0) {
		print_table(&experiment, out);
		print_claims(&experiment, out);
	}
	free(experiment.results);
	return rc;
}
