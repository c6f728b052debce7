/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Equal hosts of a cluster are one kind. What fits on the empty hosts is found by kind, since
 * there may be many thousand hosts and few kinds.
 */
#ifndef LXFW_TRACE_CLUSTER_KINDS_H
#define LXFW_TRACE_CLUSTER_KINDS_H

#include <stdint.h>

struct lxfw_cluster;

/* A number of equal hosts. */
struct lxfw_cluster_kind {
	int32_t host;		/* one of them */
	int32_t count;		/* 1 or more */
};

struct lxfw_cluster_kinds {
	struct lxfw_cluster_kind *kinds;
	int32_t count;		/* 0: not known */
};

/* Finds the kinds of the cluster and of each of its sets. Call when the resources of all
   hosts are known. Returns 0, or -1 with errno ENOMEM. */
int lxfw_cluster_find_kinds(struct lxfw_cluster *cluster);

#endif
