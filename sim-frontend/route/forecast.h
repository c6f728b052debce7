/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers of a cluster: when a job would start that is submitted now. They come from a table
 * (table.h) of the scheduler of the plugin, which is repeated from its journal; the controller takes
 * no part.
 */
#ifndef LXFW_ROUTE_FORECAST_H
#define LXFW_ROUTE_FORECAST_H

#include "common/sched.h"
#include "sim-frontend/predict/slurm_partitions.h"
#include "sim-frontend/predict/starts_grid.h"
#include "sim-frontend/route/wire.h"

struct lxfw_route_forecast;

/* Returns NULL with errno ENOMEM. */
struct lxfw_route_forecast *lxfw_route_forecast_create(void);
void lxfw_route_forecast_destroy(struct lxfw_route_forecast *forecast);

/* The state of the cluster has changed: another table is to be computed. */
void lxfw_route_forecast_changed(struct lxfw_route_forecast *forecast);

/* The partitions have changed: no table of the earlier ones may be used. */
void lxfw_route_forecast_forget(struct lxfw_route_forecast *forecast);

/*
 * Computes the next table, if it is due and there were questions lately, for about that processor
 * time in seconds; meanwhile answers come from the one before. The other arguments are as below.
 * Returns 1 if there is more to do, 0 if not, -1 with errno ENOMEM.
 */
int lxfw_route_forecast_work(struct lxfw_route_forecast *forecast,
			     const struct lxfw_sched *sched, const struct lxfw_known_hosts *hosts,
			     const struct lxfw_slurm_partitions *partitions, int64_t now,
			     double seconds);

/* The reason given for a job that does not wait, or not for those who may see it. */
#define LXFW_ROUTE_NO_JOB "no such job waits"

/*
 * Answers at NOW. SCHED is the present state, which is not changed, with its HOSTS;
 * PARTITIONS are those of the cluster; they are not changed between two calls without
 * lxfw_route_forecast_forget(). Without a table, or with an old one, the first answer waits for one. `ping` and `pass` of the answer are not set. Returns 0, or
 * -1 with errno ENOMEM.
 */
int lxfw_route_forecast_answer(struct lxfw_route_forecast *forecast,
			       const struct lxfw_sched *sched,
			       const struct lxfw_known_hosts *hosts,
			       const struct lxfw_slurm_partitions *partitions, int64_t now,
			       const struct lxfw_route_question *question,
			       struct lxfw_route_answer *answer);

#endif
