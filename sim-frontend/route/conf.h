/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file that describes the clusters for `lxfw route`. Each line is of one of the forms
 *
 *   cluster=NAME at=HOST:PORT|/SOCKET [speed=FACTOR]
 *   KEY=VALUE
 *
 * '#' begins a comment. NAME is the ClusterName of a slurm.conf.
 */
#ifndef LXFW_ROUTE_CONF_H
#define LXFW_ROUTE_CONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/route/choice.h"

#define LXFW_ROUTE_CLUSTERS 64
#define LXFW_ROUTE_NAME 40	/* with the NUL */

struct lxfw_route_cluster {
	char name[LXFW_ROUTE_NAME];
	char *at;
	int32_t speed;		/* per mille */
};

struct lxfw_route_conf {
	struct lxfw_route_cluster list[LXFW_ROUTE_CLUSTERS];
	int count;
	const struct lxfw_route_rule *rule;	/* rule= */
	bool queue;		/* queue=: a forecast is behind the waiting jobs */
	int64_t answer;		/* seconds that a cluster may take to answer */
	int64_t age;		/* seconds since its controller answered, at most */
	int64_t pass;		/* seconds since its last pass, at most */
	int64_t recent;		/* seconds for which a job that was routed counts although
				   the cluster does not know it yet */
	int64_t margin;		/* seconds by which a job that moves starts earlier */
	int64_t moves;		/* of a job, at most; 0: jobs are not recorded */
	int64_t settle;		/* seconds until a controller has saved a job */
	bool trusted;		/* network=trusted: questions and answers are plain text */
	char *server;		/* server=: the user of the servers, if not root */
	char *munge;		/* munge=: socket of munged; NULL: the usual one */
	char *records;		/* folder of the records of jobs; "~/" is the user's home */
};

/* Whether NAME is one of a cluster: letters, digits, '_', '-' and '.'. */
bool lxfw_route_name_is_valid(const char *name);

/* Returns the index of the cluster, or -1. */
int lxfw_route_conf_find(const struct lxfw_route_conf *conf, const char *name);

/* Returns 0, or -1 with errno and ERROR set. Call lxfw_route_conf_clear() in either case. */
int lxfw_route_conf_read(struct lxfw_route_conf *conf, const char *path,
			 struct lxfw_error *error);
void lxfw_route_conf_clear(struct lxfw_route_conf *conf);

#endif
