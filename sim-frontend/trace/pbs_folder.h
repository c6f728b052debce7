/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The directory of a pbs_snapshot of OpenPBS, unpacked, or a directory of accounting logs.
 * Its accounting logs, server_priv/accounting/YYYYMMDD, are one log in the order of their
 * names. node/qmgr_pn_default.out and server/qmgr_ps.out describe the machine.
 */
#ifndef LXFW_TRACE_PBS_FOLDER_H
#define LXFW_TRACE_PBS_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "common/util/error.h"

bool lxfw_pbs_folder_is(const char *path);

/* Whether the directory describes a machine. */
bool lxfw_pbs_folder_has_machine(const char *path);

/*
 * Sets *LOGS to the paths of the accounting logs in order, which the caller frees with
 * lxfw_pbs_folder_free(), and *COUNT to their number, 1 or more. Returns 0, or -1 with errno
 * and ERROR set: there are none, and how to get them.
 */
int lxfw_pbs_folder_logs(const char *path, char ***logs, size_t *count,
			 struct lxfw_error *error);
void lxfw_pbs_folder_free(char **logs, size_t count);

#endif
