/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A site's machine as it is, partitions, kinds of nodes, reservations: what subcommands
   have in common that set the jobs of a log on it. */
#ifndef LXFW_CMD_SITE_H
#define LXFW_CMD_SITE_H

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/trace/needs.h"

/* --shape: nodes, as the log tells; anywhere; one-host. */
struct lxfw_site_shape {
	bool anywhere, one_host;
};

/* 0, or -1 after a message. */
int lxfw_site_shape(const struct lxfw_command *command, const char *word,
		    struct lxfw_site_shape *shape);

/*
 * Read the reservations in PATH into CLUSTER, as they lie in the time of TRACE, or with
 * SINCE_1970 in seconds since 1970, as accounting tells times. A note says what became
 * of them. 0, or -1 after a message.
 */
int lxfw_site_reservations(struct lxfw_cluster *cluster, const char *path,
			   const struct lxfw_trace *trace, bool since_1970);

/* The same for the file LOG, which is read for it. */
int lxfw_site_reservations_of(struct lxfw_cluster *cluster, const char *path,
			      const char *log, bool since_1970);

/* Say what there is to tell of what the jobs in LOG need. */
void lxfw_site_note(const char *log, const struct lxfw_needs_told *told);

#endif
