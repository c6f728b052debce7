/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The path of a temporary file, in a folder of this user alone. A process has one of them. */
#ifndef LXFW_CMD_OWN_FILE_H
#define LXFW_CMD_OWN_FILE_H

#include "common/util/error.h"

/* Makes the folder, and returns the path of a file of NAME in it, which does not exist yet; NULL with errno and ERROR
   set. The file and the folder are removed by the next call, or when the process ends, also by a signal. */
const char *lxfw_cmd_own_file(const char *name, struct lxfw_error *error);

/* Removes them now, if there are any. */
void lxfw_cmd_own_file_remove(void);

#endif
