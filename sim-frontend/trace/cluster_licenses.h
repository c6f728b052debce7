/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The licenses of a slurm.conf, Licenses=NAME:COUNT,... A simulation counts them as pools
 * (common/model/request.h): license I is the host after all hosts and I licenses. Remote
 * licenses are not in the slurm.conf.
 */
#ifndef LXFW_TRACE_CLUSTER_LICENSES_H
#define LXFW_TRACE_CLUSTER_LICENSES_H

#include "common/model/event.h"
#include "common/util/error.h"
#include "sim-frontend/trace/account_text.h"
#include "sim-frontend/trace/cluster.h"

/* Replaces the licenses by those of VALUE. Counts that are no numbers, and resources with layers
   of nodes, are left out. Returns 0, or -1 with errno ENOMEM. */
int lxfw_cluster_take_licenses(struct lxfw_cluster *cluster, struct lxfw_slice value);

void lxfw_cluster_clear_licenses(struct lxfw_cluster *cluster);

/* Returns the index of the license NAME, or -1. */
int32_t lxfw_cluster_find_license(const struct lxfw_cluster *cluster, struct lxfw_slice name);

/* Fills EVENT, of type LXFW_EVENT_HOST, for the pool of license INDEX. */
void lxfw_cluster_license_event(const struct lxfw_cluster *cluster, int32_t index,
				struct lxfw_event *event);

#endif
