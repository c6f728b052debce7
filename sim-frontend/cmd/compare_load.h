/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw compare: what was measured, and what the simulation of it assumes. */
#ifndef LXFW_CMD_COMPARE_LOAD_H
#define LXFW_CMD_COMPARE_LOAD_H

#include "sim-frontend/cmd/site.h"
#include "sim-frontend/engine/recorded.h"
#include "sim-frontend/trace/cluster.h"

/* The arguments of the command that say what was measured, and where. NULL where not
   given. */
struct lxfw_compare_input {
	char *const *files;	/* one or more; several journals, or one log */
	int file_count;
	bool alone;		/* without rotated files */
	const char *cluster, *reservations;
	const char *policy, *params;
	const char *run_times;
	struct lxfw_site_shape shape;
	enum lxfw_trace_memory memory;
	enum lxfw_cancelled cancelled;
};

/* What the simulation assumes, in words, cut at the end of TEXT. */
struct lxfw_assumptions {
	char text[400];
};

/* Read what was measured. RECORDED and CLUSTER are {0}, and to be cleared even after
   -1, which follows a message. What is assumed is added to ASSUMED. */
int lxfw_compare_load(const struct lxfw_compare_input *input,
		      struct lxfw_cluster *cluster,
		      struct lxfw_recorded *recorded,
		      struct lxfw_assumptions *assumed);

/* The parameters that INPUT asks for, otherwise those of CLUSTER's slurm.conf, otherwise
   those of easy. 0, or -1 after a message. */
int lxfw_compare_params(const struct lxfw_compare_input *input,
			const struct lxfw_cluster *cluster,
			struct lxfw_params *params);

/* Add to ASSUMED where the policy comes from. */
void lxfw_compare_assume_policy(const struct lxfw_compare_input *input,
				const struct lxfw_cluster *cluster,
				const struct lxfw_recorded *recorded,
				const struct lxfw_params *params,
				struct lxfw_assumptions *assumed);

#endif
