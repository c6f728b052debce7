/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw predict --history, --learn: run times of jobs that ended before the journal began. */
#include "sim-frontend/cmd/history.h"
#include "sim-frontend/cmd/now_runs.h"
#include "sim-frontend/cmd/predict.h"

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

/* The jobs of the data base on the machine. */
static int read_file(const struct lxfw_predict_arguments *arguments, struct lxfw_rans *rans)
{
	const struct lxfw_cmd_history history = {
		.path = arguments->history, .machine = arguments->machine,
	};
	int32_t machine;

	if (lxfw_cmd_history_read(&history, rans))
		return LXFW_EXIT_BAD;
	machine = lxfw_cmd_history_machine(&history, rans);
	if (machine < 0)
		return LXFW_EXIT_BAD;
	lxfw_rans_keep(rans, machine);
	return 0;
}

static int carry_out(const struct lxfw_predict_arguments *arguments, struct lxfw_past *past,
		     int64_t now, struct lxfw_rans *rans)
{
	bool own = arguments->now && !arguments->history && arguments->learn_count == 0;
	int status = arguments->history ? read_file(arguments, rans) :
		     own ? lxfw_now_runs(rans) : 0;

	/* What the site sets for its users (LXFW_HISTORY) must not keep answers from them. */
	if (status && arguments->history && arguments->usual_history) {
		lxfw_cmd_note("LXFW_HISTORY: run times of the site are not known");
		lxfw_rans_clear(rans);
		status = 0;
	}

	for (size_t i = 0; i < arguments->learn_count && status == 0; i++)
		status = add_log(rans, arguments->learn[i]);
	if (status)
		return status;
	if (lxfw_past_rans(past, rans))
		return out_of_memory();
	return replace_experience(rans, past, now);
}

int lxfw_predict_history(const struct lxfw_predict_arguments *arguments,
			 struct lxfw_past *past, int64_t now)
{
	struct lxfw_rans rans = { 0 };
	int status = carry_out(arguments, past, now, &rans);

	lxfw_rans_clear(&rans);
	return status;
}
