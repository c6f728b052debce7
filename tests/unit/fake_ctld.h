/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stand-in for slurmctld, for tests of the bridge: the controller's tables,
 * and the functions that the bridge calls, with a simple truth of their own.
 * Bitmaps, lists and node records are Slurm's, out of libslurmfull.
 *
 *   fake_ctld.c    tables, clock, locks, queue
 *   fake_jobs.c    job records as sbatch would make them; their ends
 *   fake_place.c   who fits where: the truth
 *   fake_start.c   starts, and the books of what is taken
 *   plugins/slurm/compat/fake_entry.c
 *                  the controller's functions, by the release's signatures
 *
 * There is one controller in the process, and one thread that uses it. Programs
 * are linked with -Wl,--wrap=time: the clock is the test's while it is set.
 */
#ifndef LXFW_TESTS_FAKE_CTLD_H
#define LXFW_TESTS_FAKE_CTLD_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/slurm/compat/compat.h"

#define FAKE_KINDS 2	/* of GRES: "gpu" and "shard" */

/* What goes wrong, and how often: a chance of one in so many, 0 for never. */
struct fake_trouble {
	uint64_t random;	/* state of the random numbers */
	uint32_t refuse;	/* select_nodes() refuses without a reason */
	int bad_node;		/* 1 + a node on which it never starts anything */
	uint32_t more;		/* a job gets one processor more on its nodes */
	uint32_t vanish;	/* before a lock a job's record is gone */
	uint32_t jump;		/* before a lock the clock moves by up to an hour,
				   forwards or backwards */
};

struct fake_counts {
	uint32_t starts, refusals, launches, selections;
	uint32_t suspensions, requeues, resizes;
	uint32_t most_suspensions;	/* of a job, in one run of it */
	uint32_t errors, infos;		/* lines in the log */
	char last_error[256];
};

/* What is taken of a node. */
struct fake_taken {
	int64_t procs;
	uint64_t memory_mb;
	uint64_t gres[FAKE_KINDS];
	uint32_t jobs;
	bool whole;		/* by a job that wants nobody beside it */
};

extern struct fake_trouble fake_trouble;
extern struct fake_counts fake_counts;

/* Jobs that run or are suspended. */
extern job_record_t **fake_active;
extern size_t fake_active_count;

/* --- the cluster: fake_ctld.c ------------------------------------------------- */

/* An empty cluster at second NOW. A clock of 0 is the machine's. */
void fake_start(time_t now, bool memory_counts);
void fake_stop(void);

void fake_clock(time_t now);
void fake_pass_seconds(int64_t seconds);

/* A further node, up, of one socket and as many cores as processors. */
node_record_t *fake_node(const char *name, uint16_t procs, uint64_t memory_mb,
			 uint64_t gpus);
/* COUNT nodes NAME0, NAME1 ... */
void fake_nodes(const char *name, int count, uint16_t procs,
		uint64_t memory_mb, uint64_t gpus);
/* All nodes are there: make the bitmaps. Before partitions and jobs. */
void fake_nodes_done(void);
void fake_node_down(int node, bool down);
void fake_node_feature(int node, const char *feature);

/* A partition of nodes FIRST to LAST, of any time and number of nodes. */
part_record_t *fake_part(const char *name, int first, int last);

/* Read the configuration again with the nodes in the reverse order. Jobs that
   run must have ended. */
void fake_renumber(void);

uint64_t fake_random(void);
/* True once in N times, at random. */
bool fake_chance(uint32_t n);

/* --- jobs: fake_jobs.c ------------------------------------------------------------ */

/* A waiting batch job of one processor and MINUTES, as `sbatch -p PART -t`, in each
   of the partitions PART, separated by commas. Its priority is 1000. */
job_record_t *fake_job(const char *part, uint32_t minutes);

void fake_tasks(job_record_t *job, uint32_t tasks, uint16_t cpus_per_task);
void fake_node_count(job_record_t *job, uint32_t least, uint32_t most);
void fake_memory(job_record_t *job, uint64_t mb);		/* --mem */
void fake_memory_per_cpu(job_record_t *job, uint64_t mb);
void fake_exclusive(job_record_t *job);
/* --comment=lxfw:adaptive=LEAST */
void fake_adaptive(job_record_t *job, uint32_t least);
void fake_exclude(job_record_t *job, const char *name, int node);
void fake_require(job_record_t *job, const char *name, int node);
void fake_features(job_record_t *job, const char *feature, uint16_t count);
/* Its array of tasks FIRST to LAST, at most MOST of them running (0: any). */
void fake_array(job_record_t *job, int first, int last, uint32_t most);
/* What it asks of GRES, to be filled in by the caller: NAME is "gpu". */
gres_job_state_t *fake_gres(job_record_t *job, const char *name);

job_record_t *fake_find(uint32_t job_id);
/* The task's record, when it has one of its own. */
job_record_t *fake_task(uint32_t array_job_id, uint32_t task);
/* Print what it asks. */
void fake_describe(const job_record_t *job);
uint32_t fake_running(void);
uint32_t fake_waiting(void);

void fake_end(job_record_t *job);	/* its record stays */
void fake_vanish(job_record_t *job);	/* whatever it is doing */
void fake_end_overdue(void);		/* whose time is over */
void fake_requeue(job_record_t *job);
void fake_suspend(job_record_t *job, bool suspend);

/* For the other files. */
void fake_activate(job_record_t *job);
void fake_swap_ids(job_record_t *one, job_record_t *other);
void fake_jobs_start(void);
void fake_jobs_stop(void);
job_record_t *fake_any_job(void);

/* --- the truth: fake_place.c -------------------------------------------------------- */

/* What a job gets. */
struct fake_place {
	bitstr_t *nodes;
	uint32_t count;
	int64_t *procs;			/* of each node of the cluster */
	uint64_t *memory_mb;
	uint64_t (*gres)[FAKE_KINDS];
};

/* Put JOB on nodes out of AMONG beside TAKEN. False if it does not fit. */
bool fake_place(const job_record_t *job, const bitstr_t *among,
		const struct fake_taken *taken, struct fake_place *place);
void fake_place_clear(struct fake_place *place);

/* Could it run in its partition if nothing else did: on the nodes that are up, or on
   all? */
bool fake_fits_empty(const job_record_t *job, bool up);

int fake_kind(uint32_t plugin_id);	/* of GRES, or -1 */

/* --- fake_start.c: select_nodes() and the test of select plugins ------------------------ */

/* What running and suspended jobs have of each node, to be freed. No node is
   given out twice, nor is a core. */
struct fake_taken *fake_taken(void);

/* Cores that nobody is to get although they are free (cores.c), or no more. */
void fake_shield(job_record_t *stub, bool up);

int fake_select_nodes(job_record_t *job, bool test_only);
time_t fake_would_start(job_record_t *job, bitstr_t *nodes, bool now_only);

#endif
