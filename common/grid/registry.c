/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of brokers. */
#include <string.h>

#include "common/grid/brokers.h"

const struct lxfw_broker *const lxfw_brokers[] = {
	&lxfw_broker_local,
	&lxfw_broker_best_fit,
	&lxfw_broker_most_free,
	&lxfw_broker_least_work,
	&lxfw_broker_earliest,
	&lxfw_broker_earliest_end,
	&lxfw_broker_central,
	&lxfw_broker_multi_site,
	&lxfw_broker_multi_site_fair,
	&lxfw_broker_olb,
	&lxfw_broker_sjs,
	&lxfw_broker_pjs,
	&lxfw_broker_adaptive,
	&lxfw_broker_adaptive_procs,
	&lxfw_broker_market,
	NULL,
};

const struct lxfw_broker *lxfw_broker_find(const char *name, size_t length)
{
	for (int i = 0; lxfw_brokers[i]; i++) {
		if (strlen(lxfw_brokers[i]->name) == length &&
		    strncmp(lxfw_brokers[i]->name, name, length) == 0)
			return lxfw_brokers[i];
	}
	return NULL;
}
