/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fair share: usage of associations, and the factors made of it, by the classic
 * algorithm, with PriorityFlags=DEPTH_OBLIVIOUS, or by Fair Tree. Sources: Slurm's pages
 * "Classic Fairshare Algorithm" and "Fair Tree Fairshare Algorithm"; what release 22.05
 * does otherwise is said here.
 *
 * Usage is in TRES-seconds: processors times seconds, or by TRESBillingWeights. Types
 * are those of Slurm, so that results are the same to the last bit on the same machine.
 */
#ifndef LXFW_PRIORITY_FAIR_H
#define LXFW_PRIORITY_FAIR_H

#include <stdbool.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/priority/assocs.h"
#include "sim-frontend/priority/params.h"

struct lxfw_fair_usage {
	long double raw;	/* TRES-seconds, decayed; with all below */
	long double norm;	/* part of the root's raw usage; classic: of users as of when
				   they were last computed */
	long double effective;	/* classic: effective usage; Fair Tree: part of the raw
				   usage of the account above */
	bool known;		/* classic: effective usage is that of this period */
	long double level;	/* Fair Tree: shares over effective usage; HUGE_VALL where
				   there is none; of accounts with Fairshare=parent
				   4294967294, which means nothing */
	double factor;		/* Fair Tree, of users: 0 to 1 */
};

struct lxfw_fair {
	const struct lxfw_assocs *assocs;	/* finished for the algorithm */
	const struct lxfw_multifactor_params *params;
	struct lxfw_fair_usage *usage;		/* by association */
	int32_t *sorted;			/* room for Fair Tree */
};

/* The usage that the associations begin with. ASSOCS and PARAMS stay the caller's. 0, or
   -1 with errno ENOMEM. */
int lxfw_fair_begin(struct lxfw_fair *fair, const struct lxfw_assocs *assocs,
		    const struct lxfw_multifactor_params *params);
void lxfw_fair_clear(struct lxfw_fair *fair);

/* ---- usage.c ---- */

/* The half life's factor of a second: 1 - 0.693 / half life, as Slurm approximates it. */
double lxfw_fair_decay(const struct lxfw_multifactor_params *params);

/* Multiply all usage by FACTOR, 0 to 1. */
void lxfw_fair_apply_decay(struct lxfw_fair *fair, double factor);
void lxfw_fair_reset(struct lxfw_fair *fair);

/* Add to an association and all above it. */
void lxfw_fair_charge(struct lxfw_fair *fair, int32_t assoc, double usage);

/* ---- fair_classic.c ---- */

/*
 * Begin a period: compute the effective usage of accounts. That of users is computed when
 * it is first asked for in the period, and kept: so Slurm does, and usage that is added
 * between the two counts for the user but not for the accounts above.
 */
void lxfw_fair_classic_period(struct lxfw_fair *fair);

/* Compute the effective usage of an association if it is not known. */
void lxfw_fair_classic_know(struct lxfw_fair *fair, int32_t assoc);

/* 2^(-effective usage / shares / dampening). */
double lxfw_fair_classic_factor(const struct lxfw_fair *fair, int32_t assoc);

/* ---- fair_tree.c ---- */

/*
 * Rank all users: depth first, at each level by level fair share, users before accounts
 * where it is equal; the first has factor 1, the last 1 / users. Of equal siblings users
 * have the same rank, and the first user below an account that is equal to the one before
 * it has that one's last rank. Slurm's page says that children of equal accounts are
 * merged; release 22.05 merges none, since its count of equal accounts stops at the first
 * account. Accounts that are equal keep the order of the associations.
 */
void lxfw_fair_tree_rank(struct lxfw_fair *fair);

/* ---- either ---- */

/* The factor of the jobs of an association. */
double lxfw_fair_factor(struct lxfw_fair *fair, int32_t assoc);

#endif
