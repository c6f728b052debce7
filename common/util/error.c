/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/util/error.h"

#include <string.h>

/*
 * Error texts quote keys, values and names from input. Control characters are replaced by
 * '?', so that a text is one line and cannot control a terminal.
 */
static char printable(char byte)
{
	unsigned char value = (unsigned char)byte;

	return value < 0x20 || value == 0x7f ? '?' : byte;
}

static void append(struct lxfw_error *error, const char *part, size_t length)
{
	size_t end = strlen(error->text);

	for (size_t i = 0; i < length && end < sizeof(error->text) - 1; i++)
		error->text[end++] = printable(part[i]);
	error->text[end] = '\0';
}

void lxfw_error_set(struct lxfw_error *error, const char *part)
{
	if (!error)
		return;
	error->text[0] = '\0';
	append(error, part, strlen(part));
}

void lxfw_error_add(struct lxfw_error *error, const char *part)
{
	if (error)
		append(error, part, strlen(part));
}

void lxfw_error_add_bytes(struct lxfw_error *error, const char *part,
			  int length)
{
	if (error && length > 0)
		append(error, part, (size_t)length);
}

void lxfw_error_add_number(struct lxfw_error *error, int64_t number)
{
	/* INT64_MIN has no negation in int64_t. */
	uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
	char digits[20];
	size_t at = sizeof(digits);

	if (!error)
		return;
	do {
		digits[--at] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	if (number < 0)
		append(error, "-", 1);
	append(error, digits + at, sizeof(digits) - at);
}
