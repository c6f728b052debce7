/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads jobs and nodes of a cluster from slurmrestd, Slurm's HTTP server: jobs from the
 * database of slurmdbd, nodes from the controller. The API version is selected from those
 * that the server offers.
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

/* Connects and selects a version. The caller keeps ownership of TOKEN, which must
   outlive the connection. Returns NULL with errno and ERROR set on failure. */
struct lxfw_slurmrestd *
lxfw_slurmrestd_open(const struct lxfw_http_options *options,
		     struct lxfw_token *token, struct lxfw_error *error);

/* Returns the API version, "v0.0.38". */
const char *lxfw_slurmrestd_version(const struct lxfw_slurmrestd *rest);

struct lxfw_slurmrestd_period {
	int64_t since, until;		/* seconds since 1970, since < until */
	int64_t slice;			/* length of a request, seconds; 0: adaptive */
	const char *cluster;		/* a cluster of the database; NULL: all */
};

/* Called repeatedly with the time up to which jobs were read. */
typedef void lxfw_slurmrestd_progress_fn(int64_t until);

/*
 * Adds the jobs that were pending or running in a period to LOG, as `sacct --duplicates`
 * reports them. Requests cover slices of the period, so that a response fits into memory.
 * A job in several slices is taken from the one in which it ends. Returns 0, or -1 with
 * errno and ERROR set; the log must then be released with lxfw_log_clear().
 */
int lxfw_slurmrestd_jobs(struct lxfw_slurmrestd *rest,
			 const struct lxfw_slurmrestd_period *period,
			 lxfw_slurmrestd_progress_fn *progress,
			 struct lxfw_log *log, struct lxfw_error *error);

/* Reads the nodes and partitions of the controller's cluster into *CLUSTER, which must
   be {0}. Returns 0, or -1 with errno and ERROR set and *CLUSTER empty. */
int lxfw_slurmrestd_nodes(struct lxfw_slurmrestd *rest,
			  struct lxfw_cluster *cluster,
			  struct lxfw_error *error);

/* Preserves errno. REST may be NULL. */
void lxfw_slurmrestd_close(struct lxfw_slurmrestd *rest);

#endif
