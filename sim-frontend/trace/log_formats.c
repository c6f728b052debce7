/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/log_formats.h"

#include <stdio.h>
#include <string.h>

#include "common/journal/journal.h"

static bool is_journal(const char *line, size_t length)
{
	return length >= LXFW_JOURNAL_MAGIC_SIZE - 1 &&
	       memcmp(line, LXFW_JOURNAL_MAGIC, LXFW_JOURNAL_MAGIC_SIZE - 1) == 0;
}

/* Matches comments. A line with a job is recognized by no other format, and SWF is the
   default. */
static bool is_swf(const char *line, size_t length)
{
	return length == 0 || *line == ';';
}

const struct lxfw_log_format lxfw_log_journal = {
	.name = "journal", .recognizes = is_journal,
};
const struct lxfw_log_format lxfw_log_swf = {
	.name = "swf", .recognizes = is_swf,
};

/* In the order of detection. sacct must be late, since it accepts any line with '|'. */
static const struct lxfw_log_format *const formats[] = {
	&lxfw_log_journal,
	&lxfw_log_swf,
	&lxfw_log_slurm_json,
	&lxfw_log_lsf,
	&lxfw_log_pbs,
	&lxfw_log_sge,
	&lxfw_log_sacct,
};

#define FORMATS (sizeof(formats) / sizeof(*formats))

int lxfw_log_recognize(struct lxfw_input *input,
		       const struct lxfw_log_format **format,
		       struct lxfw_error *error)
{
	char *line;
	size_t length = 0;
	int got;

	/* skip empty lines */
	while ((got = lxfw_input_peek(input, &line, &length, error)) > 0 &&
	       length == 0)
		lxfw_input_line(input, &line, &length, error);
	*format = &lxfw_log_swf;
	if (got <= 0)
		return got;
	while (length > 0 && (*line == ' ' || *line == '\t'))
		line++, length--;
	for (size_t i = 0; i < FORMATS; i++) {
		if (formats[i]->recognizes(line, length)) {
			*format = formats[i];
			break;
		}
	}
	return 0;
}

const struct lxfw_log_format *lxfw_log_format_find(const char *name)
{
	for (size_t i = 0; i < FORMATS; i++) {
		if (formats[i] != &lxfw_log_journal &&
		    strcmp(formats[i]->name, name) == 0)
			return formats[i];
	}
	return NULL;
}

const char *lxfw_log_format_names(char *names, size_t size)
{
	size_t used = 0;

	*names = '\0';
	for (size_t i = 0; i < FORMATS && used < size; i++) {
		if (formats[i] != &lxfw_log_journal)
			used += (size_t)snprintf(names + used, size - used, "%s%s",
						 used ? "|" : "", formats[i]->name);
	}
	return names;
}
