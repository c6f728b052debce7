/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file of the last valid SchedulerParameters: a line with the length and checksum
 * of the text, then the text itself.
 *
 *   lxfw-parameters 1 LENGTH CHECKSUM
 *   TEXT
 *
 * A file without that line was written by an old version and consists of the text only.
 */
#ifndef LXFW_AGENT_KEPT_FILE_H
#define LXFW_AGENT_KEPT_FILE_H

/* See lxfw_whole_file_write(). */
int lxfw_kept_write(const char *path, const char *text);

/* Returns the text, which the caller frees, or NULL with errno set: ENOENT if the file
   does not exist, EBADMSG if it is empty, truncated or damaged, or the error of reading
   it. */
char *lxfw_kept_read(const char *path);

#endif
