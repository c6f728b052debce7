/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw compare: reads the measured run, and states the assumptions of its simulation. */
#ifndef LXFW_CMD_COMPARE_LOAD_H
#define LXFW_CMD_COMPARE_LOAD_H

#include "sim-frontend/cmd/priorities.h"
#include "sim-frontend/cmd/site.h"
#include "sim-frontend/engine/recorded.h"
#include "sim-frontend/trace/cluster.h"

/* Arguments of the command that describe the measured run. NULL if not given. */
struct lxfw_compare_input {
	char *const *files;	/* one log, or one or more journals */
	int file_count;
	bool alone;		/* ignore rotated files */
	const char *cluster, *reservations;
	const char *policy, *params;
	bool trial;		/* the journal is that of a trial, without these two */
	const char *run_times;
	struct lxfw_site_shape shape;
	enum lxfw_trace_memory memory;
	enum lxfw_cancelled cancelled;
};

/* Assumptions of the simulation as text, truncated at the size of TEXT. */
struct lxfw_assumptions {
	char text[400];
};

/* Reads the measured run. RECORDED and CLUSTER must be {0}; the caller clears them
   even if the function returns -1, which follows a message. Assumptions are added to
   ASSUMED. */
int lxfw_compare_load(const struct lxfw_compare_input *input,
		      struct lxfw_cluster *cluster,
		      struct lxfw_recorded *recorded,
		      struct lxfw_assumptions *assumed);

/* Sets *PARAMS to the parameters of INPUT, otherwise those of CLUSTER's slurm.conf, otherwise
   those of slurm if the site has sched/backfill, otherwise those of site if its slurm.conf has
   priority/multifactor, otherwise those of easy.
   Returns 0, or -1 after a message. */
int lxfw_compare_params(const struct lxfw_compare_input *input,
			const struct lxfw_cluster *cluster,
			struct lxfw_params *params);

/* Whether these are the parameters of policy slurm, since the site has sched/backfill. */
bool lxfw_compare_by_default(const struct lxfw_compare_input *input,
			     const struct lxfw_cluster *cluster);

/* Adds the origin of the policy and of PRIORITIES to ASSUMED. */
void lxfw_compare_assume_policy(const struct lxfw_compare_input *input,
				const struct lxfw_cluster *cluster,
				const struct lxfw_recorded *recorded,
				const struct lxfw_params *params,
				const struct lxfw_cmd_priorities *priorities,
				struct lxfw_assumptions *assumed);

#endif
