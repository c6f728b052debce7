/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The keys of Slurm's priority/multifactor in a search. A setting's line may contain keys
 * of slurm.conf, "lxfw_policy=site,PriorityWeightAge=1000". lxfw_params_parse() ignores
 * them; a key that is absent has the value of the site.
 */
#ifndef LXFW_TUNE_PRIORITIES_H
#define LXFW_TUNE_PRIORITIES_H

#include <stdbool.h>
#include <stddef.h>

#include "common/util/error.h"
#include "sim-frontend/priority/simulated.h"

/* Whether ITEM of LENGTH bytes is such a key, with or without a value; and whether it is
   a weight, which has a range. */
bool lxfw_tune_is_priority(const char *item, size_t length);
bool lxfw_tune_is_priority_weight(const char *name);

/* Applies the keys of LINE to *PARAMS. Returns 0, or -1 with errno and ERROR set. */
int lxfw_tune_priority_read(const char *line, struct lxfw_multifactor_params *params,
			    struct lxfw_error *error);

/* Whether the parameters that can be searched are equal. */
bool lxfw_tune_priority_same(const struct lxfw_multifactor_params *a,
			     const struct lxfw_multifactor_params *b);

/* Returns whether the keys of LINE are valid, and whether they change SITE. */
bool lxfw_tune_priority_means(const struct lxfw_multifactor_params *site, const char *line,
			      bool *changes);

/* Returns whether key NAME has an effect at SITE with the keys of LINE: a half-life needs
   a weight of fair share, a maximum age one of age. */
bool lxfw_tune_priority_counts(const struct lxfw_multifactor_params *site,
			       const char *line, const char *name);

/* The value of a weight. */
double lxfw_tune_priority_weight(const struct lxfw_multifactor_params *params,
				 const char *name);

/* Returns the keys that have an effect at SITE with the values to search, in the form of
   --vary, one for each I from 0 on; NULL after the last one. */
const char *lxfw_tune_priority_search(const struct lxfw_multifactor_site *site, int i);

/* Makes *VARIED a copy of SITE with the keys of LINE, for one simulation. It shares the
   data of SITE and is not cleared. */
int lxfw_tune_priority_vary(const struct lxfw_simulated *site, const char *line,
			    struct lxfw_simulated *varied, struct lxfw_error *error);

/* Returns LINE as lines of slurm.conf: SchedulerParameters, then a line for each key. The
   caller frees it. NULL with errno ENOMEM. */
char *lxfw_tune_conf_lines(const char *line);

#endif
