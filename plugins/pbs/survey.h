/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --watch: keeps a journal of a server whose jobs pbs_sched starts, as a user without privileges.
 * Decisions are those of policy site, as near to those of pbs_sched as what such a user can read
 * permits, and only recorded (shadow.h of the agent).
 */
#ifndef LXFW_PBS_SURVEY_H
#define LXFW_PBS_SURVEY_H

#include <stdbool.h>

#include "plugins/pbs/wlm.h"

/* Looks once; connects to SERVER, NULL for that of pbs.conf, if that is necessary. What has changed
   is in the journal then. Failures are logged; that it cannot connect only if COMPLAIN. Returns
   true if the server was read. */
bool lxfw_pbs_survey(struct lxfw_pbs *pbs, const char *server, bool complain);

/* Whether the connection is so old that another one is made, without registering (calls.h). */
bool lxfw_pbs_survey_renews(const struct lxfw_pbs *pbs, int64_t now);

/* In each look, when the server and the files of sched_priv have been read. */

/* What cannot be read of sched_priv is as OpenPBS installs it. That is logged once. */
void lxfw_pbs_survey_assume(struct lxfw_pbs *pbs);
/* Sets how many jobs have reservations by strict_ordering and backfill_depth, unless the user has
   given parameters for that. Where sched_config cannot be read, jobs with estimated starts show that
   strict_ordering is set. */
void lxfw_pbs_survey_depth(struct lxfw_pbs *pbs);

#endif
