/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw grid: simulates several sites and a broker. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/files_apart.h"
#include "sim-frontend/cmd/grid_kinds.h"
#include "sim-frontend/cmd/grid_neighbours.h"
#include "sim-frontend/cmd/grid_outputs.h"
#include "sim-frontend/grid/homes.h"
#include "sim-frontend/report/grid.h"
#include "sim-frontend/util/text.h"

#define BROKERS_MOST 16

static const char help[] =
"\n"
"Simulate a TRACE on several sites, each with hosts and a scheduler of its own, and\n"
"a broker that sends the jobs of all users to sites. With several brokers their\n"
"results are printed side by side.\n"
"\n"
"Options:\n"
"  --sites FILE|N,N,...  a file with a site per line, site=NAME procs=N or\n"
"                        cluster=FILE [policy=NAME] [params=KEY=VALUE,...]\n"
"                        [speed=FACTOR]; or sites s1, s2, ... of N processors with\n"
"                        the policy easy\n"
"  --broker NAME,...     local (default), best_fit, most_free, least_work, earliest,\n"
"                        central, multi_site, multi_site_fair, olb, sjs, pjs,\n"
"                        adaptive, adaptive_procs; see lxfw-grid(1)\n"
"  --overhead PERCENT    jobs at several sites run longer by this (default 0)\n"
"  --mold-threshold PERCENT\n"
"                        adaptive, adaptive_procs: a job starts on less than it\n"
"                        requires if its turnaround time is then below this, per cent\n"
"                        of that if it waits (default 200); 0: it always does\n"
"  --home round-robin|user|queue|partition\n"
"                        the site at which a job is submitted: in turn (default), or\n"
"                        by a number in the log\n"
"  --split-wide home|largest|N\n"
"                        replace wide jobs by several of the width of their own site,\n"
"                        of the largest site, or of N processors\n"
"  --estimates requested|exact|history[:FILE]\n"
"                        what schedulers and brokers expect: the requested time\n"
"                        (default), the run time, or learned from jobs that have ended,\n"
"                        and from those of a data base of 'lxfw import --history' that\n"
"                        ended before, by class and machine: a site of that name\n"
"  --overrun extend|kill jobs run as recorded (default), or end at their limits\n"
"  --kind user|queue|partition\n"
"                        jobs with the same number in the log are of a kind, with\n"
"                        similar run times (default: all jobs are)\n"
"  --times FILE          run times of kinds of jobs, in place of those of the log:\n"
"                        lines kind=NUMBER place=SITE|CLUSTER,... seconds=NUMBER\n"
"  --history FILE        begin with run times of kinds at places from such a data\n"
"                        base, for olb, sjs and pjs; with --kind user or queue\n"
"  --quantum SECONDS     time between two batches of olb, sjs and pjs (default 10)\n"
"  --priorities          jobs of queue 1 have high priority, those of queue 2 medium,\n"
"                        all others low\n"
"  --preemptions N       sjs and pjs stop a job of low priority at most N times for\n"
"                        jobs of high priority; it then begins again (default 0)\n";

static const char more_help[] =
"  --graph FILE|2nn|can|none\n"
"                        instead of a broker: sites exchange jobs with their\n"
"                        neighbours. FILE has lines SITE NEIGHBOUR ...; 2nn: the\n"
"                        previous and the next site; can: up to four similar ones\n"
"  --moves LIST          how, with --graph: none, push, pull, push+pull (default), and\n"
"                        each with +balance, separated by commas\n"
"  --delay SECONDS, --loss PERCENT, --seed N\n"
"                        time that a message takes (default 0), share of messages that\n"
"                        are lost (default 0, at most 99), seed of the losses\n"
"  --stay                jobs that have run stay at their site\n"
"  --jobs-out FILE       write the jobs as CSV (one broker)\n"
"  --journals FOLDER     write a journal SITE.journal for each site (one broker)\n"
"  --decisions FILE      write the broker's decisions as CSV: which site, and why (one\n"
"                        broker)\n"
"  --report FILE         write an HTML page\n"
"  --format table|json|csv\n"
"                        output format (default: table, which is text)\n"
"  --json                same as --format json\n"
"  -h, --help            print this help and exit\n"
"  --version             print the version and exit\n"
"\n"
"Examples:\n"
"  lxfw grid --sites 128,128,128,128 --broker local,best_fit,multi_site log.swf\n"
"  lxfw grid --sites sites.txt --broker central --report grid.html log.swf\n"
"  lxfw grid --sites 8,8,4,4,4 --graph can --moves none,push+pull log.swf\n"
"\n"
"Exit status: 0 success; 2 invalid usage or input, or a job that can never start.\n";

enum {
	SITES = LXFW_OPTION_FIRST, BROKER, OVERHEAD, MOLD_THRESHOLD, HOME, SPLIT_WIDE,
	ESTIMATES, OVERRUN, JOBS_OUT, JOURNALS, REPORT, KIND, TIMES, HISTORY, QUANTUM,
	PRIORITIES, PREEMPTIONS, DECISIONS,
	GRAPH, MOVES, DELAY, LOSS, SEED, STAY,
};

static const struct option options[] = {
	LXFW_FORMAT_OPTIONS,
	{ "sites", required_argument, NULL, SITES },
	{ "broker", required_argument, NULL, BROKER },
	{ "overhead", required_argument, NULL, OVERHEAD },
	{ "mold-threshold", required_argument, NULL, MOLD_THRESHOLD },
	{ "home", required_argument, NULL, HOME },
	{ "split-wide", required_argument, NULL, SPLIT_WIDE },
	{ "estimates", required_argument, NULL, ESTIMATES },
	{ "overrun", required_argument, NULL, OVERRUN },
	{ "jobs-out", required_argument, NULL, JOBS_OUT },
	{ "journals", required_argument, NULL, JOURNALS },
	{ "decisions", required_argument, NULL, DECISIONS },
	{ "report", required_argument, NULL, REPORT },
	{ "kind", required_argument, NULL, KIND },
	{ "times", required_argument, NULL, TIMES },
	{ "history", required_argument, NULL, HISTORY },
	{ "quantum", required_argument, NULL, QUANTUM },
	{ "priorities", no_argument, NULL, PRIORITIES },
	{ "preemptions", required_argument, NULL, PREEMPTIONS },
	{ "graph", required_argument, NULL, GRAPH },
	{ "moves", required_argument, NULL, MOVES },
	{ "delay", required_argument, NULL, DELAY },
	{ "loss", required_argument, NULL, LOSS },
	{ "seed", required_argument, NULL, SEED },
	{ "stay", no_argument, NULL, STAY },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, LXFW_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

struct arguments {
	enum lxfw_format format;
	const char *sites, *split_wide, *jobs_out, *journals, *decisions, *report,
		   *trace;
	const struct lxfw_broker *brokers[BROKERS_MOST];
	size_t broker_count;
	enum lxfw_homes home;
	struct lxfw_cmd_kinds kinds;
	double overhead;	/* per cent */
	int64_t mold_threshold;
	struct lxfw_simulation_options options;
	struct lxfw_grid_neighbours neighbours;
	const char *of_brokers, *of_neighbours;	/* an option that is given; NULL: none */
};

struct task {
	const struct lxfw_command *command;
	const struct arguments *arguments;
	struct lxfw_sites sites;
	struct lxfw_trace trace;
	int32_t *homes;
	struct lxfw_kinds kinds;
	struct lxfw_grid_outputs outputs;
	struct lxfw_grid_result results[BROKERS_MOST];
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

static bool are_numbers(const char *text)
{
	return text[strspn(text, "0123456789,")] == '\0';
}

/* Job classes are not in the file of sites. */
static int check_policies(const struct task *task)
{
	for (int32_t i = 0; i < task->sites.count; i++) {
		const struct lxfw_site *site = &task->sites.list[i];

		if (!lxfw_policy_has(site->params.policy, LXFW_TRAIT_CLASSES))
			continue;
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

	if (are_numbers(text))
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
	const struct arguments *arguments = task->arguments;

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

static int run_broker(struct task *task, const struct lxfw_broker *broker)
{
	const struct arguments *arguments = task->arguments;
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
	}
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
	const struct arguments *arguments = task->arguments;
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
	const struct arguments *arguments = task->arguments;

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

/* --- options ------------------------------------------------------------------------------- */

static int take_brokers(const struct lxfw_command *command, const char *text,
			struct arguments *to)
{
	to->broker_count = 0;
	for (;;) {
		size_t length = strcspn(text, ",");
		const struct lxfw_broker *broker = lxfw_broker_find(text, length);

		if (!broker || to->broker_count == BROKERS_MOST)
			return lxfw_cmd_bad_value(command, "broker", text, "a list of local, "
						  "best_fit, most_free, least_work, earliest, "
						  "central, multi_site, "
						  "multi_site_fair, olb, sjs, pjs, "
						  "adaptive and adaptive_procs");
		to->brokers[to->broker_count++] = broker;
		if (text[length] == '\0')
			return 0;
		text += length + 1;
	}
}

/* Returns 0, or -1 after a message. */
static int take_neighbours(const struct lxfw_command *command, int option,
			   struct lxfw_grid_neighbours *to)
{
	double percent;

	switch (option) {
	case GRAPH:
		to->graph = optarg;
		return 0;
	case MOVES:
		return lxfw_grid_neighbours_moves(command, optarg, to);
	case DELAY:
		return lxfw_cmd_integer(command, "delay", optarg, 0, 1000000, &to->delay);
	case LOSS:
		if (lxfw_cmd_number(command, "loss", optarg, 0, 99, &percent))
			return -1;
		to->loss = (int32_t)(percent * 100 + 0.5);
		return 0;
	case SEED:
		return lxfw_cmd_integer(command, "seed", optarg, 0, INT64_MAX, &to->seed);
	default:
		to->stay = true;
		return 0;
	}
}

/* Notes an option that applies only without, or only with a graph. */
static void note_option(int option, struct arguments *to)
{
	static const struct { int option; const char *name; bool graph; } only[] = {
		{ BROKER, "broker", false }, { OVERHEAD, "overhead", false },
		{ JOURNALS, "journals", false }, { DECISIONS, "decisions", false },
		{ MOLD_THRESHOLD, "mold-threshold", false }, { KIND, "kind", false },
		{ TIMES, "times", false }, { HISTORY, "history", false },
		{ QUANTUM, "quantum", false }, { PRIORITIES, "priorities", false },
		{ PREEMPTIONS, "preemptions", false },
		{ MOVES, "moves", true }, { DELAY, "delay", true }, { LOSS, "loss", true },
		{ SEED, "seed", true }, { STAY, "stay", true },
	};

	for (size_t i = 0; i < sizeof(only) / sizeof(*only); i++) {
		if (only[i].option == option && only[i].graph)
			to->of_neighbours = only[i].name;
		else if (only[i].option == option)
			to->of_brokers = only[i].name;
	}
}

static int take_split(const struct lxfw_command *command, const char *text,
		      struct arguments *to)
{
	int64_t number;

	to->split_wide = text;
	if (strcmp(text, "home") == 0 || strcmp(text, "largest") == 0 ||
	    lxfw_text_integer(text, strlen(text), 1, INT32_MAX, &number) == 0)
		return 0;
	return lxfw_cmd_bad_value(command, "split-wide", text,
				  "home, largest or a number of processors");
}

/* Returns 0, or -1 after a message. */
static int take_option(const struct lxfw_command *command, int option, struct arguments *to)
{
	int choice;

	note_option(option, to);
	if (option >= GRAPH)
		return take_neighbours(command, option, &to->neighbours);
	switch (option) {
	case SITES:
		to->sites = optarg;
		return 0;
	case BROKER:
		return take_brokers(command, optarg, to);
	case OVERHEAD:
		return lxfw_cmd_number(command, "overhead", optarg, 0, 1000, &to->overhead);
	case MOLD_THRESHOLD:
		return lxfw_cmd_integer(command, "mold-threshold", optarg, 0, 1000000,
					&to->mold_threshold);
	case HOME:
		choice = lxfw_cmd_choice(command, "home", optarg,
					 "round-robin|user|queue|partition");
		to->home = (enum lxfw_homes)choice;
		return choice < 0 ? -1 : 0;
	case SPLIT_WIDE:
		return take_split(command, optarg, to);
	case ESTIMATES:
		to->kinds.estimates = (struct lxfw_cmd_history){ 0 };
		to->options.estimates = LXFW_ESTIMATES_REQUESTED;
		choice = lxfw_cmd_history_estimates(command, optarg, &to->kinds.estimates);
		if (choice)
			return choice < 0 ? -1 : 0;
		choice = lxfw_cmd_choice(command, "estimates", optarg,
					 "requested|exact|history[:FILE]");
		to->options.estimates = choice ? LXFW_ESTIMATES_EXACT :
						 LXFW_ESTIMATES_REQUESTED;
		return choice < 0 ? -1 : 0;
	case OVERRUN:
		choice = lxfw_cmd_choice(command, "overrun", optarg, "extend|kill");
		to->options.overrun = choice ? LXFW_OVERRUN_KILL : LXFW_OVERRUN_EXTEND;
		return choice < 0 ? -1 : 0;
	case JOBS_OUT:
		to->jobs_out = optarg;
		return 0;
	case JOURNALS:
		to->journals = optarg;
		return 0;
	case DECISIONS:
		to->decisions = optarg;
		return 0;
	case REPORT:
		to->report = optarg;
		return 0;
	case KIND:
		choice = lxfw_cmd_choice(command, "kind", optarg, "user|queue|partition");
		to->kinds.by_number = true;
		to->kinds.by = (enum lxfw_homes)(LXFW_HOMES_USER + choice);
		return choice < 0 ? -1 : 0;
	case TIMES:
		to->kinds.times = optarg;
		return 0;
	case HISTORY:
		to->kinds.history = optarg;
		return 0;
	case QUANTUM:
		return lxfw_cmd_integer(command, "quantum", optarg, 0, 1000000,
					&to->kinds.quantum);
	case PREEMPTIONS:
		return lxfw_cmd_integer(command, "preemptions", optarg, 0, INT32_MAX,
					&to->kinds.preemptions);
	default:
		to->kinds.priorities = true;
		return 0;
	}
}

static int check(const struct lxfw_command *command, const struct arguments *arguments,
		 int files)
{
	if (files != 1)
		return lxfw_cmd_misuse(command, "%d files given, expected one TRACE", files);
	if (!arguments->sites)
		return lxfw_cmd_misuse(command, "no sites, expected --sites FILE or "
				       "--sites 128,64");
	if (arguments->broker_count > 1 &&
	    (arguments->jobs_out || arguments->journals || arguments->decisions))
		return lxfw_cmd_misuse(command, "--jobs-out, --journals or --decisions with "
				       "several brokers, expected one");
	if (arguments->split_wide && (arguments->kinds.by_number || arguments->kinds.priorities ||
				      arguments->kinds.estimates.estimates))
		return lxfw_cmd_misuse(command, "--split-wide with --kind, --priorities or "
				       "--estimates history, expected one of them: the parts of "
				       "a job have no number");
	if (arguments->neighbours.graph && arguments->kinds.estimates.estimates)
		return lxfw_cmd_misuse(command, "--estimates history with --graph, expected "
				       "requested or exact");
	if (arguments->kinds.history && arguments->kinds.times)
		return lxfw_cmd_misuse(command, "--history with --times, expected one of them: "
				       "nothing is learned of times that are known");
	if (arguments->kinds.history && (!arguments->kinds.by_number ||
					 arguments->kinds.by == LXFW_HOMES_PARTITION))
		return lxfw_cmd_misuse(command, "--history without kinds that it knows, expected "
				       "--kind user or queue");
	if (arguments->neighbours.graph && arguments->of_brokers)
		return lxfw_cmd_misuse(command, "--%s with --graph, expected one of them",
				       arguments->of_brokers);
	if (!arguments->neighbours.graph && arguments->of_neighbours)
		return lxfw_cmd_misuse(command, "--%s without --graph, expected both",
				       arguments->of_neighbours);
	if (arguments->neighbours.move_count > 1 && arguments->jobs_out)
		return lxfw_cmd_misuse(command, "--jobs-out with several --moves, expected "
				       "one");
	return 0;
}

static int check_files(const struct lxfw_command *command, const struct arguments *arguments,
		       char *const *trace)
{
	const struct lxfw_cmd_file files[] = {
		{ "jobs-out", arguments->jobs_out, true },
		{ "report", arguments->report, true },
		{ "decisions", arguments->decisions, true },
		{ "history", arguments->kinds.history, false },
		{ "estimates", arguments->kinds.estimates.path, false },
		{ "times", arguments->kinds.times, false },
		{ "graph", arguments->neighbours.graph, false },
		{ "sites", are_numbers(arguments->sites) ? NULL : arguments->sites, false },
	};

	return lxfw_cmd_files_apart(command, files, sizeof(files) / sizeof(*files), trace,
				    1) ? LXFW_EXIT_BAD : 0;
}

static int run(const struct lxfw_command *command, int argc, char **argv)
{
	struct arguments arguments = {
		.format = LXFW_FORMAT_TABLE, .brokers = { lxfw_brokers[0] },
		.broker_count = 1, .kinds.quantum = 10, .mold_threshold = 200,
		.neighbours.seed = 1,
	};
	struct task task = { .command = command, .arguments = &arguments };
	int option, status;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		status = lxfw_cmd_common(command, option);
		if (status >= 0)
			return status;
		status = lxfw_cmd_format(command, option, &arguments.format);
		if (status < 0)
			return LXFW_EXIT_BAD;
		if (status == 0 && take_option(command, option, &arguments))
			return LXFW_EXIT_BAD;
	}
	status = check(command, &arguments, argc - optind);
	if (status == 0)
		status = check_files(command, &arguments, argv + optind);
	if (status)
		return status;
	arguments.trace = argv[optind];
	status = carry_out(&task);
	clear(&task);
	return status;
}

const struct lxfw_command lxfw_command_grid = {
	.name = "grid",
	.arguments = "TRACE",
	.summary = "simulate several sites and a broker that shares jobs among them",
	.help = help,
	.more_help = more_help,
	.run = run,
};
