/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Outages from records of the machine: a text file, plain or gzip, with lines
 *
 *   FROM TO [N | HOSTS]
 *
 * FROM and TO are dates in local time of the log, "2026-01-31T12:00", or durations since
 * the first submission of a job in RECORDED, "36h". N is a number of processors and HOSTS a list "n[1-4]";
 * without either, the whole machine is unavailable. '#' begins a comment.
 *
 * The output of `sacctmgr show event --parsable2` is accepted as well. It is recognized
 * by its first line, the names of the columns, of which NodeName, TimeStart and TimeEnd
 * are used. Records without a node state the size of the whole cluster and are ignored.
 * If there are no records, there was no outage, but the period covered is unknown.
 */
#ifndef LXFW_INFER_OUTAGES_FILE_H
#define LXFW_INFER_OUTAGES_FILE_H

#include "common/util/error.h"
#include "sim-frontend/infer/infer.h"
#include "sim-frontend/trace/cluster.h"

struct lxfw_outages {
	struct lxfw_outage *outages;	/* in order of time, without overlap, all
					   `given` */
	size_t count, size;
	int64_t from, until;		/* period that the records cover; empty if FROM
					   is after UNTIL */
	size_t unknown;			/* records of nodes that are not in CLUSTER */
};

/*
 * Reads PATH. Without hosts in CLUSTER, no names are known. RECORDED provides the
 * calendar, the processors and the first submission. Returns 0, or -1 with errno and
 * ERROR set and *OUTAGES empty.
 */
int lxfw_outages_read(struct lxfw_outages *outages, const char *path,
		      const struct lxfw_cluster *cluster,
		      const struct lxfw_recorded *recorded,
		      struct lxfw_error *error);

void lxfw_outages_clear(struct lxfw_outages *outages);

#endif
