/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A data base of predictions and of the later starts of their jobs: an SQLite file with the
 * application id "lxfp", and
 *
 *   CREATE TABLE predictions (job, time, weight, age, expected, time_limit, sure,
 *                             raw_low50, raw_high50, raw_low90, raw_high90,
 *                             start, low50, high50, low90, high90, manager,
 *                             started, gone)
 *
 * `start` to `high90` are what was published, `manager` is the estimate of the workload manager,
 * and `started` is NULL until it is known, `gone` is 1 if the job has left without a start. Intervals are corrected by these predictions, and
 * users are shown how good they were.
 */
#ifndef LXFW_PUBLISH_RECORDS_H
#define LXFW_PUBLISH_RECORDS_H

#include "common/util/error.h"
#include "sim-frontend/predict/told.h"
#include "sim-frontend/publish/publication.h"

struct lxfw_records;

/* Predictions are kept for this time, seconds. */
#define LXFW_RECORDS_KEPT (90 * INT64_C(86400))

/* Opens the file at PATH, which is created if it does not exist. Returns NULL with errno and
   ERROR set: EBUSY if another process has it. */
struct lxfw_records *lxfw_records_open(const char *path, struct lxfw_error *error);

void lxfw_records_close(struct lxfw_records *records);

/* What was published of a job. */
struct lxfw_record_row {
	struct lxfw_promise promise;
	int64_t times[LXFW_TOLD_TIMES];
	int64_t manager;		/* estimate of the workload manager; 0: none */
};

/* The functions return 0, or -1 with errno and ERROR set. */

/* Adds predictions, all or none, and removes those that are too old at NOW, at most those of the
   first day. */
int lxfw_records_add(struct lxfw_records *records, const struct lxfw_record_row *rows,
		     size_t count, int64_t now, struct lxfw_error *error);

/*
 * Asks about each job whose start is not known: START returns it, LXFW_NEVER if the job waits, or
 * -1 if it is gone without a start.
 */
int lxfw_records_settle(struct lxfw_records *records,
			int64_t (*start)(const void *context, uint64_t job, int64_t since),
			const void *context, struct lxfw_error *error);

/* Adds the predictions to PROMISES, which stay in the order of time, but not those of jobs that are
   gone. After a failure PROMISES is as before. */
int lxfw_records_promises(struct lxfw_records *records, struct lxfw_promises *promises,
			  struct lxfw_error *error);

/* How good the predictions since a time were, at NOW: those of the moments at which nearly all jobs
   have started or are gone. */
int lxfw_records_quality(struct lxfw_records *records, int64_t since, int64_t now,
			 struct lxfw_publication_quality *quality, struct lxfw_error *error);

#endif
