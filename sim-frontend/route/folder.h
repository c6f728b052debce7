/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The folder of a user's routed jobs, and the file in it of those that were routed lately. It
 * belongs to the user, and others cannot write it. It is in the home of the user, or in a folder
 * that only root can write (or the user, if no other user has one there): there root makes it.
 */
#ifndef LXFW_ROUTE_FOLDER_H
#define LXFW_ROUTE_FOLDER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "sim-frontend/route/conf.h"
#include "sim-frontend/route/wire.h"

/* Opens the folder conf->records of this user, and makes it if CREATE and the user can. Returns a descriptor, or
   -1 with errno and ERROR set. */
int lxfw_route_folder_open(const struct lxfw_route_conf *conf, bool create,
			   struct lxfw_error *error);

/* Makes the folder of a user, as root, unless it is there or belongs in a home. Returns 0, or -1
   with errno and ERROR set. */
int lxfw_route_folder_make(const struct lxfw_route_conf *conf, uid_t uid, gid_t gid,
			   struct lxfw_error *error);

/* Whether folders of users can be in conf->records. Returns 0, or -1 with ERROR set. */
int lxfw_route_folder_check(const struct lxfw_route_conf *conf, struct lxfw_error *error);

struct lxfw_route_recent_job {
	int64_t time;
	char cluster[LXFW_ROUTE_NAME];
	char options[LXFW_ROUTE_LINE + 1];
};

#define LXFW_ROUTE_RECENT 256

/* The jobs that were routed in the last seconds, oldest first. {.file = -1} is none. */
struct lxfw_route_recent {
	int file;		/* locked, or -1 */
	struct lxfw_route_recent_job jobs[LXFW_ROUTE_RECENT];
	int count;
};

/* Locks and reads the file, and leaves out jobs that were routed before NOW - conf->recent or
   after NOW. Another process that has the lock is waited for, SECONDS at most. Without a folder
   (-1), the file or the lock, there are no jobs. */
void lxfw_route_recent_open(struct lxfw_route_recent *recent, const struct lxfw_route_conf *conf,
			    int folder, int64_t now, int seconds);

/* How many of the first jobs sent to CLUSTER are left out of a question, which has the last ones. */
int lxfw_route_recent_skip(const struct lxfw_route_recent *recent, const char *cluster);

/* Adds a job, and writes the file if there is one. Errors are ignored: the file is advice. */
void lxfw_route_recent_add(struct lxfw_route_recent *recent, int64_t now, const char *cluster,
			   const char *options);

void lxfw_route_recent_close(struct lxfw_route_recent *recent);

#endif
