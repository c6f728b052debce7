/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reservations for jobs that the library does not schedule. Slurm forecasts where and
 * when such a job could start. The nodes are reported to the library as blocks. Without
 * holds, a job with a large request would be delayed as long as smaller jobs keep
 * arriving.
 *
 * Up to LXFW_HOLDS_MAX jobs have a hold, and those that preempt others; a heterogeneous
 * job has one for all its components. A job keeps its hold until it starts or leaves, so
 * that later jobs do not delay it. A job that does not start within a minute after its
 * hold is due loses the hold, unless others were preempted for it. New holds go
 * alternately to the first job in Slurm's order and to the job that has waited longest. A
 * hold avoids the nodes of earlier holds and the reservations of jobs that have waited
 * longer. Reservations of jobs that have waited less give way to it. Under parameters
 * that weigh Slurm's priority (lxfw_params_site()), all new holds go to the first job in
 * Slurm's order, and that order also decides between holds and reservations.
 */
#ifndef LXFW_BRIDGE_HOLD_H
#define LXFW_BRIDGE_HOLD_H

struct lxfw_bridge;
struct lxfw_known_job;
struct lxfw_leftover;

/* Updates existing holds and makes new ones. Called after a round of offers. */
void lxfw_holds_update(struct lxfw_bridge *bridge);

/* Makes a hold for the job of LEFTOVER now, unless it has one or must not have one, or
   there are LXFW_HOLDS_SIZE: others were preempted for it. */
void lxfw_hold_now(struct lxfw_bridge *bridge, const struct lxfw_leftover *leftover);

/* Drops the holds of jobs that have started or left. */
void lxfw_holds_sync(struct lxfw_bridge *bridge);

/* Sets the expected start of jobs with a hold in their records. */
void lxfw_holds_show(const struct lxfw_bridge *bridge);

/* Prevents a hold for the job of OFFER for a time that doubles with each call. */
void lxfw_no_hold_for_now(struct lxfw_bridge *bridge,
			  struct lxfw_known_job *offer);

#endif
