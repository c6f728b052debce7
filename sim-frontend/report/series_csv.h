/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a simulation over time, and its users, as CSV. */
#ifndef LXFW_REPORT_SERIES_CSV_H
#define LXFW_REPORT_SERIES_CSV_H

#include "sim-frontend/engine/series.h"
#include "sim-frontend/metrics/fairness.h"
#include "sim-frontend/util/output.h"

/* Columns: time,waiting_jobs,waiting_procs,running_jobs,used_procs,suspended_jobs and,
   with SEVERAL, contender. */
void lxfw_series_csv_header(struct lxfw_output *output, bool several);

/* CONTENDER NULL: no such column. */
void lxfw_series_csv_rows(const struct lxfw_series_point *points, size_t count,
			  const char *contender, struct lxfw_output *output);

/* Columns: user,jobs,mean_wait_s,mean_slowdown,mean_bounded_slowdown and, with
   SEVERAL, contender. */
void lxfw_users_csv_header(struct lxfw_output *output, bool several);
void lxfw_users_csv_rows(const struct lxfw_fairness *fairness,
			 const char *contender, struct lxfw_output *output);

#endif
