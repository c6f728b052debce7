/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Amounts above the bounds of the library, which count as the bound. Each is logged once: in the
 * first of consecutive looks that have it.
 */
#ifndef LXFW_PBS_ABOVE_H
#define LXFW_PBS_ABOVE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/util/id_map.h"

struct lxfw_pbs_above {
	struct lxfw_id_map now, before;	/* hashes of what was logged: in this look, in the last
					   one */
	bool complete;		/* the last look was */
};

/* Begins a look, and ends one that has read all objects. */
void lxfw_pbs_above_begin(struct lxfw_pbs_above *above);
void lxfw_pbs_above_end(struct lxfw_pbs_above *above);
/* Logs that the RESOURCE of "KIND NAME" ("job 1.server") is VALUE, and counts as BOUND UNIT ("mb",
   "s", ""). */
void lxfw_pbs_above_note(struct lxfw_pbs_above *above, const char *kind, const char *name,
			 const char *resource, const char *value, int64_t bound,
			 const char *unit);
void lxfw_pbs_above_clear(struct lxfw_pbs_above *above);

#endif
