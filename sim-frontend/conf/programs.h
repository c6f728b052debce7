/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs of the Slurm that is installed on this machine. */
#ifndef LXFW_CONF_PROGRAMS_H
#define LXFW_CONF_PROGRAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim-frontend/conf/findings.h"

/* Returns the path of the program NAME, which the caller frees, or NULL. It is searched in the
   folder of the plugins, "/opt/slurm/sbin" for "/opt/slurm/lib/slurm", if it belongs to root or
   the present user and no one else may write it, then in the usual ones. */
char *lxfw_slurm_program(const struct lxfw_checking *check, const char *name);

/* The same for slurmctld, which Debian may install in variants. */
char *lxfw_slurm_controller(const struct lxfw_checking *check);

/* Asks PROGRAM for its version, which is copied to TEXT of 16 bytes, "22.05.8". Returns whether
   it is one of those of keys.h; *RELEASE is that as SLURM_VERSION_NUMBER. */
bool lxfw_slurm_version(const char *program, char *text, uint32_t *release);

#endif
