/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Another program run, and what it said. */
#ifndef LXFW_UTIL_PROGRAM_H
#define LXFW_UTIL_PROGRAM_H

#include <stddef.h>

#include "common/util/error.h"

/*
 * Run ARGUMENTS, a program found in PATH and what follows, NULL at the end, and wait
 * for it. Up to SIZE - 1 bytes of what it says on standard output and standard error
 * are left in SAID, NUL-terminated. The keyboard's interrupt does not reach it. Its
 * exit status, or -1 with errno and ERROR set where it was not run or ended by a
 * signal.
 */
int lxfw_program_run(char *const *arguments, char *said, size_t size,
		     struct lxfw_error *error);

#endif
