/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw simulate: a trace on a cluster under a policy. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/cmd/scenario.h"
#include "sim-frontend/trace/job_classes_text.h"
#include "sim-frontend/util/text.h"

static const char help[] =
"\n"
"Simulate the jobs of TRACE on a cluster and print their waits.\n"
"\n"
"TRACE is a log in the Standard Workload Format, plain or gzip; '-' is standard\n"
"input. Processors of a job are those requested, else those used; its estimate\n"
"is the requested time, else the run time. Jobs with no run time or processors,\n"
"and jobs larger than the cluster, are left out and counted on stderr.\n"
"\n"
"Machine:\n"
"  --cluster procs=N      one machine of N processors, memory not looked at\n"
"  --cluster FILE         a description of hosts, or a slurm.conf; see lxfw(1)\n"
"  --cluster ncsa-o2k     the Origin 2000 of Chiang and Vernon 2001\n"
"                         default: the processors that the trace's header tells\n"
"  --shape anywhere|one-host\n"
"                         spread a job's processors over hosts (default), or\n"
"                         run each job on one host (always so with eqspatial)\n"
"  --memory kb-per-proc|kb-per-job|bytes-per-job|none\n"
"                         what the trace's column 10 means (default: KB per\n"
"                         processor, as the format defines)\n"
"\n"
"Scheduler:\n"
"  --policy NAME          fcfs, easy (default), conservative, priority, lxfw, sjf,\n"
"                         eqspatial, classes\n"
"  --classes FILE|ncsa-o2k\n"
"                         the job classes of policy classes, which needs them;\n"
"                         see lxfw(1). Each job runs on one host, as with\n"
"                         --shape one-host\n"
"  --params STRING        lxfw_* keys as in SchedulerParameters of slurm.conf;\n"
"                         see lxfw-params(5)\n"
"  --placement paper|stock|worst\n"
"                         which of the hosts that fit a job gets: by the paper's\n"
"                         rule (default), as Slurm's select/cons_tres chooses, or\n"
"                         by worst fit. For comparison: not with eqspatial and\n"
"                         classes, and not with --journal\n"
"  --estimates requested|exact|factor:F\n"
"                         what the scheduler is told of run times: the requested\n"
"                         time (default), the run time, or F times the run time\n"
"  --overrun extend|kill  jobs that run longer than requested run as recorded\n"
"                         (default), or end at their limit\n"
"  --pass timestamp|event one scheduling pass at each point of time, after all\n"
"                         ends and submissions (default), or after each of them\n"
"  --speedup linear|amdahl:F|downey:A,SIGMA\n"
"                         how fast eqspatial's jobs are on fewer processors than\n"
"                         requested: in proportion (default), by Amdahl's law\n"
"                         with a serial fraction F, by Downey's model with an\n"
"                         average parallelism A and its variance SIGMA\n"
"  --adaptive all|SHARE|queue:NAME|FILE\n"
"                         which jobs eqspatial may give more and fewer processors\n"
"                         while they run, the others keep what they ask for: all,\n"
"                         a share of them from 0 to 1, those of queues, or of users\n"
"                         or groups (user:NAME, group:NAME), or those whose numbers\n"
"                         are in a file. Without it all are, each on one host\n"
"  --least N              the fewest processors of an adaptive job (default 1)\n"
"  --seed N               of the draw, with a SHARE (default 1)\n"
"  --start-overhead estimated|D, --end-overhead D\n"
"                         the machine's own time per job before the start and\n"
"                         after the end (default 0); estimated: as 'lxfw compare'\n"
"                         finds it in the trace's measured waits\n"
"\n"
"Results:\n"
"  --warmup D             leave out jobs submitted in the first D of the trace\n"
"                         (a number of seconds, or with m, h or d behind it)\n"
"  --format table|json|csv\n"
"  --jobs-out FILE.csv    one row a job: job_id,submit,start,end,wait,run,procs,\n"
"                         memory_mb,hosts,preemptions,requeues\n"
"  --journal FILE         every event and decision, for 'lxfw replay'\n"
"\n"
"  -h, --help, --version\n"
"\n"
"Exit status: 0 done, 2 misuse or bad input.\n";

struct arguments {
	const char *classes, *policy, *params, *jobs_out, *journal;
	const char *only_adaptive;	/* an option that needs --adaptive */
	enum lxfw_format format;
	int64_t warmup;
	struct lxfw_scenario scenario;
};

enum {
	POLICY = LXFW_OPTION_FIRST, CLASSES, PARAMS, PLACEMENT, ADAPTIVE, LEAST, SEED,
	WARMUP, FORMAT, JOBS_OUT, JOURNAL,
};

static const struct option options[] = {
	LXFW_SCENARIO_OPTIONS,
	{ "policy", required_argument, NULL, POLICY },
	{ "classes", required_argument, NULL, CLASSES },
	{ "params", required_argument, NULL, PARAMS },
	{ "placement", required_argument, NULL, PLACEMENT },
	{ "speedup", required_argument, NULL, LXFW_SCENARIO_SPEEDUP },
	{ "adaptive", required_argument, NULL, ADAPTIVE },
	{ "least", required_argument, NULL, LEAST },
	{ "seed", required_argument, NULL, SEED },
	{ "warmup", required_argument, NULL, WARMUP },
	{ "format", required_argument, NULL, FORMAT },
	{ "jobs-out", required_argument, NULL, JOBS_OUT },
	{ "journal", required_argument, NULL, JOURNAL },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, LXFW_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

static int take_adaptive(const struct lxfw_command *command, const char *text,
			 struct lxfw_scenario *scenario)
{
	scenario->options.mixed = true;
	if (lxfw_adaptive_parse(&scenario->adaptive, text) == 0)
		return 0;
	return lxfw_cmd_bad_value(command, "adaptive", text, "all, a share from "
				  "0 to 1, queue:, user: or group: with names "
				  "and colons between, or a file");
}

/* What goes with --adaptive. */
static int take_of_adaptive(const struct lxfw_command *command, int option,
			    struct arguments *to)
{
	struct lxfw_adaptive *adaptive = &to->scenario.adaptive;
	int64_t number;

	to->only_adaptive = option == LEAST ? "least" : "seed";
	if (lxfw_cmd_integer(command, to->only_adaptive, optarg, option == LEAST,
			     option == LEAST ? INT32_MAX : INT64_MAX, &number))
		return -1;
	if (option == LEAST)
		adaptive->least = (int32_t)number;
	else
		adaptive->seed = (uint64_t)number;
	return 0;
}

static int take_option(const struct lxfw_command *command, int option,
		       struct arguments *to)
{
	int kind;

	switch (option) {
	case POLICY:
		to->policy = optarg;
		return 0;
	case CLASSES:
		to->classes = optarg;
		return 0;
	case PARAMS:
		to->params = optarg;
		return 0;
	case PLACEMENT:
		kind = lxfw_cmd_choice(command, "placement", optarg,
				       "paper|stock|worst");
		to->scenario.options.placement = (enum lxfw_placement)kind;
		return kind < 0 ? -1 : 0;
	case JOBS_OUT:
		to->jobs_out = optarg;
		return 0;
	case JOURNAL:
		to->journal = optarg;
		return 0;
	case ADAPTIVE:
		return take_adaptive(command, optarg, &to->scenario);
	case LEAST:
	case SEED:
		return take_of_adaptive(command, option, to);
	case FORMAT:
		kind = lxfw_cmd_choice(command, "format", optarg, "table|json|csv");
		to->format = (enum lxfw_format)(kind + 1);
		return kind < 0 ? -1 : 0;
	case WARMUP:
		return lxfw_cmd_duration(command, "warmup", optarg,
					 &to->warmup);
	}
	return lxfw_scenario_option(command, option, &to->scenario);
}

/* Another rule of placement than the paper's goes with policies that have no own one,
   and into no journal: it would not replay. */
static int check_placement(const struct lxfw_command *command,
			   const struct arguments *arguments)
{
	const struct lxfw_simulation_options *chosen =
		&arguments->scenario.options;
	enum lxfw_policy policy = chosen->params.policy;

	if (chosen->placement == LXFW_PLACEMENT_PAPER)
		return 0;
	if (arguments->journal)
		return lxfw_cmd_misuse(command, "--placement with --journal, "
				       "expected one of them");
	if (policy == LXFW_POLICY_EQSPATIAL || policy == LXFW_POLICY_CLASSES)
		return lxfw_cmd_misuse(command, "--placement with policy %s, "
				       "which has a rule of its own",
				       lxfw_policy_name(policy));
	return 0;
}

/* As lxfw-params(5) has it. */
#define MAX_STRETCH_DEFAULT 10

/* What the site says of adaptive jobs, in the keys that the library passes over. */
static void take_site_rules(struct lxfw_scenario *scenario, const char *keys)
{
	static const char *const names[] = {
		"lxfw_eq_partition", "lxfw_eq_multi_node", "lxfw_eq_max_stretch",
	};
	struct lxfw_adaptive *adaptive = &scenario->adaptive;
	int64_t stretch = MAX_STRETCH_DEFAULT;
	const char *value;
	int length;

	if (lxfw_params_value(keys, "lxfw_eq_qos", &length))
		lxfw_cmd_note("lxfw_eq_qos is not looked at: no trace tells of "
			      "QOS");
	for (int i = 0; i < 3 && !scenario->options.mixed; i++) {
		if (lxfw_params_value(keys, names[i], &length))
			lxfw_cmd_note("%s has no effect without --adaptive",
				      names[i]);
	}
	adaptive->partitions = lxfw_params_value(keys, names[0],
						 &adaptive->partitions_length);
	value = lxfw_params_value(keys, names[1], &length);
	scenario->refuse_wide = value && length == 6 &&
				memcmp(value, "refuse", 6) == 0;
	value = lxfw_params_value(keys, names[2], &length);
	if (value)
		lxfw_text_integer(value, (size_t)length, 1, 1000, &stretch);
	scenario->options.max_stretch = stretch;
}

static int check_adaptive(const struct lxfw_command *command,
			  struct arguments *arguments)
{
	struct lxfw_scenario *scenario = &arguments->scenario;
	enum lxfw_policy policy = scenario->options.params.policy;
	const char *keys = arguments->params;

	if (!keys && !arguments->policy)
		keys = scenario->cluster.parameters;
	if (arguments->only_adaptive && !scenario->options.mixed)
		return lxfw_cmd_misuse(command, "--%s without --adaptive",
				       arguments->only_adaptive);
	if (scenario->options.mixed && policy != LXFW_POLICY_EQSPATIAL)
		return lxfw_cmd_misuse(command, "--adaptive with policy %s, "
				       "expected eqspatial",
				       lxfw_policy_name(policy));
	if (policy == LXFW_POLICY_EQSPATIAL)
		take_site_rules(scenario, keys);
	return 0;
}

/* The job classes, which the policy of that name needs and no other has; what they
   have no place for is left out. */
static int load_classes(const struct lxfw_command *command,
			struct arguments *arguments,
			struct lxfw_job_classes **classes)
{
	struct lxfw_scenario *scenario = &arguments->scenario;
	enum lxfw_policy policy = scenario->options.params.policy;
	struct lxfw_error error;
	size_t left_out;

	if (policy == LXFW_POLICY_CLASSES && !arguments->classes) {
		lxfw_cmd_misuse(command, "policy classes without job classes, "
				"expected --classes FILE or --classes ncsa-o2k");
		return -1;
	}
	if (policy != LXFW_POLICY_CLASSES && arguments->classes) {
		lxfw_cmd_misuse(command, "--classes with policy %s, expected "
				"--policy classes", lxfw_policy_name(policy));
		return -1;
	}
	if (!arguments->classes)
		return 0;
	*classes = lxfw_job_classes_read(arguments->classes,
					 &scenario->cluster, &error);
	if (!*classes) {
		lxfw_cmd_bad(&error);
		return -1;
	}
	if (lxfw_simulation_fit_classes(&scenario->trace, &scenario->cluster,
					*classes, &scenario->options,
					&left_out)) {
		lxfw_cmd_note("out of memory");
		return -1;
	}
	if (left_out > 0)
		lxfw_cmd_note("%s: %zu jobs left out that are beyond every job "
			      "class, or whose class has no host for them",
			      scenario->path, left_out);
	if (scenario->trace.count == 0) {
		lxfw_cmd_note("%s: no job is left to simulate",
			      scenario->path);
		return -1;
	}
	return 0;
}

/* The files that the user asked for; NULL where not. */
struct files {
	struct lxfw_output *jobs, *journal;
	struct lxfw_journal_writer writer;
};

static int open_files(const struct arguments *arguments, struct files *files)
{
	struct lxfw_error error;

	if (arguments->jobs_out) {
		files->jobs = lxfw_output_open(arguments->jobs_out, &error);
		if (!files->jobs)
			return lxfw_cmd_bad(&error);
	}
	if (arguments->journal) {
		files->journal = lxfw_output_open(arguments->journal, &error);
		if (!files->journal)
			return lxfw_cmd_bad(&error);
		lxfw_journal_writer_begin(&files->writer, files->journal);
	}
	return 0;
}

static void show_progress(size_t done, size_t all)
{
	lxfw_cmd_progress("simulating", done, all);
}

/* Give the files their names, then print: a file that could not be written must
   not be followed by a result. */
static int finish(const struct arguments *arguments, struct files *files,
		  struct lxfw_simulation *sim, double begun)
{
	struct lxfw_report report = {
		.policy = lxfw_policy_name(sim->options->params.policy),
		.events = sim->result.events,
	};
	struct lxfw_error error;
	struct lxfw_output *jobs = files->jobs, *journal = files->journal;

	lxfw_cmd_progress_end();
	report.mixed = sim->options->mixed;
	report.cut_off = sim->cut_off;
	if (lxfw_simulation_measure(sim, arguments->warmup, &report.metrics) ||
	    (report.mixed && lxfw_simulation_measure_kinds(sim,
				arguments->warmup, report.kinds)) ||
	    (jobs && lxfw_report_jobs(sim, jobs))) {
		lxfw_cmd_note("out of memory");
		return LXFW_EXIT_BAD;
	}
	files->journal = NULL;
	if (journal && lxfw_output_commit(journal, &error))
		return lxfw_cmd_bad(&error);
	files->jobs = NULL;
	if (jobs && lxfw_output_commit(jobs, &error))
		return lxfw_cmd_bad(&error);
	report.wall = lxfw_cmd_clock() - begun;
	if (lxfw_report_print(&report, arguments->format, stdout)) {
		lxfw_cmd_note("out of memory");
		return LXFW_EXIT_BAD;
	}
	return lxfw_cmd_finish(LXFW_EXIT_DONE);
}

static int load(const struct lxfw_command *command, struct arguments *arguments)
{
	struct lxfw_scenario *scenario = &arguments->scenario;

	if (lxfw_scenario_machine(scenario))
		return -1;
	/* a site's own parameters, unless others were given */
	if (lxfw_cmd_site_params(&scenario->options.params, arguments->policy,
				 arguments->params,
				 scenario->cluster.parameters) ||
	    check_adaptive(command, arguments))
		return -1;
	return lxfw_scenario_trace(command, scenario);
}

static int simulate(const struct lxfw_command *command,
		    struct arguments *arguments, double begun)
{
	struct lxfw_scenario *scenario = &arguments->scenario;
	struct lxfw_job_classes *classes = NULL;
	struct lxfw_simulation sim = {
		.trace = &scenario->trace, .cluster = &scenario->cluster,
		.options = &scenario->options, .progress = show_progress,
	};
	struct files files = { 0 };
	struct lxfw_error error;
	int status = LXFW_EXIT_BAD;

	if (load(command, arguments) || check_placement(command, arguments))
		goto done;
	if (load_classes(command, arguments, &classes))
		goto done;
	sim.classes = classes;
	if (open_files(arguments, &files))
		goto done;
	scenario->options.keep_hosts = files.jobs;
	if (lxfw_simulation_run(&sim, files.journal ? &files.writer : NULL,
				&error))
		lxfw_cmd_note("%s: %s", scenario->path, error.text);
	else
		status = finish(arguments, &files, &sim, begun);
done:
	lxfw_journal_writer_end(&files.writer);
	lxfw_output_abort(files.journal);
	lxfw_output_abort(files.jobs);
	lxfw_simulation_clear(&sim);
	lxfw_scenario_clear(scenario);
	free(classes);
	return status;
}

static int run(const struct lxfw_command *command, int argc, char **argv)
{
	struct arguments arguments = {
		.format = LXFW_FORMAT_TABLE,
		.scenario.adaptive = { .least = 1, .seed = 1 },
	};
	double begun = lxfw_cmd_clock();
	int option, status;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		status = lxfw_cmd_common(command, option);
		if (status >= 0)
			return status;
		if (take_option(command, option, &arguments))
			return LXFW_EXIT_BAD;
	}
	if (argc - optind != 1)
		return lxfw_cmd_misuse(command, "%d files given, expected one "
				       "TRACE", argc - optind);
	arguments.scenario.path = argv[optind];
	if (arguments.classes)
		arguments.scenario.options.one_host = true;
	return simulate(command, &arguments, begun);
}

const struct lxfw_command lxfw_command_simulate = {
	.name = "simulate",
	.arguments = "TRACE",
	.summary = "simulate a trace on a cluster under a policy",
	.help = help,
	.run = run,
};
