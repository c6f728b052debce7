/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lxfw predict --publish while the workload manager does not answer: what only it knows of the jobs, such as
 * their partitions, is as it was published last.
 */
#ifndef LXFW_CMD_PREDICT_SILENT_H
#define LXFW_CMD_PREDICT_SILENT_H

#include "sim-frontend/publish/listed.h"
#include "sim-frontend/publish/publication.h"

/* Sets LISTED, which is empty, to the jobs that FOLDER has. None if it has none. */
void lxfw_predict_silent_list(const char *folder, struct lxfw_listed *listed);

/* Sets the cluster, what users may see, notes and words of the workload manager in TO to those of FOLDER.
   Returns 0, or -1 with errno ENOMEM. */
int lxfw_predict_silent_keep(const char *folder, struct lxfw_publication *to);

#endif
