/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that a command writes is none of those that it reads, and two results are not
 * written to one file: either would destroy data that the user wants to keep.
 */
#ifndef LXFW_CMD_FILES_APART_H
#define LXFW_CMD_FILES_APART_H

#include <stdbool.h>
#include <stddef.h>

#include "sim-frontend/cmd/cmd.h"

struct lxfw_cmd_file {
	const char *option;	/* "report"; its name without the dashes */
	const char *path;	/* NULL: the option is not given */
	bool written;
};

/*
 * Whether no written file of FILES is another one of them, or one of the INPUT_COUNT
 * INPUTS. Links and different spellings of a path are followed. Devices and pipes may be
 * named several times. 0, or -1 after a message.
 */
int lxfw_cmd_files_apart(const struct lxfw_command *command,
			 const struct lxfw_cmd_file *files, size_t count,
			 char *const *inputs, int input_count);

#endif
