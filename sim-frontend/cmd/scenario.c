/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/scenario.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/cmd/scenario_outages.h"
#include "sim-frontend/infer/infer.h"
#include "sim-frontend/report/overhead_text.h"
#include "sim-frontend/trace/pbs_folder.h"

static int take_estimates(const struct lxfw_command *command, const char *word,
			  struct lxfw_simulation_options *to)
{
	char *end;
	int kind;

	if (strncmp(word, "factor:", 7) == 0) {
		to->estimates = LXFW_ESTIMATES_FACTOR;
		to->factor = strtod(word + 7, &end);
		if (end != word + 7 && *end == '\0' && to->factor >= 1 &&
		    to->factor <= 1e6)
			return 0;
		lxfw_cmd_misuse(command, "--estimates '%.40s', expected a "
				"factor from 1 to 1000000", word);
		return -1;
	}
	kind = lxfw_cmd_choice(command, "estimates", word, "requested|exact|factor:F");
	to->estimates = (enum lxfw_estimates)kind;
	return kind < 0 ? -1 : 0;
}

static int take_speedup(const struct lxfw_command *command, const char *word,
			struct lxfw_speedup *speedup)
{
	if (lxfw_speedup_parse(speedup, word) == 0)
		return 0;
	return lxfw_cmd_bad_value(command, "speedup", word, "linear, amdahl:F "
				  "with F from 0 to 1, or downey:A,SIGMA with A "
				  "from 1 and SIGMA from 0 to 1000000");
}

int lxfw_scenario_option(const struct lxfw_command *command, int option,
			 struct lxfw_scenario *scenario)
{
	struct lxfw_simulation_options *to = &scenario->options;
	int kind = 0;

	switch (option) {
	case LXFW_SCENARIO_CLUSTER:
		scenario->machine = optarg;
		return 0;
	case LXFW_SCENARIO_RESERVATIONS:
		scenario->reservations = optarg;
		return 0;
	case LXFW_SCENARIO_SHAPE:
		kind = lxfw_site_shape(command, optarg, &scenario->shape);
		to->one_host = scenario->shape.one_host;
		break;
	case LXFW_SCENARIO_MEMORY:
		kind = lxfw_cmd_choice(command, "memory", optarg,
			      "kb-per-proc|kb-per-job|bytes-per-job|none");
		scenario->memory = (enum lxfw_trace_memory)kind;
		break;
	case LXFW_SCENARIO_OVERRUN:
		kind = lxfw_cmd_choice(command, "overrun", optarg, "extend|kill");
		to->overrun = (enum lxfw_overrun)kind;
		break;
	case LXFW_SCENARIO_PASS:
		kind = lxfw_cmd_choice(command, "pass", optarg, "timestamp|event");
		to->pass = (enum lxfw_pass)kind;
		break;
	case LXFW_SCENARIO_ESTIMATES:
		return take_estimates(command, optarg, to);
	case LXFW_SCENARIO_SPEEDUP:
		return take_speedup(command, optarg, &to->speedup);
	case LXFW_SCENARIO_START_OVERHEAD:
		scenario->estimate_asked = strcmp(optarg, "estimated") == 0;
		scenario->estimate_start = scenario->estimate_asked;
		if (scenario->estimate_asked)
			return 0;
		return lxfw_cmd_duration(command, "start-overhead", optarg,
					 &to->start_overhead);
	case LXFW_SCENARIO_END_OVERHEAD:
		return lxfw_cmd_duration(command, "end-overhead", optarg,
					 &to->end_overhead);
	case LXFW_SCENARIO_INFER:
		kind = lxfw_cmd_choice(command, "infer", optarg, "outages|none");
		scenario->infer = kind == 0 ? LXFW_INFER_OUTAGES : 0;
		scenario->infer_asked = kind == 0;
		break;
	case LXFW_SCENARIO_OUTAGES:
		scenario->outages = optarg;
		break;
	}
	return kind < 0 ? -1 : 0;
}

int lxfw_scenario_machine(struct lxfw_scenario *scenario)
{
	/* the directory of a pbs_snapshot describes its machine */
	if (!scenario->machine && lxfw_pbs_folder_has_machine(scenario->path))
		scenario->machine = scenario->path;
	return scenario->machine ?
	       lxfw_cmd_machine(&scenario->cluster, scenario->machine) : 0;
}

/* Prints a note on the jobs that are left out. */
static void note_left_out(const char *path, const struct lxfw_trace *trace,
			  size_t too_large)
{
	size_t all = trace->no_run_time + trace->no_procs + too_large;

	if (all > 0)
		lxfw_cmd_note("%s: %zu jobs left out: %zu without run time, "
			      "%zu without processors, %zu larger than the "
			      "machine%s", path, all, trace->no_run_time,
			      trace->no_procs, too_large, trace->needs ?
			      " or the hosts of their partition" : "");
	if (trace->needs)
		lxfw_site_note(path, &trace->needs->told);
	if (trace->out_of_order > 0)
		lxfw_cmd_note("%s: %zu jobs were not in order of submit time; "
			      "sorted", path, trace->out_of_order);
}

/* Makes a machine from the header of the trace if none was given. */
static int by_header(const struct lxfw_command *command,
		     struct lxfw_scenario *scenario)
{
	int32_t procs = lxfw_trace_procs(&scenario->trace);
	struct lxfw_error error;

	if (procs == 0) {
		lxfw_cmd_misuse(command, "%s does not contain the number of "
				"processors (MaxProcs), expected --cluster",
				scenario->path);
		return -1;
	}
	if (lxfw_cluster_procs(&scenario->cluster, procs, &error)) {
		lxfw_cmd_bad(&error);
		return -1;
	}
	return 0;
}

/* Prints notes on unexpected properties of the selection. */
static void note_adaptive(const struct lxfw_scenario *scenario,
			  const struct lxfw_adaptive_result *result, size_t wide)
{
	const char *path = scenario->path;

	if (result->not_found > 0)
		lxfw_cmd_note("%s: %zu job numbers are not in %s",
			      scenario->adaptive.text, result->not_found, path);
	if (result->no_queues)
		lxfw_cmd_note("%s: contains no queues, lxfw_eq_partition is "
			      "ignored", path);
	if (result->elsewhere > 0)
		lxfw_cmd_note("%s: %zu jobs are rigid: not in the partitions "
			      "of lxfw_eq_partition", path, result->elsewhere);
	if (wide > 0)
		lxfw_cmd_note("%s: %zu jobs %s, they request more than one "
			      "host has", path, wide, scenario->refuse_wide ?
			      "left out (they would be held)" : "not adaptive");
}

static int choose_adaptive(struct lxfw_scenario *scenario)
{
	struct lxfw_adaptive_result result;
	struct lxfw_error error;
	size_t wide;

	if (lxfw_adaptive_choose(&scenario->adaptive, &scenario->trace, &result,
				 &error)) {
		lxfw_cmd_bad(&error);
		return -1;
	}
	if (lxfw_simulation_fit_adaptive(&scenario->trace, &scenario->cluster,
					 scenario->refuse_wide, &wide)) {
		lxfw_cmd_note("out of memory");
		return -1;
	}
	note_adaptive(scenario, &result, wide);
	return 0;
}

int lxfw_scenario_recorded(struct lxfw_scenario *scenario,
			   struct lxfw_recorded *recorded)
{
	bool one_host = lxfw_simulation_one_host(&scenario->options);

	if (lxfw_recorded_from_trace(recorded, &scenario->trace,
				     &scenario->cluster, one_host)) {
		lxfw_cmd_note("out of memory");
		return -1;
	}
	for (size_t i = 0; i < recorded->count; i++) {
		if (recorded->jobs[i].start != LXFW_UNKNOWN)
			return 1;
	}
	lxfw_recorded_clear(recorded);
	return 0;
}

static void note_start(const struct lxfw_scenario *scenario, bool measured,
		       const struct lxfw_overhead *overhead)
{
	char text[LXFW_OVERHEAD_TEXT];

	if (measured)
		lxfw_cmd_note("%s: start overhead %lld s, %s", scenario->path,
			      (long long)overhead->start,
			      lxfw_overhead_text(&overhead->estimate, text,
						 sizeof(text)));
	else if (scenario->estimate_asked)
		lxfw_cmd_note("%s: start overhead 0 s: the log contains no "
			      "measured waits", scenario->path);
}

/* Called if outages cannot be inferred. They may still be given. */
static int nothing_measured(struct lxfw_scenario *scenario,
			    struct lxfw_recorded *recorded)
{
	if (scenario->infer_asked)
		lxfw_cmd_note("%s: no outages inferred: the log contains no "
			      "measured waits", scenario->path);
	scenario->infer = 0;
	if (!scenario->outages ||
	    !lxfw_recorded_from_trace(recorded, &scenario->trace,
				      &scenario->cluster,
				      lxfw_simulation_one_host(&scenario->options)))
		return 0;
	lxfw_cmd_note("out of memory");
	return -1;
}

/* Determines the system overhead per start and the outages with the functions of `lxfw
   compare`. */
static int take_from_log(struct lxfw_scenario *scenario)
{
	struct lxfw_overhead overhead = { 0 };
	struct lxfw_recorded recorded = { 0 };
	int measured, failed = 0;

	if (!scenario->estimate_start && scenario->infer == 0 &&
	    !scenario->outages)
		return 0;
	measured = lxfw_scenario_recorded(scenario, &recorded);
	if (measured > 0)
		failed = lxfw_recorded_overhead(&recorded, &overhead);
	if (failed)
		lxfw_cmd_note("out of memory");
	if (!failed && measured >= 0 && scenario->estimate_start) {
		scenario->options.start_overhead = overhead.start;
		note_start(scenario, measured > 0, &overhead);
	}
	if (!failed && measured == 0)
		failed = nothing_measured(scenario, &recorded);
	if (!failed && measured >= 0)
		failed = lxfw_scenario_outages(scenario, &recorded, &overhead);
	lxfw_recorded_clear(&recorded);
	return failed || measured < 0 ? -1 : 0;
}

/* Adds properties of the machine other than processors and memory. */
static int take_site(struct lxfw_scenario *scenario)
{
	struct lxfw_cluster *cluster = &scenario->cluster;

	cluster->any_hosts = scenario->shape.anywhere;
	if (scenario->reservations &&
	    lxfw_site_reservations(cluster, scenario->reservations,
				   &scenario->trace, false))
		return -1;
	if (lxfw_trace_choose_gres(&scenario->trace, cluster) ||
	    lxfw_trace_take_needs(&scenario->trace, cluster)) {
		lxfw_cmd_note("out of memory");
		return -1;
	}
	return 0;
}

int lxfw_scenario_trace(const struct lxfw_command *command,
			struct lxfw_scenario *scenario)
{
	struct lxfw_trace *trace = &scenario->trace;
	bool mixed = scenario->options.mixed;
	bool owners = scenario->with_owners || scenario->estimate_start ||
		      scenario->infer != 0 || scenario->outages ||
		      scenario->machine || scenario->reservations ||
		      (mixed && lxfw_adaptive_needs_owners(&scenario->adaptive));
	size_t too_large;

	if ((owners ? lxfw_cmd_trace_owners : lxfw_cmd_trace)
		    (trace, scenario->path, scenario->memory))
		return -1;
	if (!scenario->machine && by_header(command, scenario))
		return -1;
	if (take_site(scenario))
		return -1;
	if (mixed && choose_adaptive(scenario))
		return -1;
	if (lxfw_simulation_fit(trace, &scenario->cluster,
				lxfw_simulation_one_host(&scenario->options),
				&too_large)) {
		lxfw_cmd_note("out of memory");
		return -1;
	}
	note_left_out(scenario->path, trace, too_large);
	if (trace->count == 0) {
		lxfw_cmd_note("%s: no jobs remain to simulate", scenario->path);
		return -1;
	}
	return take_from_log(scenario);
}

void lxfw_scenario_clear(struct lxfw_scenario *scenario)
{
	lxfw_trace_clear(&scenario->trace);
	lxfw_cluster_clear(&scenario->cluster);
}
