/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/study.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/util/pool.h"
#include "sim-frontend/util/text.h"
#include "sim-frontend/workload/load.h"

#define COPIES_MOST 100000

void lxfw_study_begin(struct lxfw_study *study)
{
	*study = (struct lxfw_study) {
		.shake = { .seed = 1, .arrivals = 60, .runs = 0.1 },
		.period = 7 * 86400, .threads = lxfw_pool_threads(), .model.seed = 1,
	};
}

static int add_contender(const struct lxfw_command *command, const char *name,
			 size_t length, struct lxfw_study *study)
{
	struct lxfw_study_contender *to;

	if (study->count == LXFW_CONTESTANTS_MAX) {
		lxfw_cmd_misuse(command, "more than %d contenders",
				LXFW_CONTESTANTS_MAX);
		return -1;
	}
	to = &study->contenders[study->count];
	memcpy(to->name, name, length);
	to->name[length] = '\0';
	for (size_t i = 0; i < study->count; i++) {
		if (strcmp(study->contenders[i].name, to->name) != 0)
			continue;
		lxfw_cmd_misuse(command, "two contenders are named '%s', "
				"expected different names in --contender "
				"NAME=KEYS",
				to->name);
		return -1;
	}
	study->count++;
	return 0;
}

int lxfw_study_policy(const struct lxfw_command *command, const char *policy,
		      struct lxfw_study *study)
{
	size_t length = strlen(policy);

	if (length >= sizeof(study->contenders[0].name))
		length = sizeof(study->contenders[0].name) - 1;
	if (add_contender(command, policy, length, study))
		return -1;
	study->contenders[study->count - 1].policy = policy;
	return 0;
}

int lxfw_study_policy_file(const struct lxfw_command *command, const char *path,
			   struct lxfw_study *study)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t length = strlen(name);

	if (length >= sizeof(study->contenders[0].name))
		length = sizeof(study->contenders[0].name) - 1;
	if (add_contender(command, name, length, study))
		return -1;
	study->contenders[study->count - 1].file = path;
	return 0;
}

/* The names are formula, formula2, ... */
static int take_formula(const struct lxfw_command *command, const char *formula,
			struct lxfw_study *study)
{
	char name[20] = "formula";
	int number = 1;

	for (size_t i = 0; i < study->count; i++)
		number += study->contenders[i].formula != NULL;
	if (number > 1)
		snprintf(name, sizeof(name), "formula%d", number);
	if (add_contender(command, name, strlen(name), study))
		return -1;
	study->contenders[study->count - 1].formula = formula;
	return 0;
}

static int take_depth(const struct lxfw_command *command, const char *depth,
		      struct lxfw_study *study)
{
	int64_t number;

	study->depth = depth;
	if (strcmp(depth, "none") == 0 ||
	    lxfw_text_integer(depth, strlen(depth), 0, 1000000, &number) == 0)
		return 0;
	return lxfw_cmd_bad_value(command, "pbs-depth", depth, "none, or a number from 0 to "
				  "1000000");
}

/* The policy is that of a file with these lines. */
static struct lxfw_script *make_formula(const struct lxfw_study *study, const char *formula,
					struct lxfw_error *error)
{
	bool strict = !study->depth || strcmp(study->depth, "none") != 0;
	struct lxfw_script *script;
	char *text;

	if (asprintf(&text, "strict_ordering: %s\nbackfill_depth: %s\n%s\n",
		     strict ? "true" : "false", strict && study->depth ? study->depth : "1",
		     formula) < 0) {
		lxfw_error_format(error, "out of memory");
		return NULL;
	}
	script = lxfw_script_of_formula("--pbs-formula", text, error);
	free(text);
	return script;
}

static void note_unknown(const struct lxfw_study_contender *of)
{
	const char *name = lxfw_script_unknown(of->script);

	if (name)
		lxfw_cmd_note("%s: %s is 0 for all jobs, the simulator does not know it",
			      of->name, name);
}

int lxfw_study_load(struct lxfw_study *study)
{
	struct lxfw_error error;

	for (size_t i = 0; i < study->count; i++) {
		struct lxfw_study_contender *one = &study->contenders[i];

		if (!one->file && !one->formula)
			continue;
		one->script = one->file ? lxfw_script_load(one->file, &error) :
					  make_formula(study, one->formula, &error);
		if (!one->script) {
			lxfw_cmd_bad(&error);
			return -1;
		}
		note_unknown(one);
	}
	return 0;
}

bool lxfw_study_has_formula(const struct lxfw_study *study)
{
	for (size_t i = 0; i < study->count; i++) {
		if (study->contenders[i].formula)
			return true;
	}
	return false;
}

void lxfw_study_clear(struct lxfw_study *study)
{
	for (size_t i = 0; i < study->count; i++)
		lxfw_script_free(study->contenders[i].script);
	study->count = 0;
}

/* Parses NAME=PARAMETERS. Names are written to tables and CSV without quotes. A key at
   the beginning means that the name is missing. */
static int take_contender(const struct lxfw_command *command, const char *text,
			  struct lxfw_study *study)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-";
	size_t length = strspn(text, letters);

	if (text[length] != '=' || length == 0 ||
	    length >= sizeof(study->contenders[0].name) ||
	    strncmp(text, "lxfw_", 5) == 0)
		return lxfw_cmd_bad_value(command, "contender", text,
			"NAME=KEYS, a name of up to %zu letters, digits and _.+- "
			"that does not begin with lxfw_",
			sizeof(study->contenders[0].name) - 1);
	if (add_contender(command, text, length, study))
		return -1;
	study->contenders[study->count - 1].params = text + length + 1;
	study->named = true;
	return 0;
}

static int take_of_shake(const struct lxfw_command *command, int option,
			 struct lxfw_study *to)
{
	if (option == LXFW_STUDY_SHAKE)
		return lxfw_cmd_integer(command, "shake", optarg, 2, COPIES_MOST,
					&to->copies);
	if (option == LXFW_STUDY_SHAKE_ARRIVALS) {
		to->of_shake = "shake-arrivals";
		return lxfw_cmd_duration(command, to->of_shake, optarg,
					 &to->shake.arrivals);
	}
	to->of_shake = "shake-runs";
	return lxfw_cmd_number(command, to->of_shake, optarg, 0, 0.99,
			       &to->shake.runs);
}

int lxfw_study_option(const struct lxfw_command *command, int option,
		      struct lxfw_study *to)
{
	switch (option) {
	case LXFW_STUDY_CONTENDER:
		return take_contender(command, optarg, to);
	case LXFW_STUDY_SHAKE:
	case LXFW_STUDY_SHAKE_ARRIVALS:
	case LXFW_STUDY_SHAKE_RUNS:
		return take_of_shake(command, option, to);
	case LXFW_STUDY_PERIOD:
		return lxfw_cmd_length(command, "period", optarg, &to->period);
	case LXFW_STUDY_THREADS:
		return lxfw_cmd_integer(command, "threads", optarg, 1, 256,
					&to->threads);
	case LXFW_STUDY_LOAD:
		return lxfw_cmd_number(command, "load", optarg, 0.001, 1000,
				       &to->load);
	case LXFW_STUDY_WARMUP:
		return lxfw_cmd_duration(command, "warmup", optarg,
					 &to->counting.warmup);
	case LXFW_STUDY_COOLDOWN:
		return lxfw_cmd_duration(command, "cooldown", optarg,
					 &to->counting.cooldown);
	case LXFW_STUDY_THRESHOLD:
		return lxfw_cmd_length(command, "slowdown-threshold", optarg,
				       &to->counting.bound);
	case LXFW_STUDY_FAIRNESS:
		to->fairness = true;
		return 0;
	case LXFW_STUDY_FORMULA:
		return take_formula(command, optarg, to);
	case LXFW_STUDY_DEPTH:
		return take_depth(command, optarg, to);
	}
	return 0;
}

int lxfw_study_estimates(const struct lxfw_command *command, const char *text,
			 struct lxfw_study *study)
{
	if (strncmp(text, "model:", 6) != 0)
		return 0;
	if (lxfw_estimate_model_parse(&study->model, text + 6) == 0)
		return 1;
	return lxfw_cmd_bad_value(command, "estimates", text, "model:f=F with F "
				  "from 0 to 1000000, or model:modal[:LONGEST] with "
				  "1h or more");
}

bool lxfw_study_is_several(const struct lxfw_study *study)
{
	return study->count > 1 || study->named || study->copies > 0;
}

int lxfw_study_script_params(const struct lxfw_study_contender *contender,
			     const char *text, struct lxfw_params *params)
{
	struct lxfw_error error;

	if (lxfw_script_params(contender->script, text, params, &error) == 0)
		return 0;
	lxfw_cmd_note("%s", error.text);
	return -1;
}

int lxfw_study_params(const struct lxfw_study *study, size_t contender,
		      struct lxfw_params *params)
{
	const struct lxfw_study_contender *of = &study->contenders[contender];

	if (of->script)
		return lxfw_study_script_params(of, NULL, params);
	return lxfw_cmd_params(params, of->policy ? of->policy : "easy",
			       of->params);
}

/* Limits run times to the limits of jobs, before the requested times are changed. */
static void cut_runs(const struct lxfw_simulation_options *options,
		     struct lxfw_trace *trace)
{
	for (size_t i = 0; i < trace->count; i++)
		trace->jobs[i].run = lxfw_simulation_run_time(options,
							      &trace->jobs[i]);
}

static int change_load(const struct lxfw_study *study,
		       struct lxfw_scenario *scenario)
{
	struct lxfw_trace *trace = &scenario->trace;
	int64_t procs = scenario->cluster.procs;
	double before = lxfw_offered_load(trace, procs), factor;

	if (lxfw_load_scale(trace, procs, study->load, &factor)) {
		lxfw_cmd_note("%s: cannot scale the load: %s", scenario->path,
			      before == 0 ? "all jobs are submitted at the "
					    "same time" :
			      "the trace would exceed the largest time");
		return -1;
	}
	lxfw_cmd_note("%s: offered load %.4g scaled to %.4g: intervals "
		      "between submissions multiplied by %.6g", scenario->path, before,
		      lxfw_offered_load(trace, procs), factor);
	return 0;
}

static int change_estimates(const struct lxfw_study *study,
			    struct lxfw_scenario *scenario)
{
	const struct lxfw_estimate_model *model = &study->model;
	size_t longer;

	if (lxfw_estimate_model_apply(model, &scenario->trace, &longer)) {
		lxfw_cmd_note("out of memory");
		return -1;
	}
	if (model->kind == LXFW_ESTIMATE_F)
		lxfw_cmd_note("%s: requested times by the f-model, f = %.6g, seed "
			      "%llu", scenario->path, model->f,
			      (unsigned long long)model->seed);
	else
		lxfw_cmd_note("%s: requested times by the modal model, seed %llu",
			      scenario->path, (unsigned long long)model->seed);
	if (longer > 0)
		lxfw_cmd_note("%s: %zu jobs run longer than the longest "
			      "request of the model; their run time is their "
			      "request",
			      scenario->path, longer);
	return 0;
}

int lxfw_study_change_trace(const struct lxfw_study *study,
			    struct lxfw_scenario *scenario)
{
	bool estimates = study->model.kind != LXFW_ESTIMATE_AS_RECORDED;

	if (study->load > 0 || estimates)
		cut_runs(&scenario->options, &scenario->trace);
	if (study->load > 0 && scenario->reservations) {
		lxfw_cmd_note("--load with --reservations, whose times are "
			      "those of the log, expected one of them");
		return -1;
	}
	if (study->load > 0 && change_load(study, scenario))
		return -1;
	return estimates ? change_estimates(study, scenario) : 0;
}
