/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw grid: simulates several sites and a broker. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/grid/brokers.h"
#include "sim-frontend/cmd/grid_options.h"
#include "sim-frontend/cmd/grid_outputs.h"
#include "sim-frontend/cmd/grid_request.h"
#include "sim-frontend/cmd/priorities.h"
#include "sim-frontend/report/grid.h"
#include "sim-frontend/util/text.h"

struct task {
	const struct lxfw_command *command;
	const struct lxfw_grid_arguments *arguments;
	struct lxfw_sites sites;
	struct lxfw_trace trace;
	int32_t *homes;
	struct lxfw_kinds kinds;
	struct lxfw_grid_outputs outputs;
	struct lxfw_grid_result results[LXFW_GRID_BROKERS_MOST];
	size_t done;
};

static int out_of_memory(void)
{
	lxfw_cmd_note("out of memory");
	return LXFW_EXIT_BAD;
}

/* --- sites ------------------------------------------------------------------------------- */

/* "128,64" */
static int add_numbered(struct task *task, const char *text)
{
	struct lxfw_error error;
	char name[24];

	for (;;) {
		size_t length = strcspn(text, ",");
		int64_t procs;

		if (lxfw_text_integer(text, length, 1, INT32_MAX, &procs) ||
		    task->sites.count == LXFW_SITES_MAX) {
			lxfw_cmd_bad_value(task->command, "sites", task->arguments->sites,
					   "a file, or numbers of processors such as 128,64");
			return LXFW_EXIT_BAD;
		}
		snprintf(name, sizeof(name), "s%d", (int)task->sites.count + 1);
		if (lxfw_sites_add(&task->sites, name, (int32_t)procs, &error))
			return lxfw_cmd_bad(&error);
		if (text[length] == '\0')
			return 0;
		text += length + 1;
	}
}

/* Priorities of Slurm are not computed at the sites of a grid. Returns 0, or -1 after a
   message. */
static int check_priorities(const struct task *task, const struct lxfw_site *site)
{
	const char *path = task->arguments->sites;

	if (!lxfw_params_read_priority(&site->params))
		return 0;
	if (lxfw_priorities_known(&site->cluster)) {
		lxfw_cmd_note("%s: site %s: PriorityType=priority/multifactor is not simulated "
			      "in a grid, expected a policy that does not count Slurm's "
			      "priority, without lxfw_wsite", path, site->name);
		return -1;
	}
	lxfw_cmd_note("%s: site %s: policy %s: all jobs have priority 0, so that lxfw_wsite has no "
		      "effect", path, site->name, lxfw_policy_name(site->params.policy));
	return 0;
}

/* Job classes are not in the file of sites. */
static int check_policies(const struct task *task)
{
	for (int32_t i = 0; i < task->sites.count; i++) {
		const struct lxfw_site *site = &task->sites.list[i];

		if (!lxfw_policy_has(site->params.policy, LXFW_TRAIT_CLASSES)) {
			if (check_priorities(task, site))
				return LXFW_EXIT_BAD;
			continue;
		}
		lxfw_cmd_note("%s: site %s: policy %s needs job classes, expected another policy",
			      task->arguments->sites, site->name,
			      lxfw_policy_name(site->params.policy));
		return LXFW_EXIT_BAD;
	}
	return 0;
}

static int load_sites(struct task *task)
{
	const char *text = task->arguments->sites;
	struct lxfw_error error;

	if (lxfw_grid_sites_are_numbers(text))
		return add_numbered(task, text);
	if (lxfw_sites_read(&task->sites, text, &error))
		return lxfw_cmd_bad(&error);
	return task->arguments->neighbours.graph ? 0 : check_policies(task);
}

/* --- jobs -------------------------------------------------------------------------------- */

static int split_wide(struct task *task)
{
	const char *how = task->arguments->split_wide;
	int32_t *most = calloc((size_t)task->sites.count, sizeof(*most));
	size_t split = 0;
	int64_t number = 0;
	int failed;

	if (!most)
		return out_of_memory();
	if (strcmp(how, "largest") == 0)
		number = lxfw_sites_largest(&task->sites);
	else if (strcmp(how, "home") != 0)
		(void)lxfw_text_integer(how, strlen(how), 1, INT32_MAX, &number);
	for (int32_t i = 0; i < task->sites.count; i++) {
		int64_t procs = task->sites.list[i].cluster.procs;

		most[i] = number ? (int32_t)number :
				   (int32_t)(procs < INT32_MAX ? procs : INT32_MAX);
	}
	failed = lxfw_homes_split(&task->trace, &task->homes, most, &split);
	free(most);
	if (failed)
		return out_of_memory();
	if (split > 0)
		lxfw_cmd_note("%s: %zu wide jobs are replaced by several", task->arguments->trace,
			      split);
	return 0;
}

static int load_jobs(struct task *task)
{
	const struct lxfw_grid_arguments *arguments = task->arguments;

	if (lxfw_cmd_trace_owners(&task->trace, arguments->trace, LXFW_MEMORY_KB_PER_PROC))
		return LXFW_EXIT_BAD;
	task->homes = lxfw_homes_choose(&task->trace, task->sites.count, arguments->home);
	if (!task->homes)
		return out_of_memory();
	if (arguments->split_wide && split_wide(task))
		return LXFW_EXIT_BAD;
	return lxfw_cmd_kinds_load(&arguments->kinds, &task->trace, arguments->trace,
				   &task->sites, &task->kinds);
}

/* --- runs ---------------------------------------------------------------------------------- */

static void show_progress(size_t done, size_t all)
{
	lxfw_cmd_progress("simulating", done, all);
}

static int write_jobs(struct task *task, const struct lxfw_grid_run *run)
{
	struct lxfw_output *output;

	if (!task->arguments->jobs_out)
		return 0;
	output = lxfw_grid_outputs_open(&task->outputs, LXFW_GRID_FILE_JOBS,
					task->arguments->jobs_out);
	if (!output)
		return LXFW_EXIT_BAD;
	lxfw_grid_jobs_csv(run, output);
	return 0;
}

static int make_market(const struct task *task, struct lxfw_grid_market *market)
{
	struct lxfw_grid_market_options options = task->arguments->market.options;
	struct lxfw_error error;

	options.delay = task->arguments->neighbours.delay;
	return lxfw_grid_market_make(market, &options, &task->sites, &error) ?
	       lxfw_cmd_bad(&error) : 0;
}

static int run_broker(struct task *task, const struct lxfw_broker *broker)
{
	const struct lxfw_grid_arguments *arguments = task->arguments;
	struct lxfw_grid_result *result = &task->results[task->done];
	struct lxfw_grid_run run = {
		.trace = &task->trace, .homes = task->homes, .sites = &task->sites,
		.broker = broker, .options = &arguments->options,
		.params = {
			.overhead = (int32_t)(arguments->overhead * 10 + 0.5),
			.threshold = (int32_t)arguments->mold_threshold,
		},
		.journals = task->outputs.writers, .progress = show_progress,
	};
	struct lxfw_grid_market market = { 0 };
	struct lxfw_error error;
	int status = 0;

	if (arguments->decisions) {
		run.decisions = lxfw_grid_outputs_open(&task->outputs,
						       LXFW_GRID_FILE_DECISIONS,
						       arguments->decisions);
		if (!run.decisions)
			return LXFW_EXIT_BAD;
	}
	*result = (struct lxfw_grid_result){
		.broker = broker, .sites = &task->sites,
		.learned = arguments->kinds.estimates.estimates,
	};
	if (lxfw_cmd_kinds_begin(&arguments->kinds, &task->kinds, &run))
		return LXFW_EXIT_BAD;
	if (broker == &lxfw_broker_market && make_market(task, &market))
		return LXFW_EXIT_BAD;
	run.params.market = &market.rules;
	if (lxfw_grid_simulate(&run, &error)) {
		lxfw_cmd_progress_end();
		lxfw_cmd_note("%s: broker %s: %s", arguments->trace, broker->name, error.text);
		status = LXFW_EXIT_BAD;
	} else if (lxfw_grid_measure(&run, &result->metrics) ||
		   lxfw_accuracies_end(&run.accuracies, &result->accuracy)) {
		status = out_of_memory();
	} else {
		task->done++;
		status = write_jobs(task, &run);
		lxfw_cmd_progress_end();
		if (broker == &lxfw_broker_market)
			lxfw_cmd_market_note(&market.counts, arguments->trace);
	}
	lxfw_grid_market_clear(&market);
	lxfw_grid_run_clear(&run);
	return status;
}

static int write_page(struct task *task)
{
	struct lxfw_output *output;

	if (!task->arguments->report)
		return 0;
	output = lxfw_grid_outputs_open(&task->outputs, LXFW_GRID_FILE_PAGE,
					task->arguments->report);
	if (!output)
		return LXFW_EXIT_BAD;
	lxfw_grid_page(task->results, task->done, task->arguments->trace, output);
	return 0;
}

static int run_neighbours(struct task *task)
{
	const struct lxfw_grid_arguments *arguments = task->arguments;
	struct lxfw_grid_neighbours neighbours = arguments->neighbours;

	neighbours.command = task->command;
	neighbours.sites = &task->sites;
	neighbours.trace = &task->trace;
	neighbours.homes = task->homes;
	neighbours.options = &arguments->options;
	neighbours.path = arguments->trace;
	neighbours.jobs_out = arguments->jobs_out;
	neighbours.report = arguments->report;
	neighbours.outputs = &task->outputs;
	neighbours.format = arguments->format;
	return lxfw_grid_neighbours_run(&neighbours);
}

static int carry_out(struct task *task)
{
	const struct lxfw_grid_arguments *arguments = task->arguments;

	if (load_sites(task) || load_jobs(task) ||
	    lxfw_grid_outputs_begin(&task->outputs, &task->sites, &task->trace,
				    arguments->journals))
		return LXFW_EXIT_BAD;
	if (arguments->neighbours.graph)
		return run_neighbours(task);
	for (size_t i = 0; i < arguments->broker_count; i++) {
		if (run_broker(task, arguments->brokers[i]))
			return LXFW_EXIT_BAD;
	}
	lxfw_cmd_progress_end();
	if (write_page(task) || lxfw_grid_outputs_commit(&task->outputs))
		return LXFW_EXIT_BAD;
	if (lxfw_grid_print(task->results, task->done, arguments->format, stdout))
		return out_of_memory();
	lxfw_cmd_kinds_tell(&arguments->kinds, &task->kinds);
	return lxfw_cmd_finish(LXFW_EXIT_DONE);
}

static void clear(struct task *task)
{
	for (size_t i = 0; i < task->done; i++)
		lxfw_grid_metrics_clear(&task->results[i].metrics);
	lxfw_grid_outputs_clear(&task->outputs);
	free(task->homes);
	lxfw_cmd_kinds_clear(&task->kinds);
	lxfw_trace_clear(&task->trace);
	lxfw_sites_clear(&task->sites);
}
static int run(const struct lxfw_command *command, int argc, char **argv)
{
	struct lxfw_grid_arguments arguments;
	struct task task = { .command = command, .arguments = &arguments };
	int status;

	if (argc > 1 && strcmp(argv[1], "request") == 0)
		return lxfw_grid_request_command(command, argc - 1, argv + 1);
	status = lxfw_grid_options(command, argc, argv, &arguments);
	if (status >= 0)
		return status;
	status = carry_out(&task);
	clear(&task);
	return status;
}

const struct lxfw_command lxfw_command_grid = {
	.name = "grid",
	.arguments = "TRACE | request FILE",
	.summary = "simulate several sites and a broker that shares jobs among them",
	.help = lxfw_grid_help,
	.more_help = lxfw_grid_more_help,
	.run = run,
};
