/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Classic fair share, and fair share with PriorityFlags=DEPTH_OBLIVIOUS. */
#include <math.h>

#include "sim-frontend/priority/fair.h"

/* Weight of a parent's deviation of usage from its share (DEPTH_OBLIVIOUS). */
#define PARENT_WEIGHT 5.0L

static void normalize(struct lxfw_fair *fair, int32_t assoc)
{
	struct lxfw_fair_usage *usage = &fair->usage[assoc];

	if (fair->usage[0].raw == 0) {
		usage->norm = 0;
		return;
	}
	usage->norm = usage->raw / fair->usage[0].raw;
	if (usage->norm > 1)
		usage->norm = 1;
}

/* UE = UA + (UE of the parent - UA) x shares / shares of all siblings. */
static long double effective_classic(const struct lxfw_fair *fair,
				     const struct lxfw_assoc *item, long double norm)
{
	long double above = fair->usage[item->share_parent].effective;

	if (item->level_shares == 0)
		return above;
	return norm + (above - norm) *
		      (item->shares / (long double)item->level_shares);
}

/* Returns the total usage of siblings with shares of their own. */
static long double siblings_norm(const struct lxfw_fair *fair, const struct lxfw_assoc *above)
{
	const struct lxfw_assoc *items = fair->assocs->items;
	long double sum = 0;

	for (int32_t c = above->first_child; c >= 0; c = items[c].next_child) {
		if (items[c].shares != LXFW_SHARES_PARENT)
			sum += fair->usage[c].norm;
	}
	return sum;
}

/* Returns the parent's ratio of usage to shares, times the ratio among siblings to a
   power. The power is 1 or less: it decreases if the parent's ratio is far from 1 and
   the own ratio is on the other side of it. */
static long double effective_oblivious(const struct lxfw_fair *fair,
				       const struct lxfw_assoc *item, long double norm)
{
	const struct lxfw_assoc *above = &fair->assocs->items[item->share_parent];
	long double used_above = fair->usage[item->share_parent].effective;
	long double ratio_above, ratio_siblings, ratio, power;

	if (item->shares_norm == 0 || above->shares_norm == 0 || used_above == 0 ||
	    norm == 0)
		return norm;
	ratio_above = used_above / above->shares_norm;
	ratio_siblings = siblings_norm(fair, above) / above->shares_norm;
	ratio = (norm / item->shares_norm) / ratio_siblings;
	if (ratio_above == 0 || ratio == 0 || logl(ratio_above) * logl(ratio) >= 0)
		power = 1;
	else
		power = 1 / (1 + powl(PARENT_WEIGHT * logl(ratio_above), 2));
	/* pow() instead of powl(), as in Slurm */
	return ratio_above * pow((double)ratio, (double)power) * item->shares_norm;
}

static void compute(struct lxfw_fair *fair, int32_t assoc)
{
	const struct lxfw_assoc *item = &fair->assocs->items[assoc];
	struct lxfw_fair_usage *usage = &fair->usage[assoc];

	normalize(fair, assoc);
	usage->known = true;
	if (item->share_parent == 0)
		usage->effective = usage->norm;
	else if (item->shares == LXFW_SHARES_PARENT)
		usage->effective = fair->usage[item->share_parent].effective;
	else if (fair->params->flags & LXFW_MULTIFACTOR_DEPTH_OBLIVIOUS)
		usage->effective = effective_oblivious(fair, item, usage->norm);
	else
		usage->effective = effective_classic(fair, item, usage->norm);
}

/* Computes the accounts below ABOVE, parents before children. */
static void compute_accounts(struct lxfw_fair *fair, int32_t above)
{
	const struct lxfw_assoc *items = fair->assocs->items;

	for (int32_t c = items[above].first_child; c >= 0; c = items[c].next_child) {
		if (*items[c].user) {
			fair->usage[c].known = false;
			continue;
		}
		compute(fair, c);
		compute_accounts(fair, c);
	}
}

void lxfw_fair_classic_period(struct lxfw_fair *fair)
{
	compute_accounts(fair, 0);
}

void lxfw_fair_classic_know(struct lxfw_fair *fair, int32_t assoc)
{
	if (!fair->usage[assoc].known)
		compute(fair, assoc);
}

double lxfw_fair_classic_factor(const struct lxfw_fair *fair, int32_t assoc)
{
	long double shares = fair->assocs->items[assoc].shares_norm;

	if (!fair->usage[assoc].known || shares <= 0)
		return 0;
	return pow(2.0, (double)-((fair->usage[assoc].effective / shares) /
				  fair->params->dampening));
}
