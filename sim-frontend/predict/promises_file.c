/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/promises_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/model/time.h"
#include "common/util/id_map.h"
#include "sim-frontend/util/output.h"
#include "sim-frontend/util/text.h"

#define HEAD "lxfw-calibration 2\n"
#define COLUMNS "time start age expected limit weight low50 high50 low90 high90 job\n"

/* Times and spans beyond this are not written by lxfw, seconds. */
#define SECONDS_MAX (INT64_C(1) << 40)

/* Numbers of jobs in a file are no ids of the journal. */
#define FILE_JOB (UINT64_C(1) << 62)
#define JOBS_MAX (INT64_C(1) << 40)

#define OLD (180 * 86400)

static bool is_known(const struct lxfw_promise *promise)
{
	return promise->start != LXFW_NEVER && !promise->view.sure;
}

/* Returns the number of the job in the file, or -1 with errno ENOMEM. */
static int32_t number_of(struct lxfw_id_map *numbers, uint64_t job)
{
	int32_t number = job ? lxfw_id_map_get(numbers, job) : 0;

	if (number >= 0)
		return number;
	number = (int32_t)numbers->count + 1;
	return lxfw_id_map_add(numbers, job, number) ? -1 : number;
}

static int write_one(struct lxfw_output *out, const struct lxfw_promise *at,
		     struct lxfw_id_map *numbers)
{
	int32_t job = number_of(numbers, at->job);

	lxfw_output_format(out, "%lld %lld %lld %lld %lld %.6g %.0f %.0f %.0f %.0f %d\n",
		(long long)at->time, (long long)at->start, (long long)at->view.standing.age,
		(long long)at->view.standing.expected, (long long)at->view.standing.limit,
		at->weight, at->view.raw.of[LXFW_HALF].low, at->view.raw.of[LXFW_HALF].high,
		at->view.raw.of[LXFW_MOST].low, at->view.raw.of[LXFW_MOST].high, (int)job);
	return job < 0 ? -1 : 0;
}

int lxfw_promises_write(const struct lxfw_promises *promises, const char *path,
			struct lxfw_error *error)
{
	struct lxfw_output *out = lxfw_output_open(path, error);
	size_t first = promises->count, known = 0;
	struct lxfw_id_map numbers = { 0 };
	int result = 0;

	if (!out)
		return -1;
	while (first > 0 && known < LXFW_PROMISES_MAX)
		known += is_known(&promises->list[--first]);
	lxfw_output_text(out, HEAD COLUMNS);
	for (size_t i = first; i < promises->count && result == 0; i++) {
		if (is_known(&promises->list[i]))
			result = write_one(out, &promises->list[i], &numbers);
	}
	lxfw_id_map_clear(&numbers);
	if (result == 0)
		return lxfw_output_commit(out, error);
	lxfw_output_abort(out);
	lxfw_error_set(error, "out of memory");
	return -1;
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
	int64_t job;
	int used = -1;

	*to = (struct lxfw_promise) { .gone = LXFW_NEVER };
	if (strlen(line) > 250 || sscanf(line, "%" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64
		   " %" SCNd64 " %lf %lf %lf %lf %lf %" SCNd64 "%n", &to->time, &to->start,
		   &to->view.standing.age, &to->view.standing.expected, &to->view.standing.limit,
		   &to->weight, bounds[0], bounds[1], bounds[2], bounds[3], &job,
		   &used) != 11 ||
	    used < 0 || line[used] != '\n' || job < 0 || job > JOBS_MAX)
		return false;
	to->job = job ? FILE_JOB | (uint64_t)job : 0;
	for (int i = 0; i < 4; i++) {
		if (!(*bounds[i] >= 0 && *bounds[i] <= (double)SECONDS_MAX))
			return false;
	}
	return in_range(to->time, -SECONDS_MAX) && in_range(to->start, to->time) &&
	       in_range(to->view.standing.age, 0) && in_range(to->view.standing.expected, 0) &&
	       in_range(to->view.standing.limit, 0) && *bounds[2] <= *bounds[0] &&
	       *bounds[0] <= *bounds[1] && *bounds[1] <= *bounds[3] && to->weight > 0 && to->weight <= 1e9;
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
			return lxfw_error_at(error, path, number, "no prediction, expected 11 "
					     "numbers; the file may be truncated");
		if (lxfw_promises_add(promises, &promise)) {
			lxfw_error_set(error, "out of memory");
			return -1;
		}
	}
	return ferror(file) ? lxfw_error_system(error, path) : 0;
}

/* --- together with others ---------------------------------------------------------- */

static void move(struct lxfw_promises *promises, size_t first, int64_t now)
{
	int64_t last = INT64_MIN, by;

	for (size_t i = first; i < promises->count; i++)
		last = promises->list[i].start > last ? promises->list[i].start : last;
	by = last == INT64_MIN || (last <= now && last >= now - OLD) ? 0 : now - last;
	for (size_t i = first; i < promises->count; i++) {
		promises->list[i].time += by;
		promises->list[i].start += by;
	}
}

static int by_time(const void *left, const void *right)
{
	const struct lxfw_promise *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->view.standing.age != b->view.standing.age)
		return a->view.standing.age < b->view.standing.age ? -1 : 1;
	if (a->view.standing.limit != b->view.standing.limit)
		return a->view.standing.limit < b->view.standing.limit ? -1 : 1;
	return (a->job > b->job) - (a->job < b->job);
}

/* Whether B, of a file, says the same as A. */
static bool is_again(const struct lxfw_promise *a, const struct lxfw_promise *b)
{
	return b->job >= FILE_JOB && a->job != 0 && a->job < FILE_JOB && a->time == b->time &&
	       a->start == b->start && a->view.standing.age == b->view.standing.age &&
	       a->view.standing.limit == b->view.standing.limit;
}

static void arrange(struct lxfw_promises *promises)
{
	size_t kept = 0;

	if (promises->count == 0)
		return;
	qsort(promises->list, promises->count, sizeof(*promises->list), by_time);
	for (size_t i = 1; i < promises->count; i++) {
		if (!is_again(&promises->list[kept], &promises->list[i]))
			promises->list[++kept] = promises->list[i];
	}
	promises->count = kept + 1;
}

int lxfw_promises_read(struct lxfw_promises *promises, const char *path, int64_t now,
		       struct lxfw_error *error)
{
	size_t first = promises->count;
	FILE *file = fopen(path, "r");
	int result;

	if (!file)
		return lxfw_error_system(error, path);
	result = read_lines(promises, file, path, error);
	fclose(file);
	if (result)
		return result;
	move(promises, first, now);
	arrange(promises);
	return 0;
}
