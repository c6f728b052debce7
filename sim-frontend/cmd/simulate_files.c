/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/simulate_files.h"

#include <errno.h>
#include <stdlib.h>

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/files_apart.h"
#include "sim-frontend/report/jobs_csv.h"
#include "sim-frontend/report/series_csv.h"
#include "sim-frontend/report/simulation_page.h"

static int open_one(struct lxfw_output **output, const char *path)
{
	struct lxfw_error error;

	if (!path)
		return 0;
	*output = lxfw_output_open(path, &error);
	return *output ? 0 : (lxfw_cmd_bad(&error), -1);
}

int lxfw_simulate_files_apart(const struct lxfw_command *command,
			      const struct lxfw_simulate_paths *paths,
			      const struct lxfw_scenario *scenario,
			      const struct lxfw_study *study,
			      const struct lxfw_cmd_priorities *priorities,
			      const struct lxfw_cmd_history *history,
			      const char *classes)
{
	const struct lxfw_cmd_file files[] = {
		{ "jobs-out", paths->jobs, true },
		{ "journal", paths->journal, true },
		{ "series-out", paths->series, true },
		{ "users-out", paths->users, true },
		{ "schedule-out", paths->schedule, true },
		{ "report", paths->report, true },
		{ "cluster", scenario->machine, false },
		{ "reservations", scenario->reservations, false },
		{ "outages", scenario->outages, false },
		{ "classes", classes, false },
		{ "assocs", priorities->assocs, false },
		{ "qos", priorities->qos, false },
		{ "estimates", history->path, false },
		{ "adaptive", lxfw_adaptive_path(&scenario->adaptive), false },
	};
	char *inputs[1 + LXFW_CONTESTANTS_MAX] = { (char *)scenario->path };
	int count = 1;

	for (size_t i = 0; i < study->count; i++) {
		if (study->contenders[i].file)
			inputs[count++] = (char *)study->contenders[i].file;
	}
	return lxfw_cmd_files_apart(command, files, sizeof(files) / sizeof(*files),
				    inputs, count);
}

int lxfw_simulate_files_open(struct lxfw_simulate_files *files,
			     const struct lxfw_simulate_paths *paths)
{
	if (open_one(&files->jobs, paths->jobs) ||
	    open_one(&files->series, paths->series) ||
	    open_one(&files->users, paths->users) ||
	    open_one(&files->schedule, paths->schedule) ||
	    open_one(&files->report, paths->report) ||
	    open_one(&files->journal, paths->journal))
		return -1;
	if (files->journal)
		lxfw_journal_writer_begin(&files->writer, files->journal);
	return 0;
}

static const char *name_of(const struct lxfw_contestant *one, bool several)
{
	return several ? one->name : NULL;
}

static int write_jobs(struct lxfw_output *jobs, const struct lxfw_contest *contest,
		      bool several)
{
	int64_t bound = contest->counting.bound;
	bool mixed = contest->contestants[0].options.mixed;

	lxfw_jobs_csv_header(jobs, mixed, several);
	for (size_t i = 0; i < contest->count; i++) {
		const struct lxfw_contestant *one = &contest->contestants[i];

		if (lxfw_jobs_csv_rows(&one->sim, mixed, bound > 0 ? bound :
				       LXFW_SLOWDOWN_BOUND,
				       name_of(one, several), jobs))
			return -1;
	}
	return 0;
}

static int write_series(struct lxfw_output *series,
			const struct lxfw_contest *contest, int64_t step,
			bool several)
{
	lxfw_series_csv_header(series, several);
	for (size_t i = 0; i < contest->count; i++) {
		struct lxfw_contestant *one = &contest->contestants[i];
		struct lxfw_series_point *points;
		size_t count;

		points = lxfw_series_points(&one->series, &one->sim, step, &count);
		if (!points)
			return -1;
		lxfw_series_csv_rows(points, count, name_of(one, several), series);
		free(points);
	}
	return 0;
}

static void write_users(struct lxfw_output *users,
			const struct lxfw_contest *contest, bool several)
{
	lxfw_users_csv_header(users, several);
	for (size_t i = 0; i < contest->count; i++) {
		const struct lxfw_contestant *one = &contest->contestants[i];

		lxfw_users_csv_rows(&one->fairness, name_of(one, several), users);
	}
}

/* Commits all files or none. */
static int commit(struct lxfw_simulate_files *files)
{
	struct lxfw_output *const outputs[] = {
		files->journal, files->jobs, files->series, files->users,
		files->report, files->schedule,
	};
	struct lxfw_error error;

	files->journal = files->jobs = files->series = NULL;
	files->users = files->report = files->schedule = NULL;
	if (lxfw_output_commit_all(outputs, sizeof(outputs) / sizeof(*outputs),
				   &error) == 0)
		return 0;
	lxfw_cmd_bad(&error);
	return -1;
}

int lxfw_simulate_files_page(struct lxfw_simulate_files *files,
			     const struct lxfw_simulate_paths *paths,
			     const struct lxfw_several *several, const char *log)
{
	const struct lxfw_simulation_page page = {
		.several = several, .log = log, .window = paths->window,
	};
	struct lxfw_error error;

	if (!files->report ||
	    lxfw_simulation_page(&page, files->report, &error) == 0)
		return 0;
	lxfw_cmd_note("%s", error.text);
	return -1;
}

int lxfw_simulate_files_write(struct lxfw_simulate_files *files,
			      const struct lxfw_simulate_paths *paths,
			      const struct lxfw_contest *contest, bool several)
{
	int failed = files->jobs && write_jobs(files->jobs, contest, several);

	if (!failed && files->series)
		failed = write_series(files->series, contest, paths->series_step,
				      several);
	if (!failed && files->schedule)
		failed = lxfw_schedule_write(&contest->contestants[0].sim,
					     paths->schedule_form,
					     contest->contestants[0].name,
					     files->schedule);
	if (failed && errno == EOVERFLOW) {
		lxfw_cmd_note("--series-step: more than 10^8 rows, expected a "
			      "longer step");
		return -1;
	}
	if (failed) {
		lxfw_cmd_note("out of memory");
		return -1;
	}
	if (files->users)
		write_users(files->users, contest, several);
	return commit(files);
}

void lxfw_simulate_files_abort(struct lxfw_simulate_files *files)
{
	lxfw_journal_writer_end(&files->writer);
	lxfw_output_abort(files->journal);
	lxfw_output_abort(files->jobs);
	lxfw_output_abort(files->series);
	lxfw_output_abort(files->users);
	lxfw_output_abort(files->report);
	lxfw_output_abort(files->schedule);
}
