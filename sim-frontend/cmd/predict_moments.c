/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw predict --evaluate --live: how good predictions are as a live site gets them. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim-frontend/cmd/predict.h"
#include "sim-frontend/cmd/predict_past.h"
#include "sim-frontend/engine/journal_writer.h"
#include "sim-frontend/engine/simulation.h"
#include "sim-frontend/predict/promises_file.h"
#include "sim-frontend/report/promises.h"
#include "sim-frontend/util/text.h"

static int out_of_memory(void)
{
	lxfw_cmd_note("out of memory");
	return LXFW_EXIT_BAD;
}

static void show_progress(size_t done, size_t all)
{
	lxfw_cmd_progress_left("predicting", "moments", done, all, 0);
}

static void show_simulated(size_t done, size_t all)
{
	lxfw_cmd_progress("simulating", done, all);
}

/* --- the journal -------------------------------------------------------------------- */

static int simulate(const struct lxfw_scenario *scenario, struct lxfw_output *output)
{
	struct lxfw_simulation sim = {
		.trace = &scenario->trace, .cluster = &scenario->cluster,
		.options = &scenario->options, .progress = show_simulated,
	};
	struct lxfw_journal_writer writer = { 0 };
	struct lxfw_error error;
	int failed;

	if (lxfw_journal_writer_begin(&writer, output))
		return out_of_memory(), -1;
	lxfw_journal_writer_name(&writer, &scenario->trace);
	failed = lxfw_simulation_run(&sim, &writer, &error);
	lxfw_cmd_progress_end();
	if (failed)
		lxfw_cmd_bad(&error);
	lxfw_journal_writer_end(&writer);
	lxfw_simulation_clear(&sim);
	return failed;
}

/* Simulates the log and opens its journal, of which no file remains. Returns a descriptor, or
   -1 after a message. */
static int make_journal(const struct lxfw_scenario *scenario)
{
	const char *folder = getenv("TMPDIR");
	struct lxfw_output *output;
	struct lxfw_error error;
	char path[4096];
	int descriptor;

	if (!folder || strlen(folder) > sizeof(path) - 64)
		folder = "/var/tmp";
	snprintf(path, sizeof(path), "%s/lxfw-predict.%ld", folder, (long)getpid());
	output = lxfw_output_open(path, &error);
	if (!output) {
		lxfw_cmd_bad(&error);
		return -1;
	}
	if (simulate(scenario, output)) {
		lxfw_output_abort(output);
		return -1;
	}
	if (lxfw_output_commit(output, &error)) {
		lxfw_cmd_bad(&error);
		return -1;
	}
	descriptor = open(path, O_RDONLY | O_CLOEXEC);
	if (descriptor < 0) {
		lxfw_error_system(&error, path);
		lxfw_cmd_bad(&error);
	}
	unlink(path);
	return descriptor;
}

/* --- figures ------------------------------------------------------------------------ */

static int write_cases(const struct lxfw_predict_past *past, const struct lxfw_kept *kept,
		       const char *path)
{
	struct lxfw_error error;
	struct lxfw_output *out = lxfw_output_open(path, &error);

	if (out) {
		lxfw_promises_cases(&past->moments.promises, kept, &past->replay.names, out);
		if (lxfw_output_commit(out, &error) == 0)
			return 0;
	}
	return lxfw_cmd_bad(&error), -1;
}

static int print(const struct lxfw_predict_arguments *arguments,
		 const struct lxfw_predict_past *past, const struct lxfw_kept *kept)
{
	struct lxfw_error error;

	if (kept->judged_moments == 0) {
		lxfw_cmd_note("%s: at none of %zu moments with waiting jobs is a start in doubt, "
			      "expected a longer or busier log or more --moments",
			      arguments->evaluate, kept->moments);
		return LXFW_EXIT_BAD;
	}
	if (arguments->cases && write_cases(past, kept, arguments->cases))
		return LXFW_EXIT_BAD;
	if (arguments->calibration_out &&
	    lxfw_promises_write(&past->moments.promises, arguments->calibration_out, &error))
		return lxfw_cmd_bad(&error);
	if (arguments->format == LXFW_FORMAT_TABLE)
		lxfw_promises_text(&past->moments, kept, stdout);
	else if (lxfw_promises_json(&past->moments, kept, arguments->format, stdout))
		return out_of_memory();
	return lxfw_cmd_finish(LXFW_EXIT_DONE);
}

static int judge(const struct lxfw_predict_arguments *arguments,
		 const struct lxfw_predict_past *past)
{
	struct lxfw_kept kept;
	int status;

	if (lxfw_kept_judge(&past->moments.promises, past->moments.horizon, arguments->look,
			    &kept))
		status = out_of_memory();
	else
		status = print(arguments, past, &kept);
	lxfw_kept_clear(&kept);
	return status;
}

int lxfw_predict_moments(const struct lxfw_predict_arguments *arguments)
{
	const struct lxfw_predict_plan plan = {
		.count = (size_t)arguments->moments, .begin = arguments->warmup / 100,
		.budget = INFINITY,
	};
	char path[64];
	struct lxfw_predict_past past = {
		.journal = path, .alone = true, .until = LXFW_NEVER,
		.moments = {
			.seed = (uint64_t)arguments->seed, .most = SIZE_MAX / 64,
			.futures = arguments->futures ? (int)arguments->futures :
				   LXFW_PREDICT_FUTURES,
			.threads = (int)arguments->threads, .horizon = LXFW_PREDICT_HORIZON,
			.look = arguments->look, .progress = show_progress,
		},
	};
	int descriptor = make_journal(&arguments->scenario), status = LXFW_EXIT_BAD;

	if (descriptor < 0)
		return LXFW_EXIT_BAD;
	snprintf(path, sizeof(path), "/dev/fd/%d", descriptor);
	status = lxfw_predict_find(&past, &plan);
	if (status == 0)
		status = lxfw_predict_read(&past);
	lxfw_cmd_progress_end();
	if (status == 0)
		status = judge(arguments, &past);
	lxfw_predict_past_clear(&past);
	close(descriptor);
	return status;
}
