/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file of what Slurm has answered, from which others look as if they had asked. It names no users:
 * those of the jobs are numbered in it, and reasons that may name one are "Other".
 */
#ifndef LXFW_WATCH_TEXTS_FILE_H
#define LXFW_WATCH_TEXTS_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/watch/texts.h"

/* Writes the file, which others can read and which is replaced as a whole. NOW is the time of the texts, in seconds
   since 1970. Returns 0, or -1 with errno and ERROR set. */
int lxfw_watch_texts_write(const struct lxfw_watch_texts *texts, int64_t now, const char *path,
			   struct lxfw_error *error);

/* Reads a file that may be anything, with the care of lxfw_guarded_read(). Returns 0, or -1 with errno and ERROR
   set; TEXTS are empty then. */
int lxfw_watch_texts_read(struct lxfw_watch_texts *texts, int64_t *now, const char *path,
			  struct lxfw_error *error);

/* Takes the content of a file. Returns 0, or -1 with errno set: EINVAL if it is not such a file; TEXTS are empty
   then. */
int lxfw_watch_texts_parse(struct lxfw_watch_texts *texts, int64_t *now, const char *content,
			   size_t length);

#endif
