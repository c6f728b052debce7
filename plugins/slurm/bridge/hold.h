/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reservations for jobs that the library does not schedule: by Slurm's own judgement
 * of where and when they could start, kept from the library's jobs as blocks. Without
 * them a job that needs much at once would wait for as long as others keep coming.
 *
 * Up to LXFW_HOLDS_MAX jobs have a hold, a heterogeneous job one for all its components.
 * A job keeps it until it starts or leaves, so nobody who comes later delays it; but one
 * that does not start within a minute of when it should have gives its place to others.
 * The next one is by turns the first in Slurm's order and the one that has waited
 * longest. A hold spares the nodes of earlier holds, and those that the library has
 * reserved for jobs which have waited longer; reservations of jobs that have waited less
 * give way.
 */
#ifndef LXFW_BRIDGE_HOLD_H
#define LXFW_BRIDGE_HOLD_H

struct lxfw_bridge;
struct lxfw_known_job;

/* After a round of offers: who of those left over is to have a hold? */
void lxfw_holds_update(struct lxfw_bridge *bridge);

/* Drop those of jobs that have started or left. */
void lxfw_holds_sync(struct lxfw_bridge *bridge);

/* Have Slurm show when jobs that have a hold are expected to start. */
void lxfw_holds_show(const struct lxfw_bridge *bridge);

/* No hold is tried for the job of OFFER for a while, which is twice as long each time. */
void lxfw_no_hold_for_now(struct lxfw_bridge *bridge,
			  struct lxfw_known_job *offer);

#endif
