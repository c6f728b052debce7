/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_sort_formula of the scheduler: a value of each job, the largest first. It names the
 * consumable resources that jobs request, in seconds, KiB or numbers, and
 *
 *   eligible_time   seconds; 0 unless eligible_time_enable of the server is set
 *   accrue_type     the number that the server has
 *   queue_priority, job_priority
 *   fairshare_perc, fair_share_perc, fairshare_tree_usage, fairshare_factor (fairshare.h)
 *
 * The value is a float, and 0 if the evaluation fails.
 */
#ifndef LXFW_PBS_FORMULA_H
#define LXFW_PBS_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

#include "common/util/error.h"
#include "common/util/formula.h"
#include "plugins/pbs/fairshare.h"
#include "plugins/pbs/site.h"

/* Priorities for the library per unit of a value. */
#define LXFW_PBS_FORMULA_SCALE 1000

struct lxfw_pbs_formula {
	char *text;		/* that was read last; NULL: none */
	struct lxfw_formula *formula;	/* NULL: there is none, or it cannot be read */
	char **names;
	double *values;		/* scratch */
	size_t count;
};

/*
 * Reads TEXT, which may be NULL, if it or the resources have changed. *CHANGED says whether that
 * was done. Returns false with *WHY set if it cannot be read, which leaves none.
 */
bool lxfw_pbs_formula_use(struct lxfw_pbs_formula *formula, const char *text,
			  const struct lxfw_pbs_kinds *kinds, bool *changed,
			  struct lxfw_error *why);
void lxfw_pbs_formula_clear(struct lxfw_pbs_formula *formula);

/* Returns the value of JOB. There must be a formula. ENTITY is that of the job; NULL: there is no
   fair share. */
double lxfw_pbs_formula_value(struct lxfw_pbs_formula *formula,
			      const struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
			      const struct lxfw_pbs_entity *entity);
/* Returns the value of a formula of what the job has used so far. */
double lxfw_pbs_formula_used(struct lxfw_pbs_formula *formula, const struct lxfw_pbs_job *job);

/* The priority for the library that a value is. */
int64_t lxfw_pbs_formula_priority(double value);

#endif
