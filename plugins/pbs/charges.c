/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/charges.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"

void lxfw_pbs_charges_begin(struct lxfw_pbs_charges *charges, int64_t now)
{
	charges->last = charges->now;
	charges->now = now;
	if (!charges->since)
		charges->since = now;
	for (size_t i = 0; i < charges->count; i++)
		charges->charge[i].seen = false;
}

/* Returns the entry of the run, or NULL if memory ran out. */
static struct lxfw_pbs_charge *entry_of(struct lxfw_pbs_charges *charges, uint64_t id,
					int64_t started, double used)
{
	int32_t index = lxfw_id_map_get(&charges->by_id, id);
	struct lxfw_pbs_charge *charge;

	if (index >= 0 && charges->charge[index].started == started)
		return &charges->charge[index];
	if (index < 0) {
		if (charges->count >= INT32_MAX ||
		    LXFW_GROW(charges->charge, charges->size, charges->count + 1) ||
		    lxfw_id_map_add(&charges->by_id, id, (int32_t)charges->count))
			return NULL;
		index = (int32_t)charges->count++;
	}
	charge = &charges->charge[index];
	*charge = (struct lxfw_pbs_charge){
		.id = id, .started = started, .used = started >= charges->since ? 0 : used,
	};
	return charge;
}

double lxfw_pbs_charges_due(struct lxfw_pbs_charges *charges, uint64_t id, int64_t started,
			    double used)
{
	struct lxfw_pbs_charge *charge = entry_of(charges, id, started, used);
	double due = charge && used > charge->used ? used - charge->used : 0;

	if (charge) {
		charge->used += due;
		charge->seen = true;
	}
	return due;
}

void lxfw_pbs_charges_end(struct lxfw_pbs_charges *charges)
{
	size_t kept = 0;

	for (size_t i = 0; i < charges->count; i++) {
		struct lxfw_pbs_charge *charge = &charges->charge[i];

		if (!charge->seen) {
			lxfw_id_map_remove(&charges->by_id, charge->id);
			continue;
		}
		if (kept != i) {
			lxfw_id_map_set(&charges->by_id, charge->id, (int32_t)kept);
			charges->charge[kept] = *charge;
		}
		kept++;
	}
	charges->count = kept;
}

void lxfw_pbs_charges_clear(struct lxfw_pbs_charges *charges)
{
	free(charges->charge);
	lxfw_id_map_clear(&charges->by_id);
	memset(charges, 0, sizeof(*charges));
}
