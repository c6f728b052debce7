/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts a job of a log to a request for the scheduler, both for simulations and for
 * recorded runs.
 *
 * On a single host, or with ONE_HOST, all resources are requested on one host. Otherwise
 * the request depends on the number of hosts that the job had in the log:
 *
 *   1 host, or N with   N hosts with an equal part each;
 *   equal parts
 *   N hosts, more than  pieces of one processor: on exactly N hosts if it requested
 *   it requested, or    N (GRES and memory are then per host); on the number
 *   with unequal parts  requested or more if that was smaller; else on at most N;
 *   N hosts on which    equal pieces, such as a GPU and its processors: on exactly N
 *   that does not fit   hosts if they fit there, else on at most N (also one for each GPU,
 *                       the processors rounded to a multiple), else on any;
 *   unknown             pieces of one processor on any hosts; larger pieces if it
 *                       requested GRES, so that each piece has the same number.
 *
 * A job may run on the hosts of its partitions, in their order. Its tier is the highest
 * of their tiers. In a partition with MaxCPUsPerNode or MaxCPUsPerSocket, each processor is also
 * one of the extra that counts them (cluster_extras.h).
 */
#ifndef LXFW_ENGINE_REQUEST_H
#define LXFW_ENGINE_REQUEST_H

#include <stdbool.h>

#include "common/model/request.h"
#include "common/params/policy.h"
#include "sim-frontend/trace/cluster.h"
#include "sim-frontend/trace/trace.h"

/* Sets the resources in REQUEST: shape, unit, count, hosts, partitions, tier and
   `exclusive`. NEED may be NULL: only processors and memory. */
void lxfw_simulation_request(const struct lxfw_cluster *cluster, bool one_host,
			     const struct lxfw_trace_job *job,
			     const struct lxfw_need *need,
			     struct lxfw_request *request);

/* Counts in TOLD whether REQUEST, made as above for more than one host, has other shapes than
   the log suggests, or why it does not fit. Nothing is counted without NEED. */
void lxfw_simulation_tell(const struct lxfw_cluster *cluster,
			  const struct lxfw_trace_job *job, const struct lxfw_need *need,
			  const struct lxfw_request *request, struct lxfw_needs_told *told);

/* Adds the licenses of the job to a request that is made and shaped, if POLICY has pools. Adaptive
   jobs, and components of heterogeneous ones, are simulated without. */
void lxfw_simulation_license(enum lxfw_policy policy, const struct lxfw_need *need,
			     struct lxfw_request *request);

/* Returns whether the cluster has as many licenses as the job. TOLD, or NULL, counts if not. */
bool lxfw_simulation_licensed(const struct lxfw_cluster *cluster, const struct lxfw_need *need,
			      struct lxfw_needs_told *told);

/* Returns whether the request fits on the empty cluster, in one of its partitions. */
bool lxfw_simulation_holds(const struct lxfw_cluster *cluster,
			   const struct lxfw_request *request);

#endif
