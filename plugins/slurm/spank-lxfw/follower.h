/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread in slurmstepd that follows a job's share: lays it on the step's
 * processes, tells the job.
 *
 * One step of all adaptive jobs on a node asks the controller, for all of them; the
 * others read what it has written, twice a second. While there is no answer it asks
 * ever less often, and everything stays as it is.
 */
#ifndef LXFW_SPANK_FOLLOWER_H
#define LXFW_SPANK_FOLLOWER_H

#include "plugins/slurm/spank-lxfw/cpu_map.h"
#include "plugins/slurm/spank-lxfw/processes.h"
#include "plugins/slurm/spank-lxfw/share.h"
#include "plugins/slurm/spank-lxfw/share_dir.h"

/* Everything is copied or taken over, and freed by the follower. */
struct lxfw_follower_plan {
	struct lxfw_step step;
	struct lxfw_share_source source;
	struct lxfw_node_share share;	/* at the start */
	struct lxfw_cpu_map map;
	const char *mounts;		/* where cpusets are; stays */
	/* Folder of the job, or NULL: ask for it alone, tell nobody. It stays the
	   caller's, who keeps it until the follower has stopped. */
	struct lxfw_share_dir *dir;
	int interval;			/* s between questions, 1 or more */
	/* Where messages go, one line each without a newline. */
	void (*info)(const char *text);
	void (*error)(const char *text);
};

struct lxfw_follower;

/*
 * Lay the share of the plan on the step and begin to follow. NULL with errno; the
 * plan then still belongs to the caller.
 */
struct lxfw_follower *lxfw_follower_start(const struct lxfw_follower_plan *plan);

/*
 * End it. Returns within a second or so: if it waits for the controller just then, or
 * lays a share on very many processes, it is left behind, does nothing more than to
 * end when that is over, and to free what it has. Its code must stay as long. Nothing
 * of the plan is used any more, but mounts, step.proc and what the source's context
 * is.
 */
void lxfw_follower_stop(struct lxfw_follower *follower);

/*
 * Milliseconds until the next question, after so many without an answer: about
 * INTERVAL (ms), then twice as long each time, up to half a minute, always 15 % more
 * or less, so that nodes that began together spread. *RANDOM is the state.
 */
long lxfw_follower_pause(long interval, unsigned failures, unsigned *random);

#endif
