/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules by which hosts are chosen. */
#ifndef LXFW_MODEL_PLACEMENT_H
#define LXFW_MODEL_PLACEMENT_H

/*
 * Which of the hosts that fit a job gets. The others than the paper's are there to be
 * compared with it; they are no parameters, and no journal tells of them.
 */
enum lxfw_placement {
	/* Section 2.2: fewest unallocated processors, then least free memory, then
	   the first host. */
	LXFW_PLACEMENT_PAPER,
	/*
	 * Slurm's select/cons_tres (22.05, without topology, weights and LLN): of
	 * the runs of hosts next to each other that could give the job anything,
	 * the one that has enough and the fewest processors in all; in it the host
	 * with the fewest unallocated processors; the first of equals. If no host
	 * of it has enough: the hosts of it in their order, then the next run.
	 * Memory counts only where it does not fit.
	 */
	LXFW_PLACEMENT_STOCK,
	/* Worst fit: the paper's order from the other end. */
	LXFW_PLACEMENT_WORST,
};

#endif
