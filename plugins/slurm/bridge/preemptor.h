/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Preemptors: pending jobs of the library that it could not start and that may preempt
 * running jobs. They are offered to Slurm's own node selection, in Slurm's order. Slurm
 * selects the jobs to be preempted and preempts them, with their grace times, or starts
 * the preemptor at once and lets the gang scheduler suspend them.
 *
 * A job for which others were preempted is passed to Slurm (left.h) until it has
 * started, and the nodes on which it will start are held for it (hold.h). Otherwise
 * another job might start there.
 */
#ifndef LXFW_BRIDGE_PREEMPTOR_H
#define LXFW_BRIDGE_PREEMPTOR_H

#include <stdbool.h>

#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/compat/compat.h"

/* Returns true if there may be preemptors. */
bool lxfw_preemptors_possible(const struct lxfw_bridge *bridge);

/* Adds an offer of each preemptor in each of its partitions. */
void lxfw_preemptors_gather(struct lxfw_bridge *bridge);

/* Returns false if OFFER must not be made now: a job with the same request was refused
   in this round, or too many jobs wait for others to end. */
bool lxfw_preemptor_may_try(const struct lxfw_bridge *bridge,
			    const struct lxfw_leftover *offer);

/* Returns the nodes for JOB: those on which it delays no job that precedes it in Slurm's
   order. */
bitstr_t *lxfw_preemptor_nodes(const struct lxfw_bridge *bridge,
			       const job_record_t *job);

/* Handles an offer, of any kind, that did not start JOB at once. Returns false if nothing
   was preempted and OFFER is not one of a preemptor. */
bool lxfw_preemptor_waits(struct lxfw_bridge *bridge,
			  const struct lxfw_leftover *offer, job_record_t *job);

#endif
