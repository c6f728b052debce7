/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which jobs of a trace are adaptive: under EQspatial they run on their share of a
 * host, all others keep what they ask for. On a cluster users say so, with sbatch
 * --adaptive[=MIN]; for a trace whoever simulates it has to:
 *
 *   all              every job
 *   0 .. 1           a share of them, drawn job by job: 0.25 is a quarter. With the
 *                    same seed the jobs of a smaller share are among those of a
 *                    larger one.
 *   queue:A:B...     the jobs of these queues (Slurm's partitions), likewise
 *   user:A:B...      of users and
 *   group:A:B...     of groups: names of the trace's header or numbers of its
 *                    columns
 *   anything else    a file with the numbers of jobs, one on a line, each with the
 *                    fewest processors that it can do with behind it if that is not
 *                    the same for all; '#' begins a comment
 */
#ifndef LXFW_TRACE_ADAPTIVE_H
#define LXFW_TRACE_ADAPTIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/trace/trace.h"

struct lxfw_adaptive {
	enum lxfw_adaptive_kind {
		LXFW_ADAPTIVE_ALL,
		LXFW_ADAPTIVE_SHARE,
		LXFW_ADAPTIVE_QUEUE,
		LXFW_ADAPTIVE_USER,
		LXFW_ADAPTIVE_GROUP,
		LXFW_ADAPTIVE_FILE,
	} kind;
	const char *text;	/* names with colons between, or the path */
	double share;
	uint64_t seed;
	int32_t min_procs;		/* fewest processors where the file tells none, 1 or
				   more; a job that asks for fewer has those */
	/* Only in these queues, names with colons between: lxfw_eq_partition. NULL =
	   in all. Not to be ended by a NUL. */
	const char *partitions;
	int partitions_length;
};

/* What became of it. */
struct lxfw_adaptive_result {
	size_t chosen;		/* jobs */
	size_t elsewhere;	/* not chosen because of their queue */
	size_t not_found;	/* numbers of the file that no job has */
	bool no_queues;		/* no job has a queue: `partitions` were not looked at */
};

/* Take TEXT, which has to outlive *ADAPTIVE, for what is above: kind, text, share. 0,
   or -1 where it is a number beyond 0 to 1 or has no names. */
int lxfw_adaptive_parse(struct lxfw_adaptive *adaptive, const char *text);

/* Whether the trace has to be read with its owners. */
bool lxfw_adaptive_needs_owners(const struct lxfw_adaptive *adaptive);

/* Set `least` of each job. 0, or -1 with errno and ERROR set: a file that cannot be
   read or has a line that is none, a name that the trace does not know. */
int lxfw_adaptive_choose(const struct lxfw_adaptive *adaptive,
			 struct lxfw_trace *trace,
			 struct lxfw_adaptive_result *result,
			 struct lxfw_error *error);

#endif
