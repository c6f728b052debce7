/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw compare: measured waits beside simulated ones. */
#include "sim-frontend/cmd/compare.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/params/policy.h"
#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/compare_infer.h"
#include "sim-frontend/cmd/journals.h"
#include "sim-frontend/cmd/site.h"
#include "sim-frontend/report/comparison_page.h"
#include "sim-frontend/util/text.h"

static const char help[] =
"\n"
"Simulate the submissions of a measured run on the same cluster with the same\n"
"parameters, and compare measured with simulated waits: for all jobs, and by run\n"
"time, size, queue, user and week. The output begins with a verdict on whether\n"
"decisions may be based on the simulation, and reports how much of the measured\n"
"waits the log does not explain.\n"
"\n"
"TRACE is one of\n"
"  - the journal of a live scheduler, which contains hosts, parameters and jobs.\n"
"    Its rotated files are read too. Several journal files may be given.\n"
"  - accounting of Slurm, PBS, LSF or Grid Engine, see 'lxfw help import'\n"
"  - a log in the Standard Workload Format with measured waits\n"
"\n"
"Cluster:\n"
"  --cluster procs=N|FILE|slurm.conf\n"
"                       the cluster (default: number of processors in the header\n"
"                       of the log, or for accounting the most that jobs held at\n"
"                       once)\n"
"  --shape nodes|anywhere|one-host\n"
"  --reservations FILE\n"
"  --memory kb-per-proc|kb-per-job|bytes-per-job|none\n"
"                       see 'lxfw simulate'\n"
"\n"
"Scheduler:\n"
"  --policy NAME, --params STRING\n"
"                       policy and parameters, see lxfw-params(5) (default:\n"
"                       those in the journal or the slurm.conf, otherwise easy)\n"
"\n"
"Simulation:\n"
"  --alone              read the given journal only, not its rotated files\n"
"  --run-times FILE     net run time of each job, in lines 'JOBID SECONDS', from\n"
"                       which the overhead at the end of jobs is estimated\n"
"  --start-overhead D, --end-overhead D\n"
"                       system overhead per job (default: estimated from jobs\n"
"                       that arrived at an empty queue)\n"
"  --cancelled leave-out|until-cancelled\n"
"                       jobs that were cancelled before they started are left\n"
"                       out (default), or simulated until the time of\n"
"                       cancellation\n"
"  --infer all|none|outages,holds,limits\n"
"                       what to infer from the log and include in the simulation\n"
"                       (default: outages)\n"
"  --outages FILE       recorded outages to use instead: lines FROM TO\n"
"                       [N|HOSTS], or the output of 'sacctmgr show event\n"
"                       --parsable2'\n"
"\n"
"Output:\n"
"  --within PERCENT     exit with status 1 if the mean waits differ by more\n"
"  --format table|json|csv\n"
"                       output format (default: table)\n"
"  --json               same as --format json\n"
"  --report FILE.html   a self-contained HTML page with figures\n"
"  --window FROM,TO     period of the schedules on the page (default: the\n"
"                       busiest day), as dates such as 2026-01-31 or\n"
"                       2026-01-31T12:00, or as durations after the first\n"
"                       submission\n"
"  --jobs-out FILE.csv  one row per job: job_id,submit,measured_start,\n"
"                       simulated_start,measured_wait,simulated_wait,difference\n"
"\n"
"Other:\n"
"  -h, --help           print this help and exit\n"
"  --version            print the version and exit\n"
"\n"
"A duration D is a number of seconds, or a number with the suffix s, m, h or d.\n"
"\n"
"Examples:\n"
"  lxfw compare /var/log/slurm/lxfw.journal\n"
"  lxfw compare --cluster slurm.conf --report page.html sacct.txt\n"
"\n"
"Exit status: 0 success; 1 the means differ by more than --within; 2 invalid\n"
"usage or input.\n";

enum {
	CLUSTER = LXFW_OPTION_FIRST, SHAPE, POLICY, PARAMS, RUN_TIMES,
	START_OVERHEAD, END_OVERHEAD, WITHIN, JOBS_OUT, MEMORY,
	REPORT, WINDOW, ALONE, CANCELLED, RESERVATIONS, INFER, OUTAGES,
};

static const struct option options[] = {
	{ "cluster", required_argument, NULL, CLUSTER },
	{ "shape", required_argument, NULL, SHAPE },
	{ "reservations", required_argument, NULL, RESERVATIONS },
	{ "policy", required_argument, NULL, POLICY },
	{ "params", required_argument, NULL, PARAMS },
	{ "alone", no_argument, NULL, ALONE },
	{ "cancelled", required_argument, NULL, CANCELLED },
	{ "run-times", required_argument, NULL, RUN_TIMES },
	{ "start-overhead", required_argument, NULL, START_OVERHEAD },
	{ "end-overhead", required_argument, NULL, END_OVERHEAD },
	{ "infer", required_argument, NULL, INFER },
	{ "outages", required_argument, NULL, OUTAGES },
	{ "within", required_argument, NULL, WITHIN },
	LXFW_FORMAT_OPTIONS,
	{ "memory", required_argument, NULL, MEMORY },
	{ "report", required_argument, NULL, REPORT },
	{ "window", required_argument, NULL, WINDOW },
	{ "jobs-out", required_argument, NULL, JOBS_OUT },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, LXFW_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

struct arguments {
	const char *measured, *cluster, *policy, *params, *run_times, *jobs_out;
	const char *report, *window, *reservations, *outages, *infer_asked;
	unsigned infer;
	char *const *files;	/* the first is MEASURED */
	int file_count;
	bool alone;
	struct lxfw_site_shape shape;
	enum lxfw_trace_memory memory;
	enum lxfw_cancelled cancelled;
	int64_t start_overhead, end_overhead;	/* -1 = to be estimated */
	double within;
	enum lxfw_format format;
};

int lxfw_compare_cancelled(const struct lxfw_command *command, const char *text,
			   enum lxfw_cancelled *cancelled)
{
	int kind = lxfw_cmd_choice(command, "cancelled", text,
				   "leave-out|until-cancelled");

	*cancelled = kind == 1 ? LXFW_CANCELLED_UNTIL : LXFW_CANCELLED_LEAVE_OUT;
	return kind < 0 ? -1 : 0;
}

void lxfw_compare_note_cancelled(const char *path,
				 const struct lxfw_recorded *recorded)
{
	size_t count = lxfw_recorded_count_cancelled(recorded);

	if (count == 0)
		return;
	lxfw_cmd_note("%s: %zu job%s cancelled or held before %s started: %s",
		      path, count, count == 1 ? " was" : "s were",
		      count == 1 ? "it" : "they",
		      recorded->cancelled == LXFW_CANCELLED_UNTIL ?
		      "simulated until they were cancelled" :
		      "left out of the simulation (see --cancelled)");
}

static int take_option(const struct lxfw_command *command, int option,
		       struct arguments *to)
{
	char *end;
	int kind;

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
	case ALONE:
		to->alone = true;
		break;
	case CANCELLED:
		return lxfw_compare_cancelled(command, optarg, &to->cancelled);
	case RUN_TIMES:
		to->run_times = optarg;
		break;
	case JOBS_OUT:
		to->jobs_out = optarg;
		break;
	case REPORT:
		to->report = optarg;
		break;
	case WINDOW:
		to->window = optarg;
		break;
	case OUTAGES:
		to->outages = optarg;
		break;
	case INFER:
		to->infer_asked = optarg;
		return lxfw_compare_infer_kinds(command, optarg, &to->infer);
	case START_OVERHEAD:
		return lxfw_cmd_duration(command, "start-overhead", optarg,
					 &to->start_overhead);
	case END_OVERHEAD:
		return lxfw_cmd_duration(command, "end-overhead", optarg,
					 &to->end_overhead);
	case SHAPE:
		return lxfw_site_shape(command, optarg, &to->shape);
	case RESERVATIONS:
		to->reservations = optarg;
		break;
	case WITHIN:
		to->within = strtod(optarg, &end);
		if (end == optarg || *end || !(to->within > 0) ||
		    to->within > 1e6)
			return lxfw_cmd_misuse(command, "--within '%.40s', "
				"expected a percentage above 0", optarg);
		break;
	case MEMORY:
		kind = lxfw_cmd_choice(command, "memory", optarg,
				"kb-per-proc|kb-per-job|bytes-per-job|none");
		to->memory = (enum lxfw_trace_memory)kind;
		return kind < 0 ? -1 : 0;
	case LXFW_OPTION_FORMAT:
	case LXFW_OPTION_JSON:
		return lxfw_cmd_format(command, option, &to->format) < 0;
	}
	return 0;
}

static void show_progress(size_t done, size_t all)
{
	lxfw_cmd_progress("simulating", done, all);
}

/* What the simulation takes for granted, for people. */
struct assumptions {
	char text[400];
};

static void assume(struct assumptions *to, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void assume(struct assumptions *to, const char *format, ...)
{
	size_t used = strlen(to->text);
	va_list arguments;

	if (used > 0)
		used += (size_t)snprintf(to->text + used,
					 sizeof(to->text) - used, "; ");
	if (used >= sizeof(to->text))
		return;
	va_start(arguments, format);
	vsnprintf(to->text + used, sizeof(to->text) - used, format, arguments);
	va_end(arguments);
}

/* The parameters of a slurm.conf are those of this scheduler only where they name it;
   Slurm's own backfilling is nearest to easy. */
static const char *site_of(const struct lxfw_cluster *cluster)
{
	bool type = cluster->scheduler && strstr(cluster->scheduler, "lxfw");
	bool keys = cluster->parameters && strstr(cluster->parameters, "lxfw_");

	if (!type && !keys)
		return NULL;
	return cluster->parameters ? cluster->parameters : "";
}

/* The scheduler that the arguments ask for, on the cluster that they describe. */
static int site_params(const struct arguments *arguments,
		       const struct lxfw_cluster *cluster,
		       struct lxfw_params *params)
{
	return lxfw_cmd_site_params(params, arguments->policy,
				    arguments->params, site_of(cluster));
}

static void assume_policy(const struct arguments *arguments,
			  const struct lxfw_cluster *cluster,
			  const struct lxfw_recorded *recorded,
			  const struct lxfw_params *params,
			  struct assumptions *assumed)
{
	const char *name = lxfw_policy_name(params->policy);

	if (arguments->policy || arguments->params)
		assume(assumed, "policy %s and parameters as given", name);
	else if (recorded->has_params)
		assume(assumed, "parameters recorded in the journal");
	else if (site_of(cluster))
		assume(assumed, "policy %s, from %s", name, arguments->cluster);
	else if (cluster->scheduler)
		assume(assumed, "policy %s, closest to the %s of %s", name,
		       cluster->scheduler, arguments->cluster);
	else
		assume(assumed, "policy %s (the policy of the site is unknown)", name);
	if (recorded->told.partitioned > 0)
		assume(assumed, "%zu jobs in their partitions",
		       recorded->told.partitioned);
	if (recorded->scheduler)
		assume(assumed, "the log says '%s'", recorded->scheduler);
}

/* The machine that accounting records do not tell: no smaller than this. */
static int most_held(const char *path, struct lxfw_cluster *cluster,
		     struct assumptions *assumed)
{
	struct lxfw_trace trace;
	struct lxfw_error error;
	int32_t procs;

	if (lxfw_cmd_trace(&trace, path, LXFW_MEMORY_NONE))
		return -1;
	procs = lxfw_trace_procs(&trace);
	lxfw_trace_clear(&trace);
	if (procs == 0) {
		lxfw_cmd_note("%s: no job held processors, expected --cluster",
			      path);
		return -1;
	}
	if (lxfw_cluster_procs(cluster, procs, &error))
		return lxfw_cmd_bad(&error), -1;
	assume(assumed, "%d processor%s in one machine, the most that jobs held "
	       "at once", (int)procs, procs == 1 ? "" : "s");
	return 0;
}

/* The machine, as far as the log is not what tells it. */
static int load_cluster(const struct arguments *arguments, int kind,
			struct lxfw_cluster *cluster,
			struct assumptions *assumed)
{
	const char *path = arguments->measured;

	if (kind == 'j' && arguments->cluster)
		lxfw_cmd_note("%s contains its own hosts: --cluster is ignored",
			      path);
	if (kind == 'j')
		return 0;
	if (!arguments->cluster)
		return kind == 'a' ? most_held(path, cluster, assumed) : 0;
	if (lxfw_cmd_cluster(cluster, arguments->cluster))
		return -1;
	assume(assumed, "%lld processor%s on %d host%s, from %s",
	       (long long)cluster->procs, cluster->procs == 1 ? "" : "s",
	       (int)cluster->count, cluster->count == 1 ? "" : "s",
	       arguments->cluster);
	return 0;
}

static int read_journals(const struct arguments *arguments,
			 struct lxfw_recorded *recorded,
			 struct lxfw_error *error)
{
	struct lxfw_journals journals;
	int result = lxfw_journals_find(&journals, arguments->files,
					arguments->file_count, arguments->alone);

	error->text[0] = '\0';
	if (result == 0)
		result = lxfw_recorded_from_journal(recorded, journals.paths,
						    journals.count, error);
	lxfw_journals_clear(&journals);
	return result;
}

static int read_log(const struct arguments *arguments, int kind,
		    struct lxfw_cluster *cluster, struct lxfw_recorded *recorded,
		    struct lxfw_error *error)
{
	const char *path = arguments->measured;
	bool one_host = arguments->shape.one_host;
	struct lxfw_params params;

	if (kind == 'j')
		return read_journals(arguments, recorded, error);
	if (site_params(arguments, cluster, &params)) {
		error->text[0] = '\0';
		return -1;
	}
	/* it divides the processors of a host */
	one_host |= lxfw_policy_has(params.policy, LXFW_TRAIT_ADAPTIVE);
	if (kind == 'a')
		return lxfw_recorded_from_accounts(recorded, path, cluster,
						   one_host, error);
	return lxfw_recorded_from_swf(recorded, path, cluster, one_host,
				      arguments->memory, error);
}

/* Read what was measured; -1 after a message. */
static int load(const struct arguments *arguments, struct lxfw_cluster *cluster,
		struct lxfw_recorded *recorded, struct assumptions *assumed)
{
	const char *path = arguments->measured;
	struct lxfw_error error;
	int kind = lxfw_recorded_kind(path, &error);

	if (kind < 0)
		return lxfw_cmd_bad(&error), -1;
	if (kind != 'j' && arguments->file_count > 1) {
		lxfw_cmd_note("%d files given, expected one, or journals",
			      arguments->file_count);
		return -1;
	}
	if (load_cluster(arguments, kind, cluster, assumed))
		return -1;
	cluster->any_hosts = arguments->shape.anywhere;
	if (arguments->reservations && cluster->count > 0 &&
	    lxfw_site_reservations_of(cluster, arguments->reservations, path,
				      kind == 'a'))
		return -1;
	if (read_log(arguments, kind, cluster, recorded, &error)) {
		if (error.text[0])
			lxfw_cmd_bad(&error);
		return -1;
	}
	if (kind == 't' && !arguments->cluster)
		assume(assumed, "%lld processor%s in one machine, from its "
				"header",
		       (long long)recorded->procs,
		       recorded->procs == 1 ? "" : "s");
	recorded->progress = show_progress;
	recorded->cancelled = arguments->cancelled;
	lxfw_compare_note_cancelled(path, recorded);
	if (recorded->passed_over > 0)
		lxfw_cmd_note("%s: %zu jobs left out: no run time or "
			      "processors, or larger than the machine%s", path,
			      recorded->passed_over, cluster->set_count > 0 ?
			      " or the hosts of their partition" : "");
	lxfw_site_note(path, &recorded->told);
	lxfw_cmd_note_zero_run(path, recorded->zero_run);
	if (recorded->doubles > 0)
		lxfw_cmd_note("%s: %zu duplicate records of jobs left out",
			      path, recorded->doubles);
	if (recorded->cut_off > 0)
		lxfw_cmd_note("%s: %zu byte%s of truncated records are left "
			      "out", path, recorded->cut_off,
			      recorded->cut_off == 1 ? "" : "s");
	if (arguments->run_times &&
	    lxfw_recorded_run_times(recorded, arguments->run_times, &error))
		return lxfw_cmd_bad(&error), -1;
	return 0;
}

/* What the user asked for in files; NULL where not. */
struct files {
	struct lxfw_output *jobs, *page;
};

static int open_files(const struct lxfw_comparison *comparison,
		      const char *jobs_out, struct files *files)
{
	struct lxfw_error error;

	*files = (struct files) { NULL, NULL };
	if (jobs_out) {
		files->jobs = lxfw_output_open(jobs_out, &error);
		if (!files->jobs)
			return lxfw_cmd_bad(&error);
	}
	if (comparison->report) {
		files->page = lxfw_output_open(comparison->report, &error);
		if (!files->page)
			return lxfw_cmd_bad(&error);
	}
	return 0;
}

static void abort_files(struct files *files)
{
	lxfw_output_abort(files->jobs);
	lxfw_output_abort(files->page);
}

static int write_page(const struct lxfw_comparison *comparison,
		      const struct lxfw_comparison_report *report,
		      struct lxfw_output *page)
{
	const struct lxfw_window_of of = lxfw_comparison_window_of(report);
	struct lxfw_window window;
	struct lxfw_error error;

	if (report->side[LXFW_MEASURED].jobs == 0) {
		lxfw_cmd_note("%s: no job that started in both has a known "
			      "end, cannot write a page", report->log);
		return -1;
	}
	if (!comparison->window) {
		lxfw_window_busiest(&of, &window);
	} else if (lxfw_window_parse(&of, comparison->window, &window,
				     &error)) {
		lxfw_cmd_note("%s", error.text);
		return -1;
	}
	if (lxfw_comparison_page(report, &window, page)) {
		lxfw_cmd_note("out of memory");
		return -1;
	}
	return 0;
}

/* Write the files, then print: a file that could not be written must not be followed
   by a result. */
static int finish(const struct lxfw_comparison *comparison,
		  struct lxfw_comparison_report *report,
		  enum lxfw_format format, struct files *files)
{
	struct lxfw_output *jobs = files->jobs, *page = files->page;
	struct lxfw_error error;

	if (page && write_page(comparison, report, page))
		return LXFW_EXIT_BAD;
	if (jobs)
		lxfw_comparison_jobs(report->recorded, jobs);
	files->page = NULL;
	if (page && lxfw_output_commit(page, &error))
		return lxfw_cmd_bad(&error);
	files->jobs = NULL;
	if (jobs && lxfw_output_commit(jobs, &error))
		return lxfw_cmd_bad(&error);
	if (lxfw_comparison_print(report, format, stdout)) {
		lxfw_cmd_note("out of memory");
		return LXFW_EXIT_BAD;
	}
	return lxfw_cmd_finish(comparison->within > 0 &&
			       !(report->mean_difference <=
				 comparison->within) ?
			       LXFW_EXIT_NO : LXFW_EXIT_DONE);
}

int lxfw_compare(struct lxfw_comparison *comparison, const char *path,
		 bool other_params, enum lxfw_format format,
		 const char *jobs_out)
{
	struct lxfw_recorded *recorded = comparison->recorded;
	struct lxfw_engine_result result;
	struct lxfw_comparison_report report;
	struct lxfw_inference inference = { .asked = NULL };
	struct files files;
	struct lxfw_error error;
	int status = LXFW_EXIT_BAD;

	if (open_files(comparison, jobs_out, &files)) {
		abort_files(&files);
		return LXFW_EXIT_BAD;
	}
	if (lxfw_recorded_simulate(recorded, other_params ?
				   &comparison->params : NULL,
				   &comparison->overhead, &result, &error)) {
		lxfw_cmd_note("%s: %s", path, error.text);
		goto done;
	}
	if (comparison->infer_asked &&
	    lxfw_compare_infer(comparison, other_params ? &comparison->params :
			       &recorded->params, &inference, &error)) {
		lxfw_cmd_note("%s: %s", path, error.text);
		goto done;
	}
	lxfw_cmd_progress_end();
	if (lxfw_comparison_measure(recorded, &comparison->overhead, &report)) {
		lxfw_cmd_note("out of memory");
		goto done;
	}
	if (comparison->verdict) {
		report.verdict = *comparison->verdict;
		report.verdict_of_recorded = true;
	}
	report.log = path;
	report.assumed = comparison->assumed;
	report.inference = comparison->infer_asked ? &inference : NULL;
	report.policy = lxfw_policy_name(other_params ?
					 comparison->params.policy :
					 recorded->params.policy);
	status = finish(comparison, &report, format, &files);
	lxfw_comparison_clear(&report);
done:
	lxfw_inferred_clear(&inference.inferred);
	abort_files(&files);
	return status;
}

int lxfw_compare_judge(struct lxfw_recorded *recorded,
		       const struct lxfw_params *params,
		       const struct lxfw_overhead *overhead,
		       struct lxfw_verdict *verdict, struct lxfw_error *error)
{
	struct lxfw_engine_result result;
	struct lxfw_comparison_report report;

	if (lxfw_recorded_simulate(recorded, params, overhead, &result, error))
		return -1;
	if (lxfw_comparison_measure(recorded, overhead, &report)) {
		lxfw_error_set(error, "out of memory");
		return -1;
	}
	*verdict = report.verdict;
	lxfw_comparison_clear(&report);
	return 0;
}

/* The machine's own time per job, estimated or given. */
static int find_overhead(const struct arguments *arguments,
			 const struct lxfw_recorded *recorded,
			 struct lxfw_overhead *overhead)
{
	if (lxfw_recorded_overhead(recorded, overhead)) {
		lxfw_cmd_note("out of memory");
		return -1;
	}
	if (arguments->start_overhead >= 0) {
		overhead->start = arguments->start_overhead;
		overhead->start_given = true;
	}
	if (arguments->end_overhead >= 0) {
		overhead->end = arguments->end_overhead;
		overhead->end_known = true;
	}
	return 0;
}

static int compare(const struct arguments *arguments)
{
	struct lxfw_cluster cluster = { 0 };
	struct lxfw_recorded recorded = { 0 };
	struct assumptions assumed = { "" };
	struct lxfw_outages outages = { 0 };
	struct lxfw_comparison comparison = {
		.recorded = &recorded, .within = arguments->within,
		.report = arguments->report, .window = arguments->window,
		.infer = arguments->infer,
		.infer_asked = arguments->infer_asked,
	};
	bool other = arguments->policy || arguments->params;
	struct lxfw_verdict verdict;
	struct lxfw_error error;
	int status = LXFW_EXIT_BAD;

	if (load(arguments, &cluster, &recorded, &assumed))
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
	if (lxfw_compare_outages(&comparison, &outages, arguments->outages,
				 &cluster))
		goto done;
	assume_policy(arguments, &cluster, &recorded, &comparison.params,
		      &assumed);
	comparison.assumed = assumed.text;
	if (find_overhead(arguments, &recorded, &comparison.overhead))
		goto done;
	if (recorded.has_params && other) {
		if (lxfw_compare_judge(&recorded, NULL, &comparison.overhead,
				       &verdict, &error)) {
			lxfw_cmd_note("%s: %s", arguments->measured, error.text);
			goto done;
		}
		comparison.verdict = &verdict;
	}
	status = lxfw_compare(&comparison, arguments->measured, other,
			      arguments->format, arguments->jobs_out);
done:
	lxfw_outages_clear(&outages);
	lxfw_recorded_clear(&recorded);
	lxfw_cluster_clear(&cluster);
	return status;
}

static int run(const struct lxfw_command *command, int argc, char **argv)
{
	struct arguments arguments = {
		.start_overhead = -1, .end_overhead = -1,
		.format = LXFW_FORMAT_TABLE,
		.infer = LXFW_INFER_OUTAGES, .infer_asked = "outages",
	};
	int option, status;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		status = lxfw_cmd_common(command, option);
		if (status >= 0)
			return status;
		if (take_option(command, option, &arguments))
			return LXFW_EXIT_BAD;
	}
	if (argc == optind)
		return lxfw_cmd_misuse(command, "0 files given, expected a "
				       "TRACE");
	arguments.files = argv + optind;
	arguments.file_count = argc - optind;
	arguments.measured = argv[optind];
	if (arguments.window && !arguments.report)
		return lxfw_cmd_misuse(command, "--window without --report");
	return compare(&arguments);
}

const struct lxfw_command lxfw_command_compare = {
	.name = "compare",
	.arguments = "TRACE...",
	.summary = "compare measured with simulated waits",
	.help = help,
	.run = run,
};
