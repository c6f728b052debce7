/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Simulates a recorded run, writes the files and prints the comparison. */
#include "sim-frontend/cmd/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/params/policy.h"
#include "sim-frontend/util/text.h"
#include "sim-frontend/cmd/compare_infer.h"
#include "sim-frontend/engine/recorded_shake.h"
#include "sim-frontend/report/comparison_copies.h"
#include "sim-frontend/report/comparison_page.h"

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

	if (recorded->kept > 0)
		lxfw_cmd_note("%s: %zu job%s not eligible for a time, which is no part of %s",
			      path, recorded->kept, recorded->kept == 1 ? " was" : "s were",
			      recorded->kept == 1 ? "its wait" : "their waits");
	if (recorded->left > 0)
		lxfw_cmd_note("%s: %zu job%s left to the workload manager: simulated from %s start on",
			      path, recorded->left, recorded->left == 1 ? " was" : "s were",
			      recorded->left == 1 ? "its" : "their");
	if (count == 0)
		return;
	lxfw_cmd_note("%s: %zu job%s cancelled or held before %s started: %s",
		      path, count, count == 1 ? " was" : "s were",
		      count == 1 ? "it" : "they",
		      recorded->cancelled == LXFW_CANCELLED_UNTIL ?
		      "simulated until they were cancelled" :
		      "left out of the simulation (see --cancelled)");
}

/* Files requested by the user; NULL if not requested. */
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

/* Writes the files, then prints: if a file cannot be written, no result may be
   printed. */
static int finish(const struct lxfw_comparison *comparison,
		  struct lxfw_comparison_report *report,
		  enum lxfw_format format, struct files *files)
{
	struct lxfw_output *const outputs[] = { files->page, files->jobs };
	struct lxfw_output *jobs = files->jobs, *page = files->page;
	struct lxfw_error error;

	if (page && write_page(comparison, report, page))
		return LXFW_EXIT_BAD;
	if (jobs)
		lxfw_comparison_jobs(report, jobs);
	*files = (struct files) { NULL, NULL };
	if (lxfw_output_commit_all(outputs, 2, &error))
		return lxfw_cmd_bad(&error);
	if (lxfw_comparison_print(report, format, stdout)) {
		lxfw_cmd_note("out of memory");
		return LXFW_EXIT_BAD;
	}
	return lxfw_cmd_finish(comparison->within > 0 &&
			       !(fabs(report->mean_difference) <=
				 comparison->within) ?
			       LXFW_EXIT_NO : LXFW_EXIT_DONE);
}

/* Simulates the other parameters and compares with the present simulation, which RECORDED
   still holds at the end. Returns 0, or -1 after a message; the caller frees
   INSTEAD->starts. */
static int simulate_instead(const struct lxfw_comparison *comparison, const char *path,
			    const struct lxfw_comparison_report *report,
			    struct lxfw_instead *instead)
{
	struct lxfw_recorded *recorded = comparison->recorded;
	int64_t *starts = malloc((recorded->count + 1) * sizeof(*starts));
	struct lxfw_engine_result result;
	struct lxfw_error error;
	int failed;

	*instead = (struct lxfw_instead) {
		.recorded = recorded, .starts = starts, .verdict = &report->verdict,
		.params = comparison->instead_text, .bound = comparison->bound,
	};
	if (!starts) {
		lxfw_cmd_note("out of memory");
		return -1;
	}
	for (size_t i = 0; i < recorded->count; i++)
		starts[i] = recorded->jobs[i].simulated;
	failed = lxfw_recorded_simulate(recorded, comparison->instead,
					&comparison->overhead, &result, &error);
	for (size_t i = 0; i < recorded->count; i++) {
		int64_t present = starts[i];

		starts[i] = recorded->jobs[i].simulated;
		recorded->jobs[i].simulated = present;
	}
	lxfw_cmd_progress_end();
	if (failed)
		lxfw_cmd_note("%s, --instead: %s", path, error.text);
	else if ((failed = lxfw_instead_measure(instead)) != 0)
		lxfw_cmd_note("out of memory");
	return failed ? -1 : 0;
}

/* Simulates the copies of the run with the parameters of the comparison. */
static int simulate_copies(const struct lxfw_comparison *comparison, bool other_params,
			   const struct lxfw_shaken_look *look, struct lxfw_shaken *shaken,
			   struct lxfw_error *error)
{
	return lxfw_recorded_shake(comparison->recorded,
				   other_params ? &comparison->params : NULL,
				   &comparison->overhead, comparison->copies, look, shaken,
				   error);
}

/* Infers what was requested and simulates with it. BEFORE are the copies without it, if
   something was found. */
static int infer(struct lxfw_comparison *comparison, bool other_params,
		 struct lxfw_inference *inference, struct lxfw_shaken *before,
		 struct lxfw_error *error)
{
	const struct lxfw_params *params = other_params ? &comparison->params :
							  &comparison->recorded->params;

	if (!comparison->infer_asked)
		return 0;
	if (lxfw_compare_infer(comparison, params, inference, error))
		return -1;
	if (!lxfw_inference_any(inference))
		return 0;
	if (simulate_copies(comparison, other_params, NULL, before, error))
		return -1;
	lxfw_shaken_range(before, &inference->range_without);
	lxfw_shaken_include(&inference->range_without, inference->without);
	return lxfw_compare_apply(comparison, params, inference, error);
}

/* Finds the ranges of the simulated figures, and judges the simulation again by them. */
static int find_ranges(const struct lxfw_comparison *comparison, bool other_params,
		       const struct lxfw_shaken *before, struct lxfw_inference *inference,
		       struct lxfw_comparison_report *report, struct lxfw_error *error)
{
	struct lxfw_comparison_copies copies;
	const struct lxfw_shaken_look look = { lxfw_comparison_copies_look, &copies };
	struct lxfw_shaken shaken = { 0 };
	int failed;

	if (comparison->copies == 0)
		return 0;
	if (lxfw_comparison_copies_begin(&copies, report, comparison->copies))
		return lxfw_error_system(error, "perturbed copies");
	failed = simulate_copies(comparison, other_params, &look, &shaken, error);
	lxfw_comparison_copies_end(&copies, report);
	if (failed)
		return -1;
	lxfw_shaken_change(&shaken, before, &inference->change);
	inference->range = report->ranges[LXFW_FIGURE_MEAN];
	if (lxfw_comparison_judge(report, &report->verdict))
		return lxfw_error_system(error, "perturbed copies");
	return 0;
}

static int fail_with(const char *path, const struct lxfw_error *error)
{
	lxfw_cmd_note("%s: %s", path, error->text);
	return LXFW_EXIT_BAD;
}

/* Makes the report of a completed simulation, with other parameters if they are given, and
   prints it. Returns the exit status. */
static int report_run(struct lxfw_comparison *comparison, const char *path, bool other_params,
		      const struct lxfw_shaken *before, struct lxfw_inference *inference,
		      enum lxfw_format format, struct files *files)
{
	struct lxfw_recorded *recorded = comparison->recorded;
	struct lxfw_instead instead = { .starts = NULL };
	struct lxfw_comparison_report report;
	struct lxfw_error error;
	int status = LXFW_EXIT_BAD;

	if (lxfw_comparison_measure(recorded, &comparison->overhead, comparison->bound,
				    &report)) {
		lxfw_cmd_note("out of memory");
		return LXFW_EXIT_BAD;
	}
	if (find_ranges(comparison, other_params, before, inference, &report, &error)) {
		lxfw_comparison_clear(&report);
		return fail_with(path, &error);
	}
	lxfw_cmd_progress_end();
	if (comparison->verdict) {
		report.verdict = *comparison->verdict;
		report.verdict_of_recorded = true;
	}
	report.log = path;
	report.assumed = comparison->assumed;
	report.inference = comparison->infer_asked ? inference : NULL;
	report.policy = lxfw_policy_name(other_params ?
					 comparison->params.policy :
					 recorded->params.policy);
	if (!comparison->instead ||
	    simulate_instead(comparison, path, &report, &instead) == 0) {
		report.instead = comparison->instead ? &instead : NULL;
		status = finish(comparison, &report, format, files);
	}
	lxfw_comparison_clear(&report);
	free((int64_t *)instead.starts);
	return status;
}

int lxfw_compare(struct lxfw_comparison *comparison, const char *path,
		 bool other_params, enum lxfw_format format,
		 const char *jobs_out)
{
	struct lxfw_recorded *recorded = comparison->recorded;
	struct lxfw_engine_result result;
	struct lxfw_inference inference = { .asked = NULL };
	struct lxfw_shaken before = { 0 };
	struct files files;
	struct lxfw_error error;
	int status;

	if (open_files(comparison, jobs_out, &files)) {
		abort_files(&files);
		return LXFW_EXIT_BAD;
	}
	if (comparison->copies < 0)
		comparison->copies = lxfw_shaken_default(recorded->count);
	if (lxfw_recorded_simulate(recorded, other_params ?
				   &comparison->params : NULL,
				   &comparison->overhead, &result, &error) ||
	    infer(comparison, other_params, &inference, &before, &error))
		status = fail_with(path, &error);
	else
		status = report_run(comparison, path, other_params, &before, &inference,
				    format, &files);
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
	if (lxfw_comparison_measure(recorded, overhead, 0, &report)) {
		lxfw_error_set(error, "out of memory");
		return -1;
	}
	*verdict = report.verdict;
	lxfw_comparison_clear(&report);
	return 0;
}
