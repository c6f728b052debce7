/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/simulate_feedback.h"

#include "sim-frontend/cmd/cmd.h"

int lxfw_simulate_feedback(struct lxfw_feedback *feedback, const struct lxfw_trace *trace,
			   const char *path)
{
	if (lxfw_feedback_make(feedback, trace)) {
		lxfw_cmd_note("out of memory");
		return -1;
	}
	if (feedback->stated == 0) {
		lxfw_cmd_note("%s: no job has a preceding job (column 17) or a dependency: "
			      "--feedback changes nothing", path);
		return 0;
	}
	lxfw_cmd_note("%s: %zu jobs are submitted after the end of other jobs", path,
		      feedback->followers);
	if (feedback->missing > 0)
		lxfw_cmd_note("%s: %zu preceding jobs are not in the log or are left out; jobs "
			      "without another one are submitted as recorded", path,
			      feedback->missing);
	if (feedback->not_earlier > 0)
		lxfw_cmd_note("%s: %zu preceding jobs are the job itself or were submitted after "
			      "it; jobs without another one are submitted as recorded", path,
			      feedback->not_earlier);
	return 0;
}
