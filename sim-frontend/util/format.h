/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Output formats, and numbers as text. */
#ifndef LXFW_UTIL_FORMAT_H
#define LXFW_UTIL_FORMAT_H

#include <stddef.h>

enum lxfw_format {
	LXFW_FORMAT_TABLE = 1,
	LXFW_FORMAT_JSON,
	LXFW_FORMAT_CSV,
};

/* Formats the shortest decimal that reads back as VALUE. A SIZE of 32 is sufficient. */
const char *lxfw_format_double(double value, char *text, size_t size);

/* Formats a duration in a suitable unit: "45s", "12.3m", "6.0h", "2.1d". A SIZE of 32
   is sufficient. */
const char *lxfw_format_span(double seconds, char *text, size_t size);

#endif
