/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of `lxfw import` that queries a running cluster. */
#ifndef LXFW_CMD_IMPORT_LIVE_H
#define LXFW_CMD_IMPORT_LIVE_H

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/trace/log.h"

/* Values of options; NULL, 0 and false if not given. */
struct lxfw_import_live {
	const char *url;
	const char *since, *until;
	const char *token_file, *jwt_key, *user;
	const char *ca_file;
	const char *cluster;		/* a cluster in slurmdbd's database */
	int64_t timeout, slice;
	bool allow_http;
};

/* Adds the jobs of the period to LOG and, if CLUSTER is not NULL, the nodes to
   CLUSTER, which must be {0}. Returns -1 after a message. */
int lxfw_import_live(const struct lxfw_command *command,
		     const struct lxfw_import_live *live, struct lxfw_log *log,
		     struct lxfw_cluster *cluster);

#endif
