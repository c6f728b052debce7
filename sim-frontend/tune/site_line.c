/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The current line of a site. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/params/policy.h"
#include "sim-frontend/tune/space.h"
#include "sim-frontend/util/text.h"

/* Returns whether the line has an lxfw_* key. */
static bool has_ours(const char *text)
{
	for (;;) {
		text += strspn(text, " \t");
		if (strncmp(text, "lxfw_", 5) == 0)
			return true;
		text += strcspn(text, ",");
		if (*text == '\0')
			return false;
		text++;
	}
}

int lxfw_tune_site_line(const char *text, const char *otherwise, char **line,
			struct lxfw_error *error)
{
	struct lxfw_params params;
	int length;
	size_t size;

	if (!text)
		text = "";
	if (strlen(text) > LXFW_TUNE_LINE_SIZE / 2)
		return lxfw_error_format(error, "parameters of %zu bytes, expected "
					 "at most %d", strlen(text),
					 LXFW_TUNE_LINE_SIZE / 2);
	/* a setting must be a single line of a file */
	for (const char *at = text; *at; at++) {
		if ((unsigned char)*at < ' ' && *at != '\t')
			return lxfw_error_format(error, "a control character in "
						 "the parameters");
	}
	if (lxfw_tune_read_line(text, &params, error))
		return -1;
	if (lxfw_policy_has(params.policy, LXFW_TRAIT_CLASSES))
		return lxfw_error_format(error, "lxfw_policy=classes has no "
			"weights, quantum or reservations to search");
	size = strlen(text) + 64;
	*line = malloc(size);
	if (!*line) {
		lxfw_error_set(error, "out of memory");
		return -1;
	}
	if (lxfw_params_value(text, "lxfw_policy", &length))
		snprintf(*line, size, "%s", text);
	else
		snprintf(*line, size, "%s%slxfw_policy=%s", text,
			 *text ? "," : "", has_ours(text) ? "lxfw" : otherwise);
	return 0;
}
