/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/log_origin.h"

#include <string.h>
#include <sys/stat.h>
#include <strings.h>

#include "sim-frontend/trace/input.h"
#include "sim-frontend/trace/log_formats.h"

static bool contains(const char *text, size_t length, const char *word)
{
	size_t size = strlen(word);

	for (size_t i = 0; i + size <= length; i++) {
		if (strncasecmp(text + i, word, size) == 0)
			return true;
	}
	return false;
}

/* Whether the header comment says that the log is one of Slurm. Names of users and queues do
   not. */
static bool says_slurm(const char *line, size_t length)
{
	static const char *const names[] = { "Queue", "Partition", "User", "Group", "Request" };
	const char *at = line + 1, *end = line + length;

	while (at < end && (*at == ' ' || *at == '\t' || *at == ';'))
		at++;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		size_t size = strlen(names[i]);

		if ((size_t)(end - at) >= size && strncasecmp(at, names[i], size) == 0)
			return false;
	}
	return contains(at, (size_t)(end - at), "slurm") ||
	       contains(at, (size_t)(end - at), "from sacct");
}

static bool header_says(struct lxfw_input *input)
{
	struct lxfw_error error;
	size_t length;
	char *line;

	while (lxfw_input_line(input, &line, &length, &error) > 0 &&
	       (length == 0 || *line == ';')) {
		if (length > 0 && says_slurm(line, length))
			return true;
	}
	return false;
}

/* Returns the format of the log, and the log itself, which the caller closes; or NULL. A pipe
   can be read only once. */
static const struct lxfw_log_format *format_of(const char *path, struct lxfw_input **input)
{
	const struct lxfw_log_format *format;
	struct lxfw_error error;
	struct stat status;

	*input = stat(path, &status) == 0 && S_ISFIFO(status.st_mode) ? NULL :
		 strcmp(path, "-") == 0 ? NULL : lxfw_input_open(path, &error);
	return *input && lxfw_log_recognize(*input, &format, &error) == 0 ? format : NULL;
}

bool lxfw_log_is_of_slurm(const char *path)
{
	struct lxfw_input *input;
	const struct lxfw_log_format *format = format_of(path, &input);
	bool is = format && (format == &lxfw_log_swf ? header_says(input) :
						       format->partitions);

	lxfw_input_close(input);
	return is;
}

bool lxfw_log_is_of_pbs(const char *path)
{
	struct lxfw_input *input;
	const struct lxfw_log_format *format = format_of(path, &input);

	lxfw_input_close(input);
	return format == &lxfw_log_pbs;
}
