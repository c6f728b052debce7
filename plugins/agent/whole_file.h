/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small files that have to outlive a crash. */
#ifndef LXFW_AGENT_WHOLE_FILE_H
#define LXFW_AGENT_WHOLE_FILE_H

#include <stddef.h>

/*
 * Replace PATH by LENGTH bytes, by way of PATH.new: whatever happens, one finds
 * the old file or the new one, and after a return of 0 the new one, also when the
 * machine loses power. 0, or -1 with errno and the old file. Waits for the disk:
 * call without the controller's locks.
 */
int lxfw_whole_file_write(const char *path, const char *bytes, size_t length);

#endif
