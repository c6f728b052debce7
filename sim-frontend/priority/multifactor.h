/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A model of Slurm's priority/multifactor. The caller reports events of jobs and requests
 * the calculation of priorities every PriorityCalcPeriod. The model provides the integer
 * priority of each job. Source: Slurm's page "Multifactor Priority Plugin". Results are
 * identical to those of release 22.05.
 *
 * The priority of a job is calculated when it is submitted, released or requeued, when
 * its nice value changes, and at each lxfw_multifactor_step() while it is pending.
 * Between these it is constant, although its age increases and usage is added.
 *
 * Usage of a job is added at each step, and at its end if limits are enforced (otherwise
 * the usage since the last step is lost, as in Slurm). Usage also increases while a job
 * is suspended. PrioritySiteFactor is 0.
 *
 * All times are seconds of one clock, whose days are defined by a calendar. They must not
 * decrease. Events of the same second are ordered by the calls. Memory is needed only for
 * jobs that are pending or running.
 */
#ifndef LXFW_PRIORITY_MULTIFACTOR_H
#define LXFW_PRIORITY_MULTIFACTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/priority/factors.h"
#include "sim-frontend/priority/site.h"
#include "sim-frontend/util/calendar.h"

struct lxfw_multifactor;

/* Maximum number of partitions of a job. */
#define LXFW_MULTIFACTOR_PARTITIONS_MAX 8

struct lxfw_multifactor_job {
	uint64_t id;			/* not 0 */
	int32_t assoc, qos;		/* indices in the site's lists; -1: none */
	/* Indices of the site's partitions. A pending job has a priority for each of
	   them. For the single number that Slurm reports, Slurm uses the partition
	   tried last; the model uses the first. */
	int32_t partitions[LXFW_MULTIFACTOR_PARTITIONS_MAX];
	int partition_count;		/* 1 or more */
	int32_t nice;			/* -2147483645 to 2147483645 */
	bool held;			/* priority 0 until it is released */
	uint32_t priority;		/* set by an administrator and never
					   calculated; 0: not set */
	struct lxfw_multifactor_size size;
	uint64_t tres[LXFW_TRES_MAX];	/* requested; billing is computed */
};

/* Factors times weights, as printed by sprio. */
struct lxfw_multifactor_factors {
	double age, assoc, fairshare, size, partition, qos, tres;
	int32_t nice;			/* is subtracted */
};

/* An association as printed by sshare -l. */
struct lxfw_multifactor_share {
	double shares_norm, usage_norm, usage_effective, fairshare, level;
	long double usage_raw;
};

/*
 * Creates a model at START without jobs. The caller keeps ownership of SITE and PARAMS;
 * SITE must outlive the model. PARAMS may differ from the site's, except for the flags of
 * Fair Tree and TRES, for which the site was finished. CALENDAR defines the beginnings of
 * days and months for PriorityUsageResetPeriod. If it is NULL, times are seconds since
 * 1970 and days are those of UTC. The first step is due at START. Returns NULL with errno
 * ENOMEM.
 */
struct lxfw_multifactor *
lxfw_multifactor_new(const struct lxfw_multifactor_site *site,
		     const struct lxfw_multifactor_params *params,
		     const struct lxfw_calendar *calendar, int64_t start);

/* Returns a model that has come as far as MODEL and continues apart from it, or NULL with
   errno ENOMEM. */
struct lxfw_multifactor *lxfw_multifactor_copy(const struct lxfw_multifactor *model);

/* MODEL may be NULL. */
void lxfw_multifactor_free(struct lxfw_multifactor *model);

/* Events of jobs. The functions return 0, or -1 with errno EINVAL (unknown job, or an
   event that is impossible in its state) or ENOMEM. */

/* Submits a job with a new id at NOW. It is not eligible yet. */
int lxfw_multifactor_submit(struct lxfw_multifactor *model,
			    const struct lxfw_multifactor_job *job, int64_t now);

/* The age of the job increases from WHEN on, if it did not before: its begin time has
   come and its dependencies are met. With ACCRUE_ALWAYS, the age increases from the
   submission on. */
int lxfw_multifactor_eligible(struct lxfw_multifactor *model, uint64_t id, int64_t when);

/* Sets the priority to 0 until the job is released. If limits are enforced and
   ACCRUE_ALWAYS is not set, its age increases again from the next call of
   lxfw_multifactor_eligible() on; otherwise its age is not affected. */
int lxfw_multifactor_hold(struct lxfw_multifactor *model, uint64_t id);
int lxfw_multifactor_release(struct lxfw_multifactor *model, uint64_t id, int64_t now);

/* Sets the nice value and calculates the priority. */
int lxfw_multifactor_renice(struct lxfw_multifactor *model, uint64_t id, int32_t nice,
			    int64_t now);

/* Starts the job in one of its partitions with PROCS processors and other TRES (NULL:
   those requested). */
int lxfw_multifactor_start(struct lxfw_multifactor *model, uint64_t id, int32_t partition,
			   uint32_t procs, const uint64_t *tres, int64_t now);

/* Ends or, if pending, cancels the job. The model discards it. */
int lxfw_multifactor_end(struct lxfw_multifactor *model, uint64_t id, int64_t now);

/* Ends the job and makes it pending as if submitted at NOW; it is not eligible yet. */
int lxfw_multifactor_requeue(struct lxfw_multifactor *model, uint64_t id, int64_t now);

/* ---- time ---- */

/* Returns the time of the next step: every PriorityCalcPeriod from the start.
   INT64_MAX: never, since there is no slurmdbd. */
int64_t lxfw_multifactor_due(const struct lxfw_multifactor *model);

/*
 * Makes a step at NOW: decays usage, adds that of running jobs, and calculates fair share
 * and priorities. The step may be late; NOW is used in calculations. Returns 0, or -1
 * with errno ENOMEM.
 */
int lxfw_multifactor_step(struct lxfw_multifactor *model, int64_t now);

/* Returns the COUNT jobs whose priority the last step changed, in order of submission.
   Valid until the next call that changes the model. */
const uint64_t *lxfw_multifactor_changed(const struct lxfw_multifactor *model,
					 size_t *count);

/* ---- results ---- */

/* Returns the priority of a job in one of its partitions (-1: the first); 0: held or
   unknown. */
uint32_t lxfw_multifactor_priority(const struct lxfw_multifactor *model, uint64_t id,
				   int32_t partition);

/* The highest of its partitions: the first place it has in any of their orders. */
uint32_t lxfw_multifactor_highest(const struct lxfw_multifactor *model, uint64_t id);

/* Its partitions, COUNT of them; NULL and 0 if there is no such job. Valid until the next
   submission. */
const int32_t *lxfw_multifactor_partitions(const struct lxfw_multifactor *model,
					   uint64_t id, int *count);

/* Returns the factors of a job's priority in one of its partitions (-1: the first).
   Returns false if the job is unknown or its priority was never calculated. */
bool lxfw_multifactor_factors(const struct lxfw_multifactor *model, uint64_t id,
			      int32_t partition,
			      struct lxfw_multifactor_factors *factors);

/* Returns an association. With classic fair share, this computes the effective usage
   of a user if it is not known in this period, and may thus affect later results, as
   sshare does in Slurm. */
void lxfw_multifactor_share(struct lxfw_multifactor *model, int32_t assoc,
			    struct lxfw_multifactor_share *share);

/* Returns its raw usage in TRES-seconds, without any effect. */
long double lxfw_multifactor_usage(const struct lxfw_multifactor *model, int32_t assoc);

#endif
