/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread in slurmstepd that follows a job's share. It applies the share to the
 * step's processes and publishes it to the job.
 *
 * On each node one step sends requests to the controller for all adaptive jobs of the
 * node. The other steps read the recorded result twice a second. While the controller
 * does not respond, requests become less frequent and all shares stay as they are.
 */
#ifndef LXFW_SPANK_FOLLOWER_H
#define LXFW_SPANK_FOLLOWER_H

#include "plugins/slurm/spank-lxfw/cpu_map.h"
#include "plugins/slurm/spank-lxfw/processes.h"
#include "plugins/slurm/spank-lxfw/share.h"
#include "plugins/slurm/spank-lxfw/share_dir.h"

/* The follower copies or takes over all fields and frees them. */
struct lxfw_follower_plan {
	struct lxfw_step step;
	struct lxfw_share_source source;
	struct lxfw_node_share share;	/* initial share */
	struct lxfw_cpu_map map;
	const char *mounts;		/* mount table; not copied */
	/* The job's folder. If NULL, the thread requests the share of this job only and
	   does not publish it. The caller owns it and must keep it until the follower
	   has stopped. */
	struct lxfw_share_dir *dir;
	int interval;			/* seconds between requests, 1 or more */
	/* Functions that log one line without a newline. */
	void (*info)(const char *text);
	void (*error)(const char *text);
};

struct lxfw_follower;

/*
 * Starts the thread, which first applies the plan's share to the step. Returns NULL
 * with errno set on failure; the plan then still belongs to the caller.
 */
struct lxfw_follower *lxfw_follower_start(const struct lxfw_follower_plan *plan);

/*
 * Stops the thread. Returns within about a second. If the thread is waiting for the
 * controller or applying a share to very many processes, it is detached; it then ends
 * by itself and frees its data. Its code must stay loaded until then. A detached thread
 * uses nothing of the plan except mounts, step.proc and the source's context.
 */
void lxfw_follower_stop(struct lxfw_follower *follower);

/*
 * Returns the milliseconds until the next request after FAILURES requests without a
 * response: INTERVAL, doubled with each failure up to 30 seconds, varied by 15 % in
 * either direction so that nodes that started together spread out. *RANDOM is the state
 * of the random number generator.
 */
long lxfw_follower_pause(long interval, unsigned failures, unsigned *random);

#endif
