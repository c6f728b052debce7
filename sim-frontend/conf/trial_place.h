/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The private folder of a trial, and the programs and plugins that it uses. */
#ifndef LXFW_CONF_TRIAL_PLACE_H
#define LXFW_CONF_TRIAL_PLACE_H

#include <stddef.h>

#include "sim-frontend/conf/trial.h"

/*
 * Finds the programs, makes the folder, and starts a munged there. WHY, of SIZE bytes, is set
 * if nothing can be tried on this machine. VERSION, of 16 bytes, is that of slurmctld. Returns
 * 0, or -1 with errno and ERROR set. The caller calls lxfw_trial_clear() in either case.
 */
int lxfw_trial_make(struct lxfw_trial *trial, struct lxfw_checking *check, char *why,
		    size_t size, char *version, struct lxfw_error *error);

/* Ends what runs and removes the folder. */
void lxfw_trial_clear(struct lxfw_trial *trial);

/* Writes the private slurm.conf for CONF, which can be NULL, and removes the state of another
   one. *LEFT are the settings that it leaves out, which the caller frees. Returns 0, or -1 with
   errno and ERROR set. */
int lxfw_trial_renew(struct lxfw_trial *trial, const struct lxfw_conf *conf, char **left,
		     struct lxfw_error *error);

#endif
