/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Building the parts of mixed jobs (mixed.h). */
#ifndef LXFW_PBS_MIXED_PART_H
#define LXFW_PBS_MIXED_PART_H

#include "plugins/pbs/mixed.h"

/* Adds an empty part. Returns NULL if memory ran out. */
struct lxfw_pbs_part *lxfw_pbs_mixed_add(struct lxfw_pbs_mixed *mixed);
/* Adds a copy of CHUNK, of this kind, to the part. Returns false if memory ran out. */
bool lxfw_pbs_part_add(struct lxfw_pbs_part *part, const struct lxfw_pbs_chunk *chunk,
		       size_t kind);
/* Removes all parts, and the placement set. */
void lxfw_pbs_mixed_clear_parts(struct lxfw_pbs_mixed *mixed);

#endif
