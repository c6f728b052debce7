/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hides the differences between Slurm's releases. Only files in this folder use
 * SLURM_VERSION_NUMBER. Written for 22.05.4 to 26.05 according to the headers of all releases;
 * a condition names the version in which Slurm made the change.
 *
 * Unless stated otherwise, the caller holds the controller's locks: configuration read,
 * jobs and nodes write, partitions read.
 */
#ifndef LXFW_SLURM_COMPAT_H
#define LXFW_SLURM_COMPAT_H

#include "config.h"

#include <stdbool.h>
#include <stdint.h>

#include "slurm/slurm.h"
#include "slurm/slurm_errno.h"

#include "src/common/slurm_xlator.h"
#include "src/common/assoc_mgr.h"
#include "src/common/bitstring.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/macros.h"
#include "src/common/node_conf.h"
#include "src/common/read_config.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/acct_policy.h"
#include "src/slurmctld/fed_mgr.h"
#include "src/slurmctld/job_scheduler.h"
#include "src/slurmctld/licenses.h"
#include "src/slurmctld/locks.h"
#include "src/slurmctld/node_scheduler.h"
#include "src/slurmctld/reservation.h"
#include "src/slurmctld/slurmctld.h"
#include "src/slurmctld/state_save.h"

/* Since 23.02 interfaces of plugins have a folder of their own. The header of the lists of
   features is as before 23.02 again since 24.11.5. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 5)
#include "src/common/node_features.h"
#endif
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0) /* 23.02, as above */
#include "src/common/job_features.h"
#include "src/interfaces/gres.h"
#include "src/interfaces/node_features.h"
#include "src/interfaces/select.h"
#else
#include "src/common/gres.h"
#include "src/common/node_features.h"
#endif

/*
 * Nodes and clients load a select plugin, too, but do not have the controller's tables.
 * The plugin does not use them there, but must be loadable.
 */
#ifdef LXFW_LOADED_BY_CLIENTS
#pragma weak job_list
#pragma weak node_record_count
#pragma weak node_record_table_ptr
#pragma weak part_list
#pragma weak slurm_conf
#pragma weak slurmctld_config
#pragma weak slurmctld_diag_stats
#endif

/* List, list_t * and iterators under the names of the release. */
typedef __typeof__(job_list) lxfw_slurm_list;
typedef __typeof__(list_iterator_create(job_list)) lxfw_slurm_iterator;
typedef __typeof__(*((job_record_t *)0)->details) lxfw_slurm_details;

/* The release that the plugin is built for: as the value of plugin_version, and as text
   such as "22.05.8", which requires 16 bytes. lxfw_compat_release() returns TEXT. */
#define LXFW_SLURM_VERSION SLURM_VERSION_NUMBER
char *lxfw_compat_release(char *text, size_t size);

/* Whether the controller has finished its initialization: it handles requests and saves its
   state. Before 23.11 it loads a scheduler earlier. May be called without locks. */
bool lxfw_compat_is_ready(void);

/* Counts a pass in the statistics of the reasons why the scheduler ended it, in releases
   that have them: it reached the END of the queue, or its time was over. */
void lxfw_compat_count_exit(bool end);

/* The locks of a scheduler, as in the release's sched/backfill. */
extern const slurmctld_lock_t lxfw_compat_locks;

/* Returns the name of a reason for which a job is pending: "QOSGrpCpuLimit". */
const char *lxfw_compat_reason_name(uint32_t reason);

/* Settings of SelectTypeParameters: whether memory is a consumable resource, whether
   single threads are allocated, and whether only whole sockets are allocated. */
bool lxfw_compat_memory_counts(void);
bool lxfw_compat_gives_threads(void);
bool lxfw_compat_gives_sockets(void);

/* Returns the earliest time after NOW at which a dependency on the start of another job is met
   because of its delay (after:ID+MINUTES), or INT64_MAX. */
int64_t lxfw_compat_dependency_due(const job_record_t *job, int64_t now);

/*
 * Returns Slurm's queue of these jobs: build_job_queue(), as if no other job existed, except
 * for dependencies. CLEAR_STARTS: the expected starts of the jobs are cleared. The caller
 * frees the list.
 * Records that Slurm separates from those of arrays are added to job_list; the jobs must not
 * be those of a list that is being iterated.
 */
lxfw_slurm_list lxfw_compat_queue_of(job_record_t *const *jobs, size_t count,
				     bool clear_starts);

/*
 * Sets the job's partition, its priority there and, where a job may request several,
 * its QOS from a record of the job queue.
 */
void lxfw_compat_take_record(const job_queue_rec_t *record);

/* Returns the id of the record's QOS, or 0 if the release has only one QOS per job. */
uint32_t lxfw_compat_record_qos(const job_queue_rec_t *record);

/* Returns an address that identifies the list of QOS that the job requests, or NULL if it
   requests one only. */
const void *lxfw_compat_qos_choice(const job_record_t *job);

/* Sets the job's QOS to one of those it requests. Returns false if the job does not
   request it any more. */
bool lxfw_compat_use_qos(job_record_t *job, uint32_t qos_id);

/*
 * Starts the job on nodes that its details do not exclude. Returns SLURM_SUCCESS or an
 * ESLURM_* code. If the job does not fit but could, with MAY_PREEMPT, preempt others,
 * these are cancelled, requeued or warned. It starts later, unless Slurm's gang
 * scheduler can suspend them.
 */
int lxfw_compat_select_nodes(job_record_t *job, bool may_preempt);

/* Returns true if the job could run on NODES, and on no others, if they were idle. */
bool lxfw_compat_fits_on(job_record_t *job, const bitstr_t *nodes);

/* Returns true if the job could run on no nodes of its partition even if all were idle.
   The job is then held with reason BadConstraints, as Slurm's main scheduler does. */
bool lxfw_compat_never_runs(job_record_t *job);

/* Notifies the user's command, or launches the batch script. */
void lxfw_compat_launch(job_record_t *job);

/* Returns false if the job cannot end before its deadline any more. It is then
   cancelled, as sched/backfill does. */
bool lxfw_compat_deadline_ok(job_record_t *job);

/*
 * Returns the time at which the job could start on NODES of its partition according to
 * the expected ends of running jobs, and sets NODES to those it would get. Returns 0 if
 * the job can never start, or with NOW_ONLY, if it cannot start now. For jobs that the
 * model cannot represent.
 */
time_t lxfw_compat_would_start(job_record_t *job, bitstr_t *nodes,
			       bool now_only);

/* As lxfw_compat_would_start() with NOW_ONLY. Also returns true if the job could start
   after it has preempted running jobs, as few as possible in Slurm's order. Nothing is
   preempted. */
bool lxfw_compat_would_preempt(job_record_t *job, bitstr_t *nodes);

/* What advance reservations leave to a job that would start now. */
enum lxfw_kept_out {
	LXFW_KEPT_OUT_NOT,
	LXFW_KEPT_OUT_NODE,	/* a node that it names is reserved */
	LXFW_KEPT_OUT_ALL,	/* all nodes of its partition are, as for maintenance */
};

/* Removes the nodes from NODES that an advance reservation, which the job does not request,
   keeps from it if it starts now in its partition. NODES has no meaning if the job cannot use
   any. */
enum lxfw_kept_out lxfw_compat_kept_out(job_record_t *job, bitstr_t *nodes);

/* Requeues a component of a heterogeneous job that was started although another
   component could not be. The component stays pending until its credential has
   expired. */
void lxfw_compat_take_back(job_record_t *job);

/*
 * lxfw_compat_suspend() suspends the job as `scontrol suspend` does: its cores become
 * available, its memory and GRES do not. lxfw_compat_resume() resumes it.
 * lxfw_compat_requeue() requeues it as a preempted job. They return SLURM_SUCCESS or an
 * ESLURM_* code. The priority of a suspended job is 0; only by this does the controller
 * know after a restart that its cores are available.
 */
int lxfw_compat_suspend(job_record_t *job);
int lxfw_compat_resume(job_record_t *job);
int lxfw_compat_requeue(job_record_t *job);

/* lxfw_compat_messages_unanswered() returns true if messages to nodes are in progress
   or waiting to be repeated. lxfw_compat_message_timeout() returns the seconds after
   which a node's answer is overdue; it requires the lock of the configuration. */
bool lxfw_compat_messages_unanswered(void);
int64_t lxfw_compat_message_timeout(void);

/* Sends a resume message to the nodes of a job that runs according to the controller.
   The nodes may have missed an earlier message, or the controller may have lost the
   record of the suspension. The message has no effect on a job that runs. */
void lxfw_compat_continue(job_record_t *job);

/* Returns true if the job was killed because it exceeded its memory. */
bool lxfw_compat_out_of_memory(const job_record_t *job);

/* Returns true if the job requests whole nodes. */
bool lxfw_compat_is_exclusive(const job_record_t *job);

/* Returns the maximum number of nodes that the user requested, or 0. Some releases set
   the record's own maximum to the number of tasks if there is none. */
uint32_t lxfw_compat_max_nodes(const job_record_t *job);

/* Sets the processors of a task to CPUS. */
void lxfw_compat_set_cpus_per_task(job_record_t *job, uint16_t cpus);

/* Returns true if Slurm must select the least loaded nodes in the job's partition. */
bool lxfw_compat_least_loaded(const job_record_t *job);

/* Returns true if Slurm selects the job's nodes by the network topology. */
bool lxfw_compat_topology(const job_record_t *job);

/* Returns true if the job gets whole blocks of nodes of the topology (--exclusive=topo), or
   segments of them (--segment). */
bool lxfw_compat_needs_blocks(const job_record_t *job);

/* Returns true if the job was requeued to start before all others (--requeue=expedite). */
bool lxfw_compat_is_expedited(const job_record_t *job);

/* Returns true if the job's steps are managed on its nodes and not by the
   controller. */
bool lxfw_compat_has_stepmgr(const job_record_t *job);

/*
 * Returns true if a change of the job can be reported to accounting. Returns false
 * while slurmdbd is not available: Slurm would wait for it under locks, and the present
 * record might never be ended. Also returns false for the seconds in which Slurm
 * requests the number of the job's record from slurmdbd.
 */
bool lxfw_compat_resize_ready(job_record_t *job);

/*
 * Causes the number of the job's record to be requested again if the controller was
 * killed during the request. Without the number it would forever refuse to change,
 * release or requeue the job. The job must have details.
 */
void lxfw_compat_renew_record(job_record_t *job);

/*
 * Must enclose a change of a running job's allocation; lxfw_compat_resize_ready() must
 * be true. lxfw_compat_resize_begin() reports the use so far to accounting and removes
 * it from the limits. lxfw_compat_resize_end() enters the new allocation. The times of
 * two changes of a job differ by at least a second, since accounting distinguishes them
 * by time.
 */
void lxfw_compat_resize_begin(job_record_t *job);
void lxfw_compat_resize_end(job_record_t *job);

/* --- preemption by Slurm (preempt.c) ---------------------------------------------- */

/* Returns true if jobs may preempt others (PreemptMode); lxfw_compat_preemption_by_qos()
   returns true if their QOS determine which. */
bool lxfw_compat_preemption(void);
bool lxfw_compat_preemption_by_qos(void);

/* Returns the number of jobs that the pending job could preempt now from its present
   partition and QOS, whether or not this would make room for it. Examines all jobs. */
uint32_t lxfw_compat_preemptable(job_record_t *job);

/* Returns these jobs, in the order in which Slurm would preempt them, or NULL. The caller
   frees the list. */
lxfw_slurm_list lxfw_compat_candidates(job_record_t *job);

/* Returns the next time at which a running job is no longer exempt from preemption by
   JOB (PreemptExemptTime), or 0. Examines all jobs. */
time_t lxfw_compat_exempt_until(job_record_t *job);

/* Returns the length of the longest chain of QOS, each of which preempts the next, that
   ends with the job's: 0 if no other QOS preempts it. */
int32_t lxfw_compat_qos_depth(const job_record_t *job);

/* Returns true if JOB would preempt OTHER if JOB were pending and OTHER were running. */
bool lxfw_compat_outranks(job_record_t *job, job_record_t *other);

/* Returns the seconds between the notice and the end of the job if it is preempted. */
uint32_t lxfw_compat_grace_time(const job_record_t *job);

/* Returns true if lxfw_compat_select_nodes(), which then returned ESLURM_NODES_BUSY, has
   preempted jobs for this one or given them notice. Clears that mark. */
bool lxfw_compat_has_preempted(job_record_t *job);

/* Returns true if jobs were preempted for the pending job a short time ago. */
bool lxfw_compat_is_preempting(const job_record_t *job);

/* Slurm preempts no further jobs for a job until KillWait and MessageTimeout have passed.
   Allows it earlier, but not in the first seconds. */
void lxfw_compat_preempt_again(job_record_t *job);

#endif
