/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/corrections_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim-frontend/util/format.h"
#include "sim-frontend/util/output.h"
#include "sim-frontend/util/text.h"

#define HEAD "lxfw-calibration 1"

/* Corrections beyond this factor of a wait are not written by lxfw. */
#define CORRECTION_MAX 50.0

int lxfw_corrections_write(const struct lxfw_corrections *corrections, const char *path,
			   struct lxfw_error *error)
{
	struct lxfw_output *out = lxfw_output_open(path, error);
	char low[32], high[32];

	if (!out)
		return -1;
	lxfw_output_format(out, HEAD "\njobs %zu\n", corrections->jobs);
	for (int i = 0; i < LXFW_COVERAGES; i++) {
		const struct lxfw_interval *of = &corrections->of[i];

		lxfw_output_format(out, "%d %s %s\n", 10 * (i + 1),
				   lxfw_format_double(of->low, low, sizeof(low)),
				   lxfw_format_double(of->high, high, sizeof(high)));
	}
	return lxfw_output_commit(out, error);
}

static int read_lines(struct lxfw_corrections *corrections, FILE *file, const char *path,
		      struct lxfw_error *error)
{
	char line[128];
	int nominal, used;

	if (!fgets(line, sizeof(line), file) || sscanf(line, HEAD "%n", &used) != 0 ||
	    used != (int)sizeof(HEAD) - 1)
		return lxfw_error_at(error, path, 1, "not a calibration, expected a file "
				     "written by 'lxfw predict --calibration-out'");
	if (!fgets(line, sizeof(line), file) ||
	    sscanf(line, "jobs %zu", &corrections->jobs) != 1 || corrections->jobs < 1)
		return lxfw_error_at(error, path, 2, "no number of jobs, expected 'jobs N'");
	for (int i = 0; i < LXFW_COVERAGES; i++) {
		struct lxfw_interval *of = &corrections->of[i];

		if (!fgets(line, sizeof(line), file) ||
		    sscanf(line, "%d %lf %lf", &nominal, &of->low, &of->high) != 3 ||
		    nominal != 10 * (i + 1) || !(fabs(of->low) <= CORRECTION_MAX) ||
		    !(fabs(of->high) <= CORRECTION_MAX))
			return lxfw_error_at(error, path, i + 3, "no corrections of the "
					     "%d %% interval, expected '%d LOW HIGH'; the "
					     "file may be truncated", 10 * (i + 1),
					     10 * (i + 1));
	}
	return 0;
}

int lxfw_corrections_read(struct lxfw_corrections *corrections, const char *path,
			  struct lxfw_error *error)
{
	FILE *file = fopen(path, "r");
	int result;

	*corrections = (struct lxfw_corrections) { 0 };
	if (!file)
		return lxfw_error_system(error, path);
	result = read_lines(corrections, file, path, error);
	fclose(file);
	return result;
}
