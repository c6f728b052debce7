/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/grid_kinds.h"

#include <stdlib.h>

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/grid/history_file.h"

static int out_of_memory(void)
{
	lxfw_cmd_note("out of memory");
	return LXFW_EXIT_BAD;
}

static int32_t priority_of(const struct lxfw_trace *trace, size_t position)
{
	int32_t queue = trace->owners ? trace->owners[position].queue : -1;

	return queue == 1 ? LXFW_GRID_HIGH : queue == 2 ? LXFW_GRID_MEDIUM : LXFW_GRID_LOW;
}

static int choose_priorities(const struct lxfw_trace *trace, struct lxfw_kinds *kinds)
{
	kinds->priorities = calloc(trace->count + 1, sizeof(*kinds->priorities));
	if (!kinds->priorities)
		return out_of_memory();
	for (size_t i = 0; i < trace->count; i++)
		kinds->priorities[i] = priority_of(trace, i);
	return 0;
}

int lxfw_cmd_kinds_load(const struct lxfw_cmd_kinds *options, const struct lxfw_trace *trace,
			const struct lxfw_sites *sites, struct lxfw_kinds *kinds)
{
	struct lxfw_error error;

	if (options->by_number) {
		kinds->kinds = lxfw_homes_choose(trace, LXFW_GRID_KINDS, options->by);
		if (!kinds->kinds)
			return out_of_memory();
	}
	if (options->priorities && choose_priorities(trace, kinds))
		return LXFW_EXIT_BAD;
	if (options->times &&
	    lxfw_grid_times_read(&kinds->times, options->times, sites, &error))
		return lxfw_cmd_bad(&error);
	if (options->history &&
	    lxfw_history_file_read(&kinds->history, options->history, sites, &error))
		return lxfw_cmd_bad(&error);
	return 0;
}

int lxfw_cmd_kinds_begin(const struct lxfw_cmd_kinds *options, struct lxfw_kinds *kinds,
			 struct lxfw_grid_run *run)
{
	if (!options->history)
		lxfw_grid_history_clear(&kinds->history);
	if (options->times && lxfw_grid_times_tell(&kinds->times, &kinds->history))
		return out_of_memory();
	run->params.quantum = (int32_t)options->quantum;
	run->params.preemptions = (int32_t)options->preemptions;
	run->kinds = kinds->kinds;
	run->priorities = kinds->priorities;
	run->times = options->times ? &kinds->times : NULL;
	run->history = options->times || options->by_number ? &kinds->history : NULL;
	return 0;
}

int lxfw_cmd_kinds_keep(const struct lxfw_cmd_kinds *options, const struct lxfw_sites *sites,
			struct lxfw_kinds *kinds)
{
	const struct lxfw_grid_history *history = &kinds->history;
	struct lxfw_error error;

	if (!options->history)
		return 0;
	if (lxfw_history_file_write(history, options->history, sites, &error))
		return lxfw_cmd_bad(&error);
	if (history->judged > 0)
		lxfw_cmd_note("%s: %zu run times were expected with a mean error of %.0f s, "
			      "%.0f %% of their mean", options->history, history->judged,
			      history->errors / (double)history->judged,
			      100 * history->errors / history->runs);
	return 0;
}

void lxfw_cmd_kinds_clear(struct lxfw_kinds *kinds)
{
	free(kinds->kinds);
	free(kinds->priorities);
	lxfw_grid_times_clear(&kinds->times);
	lxfw_grid_history_clear(&kinds->history);
}
