/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * GRES of a job of the Slurm that runs. Its TRES state how many it has in all, and their type only if
 * the site accounts for types (AccountingStorageTRES=gres/gpu:a100). What it requests per job, node,
 * socket and task states the type.
 */
#ifndef LXFW_WATCH_JOB_GRES_H
#define LXFW_WATCH_JOB_GRES_H

#include "sim-frontend/trace/account_text.h"
#include "sim-frontend/watch/job_line.h"

/* Names of a job, the most. Others are left out. */
#define LXFW_JOB_GRES_MAX 16

struct lxfw_job_gres {
	struct {
		struct lxfw_slice name;	/* "gpu", "gpu:a100", part of the line */
		int64_t count;		/* of the whole job, 1 or more */
		int64_t here;		/* for job_gres.c */
	} of[LXFW_JOB_GRES_MAX];
	int count;
};

/* Sets *GRES to those of JOB, a kind and its types too: an amount of a type is also one of its kind. */
void lxfw_job_gres(const struct lxfw_watched *job, struct lxfw_job_gres *gres);

/* GPUs of JOB in all, and the processors that come with each of them, as far as that is shown; 0: none. */
int64_t lxfw_job_gpus(const struct lxfw_watched *job);
int64_t lxfw_job_cpus_per_gpu(const struct lxfw_watched *job);

#endif
