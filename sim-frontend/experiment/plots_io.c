/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/experiment/plots.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#include "sim-frontend/util/text.h"

int lxfw_plots_month(const struct lxfw_experiment *experiment, int number)
{
	for (int i = 0; i < experiment->month_count; i++) {
		if (experiment->months[i].number == number)
			return i;
	}
	return experiment->month_count - 1;
}

int lxfw_plots_path(char *path, const char *directory, const char *name,
		    const char *kind, const char *part,
		    struct lxfw_error *error)
{
	int length = snprintf(path, PATH_MAX, "%s/%s%s%s%s", directory, name,
			      *kind ? "." : "", kind, part);

	if (length < PATH_MAX)
		return 0;
	errno = ENAMETOOLONG;
	return lxfw_error_system(error, directory);
}

struct lxfw_output *lxfw_plots_open(const char *directory, const char *name,
				    struct lxfw_error *error)
{
	char path[PATH_MAX];

	if (lxfw_plots_path(path, directory, name, "", "", error))
		return NULL;
	return lxfw_output_open(path, error);
}

void lxfw_plots_put(struct lxfw_output *output, const char *format, ...)
{
	char text[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	lxfw_output_text(output, text);
}
