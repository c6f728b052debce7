/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The local scheduling experiment of Balasubramanian, Sussman and Sadeh, "Decentralized
 * Preemptive Scheduling across Heterogeneous Multi-core Grid Resources", JSSPP 2013,
 * section 6: 5000 jobs on 1000 nodes, each with a queue of its own.
 *
 * From the paper: nodes of 1, 2, 4 or 8 cores; heterogeneous memory and CPU speed; most nodes
 * and jobs are small; run times uniform between 1800 and 5400 s on a node of speed 1;
 * exponential times between submissions; estimates are exact; delta is 5 s. Assumed here: the
 * shares of the four sizes are 50, 25, 15 and 10 per cent; memory is 1, 2, 4 or 8 GB; the
 * speed is 1, 1.25, 1.5 or 2. A job is sent to that one of ten random capable nodes which has
 * the least work per core. There is no disk space.
 */
#ifndef LXFW_EXPERIMENT_BALASUBRAMANIAN_H
#define LXFW_EXPERIMENT_BALASUBRAMANIAN_H

#include <stdint.h>
#include <stdio.h>

#include "common/util/error.h"

/* Run the experiment with SEEDS workloads (1 or more) from FIRST_SEED on, for each time
   between submissions, on THREADS threads, and print a table and the verdict on each claim
   to OUT. Results are medians over the seeds. Returns 0, or -1 with errno and ERROR set and
   nothing printed. */
int lxfw_balasubramanian(int64_t seeds, int64_t first_seed, int threads, FILE *out,
			 struct lxfw_error *error);

#endif
