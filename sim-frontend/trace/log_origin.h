/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which workload manager wrote a log. */
#ifndef LXFW_TRACE_LOG_ORIGIN_H
#define LXFW_TRACE_LOG_ORIGIN_H

#include <stdbool.h>

/* Whether the log PATH is known to be one of Slurm: accounting records in a format of Slurm, or
   a trace whose header names Slurm or a conversion from such records. False, too, for a file
   that cannot be read, and for standard input, which can be read only once. */
bool lxfw_log_is_of_slurm(const char *path);

/* Whether it is an accounting log of OpenPBS, PBS Pro or Torque. */
bool lxfw_log_is_of_pbs(const char *path);

#endif
