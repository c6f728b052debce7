/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw simulate: a trace on a cluster under a policy. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/cmd/cmd.h"
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
"  --start-overhead D, --end-overhead D\n"
"                         the machine's own time per job before the start and\n"
"                         after the end, as 'lxfw compare' finds it (default 0)\n"
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
	const char *trace, *cluster, *classes, *policy, *params, *jobs_out;
	const char *journal;
	enum lxfw_trace_memory memory;
	enum lxfw_format format;
	int64_t warmup;
	struct lxfw_simulation_options options;
};

enum {
	CLUSTER = LXFW_OPTION_FIRST, SHAPE, MEMORY, POLICY, CLASSES, PARAMS, ESTIMATES,
	OVERRUN, PASS, SPEEDUP, START_OVERHEAD, END_OVERHEAD, WARMUP, FORMAT, JOBS_OUT,
	JOURNAL,
};

static const struct option options[] = {
	{ "cluster", required_argument, NULL, CLUSTER },
	{ "shape", required_argument, NULL, SHAPE },
	{ "memory", required_argument, NULL, MEMORY },
	{ "policy", required_argument, NULL, POLICY },
	{ "classes", required_argument, NULL, CLASSES },
	{ "params", required_argument, NULL, PARAMS },
	{ "estimates", required_argument, NULL, ESTIMATES },
	{ "overrun", required_argument, NULL, OVERRUN },
	{ "pass", required_argument, NULL, PASS },
	{ "speedup", required_argument, NULL, SPEEDUP },
	{ "start-overhead", required_argument, NULL, START_OVERHEAD },
	{ "end-overhead", required_argument, NULL, END_OVERHEAD },
	{ "warmup", required_argument, NULL, WARMUP },
	{ "format", required_argument, NULL, FORMAT },
	{ "jobs-out", required_argument, NULL, JOBS_OUT },
	{ "journal", required_argument, NULL, JOURNAL },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, LXFW_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

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
	char quoted[40];

	if (lxfw_speedup_parse(speedup, word) == 0)
		return 0;
	lxfw_cmd_misuse(command, "--speedup '%s', expected linear, amdahl:F with "
			"F from 0 to 1, or downey:A,SIGMA with A from 1 and "
			"SIGMA from 0 to 1000000",
			lxfw_text_quote(quoted, sizeof(quoted), word,
					strlen(word)));
	return -1;
}

static int take_option(const struct lxfw_command *command, int option,
		       struct arguments *to)
{
	int kind = 0;

	switch (option) {
	case CLUSTER:
		to->cluster = optarg;
		return 0;
	case POLICY:
		to->policy = optarg;
		return 0;
	case CLASSES:
		to->classes = optarg;
		return 0;
	case PARAMS:
		to->params = optarg;
		return 0;
	case JOBS_OUT:
		to->jobs_out = optarg;
		return 0;
	case JOURNAL:
		to->journal = optarg;
		return 0;
	case SHAPE:
		kind = lxfw_cmd_choice(command, "shape", optarg, "anywhere|one-host");
		to->options.one_host = kind == 1;
		break;
	case MEMORY:
		kind = lxfw_cmd_choice(command, "memory", optarg,
			      "kb-per-proc|kb-per-job|bytes-per-job|none");
		to->memory = (enum lxfw_trace_memory)kind;
		break;
	case OVERRUN:
		kind = lxfw_cmd_choice(command, "overrun", optarg, "extend|kill");
		to->options.overrun = (enum lxfw_overrun)kind;
		break;
	case PASS:
		kind = lxfw_cmd_choice(command, "pass", optarg, "timestamp|event");
		to->options.pass = (enum lxfw_pass)kind;
		break;
	case FORMAT:
		kind = lxfw_cmd_choice(command, "format", optarg, "table|json|csv");
		to->format = (enum lxfw_format)(kind + 1);
		break;
	case ESTIMATES:
		return take_estimates(command, optarg, &to->options);
	case SPEEDUP:
		return take_speedup(command, optarg, &to->options.speedup);
	case WARMUP:
		return lxfw_cmd_duration(command, "warmup", optarg,
					 &to->warmup);
	case START_OVERHEAD:
		return lxfw_cmd_duration(command, "start-overhead", optarg,
					 &to->options.start_overhead);
	case END_OVERHEAD:
		return lxfw_cmd_duration(command, "end-overhead", optarg,
					 &to->options.end_overhead);
	}
	return kind < 0 ? -1 : 0;
}

/* Say what of the trace does not take part. */
static void note_left_out(const char *path, const struct lxfw_trace *trace,
			  size_t too_large)
{
	size_t all = trace->no_run_time + trace->no_procs + too_large;

	if (all > 0)
		lxfw_cmd_note("%s: %zu jobs left out: %zu without run time, "
			      "%zu without processors, %zu larger than the "
			      "machine", path, all, trace->no_run_time,
			      trace->no_procs, too_large);
	if (trace->out_of_order > 0)
		lxfw_cmd_note("%s: sorted by submit time, %zu jobs were not in "
			      "order", path, trace->out_of_order);
}

/* The trace, the machine that it runs on, and the policy, which may tell where
   jobs fit. */
static int load(const struct lxfw_command *command,
		struct arguments *arguments, struct lxfw_trace *trace,
		struct lxfw_cluster *cluster)
{
	struct lxfw_error error;
	size_t too_large;

	if (arguments->cluster && lxfw_cmd_cluster(cluster, arguments->cluster))
		return -1;
	/* a site's own parameters, unless others were given */
	if (lxfw_cmd_site_params(&arguments->options.params, arguments->policy,
				 arguments->params, cluster->parameters))
		return -1;
	if (lxfw_cmd_trace(trace, arguments->trace, arguments->memory))
		return -1;
	if (!arguments->cluster) {
		int32_t procs = lxfw_trace_procs(trace);

		if (procs == 0) {
			lxfw_cmd_misuse(command, "%s does not tell its "
					"processors (MaxProcs), expected "
					"--cluster", arguments->trace);
			return -1;
		}
		if (lxfw_cluster_procs(cluster, procs, &error)) {
			lxfw_cmd_bad(&error);
			return -1;
		}
	}
	if (lxfw_simulation_fit(trace, cluster,
				lxfw_simulation_one_host(&arguments->options),
				&too_large)) {
		lxfw_cmd_note("out of memory");
		return -1;
	}
	note_left_out(arguments->trace, trace, too_large);
	if (trace->count == 0) {
		lxfw_cmd_note("%s: no job is left to simulate",
			      arguments->trace);
		return -1;
	}
	return 0;
}

/* The job classes, which the policy of that name needs and no other has; what they
   have no place for is left out. */
static int load_classes(const struct lxfw_command *command,
			const struct arguments *arguments,
			struct lxfw_trace *trace,
			const struct lxfw_cluster *cluster,
			struct lxfw_job_classes **classes)
{
	enum lxfw_policy policy = arguments->options.params.policy;
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
	*classes = lxfw_job_classes_read(arguments->classes, cluster, &error);
	if (!*classes) {
		lxfw_cmd_bad(&error);
		return -1;
	}
	if (lxfw_simulation_fit_classes(trace, cluster, *classes,
					&arguments->options, &left_out)) {
		lxfw_cmd_note("out of memory");
		return -1;
	}
	if (left_out > 0)
		lxfw_cmd_note("%s: %zu jobs left out that are beyond every job "
			      "class, or whose class has no host for them",
			      arguments->trace, left_out);
	if (trace->count == 0) {
		lxfw_cmd_note("%s: no job is left to simulate",
			      arguments->trace);
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
	if (lxfw_simulation_measure(sim, arguments->warmup, &report.metrics) ||
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

static int simulate(const struct lxfw_command *command,
		    struct arguments *arguments, double begun)
{
	struct lxfw_trace trace = { 0 };
	struct lxfw_cluster cluster = { 0 };
	struct lxfw_job_classes *classes = NULL;
	struct lxfw_simulation sim = {
		.trace = &trace, .cluster = &cluster,
		.options = &arguments->options, .progress = show_progress,
	};
	struct files files = { 0 };
	struct lxfw_error error;
	int status = LXFW_EXIT_BAD;

	if (load(command, arguments, &trace, &cluster))
		goto done;
	if (load_classes(command, arguments, &trace, &cluster, &classes))
		goto done;
	sim.classes = classes;
	if (open_files(arguments, &files))
		goto done;
	arguments->options.keep_hosts = files.jobs;
	if (lxfw_simulation_run(&sim, files.journal ? &files.writer : NULL,
				&error))
		lxfw_cmd_note("%s: %s", arguments->trace, error.text);
	else
		status = finish(arguments, &files, &sim, begun);
done:
	lxfw_journal_writer_end(&files.writer);
	lxfw_output_abort(files.journal);
	lxfw_output_abort(files.jobs);
	lxfw_simulation_clear(&sim);
	lxfw_trace_clear(&trace);
	lxfw_cluster_clear(&cluster);
	free(classes);
	return status;
}

static int run(const struct lxfw_command *command, int argc, char **argv)
{
	struct arguments arguments = { .format = LXFW_FORMAT_TABLE };
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
	arguments.trace = argv[optind];
	if (arguments.classes)
		arguments.options.one_host = true;
	return simulate(command, &arguments, begun);
}

const struct lxfw_command lxfw_command_simulate = {
	.name = "simulate",
	.arguments = "TRACE",
	.summary = "simulate a trace on a cluster under a policy",
	.help = help,
	.run = run,
};
