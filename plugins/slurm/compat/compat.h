/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What differs between Slurm's releases, behind functions of one shape. This
 * is the only place where the plugins look at SLURM_VERSION_NUMBER; written
 * for 22.05, 24.11 and 26.05 by Slurm's own headers of these releases.
 *
 * Unless said otherwise the caller holds the controller's locks: configuration
 * read, jobs and nodes write, partitions read.
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

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0)
#include "src/common/job_features.h"
#endif
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
#include "src/interfaces/gres.h"
#include "src/interfaces/node_features.h"
#include "src/interfaces/select.h"
#else
#include "src/common/gres.h"
#include "src/common/node_features.h"
#endif

/*
 * A select plugin is loaded by nodes and clients, too, which have none of the
 * controller's tables. It never looks at them there, and must load all the same.
 */
#ifdef LXFW_LOADED_BY_CLIENTS
#pragma weak job_list
#pragma weak node_record_count
#pragma weak node_record_table_ptr
#pragma weak part_list
#pragma weak slurm_conf
#pragma weak slurmctld_diag_stats
#endif

/* List, list_t * and their iterators, by whatever name the release has. */
typedef __typeof__(job_list) lxfw_slurm_list;
typedef __typeof__(list_iterator_create(job_list)) lxfw_slurm_iterator;
typedef __typeof__(*((job_record_t *)0)->details) lxfw_slurm_details;

/* The release that this is built for: as plugin_version tells it, and as "22.05.8",
   for which 16 bytes are enough; returns TEXT. */
#define LXFW_SLURM_VERSION SLURM_VERSION_NUMBER
char *lxfw_compat_release(char *text, size_t size);

/* The locks of a scheduler, as the release's sched/backfill takes them. */
extern const slurmctld_lock_t lxfw_compat_locks;

/* What SelectTypeParameters says: is memory a consumable, are single threads
   given out, or nothing less than sockets? */
bool lxfw_compat_memory_counts(void);
bool lxfw_compat_gives_threads(void);
bool lxfw_compat_gives_sockets(void);

/*
 * Take over what a record of the job queue says about a job: partition, its
 * priority there and, where a job may name several, the QOS.
 */
void lxfw_compat_take_record(const job_queue_rec_t *record);

/* The QOS that a record speaks of, 0 where the release has one QOS a job. */
uint32_t lxfw_compat_record_qos(const job_queue_rec_t *record);

/* Set the job's QOS to one of those it named. False if it no longer does. */
bool lxfw_compat_use_qos(job_record_t *job, uint32_t qos_id);

/* Start the job on nodes that its details do not exclude, or an ESLURM_*. */
int lxfw_compat_select_nodes(job_record_t *job);

/* Whether the job could run on NODES, if it had them for itself, and no others. */
bool lxfw_compat_fits_on(job_record_t *job, const bitstr_t *nodes);

/* Whether the job could run on no nodes of its partition, whatever else runs. It is then
   held with the reason BadConstraints, as Slurm's main scheduler does. */
bool lxfw_compat_never_runs(job_record_t *job);

/* Tell the user's command, or send the batch script. */
void lxfw_compat_launch(job_record_t *job);

/* False if the job cannot end before its deadline any more (it is then
   cancelled as sched/backfill does). */
bool lxfw_compat_deadline_ok(job_record_t *job);

/*
 * When could the job start on NODES (of its partition), by what is known of the
 * running jobs' ends? On success NODES are those it would get; 0 if it never
 * could, or not NOW_ONLY. For jobs that the model does not know.
 */
time_t lxfw_compat_would_start(job_record_t *job, bitstr_t *nodes,
			       bool now_only);

/* Take back a component that started although another one of its
   heterogeneous job could not; it waits again until its credential is void. */
void lxfw_compat_take_back(job_record_t *job);

/*
 * Suspend the job, as `scontrol suspend` does: its cores are free in Slurm's
 * books, its memory and GRES are not; let it go on; put it back in the queue, as
 * preempted. SLURM_SUCCESS or an ESLURM_*. A suspended job's priority is 0: only
 * so the controller knows after a restart that its cores are free.
 */
int lxfw_compat_suspend(job_record_t *job);
int lxfw_compat_resume(job_record_t *job);
int lxfw_compat_requeue(job_record_t *job);

/* Is any message of the controller to nodes under way, or to be sent again? And so many
   seconds a node has for its answer. The latter wants the configuration's lock. */
bool lxfw_compat_messages_unanswered(void);
int64_t lxfw_compat_message_timeout(void);

/* Tell the nodes of a job that runs by the controller's books that it is to go
   on: they may not have heard of it, or the controller may have forgotten that
   it suspended the job. No harm where it runs. */
void lxfw_compat_continue(job_record_t *job);

/* Have the controller write its job records now, not within some seconds. Called
   without locks. */
void lxfw_compat_save_jobs(void);

/* The job was killed because it used more memory than it was given. */
bool lxfw_compat_out_of_memory(const job_record_t *job);

/* True if the job asks for the whole of its nodes. */
bool lxfw_compat_is_exclusive(const job_record_t *job);

/* True if the job's steps are managed on its nodes, not by the controller. */
bool lxfw_compat_has_stepmgr(const job_record_t *job);

/*
 * Can accounting be told of a change of the job? Not while slurmdbd is away: Slurm would
 * wait for it under locks, and the record until now might never get an end. Nor for the
 * seconds while Slurm asks slurmdbd for the number of the job's record.
 */
bool lxfw_compat_resize_ready(job_record_t *job);

/*
 * A controller that was killed while it asked for the number of the job's record comes
 * back without it, and would refuse for ever to change, release or requeue the job: it
 * asks again. Of any job that has details.
 */
void lxfw_compat_renew_record(job_record_t *job);

/*
 * Around a change of a running job's allocation, where lxfw_compat_resize_ready(): its
 * use up to now goes into accounting and out of the limits' books, then the new one is
 * entered. Two changes of a job are at least a second apart in accounting, which tells
 * them by that.
 */
void lxfw_compat_resize_begin(job_record_t *job);
void lxfw_compat_resize_end(job_record_t *job);

#endif
