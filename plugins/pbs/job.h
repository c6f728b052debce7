/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job as the server reports it. */
#ifndef LXFW_PBS_JOB_H
#define LXFW_PBS_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Substate of state R in which the job's script runs. */
#define LXFW_PBS_SUBSTATE_RUNNING 42

/* Substates of state S. */
#define LXFW_PBS_SUBSTATE_SCHSUSP 45	/* the scheduler suspended it */

/* Substates of state Q in which a job has been sent to a node already. */
#define LXFW_PBS_SUBSTATE_PRERUN 41

/* accrue_type of a job that waits: whether its eligible_time grows. */
#define LXFW_PBS_ACCRUES_INELIGIBLE 1
#define LXFW_PBS_ACCRUES_ELIGIBLE 2

/* Run time of a job without walltime: five years, as the server assumes. A longer one counts as
   this: sums of times do not overflow. */
#define LXFW_PBS_FOREVER (INT64_C(5) * 365 * 24 * 3600)

/* A name and its value. */
struct lxfw_pbs_property {
	char *name, *value;
};

/* Appends a copy of NAME and VALUE. Returns false if memory ran out. */
bool lxfw_pbs_property_add(struct lxfw_pbs_property **list, size_t *count, size_t *size,
			   const char *name, const char *value);
void lxfw_pbs_properties_clear(struct lxfw_pbs_property *list, size_t count);

struct lxfw_pbs_parsed;

struct lxfw_pbs_job {
	char *id;		/* "123.server", "123[4].server", of an array "123[].server" */
	char *queue, *select, *place, *vnodes, *comment, *owner, *user;
	struct lxfw_pbs_parsed *parsed;	/* the select, owned by book.h; NULL: it is read
				   whenever it is used */
	char *remaining;	/* of an array: the tasks that wait, "0-5,9" */
	char *odd;		/* why the library cannot represent it; NULL: it can */
	char *group, *project, *account;
	char *holds;		/* its holds: letters of u, o and s; "n": none */
	char *depends;		/* its dependencies; NULL: none */
	char *held_back;	/* why it is not scheduled now; NULL: it is */
	struct lxfw_pbs_property *wide;	/* resources of the whole job */
	size_t wide_count, wide_size;
	struct lxfw_pbs_property *used;	/* resources_used of a job that runs */
	size_t used_count, used_size;
	char state;
	int substate;
	int64_t eligible, queued, started;	/* times; 0: unknown */
	int64_t begin;		/* the earliest time of its start; 0: none */
	int64_t rank;		/* queue_rank: microseconds; 0: unknown */
	int64_t walltime, walltime_min, walltime_max;	/* seconds, LXFW_PBS_FOREVER at most; -1:
				   not set */
	char *endless;		/* its walltime, if that is more than LXFW_PBS_FOREVER */
	int64_t ran;		/* seconds; -1: unknown */
	int64_t priority;	/* of the job, by its user */
	int64_t eligible_time;	/* seconds, that the server counts; -1: it does not */
	int64_t accrue_type;	/* the server's number of what its wait counts as */
	int accrues;		/* what it is to count as; 0: as it does */
	int64_t runs;		/* number of runs */
	int64_t most_tasks;	/* of an array: tasks that may run at a time; 0: any */
	int64_t estimated;	/* estimated.start_time; 0: not set */
	bool array;
	bool rerunable;
	bool failed;		/* memory ran out */
	bool expanded;		/* a waiting task, which the server reports with its array */
	bool told;		/* an array: a pass has set the comment for its tasks */
	int32_t of;		/* index of the array of a task that is expanded */
	uint32_t barred;	/* number of the list of hosts that it must not have
				   (barred.h); 0: none */
	bool barred_now;	/* on some of these it does not fit only because of other jobs */
	bool refused;		/* vnodes have refused its start */
	bool alone;		/* its hosts must not have other jobs when it starts */
	/* mixed.h */
	bool part;		/* this is a part of the job, in a copy */
	const char *within;	/* of a part: the placement set, RESOURCE=VALUE; NULL: any hosts */
	const char *only;	/* likewise: numbers of the hosts that it may have; NULL: any */
	int32_t bundles;	/* likewise: hosts that each have all its chunks; 0: these are placed
				   as the place says */
	/* Set by the reader of the jobs. */
	uint64_t number;	/* in the id */
	int64_t task;		/* -1: none */
	uint32_t record;	/* lxfw_pbs_records; 0: none */
};

/* Begins the job ID, all else unset. */
void lxfw_pbs_job_begin(struct lxfw_pbs_job *job, const char *id);
/* Sets an attribute; RESOURCE may be NULL. Attributes that are not used are ignored, and so
   are values that cannot be read. */
void lxfw_pbs_job_set(struct lxfw_pbs_job *job, const char *name, const char *resource,
		      const char *value);
void lxfw_pbs_job_clear(struct lxfw_pbs_job *job);

/* The attributes that lxfw_pbs_job_set() uses, and mtime for book.h; ended by NULL. */
extern const char *const lxfw_pbs_job_attributes[];

/* Reads the number and the task of a job ID: *TASK is -1 without one, and *ARRAY is set for
   an array itself. Returns false if ID is no job. */
bool lxfw_pbs_job_id(const char *id, uint64_t *number, int64_t *task, bool *array);

/* Finds the next number of a list "0-5,7-13:2,20" in which ranges may have a step. *AT is
   its rest and *LAST the number before; begin with -1. Returns the number, or -1 at the end
   or at an error. */
int64_t lxfw_pbs_next_task(const char **at, int64_t *last);

#endif
