/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/request_option.h"

#include <string.h>

#include "sim-frontend/util/text.h"

#define SIZE_AT_MOST 100000000

bool lxfw_request_option(const char *word, char letter, const char *name, const char **value)
{
	size_t length = strlen(name);

	*value = NULL;
	if (word[0] != '-')
		return false;
	if (letter && word[1] == letter) {
		*value = word[2] ? word + 2 : NULL;
		return true;
	}
	if (word[1] != '-' || strncmp(word + 2, name, length) != 0 ||
	    (word[2 + length] != '=' && word[2 + length]))
		return false;
	*value = word[2 + length] ? word + 3 + length : NULL;
	return true;
}

bool lxfw_request_size(const char *text, int64_t *megabytes)
{
	size_t length = strlen(text);
	const char *unit = length > 0 ? strchr("KMGT", text[length - 1]) : NULL;
	int64_t number;

	if (lxfw_text_integer(text, length - (unit && *unit), 0, SIZE_AT_MOST, &number))
		return false;
	if (!unit || *unit == 'M')
		*megabytes = number;
	else if (*unit == 'K')
		*megabytes = (number + 1023) / 1024;
	else
		*megabytes = number * (*unit == 'G' ? 1024 : 1024 * 1024);
	return true;
}
