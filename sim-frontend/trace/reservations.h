/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's reservations: the output of `scontrol show reservation`, also with --oneliner
 * or --json, or the response of slurmrestd to /slurm/vX/reservations. The jobs of a log
 * do not use the reserved hosts between start and end.
 *
 * A recurring reservation (flags HOURLY, DAILY, WEEKDAY, WEEKEND, WEEKLY) is assumed to
 * have recurred during the whole log, since Slurm reports only the next occurrence. If a
 * reservation has fewer processors than its hosts, they are divided evenly among the
 * hosts, rounded up. Of licenses, see lxfw_reservations_span. Dates without a time zone are in the time zone of the log if it is
 * known, otherwise UTC, as those of sacct.
 */
#ifndef LXFW_TRACE_RESERVATIONS_H
#define LXFW_TRACE_RESERVATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/trace/cluster.h"

/* The first and last relevant second of a log, and the time in seconds since 1970 of
   its second 0. */
struct lxfw_reservations_span {
	int64_t begin, end;
	int64_t since_1970;
	bool in_zone;		/* dates are in the time zone of the process (zone.h) */
	bool licenses;		/* also those of the cluster that a reservation holds: shares of their
				   pools, whose hosts follow those of the cluster */
	bool endless;		/* a recurring reservation never ends: the last occurrence that begins
				   in the span has no end, so that a job which is longer than the time
				   between two of them has no start after it */
};

/* Numbers of reservations in a file by result. */
struct lxfw_reservations_told {
	size_t taken;		/* with hosts reserved in the span; recurring ones
				   count once */
	size_t elsewhen;	/* entirely before or after the span */
	size_t no_hosts;	/* of licenses and the like, or of hosts not in the
				   cluster */
};

/* Adds the reservations in the file PATH to CLUSTER, which must have its hosts.
   Returns 0, or -1 with errno and ERROR set. */
int lxfw_reservations_read(struct lxfw_cluster *cluster, const char *path,
			   const struct lxfw_reservations_span *span,
			   struct lxfw_reservations_told *told,
			   struct lxfw_error *error);

#endif
