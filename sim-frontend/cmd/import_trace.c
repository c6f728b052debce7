/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/import_trace.h"

#include <string.h>

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/trace/input.h"

int lxfw_import_trace(struct lxfw_trace *trace, const struct lxfw_log *log, const char *path,
		      const char *option)
{
	struct lxfw_error error;

	if (log->logs > 0) {
		if (lxfw_trace_of_log(trace, log) == 0)
			return 0;
		lxfw_cmd_note("out of memory");
		return -1;
	}
	/* The trace was read once already. */
	if (!path || strcmp(path, "-") == 0) {
		lxfw_cmd_note("a trace on standard input, expected a file for %s", option);
		return -1;
	}
	if (lxfw_input_may_block(path, &error) == 0 &&
	    lxfw_trace_read_owners(trace, path, LXFW_MEMORY_NONE, &error) == 0)
		return 0;
	lxfw_cmd_bad(&error);
	return -1;
}
