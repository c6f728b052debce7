/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reasons of pending jobs (squeue), as Slurm's own schedulers set them. */
#ifndef LXFW_BRIDGE_REASON_H
#define LXFW_BRIDGE_REASON_H

#include "plugins/slurm/compat/compat.h"

/* Why a job waits, as its record says. */
struct lxfw_stated_reason {
	uint32_t reason;
	char *description;
};

/* Slurm's tests of limits set the reason of a job that they do not permit, and clear it before.
   lxfw_reason_back() restores the one that lxfw_reason_take() has taken. No description is left
   meanwhile. */
struct lxfw_stated_reason lxfw_reason_take(job_record_t *job);
void lxfw_reason_back(job_record_t *job, const struct lxfw_stated_reason *before);

/* Clears the reasons Licenses and Cleaning of a job that has its licenses and is not being
   cleaned up. */
void lxfw_reason_renew(job_record_t *job);

/* Clears the reason that lxfw_say_no_nodes() or Slurm has set, if the nodes are available
   again. */
void lxfw_reason_nodes_back(job_record_t *job);

/* Sets the job's pending reason to Resources, unless it has a reason other than None or
   Priority. */
void lxfw_say_no_room(job_record_t *job);

/* Changes the reason Resources, which Slurm sets at the submission, to Priority. */
void lxfw_say_behind(job_record_t *job);

/* Changes the reason BadConstraints to Resources, unless the job is held for it. Slurm sets
   it if the nodes of one partition, or those that were offered, do not satisfy the job. */
void lxfw_reason_not_final(job_record_t *job);

/* Sets reason Licenses. */
void lxfw_say_licenses(job_record_t *job);

/* Sets the reason ReqNodeNotAvail, Reserved for maintenance. */
void lxfw_say_maintenance(job_record_t *job);

/* Sets the reason ReqNodeNotAvail, with the nodes that are not available of those that the
   job names or, if it names none, of its partition. If all are available, others may be
   reserved. */
void lxfw_say_not_available(job_record_t *job);

/* Sets the reason of a job for which no nodes remain: ReqNodeNotAvail if nodes that it
   names are not available, Resources otherwise. */
void lxfw_say_no_nodes(job_record_t *job);

#endif
