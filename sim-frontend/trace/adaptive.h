/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Selects the adaptive jobs of a trace. EQspatial runs an adaptive job on its share of a
 * host; other jobs keep the processors they requested. On a cluster, users mark a job
 * with sbatch --adaptive[=MIN]. A trace has no such marks, so the simulation selects jobs
 * by one of the following:
 *
 *   all              every job
 *   0 .. 1           a random fraction of the jobs: 0.25 is a quarter. With the
 *                    same seed, the jobs of a smaller fraction are a subset of
 *                    those of a larger one.
 *   queue:A:B...     the jobs of these queues (Slurm partitions)
 *   user:A:B...      the jobs of these users
 *   group:A:B...     the jobs of these groups
 *   anything else    a file with one job number per line, optionally followed by
 *                    the minimum number of processors of the job. '#' begins a
 *                    comment.
 *
 * Queues, users and groups are names from the header of the trace or numbers from its
 * columns.
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
	const char *text;	/* names separated by colons, or the path */
	double share;
	uint64_t seed;
	int32_t min_procs;		/* minimum number of processors unless the file
					   states one, 1 or more; limited to the
					   processors the job requests */
	/* Restricts the selection to these queues (the parameter lxfw_eq_partition):
	   names separated by colons. NULL: no restriction. Names need not be
	   terminated by NUL. */
	const char *partitions;
	int partitions_length;
};

/* The file of --adaptive, or NULL. */
static inline const char *lxfw_adaptive_path(const struct lxfw_adaptive *adaptive)
{
	return adaptive->kind == LXFW_ADAPTIVE_FILE ? adaptive->text : NULL;
}

/* Result of the selection. */
struct lxfw_adaptive_result {
	size_t chosen;		/* number of adaptive jobs */
	size_t elsewhere;	/* jobs excluded by their queue */
	size_t not_found;	/* numbers in the file that no job has */
	bool no_queues;		/* no job has a queue: `partitions` was ignored */
};

/* Parses TEXT and sets kind, text and share. TEXT must outlive *ADAPTIVE. Returns 0,
   or -1 if TEXT is a number outside 0 to 1 or a name is missing. */
int lxfw_adaptive_parse(struct lxfw_adaptive *adaptive, const char *text);

/* Returns whether the trace must be read with the owners of its jobs. */
bool lxfw_adaptive_needs_owners(const struct lxfw_adaptive *adaptive);

/* Sets `min_procs` of each job. Returns 0, or -1 with errno and ERROR set if the file
   cannot be read or has an invalid line, or if the trace does not have a name. */
int lxfw_adaptive_choose(const struct lxfw_adaptive *adaptive,
			 struct lxfw_trace *trace,
			 struct lxfw_adaptive_result *result,
			 struct lxfw_error *error);

#endif
