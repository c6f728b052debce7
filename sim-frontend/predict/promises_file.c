/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/promises_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/model/time.h"
#include "sim-frontend/util/output.h"
#include "sim-frontend/util/text.h"

#define HEAD "lxfw-calibration 2\n"
#define COLUMNS "time start age expected limit weight low50 high50 low90 high90\n"

/* Times and spans beyond this are not written by lxfw, seconds. */
#define SECONDS_MAX (INT64_C(1) << 40)

static bool is_known(const struct lxfw_promise *promise)
{
	return promise->start != LXFW_NEVER && !promise->view.sure;
}

int lxfw_promises_write(const struct lxfw_promises *promises, const char *path,
			struct lxfw_error *error)
{
	struct lxfw_output *out = lxfw_output_open(path, error);
	size_t first = promises->count, known = 0;

	if (!out)
		return -1;
	while (first > 0 && known < LXFW_PROMISES_MAX)
		known += is_known(&promises->list[--first]);
	lxfw_output_text(out, HEAD COLUMNS);
	for (size_t i = first; i < promises->count; i++) {
		const struct lxfw_promise *at = &promises->list[i];

		if (!is_known(at))
			continue;
		lxfw_output_format(out, "%lld %lld %lld %lld %lld %.6g %.0f %.0f %.0f %.0f\n",
			(long long)at->time, (long long)at->start, (long long)at->view.standing.age,
			(long long)at->view.standing.expected, (long long)at->view.standing.limit,
			at->weight, at->view.raw.of[LXFW_HALF].low, at->view.raw.of[LXFW_HALF].high,
			at->view.raw.of[LXFW_MOST].low, at->view.raw.of[LXFW_MOST].high);
	}
	return lxfw_output_commit(out, error);
}

static bool in_range(int64_t value, int64_t least)
{
	return value >= least && value <= SECONDS_MAX;
}

/* Returns whether the line is one of lxfw_promises_write(). */
static bool read_line(const char *line, struct lxfw_promise *to)
{
	double *bounds[] = {
		&to->view.raw.of[LXFW_HALF].low, &to->view.raw.of[LXFW_HALF].high,
		&to->view.raw.of[LXFW_MOST].low, &to->view.raw.of[LXFW_MOST].high,
	};
	int used = -1;

	*to = (struct lxfw_promise) { .gone = LXFW_NEVER };
	if (strlen(line) > 250 || sscanf(line, "%" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64
		   " %" SCNd64 " %lf %lf %lf %lf %lf%n", &to->time, &to->start,
		   &to->view.standing.age, &to->view.standing.expected, &to->view.standing.limit,
		   &to->weight, bounds[0], bounds[1], bounds[2], bounds[3], &used) != 10 ||
	    used < 0 || line[used] != '\n')
		return false;
	for (int i = 0; i < 4; i++) {
		if (!(*bounds[i] >= 0 && *bounds[i] <= (double)SECONDS_MAX))
			return false;
	}
	return in_range(to->time, -SECONDS_MAX) && in_range(to->start, to->time) &&
	       in_range(to->view.standing.age, 0) && in_range(to->view.standing.expected, 0) &&
	       in_range(to->view.standing.limit, 0) && to->weight > 0 && to->weight <= 1e9;
}

static int read_lines(struct lxfw_promises *promises, FILE *file, const char *path,
		      struct lxfw_error *error)
{
	struct lxfw_promise promise;
	char line[256];

	if (!fgets(line, sizeof(line), file) || strcmp(line, HEAD) != 0)
		return lxfw_error_at(error, path, 1, strcmp(line, "lxfw-calibration 1\n") == 0 ?
				     "a calibration of an earlier release, expected one written "
				     "again by 'lxfw predict --calibration-out'" :
				     "not a calibration, expected a file written by 'lxfw "
				     "predict --calibration-out'");
	if (!fgets(line, sizeof(line), file) || strcmp(line, COLUMNS) != 0)
		return lxfw_error_at(error, path, 2, "other columns, expected '%.*s'",
				     (int)strlen(COLUMNS) - 1, COLUMNS);
	for (size_t number = 3; fgets(line, sizeof(line), file); number++) {
		if (!read_line(line, &promise))
			return lxfw_error_at(error, path, number, "no prediction, expected 10 "
					     "numbers; the file may be truncated");
		if (lxfw_promises_add(promises, &promise)) {
			lxfw_error_set(error, "out of memory");
			return -1;
		}
	}
	return ferror(file) ? lxfw_error_system(error, path) : 0;
}

int lxfw_promises_read(struct lxfw_promises *promises, const char *path,
		       struct lxfw_error *error)
{
	FILE *file = fopen(path, "r");
	int result;

	if (!file)
		return lxfw_error_system(error, path);
	result = read_lines(promises, file, path, error);
	fclose(file);
	return result;
}
