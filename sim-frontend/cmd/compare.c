/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw compare: measured waits beside simulated ones. */
#include "sim-frontend/cmd/compare.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/report/comparison.h"
#include "sim-frontend/util/text.h"

static const char help[] =
"\n"
"Simulate the submissions of a measured run on the same cluster with the same\n"
"parameters, and print measured and simulated waits side by side.\n"
"\n"
"MEASURED is one of\n"
"  the journal of a live scheduler: it has the hosts, the parameters and the jobs;\n"
"  accounting of Slurm, PBS or LSF, see 'lxfw help import';\n"
"  a log in the Standard Workload Format with its own waits.\n"
"\n"
"  --cluster procs=N|FILE|slurm.conf\n"
"                       the machine; needed for accounting records\n"
"  --shape anywhere|one-host\n"
"  --policy NAME, --params STRING\n"
"                       the scheduler (a journal has its own; else easy, or what\n"
"                       the slurm.conf says); see lxfw-params(5)\n"
"  --run-times FILE     lines 'JOBID SECONDS': how long each job runs by itself;\n"
"                       from it the overhead at a job's end is estimated\n"
"  --start-overhead D, --end-overhead D\n"
"                       the machine's own time per job (default: estimated from\n"
"                       the run)\n"
"  --within PERCENT     exit with 1 if the mean waits differ by more\n"
"  --format table|json|csv\n"
"  --jobs-out FILE.csv  one row a job: job_id,submit,measured_start,\n"
"                       simulated_start,measured_wait,simulated_wait,difference\n"
"\n"
"  -h, --help, --version\n"
"\n"
"Exit status: 0 done, 1 the means differ by more than --within, 2 misuse or bad\n"
"input.\n";

enum {
	CLUSTER = LXFW_OPTION_FIRST, SHAPE, POLICY, PARAMS, RUN_TIMES,
	START_OVERHEAD, END_OVERHEAD, WITHIN, FORMAT, JOBS_OUT,
};

static const struct option options[] = {
	{ "cluster", required_argument, NULL, CLUSTER },
	{ "shape", required_argument, NULL, SHAPE },
	{ "policy", required_argument, NULL, POLICY },
	{ "params", required_argument, NULL, PARAMS },
	{ "run-times", required_argument, NULL, RUN_TIMES },
	{ "start-overhead", required_argument, NULL, START_OVERHEAD },
	{ "end-overhead", required_argument, NULL, END_OVERHEAD },
	{ "within", required_argument, NULL, WITHIN },
	{ "format", required_argument, NULL, FORMAT },
	{ "jobs-out", required_argument, NULL, JOBS_OUT },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, LXFW_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

struct arguments {
	const char *measured, *cluster, *policy, *params, *run_times, *jobs_out;
	bool one_host;
	int64_t start_overhead, end_overhead;	/* -1 = to be estimated */
	double within;
	enum lxfw_format format;
};

static int take_option(const struct lxfw_command *command, int option,
		       struct arguments *to)
{
	char *end;

	switch (option) {
	case CLUSTER:
		to->cluster = optarg;
		break;
	case POLICY:
		to->policy = optarg;
		break;
	case PARAMS:
		to->params = optarg;
		break;
	case RUN_TIMES:
		to->run_times = optarg;
		break;
	case JOBS_OUT:
		to->jobs_out = optarg;
		break;
	case START_OVERHEAD:
		return lxfw_cmd_duration(command, "start-overhead", optarg,
					 &to->start_overhead);
	case END_OVERHEAD:
		return lxfw_cmd_duration(command, "end-overhead", optarg,
					 &to->end_overhead);
	case SHAPE:
		to->one_host = strcmp(optarg, "one-host") == 0;
		if (!to->one_host && strcmp(optarg, "anywhere") != 0)
			return lxfw_cmd_misuse(command, "--shape '%.40s', "
				"expected anywhere or one-host", optarg);
		break;
	case WITHIN:
		to->within = strtod(optarg, &end);
		if (end == optarg || *end || !(to->within > 0) ||
		    to->within > 1e6)
			return lxfw_cmd_misuse(command, "--within '%.40s', "
				"expected a number of per cent above 0", optarg);
		break;
	case FORMAT:
		to->format = lxfw_format_by_name(optarg);
		if (!to->format)
			return lxfw_cmd_misuse(command, "--format '%.40s', "
				"expected table, json or csv", optarg);
		break;
	}
	return 0;
}

/* The scheduler that the arguments ask for, on the cluster that they describe. */
static int site_params(const struct arguments *arguments,
		       const struct lxfw_cluster *cluster,
		       struct lxfw_params *params)
{
	return lxfw_cmd_site_params(params, arguments->policy,
				    arguments->params, cluster->parameters);
}

/* Read what was measured; -1 after a message. */
static int load(const struct lxfw_command *command,
		const struct arguments *arguments, struct lxfw_cluster *cluster,
		struct lxfw_recorded *recorded)
{
	const char *path = arguments->measured;
	bool one_host = arguments->one_host;
	struct lxfw_params params;
	struct lxfw_error error;
	int kind = lxfw_recorded_kind(path, &error), result;

	if (kind < 0)
		return lxfw_cmd_bad(&error), -1;
	if (kind != 'j' && !arguments->cluster) {
		lxfw_cmd_misuse(command, "%s does not tell its hosts, expected "
				"--cluster", path);
		return -1;
	}
	if (kind == 'j' && arguments->cluster)
		lxfw_cmd_note("%s has its own hosts: --cluster is not looked at",
			      path);
	if (kind != 'j') {
		if (lxfw_cmd_cluster(cluster, arguments->cluster) ||
		    site_params(arguments, cluster, &params))
			return -1;
		/* it divides the processors of a host */
		one_host |= params.policy == LXFW_POLICY_EQSPATIAL;
	}
	if (kind == 'j')
		result = lxfw_recorded_from_journal(recorded, path, &error);
	else if (kind == 'a')
		result = lxfw_recorded_from_accounts(recorded, path, cluster,
						     one_host, &error);
	else
		result = lxfw_recorded_from_swf(recorded, path, cluster,
						one_host, &error);
	if (result)
		return lxfw_cmd_bad(&error), -1;
	if (recorded->passed_over > 0)
		lxfw_cmd_note("%s: %zu jobs left out: without run time or "
			      "processors, or larger than the machine", path,
			      recorded->passed_over);
	if (recorded->cut_off)
		lxfw_cmd_note("%s: the journal is cut off, used up to there",
			      path);
	if (arguments->run_times &&
	    lxfw_recorded_run_times(recorded, arguments->run_times, &error))
		return lxfw_cmd_bad(&error), -1;
	return 0;
}

int lxfw_compare(struct lxfw_comparison *comparison, const char *path,
		 bool other_params, enum lxfw_format format,
		 const char *jobs_out)
{
	struct lxfw_recorded *recorded = comparison->recorded;
	struct lxfw_engine_result result;
	struct lxfw_comparison_report report;
	struct lxfw_output *output = NULL;
	struct lxfw_error error;

	if (jobs_out) {
		output = lxfw_output_open(jobs_out, &error);
		if (!output)
			return lxfw_cmd_bad(&error);
	}
	if (lxfw_recorded_simulate(recorded, other_params ?
				   &comparison->params : NULL,
				   &comparison->overhead, &result, &error)) {
		lxfw_cmd_note("%s: %s", path, error.text);
		lxfw_output_abort(output);
		return LXFW_EXIT_BAD;
	}
	if (lxfw_comparison_measure(recorded, &report)) {
		lxfw_cmd_note("out of memory");
		lxfw_output_abort(output);
		return LXFW_EXIT_BAD;
	}
	report.policy = lxfw_policy_name(other_params ?
					 comparison->params.policy :
					 recorded->params.policy);
	report.overhead = comparison->overhead;
	if (output) {
		lxfw_comparison_jobs(recorded, output);
		if (lxfw_output_commit(output, &error))
			return lxfw_cmd_bad(&error);
	}
	lxfw_comparison_print(&report, format, stdout);
	return lxfw_cmd_finish(comparison->within > 0 &&
			       !(report.mean_difference <= comparison->within) ?
			       LXFW_EXIT_NO : LXFW_EXIT_DONE);
}

static int compare(const struct lxfw_command *command,
		   const struct arguments *arguments)
{
	struct lxfw_cluster cluster = { 0 };
	struct lxfw_recorded recorded = { 0 };
	struct lxfw_comparison comparison = {
		.recorded = &recorded, .within = arguments->within,
	};
	bool other = arguments->policy || arguments->params;
	int status = LXFW_EXIT_BAD;

	if (load(command, arguments, &cluster, &recorded))
		goto done;
	comparison.params = recorded.params;
	if (!recorded.has_params) {
		other = true;
		if (site_params(arguments, &cluster, &comparison.params))
			goto done;
	} else if (other && lxfw_cmd_params(&comparison.params,
					    arguments->policy,
					    arguments->params)) {
		goto done;
	}
	lxfw_recorded_overhead(&recorded, &comparison.overhead);
	if (arguments->start_overhead >= 0)
		comparison.overhead.start = arguments->start_overhead;
	if (arguments->end_overhead >= 0) {
		comparison.overhead.end = arguments->end_overhead;
		comparison.overhead.end_known = true;
	}
	status = lxfw_compare(&comparison, arguments->measured, other,
			      arguments->format, arguments->jobs_out);
done:
	lxfw_recorded_clear(&recorded);
	lxfw_cluster_clear(&cluster);
	return status;
}

static int run(const struct lxfw_command *command, int argc, char **argv)
{
	struct arguments arguments = {
		.start_overhead = -1, .end_overhead = -1,
		.format = LXFW_FORMAT_TABLE,
	};
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
				       "MEASURED", argc - optind);
	arguments.measured = argv[optind];
	return compare(command, &arguments);
}

const struct lxfw_command lxfw_command_compare = {
	.name = "compare",
	.arguments = "MEASURED",
	.summary = "measured waits of a cluster beside simulated ones",
	.help = help,
	.run = run,
};
