/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Job classes as an admin writes them down. One a line, in this order:
 *
 *   time NAME [cpu=TIME] [run=TIME] [reserve=TIME] [running=N]
 *   size NAME [procs=N] [memory=SIZE]
 *   hosts NAMES [sizes=A>B...] [times=A>B,C...] [running=A:N,...]
 *
 * Time and size classes ascend: no limit is below the same one of the class before.
 * NAMES and SIZE are as in cluster descriptions. What is left out is no limit, every
 * size class with the largest first, every time class with equal rank. Every host of
 * the cluster is on one line of hosts. '#' begins a comment. lxfw(1) has it all.
 */
#ifndef LXFW_TRACE_JOB_CLASSES_TEXT_H
#define LXFW_TRACE_JOB_CLASSES_TEXT_H

#include "common/model/job_classes.h"
#include "common/util/error.h"
#include "sim-frontend/trace/cluster.h"

/* Read the classes of the hosts of CLUSTER from the file NAME, or those that are
   shipped by that name ("ncsa-o2k"). To be freed with free(); NULL with errno and
   ERROR set. */
struct lxfw_job_classes *
lxfw_job_classes_read(const char *name, const struct lxfw_cluster *cluster,
		      struct lxfw_error *error);

#endif
