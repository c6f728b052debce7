/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A look at the Slurm that runs (lxfw-watch(1)) in the folder of a site, so that the commands of users
 * need not look themselves: its journal, which has no users, and its partitions.
 */
#ifndef LXFW_CMD_NOW_SITE_H
#define LXFW_CMD_NOW_SITE_H

#include "common/util/error.h"
#include "sim-frontend/watch/watch.h"

#define LXFW_SITE_LOOK "look"
#define LXFW_SITE_PARTITIONS "partitions"

/* Looks, and writes both files for all users. Returns 0, or -1 with errno and ERROR set. */
int lxfw_now_site_write(const char *folder, struct lxfw_error *error);

/* Reads the file of partitions; *LIST is to be freed. Returns 0, or -1 with errno set: EINVAL if it is
   not such a file, and an empty list. */
int lxfw_now_site_parse(const char *text, struct lxfw_watch_partition **list, size_t *count);
int lxfw_now_site_partitions(const char *path, struct lxfw_watch_partition **list, size_t *count);

#endif
