/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parameters that a user gives for lxfw alone: on the command line, or in a file of sites.
 * There, an item that lxfw does not read is a mistake. In SchedulerParameters of a slurm.conf
 * it is an item of Slurm's, see lxfw_params_parse().
 */
#ifndef LXFW_UTIL_GIVEN_H
#define LXFW_UTIL_GIVEN_H

#include "common/params/params.h"

/* As lxfw_params_parse(), but an item without a key of lxfw is an error, too. The message
   has the nearest key; for an item of Slurm's, the key with a similar effect. */
int lxfw_given_parse(struct lxfw_params *params, const char *text,
		     struct lxfw_error *error);

/* Checks the keys only. In TEXT, the parameters of a site, items of SLURM are permitted: those
   of SchedulerParameters, and the keys of slurm.conf that begin with "Priority". */
enum lxfw_items { LXFW_ITEMS_OURS, LXFW_ITEMS_OF_SITE };
int lxfw_given_check(const char *text, enum lxfw_items items, struct lxfw_error *error);

#endif
