/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The data base of run times: jobs that have ended, from accounting logs, by machine. An
 * SQLite file with the application id "lxfh" and
 *
 *   CREATE TABLE machines (id, name, speed, checksum)
 *   CREATE TABLE jobs (machine, number, submit, end, ran, time_limit, procs,
 *                      user, account, name, partition, checksum)
 *
 * as doc/history.md describes. `lxfw import --history` is the only writer. A write is one
 * transaction: after a failure or a signal in the middle of it, the file is as before. After a
 * crash, the next process that may write the file and its folder restores it. Readers change
 * nothing and can read while no write is committed.
 */
#ifndef LXFW_HISTORY_RAN_FILE_H
#define LXFW_HISTORY_RAN_FILE_H

#include "sim-frontend/history/ran.h"

/*
 * Both functions return 0, or -1 with errno and ERROR set and the file unchanged: EINVAL if it
 * is damaged, truncated, of another program or version or no regular file, EBUSY if another
 * process changes it, EROFS if it cannot be opened or written, ENOSPC or EIO if writing failed,
 * EINTR if a signal arrived whose handler returned, ENOTSUP if the command was built without
 * SQLite.
 */

/* Reads machines and jobs of the file at PATH, which must exist, into RANS, which must be
   empty. Jobs are in the order in which they were added. */
int lxfw_ran_file_read(struct lxfw_rans *rans, const char *path, struct lxfw_error *error);

struct lxfw_ran_added {
	const char *machine;	/* jobs of RANS are of this one, whatever they state */
	int32_t speed;		/* per mille; 0: that of the file, or the usual one */
	/* Results. */
	size_t jobs;		/* of the machine that the file then has */
	size_t fresh;		/* of them, those that it did not have */
};

/* Adds those jobs of RANS that are not in the file at PATH, which is created if it does not
   exist. Jobs of journals are not added. */
int lxfw_ran_file_add(const struct lxfw_rans *rans, const char *path,
		      struct lxfw_ran_added *added, struct lxfw_error *error);

#endif
