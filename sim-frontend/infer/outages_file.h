/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What could not be used when, by records of the machine: a text file, plain or gzip, of
 * lines
 *
 *   FROM TO [N | HOSTS]
 *
 * FROM and TO are dates in the log's own time, "2026-01-31T12:00", or spans of time from
 * the first submission, "36h"; N processors, or the hosts "n[1-4]", or without either the
 * whole machine; '#' begins a comment. Or what `sacctmgr show event --parsable2` prints,
 * told by its first line, which names the columns: of these NodeName, TimeStart and
 * TimeEnd are looked at. Records without a node tell of the whole cluster's size and are
 * left out. There may be no records: then there was no outage, and what time that is said
 * of is not known.
 */
#ifndef LXFW_INFER_OUTAGES_FILE_H
#define LXFW_INFER_OUTAGES_FILE_H

#include "common/util/error.h"
#include "sim-frontend/infer/infer.h"
#include "sim-frontend/trace/cluster.h"

struct lxfw_outages {
	struct lxfw_outage *outages;	/* by time, without overlap, all `given` */
	size_t count, size;
	int64_t from, until;		/* what the records cover; nothing if FROM is
					   after UNTIL */
	size_t unknown;			/* records of nodes that CLUSTER has not */
};

/*
 * Read PATH. CLUSTER may have no hosts, then no names are known; RECORDED has the
 * calendar, the processors and the first submission. 0, or -1 with errno and ERROR set
 * and *OUTAGES empty.
 */
int lxfw_outages_read(struct lxfw_outages *outages, const char *path,
		      const struct lxfw_cluster *cluster,
		      const struct lxfw_recorded *recorded,
		      struct lxfw_error *error);

void lxfw_outages_clear(struct lxfw_outages *outages);

#endif
