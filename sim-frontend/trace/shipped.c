/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/shipped.h"

#include <string.h>

static const struct lxfw_shipped *find(const char *name, const char *ending)
{
	size_t length = strlen(name);

	for (const struct lxfw_shipped *at = lxfw_shipped_files; at->file; at++) {
		if (strncmp(at->file, name, length) == 0 &&
		    at->file[length] == '.' &&
		    strcmp(at->file + length + 1, ending) == 0)
			return at;
	}
	return NULL;
}

bool lxfw_shipped_has(const char *name, const char *ending)
{
	return find(name, ending) != NULL;
}

struct lxfw_input *lxfw_shipped_open(const char *name, const char *ending,
				     struct lxfw_error *error)
{
	const struct lxfw_shipped *shipped = find(name, ending);

	return shipped ? lxfw_input_bytes(shipped->file, shipped->bytes,
					  shipped->length, error) :
			 lxfw_input_open(name, error);
}
