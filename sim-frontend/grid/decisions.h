/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The decisions of a broker as CSV, in the order in which it made them:
 *
 *   time,job_id,action,sites,rule,value,unit,other_site,other_value
 *
 * Actions: send (to the queue of a site, or to several sites at once), run (at a place of which
 * the broker knows that it is free), stop (the job will begin again). Sites are "a:64+b:32".
 * `other` is the next best site by the same rule, empty if none was compared.
 */
#ifndef LXFW_GRID_DECISIONS_H
#define LXFW_GRID_DECISIONS_H

#include "common/grid/grid.h"
#include "sim-frontend/grid/sites.h"
#include "sim-frontend/util/output.h"

void lxfw_grid_decisions_begin(struct lxfw_output *output);

/* REASON may be NULL. JOB is its number in the trace. */
void lxfw_grid_decision(struct lxfw_output *output, const struct lxfw_sites *sites,
			int64_t time, int64_t job, const char *action,
			const struct lxfw_grid_part *parts, int32_t count,
			const struct lxfw_grid_reason *reason);

/* Writes "a:64+b:32". */
void lxfw_grid_parts_text(struct lxfw_output *output, const struct lxfw_sites *sites,
			  const struct lxfw_grid_part *parts, int32_t count);

#endif
