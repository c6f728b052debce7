/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a job was submitted, so that it can be submitted again elsewhere: the command, its
 * folder, environment, file mode mask and limits, read from the process of sbatch. The script is
 * not part of it: the controller has it. A record is a file in the folder of the user
 * (folder.h), which only the user can read; its name is the marker, which the job has as a
 * comment.
 *
 *   lxfw-job 1
 *   request OPTIONS
 *   command WORDS TAIL UMASK		the last TAIL words are the script and its
 *					arguments; -1: --wrap
 *   limits SOFT HARD ...
 *
 * and, each ended by a byte 0: the folder, the words, and the variables.
 */
#ifndef LXFW_ROUTE_RECORD_H
#define LXFW_ROUTE_RECORD_H

#include <stddef.h>
#include <sys/types.h>

#include "common/util/error.h"
#include "sim-frontend/route/wire.h"

#define LXFW_ROUTE_MARKER 17		/* 16 hexadecimal digits, and the NUL */
#define LXFW_ROUTE_RECORD_MAX (8 << 20)	/* bytes */

bool lxfw_route_marker_is_valid(const char *marker);

/* Writes a record of the process PID, which is of this user, and sets MARKER. Returns 0, or
   -1 with errno and ERROR set. */
int lxfw_route_record_make(int folder, pid_t pid, int tail, const char *request,
			   char marker[LXFW_ROUTE_MARKER], struct lxfw_error *error);

struct lxfw_route_record {
	char *text;			/* what the others point to */
	char *request, *directory;
	char **words, **variables;	/* each ends with NULL */
	int word_count, tail;
	mode_t umask;
	char *limits;			/* numbers */
};

/* Reads a record, which may be anything. Returns 0, or -1 with errno and ERROR set. */
int lxfw_route_record_read(struct lxfw_route_record *record, int folder, const char *marker,
			   struct lxfw_error *error);

/* Takes TEXT[0..LENGTH), which the record frees. Returns 0, or -1 with errno EINVAL or
   ENOMEM. */
int lxfw_route_record_parse(struct lxfw_route_record *record, char *text, size_t length);

void lxfw_route_record_clear(struct lxfw_route_record *record);

/*
 * Runs sbatch at PATH as the record says, with the options FIRST in front of its own, up to
 * NULL, and with SCRIPT in place of its script. Nothing that the record names is executed:
 * sbatch has the variables of this process, but for SBATCH_* and SLURM_HINT, which are options,
 * and reads those of the job from a file (--export-file). The soft limits of the record are in
 * that file; this process and its children keep their own. Ends it after SECONDS. Up to SIZE - 1 bytes of
 * its output are stored in SAID. Returns its exit status, or -1 with errno and ERROR set if it
 * did not end by itself.
 */
int lxfw_route_record_run(const struct lxfw_route_record *record, const char *path,
			  char *const *first, const char *script, int seconds, char *said,
			  size_t size, struct lxfw_error *error);

#endif
