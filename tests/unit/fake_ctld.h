/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A simulated slurmctld for tests of the bridge: the controller's tables, and simple
 * implementations of the functions that the bridge calls. Bitmaps, lists and node
 * records are Slurm's own, from libslurmfull.
 *
 *   fake_ctld.c    tables, clock, locks, queue
 *   fake_jobs.c    job records as sbatch would create them; ends of jobs
 *   fake_place.c   which jobs fit on which nodes
 *   fake_start.c   starts, and accounting of allocated resources
 *   fake_preempt.c preemption by partitions, as with preempt/partition_prio
 *   fake_limits.c  limits of one QOS and one association
 *   fake_licenses.c
 *   plugins/slurm/compat/fake_entry.c
 *                  the controller's functions with the signatures of the release
 *
 * There is one controller per process, used by one thread. Programs are linked with
 * -Wl,--wrap=time: while the test's clock is set, time() returns it.
 */
#ifndef LXFW_TESTS_FAKE_CTLD_H
#define LXFW_TESTS_FAKE_CTLD_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/slurm/compat/compat.h"

#define FAKE_KINDS 12	/* kinds of GRES: "gpu", "shard", "k2", "k3", ... */

/* Errors and their frequency: each occurs once in N times, 0 for never. */
struct fake_trouble {
	uint64_t random;	/* state of the random numbers */
	uint32_t refuse;	/* select_nodes() refuses without a reason */
	int bad_node;		/* 1 + the index of a node on which it never starts a
	             		 * job */
	uint32_t more;		/* a job gets one more processor on its nodes */
	uint32_t vanish;	/* a job's record disappears before a lock is taken */
	uint32_t jump;		/* before a lock is taken the clock is set by up to an
	              		 * hour, forwards or backwards */
	bool unanswered;	/* a node does not respond to a message */
};

struct fake_counts {
	uint32_t starts, refusals, launches, selections;
	uint32_t suspensions, requeues, resizes;
	uint32_t most_suspensions;	/* maximum for one run of a job */
	uint32_t choice;	/* nodes that were not excluded in the last selection */
	uint32_t errors, infos;		/* lines in the log */
	char last_error[256];
	uint32_t preemptable;	/* searches for jobs that may be preempted */
};

/* Allocated resources of a node. */
struct fake_taken {
	int64_t procs;
	uint64_t memory_mb;
	uint64_t gres[FAKE_KINDS];
	uint32_t jobs;
	bool whole;		/* by an exclusive job */
};

/* A magnetic reservation that attracts all jobs, or NULL. */
extern slurmctld_resv_t *fake_magnetic;

/* What job_test_resv() returns: an error, or that these nodes are reserved for others. */
extern struct fake_kept_out {
	int error_code;
	bitstr_t *nodes;	/* or NULL */
} fake_kept_out;

/* Nodes of completing jobs according to job_is_completing(), or NULL. */
extern bitstr_t *fake_completing;

extern struct fake_trouble fake_trouble;
extern struct fake_counts fake_counts;

/* Jobs that run or are suspended. */
extern job_record_t **fake_active;
extern size_t fake_active_count;

/* --- the cluster: fake_ctld.c ------------------------------------------- */

/* Start an empty cluster at second NOW. With 0 the machine's clock is used. */
void fake_start(time_t now, bool memory_counts);
void fake_stop(void);
/* Since 24.11 a record of the queue names the QOS (fake_entry.c). */
void fake_record_qos(job_queue_rec_t *record);

/* The value of SelectTypeParameters=CR_CPU or CR_CPU_Memory (fake_entry.c). */
uint32_t fake_select_parameters(bool memory_counts);

void fake_clock(time_t now);
void fake_pass_seconds(int64_t seconds);

/* Add a node that is up, with one socket and as many cores as processors. */
node_record_t *fake_node(const char *name, uint16_t procs, uint64_t memory_mb,
			 uint64_t gpus);
/* Add COUNT of a kind of GRES to a node. */
void fake_node_gres(node_record_t *node, const char *kind, uint64_t count);
/* Add COUNT nodes NAME0, NAME1 ... */
void fake_nodes(const char *name, int count, uint16_t procs,
		uint64_t memory_mb, uint64_t gpus);
/* Create the bitmaps. Call it after the last node and before partitions and jobs. */
void fake_nodes_done(void);
void fake_node_down(int node, bool down);
void fake_node_feature(int node, const char *feature);

/* Add a partition of nodes FIRST to LAST, without limits of time and nodes. If its
   priority_job_factor is not 0, it is the priority of every job there. */
part_record_t *fake_part(const char *name, int first, int last);

/* Read the configuration again, with the nodes in reverse order. All running jobs must
   have ended. */
void fake_renumber(void);

uint64_t fake_random(void);
/* Return true once in N times, at random. */
bool fake_chance(uint32_t n);

/* --- jobs: fake_jobs.c -------------------------------------------------- */

/* Submit a batch job of one processor and MINUTES, as `sbatch -p PART -t`, to the
   partitions PART, separated by commas. Its priority is 1000. */
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
void fake_prefer(job_record_t *job, const char *feature);
/* Make it an array of tasks FIRST to LAST, of which at most MOST run (0: no limit). */
void fake_array(job_record_t *job, int first, int last, uint32_t most);
/* Make JOB the next component of the heterogeneous job of LEADER. */
void fake_component(job_record_t *leader, job_record_t *job);
/* Add a request of GRES NAME, such as "gpu". The caller sets its fields. */
gres_job_state_t *fake_gres(job_record_t *job, const char *name);

job_record_t *fake_find(uint32_t job_id);
/* Return the task's record, if it has a separate one. */
job_record_t *fake_task(uint32_t array_job_id, uint32_t task);
/* Print the request of a job. */
void fake_describe(const job_record_t *job);
uint32_t fake_running(void);
uint32_t fake_waiting(void);

void fake_end(job_record_t *job);	/* its record remains */
void fake_vanish(job_record_t *job);	/* in any state */
void fake_end_overdue(void);		/* jobs whose time is over */
void fake_requeue(job_record_t *job);
/* False if the job cannot end before its deadline. It has then ended. */
bool fake_deadline_ok(job_record_t *job);
void fake_suspend(job_record_t *job, bool suspend);

/* Functions for the other files. */
void fake_activate(job_record_t *job);
void fake_swap_ids(job_record_t *one, job_record_t *other);
void fake_jobs_start(void);
void fake_jobs_stop(void);
job_record_t *fake_any_job(void);

/* --- the truth: fake_place.c -------------------------------------------- */

/* The allocation of a job. */
struct fake_place {
	bitstr_t *nodes;
	uint32_t count;
	int64_t *procs;			/* for each node of the cluster */
	uint64_t *memory_mb;
	uint64_t (*gres)[FAKE_KINDS];
};

/* Place JOB on nodes of AMONG in addition to TAKEN. Return false if it does not fit. */
bool fake_place(const job_record_t *job, const bitstr_t *among,
		const struct fake_taken *taken, struct fake_place *place);
void fake_place_clear(struct fake_place *place);

/* True if the job could run in its partition on an otherwise idle cluster: on the nodes
   that are up, or on all nodes. */
bool fake_fits_empty(const job_record_t *job, bool up);

int fake_kind(uint32_t plugin_id);	/* index of a GRES kind, or -1 */

/* --- fake_start.c: select_nodes() and the test of select plugins -------- */

/* Return the resources that running and suspended jobs have on each node; the caller
   frees the result. It aborts if a node or a core is allocated twice. */
struct fake_taken *fake_taken(void);

/* Reserve free cores so that no job gets them (cores.c), or release them. */
void fake_shield(job_record_t *stub, bool up);

int fake_select_nodes(job_record_t *job, bool test_only);

/* Remove JOB's resources from TAKEN. */
void fake_take_out(struct fake_taken *taken, const job_record_t *job);

/* --- preemption: fake_preempt.c ----------------------------------------- */

/* Return the jobs that the pending JOB may preempt, the first to be preempted first. The
   caller frees the list. It is NULL if there are none. */
lxfw_slurm_list fake_preemptable(job_record_t *job);

/* Return the time at which a running job's PreemptExemptTime is over. */
time_t fake_exempt_until(const job_record_t *job);

/* Preempt running jobs so that JOB fits on NODES beside TAKEN. Return false if it would
   not fit, or if no job is preempted because others were a short time ago. */
bool fake_preempt(job_record_t *job, const bitstr_t *nodes,
		  struct fake_taken *taken);
time_t fake_would_start(job_record_t *job, bitstr_t *nodes, bool now_only,
			lxfw_slurm_list candidates);

/* --- limits: fake_limits.c ---------------------------------------------- */

/* 0: no limit. */
struct fake_limits {
	uint64_t qos_cpus, user_cpus, assoc_nodes;
	uint64_t qos_cpu_seconds;	/* of the time limits of running jobs */
	uint32_t qos_jobs, user_jobs, account_jobs, assoc_jobs;
	uint32_t licenses;		/* of each name that fake_license() did not make */
	uint32_t kept_counts;	/* locks released while a pending job counted as running */
};

extern struct fake_limits fake_limits;

/* Give JOB the QOS and the association. Call it when its request is complete. */
void fake_account(job_record_t *job);
/* Return true if no job counts as running. */
bool fake_counts_no_job(void);

/* Functions for the other files. */
void fake_limits_start(void);
void fake_limits_begin(const job_record_t *job);
void fake_limits_unlocked(void);
slurmdb_used_limits_t *fake_used_limits(bool user);
bool fake_runs_more(job_record_t *job);
bool fake_has_tres(job_record_t *job, const uint64_t *tres);

/* --- licenses: fake_licenses.c ------------------------------------------ */

/* All licenses are in use. */
extern bool fake_licenses_busy;
/* Use of remote licenses elsewhere, which Slurm counts at a start. */
extern uint32_t fake_licenses_missing;

/* Make TOTAL licenses NAME, or change their number. */
licenses_t *fake_license(const char *name, uint32_t total);
/* Let the job request TOTAL of them, or the reservation keep them. */
void fake_need(job_record_t *job, const char *name, uint32_t total);
void fake_reserve_license(slurmctld_resv_t *resv, const char *name, uint32_t total);
/* Count what jobs use that run, are suspended or are being cleaned up. */
void fake_licenses_count(void);

/* Functions for the other files. The last three differ between releases (fake_entry.c). */
bool fake_licenses_free(const job_record_t *job);
void fake_licenses_stop(void);
lxfw_slurm_list *fake_cluster_licenses(void);
void fake_license_number(licenses_t *license, uint16_t number);
void fake_license_same(licenses_t *license, const licenses_t *other);

#endif
