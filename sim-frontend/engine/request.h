/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a job of a log asks the scheduler for: the one place where a log becomes a
 * request, for simulations and for recorded runs alike.
 *
 * On one host, or with ONE_HOST, all of it is asked for on one host. Else, by the
 * hosts that the log says it had:
 *
 *   1 host, or N with   N hosts with an equal part each;
 *   equal parts
 *   N hosts that are    pieces of one processor: on exactly N hosts if it asked for N
 *   more than it asked  (and then GRES and memory are of each host), on as many as it
 *   for, or with parts  asked for or more if they were fewer, else on at most N;
 *   that differ
 *   not known           pieces of one processor anywhere; of more where it asks for
 *                       GRES, so that each piece has as many of them.
 *
 * A job may run on the hosts of one of its partitions, in their order; its tier is that
 * of the highest.
 */
#ifndef LXFW_ENGINE_REQUEST_H
#define LXFW_ENGINE_REQUEST_H

#include <stdbool.h>

#include "common/model/request.h"
#include "sim-frontend/trace/cluster.h"
#include "sim-frontend/trace/trace.h"

/* Fill in what REQUEST asks for: shape, unit, count, hosts, partitions, tier and
   `exclusive`. NEED may be NULL: nothing but processors and memory. */
void lxfw_simulation_request(const struct lxfw_cluster *cluster, bool one_host,
			     const struct lxfw_trace_job *job,
			     const struct lxfw_need *need,
			     struct lxfw_request *request);

/* Whether the empty cluster can hold what REQUEST asks for, in one of its partitions. */
bool lxfw_simulation_holds(const struct lxfw_cluster *cluster,
			   const struct lxfw_request *request);

#endif
