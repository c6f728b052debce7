/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers of a cluster from a copy of its scheduler: when a job would start that is submitted
 * now. The scheduler is that of the plugin, repeated from its journal; the
 * controller takes no part.
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

/* The state of the cluster has changed: the next answer makes a copy of it. */
void lxfw_route_forecast_changed(struct lxfw_route_forecast *forecast);

/*
 * Answers at NOW. SCHED is the present state, which is not changed, with its HOSTS;
 * PARTITIONS are those of the cluster; they are not changed between two calls without
 * lxfw_route_forecast_changed(). `ping` and `pass` of the answer are not set. Returns 0, or
 * -1 with errno ENOMEM.
 */
int lxfw_route_forecast_answer(struct lxfw_route_forecast *forecast,
			       const struct lxfw_sched *sched,
			       const struct lxfw_known_hosts *hosts,
			       const struct lxfw_slurm_partitions *partitions, int64_t now,
			       const struct lxfw_route_question *question,
			       struct lxfw_route_answer *answer);

#endif
