/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Job classes in a text file. One definition per line, in this order:
 *
 *   time NAME [cpu=TIME] [run=TIME] [reserve=TIME] [running=N]
 *   size NAME [procs=N] [memory=SIZE]
 *   hosts NAMES [sizes=A>B...] [times=A>B,C...] [running=A:N,...]
 *
 * Time and size classes are in ascending order: no limit may be below the same limit of
 * the class before. NAMES and SIZE are as in cluster descriptions. An omitted limit is no
 * limit. The default of sizes is every size class, the largest first; the default of
 * times is equal rank for every time class. Every host of the cluster occurs on one line
 * of hosts. '#' begins a comment. See lxfw(1).
 */
#ifndef LXFW_TRACE_JOB_CLASSES_TEXT_H
#define LXFW_TRACE_JOB_CLASSES_TEXT_H

#include "common/model/job_classes.h"
#include "common/util/error.h"
#include "sim-frontend/trace/cluster.h"

/* Reads the job classes for the hosts of CLUSTER from the file NAME, or from the
   shipped file of that name ("ncsa-o2k"). The caller releases the result with free().
   Returns NULL with errno and ERROR set on failure. */
struct lxfw_job_classes *
lxfw_job_classes_read(const char *name, const struct lxfw_cluster *cluster,
		      struct lxfw_error *error);

#endif
