/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/request_option.h"

#include <string.h>

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
