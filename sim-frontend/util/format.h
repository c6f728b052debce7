/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How results are printed, and numbers as text. */
#ifndef LXFW_UTIL_FORMAT_H
#define LXFW_UTIL_FORMAT_H

#include <stddef.h>

enum lxfw_format {
	LXFW_FORMAT_TABLE = 1,
	LXFW_FORMAT_JSON,
	LXFW_FORMAT_CSV,
};

/* The shortest digits that read back as VALUE; SIZE 32 is enough. */
const char *lxfw_format_double(double value, char *text, size_t size);

/* A span of time for people, in a unit that suits it: "45s", "12.3m", "6.0h",
   "2.1d". SIZE 32 is enough. */
const char *lxfw_format_span(double seconds, char *text, size_t size);

#endif
