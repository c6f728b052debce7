/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Priorities of jobs as Slurm's priority/multifactor computes them, as a model in steps of
 * time: a caller tells what happens to jobs and when priorities are to be calculated,
 * every PriorityCalcPeriod; the model has the integer priority of each job. Source: Slurm's
 * page "Multifactor Priority Plugin"; release 22.05 is followed to the bit.
 *
 * A job's priority is calculated when it is submitted, released or requeued, when its nice
 * changes, and at each lxfw_multifactor_step() while it waits; in between it stays, though
 * its age grows and usage is added.
 *
 * Usage of a job is added at each step, and when it ends if limits are enforced (else what
 * is since the last step is lost, as in Slurm). While a job is suspended its usage grows as
 * though it ran. PrioritySiteFactor is 0.
 *
 * All times are seconds of one clock, whose days a calendar tells. They must not go back.
 * Events of the same second count in the order of the calls. Memory is that of the jobs
 * that wait or run.
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

/* A job may name so many partitions. */
#define LXFW_MULTIFACTOR_PARTITIONS_MAX 8

struct lxfw_multifactor_job {
	uint64_t id;			/* not 0 */
	int32_t assoc, qos;		/* positions in the site's; -1 = none */
	/* Positions in the site's partitions. One that waits has a priority for each, by
	   which it is ordered there. Where Slurm has one number for all, it is that of the
	   partition which was tried last; here, that of the first. */
	int32_t partitions[LXFW_MULTIFACTOR_PARTITIONS_MAX];
	int partition_count;		/* 1 or more */
	int32_t nice;			/* -2147483645 to 2147483645 */
	bool held;			/* priority 0 until it is released */
	uint32_t priority;		/* set by hand, and never calculated; 0 = not */
	struct lxfw_multifactor_size size;
	uint64_t tres[LXFW_TRES_MAX];	/* asked for; billing is computed */
};

/* Factors times weights, as sprio prints them. */
struct lxfw_multifactor_factors {
	double age, assoc, fairshare, size, partition, qos, tres;
	int32_t nice;			/* is subtracted */
};

/* An association as sshare -l prints it. */
struct lxfw_multifactor_share {
	double shares_norm, usage_norm, usage_effective, fairshare, level;
	long double usage_raw;
};

/*
 * A model at START, without jobs; SITE and PARAMS stay the caller's, and SITE must live
 * longer. PARAMS may be others than the site's, but for the flags of Fair Tree and TRES,
 * for which the site was finished. CALENDAR tells of the times when days and months begin,
 * for PriorityUsageResetPeriod; NULL: they are s since 1970, and days those of UTC. The
 * first step is due at START. NULL with errno ENOMEM.
 */
struct lxfw_multifactor *
lxfw_multifactor_new(const struct lxfw_multifactor_site *site,
		     const struct lxfw_multifactor_params *params,
		     const struct lxfw_calendar *calendar, int64_t start);

/* MODEL may be NULL. */
void lxfw_multifactor_free(struct lxfw_multifactor *model);

/* ---- what happens to jobs: 0, or -1 with errno EINVAL (no such job, or not in a state
   where this can happen) or ENOMEM ---- */

/* It is submitted at NOW; its id is new. Not eligible yet. */
int lxfw_multifactor_submit(struct lxfw_multifactor *model,
			    const struct lxfw_multifactor_job *job, int64_t now);

/* Its age grows from WHEN on, if it did not before: when its begin time has come and its
   dependencies are met. With ACCRUE_ALWAYS it grows from the submission. */
int lxfw_multifactor_eligible(struct lxfw_multifactor *model, uint64_t id, int64_t when);

/* Priority 0 until it is released; its age grows from the next call of
   lxfw_multifactor_eligible() on if limits are enforced, else as before. */
int lxfw_multifactor_hold(struct lxfw_multifactor *model, uint64_t id);
int lxfw_multifactor_release(struct lxfw_multifactor *model, uint64_t id, int64_t now);

/* Calculate its priority at once, with another nice. */
int lxfw_multifactor_renice(struct lxfw_multifactor *model, uint64_t id, int32_t nice,
			    int64_t now);

/* It starts in one of its partitions with so many processors and other TRES (NULL: what
   it asked for). */
int lxfw_multifactor_start(struct lxfw_multifactor *model, uint64_t id, int32_t partition,
			   uint32_t procs, const uint64_t *tres, int64_t now);

/* It ends; the model forgets it. Also of one that waits, which was cancelled. */
int lxfw_multifactor_end(struct lxfw_multifactor *model, uint64_t id, int64_t now);

/* It ends, and waits again as though submitted at NOW, not yet eligible. */
int lxfw_multifactor_requeue(struct lxfw_multifactor *model, uint64_t id, int64_t now);

/* ---- time ---- */

/* When the next step is due: every PriorityCalcPeriod from the start. INT64_MAX: never,
   since there is no slurmdbd. */
int64_t lxfw_multifactor_due(const struct lxfw_multifactor *model);

/*
 * A step at NOW: usage decays, that of running jobs is added, fair share and priorities
 * are calculated anew. Callers need not be in time; what counts is the time that they tell.
 * 0, or -1 with errno ENOMEM.
 */
int lxfw_multifactor_step(struct lxfw_multifactor *model, int64_t now);

/* The jobs whose priority the last step changed, in the order of their submission, COUNT
   of them; valid until the next call that changes the model. */
const uint64_t *lxfw_multifactor_changed(const struct lxfw_multifactor *model,
					 size_t *count);

/* ---- what they are ---- */

/* The priority of a job in one of its partitions (-1: the first); 0 = held, or unknown. */
uint32_t lxfw_multifactor_priority(const struct lxfw_multifactor *model, uint64_t id,
				   int32_t partition);

/* The highest of its partitions: the first place it has in any of their orders. */
uint32_t lxfw_multifactor_highest(const struct lxfw_multifactor *model, uint64_t id);

/* Its partitions, COUNT of them; NULL and 0 if there is no such job. Valid until the next
   submission. */
const int32_t *lxfw_multifactor_partitions(const struct lxfw_multifactor *model,
					   uint64_t id, int *count);

/* How it came about, in one of its partitions (-1: the first). False: no such job, or none
   was ever calculated. */
bool lxfw_multifactor_factors(const struct lxfw_multifactor *model, uint64_t id,
			      int32_t partition,
			      struct lxfw_multifactor_factors *factors);

/* An association. With classic fair share this computes the effective usage of a user, if
   nothing else did in this period, and so can change what the model computes later: so
   does sshare. */
void lxfw_multifactor_share(struct lxfw_multifactor *model, int32_t assoc,
			    struct lxfw_multifactor_share *share);

/* Its raw usage, TRES-seconds, which changes nothing. */
long double lxfw_multifactor_usage(const struct lxfw_multifactor *model, int32_t assoc);

#endif
