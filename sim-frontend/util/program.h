/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs another program and captures its output. */
#ifndef LXFW_UTIL_PROGRAM_H
#define LXFW_UTIL_PROGRAM_H

#include <stddef.h>

#include "common/util/error.h"

/*
 * Runs ARGUMENTS, which ends with NULL; the program is searched in PATH. Waits for its
 * end. Up to SIZE - 1 bytes of its standard output and standard error are stored in SAID,
 * NUL-terminated. An interrupt from the keyboard does not reach it. Returns the exit
 * status, or -1 with errno and ERROR set if the program was not run or ended by a signal.
 */
int lxfw_program_run(char *const *arguments, char *said, size_t size,
		     struct lxfw_error *error);

/* The same for output of which no part may be missing: -1 with errno EOVERFLOW if SAID is full. */
int lxfw_program_read(char *const *arguments, char *said, size_t size,
		      struct lxfw_error *error);

#endif
