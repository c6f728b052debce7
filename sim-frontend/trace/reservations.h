/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's reservations: what `scontrol show reservation` prints, also with --oneliner
 * or --json, or slurmrestd answers to /slurm/vX/reservations. Their hosts are not to be
 * used by jobs of a log between start and end.
 *
 * Those that recur (flags HOURLY, DAILY, WEEKDAY, WEEKEND, WEEKLY) are taken to have
 * done so all the time: Slurm tells of the next occurrence alone. Where a reservation
 * has fewer processors than its hosts, it has as many of each. Dates without a zone are
 * of the zone of the log, where that is known, else taken for UTC, as those of sacct.
 */
#ifndef LXFW_TRACE_RESERVATIONS_H
#define LXFW_TRACE_RESERVATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/trace/cluster.h"

/* Of a log: its first second and the last that matters, and how many seconds since 1970
   its second 0 is. */
struct lxfw_reservations_span {
	int64_t begin, end;
	int64_t since_1970;
	bool in_zone;		/* dates are of the zone of the process (zone.h) */
};

/* What became of the reservations of a file. */
struct lxfw_reservations_told {
	size_t taken;		/* that hold hosts in the span; each counts once */
	size_t elsewhen;	/* before or after it */
	size_t no_hosts;	/* of licenses and the like, or of other hosts */
};

/* Add the reservations in the file PATH to CLUSTER, whose hosts are known. 0, or -1
   with errno and ERROR set. */
int lxfw_reservations_read(struct lxfw_cluster *cluster, const char *path,
			   const struct lxfw_reservations_span *span,
			   struct lxfw_reservations_told *told,
			   struct lxfw_error *error);

#endif
