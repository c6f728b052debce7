/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw predict --history, --learn: run times of jobs that ended before the journal began. */
#include <stdio.h>

#include "sim-frontend/cmd/predict.h"
#include "sim-frontend/predict/ran_file.h"

static int out_of_memory(void)
{
	lxfw_cmd_note("out of memory");
	return LXFW_EXIT_BAD;
}

/* Returns 0, or an exit status after a message. */
static int add_log(struct lxfw_rans *rans, const char *path)
{
	size_t no_limit = rans->no_limit;
	struct lxfw_trace trace;
	int failed;

	if (lxfw_cmd_trace_owners(&trace, path, LXFW_MEMORY_NONE))
		return LXFW_EXIT_BAD;
	failed = lxfw_rans_trace(rans, &trace);
	lxfw_trace_clear(&trace);
	if (failed)
		return out_of_memory();
	if (rans->no_limit > no_limit)
		lxfw_cmd_note("%s: %zu jobs left out: without a time limit", path,
			      rans->no_limit - no_limit);
	return 0;
}

static int replace_experience(struct lxfw_rans *rans, struct lxfw_past *past, int64_t now)
{
	struct lxfw_experience experience = { 0 };

	if (lxfw_rans_learn(rans, now, &experience)) {
		lxfw_experience_clear(&experience);
		return out_of_memory();
	}
	lxfw_experience_clear(&past->experience);
	past->experience = experience;
	return 0;
}

static int carry_out(const struct lxfw_predict_arguments *arguments, struct lxfw_past *past,
		     int64_t now, struct lxfw_rans *rans)
{
	struct lxfw_error error;
	size_t added = 0;
	int status = 0;

	for (size_t i = 0; i < arguments->learn_count && status == 0; i++)
		status = add_log(rans, arguments->learn[i]);
	if (status)
		return status;
	if (past && lxfw_rans_past(rans, past))
		return out_of_memory();
	if (arguments->history && lxfw_ran_file_update(rans, arguments->history, &added,
						       &error))
		return lxfw_cmd_bad(&error);
	if (past)
		return replace_experience(rans, past, now);
	printf("%s: %zu jobs, %zu of them new\n", arguments->history, rans->count, added);
	return lxfw_cmd_finish(LXFW_EXIT_DONE);
}

int lxfw_predict_history(const struct lxfw_predict_arguments *arguments,
			 struct lxfw_past *past, int64_t now)
{
	struct lxfw_rans rans = { 0 };
	int status = carry_out(arguments, past, now, &rans);

	lxfw_rans_clear(&rans);
	return status;
}
