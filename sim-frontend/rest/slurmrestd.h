/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What slurmrestd, the HTTP server of Slurm, tells of a cluster: its jobs from
 * slurmdbd's data base and its nodes from the controller. The version of its
 * interface is chosen from those that it offers.
 */
#ifndef LXFW_REST_SLURMRESTD_H
#define LXFW_REST_SLURMRESTD_H

#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/rest/http.h"
#include "sim-frontend/rest/token.h"
#include "sim-frontend/trace/cluster.h"
#include "sim-frontend/trace/log.h"

struct lxfw_slurmrestd;

/* Connect and choose a version. TOKEN stays the caller's and must live longer. NULL
   with errno and ERROR set. */
struct lxfw_slurmrestd *
lxfw_slurmrestd_open(const struct lxfw_http_options *options,
		     struct lxfw_token *token, struct lxfw_error *error);

/* "v0.0.38" */
const char *lxfw_slurmrestd_version(const struct lxfw_slurmrestd *rest);

struct lxfw_slurmrestd_period {
	int64_t since, until;		/* s since 1970, since < until */
	int64_t slice;			/* asked for at once, s; 0 = adapted */
	const char *cluster;		/* of those in the data base; NULL = all */
};

/* Told now and then up to where the jobs are there. */
typedef void lxfw_slurmrestd_progress_fn(int64_t until);

/*
 * Add the jobs that waited or ran in a period to LOG, as `sacct --duplicates` tells
 * of them. They are asked for in slices of the period, so that an answer fits into
 * memory; a job that is in several is taken from the one in which it ends. 0, or -1
 * with errno and ERROR set; then only lxfw_log_clear() is of use.
 */
int lxfw_slurmrestd_jobs(struct lxfw_slurmrestd *rest,
			 const struct lxfw_slurmrestd_period *period,
			 lxfw_slurmrestd_progress_fn *progress,
			 struct lxfw_log *log, struct lxfw_error *error);

/* The nodes and partitions of the controller's cluster into *CLUSTER, which is {0}. 0, or -1 with
   errno and ERROR set and *CLUSTER empty. */
int lxfw_slurmrestd_nodes(struct lxfw_slurmrestd *rest,
			  struct lxfw_cluster *cluster,
			  struct lxfw_error *error);

/* REST may be NULL. Keeps errno. */
void lxfw_slurmrestd_close(struct lxfw_slurmrestd *rest);

#endif
