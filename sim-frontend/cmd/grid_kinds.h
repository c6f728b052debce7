/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kinds and priorities of the jobs of `lxfw grid`, and what is known of their run times: by a
 * file of times, or from jobs of the same kind that have ended, also those of a data base of
 * `lxfw import --history` whose machines have the names of sites or clusters. Estimates of
 * all brokers are learned with --estimates history.
 */
#ifndef LXFW_CMD_GRID_KINDS_H
#define LXFW_CMD_GRID_KINDS_H

#include "sim-frontend/cmd/history.h"
#include "sim-frontend/grid/homes.h"
#include "sim-frontend/grid/run.h"

/* From the command line. */
struct lxfw_cmd_kinds {
	const char *times, *history;	/* paths; NULL: not given */
	bool by_number, priorities;
	enum lxfw_homes by;
	struct lxfw_cmd_history estimates;
	int64_t quantum, preemptions;
};

/* {0} is empty. */
struct lxfw_kinds {
	int32_t *kinds, *priorities;	/* by position; NULL: none */
	struct lxfw_grid_times times;
	struct lxfw_grid_history history;
	struct lxfw_grid_history_entry *learned;	/* of the data base */
	size_t learned_count;
	struct lxfw_learned estimates;
	int32_t *machines;	/* sites that are machines of the data base */
	int32_t machine_count;
};

/* These return 0, or LXFW_EXIT_BAD after a message. PATH is that of the trace. */
int lxfw_cmd_kinds_load(const struct lxfw_cmd_kinds *options, const struct lxfw_trace *trace,
			const char *path, const struct lxfw_sites *sites,
			struct lxfw_kinds *kinds);

/* Sets the members of a run of one broker. The history is again as it was read. */
int lxfw_cmd_kinds_begin(const struct lxfw_cmd_kinds *options, struct lxfw_kinds *kinds,
			 struct lxfw_grid_run *run);

/* Notes how wrong the expected run times of kinds were, if there are kinds. */
void lxfw_cmd_kinds_tell(const struct lxfw_cmd_kinds *options, const struct lxfw_kinds *kinds);

void lxfw_cmd_kinds_clear(struct lxfw_kinds *kinds);

#endif
