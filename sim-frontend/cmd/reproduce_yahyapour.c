/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/reproduce_yahyapour.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/experiment/yahyapour.h"
#include "sim-frontend/experiment/yahyapour_grid.h"
#include "sim-frontend/util/text.h"

static int take_tables(const struct lxfw_command *command, const char *text,
		       bool wanted[LXFW_YAHYAPOUR_TABLES])
{
	for (;;) {
		size_t length = strcspn(text, ",");
		char quoted[40];
		int table = LXFW_YAHYAPOUR_TABLES - 1;

		while (table >= 0 &&
		       (strlen(lxfw_yahyapour_table_names[table]) != length ||
			strncmp(text, lxfw_yahyapour_table_names[table],
				length) != 0))
			table--;
		if (table < 0) {
			lxfw_cmd_misuse(command, "--tables '%s', expected a "
				"comma-separated list out of 2.4, 2.5, 2.6, 2.7, "
				"128 and 256",
				lxfw_text_quote(quoted, sizeof(quoted), text,
						length));
			return -1;
		}
		wanted[table] = true;
		if (text[length] == '\0')
			return 0;
		text += length + 1;
	}
}

static void show_progress(size_t done, size_t all)
{
	lxfw_cmd_progress("simulating", done, all);
}

static int reproduce(const struct lxfw_reproduce_yahyapour *arguments,
		     struct lxfw_yahyapour *experiment)
{
	struct lxfw_trace log = { 0 };
	struct lxfw_error error;
	int status = LXFW_EXIT_BAD;

	if (lxfw_cmd_trace(&log, arguments->trace, LXFW_MEMORY_NONE))
		return status;
	experiment->log = &log;
	if (lxfw_yahyapour_run(experiment, (int)arguments->threads, show_progress,
			       &error)) {
		lxfw_cmd_bad(&error);
		goto done;
	}
	lxfw_cmd_progress_end();
	if (lxfw_yahyapour_print(experiment, arguments->format, stdout))
		lxfw_cmd_note("out of memory");
	else
		status = lxfw_cmd_finish(LXFW_EXIT_DONE);
done:
	lxfw_trace_clear(&log);
	return status;
}

static int reproduce_grid(const struct lxfw_command *command,
			  const struct lxfw_reproduce_yahyapour *arguments)
{
	struct lxfw_yahyapour_market *market;
	struct lxfw_yahyapour_grid *experiment;
	struct lxfw_trace log = { 0 };
	struct lxfw_error error;
	int status = LXFW_EXIT_BAD;

	if (arguments->tables)
		return lxfw_cmd_misuse(command, "--grid with --tables, expected one of them");
	if (lxfw_cmd_trace(&log, arguments->trace, LXFW_MEMORY_NONE))
		return status;
	experiment = calloc(1, sizeof(*experiment));
	market = calloc(1, sizeof(*market));
	if (!experiment || !market) {
		lxfw_cmd_note("out of memory");
		goto done;
	}
	experiment->log = &log;
	experiment->seed = (uint64_t)arguments->seed;
	experiment->base = arguments->base;
	experiment->overrun = arguments->overrun;
	market->log = &log;
	market->seed = (uint64_t)arguments->seed;
	market->base = arguments->base;
	market->overrun = arguments->overrun;
	if (lxfw_yahyapour_grid_run(experiment, (int)arguments->threads, show_progress,
				    &error) ||
	    lxfw_yahyapour_market_run(market, (int)arguments->threads, show_progress,
				      &error)) {
		lxfw_cmd_bad(&error);
	} else {
		lxfw_cmd_progress_end();
		if (lxfw_yahyapour_grid_print(experiment, market, arguments->format, stdout))
			lxfw_cmd_note("out of memory");
		else
			status = lxfw_cmd_finish(LXFW_EXIT_DONE);
	}
done:
	free(experiment);
	free(market);
	lxfw_trace_clear(&log);
	return status;
}

int lxfw_reproduce_yahyapour(const struct lxfw_command *command,
			     const struct lxfw_reproduce_yahyapour *arguments)
{
	struct lxfw_yahyapour experiment = {
		.jobs = (size_t)arguments->jobs,
		.seed = (uint64_t)arguments->seed,
		.base = arguments->base,
		.overrun = arguments->overrun,
	};

	if (!arguments->trace)
		return lxfw_cmd_misuse(command, "yahyapour2002 requires a log, "
				       "expected --trace");
	if (arguments->grid)
		return reproduce_grid(command, arguments);
	if (arguments->tables &&
	    take_tables(command, arguments->tables, experiment.wanted))
		return LXFW_EXIT_BAD;
	for (int i = 0; i < LXFW_YAHYAPOUR_TABLES && !arguments->tables; i++)
		experiment.wanted[i] = true;
	return reproduce(arguments, &experiment);
}
