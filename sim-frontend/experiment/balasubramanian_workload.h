/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The workload of Balasubramanian, Sussman and Sadeh 2013, section 6, with what the paper
   leaves open assumed as balasubramanian.h states. */
#ifndef LXFW_EXPERIMENT_BALASUBRAMANIAN_WORKLOAD_H
#define LXFW_EXPERIMENT_BALASUBRAMANIAN_WORKLOAD_H

#include <stdint.h>

#define LXFW_B_NODES 1000
#define LXFW_B_JOBS 5000
#define LXFW_B_QUEUE_MAX (LXFW_B_JOBS / 20)	/* jobs of a node */
#define LXFW_B_INTERVALS 3

/* Mean times between submissions, seconds. */
extern const double lxfw_b_intervals[LXFW_B_INTERVALS];

struct lxfw_b_node {
	int32_t cores;
	int64_t memory_kb;
	double speed;
	double free_at;		/* when its work would be done if all cores were used */
	int count;		/* jobs */
};

struct lxfw_b_job {
	double submit, run;	/* seconds; run at speed 1 */
	int32_t procs;
	int64_t memory_kb;
	double speed;		/* least speed of its node */
	int32_t node;		/* to which the matchmaking sends it */
};

struct lxfw_b_workload {
	struct lxfw_b_node nodes[LXFW_B_NODES];
	struct lxfw_b_job jobs[LXFW_B_JOBS];
};

/* Makes a workload. A job is sent to that one of CHOICES random capable nodes which has the
   least work per core. */
void lxfw_b_workload_make(struct lxfw_b_workload *workload, uint64_t seed, int interval,
			  int choices);

#endif
