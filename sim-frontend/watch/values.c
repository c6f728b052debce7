/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values in what scontrol(1) shows. */
#include <string.h>
#include <strings.h>

#include "sim-frontend/watch/world.h"

struct lxfw_slice lxfw_watch_value(const char *line, const char *key)
{
	size_t width = strlen(key);

	for (const char *at = line; *at && *at != '\n'; at += strcspn(at, " \n")) {
		at += strspn(at, " ");
		if (strncmp(at, key, width) == 0 && at[width] == '=') {
			at += width + 1;
			return (struct lxfw_slice) { at, strcspn(at, " \n") };
		}
	}
	return (struct lxfw_slice) { NULL, 0 };
}

struct lxfw_slice lxfw_watch_setting(const struct lxfw_watch *watch, const char *key)
{
	size_t width = strlen(key), between;

	for (const char *line = watch->texts.config; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		between = strncmp(line, key, width) == 0 ? strspn(line + width, " =") : 0;
		if (between > 0)
			return (struct lxfw_slice) { line + width + between,
						     strcspn(line + width + between, "\n") };
	}
	return (struct lxfw_slice) { NULL, 0 };
}

bool lxfw_watch_configured(const struct lxfw_watch *watch, const char *key, const char *word,
			   bool unknown)
{
	struct lxfw_slice value = lxfw_watch_setting(watch, key);
	size_t width = strlen(word);

	for (size_t at = 0; at + width <= value.length; at++) {
		if (strncasecmp(value.at + at, word, width) == 0)
			return true;
	}
	return value.at ? false : unknown;
}
