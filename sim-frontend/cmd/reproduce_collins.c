/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/reproduce_collins.h"

#include <stdio.h>
#include <stdlib.h>

#include "sim-frontend/experiment/collins.h"

static void show_progress(size_t done, size_t all)
{
	lxfw_cmd_progress("simulating", done, all);
}

int lxfw_reproduce_collins(int64_t seeds, int64_t first_seed, int64_t threads,
			   enum lxfw_format format)
{
	struct lxfw_collins *experiment = calloc(1, sizeof(*experiment));
	struct lxfw_error error;
	int status = LXFW_EXIT_BAD;

	if (!experiment) {
		lxfw_cmd_note("out of memory");
		return status;
	}
	experiment->seeds = (int)seeds;
	experiment->first_seed = (uint64_t)first_seed;
	if (lxfw_collins_run(experiment, (int)threads, show_progress, &error)) {
		lxfw_cmd_bad(&error);
	} else {
		lxfw_cmd_progress_end();
		if (lxfw_collins_print(experiment, format, stdout))
			lxfw_cmd_note("out of memory");
		else
			status = lxfw_cmd_finish(LXFW_EXIT_DONE);
	}
	free(experiment);
	return status;
}
