/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The brokers of lxfw_brokers. */
#ifndef LXFW_GRID_BROKERS_H
#define LXFW_GRID_BROKERS_H

#include "common/grid/grid.h"

/* share.c: each job waits in the queue of one site */
extern const struct lxfw_broker lxfw_broker_local, lxfw_broker_best_fit,
	lxfw_broker_most_free, lxfw_broker_least_work, lxfw_broker_earliest,
	lxfw_broker_earliest_end;

/* central.c: jobs wait in a queue of the broker */
extern const struct lxfw_broker lxfw_broker_central, lxfw_broker_multi_site,
	lxfw_broker_multi_site_fair;

/* batch.c: batches of jobs are planned with expected run times */
extern const struct lxfw_broker lxfw_broker_olb, lxfw_broker_sjs, lxfw_broker_pjs;

/* adaptive.c: jobs wait in a queue of the broker and are moldable */
extern const struct lxfw_broker lxfw_broker_adaptive, lxfw_broker_adaptive_procs;

/* market.c: sites make offers at a price */
extern const struct lxfw_broker lxfw_broker_market;

#endif
