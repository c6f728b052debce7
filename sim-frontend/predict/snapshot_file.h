/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Snapshots in files: the state of a scheduler (common/snapshot.h) as text, with the names
 * of hosts and jobs and the run times of jobs that have ended. lxfw-snapshot(1) describes
 * the format.
 */
#ifndef LXFW_PREDICT_SNAPSHOT_FILE_H
#define LXFW_PREDICT_SNAPSHOT_FILE_H

#include "common/snapshot.h"
#include "common/util/error.h"
#include "sim-frontend/history/experience.h"

/* The version that is written; files of version 1 have no submissions. */
#define LXFW_SNAPSHOT_VERSION 2
#define LXFW_SNAPSHOT_NAME_SIZE 256	/* including the terminating NUL */

/* A job that has ended. */
struct lxfw_snapshot_ran {
	int64_t partition;	/* the first host set of its request; -1: none */
	int64_t limit;		/* requested time, seconds */
	int64_t procs;
	int64_t seconds;	/* run time */
};

/* A job that was submitted before the snapshot, whether it has ended or not. */
struct lxfw_snapshot_submitted {
	struct lxfw_request request;	/* `submit`: the time of its submission. Without id and
					   group */
	int64_t priority, delay;	/* the first ones; 0: none */
	int64_t seconds;	/* run time; 0: it has not ended */
};

/* {0} is empty. */
struct lxfw_snapshot_file {
	struct lxfw_snapshot state;
	char **host_names;	/* by index; "": none. Never NULL after reading */
	char **job_names;	/* of state.jobs; "" or NULL: none */
	struct lxfw_snapshot_ran *ran;	/* in the order in which they ended */
	struct lxfw_snapshot_submitted *submitted;	/* in the order of submission */
	size_t submitted_count, submitted_size;
	size_t ran_count, ran_size, host_names_size, job_names_size;
	bool anonymous;
};

void lxfw_snapshot_file_clear(struct lxfw_snapshot_file *file);

/*
 * Replaces the names of hosts, and the numbers of jobs, job arrays and heterogeneous jobs,
 * by numbers from 1, so that the order of jobs stays the same. Call it once. Returns 0, or
 * -1 with errno ENOMEM and FILE as good as empty.
 */
int lxfw_snapshot_anonymize(struct lxfw_snapshot_file *file);

/* Writes the file at PATH; "-": standard output. Returns 0, or -1 with ERROR set and no
   file left. */
int lxfw_snapshot_write(const struct lxfw_snapshot_file *file, const char *path,
			struct lxfw_error *error);

/* Reads the file at PATH into *FILE, which is {0}. The state is one that can be restored.
   Returns 0, or -1 with errno and ERROR set and *FILE empty. */
int lxfw_snapshot_read(struct lxfw_snapshot_file *file, const char *path,
		       struct lxfw_error *error);

/* Learns the run times of the jobs that have ended. Returns 0, or -1 with errno ENOMEM. */
int lxfw_snapshot_experience(const struct lxfw_snapshot_file *file,
			     struct lxfw_experience *experience);

#endif
