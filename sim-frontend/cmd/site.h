/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine of a site with partitions, different nodes and reservations: functions
   shared by the subcommands that simulate the jobs of a log on it. */
#ifndef LXFW_CMD_SITE_H
#define LXFW_CMD_SITE_H

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/trace/needs.h"

/* --shape: hosts as in the log; anywhere; one-host. */
struct lxfw_site_shape {
	bool anywhere, one_host;
};

/* Returns 0, or -1 after a message. */
int lxfw_site_shape(const struct lxfw_command *command, const char *word,
		    struct lxfw_site_shape *shape);

/*
 * Reads the reservations in PATH to CLUSTER, on the time scale of TRACE or, with
 * SINCE_1970, in seconds since 1970 as in accounting records. Prints a summary. Returns
 * 0, or -1 after a message.
 */
int lxfw_site_reservations(struct lxfw_cluster *cluster, const char *path,
			   const struct lxfw_trace *trace, bool since_1970);

/* Does the same for the file LOG, which is read to determine the time scale. */
int lxfw_site_reservations_of(struct lxfw_cluster *cluster, const char *path,
			      const char *log, bool since_1970);

/* Prints notes on the requirements of the jobs in LOG. */
void lxfw_site_note(const char *log, const struct lxfw_needs_told *told);

#endif
