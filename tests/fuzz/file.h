/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inputs for readers that open a file. */
#ifndef LXFW_TESTS_FUZZ_FILE_H
#define LXFW_TESTS_FUZZ_FILE_H

#include <stddef.h>
#include <stdint.h>

/* The path of a file with these bytes, the same one at each call; NULL, said on
   stderr, where it cannot be written. It is gone when the process ends. */
const char *fuzz_file(const uint8_t *data, size_t size);

#endif
