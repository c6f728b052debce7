/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The routed jobs of a user on all clusters, from squeue(1). */
#ifndef LXFW_ROUTE_JOBS_H
#define LXFW_ROUTE_JOBS_H

#include "common/util/error.h"
#include "sim-frontend/route/conf.h"
#include "sim-frontend/route/move.h"
#include "sim-frontend/route/record.h"

/* A job whose comment is "lxfw:route:MARKER" or "lxfw:route:MARKER:SERIAL". */
struct lxfw_route_job {
	char marker[LXFW_ROUTE_MARKER];
	int64_t serial;
	int cluster;
	int64_t number;
	enum lxfw_move_seen seen;
	bool may_move;		/* waits for its turn, and is neither part of an array nor of a
				   heterogeneous job, and has no dependency */
};

/* {0} is empty. */
struct lxfw_route_jobs {
	struct lxfw_route_job *list;
	size_t count, size;
	bool answered[LXFW_ROUTE_CLUSTERS];
};

void lxfw_route_jobs_clear(struct lxfw_route_jobs *jobs);

/* Lists those of user UID again, on all clusters, or on CLUSTER only if it is not -1. Clusters
   that do not answer have none. Returns 0, or -1 with errno. */
int lxfw_route_jobs_list(struct lxfw_route_jobs *jobs, const struct lxfw_route_conf *conf,
			 unsigned uid, int cluster);

/* Takes the output of squeue, "MARK|NUMBER|ID|STATE|REASON|DEPENDENCY|COMMENT" in each line, which
   is changed and may be anything. A comment can have line breaks: only lines that begin with MARK
   are jobs. It is random, and not known when a comment is written. Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_route_jobs_take(struct lxfw_route_jobs *jobs, int cluster, const char *mark, char *text);

/* Returns the job with this marker and serial, at CLUSTER or anywhere if it is -1; NULL: there
   is none or more than one, which sets *COUNT. */
const struct lxfw_route_job *lxfw_route_jobs_find(const struct lxfw_route_jobs *jobs,
						  const char *marker, int64_t serial, int cluster,
						  int *count);

/* Takes a comment. Returns whether it is that of a routed job. */
bool lxfw_route_comment_take(const char *comment, char marker[LXFW_ROUTE_MARKER],
			     int64_t *serial);

/* Users with jobs that were routed and may move, or that have ended lately. *UIDS is to be
   freed. Returns their number, or -1 with errno ENOMEM. */
int lxfw_route_users(const struct lxfw_route_conf *conf, unsigned **uids);

#endif
