/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every fuzz target is made of. A target is linked with libFuzzer by
 * 'make check-fuzz', and with driver.c into a test of 'make check' that runs
 * the files of tests/fuzz/corpus/FUZZ_NAME through it.
 */
#ifndef LXFW_TESTS_FUZZ_H
#define LXFW_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The target's name, of its corpus and of its dictionary. */
extern const char fuzz_name[];

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The input as a string, to be freed; NULL where memory runs out. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	if (text) {
		memcpy(text, data, size);
		text[size] = '\0';
	}
	return text;
}

/* A property that does not hold is a finding, with assertions off as well. */
#define FUZZ_CHECK(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, \
				__LINE__, #condition); \
			abort(); \
		} \
	} while (0)

#endif
