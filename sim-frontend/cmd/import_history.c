/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/import_history.h"

#include <math.h>

#include "sim-frontend/cmd/import_trace.h"
#include "sim-frontend/history/ran_file.h"

static int add_trace(struct lxfw_import_history *history, const struct lxfw_trace *trace)
{
	struct lxfw_ran_added added = {
		.machine = history->to.machine,
		.speed = (int32_t)round(history->speed * LXFW_RAN_SPEED),
	};
	struct lxfw_rans rans = { 0 };
	struct lxfw_error error;
	int result = lxfw_rans_trace(&rans, trace);

	if (result)
		lxfw_cmd_note("out of memory");
	if (result == 0 && lxfw_ran_file_add(&rans, history->to.path, &added, &error)) {
		lxfw_cmd_bad(&error);
		result = -1;
	}
	history->learned = (struct lxfw_import_learned) {
		added.machine, added.jobs, added.fresh, rans.no_limit,
	};
	lxfw_rans_clear(&rans);
	return result;
}

int lxfw_import_history(struct lxfw_import_history *history, const struct lxfw_log *log,
			const char *path)
{
	struct lxfw_trace trace;
	int result;

	if (lxfw_import_trace(&trace, log, path, "--history"))
		return -1;
	result = add_trace(history, &trace);
	lxfw_trace_clear(&trace);
	return result;
}

void lxfw_import_history_print(const struct lxfw_import_history *history, FILE *out)
{
	const struct lxfw_import_learned *learned = &history->learned;

	fprintf(out, "%s: machine %s: %zu jobs, %zu of them new\n", history->to.path,
		learned->machine, learned->jobs, learned->new_jobs);
	if (learned->no_limit > 0)
		lxfw_cmd_note("%zu jobs are not learned: without a requested time",
			      learned->no_limit);
}
