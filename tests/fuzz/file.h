/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inputs for readers that open a file. */
#ifndef LXFW_TESTS_FUZZ_FILE_H
#define LXFW_TESTS_FUZZ_FILE_H

#include <stddef.h>
#include <stdint.h>

/* Write the bytes to a file and return its path, which is the same at each call. Return
   NULL, after a message on stderr, if the file cannot be written. The file is removed
   when the process ends. */
const char *fuzz_file(const uint8_t *data, size_t size);

#endif
