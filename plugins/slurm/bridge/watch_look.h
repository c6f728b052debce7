/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which job records a look examines (watch.h). To examine a record, a dozen lines of memory are
 * fetched: with 50,000 pending jobs that takes longer than all the rest of a look. If fewer
 * than twice `least` jobs are pending, or all must be read, each look examines all records, and
 * with up to `most` pending jobs each look after a change. Others examine
 *
 *  - jobs that run, are suspended or are being cleaned up,
 *  - jobs that are new. Slurm appends records to its list, with consecutive numbers. If the
 *    length of the list is not explained by the jobs that are found so, the list is walked,
 *  - pending jobs that must be read in each look, arrays, jobs whose begin time is near, and
 *    those that the library does not have as waiting: being started or requeued, refused,
 *  - all other pending jobs, part by part in several looks, after any record was changed
 *    (last_job_update). Slurm notes the second of a change only: a part is examined until this
 *    is done in a later second. If some remain, the next pass is made soon,
 *  - in the same way, once all parts have had their turn, all jobs of the list of which a look
 *    knows nothing: jobs that had ended and are pending again, for instance.
 *
 * A change of a pending job is thus found after at most LXFW_LOOK_UNITS looks. Between them are
 * the pauses of the loop: with 50,000 jobs that takes about two seconds. No record is accessed that
 * Slurm may have freed: each look finds it by the job's number.
 */
#ifndef LXFW_BRIDGE_WATCH_LOOK_H
#define LXFW_BRIDGE_WATCH_LOOK_H

#include <stdbool.h>
#include <stddef.h>

struct lxfw_bridge;
struct lxfw_watch;

/* Most looks until each pending job's record has been examined, and the list walked. */
#define LXFW_LOOK_UNITS 5

/* Begins a look: lists the records to be examined in watch->all, and notes the other pending
   jobs as pending. With WHOLE, all are listed. */
void lxfw_look_begin(struct lxfw_bridge *bridge, bool whole);

/* Fetches parts of the records that follow watch->all.job[AT] into the cache. */
void lxfw_look_fetch(const struct lxfw_watch *watch, size_t at);

/* All listed records have been examined: sums up the priorities of pending jobs, and
   requests a pass if records remain to be examined. */
void lxfw_look_examined(struct lxfw_bridge *bridge);

#endif
