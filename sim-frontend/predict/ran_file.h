/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A history of jobs that have ended in an SQLite file:
 *
 *   CREATE TABLE jobs (recorded, number, submit, end, ran, time_limit, procs,
 *                      user, grp, partition, host_set)
 *
 * An update is one transaction: after a crash in the middle of it, the file is as before.
 */
#ifndef LXFW_PREDICT_RAN_FILE_H
#define LXFW_PREDICT_RAN_FILE_H

#include "sim-frontend/predict/ran.h"

/*
 * Adds those jobs of RANS to the file at PATH that are not in it, and reads all others of
 * the file into RANS, before them. The file is created if it does not exist. *ADDED is the
 * number of new jobs. Jobs of journals that ended before a job of a log are removed from the
 * file, since the log has them.
 *
 * Returns 0, or -1 with errno and ERROR set and the file unchanged: EINVAL if it is damaged,
 * truncated, of another program or version, EBUSY if another process changes it, EROFS if it
 * cannot be written, ENOTSUP if the command was built without SQLite.
 */
int lxfw_ran_file_update(struct lxfw_rans *rans, const char *path, size_t *added,
			 struct lxfw_error *error);

#endif
