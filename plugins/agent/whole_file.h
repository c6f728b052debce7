/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Atomic replacement of small files. */
#ifndef LXFW_AGENT_WHOLE_FILE_H
#define LXFW_AGENT_WHOLE_FILE_H

#include <stddef.h>

/*
 * Replaces the contents of PATH by LENGTH bytes, through a temporary file PATH.new.
 * After a crash or a power failure PATH has either the old or the new contents. Returns
 * 0 when the new contents are on the disk, or -1 with errno set and the old file
 * unchanged. Fails with EEXIST if PATH is neither a regular file nor a link: a device, a
 * FIFO. A link is replaced. Waits for the disk; call without the controller's locks.
 */
int lxfw_whole_file_write(const char *path, const char *bytes, size_t length);

/* The same for a file that other users may read (mode 0644) and whose contents need not
   survive a power failure: the disk is not waited for. Fails with EEXIST if PATH is not a
   regular file: a link, a device. */
int lxfw_whole_file_show(const char *path, const char *bytes, size_t length);

#endif
