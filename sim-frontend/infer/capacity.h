/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many processors jobs could have, as far as a schedule tells.
 *
 * A job that the policy would have started and that was not was denied: processors were
 * missing, or the job was not free, since its user held it, it waited for another one,
 * or for a date. A hold stops one job, or one user's; others start beside it. An outage
 * stops all that do not fit into what is left. So an outage is a stretch of time in which
 * no start brought the processors in use beyond a level, and in which it denied jobs of
 * so many users that it is not to be believed that none of these was free, by how often
 * jobs of these users are denied at other times. Only jobs that came in the stretch
 * count, that would have gone beyond the level, and that were denied hardly ever outside
 * of it. What jobs had at most is taken for what there was, and where nothing was
 * started, nothing.
 */
#ifndef LXFW_INFER_CAPACITY_H
#define LXFW_INFER_CAPACITY_H

#include "sim-frontend/infer/infer.h"
#include "sim-frontend/infer/sweep.h"

struct lxfw_capacity_input {
	struct lxfw_sweep *sweep;
	struct lxfw_sweep_job *jobs;	/* of it */
	int64_t procs;			/* of the machine */
	int64_t grace;			/* s, starts are no further behind what they
					   follow from */
	/* By records of the machine: by time, without overlap. While they cover it,
	   from GIVEN_FROM until GIVEN_UNTIL, nothing is inferred. */
	const struct lxfw_outage *given;
	size_t given_count;
	int64_t given_from, given_until;
	bool stops_only;	/* only where nothing at all was started */
	bool backfills;		/* the policy does, beside one reservation */
};

/*
 * Add what is found to the outages of INFERRED. A job that alone waited with room was
 * not free: its `free` is raised, its hold noted. 0, or -1 with errno ENOMEM.
 */
int lxfw_capacity_find(struct lxfw_inferred *inferred,
		       const struct lxfw_capacity_input *input);

/*
 * How long the outages of INFERRED lasted, which is between `begin` and `end`, from
 * `known` until `known_end` at least: while the policy could have started a job on the
 * whole machine, and did not. Beyond that it makes no difference, but for the grace
 * before, if nothing was started in it: in a simulation things may happen as much
 * earlier. 0, or -1 with errno ENOMEM.
 */
int lxfw_extent_find(struct lxfw_inferred *inferred,
		     const struct lxfw_capacity_input *input);

#endif
