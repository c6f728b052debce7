/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs' shares of a node, and who is asked for them: the controller, or what tests
 * have in its place.
 */
#ifndef LXFW_SPANK_SHARE_H
#define LXFW_SPANK_SHARE_H

#include <stdint.h>

#include "plugins/slurm/spank-lxfw/cpu_list.h"

struct lxfw_node_share {
	/* Processors, as Slurm counts them, 1 or more: hardware threads where
	   it gives these out, else cores. */
	unsigned processors;
	/* Cores by Slurm's own numbers (0 is the first core of the first
	   socket), at least one. A node may be configured with more of them than
	   the machine has. */
	struct lxfw_cpus cores;
};

enum lxfw_share_answer {
	LXFW_SHARE_READ,	/* *SHARE is what the job has now */
	LXFW_SHARE_NONE,	/* the job does not run, or spans nodes: leave
				   everything as it is */
	LXFW_SHARE_AWAY,	/* no answer, errno: ask again later */
};

struct lxfw_job_share {
	uint32_t job;
	enum lxfw_share_answer answer;	/* READ or NONE */
	struct lxfw_node_share share;
};

struct lxfw_share_source {
	/* Fill in the answer and the share of each of COUNT jobs. 0, or -1 with
	   errno where there is no answer. May block for as long as the
	   controller's time limits are. */
	int (*read)(void *context, struct lxfw_job_share *jobs, size_t count);
	void *context;
};

bool lxfw_share_equal(const struct lxfw_node_share *a,
		      const struct lxfw_node_share *b);

/*
 * One line, "PROCESSORS CORES\n": how steps tell each other, and tests tell a
 * step. Parsing answers 0, or -1 with errno EINVAL or ERANGE and *SHARE
 * unchanged.
 */
int lxfw_share_parse(struct lxfw_node_share *share, const char *line);
int lxfw_share_format(const struct lxfw_node_share *share, char *line, size_t size);

/* Read that line from PATH (of DIRECTORY, AT_FDCWD or an open folder). NONE
   where there is no such file. */
enum lxfw_share_answer lxfw_share_read_file(int directory, const char *path,
					    struct lxfw_node_share *share);

#endif
