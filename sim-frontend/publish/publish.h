/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a publication of what is known of a scheduler. */
#ifndef LXFW_PUBLISH_PUBLISH_H
#define LXFW_PUBLISH_PUBLISH_H

#include "sim-frontend/predict/live.h"
#include "sim-frontend/publish/listed.h"
#include "sim-frontend/publish/publication.h"
#include "sim-frontend/publish/records.h"
#include "sim-frontend/trace/job_names.h"
#include "sim-frontend/trace/kept_jobs.h"

struct lxfw_publish {
	const struct lxfw_live *live;
	const struct lxfw_job_names *names;
	const struct lxfw_kept_jobs *kept;
	const struct lxfw_expected *jobs;	/* all that wait, in the order of the queue */
	size_t count;
	const struct lxfw_listed *listed;	/* NULL: not known */
	bool users;			/* publish their names */
};

/* Sets the machine, the jobs, and what is said of the intervals. Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_publish_make(const struct lxfw_publish *publish, struct lxfw_publication *to);

/* Predictions of a moment that are kept; if there are more, as many at equal distances in the
   queue. */
#define LXFW_PUBLISH_KEPT 50

/* Keeps predictions in RECORDS. Returns 0, or -1 with errno and ERROR set. */
int lxfw_publish_keep(const struct lxfw_publish *publish, struct lxfw_records *records,
		      struct lxfw_error *error);

#endif
