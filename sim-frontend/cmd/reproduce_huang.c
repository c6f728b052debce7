/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/reproduce_huang.h"

#include <stdio.h>
#include <stdlib.h>

#include "sim-frontend/experiment/huang_grid.h"

static void show_progress(size_t done, size_t all)
{
	lxfw_cmd_progress("simulating", done, all);
}

static int print(const struct lxfw_huang *experiment, enum lxfw_format format)
{
	lxfw_cmd_progress_end();
	if (experiment->not_completed + experiment->too_large > 0)
		lxfw_cmd_note("left out %zu jobs that were not completed, %zu of more "
			      "than %d processors", experiment->not_completed,
			      experiment->too_large, LXFW_HUANG_PROCS);
	if (lxfw_huang_print(experiment, format, stdout)) {
		lxfw_cmd_note("out of memory");
		return LXFW_EXIT_BAD;
	}
	return lxfw_cmd_finish(LXFW_EXIT_DONE);
}

static int print_grid(const struct lxfw_huang_grid *experiment, enum lxfw_format format)
{
	lxfw_cmd_progress_end();
	if (experiment->not_completed + experiment->no_site > 0)
		lxfw_cmd_note("left out %zu jobs that were not completed, %zu that do not fit "
			      "at the site of their queue", experiment->not_completed,
			      experiment->no_site);
	if (lxfw_huang_grid_print(experiment, format, stdout)) {
		lxfw_cmd_note("out of memory");
		return LXFW_EXIT_BAD;
	}
	return lxfw_cmd_finish(LXFW_EXIT_DONE);
}

static int reproduce_grid(const struct lxfw_reproduce_huang *arguments)
{
	struct lxfw_huang_grid *experiment = calloc(1, sizeof(*experiment));
	struct lxfw_trace log = { 0 };
	struct lxfw_error error;
	int status = LXFW_EXIT_BAD;

	if (!experiment) {
		lxfw_cmd_note("out of memory");
		return status;
	}
	experiment->log = &log;
	experiment->path = arguments->trace;
	experiment->seeds = (int)arguments->seeds;
	experiment->first_seed = (uint64_t)arguments->first_seed;
	if (lxfw_cmd_trace_owners(&log, arguments->trace, LXFW_MEMORY_NONE))
		goto done;
	if (lxfw_huang_grid_run(experiment, (int)arguments->threads, show_progress, &error))
		lxfw_cmd_bad(&error);
	else
		status = print_grid(experiment, arguments->format);
done:
	lxfw_trace_clear(&log);
	free(experiment);
	return status;
}

int lxfw_reproduce_huang(const struct lxfw_command *command,
			 const struct lxfw_reproduce_huang *arguments)
{
	struct lxfw_trace log = { 0 };
	struct lxfw_huang experiment = {
		.log = &log, .path = arguments->trace, .seeds = (int)arguments->seeds,
		.first_seed = (uint64_t)arguments->first_seed,
	};
	struct lxfw_error error;
	int status = LXFW_EXIT_BAD;

	if (!arguments->trace)
		return lxfw_cmd_misuse(command, "huang requires a log, expected --trace");
	if (arguments->grid)
		return reproduce_grid(arguments);
	if (lxfw_cmd_trace_owners(&log, arguments->trace, LXFW_MEMORY_NONE))
		return status;
	if (lxfw_huang_run(&experiment, (int)arguments->threads, show_progress, &error))
		lxfw_cmd_bad(&error);
	else
		status = print(&experiment, arguments->format);
	lxfw_trace_clear(&log);
	return status;
}
