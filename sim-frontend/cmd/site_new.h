/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that were submitted since the site has published its queue. */
#ifndef LXFW_CMD_SITE_NEW_H
#define LXFW_CMD_SITE_NEW_H

#include <stdbool.h>

#include "sim-frontend/publish/publication.h"

/*
 * Whether a queue that is not outdated lacks some of NAMES because they are new, or have left the
 * queue or never were in it, or Slurm does not answer, and the next round is near; a note states this of
 * each. The controller gets one question about each of these jobs, and none of a look.
 */
bool lxfw_cmd_site_is_new(const struct lxfw_publication *of, char *const *names, int count);

/* The same for the queue of the usual folder. */
bool lxfw_cmd_are_new(char *const *names, int count);

#endif
