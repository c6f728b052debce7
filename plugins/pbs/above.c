/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/above.h"

#include <inttypes.h>

#include "plugins/agent/log.h"
#include "plugins/pbs/hash.h"

void lxfw_pbs_above_begin(struct lxfw_pbs_above *above)
{
	if (above->complete) {
		lxfw_id_map_clear(&above->before);
		above->before = above->now;
		above->now = (struct lxfw_id_map){ 0 };
	}
	above->complete = false;
}

void lxfw_pbs_above_end(struct lxfw_pbs_above *above)
{
	above->complete = true;
}

void lxfw_pbs_above_note(struct lxfw_pbs_above *above, const char *kind, const char *name,
			 const char *resource, const char *value, int64_t bound,
			 const char *unit)
{
	uint64_t id = lxfw_pbs_hash_text(lxfw_pbs_hash_text(lxfw_pbs_hash_text(
				LXFW_PBS_HASH, kind), name), resource) | 1;

	if (lxfw_id_map_get(&above->now, id) >= 0)
		return;
	if (lxfw_id_map_get(&above->before, id) < 0)
		lxfw_log_info("%s %s: %s=%s counts as %" PRId64 "%s, the bound of the model", kind,
			      name, resource, value, bound, unit);
	/* If memory runs out it is logged again. */
	(void)lxfw_id_map_add(&above->now, id, 1);
}

void lxfw_pbs_above_clear(struct lxfw_pbs_above *above)
{
	lxfw_id_map_clear(&above->now);
	lxfw_id_map_clear(&above->before);
}
