/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw compare: compares measured and simulated waits. */
#include "sim-frontend/cmd/compare.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "common/params/keys.h"
#include "common/params/policy.h"
#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/compare_infer.h"
#include "sim-frontend/cmd/compare_load.h"
#include "sim-frontend/cmd/files_apart.h"
#include "sim-frontend/engine/recorded_shake.h"
#include "sim-frontend/trace/pbs_folder.h"

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
"                       those in the journal or the slurm.conf; slurm for\n"
"                       a site with sched/backfill; otherwise site for a\n"
"                       slurm.conf with priority/multifactor, or easy)\n"
"  --instead STRING     simulate these parameters, too: what would have changed,\n"
"                       and whether the change may be chance\n"
"  --assocs FILE, --qos FILE\n"
"                       shares and qualities of service of the site, as printed by\n"
"                       sacctmgr or sshare, for its priorities (default: equal\n"
"                       shares): see lxfw-compare(1)\n"
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
"  --shake N            print the range over N perturbed copies (default: 20)\n"
"\n"
"Output:\n"
"  --slowdown-threshold D\n"
"                       minimum run time in the bounded slowdown (default 10s)\n"
"  --within PERCENT     exit with status 1 if the mean waits differ by more\n"
"  --format table|json|csv\n"
"                       output format (default: table)\n"
"  --json               same as --format json\n"
"  --report FILE.html   a self-contained HTML page with figures\n"
"  --window FROM,TO     period of the schedules on the page (default: the\n"
"                       busiest day), as dates such as 2026-01-31T12:00, or as\n"
"                       durations after the first submission\n"
"  --jobs-out FILE.csv  one row per job: job_id,submit,measured_start,\n"
"                       simulated_start,measured_wait,simulated_wait,difference,\n"
"                       and with --instead instead_start,instead_wait\n"
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
"  lxfw compare --cluster slurm.conf --instead lxfw_policy=lxfw sacct.txt\n"
"\n"
"Exit status: 0 success; 1 the means differ by more than --within; 2 invalid\n"
"usage or input.\n";

enum {
	CLUSTER = LXFW_OPTION_FIRST, SHAPE, POLICY, PARAMS, RUN_TIMES,
	START_OVERHEAD, END_OVERHEAD, WITHIN, THRESHOLD, JOBS_OUT, MEMORY,
	REPORT, WINDOW, ALONE, CANCELLED, RESERVATIONS, INFER, OUTAGES, INSTEAD, SHAKE,
};

static const struct option options[] = {
	{ "cluster", required_argument, NULL, CLUSTER },
	{ "shape", required_argument, NULL, SHAPE },
	{ "reservations", required_argument, NULL, RESERVATIONS },
	{ "policy", required_argument, NULL, POLICY },
	{ "params", required_argument, NULL, PARAMS },
	{ "instead", required_argument, NULL, INSTEAD },
	{ "alone", no_argument, NULL, ALONE },
	{ "cancelled", required_argument, NULL, CANCELLED },
	{ "run-times", required_argument, NULL, RUN_TIMES },
	{ "start-overhead", required_argument, NULL, START_OVERHEAD },
	{ "end-overhead", required_argument, NULL, END_OVERHEAD },
	{ "infer", required_argument, NULL, INFER },
	{ "outages", required_argument, NULL, OUTAGES },
	{ "shake", required_argument, NULL, SHAKE },
	{ "slowdown-threshold", required_argument, NULL, THRESHOLD },
	{ "within", required_argument, NULL, WITHIN },
	LXFW_PRIORITIES_OPTIONS,
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
	struct lxfw_compare_input input;
	struct lxfw_cmd_priorities priorities;
	const char *jobs_out, *report, *window, *outages, *infer_asked, *instead;
	unsigned infer;
	int64_t start_overhead, end_overhead;	/* -1: to be estimated */
	int64_t bound;		/* of the bounded slowdown, seconds; 0: the default */
	int64_t copies;		/* -1: the usual number */
	double within;
	enum lxfw_format format;
};

static int take_option(const struct lxfw_command *command, int option,
		       struct arguments *to)
{
	char *end;
	int kind;

	lxfw_priorities_option(&to->priorities, option);
	switch (option) {
	case CLUSTER:
		to->input.cluster = optarg;
		break;
	case POLICY:
		to->input.policy = optarg;
		break;
	case PARAMS:
		to->input.params = optarg;
		break;
	case INSTEAD:
		if (to->instead)
			return lxfw_cmd_misuse(command, "--instead is given twice, "
				"expected one: run the command once for each");
		to->instead = optarg;
		break;
	case ALONE:
		to->input.alone = true;
		break;
	case CANCELLED:
		return lxfw_compare_cancelled(command, optarg,
					      &to->input.cancelled);
	case RUN_TIMES:
		to->input.run_times = optarg;
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
		return lxfw_site_shape(command, optarg, &to->input.shape);
	case RESERVATIONS:
		to->input.reservations = optarg;
		break;
	case SHAKE:
		return lxfw_cmd_integer(command, "shake", optarg, 0, LXFW_SHAKEN_MOST,
					&to->copies);
	case THRESHOLD:
		return lxfw_cmd_length(command, "slowdown-threshold", optarg,
				       &to->bound);
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
		to->input.memory = (enum lxfw_trace_memory)kind;
		return kind < 0 ? -1 : 0;
	case LXFW_OPTION_FORMAT:
	case LXFW_OPTION_JSON:
		return lxfw_cmd_format(command, option, &to->format) < 0;
	}
	return 0;
}

/* Determines the system overhead per job, estimated or given. */
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

/* Those of the site, where the order counts them. A journal has the priorities that jobs
   had. */
static int load_priorities(struct arguments *arguments, const struct lxfw_cluster *cluster,
			   const struct lxfw_params *params,
			   const struct lxfw_params *instead,
			   struct lxfw_recorded *recorded)
{
	bool needed = lxfw_engine_counts_priority(params) ||
		      (instead && lxfw_engine_counts_priority(instead));
	struct lxfw_cmd_priorities *priorities = &arguments->priorities;

	priorities->by_submission = lxfw_compare_by_default(&arguments->input, cluster);
	if (recorded->has_params) {
		if (priorities->assocs || priorities->qos)
			lxfw_cmd_note("a journal contains its own priorities: --assocs "
				      "and --qos are ignored");
		return 0;
	}
	if (lxfw_priorities_of_recorded(priorities, needed, arguments->input.cluster,
					cluster, recorded))
		return -1;
	recorded->priorities = lxfw_priorities_loaded(priorities);
	return 0;
}

/* A log contains no job classes. Returns 0, or -1 after a message. */
static int check_classes(const struct lxfw_params *params,
			 const struct lxfw_recorded *recorded)
{
	if (!lxfw_policy_has(params->policy, LXFW_TRAIT_CLASSES) ||
	    (recorded->has_params &&
	     lxfw_policy_has(recorded->params.policy, LXFW_TRAIT_CLASSES)))
		return 0;
	lxfw_cmd_note("policy %s needs job classes, which the log does not contain; expected "
		      "another policy", lxfw_policy_name(params->policy));
	return -1;
}

/* The keys of ours in valid parameters. */
struct found {
	bool simulated;		/* one changes a simulation */
	bool policy;		/* one is the policy */
	const struct lxfw_key *first;
};

static struct found find_keys(const char *text)
{
	struct found found = { false };

	while (*text) {
		const struct lxfw_key *key;

		text += strspn(text, " \t");
		key = lxfw_key_find(text, strcspn(text, "=, \t"));
		if (key && !found.first)
			found.first = key;
		if (key && lxfw_key_simulated(key))
			found.simulated = true;
		if (key && key->kind == LXFW_KEY_POLICY)
			found.policy = true;
		text += strcspn(text, ",");
		text += *text == ',';
	}
	return found;
}

/* Reads --instead. Returns 0, or -1 after a message. */
static int read_instead(const struct arguments *arguments,
			const struct lxfw_params *present, struct lxfw_params *instead)
{
	struct found found;

	lxfw_params_default(instead);
	if (!arguments->instead)
		return 0;
	/* Other items of SchedulerParameters are ignored, and the defaults are not meant. */
	if (!strstr(arguments->instead, "lxfw_")) {
		lxfw_cmd_note("--instead '%.60s', expected parameters such as "
			      "lxfw_policy=lxfw", arguments->instead);
		return -1;
	}
	if (lxfw_cmd_params(instead, NULL, arguments->instead))
		return -1;
	found = find_keys(arguments->instead);
	if (!found.simulated) {
		lxfw_cmd_note("--instead: %s has no effect in a simulation, expected a "
			      "policy or one of its parameters",
			      found.first ? found.first->name : arguments->instead);
		return -1;
	}
	if (lxfw_policy_has(instead->policy, LXFW_TRAIT_CLASSES) &&
	    !lxfw_policy_has(present->policy, LXFW_TRAIT_CLASSES)) {
		lxfw_cmd_note("--instead: policy %s needs job classes, which the log does "
			      "not contain", lxfw_policy_name(instead->policy));
		return -1;
	}
	if (lxfw_policy_has(instead->policy, LXFW_TRAIT_ADAPTIVE) &&
	    !lxfw_policy_has(present->policy, LXFW_TRAIT_ADAPTIVE) &&
	    !arguments->input.shape.one_host) {
		lxfw_cmd_note("--instead: policy %s divides the processors of a host, "
			      "expected --shape one-host",
			      lxfw_policy_name(instead->policy));
		return -1;
	}
	return 0;
}

/* Returns the text of --instead, with the policy that it has by default. The caller frees it.
   NULL: out of memory. */
static char *name_policy(const char *text, const struct lxfw_params *instead)
{
	char *shown;
	int length;

	if (find_keys(text).policy)
		return strdup(text);
	length = asprintf(&shown, "lxfw_policy=%s,%s", lxfw_policy_name(instead->policy), text);
	return length < 0 ? NULL : shown;
}

/*
 * The journal of a trial (lxfw_shadow): its parameters are the other ones, unless --instead
 * gives them. The present scheduler is Slurm's, whose backfill plans a start for each job in
 * the order of the priorities, unless --policy or --params is given. Sets
 * *PRESENT, and TEXT of LXFW_PARAMS_TEXT bytes for arguments->instead. Returns 0, or -1 after
 * a message.
 */
static int take_trial(struct arguments *arguments, const struct lxfw_recorded *recorded,
		      struct lxfw_params *present, char *text)
{
	struct lxfw_compare_input *input = &arguments->input;
	struct lxfw_params tried = recorded->params;

	tried.shadow = LXFW_SHADOW_OFF;
	if (!arguments->instead && lxfw_params_brief(&tried, text) < 0) {
		lxfw_cmd_note("%s: the policy of the trial is from a file, expected "
			      "--instead", input->files[0]);
		return -1;
	}
	if (!arguments->instead)
		arguments->instead = text;
	lxfw_params_default(present);
	input->trial = !input->policy && !input->params;
	return input->trial ?
		       lxfw_cmd_params(present, "site", "lxfw_reservations=all") :
		       lxfw_cmd_params(present, input->policy, input->params);
}

/* Returns what the user has given. A journal contains its machine and policy. */
static unsigned given_by(const struct arguments *arguments,
			 const struct lxfw_recorded *recorded,
			 const struct lxfw_cluster *cluster)
{
	const struct lxfw_compare_input *input = &arguments->input;
	unsigned given = 0;

	if (recorded->has_params ||
	    (input->cluster && (lxfw_needs_matter(cluster) ||
				strncmp(input->cluster, "procs=", 6) != 0)))
		given |= LXFW_GIVEN_MACHINE;
	if (recorded->has_params || input->cluster)
		given |= LXFW_GIVEN_SIZE;
	if (recorded->has_params || input->policy || input->params)
		given |= LXFW_GIVEN_POLICY;
	if (recorded->has_params || arguments->outages)
		given |= LXFW_GIVEN_OUTAGES;
	if (recorded->has_params || input->reservations)
		given |= LXFW_GIVEN_RESERVATIONS;
	if (recorded->has_params || (arguments->infer & LXFW_INFER_HOLDS))
		given |= LXFW_GIVEN_INFERENCE;
	return given;
}

static int compare(struct arguments *arguments)
{
	const struct lxfw_compare_input *input = &arguments->input;
	struct lxfw_cluster cluster = { 0 };
	struct lxfw_recorded recorded = { 0 };
	struct lxfw_assumptions assumed = { "" };
	struct lxfw_outages outages = { 0 };
	struct lxfw_comparison comparison = {
		.recorded = &recorded, .within = arguments->within,
		.bound = arguments->bound, .copies = (int)arguments->copies,
		.report = arguments->report, .window = arguments->window,
		.infer = arguments->infer,
		.infer_asked = arguments->infer_asked,
	};
	bool other = input->policy || input->params;
	char text[LXFW_PARAMS_TEXT_SIZE], *shown = NULL;
	bool trial;
	struct lxfw_params instead;
	struct lxfw_verdict verdict;
	struct lxfw_error error;
	int status = LXFW_EXIT_BAD;

	if (lxfw_compare_load(input, &cluster, &recorded, &assumed))
		goto done;
	if (recorded.partly_trial) {
		lxfw_cmd_note("%s: lxfw_shadow changes in the journal, expected one of a "
			      "trial or one without: a trial needs its own lxfw_journal",
			      input->files[0]);
		goto done;
	}
	recorded.given = given_by(arguments, &recorded, &cluster);
	comparison.params = recorded.params;
	trial = recorded.has_params && recorded.params.shadow == LXFW_SHADOW_ON;
	if (trial) {
		other = true;
		if (take_trial(arguments, &recorded, &comparison.params, text))
			goto done;
	} else if (!recorded.has_params) {
		other = true;
		if (lxfw_compare_params(input, &cluster, &comparison.params))
			goto done;
	} else if (other && lxfw_cmd_params(&comparison.params,
					    input->policy, input->params)) {
		goto done;
	}
	if (check_classes(&comparison.params, &recorded))
		goto done;
	if (lxfw_compare_outages(&comparison, &outages, arguments->outages,
				 &cluster))
		goto done;
	if (read_instead(arguments, &comparison.params, &instead))
		goto done;
	if (arguments->instead) {
		shown = name_policy(arguments->instead, &instead);
		if (!shown) {
			lxfw_cmd_note("out of memory");
			goto done;
		}
		comparison.instead = &instead;
		comparison.instead_text = shown;
	}
	if (load_priorities(arguments, &cluster, &comparison.params, comparison.instead,
			    &recorded))
		goto done;
	lxfw_compare_assume_policy(input, &cluster, &recorded, &comparison.params,
				   &arguments->priorities, &assumed);
	comparison.assumed = assumed.text;
	if (find_overhead(arguments, &recorded, &comparison.overhead))
		goto done;
	if (recorded.has_params && other && !trial) {
		if (lxfw_compare_judge(&recorded, NULL, &comparison.overhead,
				       &verdict, &error)) {
			lxfw_cmd_note("%s: %s", input->files[0], error.text);
			goto done;
		}
		comparison.verdict = &verdict;
	}
	status = lxfw_compare(&comparison, input->files[0], other,
			      arguments->format, arguments->jobs_out);
done:
	free(shown);
	lxfw_outages_clear(&outages);
	lxfw_recorded_clear(&recorded);
	lxfw_priorities_clear(&arguments->priorities);
	lxfw_cluster_clear(&cluster);
	return status;
}

static int keep_apart(const struct lxfw_command *command,
		      const struct arguments *arguments)
{
	const struct lxfw_compare_input *input = &arguments->input;
	const struct lxfw_cmd_file files[] = {
		{ "report", arguments->report, true },
		{ "jobs-out", arguments->jobs_out, true },
		{ "cluster", input->cluster, false },
		{ "reservations", input->reservations, false },
		{ "run-times", input->run_times, false },
		{ "outages", arguments->outages, false },
		{ "assocs", arguments->priorities.assocs, false },
		{ "qos", arguments->priorities.qos, false },
	};

	return lxfw_cmd_files_apart(command, files, sizeof(files) / sizeof(*files),
				    input->files, input->file_count);
}

static int run(const struct lxfw_command *command, int argc, char **argv)
{
	struct arguments arguments = {
		.start_overhead = -1, .end_overhead = -1, .copies = -1,
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
	arguments.input.files = argv + optind;
	arguments.input.file_count = argc - optind;
	if (arguments.window && !arguments.report)
		return lxfw_cmd_misuse(command, "--window without --report");
	if (keep_apart(command, &arguments))
		return LXFW_EXIT_BAD;
	if (!arguments.input.cluster && lxfw_pbs_folder_has_machine(argv[optind]))
		arguments.input.cluster = argv[optind];
	return compare(&arguments);
}

const struct lxfw_command lxfw_command_compare = {
	.name = "compare",
	.arguments = "TRACE...",
	.summary = "compare measured with simulated waits",
	.help = help,
	.run = run,
};
