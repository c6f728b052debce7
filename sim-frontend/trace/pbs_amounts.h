/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a job requested and held, in the text of an accounting record of PBS. */
#ifndef LXFW_TRACE_PBS_AMOUNTS_H
#define LXFW_TRACE_PBS_AMOUNTS_H

#include <stdint.h>

#include "sim-frontend/trace/account.h"

/*
 * Calls HOST for each host in exec_vnode "(n[0]:ncpus=8:mem=4kb+n[1]:ncpus=8)+(...)"
 * or exec_host: "c1/0*13+c2/4" of OpenPBS, "c1/0+c1/1+c2/0" of Torque up to 4.2, "c1/0-1+c2/0"
 * of later ones. The numbers are those of slots, each of which is a processor. If the job is
 * known to have had TOTAL processors, and the slots are fewer, the numbers are amounts if their
 * sum is TOTAL; otherwise each slot is an equal part of TOTAL. 0: unknown. Memory and GPUs of a
 * vnode without processors count with another vnode of its chunk, which is on the same host.
 */
int lxfw_pbs_each_host(struct lxfw_slice list, int64_t total, lxfw_account_host_fn *host,
		       void *context);

/* Returns the processors requested, in any of the ways to request them; -1 if none were. */
int64_t lxfw_pbs_requested_procs(struct lxfw_slice text);

/* Sets the processors and hosts that a job requested on the compute nodes of a Cray with
   mppwidth, mppdepth and mppnppn, or size; 0: unknown, or not on a Cray. */
void lxfw_pbs_cray(struct lxfw_slice text, int64_t *procs, int64_t *hosts);

/* Returns the GPUs of the whole job: those in "(n0:ncpus=8:ngpus=2+n1:ngpus=2)",
   otherwise those requested; 0 if none. */
int64_t lxfw_pbs_held_gpus(struct lxfw_slice text);

/* Returns the memory of the whole job in KB; 0 if none was requested. */
int64_t lxfw_pbs_requested_memory(struct lxfw_slice text, int64_t procs);

#endif
