/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/series_csv.h"

#include "sim-frontend/report/report.h"

static void end_row(const char *contender, struct lxfw_output *output)
{
	if (contender) {
		lxfw_output_text(output, ",");
		lxfw_output_csv(output, contender);
	}
	lxfw_output_text(output, "\n");
}

void lxfw_series_csv_header(struct lxfw_output *output, bool several)
{
	lxfw_output_text(output, "time,waiting_jobs,waiting_procs,running_jobs,"
			 "used_procs,suspended_jobs");
	end_row(several ? "contender" : NULL, output);
}

void lxfw_series_csv_rows(const struct lxfw_series_point *points, size_t count,
			  const char *contender, struct lxfw_output *output)
{
	for (size_t i = 0; i < count; i++) {
		const struct lxfw_series_point *point = &points[i];
		const int64_t numbers[] = {
			point->time,
			point->jobs[LXFW_SERIES_WAITING],
			point->procs[LXFW_SERIES_WAITING],
			point->jobs[LXFW_SERIES_RUNNING],
			point->procs[LXFW_SERIES_RUNNING],
			point->jobs[LXFW_SERIES_SUSPENDED],
		};

		for (size_t j = 0; j < sizeof(numbers) / sizeof(*numbers); j++) {
			if (j > 0)
				lxfw_output_write(output, ",", 1);
			lxfw_output_integer(output, numbers[j]);
		}
		end_row(contender, output);
	}
}

void lxfw_users_csv_header(struct lxfw_output *output, bool several)
{
	lxfw_output_text(output, "user,jobs,mean_wait_s,mean_slowdown,"
			 "mean_bounded_slowdown");
	end_row(several ? "contender" : NULL, output);
}

void lxfw_users_csv_rows(const struct lxfw_fairness *fairness,
			 const char *contender, struct lxfw_output *output)
{
	for (size_t i = 0; i < fairness->user_count; i++) {
		const struct lxfw_fair_user *user = &fairness->users[i];
		const double means[] = {
			user->mean_wait, user->mean_slowdown,
			user->mean_bounded_slowdown,
		};
		char text[32];

		if (user->user >= 0)
			lxfw_output_integer(output, user->user);
		lxfw_output_format(output, ",%zu", user->jobs);
		for (int j = 0; j < 3; j++) {
			lxfw_output_write(output, ",", 1);
			lxfw_output_text(output, lxfw_format_double(means[j], text,
								sizeof(text)));
		}
		end_row(contender, output);
	}
}
