/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw simulate --from: what if, from the state in a snapshot. */
#ifndef LXFW_CMD_SIMULATE_FROM_H
#define LXFW_CMD_SIMULATE_FROM_H

#include <stdbool.h>

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/predict/whatif.h"
#include "sim-frontend/report/whatif.h"

/* Whether the arguments have --from, so that this is the task. */
bool lxfw_simulate_is_from(int argc, char *const *argv);

/* Returns an exit status. */
int lxfw_simulate_from(const struct lxfw_command *command, int argc, char **argv);

/* A change of a snapshot as the user describes it. */
struct lxfw_change_text {
	const char *policy, *params;	/* or NULL */
	const char **down;
	const char **reserve;		/* start=TIME,duration=SPAN,nodes=LIST */
	const char **partition;		/* nodes=LIST[:to=LIST][:tier=NUMBER] */
	size_t down_count, reserve_count, partition_count;
};

struct lxfw_made_change {
	struct lxfw_change change;
	struct lxfw_params params;
	int32_t *down;
	size_t down_size;
	struct lxfw_snapshot_block *blocks;
	size_t blocks_size;
	struct lxfw_changed_set *sets;
	size_t sets_size;
	char *words;		/* the change in words; NULL: there is none */
};

/* Returns 0, or -1 after a message. Call lxfw_change_clear() in either case. */
int lxfw_change_make(const struct lxfw_command *command, const struct lxfw_change_text *text,
		     const struct lxfw_snapshot_file *file, const char *path,
		     struct lxfw_made_change *made);
void lxfw_change_clear(struct lxfw_made_change *made);

#endif
