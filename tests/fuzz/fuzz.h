/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface of all fuzz targets. 'make check-fuzz' links a target with libFuzzer.
 * 'make check' links it with driver.c into a test that runs the files of
 * tests/fuzz/corpus/FUZZ_NAME.
 */
#ifndef LXFW_TESTS_FUZZ_H
#define LXFW_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Name of the target, of its corpus and of its dictionary. */
extern const char fuzz_name[];

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Return the input as a string, which the caller frees, or NULL if there is no memory. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	if (text) {
		memcpy(text, data, size);
		text[size] = '\0';
	}
	return text;
}

/* Abort if CONDITION is false, also in builds without assertions. */
#define FUZZ_CHECK(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, \
				__LINE__, #condition); \
			abort(); \
		} \
	} while (0)

#endif
