/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values in the text of accounting records of PBS, "key=value key=(value)": processors, GPUs and
   hosts in the ways in which OpenPBS and Torque state them. */
#ifndef LXFW_TRACE_PBS_TEXT_H
#define LXFW_TRACE_PBS_TEXT_H

#include <stdint.h>

#include "sim-frontend/trace/account.h"

/* Returns the value of KEY, empty if absent. */
struct lxfw_slice lxfw_pbs_value(struct lxfw_slice text, const char *key);

/* Removes the part of LIST up to the next STOP and returns it. */
struct lxfw_slice lxfw_pbs_part(struct lxfw_slice *list, char stop);

/* Calls HOST for each host of an exec_vnode or exec_host. Returns 0, or the non-zero value that
   HOST returned. */
int lxfw_pbs_hosts(struct lxfw_slice list, lxfw_account_host_fn *host, void *context);

/* Returns the processors that the record of a job requests; -1 if it states none. */
int64_t lxfw_pbs_procs(struct lxfw_slice text);

/* Returns the GPUs of the whole job; 0 if none. */
int64_t lxfw_pbs_gpus(struct lxfw_slice text);

#endif
