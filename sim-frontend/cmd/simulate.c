/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw simulate: a trace on a cluster under a policy. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/cmd/simulate_files.h"
#include "sim-frontend/cmd/study.h"
#include "sim-frontend/report/several.h"
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
"  --shape nodes|anywhere|one-host\n"
"                         on as many hosts as the log tells (default), spread over\n"
"                         any, or on one each (always so with eqspatial)\n"
"  --reservations FILE    of scontrol: hosts that jobs do not get\n"
"  --memory kb-per-proc|kb-per-job|bytes-per-job|none\n"
"                         what the trace's column 10 means (default: KB per\n"
"                         processor, as the format defines)\n"
"\n"
"Scheduler:\n"
"  --policy NAME          fcfs, easy (default), conservative, priority, lxfw, sjf,\n"
"                         eqspatial, classes; several times: side by side\n"
"  --contender NAME=KEYS  one more, with lxfw_* keys as in --params; several times\n"
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
"  --estimates requested|exact|factor:F|model:f=F|model:modal[:LONGEST]\n"
"                         what the scheduler is told of run times: the requested\n"
"                         time (default), the run time, F times the run time; the\n"
"                         f-model: 1 to F + 1 times, or the modal model of Tsafrir,\n"
"                         Etsion and Feitelson\n"
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
"  --seed N               of all that is drawn: a SHARE, model: estimates, --shake\n"
"                         (default 1)\n"
"  --load F               move submissions apart or together until the offered load\n"
"                         is F\n"
"  --start-overhead estimated|D, --end-overhead D\n"
"                         the machine's own time per job before the start and\n"
"                         after the end (default 0); estimated: as 'lxfw compare'\n"
"                         finds it in the trace's measured waits\n"
"\n";

static const char more_help[] =
"Several policies, and copies of the log with a little noise:\n"
"  --period D             what is drawn for the 95 % intervals of the differences to\n"
"                         the first one (default 7d)\n"
"  --shake N              N shaken copies too, with the range of their figures\n"
"  --shake-arrivals D     submissions of copies move by up to D (default 60s)\n"
"  --shake-runs F         run times of copies change by up to this part (default 0.1)\n"
"  --threads N            simulated at a time (default: the processors)\n"
"\n"
"Results:\n"
"  --warmup D             leave out jobs submitted in the first D of the trace\n"
"                         (a number of seconds, or with m, h or d behind it)\n"
"  --cooldown D           leave out jobs submitted in the last D of the trace\n"
"  --slowdown-threshold D shorter run times are taken as D in the bounded slowdown\n"
"                         (default 10s)\n"
"  --fairness             users' slowdowns, and jobs that start later than is fair\n"
"  --format table|json|csv\n"
"  --json                 the same as --format json\n"
"  --timing               tell what the simulation took, as wall_s\n"
"  --jobs-out FILE.csv    one row a job: job_id,submit,start,end,wait,run,procs,\n"
"                         memory_mb,hosts,preemptions,requeues,user,group,queue,\n"
"                         estimate,status,slowdown,bounded_slowdown,priority\n"
"  --series-out FILE.csv  one row a change: time,waiting_jobs,waiting_procs,\n"
"                         running_jobs,used_procs,suspended_jobs\n"
"  --series-step D        one row each D instead\n"
"  --users-out FILE.csv   one row a user: user,jobs,mean_wait_s,mean_slowdown,\n"
"                         mean_bounded_slowdown (with --fairness)\n"
"  --report FILE.html     one page with figures for a person, which needs nothing\n"
"                         else; of all contenders side by side\n"
"  --window FROM,TO       what of the schedules the page shows, as for 'lxfw compare'\n"
"                         (default: the busiest day of the first)\n"
"  --journal FILE         every event and decision, for 'lxfw replay'\n"
"\n"
"  -h, --help, --version\n"
"\n"
"Exit status: 0 done, 2 misuse or bad input.\n";

struct arguments {
	const char *classes, *params;
	const char *only_adaptive;	/* an option that needs --adaptive */
	bool seeded;			/* --seed was given */
	bool timing;
	enum lxfw_format format;
	struct lxfw_simulate_paths paths;
	struct lxfw_scenario scenario;
	struct lxfw_study study;
};

enum {
	POLICY = LXFW_OPTION_FIRST, CLASSES, PARAMS, PLACEMENT, ADAPTIVE, LEAST, SEED,
	TIMING, JOBS_OUT, JOURNAL, SERIES_OUT, SERIES_STEP, USERS_OUT,
	REPORT, WINDOW,
};

static const struct option options[] = {
	LXFW_SCENARIO_OPTIONS,
	LXFW_STUDY_OPTIONS,
	LXFW_FORMAT_OPTIONS,
	{ "policy", required_argument, NULL, POLICY },
	{ "classes", required_argument, NULL, CLASSES },
	{ "params", required_argument, NULL, PARAMS },
	{ "placement", required_argument, NULL, PLACEMENT },
	{ "speedup", required_argument, NULL, LXFW_SCENARIO_SPEEDUP },
	{ "adaptive", required_argument, NULL, ADAPTIVE },
	{ "least", required_argument, NULL, LEAST },
	{ "seed", required_argument, NULL, SEED },
	{ "timing", no_argument, NULL, TIMING },
	{ "jobs-out", required_argument, NULL, JOBS_OUT },
	{ "series-out", required_argument, NULL, SERIES_OUT },
	{ "series-step", required_argument, NULL, SERIES_STEP },
	{ "users-out", required_argument, NULL, USERS_OUT },
	{ "report", required_argument, NULL, REPORT },
	{ "window", required_argument, NULL, WINDOW },
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

static int take_least(const struct lxfw_command *command, struct arguments *to)
{
	int64_t number;

	to->only_adaptive = "least";
	if (lxfw_cmd_integer(command, "least", optarg, 1, INT32_MAX, &number))
		return -1;
	to->scenario.adaptive.least = (int32_t)number;
	return 0;
}

/* One for all that is drawn; each draws from a stream of its own. */
static int take_seed(const struct lxfw_command *command, struct arguments *to)
{
	int64_t number;

	if (lxfw_cmd_integer(command, "seed", optarg, 0, INT64_MAX, &number))
		return -1;
	to->seeded = true;
	to->scenario.adaptive.seed = (uint64_t)number;
	to->study.shake.seed = (uint64_t)number;
	to->study.model.seed = (uint64_t)number;
	return 0;
}

static int take_series_step(const struct lxfw_command *command,
			    struct arguments *to)
{
	if (lxfw_cmd_duration(command, "series-step", optarg,
			      &to->paths.series_step))
		return -1;
	if (to->paths.series_step > 0)
		return 0;
	lxfw_cmd_misuse(command, "--series-step 0, expected more");
	return -1;
}

static int take_option(const struct lxfw_command *command, int option,
		       struct arguments *to)
{
	int kind = lxfw_cmd_format(command, option, &to->format);

	if (kind)
		return kind < 0 ? -1 : 0;
	switch (option) {
	case POLICY:
		return lxfw_study_policy(command, optarg, &to->study);
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
		to->paths.jobs = optarg;
		return 0;
	case REPORT:
		to->paths.report = optarg;
		return 0;
	case WINDOW:
		to->paths.window = optarg;
		return 0;
	case JOURNAL:
		to->paths.journal = optarg;
		return 0;
	case SERIES_OUT:
		to->paths.series = optarg;
		return 0;
	case SERIES_STEP:
		return take_series_step(command, to);
	case USERS_OUT:
		to->paths.users = optarg;
		return 0;
	case TIMING:
		to->timing = true;
		return 0;
	case ADAPTIVE:
		return take_adaptive(command, optarg, &to->scenario);
	case LEAST:
		return take_least(command, to);
	case SEED:
		return take_seed(command, to);
	case LXFW_SCENARIO_ESTIMATES:
		kind = lxfw_study_estimates(command, optarg, &to->study);
		if (kind)
			return kind < 0 ? -1 : 0;
		to->study.model.kind = LXFW_ESTIMATE_AS_RECORDED;
		break;
	}
	return lxfw_study_option(command, option, &to->study) ||
	       lxfw_scenario_option(command, option, &to->scenario) ? -1 : 0;
}

/* Another rule of placement than the paper's goes with policies that have no own one,
   and into no journal: it would not replay. */
static int check_placement(const struct lxfw_command *command,
			   const struct arguments *arguments,
			   enum lxfw_policy policy)
{
	if (arguments->scenario.options.placement == LXFW_PLACEMENT_PAPER)
		return 0;
	if (arguments->paths.journal)
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

	if (lxfw_study_is_several(&arguments->study) && arguments->study.count > 0)
		keys = arguments->study.contenders[0].params;
	else if (!keys && arguments->study.count == 0)
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

static bool has_policy(const struct lxfw_contest *contest, enum lxfw_policy policy)
{
	for (size_t i = 0; i < contest->count; i++) {
		if (contest->contestants[i].options.params.policy == policy)
			return true;
	}
	return false;
}

/* The job classes, which the policy of that name needs and no other has; what they
   have no place for is left out. */
static int load_classes(const struct lxfw_command *command,
			struct arguments *arguments,
			const struct lxfw_contest *contest,
			struct lxfw_job_classes **classes)
{
	struct lxfw_scenario *scenario = &arguments->scenario;
	enum lxfw_policy policy = contest->contestants[0].options.params.policy;
	bool needed = has_policy(contest, LXFW_POLICY_CLASSES);
	struct lxfw_error error;
	size_t left_out;

	if (needed && !arguments->classes) {
		lxfw_cmd_misuse(command, "policy classes without job classes, "
				"expected --classes FILE or --classes ncsa-o2k");
		return -1;
	}
	if (!needed && arguments->classes) {
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

static void show_progress(size_t done, size_t all)
{
	lxfw_cmd_progress("simulating", done, all);
}

/* Give the files their names, then print: a file that could not be written must
   not be followed by a result. */
static int finish(const struct arguments *arguments,
		  struct lxfw_simulate_files *files,
		  const struct lxfw_contest *contest, double begun)
{
	bool several = lxfw_study_is_several(&arguments->study);
	struct lxfw_several table = { 0 };
	struct lxfw_report report;
	int failed;

	lxfw_cmd_progress_end();
	if (lxfw_several_make(&table, contest)) {
		lxfw_several_clear(&table);
		lxfw_cmd_note("out of memory");
		return LXFW_EXIT_BAD;
	}
	if (lxfw_simulate_files_page(files, &arguments->paths, &table,
				     arguments->scenario.path) ||
	    lxfw_simulate_files_write(files, &arguments->paths, contest,
				      several)) {
		lxfw_several_clear(&table);
		return LXFW_EXIT_BAD;
	}
	if (several) {
		failed = lxfw_several_print(&table, arguments->format, stdout);
	} else {
		lxfw_several_report(contest, 0, &report);
		if (arguments->timing)
			report.wall = lxfw_cmd_clock() - begun;
		failed = lxfw_report_print(&report, arguments->format, stdout);
	}
	lxfw_several_clear(&table);
	if (failed) {
		lxfw_cmd_note("out of memory");
		return LXFW_EXIT_BAD;
	}
	if (several && arguments->timing)
		lxfw_cmd_note("%.3f s", lxfw_cmd_clock() - begun);
	return lxfw_cmd_finish(LXFW_EXIT_DONE);
}

/* What goes with what. */
static int check_study(const struct lxfw_command *command,
		       const struct arguments *arguments)
{
	const struct lxfw_study *study = &arguments->study;
	const struct lxfw_simulate_paths *paths = &arguments->paths;
	bool several = study->count > 1 || study->named;

	if (several && arguments->params)
		return lxfw_cmd_misuse(command, "--params with several contenders, "
				       "expected --contender NAME=KEYS");
	if (lxfw_study_is_several(study) && paths->journal)
		return lxfw_cmd_misuse(command, "--journal of several simulations, "
				       "expected one --policy");
	if (several && arguments->scenario.options.mixed)
		return lxfw_cmd_misuse(command, "--adaptive with several "
				       "contenders, expected one --policy");
	if (study->of_shake && study->copies == 0)
		return lxfw_cmd_misuse(command, "--%s without --shake",
				       study->of_shake);
	if (paths->window && !paths->report)
		return lxfw_cmd_misuse(command, "--window without --report");
	if (paths->users && !study->fairness)
		return lxfw_cmd_misuse(command, "--users-out without --fairness");
	if (paths->series_step > 0 && !paths->series)
		return lxfw_cmd_misuse(command, "--series-step without "
				       "--series-out");
	if (arguments->seeded && !arguments->scenario.options.mixed &&
	    study->copies == 0 && study->model.kind == LXFW_ESTIMATE_AS_RECORDED)
		return lxfw_cmd_misuse(command, "--seed without --adaptive, "
				       "--shake or --estimates model:");
	return 0;
}

/* The parameters of each contender. A site's own, unless others were given. */
static int load_params(struct arguments *arguments, struct lxfw_contest *contest)
{
	const struct lxfw_study *study = &arguments->study;
	struct lxfw_contestant *first = contest->contestants;

	if (study->count <= 1 && !study->named) {
		first->name = study->count > 0 ? study->contenders[0].policy : NULL;
		if (lxfw_cmd_site_params(&first->options.params, first->name,
					 arguments->params,
					 arguments->scenario.cluster.parameters))
			return -1;
		first->name = lxfw_policy_name(first->options.params.policy);
		contest->count = 1;
		return 0;
	}
	for (size_t i = 0; i < study->count; i++) {
		struct lxfw_contestant *one = &contest->contestants[i];

		one->name = study->contenders[i].name;
		if (lxfw_study_params(study, i, &one->options.params))
			return -1;
	}
	contest->count = study->count;
	return 0;
}

/* The trace is read for all of them: jobs that one cannot have are left out of all. */
static void choose_params(struct lxfw_scenario *scenario,
			  const struct lxfw_contest *contest)
{
	scenario->options.params = contest->contestants[0].options.params;
	for (size_t i = 0; i < contest->count; i++) {
		const struct lxfw_params *params =
			&contest->contestants[i].options.params;

		if (params->policy == LXFW_POLICY_EQSPATIAL)
			scenario->options.params = *params;
	}
}

static int load(const struct lxfw_command *command, struct arguments *arguments,
		struct lxfw_contest *contest)
{
	struct lxfw_scenario *scenario = &arguments->scenario;

	if (check_study(command, arguments) || lxfw_scenario_machine(scenario) ||
	    load_params(arguments, contest))
		return -1;
	choose_params(scenario, contest);
	if (check_adaptive(command, arguments))
		return -1;
	scenario->with_owners = arguments->paths.jobs || arguments->paths.report ||
				arguments->study.fairness;
	if (lxfw_scenario_trace(command, scenario) ||
	    lxfw_study_change_trace(&arguments->study, scenario))
		return -1;
	for (size_t i = 0; i < contest->count; i++) {
		if (check_placement(command, arguments,
				    contest->contestants[i].options.params.policy))
			return -1;
	}
	return 0;
}

/* What each contender has of the scenario, but for its parameters. */
static void equip(const struct arguments *arguments, struct lxfw_contest *contest,
		  const struct lxfw_job_classes *classes,
		  struct lxfw_simulate_files *files)
{
	for (size_t i = 0; i < contest->count; i++) {
		struct lxfw_contestant *one = &contest->contestants[i];
		struct lxfw_params params = one->options.params;

		one->options = arguments->scenario.options;
		one->options.params = params;
		one->options.keep_hosts = arguments->paths.jobs;
		if (params.policy == LXFW_POLICY_CLASSES)
			one->classes = classes;
	}
	if (files->journal)
		contest->contestants[0].journal = &files->writer;
}

static int simulate(const struct lxfw_command *command,
		    struct arguments *arguments, double begun)
{
	struct lxfw_scenario *scenario = &arguments->scenario;
	const struct lxfw_study *study = &arguments->study;
	struct lxfw_contestant contestants[LXFW_CONTESTANTS_MAX] = { 0 };
	struct lxfw_contest contest = {
		.trace = &scenario->trace, .cluster = &scenario->cluster,
		.counting = study->counting, .shake = study->shake,
		.copies = (size_t)study->copies, .period = study->period,
		.want_series = arguments->paths.series,
		.want_fairness = study->fairness, .threads = (int)study->threads,
		.progress = show_progress, .contestants = contestants,
	};
	struct lxfw_job_classes *classes = NULL;
	struct lxfw_simulate_files files = { 0 };
	struct lxfw_error error;
	int status = LXFW_EXIT_BAD;

	if (load(command, arguments, &contest) ||
	    load_classes(command, arguments, &contest, &classes) ||
	    lxfw_simulate_files_open(&files, &arguments->paths))
		goto done;
	equip(arguments, &contest, classes, &files);
	if (lxfw_contest_run(&contest, &error))
		lxfw_cmd_note("%s: %s", scenario->path, error.text);
	else
		status = finish(arguments, &files, &contest, begun);
done:
	lxfw_simulate_files_abort(&files);
	lxfw_contest_clear(&contest);
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

	lxfw_study_begin(&arguments.study);
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
	.more_help = more_help,
	.run = run,
};
