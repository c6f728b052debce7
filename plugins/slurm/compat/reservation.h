/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Advance reservations of Slurm that keep nodes free of further jobs. Call with
   lxfw_compat_locks. */
#ifndef LXFW_SLURM_COMPAT_RESERVATION_H
#define LXFW_SLURM_COMPAT_RESERVATION_H

#include <time.h>

/*
 * Reserves NODES, a list such as "n[1-3]", for SlurmUser from now until END, whatever runs
 * there or is reserved there. If the reservation NAME exists, its end is moved to END. Jobs
 * that run on the nodes continue. Returns SLURM_SUCCESS or an error of Slurm.
 */
int lxfw_compat_reserve(const char *name, const char *nodes, time_t end);

/* Deletes the reservation, if it exists. */
void lxfw_compat_unreserve(const char *name);

#endif
