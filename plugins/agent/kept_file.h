/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file of the last good SchedulerParameters: a line with their length and
 * checksum, then they themselves.
 *
 *   lxfw-parameters 1 LENGTH CHECKSUM
 *   TEXT
 *
 * Without that line the whole file is the text, as versions before this wrote it.
 */
#ifndef LXFW_AGENT_KEPT_FILE_H
#define LXFW_AGENT_KEPT_FILE_H

/* As lxfw_whole_file_write(). */
int lxfw_kept_write(const char *path, const char *text);

/* To be freed, or NULL with errno: ENOENT, there is none; EBADMSG, it is empty, cut
   off or damaged; or another one, it cannot be read. */
char *lxfw_kept_read(const char *path);

#endif
