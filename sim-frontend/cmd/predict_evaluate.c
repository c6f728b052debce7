/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw predict --evaluate: how good predictions are on a log. */
#include <stdio.h>
#include <stdlib.h>

#include "sim-frontend/cmd/files_apart.h"
#include "sim-frontend/cmd/predict.h"
#include "sim-frontend/cmd/present.h"
#include "sim-frontend/predict/promises_file.h"
#include "sim-frontend/report/predictions.h"

#define FUTURES 100

/* A future does not look farther than this, seconds. */
#define HORIZON (INT64_C(60) * 86400)

static void show_progress(size_t done, size_t all)
{
	lxfw_cmd_progress_left("predicting", "jobs", done, all, 0);
}

/* Predictions follow the starts of jobs, not what happens to them later. */
static int check_policy(const struct lxfw_params *params)
{
	const char *name = lxfw_policy_name(params->policy);

	if (lxfw_policy_has(params->policy, LXFW_TRAIT_CLASSES))
		lxfw_cmd_note("policy %s needs job classes, which predictions do not have; "
			      "expected another policy", name);
	else if (lxfw_policy_has(params->policy, LXFW_TRAIT_INTERRUPTS) ||
		 lxfw_policy_has(params->policy, LXFW_TRAIT_ADAPTIVE) ||
		 lxfw_policy_has(params->policy, LXFW_TRAIT_MOLDABLE))
		lxfw_cmd_note("policy %s suspends, requeues or resizes jobs, which the futures "
			      "do not model; expected fcfs, easy, conservative, priority, lxfw, "
			      "sjf, site, slurm or another policy that does not", name);
	else if (lxfw_params_serve(params))
		lxfw_cmd_note("lxfw_quantum: immediate service suspends and requeues jobs, "
			      "which the futures do not model; expected lxfw_quantum=0");
	else if (lxfw_params_has(params, LXFW_TRAIT_INTERRUPTS))
		lxfw_cmd_note("lxfw_preempt_tiers suspends jobs, which the futures do not "
			      "model; expected lxfw_preempt_tiers=0");
	else
		return 0;
	return -1;
}

/* Those given; otherwise those of the site. */
static int choose_params(struct lxfw_predict_arguments *arguments,
			 struct lxfw_scenario *scenario)
{
	struct lxfw_params *params = &scenario->options.params;
	char *line;
	int failed;

	if (arguments->policy || arguments->params ||
	    !lxfw_present_is_backfill(&scenario->cluster, scenario->path))
		return lxfw_cmd_site_params(params, arguments->policy ? arguments->policy :
					    scenario->cluster.parameters &&
					    !arguments->params ? NULL : "lxfw",
					    arguments->params, scenario->cluster.parameters);
	arguments->priorities.by_submission = true;
	line = lxfw_present_line(scenario->cluster.parameters);
	if (!line) {
		lxfw_cmd_note("out of memory");
		return -1;
	}
	failed = lxfw_cmd_conf_params(params, "slurm", line);
	free(line);
	return failed;
}

static int load(const struct lxfw_command *command,
		struct lxfw_predict_arguments *arguments)
{
	struct lxfw_scenario *scenario = &arguments->scenario;

	scenario->path = arguments->evaluate;
	scenario->with_owners = true;
	if (lxfw_scenario_machine(scenario) ||
	    choose_params(arguments, scenario) ||
	    check_policy(&scenario->options.params) ||
	    lxfw_scenario_trace(command, scenario) ||
	    lxfw_priorities_of_trace(&arguments->priorities,
			lxfw_engine_counts_priority(&scenario->options.params),
			scenario->machine, &scenario->cluster, &scenario->trace))
		return -1;
	scenario->options.priorities = lxfw_priorities_loaded(&arguments->priorities);
	return 0;
}

static int write_cases(const struct lxfw_walk *walk, const char *path)
{
	struct lxfw_error error;
	struct lxfw_output *out = lxfw_output_open(path, &error);

	if (out) {
		lxfw_predictions_cases(walk, out);
		if (lxfw_output_commit(out, &error) == 0)
			return 0;
	}
	return lxfw_cmd_bad(&error), -1;
}

static int write_promises(const struct lxfw_walk *walk, const char *path)
{
	struct lxfw_promises promises = { 0 };
	struct lxfw_error error = { .text = "out of memory" };
	int failed = lxfw_score_promises(walk, &promises);

	if (!failed)
		failed = lxfw_promises_write(&promises, path, &error);
	lxfw_promises_clear(&promises);
	return failed ? lxfw_cmd_bad(&error), -1 : 0;
}

/* Too few predictions can be judged. */
static void say_few(const struct lxfw_walk *walk, size_t cases, const char *path)
{
	size_t at_once = 0;

	for (size_t i = 0; i < walk->count; i++)
		at_once += walk->cases[i].at_once;
	lxfw_cmd_note("%s: %zu of %zu jobs started at once, and fewer than %d others have a "
		      "wait that became known during the log; expected a longer or busier log "
		      "or a larger --sample", path, at_once, cases, LXFW_CALIBRATION_LEAST);
}

static int judge(const struct lxfw_predict_arguments *arguments, struct lxfw_walk *walk)
{
	struct lxfw_scores scores;

	if (lxfw_score(walk, &scores)) {
		lxfw_cmd_note("out of memory");
		return LXFW_EXIT_BAD;
	}
	if (scores.judged == 0) {
		say_few(walk, scores.cases, arguments->evaluate);
		return LXFW_EXIT_BAD;
	}
	if (arguments->cases && write_cases(walk, arguments->cases))
		return LXFW_EXIT_BAD;
	if (arguments->calibration_out && write_promises(walk, arguments->calibration_out))
		return LXFW_EXIT_BAD;
	if (arguments->format == LXFW_FORMAT_TABLE) {
		lxfw_predictions_text(walk, &scores, stdout);
	} else if (lxfw_predictions_json(walk, &scores, arguments->format, stdout)) {
		lxfw_cmd_note("out of memory");
		return LXFW_EXIT_BAD;
	}
	return lxfw_cmd_finish(LXFW_EXIT_DONE);
}

int lxfw_predict_evaluate(const struct lxfw_command *command,
			  struct lxfw_predict_arguments *arguments)
{
	struct lxfw_walk walk = {
		.trace = &arguments->scenario.trace,
		.cluster = &arguments->scenario.cluster,
		.options = &arguments->scenario.options,
		.measured = arguments->measured, .seed = (uint64_t)arguments->seed,
		.sample = (size_t)arguments->sample, .warmup = arguments->warmup / 100,
		.futures = arguments->futures ? (int)arguments->futures : FUTURES,
		.threads = (int)arguments->threads, .horizon = HORIZON,
		.progress = show_progress,
	};
	struct lxfw_error error;
	char *inputs[] = { (char *)arguments->evaluate };
	int status = LXFW_EXIT_BAD, failed;

	if (lxfw_cmd_files_apart(command, (struct lxfw_cmd_file[]) {
				{ "cases-out", arguments->cases, true },
				{ "calibration-out", arguments->calibration_out, true },
				{ "cluster", arguments->scenario.machine, false },
				{ "assocs", arguments->priorities.assocs, false },
				{ "qos", arguments->priorities.qos, false } },
				 5, inputs, 1) ||
	    load(command, arguments))
		goto done;
	if (arguments->live) {
		status = lxfw_predict_moments(arguments);
		goto done;
	}
	failed = lxfw_walk_run(&walk, &error);
	lxfw_cmd_progress_end();
	if (failed)
		lxfw_cmd_bad(&error);
	else if (walk.count == 0)
		lxfw_cmd_note("%s: the log contains no %s", arguments->evaluate,
			      arguments->measured ? "measured waits" : "jobs after the "
			      "warm-up");
	else
		status = judge(arguments, &walk);
	lxfw_walk_clear(&walk);
done:
	lxfw_priorities_clear(&arguments->priorities);
	lxfw_scenario_clear(&arguments->scenario);
	return status;
}
