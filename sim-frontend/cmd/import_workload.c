/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/import_workload.h"

#include <string.h>

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/import_trace.h"

bool lxfw_import_workload_parse(const char *text, struct lxfw_import_workload *workload)
{
	static const struct {
		const char *form;
		enum lxfw_batsim_version version;
	} forms[] = { { "batsim:", LXFW_BATSIM_4 }, { "batsim5:", LXFW_BATSIM_5 } };

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		size_t length = strlen(forms[i].form);

		workload->path = text + length;
		workload->version = forms[i].version;
		if (strncmp(text, forms[i].form, length) == 0 && text[length])
			return true;
	}
	return false;
}

/* Returns the number of jobs that run longer than their limit. */
static size_t count_overruns(const struct lxfw_trace *trace)
{
	size_t count = 0;

	for (size_t i = 0; i < trace->count; i++)
		count += trace->jobs[i].run > trace->jobs[i].limit &&
			 !(trace->owners && trace->owners[i].no_limit);
	return count;
}

static int write_trace(const struct lxfw_trace *trace, enum lxfw_batsim_version version,
		       struct lxfw_output *output)
{
	size_t left_out = trace->no_run_time + trace->no_procs;
	size_t overruns = count_overruns(trace);

	if (trace->count == 0) {
		lxfw_cmd_note("no job has a run time and processors, expected one for "
			      "--workload-out");
		return -1;
	}
	if (lxfw_batsim_write(trace, version, output)) {
		lxfw_cmd_note("out of memory");
		return -1;
	}
	if (left_out > 0)
		lxfw_cmd_note("%zu jobs are not in the workload: without a run time (%zu) or "
			      "without processors (%zu)", left_out, trace->no_run_time,
			      trace->no_procs);
	if (overruns > 0)
		lxfw_cmd_note("%zu jobs ran longer than their limit, where Batsim ends them, as "
			      "'lxfw simulate --overrun kill' does", overruns);
	return 0;
}

int lxfw_import_workload(const struct lxfw_import_workload *workload, const struct lxfw_log *log,
			 const char *path, struct lxfw_output *output)
{
	struct lxfw_trace trace;
	int result;

	if (lxfw_import_trace(&trace, log, path, "--workload-out"))
		return -1;
	result = write_trace(&trace, workload->version, output);
	lxfw_trace_clear(&trace);
	return result;
}
