/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/spank-lxfw/options.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/slurm/spank-lxfw/cpu_list.h"

/* Parses a decimal integer from LOW to HIGH. */
static bool read_number(const char *text, long low, long high, long *number)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*number = strtol(text, &end, 10);
	return errno == 0 && *end == '\0' && *number >= low && *number <= high;
}

int lxfw_spank_adaptive(const char *text, unsigned *min_procs,
			struct lxfw_error *error)
{
	long number = 1;

	if (text && *text && strcmp(text, "(null)") != 0 &&
	    !read_number(text, 1, LXFW_CPU_LIMIT, &number)) {
		lxfw_error_set(error, "--adaptive=");
		lxfw_error_add(error, text);
		lxfw_error_add(error, ": expected the minimum number of "
				      "processors of the job, a whole number "
				      "from 1 to ");
		lxfw_error_add_number(error, LXFW_CPU_LIMIT);
		return -1;
	}
	*min_procs = (unsigned)number;
	return 0;
}

static bool read_path(const char *text, const char **path)
{
	if (*text != '/')
		return false;
	*path = text;
	return true;
}

static bool read_interval(const char *text, int *interval)
{
	long number;

	if (!read_number(text, 1, LXFW_SPANK_INTERVAL_MAX, &number))
		return false;
	*interval = (int)number;
	return true;
}

/* Returns the text after KEY= in TEXT, or NULL. */
static const char *value_of(const char *text, const char *key)
{
	size_t length = strlen(key);

	return strncmp(text, key, length) == 0 && text[length] == '=' ?
		       text + length + 1 : NULL;
}

/* Returns NULL, or what was expected. */
static const char *read_one(struct lxfw_spank_options *options,
			    const char *text)
{
	const char *value;

	if ((value = value_of(text, "folder")))
		return read_path(value, &options->folder) ?
			       NULL : "expected an absolute path";
	if ((value = value_of(text, "share_from")))
		return read_path(value, &options->share_from) ?
			       NULL : "expected an absolute path";
	if ((value = value_of(text, "interval")))
		return read_interval(value, &options->interval) ?
			       NULL : "expected whole seconds from 1 to 60";
	return "unknown, expected folder=, interval= or share_from=";
}

int lxfw_spank_options_read(struct lxfw_spank_options *options, int count,
			    char **arguments, struct lxfw_error *error)
{
	int i, result = 0;

	*options = (struct lxfw_spank_options){
		.folder = LXFW_SPANK_FOLDER,
		.interval = LXFW_SPANK_INTERVAL,
	};
	for (i = 0; i < count; i++) {
		const char *expected = read_one(options, arguments[i]);

		if (!expected || result < 0)
			continue;
		lxfw_error_set(error, "plugstack.conf: ");
		lxfw_error_add(error, arguments[i]);
		lxfw_error_add(error, ": ");
		lxfw_error_add(error, expected);
		result = -1;
	}
	return result;
}
