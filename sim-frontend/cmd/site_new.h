/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that were submitted since the site has published its queue. */
#ifndef LXFW_CMD_SITE_NEW_H
#define LXFW_CMD_SITE_NEW_H

#include <stdbool.h>

#include "sim-frontend/publish/publication.h"

/*
 * Whether a queue that a service renews lacks some of NAMES; a note states of each why: the job is new,
 * has left the queue or never was in it, is hidden from the service, or Slurm does not answer. The controller
 * gets one question about all of them, and none of a look. False if the service is late, or the next
 * round is far.
 */
bool lxfw_cmd_site_is_new(const struct lxfw_publication *of, char *const *names, int count);

/* The same for the queue of the usual folder. */
bool lxfw_cmd_are_new(char *const *names, int count);

#endif
