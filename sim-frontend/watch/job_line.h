/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs of the Slurm that runs, from squeue(1). Only fields are requested that Slurm checks
 * or writes itself: a name or a comment could contain text like other fields.
 */
#ifndef LXFW_WATCH_JOB_LINE_H
#define LXFW_WATCH_JOB_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/model/reason.h"
#include "common/util/error.h"

/* Ends each field. No field contains it. */
#define LXFW_WATCHED_END '\037'

/* The fields, for `squeue --Format`. Times are in seconds with SLURM_TIME_FORMAT=%s. */
extern const char lxfw_watched_format[];

/* Numbers of fields of it that may name users, from 0. */
enum { LXFW_WATCHED_SAID = 5, LXFW_WATCHED_USER = 25, LXFW_WATCHED_GROUP };

/* What only `squeue --format` has: the job id, the nodes that it excludes, its licenses, and the jobs on
   which it depends. */
extern const char lxfw_watched_excluded[];

enum lxfw_watched_state {
	LXFW_WATCHED_WAITING,
	LXFW_WATCHED_RUNNING,
	LXFW_WATCHED_SUSPENDED,
	LXFW_WATCHED_ENDING,	/* it is being cleaned up, and has its nodes */
};

/* A job. The texts are parts of the line; "" if Slurm prints "(null)". */
struct lxfw_watched {
	uint64_t id;		/* as in a journal of the plugin */
	uint32_t record;	/* its job id */
	enum lxfw_watched_state state;
	enum lxfw_reason reason;	/* why it is not eligible, or is left to Slurm;
					   LXFW_REASON_NONE: it may be scheduled */
	enum lxfw_limited limited;
	const char *said;	/* why it waits, as Slurm says it; "" if it runs */
	uint32_t het;		/* a component of this heterogeneous job: its first record; 0: of none */
	bool exclusive;		/* on nodes without other jobs */
	bool own_user;		/* on nodes without jobs of other users (--exclusive=user, or that of
				   its partition), or of other labels (mcs) */
	int64_t priority, submit, eligible;
	int64_t start, end;	/* of a running job; 0: unknown */
	int64_t limit;		/* seconds; 0: none is stated */
	int64_t hosts;		/* nodes that it has, or as Slurm estimates; 0: unknown */
	int64_t tasks, per_task;	/* number of tasks, and processors of each; 0: unknown */
	int64_t least_cpus;	/* that are free on each of its nodes when it starts: of its tasks there
				   (--ntasks-per-node), of one task, or --mincpus; 0: unknown */
	int64_t threads;	/* of a core that it uses; 0: all */
	const char *user, *group;
	const char *partitions, *nodes, *features, *required, *reservation;
	/* Not in the line, see texts.h. */
	const char *excluded;	/* nodes */
	const char *licenses;	/* "abaqus:4,matlab" */
	const char *dependency;	/* "afterok:12(unfulfilled)" */
	/* The tasks of an array that wait, "4-9,12:3%2"; "": it is one job. */
	const char *array;
	int32_t most_tasks;	/* that run at once, of `array`; 0: any number */
	const char *tres;	/* what it has, or requests: "cpu=8,mem=4G,node=1,gres/gpu=2";
				   GRES, and their types, only if the site accounts for them */
	/* GRES that it requests in all, per node, per socket and per task: "gres:gpu:a100:2",
	   "gres/gpu:a100:2", "gres/gpu:a100=2" */
	const char *job_gres, *node_gres, *socket_gres, *task_gres;
	/* Processors that come with each: "gres:gpu:2", and "gpu:4" if it is the partition's default,
	   from the first time on that Slurm considers the job. */
	const char *cpus_per_gres;
	int64_t sockets;	/* of a node, that it requests; 0: any number */
};

/* Takes a line, which is changed. Returns 1; 0: the job has ended, or squeue says that it lacks a
   field; -1: it is not such a line. */
int lxfw_watched_read(char *line, struct lxfw_watched *job);

/* Nothing but what this program models keeps the job from a start: sets its reason to
   LXFW_REASON_NONE, or to what else keeps it. */
void lxfw_watched_settle(struct lxfw_watched *job);

/* Takes a line of lxfw_watched_excluded, which is changed: sets `record`, `excluded`, `licenses` and
   `dependency` of JOB, parts of it, "" if there are none. The last one may be missing. Returns whether
   it is such a line. */
bool lxfw_watched_read_excluded(char *line, struct lxfw_watched *job);

/* The tasks of an array, in the order of its list. */
struct lxfw_watched_tasks {
	const char *at;			/* the rest of the list */
	int64_t next, last, step;	/* of the range before it */
};
/* Sets *TASKS to the begin of a list. */
void lxfw_watched_tasks(struct lxfw_watched_tasks *tasks, const char *list);
/* Returns the number of the next task, or -1 at the end of the list, and where it is not one. */
int64_t lxfw_watched_next_task(struct lxfw_watched_tasks *tasks);

/* Why a job waits, by the name that Slurm gives the reason. LXFW_REASON_NONE: it may start when
   there is room. */
enum lxfw_reason lxfw_watched_reason(const char *name, enum lxfw_limited *limited);

#endif
