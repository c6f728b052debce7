/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether Slurm's state may have changed since the last look. */
#ifndef LXFW_BRIDGE_CHANGES_H
#define LXFW_BRIDGE_CHANGES_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "plugins/slurm/compat/compat.h"

struct lxfw_bridge;

/* State of slurmctld at the last look. */
struct lxfw_seen {
	time_t job, node, part, resv, license;	/* last changes of the tables */
	time_t when;			/* time of that look */
	uint32_t submitted, ended;	/* counters of jobs */
	bitstr_t *cleaning;		/* nodes that cleaned up after jobs; or NULL */
};

/* Notes the present state. Call at the end of a look, with its locks. */
void lxfw_changes_note(struct lxfw_bridge *bridge);
void lxfw_seen_clear(struct lxfw_seen *seen);

/* Returns true if a node has cleaned up after its jobs since the state SEEN. Slurm starts
   no job on a node that cleans up. Call with the lock of the nodes. */
bool lxfw_changes_cleaned(const struct lxfw_seen *seen);

/* For wlm.h's changed(): true if a table may have changed. Slurm notes the second of a
   change; of several changes in one second, the later ones may be detected in the next
   second only. */
bool lxfw_slurm_tables_changed(void *context);

/* For wlm.h's stirred(): true if a job was submitted, or if jobs are pending and one has
   ended or a node has become free. Takes the lock of the nodes. */
bool lxfw_slurm_stirred(void *context);

#endif
