/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fair share: the usage of associations and the resulting factors, by the classic
 * algorithm, with PriorityFlags=DEPTH_OBLIVIOUS, or by Fair Tree. Sources: Slurm's pages
 * "Classic Fairshare Algorithm" and "Fair Tree Fairshare Algorithm". Differences of
 * release 22.05 from these pages are stated here.
 *
 * Usage is in TRES-seconds: processors times seconds, or according to TRESBillingWeights.
 * Types are those of Slurm, so that results are identical to the last bit on the same
 * machine.
 */
#ifndef LXFW_PRIORITY_FAIR_H
#define LXFW_PRIORITY_FAIR_H

#include <stdbool.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/priority/assocs.h"
#include "sim-frontend/priority/params.h"

struct lxfw_fair_usage {
	long double raw;	/* TRES-seconds, decayed; including all below */
	long double norm;	/* fraction of the root's raw usage; classic: for
				   users, as of the last computation */
	long double effective;	/* classic: effective usage; Fair Tree: fraction of the
				   raw usage of the account above */
	bool known;		/* classic: effective usage is of this period */
	long double level;	/* Fair Tree: shares divided by effective usage;
				   HUGE_VALL if that is 0; 4294967294 (no meaning) for
				   accounts with Fairshare=parent */
	double factor;		/* Fair Tree, for users: 0 to 1 */
};

struct lxfw_fair {
	const struct lxfw_assocs *assocs;	/* finished for the algorithm */
	const struct lxfw_multifactor_params *params;
	struct lxfw_fair_usage *usage;		/* by association */
	int32_t *sorted;			/* buffer for Fair Tree */
};

/* Initializes FAIR with the usage in the associations. The caller keeps ownership of
   ASSOCS and PARAMS. Returns 0, or -1 with errno ENOMEM. */
int lxfw_fair_begin(struct lxfw_fair *fair, const struct lxfw_assocs *assocs,
		    const struct lxfw_multifactor_params *params);
/* Makes FAIR, which is not initialized, equal to FROM, for PARAMS. FAIR is empty on
   failure. */
int lxfw_fair_copy(struct lxfw_fair *fair, const struct lxfw_fair *from,
		   const struct lxfw_multifactor_params *params);
void lxfw_fair_clear(struct lxfw_fair *fair);

/* ---- usage.c ---- */

/* Returns the decay factor of one second: 1 - 0.693 / half life, the approximation
   that Slurm uses. */
double lxfw_fair_decay(const struct lxfw_multifactor_params *params);

/* Multiplies all usage by FACTOR, 0 to 1. */
void lxfw_fair_apply_decay(struct lxfw_fair *fair, double factor);
void lxfw_fair_reset(struct lxfw_fair *fair);

/* Adds usage to an association and all above it. */
void lxfw_fair_charge(struct lxfw_fair *fair, int32_t assoc, double usage);

/* ---- fair_classic.c ---- */

/*
 * Begins a period: computes the effective usage of accounts. That of a user is computed
 * when it is first needed in the period and then kept, as in Slurm. Usage that is added
 * in between counts for the user but not for the accounts above.
 */
void lxfw_fair_classic_period(struct lxfw_fair *fair);

/* Computes the effective usage of an association if it is not known. */
void lxfw_fair_classic_know(struct lxfw_fair *fair, int32_t assoc);

/* Returns 2^(-effective usage / shares / dampening). */
double lxfw_fair_classic_factor(const struct lxfw_fair *fair, int32_t assoc);

/* ---- fair_tree.c ---- */

/*
 * Ranks all users depth-first, at each level by level fair share; of equal siblings,
 * users precede accounts. The first user has factor 1, the last 1 / users. Equal sibling
 * users have the same rank. The first user below an account that is equal to the previous
 * one has the last rank of that one. According to Slurm's page, the children of equal
 * accounts are merged. Release 22.05 does not merge them, since its count of equal
 * accounts stops at the first account. Equal accounts keep the order of the associations.
 */
void lxfw_fair_tree_rank(struct lxfw_fair *fair);

/* ---- both algorithms ---- */

/* Returns the factor of the jobs of an association. */
double lxfw_fair_factor(struct lxfw_fair *fair, int32_t assoc);

#endif
