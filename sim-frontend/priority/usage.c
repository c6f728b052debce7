/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Usage of associations: additions and decay. */
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/priority/fair.h"

/* Slurm's value for usage that was never computed. */
#define NEVER 4294967294.0L

int lxfw_fair_begin(struct lxfw_fair *fair, const struct lxfw_assocs *assocs,
		    const struct lxfw_multifactor_params *params)
{
	*fair = (struct lxfw_fair) { .assocs = assocs, .params = params };
	fair->usage = calloc(assocs->count, sizeof(*fair->usage));
	fair->sorted = malloc(assocs->count * sizeof(*fair->sorted));
	if (!fair->usage || !fair->sorted) {
		lxfw_fair_clear(fair);
		return -1;
	}
	for (size_t i = 0; i < assocs->count; i++)
		fair->usage[i] = (struct lxfw_fair_usage) {
			.raw = (long double)assocs->items[i].usage, .norm = NEVER,
			.known = true,
		};
	fair->usage[0].effective = 1;
	return 0;
}

int lxfw_fair_copy(struct lxfw_fair *fair, const struct lxfw_fair *from,
		   const struct lxfw_multifactor_params *params)
{
	if (lxfw_fair_begin(fair, from->assocs, params))
		return -1;
	memcpy(fair->usage, from->usage, from->assocs->count * sizeof(*fair->usage));
	return 0;
}

void lxfw_fair_clear(struct lxfw_fair *fair)
{
	free(fair->usage);
	free(fair->sorted);
	*fair = (struct lxfw_fair) { 0 };
}

double lxfw_fair_decay(const struct lxfw_multifactor_params *params)
{
	return params->half_life ? 1 - (0.693 / (double)params->half_life) : 1;
}

void lxfw_fair_apply_decay(struct lxfw_fair *fair, double factor)
{
	for (size_t i = 0; i < fair->assocs->count; i++)
		fair->usage[i].raw *= factor;
}

void lxfw_fair_reset(struct lxfw_fair *fair)
{
	for (size_t i = 0; i < fair->assocs->count; i++)
		fair->usage[i].raw = 0;
}

void lxfw_fair_charge(struct lxfw_fair *fair, int32_t assoc, double usage)
{
	for (; assoc >= 0; assoc = fair->assocs->items[assoc].parent)
		fair->usage[assoc].raw += (long double)usage;
}

double lxfw_fair_factor(struct lxfw_fair *fair, int32_t assoc)
{
	if (lxfw_multifactor_is_fair_tree(fair->params))
		return fair->usage[assoc].factor;
	if (fair->assocs->items[assoc].shares == LXFW_SHARES_PARENT && assoc > 0)
		assoc = fair->assocs->items[assoc].share_parent;
	lxfw_fair_classic_know(fair, assoc);
	return lxfw_fair_classic_factor(fair, assoc);
}
