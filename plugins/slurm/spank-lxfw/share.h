/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs' shares of a node and the source they are read from: the controller, or a
 * substitute in tests.
 */
#ifndef LXFW_SPANK_SHARE_H
#define LXFW_SPANK_SHARE_H

#include <stdint.h>

#include "plugins/slurm/spank-lxfw/cpu_list.h"

struct lxfw_node_share {
	/* Number of processors as Slurm counts them, 1 or more: hardware threads if
	   these are allocated separately, otherwise cores. */
	unsigned processors;
	/* Cores by Slurm's numbers, at least one; 0 is the first core of the first
	   socket. A node may be configured with more cores than the machine has. */
	struct lxfw_cpus cores;
};

enum lxfw_share_answer {
	LXFW_SHARE_READ,	/* *SHARE is the job's present share */
	LXFW_SHARE_NONE,	/* the job does not run, or runs on several nodes:
				   change nothing */
	LXFW_SHARE_AWAY,	/* no answer, see errno: try again later */
};

struct lxfw_job_share {
	uint32_t job;
	enum lxfw_share_answer answer;	/* READ or NONE */
	struct lxfw_node_share share;
};

struct lxfw_share_source {
	/* Sets the answer and the share of each of COUNT jobs. Returns 0, or -1 with
	   errno if there is no answer. May block as long as the controller's timeouts
	   permit. */
	int (*read)(void *context, struct lxfw_job_share *jobs, size_t count);
	void *context;
};

/* Returns true if processors and cores are equal. */
bool lxfw_share_equal(const struct lxfw_node_share *a,
		      const struct lxfw_node_share *b);

/*
 * The text form of a share, "PROCESSORS CORES\n", used in files between steps and in
 * tests. Both functions return 0, or -1 with errno. lxfw_share_parse() sets errno to
 * EINVAL or ERANGE and leaves *SHARE unchanged.
 */
int lxfw_share_parse(struct lxfw_node_share *share, const char *line);
int lxfw_share_format(const struct lxfw_node_share *share, char *line, size_t size);

/* Reads a share from PATH relative to DIRECTORY, an open directory or AT_FDCWD. Returns
   NONE if the file does not exist. */
enum lxfw_share_answer lxfw_share_read_file(int directory, const char *path,
					    struct lxfw_node_share *share);

#endif
