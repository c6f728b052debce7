/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/experiment/plots.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim-frontend/experiment/gnuplot.h"
#include "sim-frontend/util/text.h"

static const char *const kinds[] = { "svg", "pdf" };

#define KINDS (sizeof(kinds) / sizeof(*kinds))

static int make_directory(const char *directory, struct lxfw_error *error)
{
	struct stat status;

	if (mkdir(directory, 0777) == 0)
		return 0;
	if (errno != EEXIST || stat(directory, &status))
		return lxfw_error_system(error, directory);
	if (S_ISDIR(status.st_mode))
		return 0;
	errno = ENOTDIR;
	return lxfw_error_system(error, directory);
}

/* gnuplot writes to temporary names, and the pictures are renamed when complete. */
static int settle(const struct lxfw_experiment *experiment,
		  const char *directory, bool keep, struct lxfw_error *error)
{
	char from[PATH_MAX], to[PATH_MAX];
	const char *name;
	int result = 0;

	for (int i = 0; (name = lxfw_plots_name(experiment, i)); i++) {
		for (size_t j = 0; j < KINDS; j++) {
			if (lxfw_plots_path(from, directory, name, kinds[j], ".part",
				      error) ||
			    lxfw_plots_path(to, directory, name, kinds[j], "", error))
				return -1;
			if (!keep || result)
				unlink(from);
			else if (rename(from, to))
				result = lxfw_error_system(error, to);
		}
	}
	return result;
}

static int draw(const struct lxfw_experiment *experiment, const char *directory,
		struct lxfw_error *error)
{
	for (size_t i = 0; i < KINDS; i++) {
		char before[64];
		struct lxfw_error ignored;

		snprintf(before, sizeof(before), "kind='%s'; part='.part'",
			 kinds[i]);
		if (lxfw_gnuplot_run(directory, before, LXFW_PLOTS_SCRIPT,
				     error)) {
			int saved = errno;

			settle(experiment, directory, false, &ignored);
			errno = saved;
			return -1;
		}
	}
	return settle(experiment, directory, true, error);
}

int lxfw_plots_make(const struct lxfw_experiment *experiment,
		    const char *directory, struct lxfw_error *error)
{
	if (make_directory(directory, error) ||
	    lxfw_plots_data(experiment, directory, error) ||
	    lxfw_plots_script(experiment, directory, error))
		return -1;
	return draw(experiment, directory, error);
}
