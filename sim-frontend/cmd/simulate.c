/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw simulate: simulates a trace on a cluster under a policy. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/params/keys.h"
#include "common/params/policy.h"
#include "common/policy/registry.h"
#include "sim-frontend/cmd/history.h"
#include "sim-frontend/cmd/priorities.h"
#include "sim-frontend/cmd/simulate_feedback.h"
#include "sim-frontend/cmd/simulate_files.h"
#include "sim-frontend/cmd/simulate_from.h"
#include "sim-frontend/cmd/simulate_help.h"
#include "sim-frontend/cmd/study.h"
#include "sim-frontend/report/several.h"
#include "sim-frontend/trace/job_classes_text.h"
#include "sim-frontend/util/text.h"

struct arguments {
	const char *classes, *params;
	const char *only_adaptive;	/* an option that requires --adaptive */
	bool seeded;			/* --seed was given */
	bool timing, feeds;		/* --timing, --feedback */
	int placement;			/* 1 + enum lxfw_placement; 0: not given */
	enum lxfw_format format;
	struct lxfw_simulate_paths paths;
	struct lxfw_scenario scenario;
	struct lxfw_study study;
	struct lxfw_cmd_priorities priorities;
	struct lxfw_cmd_history history;
	struct lxfw_learned learned;	/* with --estimates history */
	struct lxfw_feedback feedback;
};

enum {
	POLICY = LXFW_OPTION_FIRST, POLICY_FILE, CLASSES, PARAMS, PLACEMENT, ADAPTIVE,
	MIN_PROCS, SEED, ONLY_FROM,
	TIMING, FEEDBACK, JOBS_OUT, JOURNAL, SERIES_OUT, SERIES_STEP, USERS_OUT,
	REPORT, WINDOW, MACHINE, SCHEDULE_OUT,
};

/* Former names of options, which are still accepted. */
#define FORMER_OPTIONS \
	{ "least", required_argument, NULL, MIN_PROCS }

static const struct option options[] = {
	LXFW_SCENARIO_OPTIONS,
	LXFW_STUDY_OPTIONS,
	LXFW_PRIORITIES_OPTIONS,
	LXFW_FORMAT_OPTIONS,
	{ "policy", required_argument, NULL, POLICY },
	{ "policy-file", required_argument, NULL, POLICY_FILE },
	{ "classes", required_argument, NULL, CLASSES },
	{ "params", required_argument, NULL, PARAMS },
	{ "placement", required_argument, NULL, PLACEMENT },
	{ "speedup", required_argument, NULL, LXFW_SCENARIO_SPEEDUP },
	{ "adaptive", required_argument, NULL, ADAPTIVE },
	{ "min-procs", required_argument, NULL, MIN_PROCS },
	FORMER_OPTIONS,
	{ "seed", required_argument, NULL, SEED },
	{ "timing", no_argument, NULL, TIMING },
	{ "feedback", no_argument, NULL, FEEDBACK },
	{ "jobs-out", required_argument, NULL, JOBS_OUT },
	{ "schedule-out", required_argument, NULL, SCHEDULE_OUT },
	{ "series-out", required_argument, NULL, SERIES_OUT },
	{ "series-step", required_argument, NULL, SERIES_STEP },
	{ "users-out", required_argument, NULL, USERS_OUT },
	{ "report", required_argument, NULL, REPORT },
	{ "window", required_argument, NULL, WINDOW },
	{ "journal", required_argument, NULL, JOURNAL },
	{ "machine", required_argument, NULL, MACHINE },
	{ "from", required_argument, NULL, ONLY_FROM },
	{ "down", required_argument, NULL, ONLY_FROM },
	{ "reserve", required_argument, NULL, ONLY_FROM },
	{ "partition", required_argument, NULL, ONLY_FROM },
	{ "hours", required_argument, NULL, ONLY_FROM },
	{ "until", required_argument, NULL, ONLY_FROM },
	{ "run-times", required_argument, NULL, ONLY_FROM },
	{ "submissions", required_argument, NULL, ONLY_FROM },
	{ "futures", required_argument, NULL, ONLY_FROM },
	{ "dates", no_argument, NULL, ONLY_FROM },
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
	return lxfw_cmd_bad_value(command, "adaptive", text, "all, a fraction from 0 "
				  "to 1, queue:, user: or group: followed by "
				  "names separated by colons, or a file");
}

static int take_min_procs(const struct lxfw_command *command, struct arguments *to)
{
	int64_t number;

	to->only_adaptive = "min-procs";
	if (lxfw_cmd_integer(command, "min-procs", optarg, 1, INT32_MAX, &number))
		return -1;
	to->scenario.adaptive.min_procs = (int32_t)number;
	return 0;
}

/* One seed for all random numbers; each use has a separate stream. */
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

/* The last one counts. */
static int take_estimates(const struct lxfw_command *command, const char *text,
			  struct arguments *to)
{
	int kind;

	to->study.model.kind = LXFW_ESTIMATE_AS_RECORDED;
	to->history.estimates = false;
	to->history.path = NULL;
	to->scenario.options.estimates = LXFW_ESTIMATES_REQUESTED;
	kind = lxfw_cmd_history_estimates(command, text, &to->history);
	if (kind == 0)
		kind = lxfw_study_estimates(command, text, &to->study);
	if (kind)
		return kind < 0 ? -1 : 0;
	return lxfw_scenario_option(command, LXFW_SCENARIO_ESTIMATES, &to->scenario);
}

static int take_series_step(const struct lxfw_command *command,
			    struct arguments *to)
{
	if (lxfw_cmd_duration(command, "series-step", optarg,
			      &to->paths.series_step))
		return -1;
	if (to->paths.series_step > 0)
		return 0;
	lxfw_cmd_misuse(command, "--series-step 0, expected a duration above 0");
	return -1;
}

/* FORM:FILE */
static int take_schedule(const struct lxfw_command *command, const char *text,
			 struct lxfw_simulate_paths *paths)
{
	static const char *const forms[] = { "swf:", "batsim:", "sacct:" };

	if (paths->schedule)
		return lxfw_cmd_misuse(command, "--schedule-out is given twice, expected one file");
	for (int i = 0; i < 3; i++) {
		size_t length = strlen(forms[i]);

		if (strncmp(text, forms[i], length) != 0 || !text[length])
			continue;
		paths->schedule = text + length;
		paths->schedule_form = (enum lxfw_schedule_form)i;
		return 0;
	}
	return lxfw_cmd_bad_value(command, "schedule-out", text,
				  "swf:FILE, batsim:FILE or sacct:FILE");
}

static int take_option(const struct lxfw_command *command, int option,
		       struct arguments *to)
{
	int kind = lxfw_cmd_format(command, option, &to->format);

	if (kind)
		return kind < 0 ? -1 : 0;
	switch (option) {
	case ONLY_FROM:
		lxfw_cmd_misuse(command, "an option of --from without it, expected --from "
				"SNAPSHOT; see 'What if, from now' of --help");
		return -1;
	case POLICY:
		return lxfw_study_policy(command, optarg, &to->study);
	case POLICY_FILE:
		return lxfw_study_policy_file(command, optarg, &to->study);
	case CLASSES:
		to->classes = optarg;
		return 0;
	case PARAMS:
		to->params = optarg;
		return 0;
	case PLACEMENT:
		kind = lxfw_cmd_choice(command, "placement", optarg,
				       LXFW_PLACEMENT_NAMES);
		if (kind < 0)
			return -1;
		to->placement = 1 + kind;
		return 0;
	case JOBS_OUT:
		to->paths.jobs = optarg;
		return 0;
	case SCHEDULE_OUT:
		return take_schedule(command, optarg, &to->paths);
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
	case FEEDBACK:
		to->feeds = true;
		return 0;
	case ADAPTIVE:
		return take_adaptive(command, optarg, &to->scenario);
	case MIN_PROCS:
		return take_min_procs(command, to);
	case SEED:
		return take_seed(command, to);
	case MACHINE:
		to->history.machine = optarg;
		return lxfw_cmd_history_name(command, optarg);
	case LXFW_SCENARIO_ESTIMATES:
		return take_estimates(command, optarg, to);
	}
	lxfw_priorities_option(&to->priorities, option);
	return lxfw_study_option(command, option, &to->study) ||
	       lxfw_scenario_option(command, option, &to->scenario) ? -1 : 0;
}

/* A placement rule other than the paper's requires a policy without its own rule, and a schedule
   for other tools one under which jobs keep their processors. */
static int check_placement(const struct lxfw_command *command,
			   const struct arguments *arguments,
			   enum lxfw_policy policy)
{
	int length;

	/* None of the formats has a job that changes its processors. */
	if (arguments->paths.schedule && (lxfw_policy_has(policy, LXFW_TRAIT_MOLDABLE) ||
					  lxfw_policy_has(policy, LXFW_TRAIT_ADAPTIVE)))
		return lxfw_cmd_misuse(command, "--schedule-out with policy %s, whose jobs run on "
				       "fewer processors than requested, expected --jobs-out or "
				       "--journal", lxfw_policy_name(policy));
	if (!arguments->placement)
		return 0;
	if (lxfw_params_value(arguments->params, "lxfw_placement", &length))
		return lxfw_cmd_misuse(command, "--placement with lxfw_placement, "
				       "expected one of them");
	if (arguments->placement > 1 && lxfw_policy_has(policy, LXFW_TRAIT_OWN_PLACING))
		return lxfw_cmd_misuse(command, "--placement with policy %s, "
				       "which has its own placement rule",
				       lxfw_policy_name(policy));
	return 0;
}

/* Reads the site's rules for adaptive jobs from keys that the library ignores. */
static void take_site_rules(struct lxfw_scenario *scenario, const char *keys)
{
	static const char *const names[] = {
		"lxfw_eq_partition", "lxfw_eq_multi_node", "lxfw_eq_max_stretch",
	};
	struct lxfw_adaptive *adaptive = &scenario->adaptive;
	int length;

	if (lxfw_params_value(keys, "lxfw_eq_qos", &length))
		lxfw_cmd_note("lxfw_eq_qos is ignored: traces contain no QOS");
	for (int i = 0; i < 3 && !scenario->options.mixed; i++) {
		if (lxfw_params_value(keys, names[i], &length))
			lxfw_cmd_note("%s has no effect without --adaptive",
				      names[i]);
	}
	adaptive->partitions = lxfw_params_value(keys, names[0],
						 &adaptive->partitions_length);
	scenario->refuse_wide = lxfw_params_number(keys, names[1]) ==
				LXFW_MULTI_NODE_REFUSE;
	scenario->options.max_stretch = lxfw_params_number(keys, names[2]);
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
	if (scenario->options.mixed && !lxfw_policy_has(policy, LXFW_TRAIT_ADAPTIVE))
		return lxfw_cmd_misuse(command, "--adaptive with policy %s, "
				       "expected eqspatial",
				       lxfw_policy_name(policy));
	if (lxfw_policy_has(policy, LXFW_TRAIT_ADAPTIVE))
		take_site_rules(scenario, keys);
	return 0;
}

static bool any_has(const struct lxfw_contest *contest, enum lxfw_policy_trait trait)
{
	for (size_t i = 0; i < contest->count; i++) {
		if (lxfw_policy_has(contest->contestants[i].options.params.policy,
				    trait))
			return true;
	}
	return false;
}

/* Loads the job classes, which only policy classes needs and accepts. Jobs that they
   cannot represent are left out. */
static int load_classes(const struct lxfw_command *command,
			struct arguments *arguments,
			const struct lxfw_contest *contest,
			struct lxfw_job_classes **classes)
{
	struct lxfw_scenario *scenario = &arguments->scenario;
	enum lxfw_policy policy = contest->contestants[0].options.params.policy;
	bool needed = any_has(contest, LXFW_TRAIT_CLASSES);
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
		lxfw_cmd_note("%s: %zu jobs left out: no job class fits them, "
			      "or no host of their class does",
			      scenario->path, left_out);
	if (scenario->trace.count == 0) {
		lxfw_cmd_note("%s: no jobs remain to simulate",
			      scenario->path);
		return -1;
	}
	return 0;
}

static void show_progress(size_t done, size_t all)
{
	lxfw_cmd_progress("simulating", done, all);
}

/* Commits the files, then prints: if a file cannot be written, no result may be
   printed. */
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

/* Checks that options are compatible. */
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
	if (lxfw_study_is_several(study) && paths->schedule)
		return lxfw_cmd_misuse(command, "--schedule-out of several simulations, "
				       "expected one --policy");
	if (several && arguments->scenario.options.mixed)
		return lxfw_cmd_misuse(command, "--adaptive with several "
				       "contenders, expected one --policy");
	if (study->depth && !lxfw_study_has_formula(study))
		return lxfw_cmd_misuse(command, "--pbs-depth without --pbs-formula");
	if (study->of_shake && study->copies == 0)
		return lxfw_cmd_misuse(command, "--%s without --shake",
				       study->of_shake);
	if (arguments->history.machine && !arguments->history.path)
		return lxfw_cmd_misuse(command, "--machine without --estimates history:FILE");
	if (paths->window && !paths->report)
		return lxfw_cmd_misuse(command, "--window without --report");
	if (paths->users && !study->fairness)
		return lxfw_cmd_misuse(command, "--users-out without --fairness");
	if (study->fairness && arguments->feeds)
		return lxfw_cmd_misuse(command, "--fairness with --feedback: a fair start "
				       "supposes the same submissions, expected one of them");
	if (study->load > 0 && arguments->feeds)
		return lxfw_cmd_misuse(command, "--load with --feedback, whose think times are "
				       "not scaled, expected one of them");
	if (paths->series_step > 0 && !paths->series)
		return lxfw_cmd_misuse(command, "--series-step without "
				       "--series-out");
	if (arguments->seeded && !arguments->scenario.options.mixed &&
	    study->copies == 0 && study->model.kind == LXFW_ESTIMATE_AS_RECORDED)
		return lxfw_cmd_misuse(command, "--seed without --adaptive, "
				       "--shake or --estimates model:");
	return 0;
}

/* Determines the parameters of each contender: those of the site unless others were
   given. */
static int load_params(struct arguments *arguments, struct lxfw_contest *contest)
{
	const struct lxfw_study *study = &arguments->study;
	struct lxfw_contestant *first = contest->contestants;

	contest->count = 1;
	if (study->count == 1 && study->contenders[0].script) {
		first->name = study->contenders[0].name;
		return lxfw_study_script_params(&study->contenders[0],
						arguments->params,
						&first->options.params);
	}
	if (study->count <= 1 && !study->named) {
		first->name = study->count > 0 ? study->contenders[0].policy : NULL;
		if (lxfw_cmd_site_params(&first->options.params, first->name,
					 arguments->params,
					 arguments->scenario.cluster.parameters))
			return -1;
		first->name = lxfw_policy_name(first->options.params.policy);
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

/* Selects the parameters for reading the trace. Jobs that do not fit for one contender
   are left out for all. */
static void choose_params(struct lxfw_scenario *scenario,
			  const struct lxfw_contest *contest)
{
	scenario->options.params = contest->contestants[0].options.params;
	for (size_t i = 0; i < contest->count; i++) {
		const struct lxfw_params *params =
			&contest->contestants[i].options.params;

		if (lxfw_policy_has(params->policy, LXFW_TRAIT_ADAPTIVE))
			scenario->options.params = *params;
	}
}

/* Of the site, for contenders whose order counts them. */
static int load_priorities(struct arguments *arguments, const struct lxfw_contest *contest)
{
	struct lxfw_scenario *scenario = &arguments->scenario;

	if (lxfw_priorities_of_trace(&arguments->priorities,
			lxfw_contest_counts_priority(contest), scenario->machine,
			&scenario->cluster, &scenario->trace))
		return -1;
	scenario->options.priorities = lxfw_priorities_loaded(&arguments->priorities);
	return 0;
}

static int load(const struct lxfw_command *command, struct arguments *arguments,
		struct lxfw_contest *contest)
{
	struct lxfw_scenario *scenario = &arguments->scenario;

	if (check_study(command, arguments) ||
	    lxfw_study_load(&arguments->study) ||
	    lxfw_scenario_machine(scenario) || load_params(arguments, contest))
		return -1;
	choose_params(scenario, contest);
	if (check_adaptive(command, arguments))
		return -1;
	scenario->with_owners = arguments->paths.jobs || arguments->paths.report ||
				arguments->paths.schedule || arguments->study.fairness ||
				arguments->history.estimates;
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

/* The trace is the one that is simulated. */
static int load_history(struct arguments *arguments)
{
	struct lxfw_scenario *scenario = &arguments->scenario;

	if (!arguments->history.estimates)
		return 0;
	if (lxfw_cmd_history_learn(&arguments->history, &scenario->trace, scenario->path,
				   &arguments->learned))
		return -1;
	scenario->options.learned = &arguments->learned;
	return 0;
}

/* The trace is the one that is simulated. */
static int load_feedback(struct arguments *arguments)
{
	struct lxfw_scenario *scenario = &arguments->scenario;

	if (!arguments->feeds)
		return 0;
	if (lxfw_simulate_feedback(&arguments->feedback, &scenario->trace, scenario->path))
		return -1;
	scenario->options.feedback = &arguments->feedback;
	return 0;
}

/* Sets the options of each contender other than its parameters, and its placement rule. */
static void equip(const struct arguments *arguments, struct lxfw_contest *contest,
		  const struct lxfw_job_classes *classes,
		  struct lxfw_simulate_files *files)
{
	for (size_t i = 0; i < contest->count; i++) {
		struct lxfw_contestant *one = &contest->contestants[i];
		struct lxfw_params params = one->options.params;

		if (arguments->placement)
			params.placement = arguments->placement - 1;
		one->options = arguments->scenario.options;
		one->options.params = params;
		one->options.keep_hosts = arguments->paths.jobs || arguments->paths.schedule;
		if (lxfw_policy_has(params.policy, LXFW_TRAIT_CLASSES))
			one->classes = classes;
	}
	if (!files->journal)
		return;
	lxfw_journal_writer_name(&files->writer, contest->trace);
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
	    load_priorities(arguments, &contest) || load_history(arguments) ||
	    load_feedback(arguments) ||
	    lxfw_simulate_files_open(&files, &arguments->paths))
		goto done;
	equip(arguments, &contest, classes, &files);
	if (lxfw_contest_run(&contest, &error) == 0)
		status = finish(arguments, &files, &contest, begun);
	else if (errno == ENOEXEC)	/* the message names the file of the policy */
		lxfw_cmd_bad(&error);
	else
		lxfw_cmd_note("%s: %s", scenario->path, error.text);
done:
	lxfw_simulate_files_abort(&files);
	lxfw_contest_clear(&contest);
	lxfw_priorities_clear(&arguments->priorities);
	lxfw_scenario_clear(scenario);
	lxfw_study_clear(&arguments->study);
	lxfw_learned_clear(&arguments->learned);
	lxfw_feedback_clear(&arguments->feedback);
	free(classes);
	return status;
}

static int run(const struct lxfw_command *command, int argc, char **argv)
{
	struct arguments arguments = {
		.format = LXFW_FORMAT_TABLE,
		.scenario.adaptive = { .min_procs = 1, .seed = 1 },
	};
	double begun = lxfw_cmd_clock();
	int option, status;

	if (lxfw_simulate_is_from(argc, argv))
		return lxfw_simulate_from(command, argc, argv);
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
	if (lxfw_simulate_files_apart(command, &arguments.paths, &arguments.scenario,
				      &arguments.study, &arguments.priorities,
				      &arguments.history, arguments.classes))
		return LXFW_EXIT_BAD;
	if (arguments.classes)
		arguments.scenario.options.one_host = true;
	return simulate(command, &arguments, begun);
}

const struct lxfw_command lxfw_command_simulate = {
	.name = "simulate",
	.arguments = "TRACE | --from SNAPSHOT",
	.summary = "simulate a trace on a cluster under one or more policies",
	.help = lxfw_simulate_help,
	.more_help = lxfw_simulate_more_help,
	.last_help = lxfw_simulate_last_help,
	.run = run,
};
